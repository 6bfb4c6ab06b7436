//! Measures calls of library methods: copies of the operands go to a hook in front of the call, its result to another behind it.
//!
//! `equal(text, other, id)` in front of `text.equals(other)` gives a distance, which waits in a local variable of its own
//! until the call is over: nothing jumps in between, so no frame has to know of it.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use super::calls;
use crate::method::Method;
use crate::probes::{Family, Site};
use crate::replacement::{self, Known, Operand, OutcomeKind, Receiver};
use crate::target::Detail;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let Some(known) = known(site, instruction).filter(|known| known.row.outcome != OutcomeKind::Return) else { return Ok(()) };
    let Some(member) = site.method.member(instruction) else { return Ok(()) };
    let callee = calls::callee(site, instruction, &member);
    let id = site.targets(Family::Replacement, [Detail::Holds(callee), Detail::Fails(callee)])?;
    hook(site, known, id)?;
    let Some((name, descriptor)) = behind(known.row.outcome) else {
        let mut code = site.before(2);
        code.id(id)?;
        code.call_around("stated", "(FI)V")?;
        restore(site, known);
        return Ok(());
    };
    let waiting = waiting(site, known);
    site.edit.need_locals(waiting + 1 - site.method.n_locals);
    site.before(0).local(op::FSTORE, waiting);
    restore(site, known);
    let mut code = site.after(3);
    code.plain(&[op::DUP]);
    code.local(op::FLOAD, waiting);
    code.id(id)?;
    code.call_around(name, descriptor)
}

/// Puts a hook in front of a call that is told of its return by the target with this id.
pub(super) fn in_front(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>, id: u32) -> Result<()> {
    match known(site, instruction).filter(|known| known.row.outcome == OutcomeKind::Return) {
        Some(known) => {
            hook(site, known, id)?;
            restore(site, known);
            Ok(())
        }
        None => Ok(()),
    }
}

/// The row of the method that is called here, when it is wanted.
fn known(site: &Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Option<&'static Known> {
    let known = of(site.method, instruction)?;
    let is_wanted = site.plan().replacements.contains(&known.row.family);
    (is_wanted && !site.method.string_switches.is_part(instruction.pc)).then_some(known)
}

/// The row of the method that is called here.
pub(super) fn of(method: &Method<'_, '_>, instruction: &Instruction<'_>) -> Option<&'static Known> {
    if !matches!(instruction.opcode, op::INVOKEVIRTUAL..=op::INVOKEINTERFACE) {
        return None;
    }
    let known = replacement::find(&method.member(instruction)?, instruction.opcode == op::INVOKESTATIC)?;
    // What a constructor is called on is no object yet.
    let is_constructor = known.row.receiver == Receiver::Constructor;
    (!is_constructor || instruction.opcode == op::INVOKESPECIAL).then_some(known)
}

/// The method behind the call; none where the hook says all.
fn behind(outcome: OutcomeKind) -> Option<(&'static str, &'static str)> {
    Some(match outcome {
        OutcomeKind::Truth => ("truth", "(IFI)V"),
        OutcomeKind::Presence => ("present", "(Ljava/lang/Object;FI)V"),
        OutcomeKind::Index => ("found", "(IFI)V"),
        OutcomeKind::Order => ("compared", "(IFI)V"),
        OutcomeKind::Matched => ("matched", "(IFI)V"),
        OutcomeKind::Unmatched => ("unmatched", "(IFI)V"),
        OutcomeKind::Stated | OutcomeKind::Return => return None,
    })
}

/// The local variable in which the distance waits: behind those for the operands.
fn waiting(site: &Site<'_, '_, '_, '_, '_, '_>, known: &Known) -> u16 {
    site.method.n_locals + n_words(known)
}

fn n_words(known: &Known) -> u16 {
    known.operands.iter().map(|operand| operand.words()).sum()
}

/// Calls the hook with copies of the operands and an id; [`restore`] puts those on the stack again that this takes away.
///
/// The first operand, on which a method is called, stays where it is: what the virtual machine says when it is null names the
/// expression that it came from.
fn hook(site: &mut Site<'_, '_, '_, '_, '_, '_>, known: &'static Known, id: u32) -> Result<()> {
    let n_words = n_words(known);
    let first = site.method.n_locals;
    let mut code = site.before(n_words + 1);
    match known.operands.as_slice() {
        [one, other] if one.words() + other.words() == 2 => code.plain(&[op::DUP2]),
        operands => {
            let mut local = first + n_words;
            for operand in operands.iter().skip(1).rev() {
                local -= operand.words();
                code.local(op::ISTORE + operand.order(), local);
            }
            let is_wide = operands.first().is_some_and(|operand| operand.words() == 2);
            code.plain(&[if is_wide { op::DUP2 } else { op::DUP }]);
        }
    }
    restore(site, known);
    let mut code = site.before(n_words + 1);
    code.id(id)?;
    code.call_around(known.row.hook, &known.hook_descriptor)?;
    site.edit.need_locals(n_words);
    Ok(())
}

/// Loads all operands but the first from where [`hook`] has put them.
fn restore(site: &mut Site<'_, '_, '_, '_, '_, '_>, known: &'static Known) {
    let mut local = site.method.n_locals + known.operands.first().map_or(0, |operand| operand.words());
    let is_on_stack = known.operands.len() == 2 && n_words(known) == 2;
    let mut code = site.before(0);
    for operand in known.operands.iter().skip(if is_on_stack { 2 } else { 1 }) {
        code.local(op::ILOAD + operand.order(), local);
        local += operand.words();
    }
}

/// Whether this calls a library method whose boolean comes with a distance.
pub(super) fn tells_flag(site: &Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> bool {
    let is_flag = |outcome| matches!(outcome, OutcomeKind::Truth | OutcomeKind::Matched | OutcomeKind::Unmatched);
    known(site, instruction).is_some_and(|known| is_flag(known.row.outcome))
}

/// Whether this calls a library method whose order comes with a distance.
pub(super) fn tells_gap(site: &Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> bool {
    known(site, instruction).is_some_and(|known| known.row.outcome == OutcomeKind::Order)
}

const _: () = assert!(Operand::Reference as u8 == 4 && op::ALOAD == op::ILOAD + 4 && op::ASTORE == op::ISTORE + 4);
