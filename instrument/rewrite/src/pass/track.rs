//! Tells of operands of library calls that are tracked values: copies of one or two of them go to a hook in front of the call.
//!
//! The hook gives nothing back, so the stack is left as it was found and the call stays as it is.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, Edit, Instruction, Result};

use super::replace;
use crate::emit::{Emitter, Home, Member, Members};
use crate::probes::Site;
use crate::replacement::{self, Known, Operand};
use crate::usage::CLOSELY;

/// What a hook takes from the stack, at most: six operands and a number.
const HOOK_STACK: u16 = 7;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if !site.plan().tracking || site.method.string_switches.is_part(instruction.pc) {
        return Ok(());
    }
    let only = || match instruction.opcode {
        op::INVOKEVIRTUAL | op::INVOKESTATIC => replacement::find_tracked_only(&site.method.member(instruction)?),
        _ => None,
    };
    match replace::of(site.method, instruction).or_else(only) {
        Some(known) => {
            let into = Into { n_locals: site.method.n_locals, more: CLOSELY };
            tell(known, into, (site.edit, site.pool, &mut site.shared.members))
        }
        None => Ok(()),
    }
}

/// What a hook is put into.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Into {
    /// Local variables of the method.
    pub n_locals: u16,
    /// What is added to the number that the hook is given.
    pub more: i32,
}

/// Tells of a text that a switch looks for among its cases, whose constant has this index.
pub(super) fn cases(site: &mut Site<'_, '_, '_, '_, '_, '_>, index: u16) -> Result<()> {
    let mut code = site.before(2);
    code.plain(&[op::DUP]);
    code.load(index);
    let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)V";
    code.member(op::INVOKESTATIC, Member { home: Home::Tracking, name: "cases", descriptor })
}

/// Puts the hook in front of a call; none where the row has no hook.
pub(crate) fn tell(
    known: &Known,
    Into { n_locals, more }: Into,
    (edit, pool, members): (&mut Edit, &mut AppendedPool, &mut Members<'_>),
) -> Result<()> {
    let Some(tracked) = known.tracked else { return Ok(()) };
    edit.need_stack(HOOK_STACK);
    let n_operands = tracked.hook.n_operands();
    let is_pair = n_operands == 2;
    let set_aside = SetAside::of(&known.operands, is_pair, n_locals);
    edit.need_locals(set_aside.n_words);
    let mut code = Emitter { code: &mut edit.before, pool, members };
    if set_aside.operands.is_empty() {
        code.plain(if is_pair { &[op::DUP2] } else { &[op::DUP] });
    } else {
        set_aside.store(&mut code);
        code.plain(&[op::DUP]);
        set_aside.load(n_operands - 1, &mut code);
    }
    if tracked.hook.is_swapped() {
        code.plain(&[op::SWAP]);
    }
    code.int(tracked.number + more)?;
    let (name, descriptor) = tracked.hook.method();
    code.member(op::INVOKESTATIC, Member { home: Home::Tracking, name, descriptor })?;
    set_aside.load(set_aside.operands.len(), &mut code);
    Ok(())
}

/// Operands that wait in local variables behind those of the method, for the hook to come to those below them: all but the
/// first, unless there are no others than one object, or two that the hook takes.
struct SetAside<'o> {
    operands: &'o [Operand],
    first: u16,
    n_words: u16,
}

impl<'o> SetAside<'o> {
    fn of(operands: &'o [Operand], is_pair: bool, first: u16) -> SetAside<'o> {
        let is_plain = matches!(operands, [_]) || is_pair && matches!(operands, [_, Operand::Reference]);
        let operands = if is_plain { &[] } else { operands.get(1..).unwrap_or_default() };
        SetAside { operands, first, n_words: operands.iter().map(|operand| operand.words()).sum() }
    }

    fn store(&self, code: &mut Emitter<'_, '_>) {
        let mut local = self.first + self.n_words;
        for operand in self.operands.iter().rev() {
            local -= operand.words();
            code.local(op::ISTORE + operand.order(), local);
        }
    }

    /// Loads the first `n` of them.
    fn load(&self, n: usize, code: &mut Emitter<'_, '_>) {
        let mut local = self.first;
        for operand in self.operands.iter().take(n) {
            code.local(op::ILOAD + operand.order(), local);
            local += operand.words();
        }
    }
}
