//! Tells of exceptions: where a handler of the service takes one, and where one leaves a method.
//!
//! A handler begins by `caught(exception)`. A method that may throw gets a handler of its own for all that no other one
//! takes: `left(exception); throw exception`. So the last that was told of an exception says whether the service dealt with
//! it, and a method that throws nothing does nothing for it.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, CatchAll, Instruction, Result};

use crate::coverable::Coverable;
use crate::emit::{Emitter, Members};
use crate::method::Method;
use crate::probes::Site;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if !site.plan().exceptions || !site.method.is_handler(instruction.pc) {
        return Ok(());
    }
    // JVMS 2.10: what was thrown is alone on the stack, as the frame says as an object of some class.
    let mut code = site.before(1);
    code.plain(&[op::DUP]);
    code.call("caught", "(Ljava/lang/Object;)V")
}

/// The handler behind the last instruction of this method; none where it cannot be or nothing throws.
pub(crate) fn catch_all(
    method: &Method<'_, '_>,
    pool: &mut AppendedPool,
    members: &mut Members<'_>,
) -> Result<Option<CatchAll>> {
    let Some(Coverable { from, has_frames }) = method.coverable.filter(|coverable| throws(method, coverable.from)) else {
        return Ok(None);
    };
    let mut code = Vec::new();
    let mut emitter = Emitter { code: &mut code, pool, members };
    emitter.plain(&[op::DUP]);
    emitter.call("left", "(Ljava/lang/Throwable;)V")?;
    emitter.plain(&[op::ATHROW]);
    let throwable = pool.class("java/lang/Throwable")?;
    let frames = if has_frames { pool.utf8(b"StackMapTable")? } else { 0 };
    Ok(Some(CatchAll { from, code, max_stack: 2, throwable, frames }))
}

/// Whether an instruction from this position on may throw.
fn throws(method: &Method<'_, '_>, from: usize) -> bool {
    let instructions = method.instructions.iter().enumerate();
    instructions.skip_while(|(_, instruction)| instruction.pc < from).any(|(idx, instruction)| match instruction.opcode {
        op::GETFIELD => !is_this(method, idx, 1),
        op::PUTFIELD => !is_this(method, idx, 2),
        op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE => true,
        opcode => {
            is_division(opcode) || (op::INVOKEVIRTUAL..=op::MONITOREXIT).contains(&opcode) || opcode == op::MULTIANEWARRAY
        }
    })
}

fn is_division(opcode: u8) -> bool {
    matches!(opcode, op::IDIV | op::LDIV | op::IREM | op::LREM)
}

/// Whether the field that is used here is one of `this`: pushed so many instructions before, with no jump between.
fn is_this(method: &Method<'_, '_>, idx: usize, back: usize) -> bool {
    let Some(first) = idx.checked_sub(back) else { return false };
    let is_straight = (first + 1..=idx).all(|at| method.previous(at).is_some());
    // What lies between pushes the new value.
    let is_load =
        |at: usize| method.instructions[at].local().is_some_and(|(opcode, _)| (op::ILOAD..=op::ALOAD).contains(&opcode));
    let pushes = (first + 1..idx).all(is_load);
    let is_first = method.instructions[first].local() == Some((op::ALOAD, 0));
    !method.is_static && is_straight && pushes && is_first
}
