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

/// Two sides of a jump, the one that stays in the lower two bits: the one leads to true alone, the other to false alone.
const TRUE_OR_FALSE: u8 = 1 | 2 << 2;
const FALSE_OR_TRUE: u8 = 2 | 1 << 2;

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

/// Where a method that returns a boolean tells how far it was from the other value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Telling {
    /// Nowhere, for it knows nothing.
    Nowhere,
    /// At its only jump, which decides.
    AtJump,
    /// Where it returns, for it has no jumps.
    Relayed,
    /// Where it returns; its jumps note in this slot how far their other sides were.
    Noted(i32),
}

/// In a method that returns a boolean: its begin, its jumps, and what it returns.
pub(super) fn account(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if !site.plan().flags || site.method.leads.bits.is_empty() {
        return Ok(());
    }
    if site.idx == 0 {
        site.shared.telling = telling(site);
        if let Telling::Noted(slot) = site.shared.telling {
            let mut code = site.before(1);
            code.int(slot)?;
            code.call("enter", "(I)V")?;
        }
    }
    let is_return = instruction.opcode == op::IRETURN;
    let has_probe = || jumps::has_probe(site.method, site.idx, instruction);
    match site.shared.telling {
        Telling::AtJump if has_probe() => note(site, instruction, "tell", site.method.number),
        Telling::Relayed if is_return => relay(site),
        Telling::Noted(slot) if is_return => give(site, slot),
        Telling::Noted(slot) if has_probe() => note(site, instruction, "account", slot),
        _ => Ok(()),
    }
}

fn telling(site: &mut Site<'_, '_, '_, '_, '_, '_>) -> Telling {
    let method = site.method;
    if !method.instructions.iter().any(Instruction::is_conditional) {
        let passes = method.instructions.iter().any(|instruction| gives_boolean(method, instruction));
        return if passes { Telling::Relayed } else { Telling::Nowhere };
    }
    if is_decided_by_one_jump(site) {
        return Telling::AtJump;
    }
    site.shared.table.next_slot().map_or(Telling::Nowhere, Telling::Noted)
}

/// Whether the method has one jump, is executed from its begin to its end, and returns one constant on each side of the jump:
/// `return a == b`. A jump on what another method told is left out, for its own probe comes later and wants that.
fn is_decided_by_one_jump(site: &Site<'_, '_, '_, '_, '_, '_>) -> bool {
    let method = site.method;
    let instructions = &method.instructions;
    let mut conditionals = instructions.iter().enumerate().filter(|(_, instruction)| instruction.is_conditional());
    let (Some((idx, jump)), None) = (conditionals.next(), conditionals.next()) else { return false };
    let from = |pc: Option<usize>| pc.and_then(|pc| method.index_of(pc)).map_or(0, |idx| method.leads.bits[idx]);
    let sides = from(Some(jump.next_pc())) | from(jump.jump_target()) << 2;
    let is_straight = |instruction: &Instruction<'_>| {
        instruction.switch().is_none() && instruction.jump_target().is_none_or(|target| target > instruction.pc)
    };
    let is_of_call = method.previous(idx).is_some_and(|previous| number_of_call(site, previous) != NOBODY);
    matches!(sides, TRUE_OR_FALSE | FALSE_OR_TRUE)
        && !is_of_call
        && jumps::has_probe(method, idx, jump)
        && !method.has_handlers()
        && instructions.iter().all(is_straight)
        && !instructions[idx..].iter().any(Method::is_call)
}

fn relay(site: &mut Site<'_, '_, '_, '_, '_, '_>) -> Result<()> {
    let passed = passed(site);
    let number = site.method.number;
    let mut code = site.before(3);
    code.plain(&[op::DUP]);
    code.int(number)?;
    code.int(passed)?;
    code.call("relay", "(III)V")
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

/// In front of a jump: calls `probe` with its operands, the slot or number of the method, and what is known of the jump.
fn note(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>, probe: &'static str, whose: i32) -> Result<()> {
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
    code.int(whose)?;
    code.int(how)?;
    code.call(probe, if takes_numbers { "(IIII)V" } else { "(Ljava/lang/Object;Ljava/lang/Object;II)V" })
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
