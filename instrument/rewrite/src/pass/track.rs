//! Tells of operands of library calls that are tracked values: copies of one or two of them go to a hook in front of the call.
//!
//! The hook gives nothing back, so the stack is left as it was found and the call stays as it is.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, Edit, Instruction, Result};

use super::replace;
use crate::emit::{Emitter, Home, Member, Members};
use crate::probes::Site;
use crate::replacement::{Known, Operand};

/// What a hook takes from the stack: two operands and a number.
const HOOK_STACK: u16 = 3;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if !site.plan().tracking || site.method.string_switches.is_part(instruction.pc) {
        return Ok(());
    }
    match replace::of(site.method, instruction) {
        Some(known) => tell(known, site.method.n_locals, (site.edit, site.pool, &mut site.shared.members)),
        None => Ok(()),
    }
}

/// Tells of a text that a switch looks for among its cases, whose constant has this index.
pub(super) fn cases(site: &mut Site<'_, '_, '_, '_, '_, '_>, index: u16) -> Result<()> {
    let mut code = site.before(2);
    code.plain(&[op::DUP]);
    code.load(index);
    let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)V";
    code.member(op::INVOKESTATIC, Member { home: Home::Tracking, name: "cases", descriptor })
}

/// Puts the hook in front of a call, in a method with that many local variables; none where the row has no hook.
pub(crate) fn tell(
    known: &Known,
    n_locals: u16,
    (edit, pool, members): (&mut Edit, &mut AppendedPool, &mut Members<'_>),
) -> Result<()> {
    let Some(tracked) = known.tracked else { return Ok(()) };
    edit.need_stack(HOOK_STACK);
    let set_aside = SetAside::of(&known.operands, n_locals);
    edit.need_locals(set_aside.n_words);
    let mut code = Emitter { code: &mut edit.before, pool, members };
    let is_pair = tracked.hook.n_operands() == 2;
    if set_aside.operands.is_empty() {
        code.plain(if is_pair { &[op::DUP2] } else { &[op::DUP] });
    } else {
        set_aside.store(&mut code);
        code.plain(&[op::DUP]);
        if is_pair {
            code.local(op::ALOAD, n_locals);
        }
    }
    if tracked.hook.is_swapped() {
        code.plain(&[op::SWAP]);
    }
    code.int(tracked.number)?;
    let (name, descriptor) = tracked.hook.method();
    code.member(op::INVOKESTATIC, Member { home: Home::Tracking, name, descriptor })?;
    set_aside.load(&mut code);
    Ok(())
}

/// Operands that wait in local variables behind those of the method, for the hook to come to those below them: all but the
/// first, unless there are no others than one or two objects.
struct SetAside<'o> {
    operands: &'o [Operand],
    first: u16,
    n_words: u16,
}

impl<'o> SetAside<'o> {
    fn of(operands: &'o [Operand], first: u16) -> SetAside<'o> {
        let is_plain = matches!(operands, [_] | [_, Operand::Reference]);
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

    fn load(&self, code: &mut Emitter<'_, '_>) {
        let mut local = self.first;
        for operand in self.operands {
            code.local(op::ILOAD + operand.order(), local);
            local += operand.words();
        }
    }
}
