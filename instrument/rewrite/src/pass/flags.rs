//! Booleans that methods return: how far each was from the other value (`search.md` 8.5).
//!
//! A jump on the boolean of a call asks in front of it. While somebody asks, a method that returns a boolean notes for each
//! jump how far its other side was, if that side may lead to the other value; the nearest of these goes with the value that
//! it returns, and the jump that asked is as far from its own other side. So `&&`, `||`, `!`, early returns and chains of
//! methods give the gradient of what they consist of.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use super::{compare, jumps, replace};
use crate::hash;
use crate::method::Method;
use crate::probes::{Family, Site};
use crate::target::Detail;

/// What `give` and `account` of the runtime class take instead of the number of a method.
const NOBODY: i32 = 0;
const LIBRARY: i32 = 1;
const ANYBODY: i32 = 2;

/// Bits of what `account` takes as its last argument.
const STAYS: i32 = 3;
const JUMPS: i32 = 5;
const OF_CALL: i32 = 128;
const OF_GAP: i32 = 256;
const CALL_SHIFT: i32 = 9;

/// What a method that returns a boolean may return from each of its instructions on: bit 0 true, bit 1 false.
#[derive(Debug, Default)]
pub(crate) struct Leads {
    bits: Vec<u8>,
}

const BOTH: u8 = 3;

/// Asks in front of a call whose boolean the next instruction jumps on.
pub(super) fn ask(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if !site.plan().flags || !gives_boolean(site.method, instruction) || replace::tells_flag(site, instruction) {
        return Ok(());
    }
    let Some(jump) = site.method.next(site.idx).filter(|next| is_on_boolean(next)) else { return Ok(()) };
    if !site.plan().jumps || !jumps::has_probe(site.method, site.idx + 1, jump) {
        return Ok(());
    }
    // The targets belong to the jump, which may begin a line.
    site.idx += 1;
    let id = site.targets(Family::Branch, [Detail::Then, Detail::Else]);
    site.idx -= 1;
    let id = id?;
    site.shared.asked = Some((jump.pc, id));
    let mut code = site.before(1);
    code.id(id)?;
    code.call("ask", "(I)V")
}

/// In a method that returns a boolean: its begin, its jumps, and what it returns.
pub(super) fn account(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if !site.plan().flags || site.method.leads.bits.is_empty() {
        return Ok(());
    }
    if site.idx == 0 {
        site.shared.slot = if tells(site.method) { site.shared.table.next_slot() } else { None };
    }
    let Some(slot) = site.shared.slot else { return Ok(()) };
    if site.idx == 0 {
        let mut code = site.before(1);
        code.int(slot)?;
        code.call("enter", "(I)V")?;
    }
    if instruction.opcode == op::IRETURN {
        return give(site, slot);
    }
    if jumps::has_probe(site.method, site.idx, instruction) { note(site, instruction, slot) } else { Ok(()) }
}

/// Whether anything in this method may tell how far its boolean is from the other value.
fn tells(method: &Method<'_, '_>) -> bool {
    method.instructions.iter().any(|instruction| instruction.is_conditional() || gives_boolean(method, instruction))
}

fn give(site: &mut Site<'_, '_, '_, '_, '_, '_>, slot: i32) -> Result<()> {
    let passed = passed(site);
    let number = site.method.number;
    let mut code = site.before(4);
    code.plain(&[op::DUP]);
    code.int(slot)?;
    code.int(number)?;
    code.int(passed)?;
    code.call("give", "(IIII)V")
}

/// The number of the call whose boolean is returned as it is; [`ANYBODY`] where it may be one of several.
fn passed(site: &Site<'_, '_, '_, '_, '_, '_>) -> i32 {
    let method = site.method;
    if let Some(previous) = method.previous(site.idx) {
        return number_of_call(site, previous);
    }
    let end = method.instructions[site.idx].pc;
    let ends = |next: &Instruction<'_>| next.pc == end || next.opcode == op::GOTO && next.jump_target() == Some(end);
    let pairs = method.instructions.windows(2);
    let is_call = |pair: &[Instruction<'_>]| ends(&pair[1]) && number_of_call(site, &pair[0]) != NOBODY;
    if pairs.into_iter().any(is_call) { ANYBODY } else { NOBODY }
}

fn note(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>, slot: i32) -> Result<()> {
    let method = site.method;
    let leads = |pc: Option<usize>| pc.and_then(|pc| method.index_of(pc)).map_or(0, |idx| i32::from(method.leads.bits[idx]));
    let how = leads(Some(instruction.next_pc())) << STAYS | leads(instruction.jump_target()) << JUMPS;
    let (doubling, relation): (&[u8], _) = match instruction.opcode {
        op::IFEQ..=op::IFLE => (&[op::DUP, op::ICONST_0], instruction.opcode - op::IFEQ),
        op::IF_ICMPEQ..=op::IF_ICMPLE => (&[op::DUP2], instruction.opcode - op::IF_ICMPEQ),
        op::IF_ACMPEQ | op::IF_ACMPNE => (&[op::DUP2], instruction.opcode - op::IF_ACMPEQ),
        _ => (&[op::DUP, op::ACONST_NULL], instruction.opcode - op::IFNULL),
    };
    let takes_numbers = (op::IFEQ..=op::IF_ICMPLE).contains(&instruction.opcode);
    let how = how | i32::from(relation) | operand(site, instruction);
    let mut code = site.before(4);
    code.plain(doubling);
    code.int(slot)?;
    code.int(how)?;
    code.call("account", if takes_numbers { "(IIII)V" } else { "(Ljava/lang/Object;Ljava/lang/Object;II)V" })
}

/// What is known of where the operand of a jump comes from.
fn operand(site: &Site<'_, '_, '_, '_, '_, '_>, jump: &Instruction<'_>) -> i32 {
    let Some(previous) = site.method.previous(site.idx).filter(|_| jumps::compares_with_zero(jump)) else { return 0 };
    if compare::is_fused(site.method, site.idx, jump) || replace::tells_gap(site, previous) {
        return OF_GAP;
    }
    match number_of_call(site, previous) {
        NOBODY => 0,
        number if is_on_boolean(jump) => OF_CALL | number << CALL_SHIFT,
        _ => 0,
    }
}

/// The number by which the boolean of this call is known; [`NOBODY`] when it is none.
pub(super) fn number_of_call(site: &Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> i32 {
    if !gives_boolean(site.method, instruction) {
        return NOBODY;
    }
    if replace::tells_flag(site, instruction) {
        return LIBRARY;
    }
    match site.method.member(instruction) {
        // Behind these stands a method of any name.
        Some(member) if member.class.starts_with(b"java/util/function/") => ANYBODY,
        Some(member) => number(member.name, member.descriptor),
        None => NOBODY,
    }
}

fn gives_boolean(method: &Method<'_, '_>, instruction: &Instruction<'_>) -> bool {
    let is_call = matches!(instruction.opcode, op::INVOKEVIRTUAL..=op::INVOKEINTERFACE);
    is_call && method.member(instruction).is_some_and(|member| member.descriptor.ends_with(b")Z"))
}

fn is_on_boolean(jump: &Instruction<'_>) -> bool {
    matches!(jump.opcode, op::IFEQ | op::IFNE)
}

/// The number of all methods of this name and descriptor, of 22 bits, never one of those with a meaning of their own.
pub(crate) fn number(name: &[u8], descriptor: &[u8]) -> i32 {
    let hash = hash::of(&[name, descriptor]);
    // 22 bits fit.
    i32::try_from(hash & 0x3f_ffff | 0x40_0000).unwrap_or(NOBODY)
}

/// What each instruction of a method that returns a boolean may lead to.
pub(crate) fn leads(method: &Method<'_, '_>) -> Leads {
    let mut leads = Leads { bits: vec![0; method.instructions.len()] };
    let mut changed = true;
    while changed {
        changed = false;
        for idx in (0..method.instructions.len()).rev() {
            let bits = from(method, idx, &leads.bits);
            changed |= bits != leads.bits[idx];
            leads.bits[idx] = bits;
        }
    }
    leads
}

fn from(method: &Method<'_, '_>, idx: usize, known: &[u8]) -> u8 {
    let instruction = &method.instructions[idx];
    if let Some(value) = constant(method, idx) {
        return value;
    }
    let at = |pc: usize| method.index_of(pc).map_or(0, |idx| known[idx]);
    let mut bits = if instruction.opcode == op::IRETURN { BOTH } else { 0 };
    bits |= instruction.jump_target().map_or(0, at);
    if let Some(switch) = instruction.switch() {
        bits |= at(switch.default_target());
        bits |= switch.targets().fold(0, |bits, (_, target)| bits | at(target));
    }
    if instruction.falls_through() { bits | at(instruction.next_pc()) } else { bits }
}

/// The bit of the constant that is pushed here and returned at once.
fn constant(method: &Method<'_, '_>, idx: usize) -> Option<u8> {
    let bit = match method.instructions[idx].opcode {
        op::ICONST_1 => 1,
        op::ICONST_0 => 2,
        _ => return None,
    };
    let next = method.instructions.get(idx + 1)?;
    let end = if next.opcode == op::GOTO { &method.instructions[method.index_of(next.jump_target()?)?] } else { next };
    (end.opcode == op::IRETURN).then_some(bit)
}

#[cfg(test)]
mod tests {
    use super::{ANYBODY, LIBRARY, NOBODY, number};

    #[test]
    fn numbers_are_told_from_those_with_a_meaning() {
        assert_eq!(number(b"equals", b"(Ljava/lang/Object;)Z"), 7_127_406, "`Calls.EQUALS` in instrument/java");
        for name in [&b"test"[..], b"isValid", b"a"] {
            assert!(![NOBODY, LIBRARY, ANYBODY].contains(&number(name, b"()Z")));
            assert!(number(name, b"()Z") < 1 << 23, "it has to fit beside other bits");
        }
    }
}
