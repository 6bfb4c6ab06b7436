//! Puts `exit` of the runtime class in the place of calls that end the JVM; it throws.
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
        Some(descriptor) => site.replacement(0).call("exit", descriptor),
        None => Ok(()),
    }
}

/// The descriptor of the `exit` that takes what the call would take; none for other calls.
pub(super) fn replacement(method: &Method<'_, '_>, instruction: &Instruction<'_>) -> Option<&'static str> {
    match instruction.opcode {
        op::INVOKESTATIC => method.calls(instruction, "java/lang/System", "exit", "(I)V").then_some("(I)V"),
        op::INVOKEVIRTUAL => ["exit", "halt"]
            .iter()
            .any(|name| method.calls(instruction, "java/lang/Runtime", name, "(I)V"))
            .then_some("(Ljava/lang/Runtime;I)V"),
        _ => None,
    }
}
