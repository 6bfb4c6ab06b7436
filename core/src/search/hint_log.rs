//! The hints of a run, each once with how often it arrived: kept for telling what became of them, never for the search.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::api::OperationIdx;
use crate::gene::Specialisation;

use super::hint::{Hint, Usage};
use super::impact::GeneKey;
use super::probe;

/// Hints that are kept apart, at most.
const MOST: usize = 20_000;
/// Characters that are kept of an operand: patterns may be huge.
const MOST_CHARACTERS: usize = 200;

/// A hint that arrived, and for whom.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoggedHint {
    /// The operation of the call whose value it was about, or that it came with.
    pub operation_idx: OperationIdx,
    /// The gene whose value it was about; none where no gene of the call had that value.
    pub gene: Option<GeneKey>,
    /// What was done with the value.
    pub usage: Usage,
    /// The other operand, cut when it is long.
    pub operand: String,
}

/// How often a hint arrived, and what it says.
#[derive(Debug, Clone)]
pub struct Logged {
    /// How often.
    pub arrived: u64,
    /// What it narrows a gene to; none where that is not known.
    pub specialisation: Option<Arc<Specialisation>>,
}

/// All hints that arrived.
#[derive(Debug, Clone, Default)]
pub struct HintLog {
    hints: BTreeMap<LoggedHint, Logged>,
    left_out: u64,
}

impl HintLog {
    /// Notes a hint of a call of `operation_idx` about the values of `genes`, which makes that of them. What a name is compared
    /// with that was sent to learn names is an input, and no value.
    pub(super) fn note(
        &mut self,
        hint: &Hint,
        operation_idx: OperationIdx,
        genes: impl Iterator<Item = GeneKey>,
        made: Option<&Arc<Specialisation>>,
    ) {
        if probe::is_in(&hint.tracked) {
            return;
        }
        let operand: String = hint.operand.chars().take(MOST_CHARACTERS).collect();
        let mut genes = genes.map(Some).peekable();
        let nobody = if genes.peek().is_none() { Some(None) } else { None };
        for gene in genes.chain(nobody) {
            let logged = LoggedHint { operation_idx, gene, usage: hint.usage, operand: operand.clone() };
            if let Some(known) = self.hints.get_mut(&logged) {
                known.arrived += 1;
            } else if self.hints.len() < MOST {
                self.hints.insert(logged, Logged { arrived: 1, specialisation: made.cloned() });
            } else {
                self.left_out += 1;
            }
        }
    }

    /// Each hint once, by operation, gene, usage and operand.
    pub fn hints(&self) -> impl Iterator<Item = (&LoggedHint, &Logged)> {
        self.hints.iter()
    }

    /// Arrivals of hints that are not kept because there were too many.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::{GeneKey, Hint, HintLog, MOST, MOST_CHARACTERS, OperationIdx, Usage};

    fn hint(operand: &str) -> Hint {
        Hint { tracked: "abc".to_owned(), usage: Usage::Equals, operand: operand.to_owned(), is_part: false }
    }

    #[test]
    fn a_hint_is_kept_once_for_each_gene_and_counted() {
        let gene = |key| GeneKey { operation_idx: OperationIdx(1), place: 0, key };
        let mut log = HintLog::default();
        for _ in 0..3 {
            log.note(&hint("x"), OperationIdx(1), [gene(1), gene(2)].into_iter(), None);
        }
        log.note(&hint("x"), OperationIdx(1), std::iter::empty(), None);
        let seen: Vec<_> = log.hints().map(|(hint, logged)| (hint.gene.map(|gene| gene.key), logged.arrived)).collect();
        assert_eq!(seen, [(None, 1), (Some(1), 3), (Some(2), 3)]);
    }

    #[test]
    fn hostile_services_do_not_make_it_large() {
        let mut log = HintLog::default();
        log.note(&hint(&"é".repeat(100_000)), OperationIdx(0), std::iter::empty(), None);
        assert_eq!(log.hints().next().map(|(hint, _)| hint.operand.chars().count()), Some(MOST_CHARACTERS));
        for number in 0..MOST + 5 {
            log.note(&hint(&number.to_string()), OperationIdx(0), std::iter::empty(), None);
        }
        assert_eq!((log.hints().count(), log.left_out()), (MOST, 6));
    }
}
