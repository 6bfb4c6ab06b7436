//! Marks each line, and notes it as the last one: `MARKS[id] = 1; last = id`.
//!
//! In line, without a call: lines are the most frequent probes, and code that runs once is interpreted.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use crate::emit::{LAST, MARKS};
use crate::probes::Site;
use crate::target::{Detail, Place, Target};

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if !site.plan().lines {
        return Ok(());
    }
    let Some(line) = site.method.line_starting_at(instruction.pc) else { return Ok(()) };
    let target = Target { class: site.shared.class, place: Place::Line(line), ordinal: 0, detail: Detail::Line };
    let id = site.block(&[target])?;
    let mut code = site.before(3);
    code.member(op::GETSTATIC, MARKS)?;
    code.id(id)?;
    code.plain(&[op::DUP]);
    code.member(op::PUTSTATIC, LAST)?;
    code.plain(&[op::ICONST_1, op::SASTORE]);
    Ok(())
}
