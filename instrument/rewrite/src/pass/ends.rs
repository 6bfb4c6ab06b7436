//! Puts `end(line)` in front of each return, by which a thread that works for an action notes the statement it executed last.
//!
//! What a method executed last is certain at its end: when the line of the return is still the last one. When it is not,
//! another method of the service was executed since, and noted its own. Methods that call nothing are left out: they are by
//! far the most frequent ones, and what they do takes no time in which another thread could come between.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use crate::probes::Site;
use crate::target::{Detail, Place, Target};

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let is_return = (op::IRETURN..=op::RETURN).contains(&instruction.opcode);
    if !is_return || !site.plan().ends || !site.plan().lines || !site.method.has_calls {
        return Ok(());
    }
    let Some(line) = site.method.line_at(instruction.pc) else { return Ok(()) };
    let target = Target { class: site.shared.class, place: Place::Line(line), ordinal: 0, detail: Detail::Line };
    // A line without a probe is never the last one.
    let Some(id) = site.shared.table.known(&target) else { return Ok(()) };
    let mut code = site.before(1);
    code.id(id)?;
    code.call("end", "(I)V")
}
