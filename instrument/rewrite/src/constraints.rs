//! The places of Hibernate Validator where it validates a bean or the parameters of a method, and where it asks a validator:
//! what it asked, and what was said, goes to the runtime class.
//!
//! No probes and no targets: the classes are a library's. Constraints are the service's, and get targets when they are seen.
//! In versions 5 to 9 the places are `ValidatorImpl.validate`, `ValidatorImpl.validateParameters` and `ConstraintTree.validateSingleConstraint`, where stands
//! `aload validator; aload value; aload context; isValid`.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, ClassFile, Edit, Instruction, MemberRef, Patcher, Result, text};

use crate::emit::{Emitter, Home, Member, Members};

/// The internal names of the classes that are to be observed.
pub const CONSTRAINT_CLASSES: [&str; 2] = [
    "org/hibernate/validator/internal/engine/constraintvalidation/ConstraintTree",
    "org/hibernate/validator/internal/engine/ValidatorImpl",
];
/// How a bean is validated.
const VALIDATE: (&str, &str) = ("validate", "(Ljava/lang/Object;[Ljava/lang/Class;)Ljava/util/Set;");

/// How the parameters of a method of a bean are.
const VALIDATE_PARAMETERS: (&str, &str) = (
    "validateParameters",
    "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;[Ljava/lang/Class;)Ljava/util/Set;",
);

/// How the names end of classes that tell where a value stands, and what a constraint is.
const PLACE: &str = "/ValueContext;";
const DESCRIPTOR: &str = "/ConstraintDescriptorImpl;";

/// One of [`CONSTRAINT_CLASSES`] with hooks, which belong to this runtime class; none when it is not made as expected.
pub fn observe_constraints(class_bytes: &[u8], runtime_class: &str) -> Option<Vec<u8>> {
    let class = ClassFile::read(class_bytes).ok()?;
    let mut observing = Observing { class: &class, members: Members::new(runtime_class), descriptor: descriptor(&class) };
    let mut patcher = Patcher::new(&class);
    let mut is_observed = false;
    for method in &class.methods {
        let Ok(Some(code)) = class.code(method) else { continue };
        let instructions = code.instructions().collect::<Result<Vec<_>>>().ok()?;
        let (name, descriptor) = (class.pool.text(method.name).ok()?, class.pool.text(method.descriptor).ok()?);
        let whole = [VALIDATE, VALIDATE_PARAMETERS].into_iter().position(|it| (name.as_ref(), descriptor.as_ref()) == it);
        if let Some(whole) = whole {
            let end = [END, END_PARAMETERS][whole];
            let mut edits = |instruction: &Instruction<'_>, pool: &mut AppendedPool, edit: &mut Edit| {
                observing.frame(end, instruction, pool, edit)
            };
            patcher.patch(&code, &mut edits).ok()?;
            is_observed = true;
        }
        let Some(call) = instructions.iter().position(|instruction| observing.is_validation(instruction)) else { continue };
        let Some((place, value)) = place(&descriptor).zip(value(&instructions[..call])) else { continue };
        let pc = instructions[call].pc;
        let mut edits = |instruction: &Instruction<'_>, pool: &mut AppendedPool, edit: &mut Edit| {
            if instruction.pc == pc { observing.surround(place, value, pool, edit) } else { Ok(()) }
        };
        patcher.patch(&code, &mut edits).ok()?;
        is_observed = true;
    }
    is_observed.then(|| patcher.finish().ok())?
}

/// What is pushed at the end of a validation, and the descriptor of the hook that takes it.
type End = (&'static [u8], &'static str);

const END: End = (&[op::ALOAD_1], "(Ljava/lang/Object;)V");
const END_PARAMETERS: End = (&[op::ALOAD_1, op::ALOAD_2], "(Ljava/lang/Object;Ljava/lang/reflect/Method;)V");

struct Observing<'c, 'a, 'p> {
    class: &'c ClassFile<'a>,
    members: Members<'p>,
    /// Name and type of the field with the description of the constraint.
    descriptor: Option<(String, String)>,
}

impl Observing<'_, '_, '_> {
    fn is_validation(&self, instruction: &Instruction<'_>) -> bool {
        let is_call = instruction.opcode == op::INVOKEINTERFACE;
        let member = instruction.constant().filter(|_| is_call).and_then(|index| self.class.pool.member(index).ok());
        member.is_some_and(|MemberRef { class, name, .. }| {
            let is_api = [&b"javax/validation/ConstraintValidator"[..], b"jakarta/validation/ConstraintValidator"];
            name == b"isValid" && is_api.contains(&class)
        })
    }

    /// Tells of the bean, the first parameter, at the begin of its validation, and at each end as is said here.
    fn frame(&mut self, end: End, instruction: &Instruction<'_>, pool: &mut AppendedPool, edit: &mut Edit) -> Result<()> {
        edit.need_stack(2);
        let mut code = Emitter { code: &mut edit.before, pool, members: &mut self.members };
        if instruction.pc == 0 {
            code.plain(&[op::ALOAD_1]);
            code.member(op::INVOKESTATIC, hook("begin", "(Ljava/lang/Object;)V"))?;
        }
        if instruction.opcode == op::ARETURN {
            let (operands, descriptor) = end;
            code.plain(operands);
            code.member(op::INVOKESTATIC, hook("end", descriptor))?;
        }
        Ok(())
    }

    /// Puts the hooks around the call: the place and the value are in these local variables.
    fn surround(&mut self, place: u16, value: u16, pool: &mut AppendedPool, edit: &mut Edit) -> Result<()> {
        let Some((field, descriptor)) = &self.descriptor else { return Ok(()) };
        let name = text::decode(self.class.name()?).into_owned();
        let field = pool.field(&name, field, descriptor)?;
        let [high, low] = field.to_be_bytes();
        let descriptor = [op::ALOAD_0, op::GETFIELD, high, low];
        edit.need_stack(5);
        let mut before = Emitter { code: &mut edit.before, pool, members: &mut self.members };
        before.plain(&descriptor);
        before.local(op::ALOAD, place);
        before.member(op::INVOKESTATIC, hook("validating", "(Ljava/lang/Object;Ljava/lang/Object;)V"))?;
        let mut after = Emitter { code: &mut edit.after, pool, members: &mut self.members };
        after.plain(&[op::DUP]);
        after.plain(&descriptor);
        after.local(op::ALOAD, value);
        after.local(op::ALOAD, place);
        after.member(op::INVOKESTATIC, hook("validated", "(ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V"))
    }
}

fn hook(name: &'static str, descriptor: &'static str) -> Member {
    Member { home: Home::Constraints, name, descriptor }
}

fn descriptor(class: &ClassFile<'_>) -> Option<(String, String)> {
    let named = |field: &restive_classfile::Member| {
        Some((class.pool.text(field.name).ok()?.into_owned(), class.pool.text(field.descriptor).ok()?.into_owned()))
    };
    class.fields.iter().filter_map(named).find(|(_, descriptor)| descriptor.ends_with(DESCRIPTOR))
}

/// The local variable of the parameter that tells the place; all parameters in front of it are objects.
fn place(descriptor: &str) -> Option<u16> {
    let parameters = descriptor.strip_prefix('(')?.split_once(')')?.0;
    let idx = parameters.split_inclusive(';').position(|parameter| parameter.starts_with('L') && parameter.ends_with(PLACE))?;
    u16::try_from(idx + 1).ok()
}

/// The local variable of the value, which was pushed before the context.
fn value(before: &[Instruction<'_>]) -> Option<u16> {
    let [.., validator, value, context] = before else { return None };
    let local = |instruction: &Instruction<'_>| instruction.local().filter(|(opcode, _)| *opcode == op::ALOAD);
    local(validator).and(local(context)).and(local(value)).map(|(_, local)| local)
}

#[cfg(test)]
mod tests {
    use super::{observe_constraints, place};

    const LOOPS: &[u8] = include_bytes!("../../classfile/tests/classes/Loops.class");

    #[test]
    fn the_place_is_found_among_the_parameters() {
        assert_eq!(place("(La/ValueContext;La/Other;)Lb/Set;"), Some(1));
        assert_eq!(place("(La/ValidationContext;La/ValueContext;La/Other;)Z"), Some(2));
        assert_eq!(place("(La/Other;)La/ValueContext;"), None);
    }

    #[test]
    fn other_classes_stay_as_they_are() {
        assert_eq!(observe_constraints(LOOPS, "java/lang/RestiveProbes"), None);
        assert_eq!(observe_constraints(b"no class", "java/lang/RestiveProbes"), None);
    }
}
