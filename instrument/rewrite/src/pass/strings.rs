//! Switches over strings, which compilers turn into a switch over hash codes and comparisons.
//!
//! javac: `aload t; hashCode; lookupswitch`, at each case `aload t; ldc "a"; equals; ifeq …; <n>; istore i`, and a second
//! switch over `i`. The Eclipse compiler and Kotlin leave the second one out and jump on `ifne`. What matters are the
//! strings: the probe stands at `hashCode`, and the other parts get none.

use std::collections::{BTreeMap, BTreeSet};

use restive_classfile::opcode::op;
use restive_classfile::{Constant, Instruction, Result, text};

use super::track;
use crate::method::Method;
use crate::probes::{Family, Site};
use crate::target::Detail;

/// The string switches of a method.
#[derive(Debug, Default)]
pub(crate) struct StringSwitches {
    /// The strings of the cases, in UTF-16 units, by the position of `hashCode`.
    cases: BTreeMap<usize, Vec<Vec<u16>>>,
    /// Positions of the instructions that a switch consists of.
    parts: BTreeSet<usize>,
}

impl StringSwitches {
    /// Whether the instruction here belongs to a switch over strings.
    pub fn is_part(&self, pc: usize) -> bool {
        self.parts.contains(&pc)
    }
}

/// How many characters of a case stand in the name of its target.
const MAX_NAME: usize = 60;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let method = site.method;
    let Some(cases) = method.string_switches.cases.get(&instruction.pc).filter(|_| site.plan().switches) else {
        return Ok(());
    };
    let units = cases.iter().flat_map(|case| length(case).into_iter().chain(case.iter().copied()));
    if text::encode(units.clone()).len() > 0xffff {
        return Ok(());
    }
    let index = site.pool.string(units)?;
    let mut details = Vec::with_capacity(cases.len() + 1);
    for (idx, case) in cases.iter().enumerate() {
        details.push(Detail::Text(site.shared.table.symbol(&name(case, idx))));
    }
    details.push(Detail::Default);
    let id = site.targets(Family::Switch, details)?;
    let mut code = site.before(3);
    code.plain(&[op::DUP]);
    code.load(index);
    code.id(id)?;
    code.call("text", "(Ljava/lang/String;Ljava/lang/String;I)V")?;
    if site.plan().tracking { track::cases(site, index) } else { Ok(()) }
}

fn length(case: &[u16]) -> Option<u16> {
    u16::try_from(case.len()).ok()
}

fn name(case: &[u16], idx: usize) -> String {
    let text = String::from_utf16_lossy(case);
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{:?}#{idx}", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Finds the string switches of a method.
pub(crate) fn find(method: &Method<'_, '_>) -> StringSwitches {
    let mut found = StringSwitches::default();
    for (idx, instruction) in method.instructions.iter().enumerate() {
        if instruction.opcode == op::INVOKEVIRTUAL && method.calls(instruction, "java/lang/String", "hashCode", "()I") {
            find_at(method, idx, &mut found);
        }
    }
    found
}

fn find_at(method: &Method<'_, '_>, idx: usize, found: &mut StringSwitches) -> Option<()> {
    let next = method.next(idx)?;
    let switch = next.switch()?;
    let mut cases =
        Cases { method, texts: Vec::new(), parts: BTreeSet::from([method.instructions[idx].pc, next.pc]), number: None };
    for (_, target) in switch.targets().filter(|(_, target)| *target != switch.default_target()) {
        cases.follow(target)?;
    }
    if cases.texts.is_empty() {
        return None;
    }
    cases.find_second_switch(idx + 2);
    found.cases.insert(method.instructions[idx].pc, cases.texts);
    found.parts.append(&mut cases.parts);
    Some(())
}

struct Cases<'m, 'a, 'c> {
    method: &'m Method<'a, 'c>,
    texts: Vec<Vec<u16>>,
    parts: BTreeSet<usize>,
    /// The local variable that takes the number of the case.
    number: Option<u16>,
}

impl<'a> Cases<'_, 'a, '_> {
    /// Follows the comparisons that begin at a position; none when the first is not as expected.
    fn follow(&mut self, pc: usize) -> Option<()> {
        let mut at = self.method.index_of(pc)?;
        let mut n_found = 0;
        while let Some((text, equals, jump)) = self.comparison(at) {
            // A chain that leads back to itself is no compiler's.
            if !self.parts.insert(jump.pc) {
                break;
            }
            self.parts.insert(equals);
            self.texts.push(text);
            n_found += 1;
            let next = if jump.opcode == op::IFEQ {
                self.note_number(at + 4);
                jump.jump_target()?
            } else {
                jump.next_pc()
            };
            let Some(next) = self.method.index_of(next) else { break };
            at = next;
        }
        (n_found > 0).then_some(())
    }

    /// `aload; ldc; String.equals; ifeq or ifne` from an index on: the string, the position of the call and the jump.
    fn comparison(&self, at: usize) -> Option<(Vec<u16>, usize, Instruction<'a>)> {
        let [load, constant, equals, jump] = self.method.instructions.get(at..at + 4)? else { return None };
        let is_load = matches!(load.local(), Some((op::ALOAD, _)));
        let is_equals = self.method.calls(equals, "java/lang/String", "equals", "(Ljava/lang/Object;)Z");
        let is_jump = matches!(jump.opcode, op::IFEQ | op::IFNE);
        let index = constant.constant().filter(|_| is_load && is_equals && is_jump)?;
        let Ok(Constant::String(text)) = self.method.pool.constant(index) else { return None };
        Some((text::units(self.method.pool.utf8(text).ok()?), equals.pc, *jump))
    }

    /// Notes the local of `<n>; istore i`.
    fn note_number(&mut self, at: usize) {
        if let Some([number, store]) = self.method.instructions.get(at..at + 2)
            && let (Some(_), Some((op::ISTORE, local))) = (number.immediate(), store.local())
        {
            self.number = Some(local);
        }
    }

    /// Finds `iload i; tableswitch` behind the comparisons.
    fn find_second_switch(&mut self, from: usize) {
        let Some(local) = self.number else { return };
        for pair in self.method.instructions[from.min(self.method.instructions.len())..].windows(2) {
            if pair[1].switch().is_some() && pair[0].local() == Some((op::ILOAD, local)) {
                self.parts.insert(pair[1].pc);
                return;
            }
        }
    }
}
