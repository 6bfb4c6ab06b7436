//! What a run did not reach, and why, as lists: what `report.html` shows of the record.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer::distance;
use super::question::by_nearness;
use super::reason::Reason;
use super::record::{LeftOut, Record, TargetRecord};

/// Targets, at most; the nearest come first.
const MOST_TARGETS: usize = 1000;
/// Operations, at most.
const MOST_OPERATIONS: usize = 2000;
/// Hints, at most; those that arrived most often come first.
const MOST_HINTS: usize = 500;

/// What a run did not reach, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Shortfall {
    /// Whether what happened inside the service guided the search.
    pub is_guided: bool,
    /// Targets that the search came near to, or wanted for themselves, the nearest first.
    pub targets: Vec<OpenTarget>,
    /// How many more there are.
    pub more_targets: usize,
    /// Operations without success.
    pub operations: Vec<OpenOperation>,
    /// How many more there are.
    pub more_operations: usize,
    /// Classes of the service that are not measured, and why.
    pub unmeasured: BTreeMap<String, String>,
    /// What the service was seen to do with inputs.
    pub hints: Vec<SeenHint>,
    /// How many more there are.
    pub more_hints: usize,
    /// What the record of the run leaves out.
    pub left_out: LeftOut,
}

/// A target that was not reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenTarget {
    /// Its name.
    pub name: String,
    /// How near the search came, in [0, 1).
    pub closeness: f64,
    /// The same as a distance of a place in the code, in [0, ∞); none where nothing was measured.
    pub distance: Option<f64>,
    /// The operation that came closest, `VERB /path`.
    pub operation: Option<String>,
    /// Calls of the search when it came that close.
    pub since: u64,
    /// Why not closer, as sentences, the most telling first.
    pub reasons: Vec<String>,
}

/// An operation without success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenOperation {
    /// `VERB /path`.
    pub id: String,
    /// Why, as sentences.
    pub reasons: Vec<String>,
}

/// What the service was seen to do with values of an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeenHint {
    /// `VERB /path`.
    pub operation: String,
    /// The place of the input; empty for no input.
    pub place: String,
    /// What was done with the value.
    pub usage: String,
    /// The other operand, empty when there is none.
    pub operand: String,
    /// How often it arrived.
    pub arrived: u64,
    /// How often the input was given such a value.
    pub taken: u32,
    /// Why it was of no use.
    pub unused: Option<String>,
}

/// What the run of `record` did not reach, and why.
pub fn shortfall(record: &Record) -> Shortfall {
    let mut open: Vec<&TargetRecord> = record.targets.iter().filter(|it| Record::is_lacking(it)).collect();
    open.sort_by(|one, other| by_nearness(one, other));
    let more_targets = open.len().saturating_sub(MOST_TARGETS);
    let reasons = |idx: usize| (idx, sentences(&record.operation_reasons(idx)));
    let refused: Vec<_> = (0..record.operations.len()).map(reasons).filter(|(_, reasons)| !reasons.is_empty()).collect();
    let more_operations = refused.len().saturating_sub(MOST_OPERATIONS);
    let operation = |(idx, reasons): (usize, Vec<String>)| OpenOperation { id: record.operations[idx].id.clone(), reasons };
    let mut hints = hints(record);
    let more_hints = hints.len().saturating_sub(MOST_HINTS);
    hints.truncate(MOST_HINTS);
    Shortfall {
        is_guided: record.is_guided,
        targets: open.into_iter().take(MOST_TARGETS).map(|it| open_target(record, it)).collect(),
        more_targets,
        operations: refused.into_iter().take(MOST_OPERATIONS).map(operation).collect(),
        more_operations,
        unmeasured: record.unmeasured.clone(),
        hints,
        more_hints,
        left_out: record.left_out,
    }
}

fn open_target(record: &Record, target: &TargetRecord) -> OpenTarget {
    OpenTarget {
        name: target.name.clone(),
        closeness: target.closeness,
        distance: distance(target),
        operation: target.call.map(|call| record.operations[call.operation].id.clone()),
        since: target.since,
        reasons: sentences(&record.reasons(target)),
    }
}

fn sentences(reasons: &[Reason]) -> Vec<String> {
    reasons.iter().map(Reason::text).collect()
}

/// All hints, those that arrived most often first.
fn hints(record: &Record) -> Vec<SeenHint> {
    let of_inputs = record.inputs.iter().flat_map(|it| it.hints.iter().map(|hint| (it.operation, it.place.as_str(), hint)));
    let of_operations =
        record.operations.iter().enumerate().flat_map(|(idx, it)| it.hints.iter().map(move |hint| (idx, "", hint)));
    let seen = of_inputs.chain(of_operations).map(|(operation, place, hint)| SeenHint {
        operation: record.operations[operation].id.clone(),
        place: place.to_owned(),
        usage: hint.usage.clone(),
        operand: hint.operand.clone(),
        arrived: hint.arrived,
        taken: hint.taken,
        unused: hint.unused.clone(),
    });
    let mut hints: Vec<SeenHint> = seen.collect();
    // The order of the record decides between equals.
    hints.sort_by_key(|hint| std::cmp::Reverse(hint.arrived));
    hints
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::shortfall;

    #[test]
    fn what_is_open_is_told_with_its_reasons_the_nearest_first() {
        let shortfall = shortfall(&sample());
        assert!(!shortfall.targets.is_empty());
        assert!(shortfall.targets.iter().all(|it| it.closeness < 1.0 && !it.reasons.is_empty()), "{:#?}", shortfall.targets);
        let of_code: Vec<f64> = shortfall.targets.iter().filter(|it| it.distance.is_some()).map(|it| it.closeness).collect();
        assert!(of_code.is_sorted_by(|one, other| one >= other), "{of_code:?}");
        let operations: Vec<&str> = shortfall.operations.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(operations, ["POST /shop", "GET /till", "PUT /shop"]);
        assert!(shortfall.operations[0].reasons[0].contains("401 (500 times)"), "{:?}", shortfall.operations[0]);
    }

    #[test]
    fn hints_are_told_with_what_became_of_them_the_most_frequent_first() {
        let shortfall = shortfall(&sample());
        let first = &shortfall.hints[0];
        assert_eq!((first.operand.as_str(), first.arrived, first.taken), ("blue", 3, 12));
        assert!(shortfall.hints.iter().any(|it| it.unused.as_deref() == Some("the pattern cannot be translated")));
    }
}
