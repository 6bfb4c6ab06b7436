//! Comparisons of long, float and double whose result a jump compares with 0.
//!
//! The result is -1, 0 or 1 and tells no distance, so the instruction is replaced by a call that sees the operands and
//! gives the same result. The targets are those of the jump.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use super::jumps;
use crate::method::Method;
use crate::probes::{Family, Site};
use crate::target::Detail;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let Some((name, descriptor)) = comparison(instruction).filter(|_| site.plan().jumps) else { return Ok(()) };
    let Some(jump) = site.method.next(site.idx).filter(|next| jumps::compares_with_zero(next)) else { return Ok(()) };
    let relation = i32::from(jump.opcode - op::IFEQ);
    // The targets belong to the jump, which may begin a line.
    site.idx += 1;
    let id = site.targets(Family::Branch, [Detail::Then, Detail::Else]);
    site.idx -= 1;
    let id = id?;
    let mut code = site.replacement(2);
    code.int(relation)?;
    code.id(id)?;
    code.call(name, descriptor)
}

fn comparison(instruction: &Instruction<'_>) -> Option<(&'static str, &'static str)> {
    Some(match instruction.opcode {
        op::LCMP => ("lcmp", "(JJII)I"),
        op::FCMPL => ("fcmpl", "(FFII)I"),
        op::FCMPG => ("fcmpg", "(FFII)I"),
        op::DCMPL => ("dcmpl", "(DDII)I"),
        op::DCMPG => ("dcmpg", "(DDII)I"),
        _ => return None,
    })
}

/// Whether the jump with this index is measured at the comparison in front of it.
pub(super) fn is_fused(method: &Method<'_, '_>, idx: usize, jump: &Instruction<'_>) -> bool {
    jumps::compares_with_zero(jump) && method.previous(idx).is_some_and(|previous| comparison(previous).is_some())
}
