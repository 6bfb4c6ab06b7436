//! Puts `exit` and `halt` of the runtime class in the place of calls that end the JVM; once an action has begun they throw.
//!
//! A method handle to one of these (`System::exit`) is not found; no service was seen that has one.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use crate::method::Method;
use crate::probes::Site;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if !site.plan().exits {
        return Ok(());
    }
    match replacement(site.method, instruction) {
        Some((name, descriptor)) => site.replacement(0).call(name, descriptor),
        None => Ok(()),
    }
}

/// Name and descriptor of what takes what the call would take; none for other calls.
pub(super) fn replacement(method: &Method<'_, '_>, instruction: &Instruction<'_>) -> Option<(&'static str, &'static str)> {
    match instruction.opcode {
        op::INVOKESTATIC => method.calls(instruction, "java/lang/System", "exit", "(I)V").then_some(("exit", "(I)V")),
        op::INVOKEVIRTUAL => ["exit", "halt"]
            .into_iter()
            .find(|name| method.calls(instruction, "java/lang/Runtime", name, "(I)V"))
            .map(|name| (name, "(Ljava/lang/Runtime;I)V")),
        _ => None,
    }
}
