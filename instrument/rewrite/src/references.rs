//! References to measured library methods (`String::isEmpty`, `list::contains`, `BigDecimal::new`) become methods of the class.
//!
//! There is no call in the code of a class for what stands behind a reference: a bootstrap method gets a handle and makes an
//! object that calls it. So the class gets a method that does nothing but the call, as a compiler makes one of a lambda, and
//! the reference a bootstrap method of its own with a handle to that. What comes after sees a call as any other.
//!
//! Stays as it was: a reference that can be serialised, since its name is compared when it is read; what is no direct handle
//! of `LambdaMetafactory`; `invokespecial`, of which compilers make lambdas by themselves.
//! What changes is that a stack trace shows the line of the reference, as that of a lambda does.

mod body;

use restive_classfile::opcode::op;
use restive_classfile::{
    AppendedPool, BootstrapMethod, ClassFile, Code, Constant, Edit, Instruction, LineEntry, MemberRef, NewMethod, Patcher,
    Result,
};

use crate::class::BRIDGE;
use crate::generated;
use crate::plan::Plan;
use crate::replacement::{self, OutcomeKind, Receiver};

/// How the names of the methods begin.
pub(crate) const PREFIX: &str = "lambda$restive$";

/// JVMS table 4.6-A: `ACC_PRIVATE`, `ACC_STATIC`, `ACC_SYNTHETIC`.
const ACCESS: u16 = 0x0002 | 0x0008 | 0x1000;
/// JVMS table 4.1-B, `ACC_INTERFACE`.
const INTERFACE: u16 = 0x0200;
/// The first version whose interfaces may have private methods (JVMS 4.6).
const JAVA_8: u16 = 52;
/// Which argument of the bootstrap method is the handle of the implementation.
const IMPLEMENTATION: usize = 1;
/// Which argument of `altMetafactory` is its flags.
const FLAGS: usize = 3;
/// `LambdaMetafactory.FLAG_SERIALIZABLE`.
const SERIALIZABLE: i32 = 1;

// JVMS table 5.4.3.5-A.
const INVOKE_VIRTUAL: u8 = 5;
const INVOKE_STATIC: u8 = 6;
const NEW_INVOKE_SPECIAL: u8 = 8;
const INVOKE_INTERFACE: u8 = 9;

/// The class with a method for each reference that is to be measured; none when there is none, or no room.
pub(crate) fn desugar(class: &ClassFile<'_>, plan: &Plan) -> Option<Vec<u8>> {
    if plan.replacements.is_empty() || class.access & INTERFACE != 0 && class.major_version < JAVA_8 {
        return None;
    }
    let rows = class.bootstrap_methods().ok()?;
    let references: Vec<_> = rows.iter().map(|row| Reference::of(class, row, plan)).collect();
    if references.iter().all(Option::is_none) || is_desugared(class) {
        return None;
    }
    let mut desugaring = Desugaring { class, rows, references, methods: Vec::new(), patcher: Patcher::new(class) };
    desugaring.run().ok().filter(|()| !desugaring.methods.is_empty())?;
    desugaring.patcher.finish().ok()
}

/// Whether a class brings such methods along, as when it was rewritten and saved.
fn is_desugared(class: &ClassFile<'_>) -> bool {
    let is_ours = |name: &[u8]| name.starts_with(PREFIX.as_bytes());
    class.methods.iter().any(|method| class.pool.utf8(method.name).is_ok_and(is_ours))
}

/// The implementation of a functional object by a library method.
struct Reference<'a> {
    /// The kind of the handle.
    kind: u8,
    /// The constant of the method.
    index: u16,
    member: MemberRef<'a>,
}

impl<'a> Reference<'a> {
    /// The reference that a bootstrap method makes; none when it makes something else, or shall stay.
    fn of(class: &ClassFile<'a>, row: &BootstrapMethod, plan: &Plan) -> Option<Reference<'a>> {
        let Constant::MethodHandle(INVOKE_STATIC, factory) = class.pool.constant(row.method).ok()? else { return None };
        let factory = class.pool.member(factory).ok()?;
        let is_plain = match factory.name {
            _ if factory.class != b"java/lang/invoke/LambdaMetafactory" => false,
            b"metafactory" => true,
            b"altMetafactory" => {
                let flags = row.arguments.get(FLAGS).and_then(|index| class.pool.constant(*index).ok());
                matches!(flags, Some(Constant::Integer(flags)) if flags & SERIALIZABLE == 0)
            }
            _ => false,
        };
        let Constant::MethodHandle(kind, index) = class.pool.constant(*row.arguments.get(IMPLEMENTATION)?).ok()? else {
            return None;
        };
        let is_direct = matches!(kind, INVOKE_VIRTUAL | INVOKE_STATIC | NEW_INVOKE_SPECIAL | INVOKE_INTERFACE);
        let member = class.pool.member(index).ok()?;
        let row = replacement::find(&member, kind == INVOKE_STATIC).filter(|_| is_plain && is_direct)?.row;
        let is_wanted = plan.replacements.contains(&row.family) && (row.outcome != OutcomeKind::Return || plan.calls);
        let is_made = (row.receiver == Receiver::Constructor) == (kind == NEW_INVOKE_SPECIAL);
        (is_wanted && is_made).then_some(Reference { kind, index, member })
    }
}

struct Desugaring<'c, 'a> {
    class: &'c ClassFile<'a>,
    /// The bootstrap methods, and what they refer to.
    rows: Vec<BootstrapMethod>,
    references: Vec<Option<Reference<'a>>>,
    /// The methods that were made.
    methods: Vec<NewMethod>,
    patcher: Patcher<'c, 'a>,
}

/// A call site that refers to a library method.
struct CallSite {
    pc: usize,
    bootstrap: u16,
    name_and_type: u16,
}

impl<'a> Desugaring<'_, 'a> {
    fn run(&mut self) -> Result<()> {
        let mut bodies = Vec::new();
        for member in &self.class.methods {
            bodies.extend(self.class.code(member)?.map(|code| (member, code)));
        }
        let is_written = generated::is_written(&self.class.pool, bodies.iter().map(|(_, code)| code));
        for (_, code) in bodies.iter().filter(|(member, code)| member.access & BRIDGE == 0 && is_written(code)) {
            self.body(code)?;
        }
        self.methods.iter().try_for_each(|method| self.patcher.append_method(method))
    }

    /// Turns the call sites of a method to methods of their own.
    fn body(&mut self, code: &Code<'a>) -> Result<()> {
        let mut sites = Vec::new();
        for instruction in code.instructions() {
            sites.extend(self.call_site(&instruction?));
        }
        if sites.is_empty() {
            return Ok(());
        }
        let lines = code.lines(&self.class.pool)?;
        let mut turned = Vec::new();
        for site in &sites {
            turned.extend(self.turned(site, line_at(&lines, site.pc))?.map(|constant| (site.pc, constant)));
        }
        self.patcher.patch(code, &mut |instruction: &Instruction<'_>, _: &mut AppendedPool, edit: &mut Edit| {
            if let Some((_, constant)) = turned.iter().find(|(pc, _)| *pc == instruction.pc) {
                let [high, low] = constant.to_be_bytes();
                edit.replacement.extend([op::INVOKEDYNAMIC, high, low, 0, 0]);
            }
            Ok(())
        })
    }

    fn call_site(&self, instruction: &Instruction<'_>) -> Option<CallSite> {
        let index = instruction.constant().filter(|_| instruction.opcode == op::INVOKEDYNAMIC)?;
        let Constant::InvokeDynamic(bootstrap, name_and_type) = self.class.pool.constant(index).ok()? else { return None };
        self.references.get(usize::from(bootstrap))?.as_ref()?;
        Some(CallSite { pc: instruction.pc, bootstrap, name_and_type })
    }

    /// The constant of a call site that refers to a new method; none when the site stays.
    fn turned(&mut self, site: &CallSite, line: Option<u16>) -> Result<Option<u16>> {
        let Some(Some(reference)) = self.references.get(usize::from(site.bootstrap)) else { return Ok(None) };
        let Constant::NameAndType(_, factory) = self.class.pool.constant(site.name_and_type)? else { return Ok(None) };
        let captured = first_parameter(self.class.pool.utf8(factory)?);
        let pool = &mut self.patcher.pool;
        let Some(body) = body::of(reference, captured, self.class.name()?, pool)? else { return Ok(None) };
        let name = format!("{PREFIX}{}", self.methods.len()).into_bytes();
        // The class by the constant that names it: another one of that name would not mean a hidden class.
        let is_interface = self.class.access & INTERFACE != 0;
        let member = pool.method_of(self.class.this_class, is_interface, (&name, &body.descriptor))?;
        let mut row = self.rows[usize::from(site.bootstrap)].clone();
        row.arguments[IMPLEMENTATION] = pool.method_handle(INVOKE_STATIC, member)?;
        self.methods.push(NewMethod {
            access: ACCESS,
            name,
            descriptor: body.descriptor,
            code: body.code,
            max_stack: body.max_stack,
            max_locals: body.max_locals,
            line,
        });
        let number = self.patcher.append_bootstrap_method(&row)?;
        self.patcher.pool.invoke_dynamic(number, site.name_and_type).map(Some)
    }
}

/// The first parameter of a descriptor when it is an object of a class.
fn first_parameter(descriptor: &[u8]) -> Option<&[u8]> {
    let name = descriptor.strip_prefix(b"(L")?;
    Some(&name[..name.iter().position(|byte| *byte == b';')?])
}

/// The line that a position belongs to.
fn line_at(lines: &[LineEntry], pc: usize) -> Option<u16> {
    let begun = lines.iter().filter(|entry| usize::from(entry.start_pc) <= pc);
    begun.max_by_key(|entry| entry.start_pc).map(|entry| entry.line)
}

#[cfg(test)]
mod tests {
    use restive_classfile::LineEntry;

    use super::{first_parameter, line_at};

    #[test]
    fn only_objects_are_captured_receivers() {
        assert_eq!(first_parameter(b"(Ljava/lang/String;I)LF;"), Some(&b"java/lang/String"[..]));
        assert_eq!(first_parameter(b"()LF;"), None);
        assert_eq!(first_parameter(b"(I)LF;"), None);
        assert_eq!(first_parameter(b"([LA;)LF;"), None);
    }

    #[test]
    fn a_position_belongs_to_the_line_that_began_last() {
        let lines = [(0, 5), (9, 3), (4, 7)].map(|(start_pc, line)| LineEntry { start_pc, line });
        assert_eq!([3, 4, 8, 9, 100].map(|pc| line_at(&lines, pc)), [5, 7, 7, 3, 3].map(Some));
        assert_eq!(line_at(&[], 3), None);
    }
}
