//! Accesses of arrays: how far an index was from being one of the array.
//!
//! `element(array, index, id)` in front of the access sees all that decides whether it throws, so nothing stands behind it:
//! `returns` is covered when the index is one, `throws` when it is not.
//!
//! Left out is what cannot throw: the elements that `{1, 2, 3}` stores, those that a loop over all elements loads, and the
//! table of a switch over an enum. So is what a local variable selects that the method counts up, as `numbers[i]` in a
//! loop: hardly any input shows in it, and there is little else in the hottest loops.

use std::collections::BTreeSet;

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result};

use crate::method::Method;
use crate::probes::{Family, Site};
use crate::replacement::ReplacementFamily;
use crate::target::Detail;

/// Which accesses of a method get no probe, by index of the instruction.
#[derive(Debug, Default)]
pub(crate) struct SafeAccesses {
    /// Ascending.
    idxs: Vec<usize>,
}

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let Some(descriptor) = hook_descriptor(instruction.opcode) else { return Ok(()) };
    let is_wanted = site.plan().calls && site.plan().replacements.contains(&ReplacementFamily::Collection);
    if !is_wanted || site.method.safe_accesses.idxs.binary_search(&site.idx).is_ok() {
        return Ok(());
    }
    let stored = stored(instruction.opcode);
    let label = site.shared.table.symbol(if stored.is_some() { "[]=" } else { "[]" });
    let id = site.targets(Family::Index, [Detail::Returns(label), Detail::Throws(label)])?;
    let value = site.method.n_locals;
    let mut code = site.before(3);
    if let Some((store, _)) = stored {
        code.local(store, value);
    }
    code.plain(&[op::DUP2]);
    code.id(id)?;
    code.call_around("element", descriptor)?;
    if let Some((_, load)) = stored {
        code.local(load, value);
        site.edit.need_locals(2);
    }
    Ok(())
}

/// The descriptor of the hook in front of this access; none for what is none.
fn hook_descriptor(opcode: u8) -> Option<&'static str> {
    Some(match opcode {
        op::IALOAD | op::IASTORE => "([III)V",
        op::LALOAD | op::LASTORE => "([JII)V",
        op::FALOAD | op::FASTORE => "([FII)V",
        op::DALOAD | op::DASTORE => "([DII)V",
        op::AALOAD | op::AASTORE => "([Ljava/lang/Object;II)V",
        // Bytes or booleans.
        op::BALOAD | op::BASTORE => "(Ljava/lang/Object;II)V",
        op::CALOAD | op::CASTORE => "([CII)V",
        op::SALOAD | op::SASTORE => "([SII)V",
        _ => return None,
    })
}

/// How the value that is stored waits in a local variable; none where one is loaded.
fn stored(opcode: u8) -> Option<(u8, u8)> {
    Some(match opcode {
        op::LASTORE => (op::LSTORE, op::LLOAD),
        op::FASTORE => (op::FSTORE, op::FLOAD),
        op::DASTORE => (op::DSTORE, op::DLOAD),
        op::AASTORE => (op::ASTORE, op::ALOAD),
        op::IASTORE | op::BASTORE | op::CASTORE | op::SASTORE => (op::ISTORE, op::ILOAD),
        _ => return None,
    })
}

fn is_load(opcode: u8) -> bool {
    matches!(opcode, op::IALOAD..=op::SALOAD)
}

fn is_store(opcode: u8) -> bool {
    matches!(opcode, op::IASTORE..=op::SASTORE)
}

/// Finds the accesses that cannot throw, or hardly for what an input contains.
pub(crate) fn safe_accesses(method: &Method<'_, '_>) -> SafeAccesses {
    let mut idxs = Vec::new();
    // How many elements of new arrays are being computed, one inside the other.
    let mut n_open = 0_u32;
    let mut is_new = false;
    let counters = counters(method);
    let is_counted = |idx: usize| method.previous(idx).is_some_and(|index| is_counter(index, &counters));
    for (idx, instruction) in method.instructions.iter().enumerate() {
        let opcode = instruction.opcode;
        let was_new = std::mem::take(&mut is_new);
        if matches!(opcode, op::NEWARRAY | op::ANEWARRAY) {
            is_new = true;
        } else if opcode == op::DUP && was_new && method.instructions.get(idx + 1).is_some_and(is_number) {
            n_open += 1;
        } else if is_store(opcode) && n_open > 0 {
            n_open -= 1;
            // What follows may be the next element.
            is_new = true;
            idxs.push(idx);
        } else if is_load(opcode) && (is_counted(idx) || is_of_each(method, idx) || is_of_enum_switch(method, idx)) {
            idxs.push(idx);
        }
    }
    SafeAccesses { idxs }
}

/// The local variables that the method counts up or down.
fn counters(method: &Method<'_, '_>) -> BTreeSet<u16> {
    let locals = method.instructions.iter().filter_map(Instruction::local);
    locals.filter(|(opcode, _)| *opcode == op::IINC).map(|(_, local)| local).collect()
}

fn is_counter(instruction: &Instruction<'_>, counters: &BTreeSet<u16>) -> bool {
    instruction.local().is_some_and(|(opcode, local)| opcode == op::ILOAD && counters.contains(&local))
}

fn is_number(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.opcode, op::ICONST_0..=op::ICONST_5 | op::BIPUSH | op::SIPUSH | op::LDC | op::LDC_W)
}

/// Whether this loads the element of a loop over all: `iload i; iload length; if_icmpge …; aload array; iload i`, where
/// javac keeps the three in variables of its own that lie beside each other.
fn is_of_each(method: &Method<'_, '_>, idx: usize) -> bool {
    let Some(before) = idx.checked_sub(5).and_then(|first| method.instructions.get(first..idx)) else { return false };
    let local = |at: usize, opcode: u8| before[at].local().filter(|(kind, _)| *kind == opcode).map(|(_, local)| local);
    let Some(array) = local(3, op::ALOAD) else { return false };
    before[2].opcode == op::IF_ICMPGE
        && local(1, op::ILOAD) == Some(array.wrapping_add(1))
        && [0, 4].iter().all(|at| local(*at, op::ILOAD) == Some(array.wrapping_add(2)))
}

/// Whether this looks up the case of an enum, in a table that a compiler made.
fn is_of_enum_switch(method: &Method<'_, '_>, idx: usize) -> bool {
    let previous = method.previous(idx).and_then(|previous| method.member(previous));
    let is_ordinal = previous.is_some_and(|member| member.name == b"ordinal" && member.descriptor == b"()I");
    is_ordinal && method.next(idx).is_some_and(|next| next.switch().is_some())
}
