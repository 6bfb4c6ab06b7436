//! Makes loops stoppable that come to no probe which looks at the mode.
//!
//! A backward `goto` gets `loop()` unless what it leads to runs, without a fork, into a conditional jump that has a probe.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use super::jumps;
use crate::method::Method;
use crate::probes::Site;

/// How many instructions of a loop are looked at.
const MAX_HEAD: usize = 64;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let is_goto = matches!(instruction.opcode, op::GOTO | op::GOTO_W);
    let Some(target) = instruction.jump_target().filter(|target| is_goto && *target <= instruction.pc) else { return Ok(()) };
    if site.plan().jumps && head_has_probe(site.method, target) {
        return Ok(());
    }
    site.before(0).call("loop", "()V")
}

fn head_has_probe(method: &Method<'_, '_>, target: usize) -> bool {
    let Some(start) = method.index_of(target) else { return false };
    for (idx, instruction) in method.instructions.iter().enumerate().skip(start).take(MAX_HEAD) {
        if instruction.is_conditional() {
            return jumps::has_probe(method, idx, instruction);
        }
        if !instruction.falls_through() || instruction.jump_target().is_some() {
            return false;
        }
    }
    false
}
