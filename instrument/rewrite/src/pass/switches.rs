//! Switches over numbers: each case and the default, with the distance of the key to each.
//!
//! Where the number only names something, such as the constant of an enum or the type that a pattern matched, every case
//! is equally far.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, Result, Switch, text};

use crate::method::Method;
use crate::probes::{Family, Site};
use crate::target::Detail;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let Some(switch) = instruction.switch().filter(|_| site.plan().switches) else { return Ok(()) };
    let mut keys = keys(switch);
    keys.sort_unstable();
    keys.dedup();
    let units = keys.iter().flat_map(|key| halves(*key));
    let is_part = site.method.string_switches.is_part(instruction.pc);
    // JVMS 4.4.7: a constant text has at most 65,535 bytes.
    if keys.is_empty() || is_part || text::encode(units.clone()).len() > 0xffff {
        return Ok(());
    }
    let method = if names_something(site.method, site.idx) { "choose" } else { "select" };
    let table = without_gap(&keys);
    let text = if table.is_some() { None } else { Some(site.pool.string(units)?) };
    let id = site.targets(Family::Switch, keys.iter().map(|key| Detail::Number(*key)).chain([Detail::Default]))?;
    let mut code = site.before(if table.is_some() { 4 } else { 3 });
    code.plain(&[op::DUP]);
    if let Some((first, n)) = table {
        code.int(first)?;
        code.int(n)?;
    }
    if let Some(index) = text {
        code.load(index);
    }
    code.id(id)?;
    code.call(method, if table.is_some() { "(IIII)V" } else { "(ILjava/lang/String;I)V" })
}

/// The first of ascending keys and their number, where each is one more than that in front of it.
fn without_gap(keys: &[i32]) -> Option<(i32, i32)> {
    let (first, last) = (keys.first()?, keys.last()?);
    let n = i32::try_from(keys.len()).ok()?;
    (last.checked_sub(*first)? == n - 1).then_some((*first, n))
}

/// The two chars of a key.
fn halves(key: i32) -> [u16; 2] {
    let [a, b, c, d] = key.to_be_bytes();
    [u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]
}

/// The keys that lead elsewhere than the default does; a table has entries for all numbers in between.
fn keys(switch: Switch<'_>) -> Vec<i32> {
    let default = switch.default_target();
    switch.targets().filter(|(_, target)| *target != default).map(|(key, _)| key).collect()
}

/// Whether the number is an ordinal, an entry of javac's `$SwitchMap`, or comes from a call site such as `typeSwitch`.
fn names_something(method: &Method<'_, '_>, idx: usize) -> bool {
    let is_ordinal = |instruction: &Instruction<'_>| {
        method.member(instruction).is_some_and(|member| member.name == b"ordinal" && member.descriptor == b"()I")
    };
    match method.previous(idx) {
        Some(previous) if previous.opcode == op::INVOKEDYNAMIC => true,
        Some(previous) if previous.opcode == op::IALOAD => method.previous(idx - 1).is_some_and(is_ordinal),
        Some(previous) => is_ordinal(previous),
        None => false,
    }
}
