//! How many tests there is time for, where they get in each other's way.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::Duration;

use crate::search::TestGroup;

use super::{Candidate, Verification, doubt};

/// Executions of each test that those of a first round and a long one come to after the first pass.
const WANTED: u32 = 11;
/// Starts of the service among them.
const STARTS: u32 = 4;
/// One in so many tests, at least, falls in the first pass where there are many that others get in the way of.
const FALLING: usize = 20;
/// So many tests are always verified.
const LEAST: usize = 40;

impl Verification<'_, '_> {
    /// After the first pass, of `n_executed` tests, of which `n_fallen` fell: leaves out those that there is no time to execute
    /// often enough. What stays is first of all faults that no request shows which is wrong as such, then other faults, then
    /// tests that stand for most.
    pub(super) fn make_room(&mut self, n_executed: usize, n_fallen: usize) {
        let n_max = self.n_affordable(n_executed);
        if !self.lives.is_wanted || n_fallen * FALLING < n_executed || self.candidates.len() <= n_max {
            return;
        }
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by_key(|idx| rank(&self.candidates[*idx]));
        let kept: BTreeSet<usize> = order.into_iter().take(n_max).collect();
        for (idx, candidate) in std::mem::take(&mut self.candidates).into_iter().enumerate() {
            let place = if kept.contains(&idx) { &mut self.candidates } else { &mut self.unproven };
            place.push(candidate);
        }
        doubt(&mut self.unproven.iter().map(Candidate::proof), &mut self.candidates);
    }

    /// How many tests can be executed as often as wanted in the time that is left, after a pass of `n_executed`; those that
    /// wait in vain are executed less often.
    fn n_affordable(&self, n_executed: usize) -> usize {
        let Some(until) = self.until() else { return usize::MAX };
        let left = until.saturating_sub(self.evaluator.elapsed());
        // Where starts take longer than that there are fewer of them.
        let starts = self.evaluator.renewal_time().unwrap_or_default() * STARTS;
        let left = left.saturating_sub(starts.min(left / 2));
        let one = self.answering.max(Duration::from_micros(1)) / u32::try_from(n_executed.max(1)).unwrap_or(u32::MAX);
        let n = left.as_nanos() / (one * WANTED).as_nanos().max(1);
        usize::try_from(n).unwrap_or(usize::MAX).max(LEAST)
    }
}

/// Lower is kept first: what a request shows that is wrong as such is most often of one cause in the framework, and many
/// tests are needed for it.
fn rank(candidate: &Candidate) -> (bool, bool, Reverse<usize>) {
    let violation = candidate.individual().actions.last().and_then(|action| action.violation.as_ref());
    let is_wrong_as_such = violation.is_some_and(|violation| violation.malformation().is_some());
    (candidate.group() != TestGroup::Faults, is_wrong_as_such, Reverse(candidate.targets().len()))
}
