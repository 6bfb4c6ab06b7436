//! Evaluated individuals, as the archive and the climbs keep them.

use crate::action::ActionResult;

use super::{Evaluation, Individual, TargetId};

/// Bytes of an answer's body that are kept.
const MAX_KEPT_BODY: usize = 8 * 1024;

/// An evaluated individual as the archive keeps it.
#[derive(Debug)]
pub struct Kept {
    /// Its genes.
    pub individual: Individual,
    /// What its calls gave, with shortened bodies; kept only when it covered something that wanted it.
    pub results: Vec<ActionResult>,
    /// Closeness in (0, 1] per reached target, ordered by id.
    pub closeness: Vec<(TargetId, f64)>,
    /// For each of those the position of the call that came closest first.
    pub(super) closest_calls: Vec<u16>,
    /// Positions in the list of findings that it showed.
    pub findings: Vec<usize>,
    /// Whether the service ended while it was executed.
    pub is_fatal: bool,
    /// Whether one of its calls got no answer in time, or the service ended: executing it again costs a lot.
    pub is_costly: bool,
    /// Sum of all closeness: how much it does besides a single target.
    pub(super) sum: f64,
}

impl Kept {
    /// What is kept of `evaluation`.
    pub fn new(evaluation: Evaluation) -> Self {
        let is_fatal = !evaluation.deaths.is_empty();
        let is_costly = is_fatal || evaluation.timed_out();
        let sum = evaluation.closeness.iter().map(|(_, closeness)| closeness).sum();
        let Evaluation { individual, results, closeness, closest_calls, findings, .. } = evaluation;
        Self { individual, results, closeness, closest_calls, findings, is_fatal, is_costly, sum }
    }

    /// The same with shortened answers where it `stands` for a covered target, else without.
    pub(super) fn shortened(mut self, stands: bool) -> Self {
        if stands {
            for result in &mut self.results {
                result.shorten(MAX_KEPT_BODY);
            }
        } else {
            self.results = Vec::new();
        }
        self
    }

    /// Closeness to `target`, 0 when it was not reached.
    pub fn closeness_to(&self, target: TargetId) -> f64 {
        self.closeness.binary_search_by_key(&target, |(id, _)| *id).map_or(0.0, |idx| self.closeness[idx].1)
    }

    /// Distance to `target`, 0 when it is covered, infinite when it was not reached: what closeness was made of.
    pub fn distance_to(&self, target: TargetId) -> f64 {
        1.0 / self.closeness_to(target) - 1.0
    }

    /// The position of the call that came closest to `target` first; none when it was not reached.
    pub fn closest_call(&self, target: TargetId) -> Option<usize> {
        let idx = self.closeness.binary_search_by_key(&target, |(id, _)| *id).ok()?;
        self.closest_calls.get(idx).map(|call| usize::from(*call))
    }

    /// The individual up to the call that came closest to `target`: those after it do nothing for it.
    pub fn up_to_closest(&self, target: TargetId) -> Individual {
        let last = self.closest_call(target).map_or(self.size(), |call| call + 1);
        let actions = self.individual.actions.iter().take(last).cloned().collect();
        Individual { actions }
    }

    /// Whether the call that covers `target` takes something from the answer of an earlier one: then the test does not
    /// hang on what others left in the service.
    pub(super) fn is_linked_to(&self, target: TargetId) -> bool {
        let call = self.closest_call(target);
        call.and_then(|call| self.individual.actions.get(call)).is_some_and(|action| !action.links.is_empty())
    }

    /// Calls.
    pub(super) fn size(&self) -> usize {
        self.individual.actions.len()
    }
}
