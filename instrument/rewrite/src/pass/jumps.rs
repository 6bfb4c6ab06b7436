//! Conditional jumps on int, boolean, char and so on, references and null.
//!
//! The operands are doubled and given to the runtime class; the jump stays. Its two targets: *then* falls through (javac
//! compiles `if (c) A else B` so that this is A), *else* jumps.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use super::{compare, flags, replace};
use crate::method::Method;
use crate::probes::{Family, Site};
use crate::target::Detail;

/// What doubles the operands, and the method that takes them with the id.
struct Probe {
    doubling: &'static [u8],
    method: &'static str,
    descriptor: &'static str,
}

const INTEGERS: &str = "(III)V";
const REFERENCES: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)V";

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let is_wanted = site.plan().jumps && has_probe(site.method, site.idx, instruction);
    let Some(probe) = probe(instruction).filter(|_| is_wanted && !compare::is_fused(site.method, site.idx, instruction)) else {
        return Ok(());
    };
    if let Some(previous) = site.method.previous(site.idx).filter(|_| compares_with_zero(instruction))
        && let Some(done) = on_result(site, instruction, previous)?
    {
        return Ok(done);
    }
    let id = site.targets(Family::Branch, [Detail::Then, Detail::Else])?;
    let mut code = site.before(3);
    code.plain(probe.doubling);
    code.id(id)?;
    code.call(probe.method, probe.descriptor)
}

/// The probe of a jump on what a call gave that tells more than its result; none when it does not.
fn on_result(
    site: &mut Site<'_, '_, '_, '_, '_, '_>,
    instruction: &Instruction<'_>,
    call: &Instruction<'_>,
) -> Result<Option<()>> {
    let relation = i32::from(instruction.opcode - op::IFEQ);
    let asked = site.shared.asked.take().filter(|(pc, _)| *pc == instruction.pc);
    let (method, argument) = match instruction.opcode {
        _ if replace::tells_gap(site, call) => ("compared", relation),
        op::IFEQ | op::IFNE if asked.is_some() || replace::tells_flag(site, call) => {
            (if relation == 0 { "flageq" } else { "flagne" }, flags::number_of_call(site, call))
        }
        _ => return Ok(None),
    };
    let id = match asked {
        Some((_, id)) => id,
        None => site.targets(Family::Branch, [Detail::Then, Detail::Else])?,
    };
    let mut code = site.before(3);
    code.plain(&[op::DUP]);
    code.int(argument)?;
    code.id(id)?;
    code.call(method, INTEGERS).map(Some)
}

/// Whether this is a conditional jump that is measured, here or at the comparison in front of it.
pub(super) fn has_probe(method: &Method<'_, '_>, idx: usize, instruction: &Instruction<'_>) -> bool {
    instruction.is_conditional()
        && instruction.jump_target() != Some(instruction.next_pc())
        && !method.string_switches.is_part(instruction.pc)
        && !tests_assertions(method, idx)
        && !(takes_references(instruction) && may_be_uninitialised(method, idx))
}

/// Whether this jumps by an int's relation to 0.
pub(super) fn compares_with_zero(instruction: &Instruction<'_>) -> bool {
    (op::IFEQ..=op::IFLE).contains(&instruction.opcode)
}

fn probe(instruction: &Instruction<'_>) -> Option<Probe> {
    const NAMES: [&str; 6] = ["icmpeq", "icmpne", "icmplt", "icmpge", "icmpgt", "icmple"];
    let name = |first: u8| NAMES[usize::from(instruction.opcode - first)];
    let (doubling, method, descriptor): (&[u8], _, _) = match instruction.opcode {
        op::IFEQ..=op::IFLE => (&[op::DUP, op::ICONST_0], name(op::IFEQ), INTEGERS),
        op::IF_ICMPEQ..=op::IF_ICMPLE => (&[op::DUP2], name(op::IF_ICMPEQ), INTEGERS),
        op::IF_ACMPEQ => (&[op::DUP2], "acmpeq", REFERENCES),
        op::IF_ACMPNE => (&[op::DUP2], "acmpne", REFERENCES),
        op::IFNULL => (&[op::DUP, op::ACONST_NULL], "acmpeq", REFERENCES),
        op::IFNONNULL => (&[op::DUP, op::ACONST_NULL], "acmpne", REFERENCES),
        _ => return None,
    };
    Some(Probe { doubling, method, descriptor })
}

fn takes_references(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.opcode, op::IF_ACMPEQ | op::IF_ACMPNE | op::IFNULL | op::IFNONNULL)
}

/// Whether an operand may be an object whose constructor was not called: legal to compare, but not to pass on (JVMS 4.10.2.4).
///
/// No compiler was seen to write it. The sign is that the instruction which pushes an operand is `new`, `dup` of that, or in
/// a constructor `aload_0`; of the first operand of two this is seen where the second takes one instruction.
fn may_be_uninitialised(method: &Method<'_, '_>, idx: usize) -> bool {
    let n_operands = if matches!(method.instructions[idx].opcode, op::IFNULL | op::IFNONNULL) { 1 } else { 2 };
    (1..=n_operands).filter_map(|back| idx.checked_sub(back)).any(|at| pushes_uninitialised(method, at))
}

fn pushes_uninitialised(method: &Method<'_, '_>, at: usize) -> bool {
    let instruction = &method.instructions[at];
    match instruction.opcode {
        op::NEW => true,
        op::DUP => at.checked_sub(1).is_some_and(|at| method.instructions[at].opcode == op::NEW),
        _ => method.is_constructor && instruction.local() == Some((op::ALOAD, 0)),
    }
}

/// Whether the jump asks for `$assertionsDisabled`, which is the same for the whole run.
fn tests_assertions(method: &Method<'_, '_>, idx: usize) -> bool {
    let field = method.previous(idx).filter(|previous| previous.opcode == op::GETSTATIC);
    field.and_then(|field| method.member(field)).is_some_and(|member| member.name == b"$assertionsDisabled")
}
