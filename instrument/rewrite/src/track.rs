//! Classes of libraries: calls of measured library methods tell of operands that are tracked values (`instrumentation.md` 1.3).
//!
//! No targets, no lines, nothing else: what libraries do with an input is worth knowing, where they do it is not.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, ClassFile, Constant, ConstantPool, Edit, Error, Instruction, Patcher, Result};

use crate::emit::Members;
use crate::outcome::Reason;
use crate::pass::track::{Into, tell};
use crate::replacement::{self, Known, Reach, Receiver};

/// The class with hooks that report to this runtime class; none when it calls no method that is tracked.
///
/// # Errors
/// Why the class must stay as it is although it calls one.
pub fn track(class_bytes: &[u8], runtime_class: &str) -> std::result::Result<Option<Vec<u8>>, Reason> {
    let class = ClassFile::read(class_bytes).map_err(Reason::Unreadable)?;
    let is_tree = class.name().is_ok_and(replacement::is_tree);
    let callees = Callees::of(&class.pool, is_tree);
    if callees.is_empty() {
        return Ok(None);
    }
    let mut tracking = Tracking { callees, hooks: Members::new(runtime_class), n_hooks: 0, refused: None };
    let mut patcher = Patcher::new(&class);
    tracking.methods(&class, &mut patcher).map_err(Reason::Unreadable)?;
    match tracking.refused {
        _ if tracking.n_hooks > 0 => patcher.finish().map(Some).map_err(Reason::Unreadable),
        Some(error) => Err(Reason::Unreadable(error)),
        None => Ok(None),
    }
}

/// Methods that a class names and that are tracked in libraries, by their constants: looked up once, for most classes name none.
struct Callees {
    /// Of each constant the row for a call of an object's method, and for one of a static method.
    rows: Vec<[Option<&'static Known>; 2]>,
    is_empty: bool,
}

impl Callees {
    fn of(pool: &ConstantPool<'_>, is_tree: bool) -> Callees {
        let row = |index| {
            let Ok(Constant::Method(..) | Constant::InterfaceMethod(..)) = pool.constant(index) else { return [None; 2] };
            let Ok(member) = pool.member(index) else { return [None; 2] };
            let looked_up = || replacement::find_in_tree(&member).filter(|_| is_tree);
            let row = |is_static| replacement::find(&member, is_static).filter(|known| is_everywhere(known));
            [row(false).or_else(looked_up), row(true)]
        };
        let rows: Vec<_> = (0..pool.count()).map(row).collect();
        let is_empty = rows.iter().flatten().all(Option::is_none);
        Callees { rows, is_empty }
    }

    fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The row of a method that is called here.
    fn called_by(&self, instruction: &Instruction<'_>) -> Option<&'static Known> {
        if !matches!(instruction.opcode, op::INVOKEVIRTUAL..=op::INVOKEINTERFACE) {
            return None;
        }
        let rows = self.rows.get(usize::from(instruction.constant()?))?;
        let known = rows[usize::from(instruction.opcode == op::INVOKESTATIC)]?;
        // What a constructor is called on is no object yet.
        let is_constructor = known.row.receiver == Receiver::Constructor;
        (!is_constructor || instruction.opcode == op::INVOKESPECIAL).then_some(known)
    }
}

fn is_everywhere(known: &Known) -> bool {
    known.tracked.is_some_and(|tracked| tracked.reach == Reach::Everywhere)
}

struct Tracking<'p> {
    callees: Callees,
    hooks: Members<'p>,
    n_hooks: usize,
    /// Why a method stays as it was.
    refused: Option<Error>,
}

impl Tracking<'_> {
    fn methods<'c, 'a>(&mut self, class: &'c ClassFile<'a>, patcher: &mut Patcher<'c, 'a>) -> Result<()> {
        for method in &class.methods {
            let Some(code) = class.code(method)? else { continue };
            let mut has_calls = false;
            for instruction in code.instructions() {
                has_calls |= self.callees.called_by(&instruction?).is_some();
            }
            if !has_calls {
                continue;
            }
            let mut n_hooks = 0;
            let outcome =
                patcher.patch(&code, &mut |instruction: &Instruction<'_>, pool: &mut AppendedPool, edit: &mut Edit| {
                    let Some(known) = self.callees.called_by(instruction) else { return Ok(()) };
                    n_hooks += 1;
                    tell(known, Into { n_locals: code.max_locals, more: 0 }, (edit, pool, &mut self.hooks))
                });
            match outcome {
                Ok(()) => self.n_hooks += n_hooks,
                Err(error) => {
                    // Its constants were taken back; the methods around it can do without it.
                    self.hooks.forget();
                    self.refused.get_or_insert(error);
                }
            }
        }
        Ok(())
    }
}
