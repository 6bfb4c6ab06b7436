//! Tells which inputs are read by name, and what bodies are read into: a copy of an operand goes to a hook in front of the call,
//! or one of its result to a hook behind it.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, Edit, Instruction, Result};

use crate::emit::{Emitter, Home, Member, Members};
use crate::inputs::{InputHook, InputRow, find};
use crate::probes::Site;
use crate::replacement::Operand;

/// What a hook takes from the stack: two operands and a number.
const HOOK_STACK: u16 = 3;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let is_call = matches!(instruction.opcode, op::INVOKEVIRTUAL..=op::INVOKEINTERFACE);
    if !is_call || !site.plan().inputs {
        return Ok(());
    }
    let member = site.method.member(instruction);
    match member.and_then(|member| find(&member, instruction.opcode == op::INVOKESTATIC)) {
        Some(known) => tell(&known, site.method.n_locals, (site.edit, site.pool, &mut site.shared.members)),
        None => Ok(()),
    }
}

/// Puts the hook of a row around a call with these operands, in a method with that many local variables.
pub(crate) fn tell(
    (row, operands): &(&InputRow, Vec<Operand>),
    n_locals: u16,
    (edit, pool, members): (&mut Edit, &mut AppendedPool, &mut Members<'_>),
) -> Result<()> {
    edit.need_stack(HOOK_STACK);
    let number = row.place.number();
    let behind = |operand: u8| operands.get(usize::from(operand) + 1..).unwrap_or_default();
    match row.hook {
        InputHook::Read(operand) => {
            let above = Above::store(behind(operand), n_locals, edit);
            above.around(edit, pool, members, &[op::DUP], ("read", "(Ljava/lang/Object;I)V", number))
        }
        InputHook::Parse(operand) => {
            let above = Above::store(behind(operand), n_locals, edit);
            above.around(edit, pool, members, &[op::DUP], ("parse", "(Ljava/lang/Object;I)V", number))
        }
        InputHook::Look => {
            let above = Above::store(behind(1), n_locals, edit);
            above.around(edit, pool, members, &[op::DUP2], ("look", "(Ljava/lang/Object;Ljava/lang/Object;I)V", number))
        }
        InputHook::Reach => {
            let mut code = Emitter { code: &mut edit.before, pool, members };
            code.int(number)?;
            code.member(op::INVOKESTATIC, hook("reach", "(I)V"))
        }
        InputHook::Hold => {
            let mut code = Emitter { code: &mut edit.after, pool, members };
            code.plain(&[op::DUP]);
            code.int(number)?;
            code.member(op::INVOKESTATIC, hook("hold", "(Ljava/lang/Object;I)V"))
        }
    }
}

fn hook(name: &'static str, descriptor: &'static str) -> Member {
    Member { home: Home::Inputs, name, descriptor }
}

/// Operands that wait in local variables behind those of the method, for the hook to come to those below them.
struct Above<'o> {
    operands: &'o [Operand],
    first: u16,
}

impl<'o> Above<'o> {
    fn store(operands: &'o [Operand], first: u16, edit: &mut Edit) -> Above<'o> {
        edit.need_locals(operands.iter().map(|operand| operand.words()).sum());
        Above { operands, first }
    }

    /// Puts them aside, copies what is on top then, calls the hook with a number, and puts them back.
    fn around(
        &self,
        edit: &mut Edit,
        pool: &mut AppendedPool,
        members: &mut Members<'_>,
        copy: &[u8],
        (name, descriptor, number): (&'static str, &'static str, i32),
    ) -> Result<()> {
        let mut code = Emitter { code: &mut edit.before, pool, members };
        let mut local = self.first + self.operands.iter().map(|operand| operand.words()).sum::<u16>();
        for operand in self.operands.iter().rev() {
            local -= operand.words();
            code.local(op::ISTORE + operand.order(), local);
        }
        code.plain(copy);
        code.int(number)?;
        code.member(op::INVOKESTATIC, hook(name, descriptor))?;
        for operand in self.operands {
            code.local(op::ILOAD + operand.order(), local);
            local += operand.words();
        }
        Ok(())
    }
}
