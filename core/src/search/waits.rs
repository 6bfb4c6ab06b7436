//! Operations that keep callers waiting: a call that gets no answer in time costs as long as thousands of others.
//!
//! After some of them an operation is held back until the run has made more calls; each further one doubles these. So it
//! is never lost, for it may hang by its values only, and what it costs in time grows with the logarithm of the calls.

use std::collections::BTreeMap;

use crate::action::Outcome;
use crate::api::OperationIdx;

use super::{Evaluation, Individual};

/// Calls that a run has made before an operation is called again that has just reached the limit.
const CALLS_TO_WAIT: u64 = 500;
/// Proposals in a row that were nothing but calls held back, after which one is made all the same: there may be nothing
/// else to call.
const MAX_HELD_BACK: usize = 50;

/// Calls without an answer in time, by operation.
#[derive(Debug, Clone)]
pub struct Waits {
    limit: usize,
    time_outs: BTreeMap<OperationIdx, usize>,
    /// Proposals in a row that were nothing but calls held back.
    n_held_back: usize,
}

impl Waits {
    /// None so far; an operation is held back from the time-out on that is number `limit`.
    pub fn new(limit: usize) -> Self {
        Self { limit: limit.max(1), time_outs: BTreeMap::new(), n_held_back: 0 }
    }

    /// Takes in an evaluation.
    pub fn note(&mut self, evaluation: &Evaluation) {
        for (action, result) in evaluation.individual.actions.iter().zip(&evaluation.results) {
            // Where no operation is, none is to blame.
            if matches!(result.outcome, Outcome::TimedOut) && !action.leads_astray() {
                *self.time_outs.entry(result.request.operation_idx).or_default() += 1;
            }
        }
    }

    /// The operations that were held back, each with its time-outs.
    pub fn held_back(&self) -> BTreeMap<OperationIdx, usize> {
        self.time_outs.iter().filter(|(_, times)| **times >= self.limit).map(|(idx, times)| (*idx, *times)).collect()
    }

    /// Takes out of `individual` what a run that has made `calls` does not call now; says whether anything was.
    pub(super) fn hold_back(&mut self, individual: &mut Individual, calls: u64) -> bool {
        let waits = |operation_idx: OperationIdx| self.is_held_back(operation_idx, calls);
        let n_waiting = individual.actions.iter().filter(|action| waits(action.operation_idx)).count();
        if n_waiting == individual.actions.len() {
            self.n_held_back = (self.n_held_back + 1) % MAX_HELD_BACK;
            if self.n_held_back == 0 {
                return false;
            }
        }
        for action_idx in (0..individual.actions.len()).rev() {
            if self.is_held_back(individual.actions[action_idx].operation_idx, calls) {
                individual.remove(action_idx);
            }
        }
        n_waiting > 0
    }

    fn is_held_back(&self, operation_idx: OperationIdx, calls: u64) -> bool {
        let beyond = self.time_outs.get(&operation_idx).and_then(|times| times.checked_sub(self.limit));
        let Some(beyond) = beyond.and_then(|beyond| u32::try_from(beyond).ok()) else { return false };
        calls < CALLS_TO_WAIT.saturating_mul(2_u64.saturating_pow(beyond))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::action::{Action, ActionResult, Request};
    use crate::api::Verb;
    use crate::search::ExecutedCall;
    use crate::search::Execution;

    fn individual(operations: &[u32]) -> Individual {
        let action = |operation: &u32| Action {
            operation_idx: OperationIdx(*operation),
            parameters: Vec::new(),
            body: None,
            user: None,
            links: Vec::new(),
            violation: None,
            expanded: None,
        };
        Individual { actions: operations.iter().map(action).collect() }
    }

    /// An execution whose calls all got no answer in time.
    fn timed_out(operations: &[u32]) -> Evaluation {
        let call = |operation: &u32| {
            let operation_idx = OperationIdx(*operation);
            let url = "/".to_owned();
            let request = Request { operation_idx, verb: Verb::Get, url, headers: Vec::new(), body: None, user: None };
            let result = ActionResult { request, outcome: Outcome::TimedOut, elapsed: Duration::ZERO };
            ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None }
        };
        let calls: Vec<_> = operations.iter().map(call).collect();
        let verdicts = calls.iter().map(|_| crate::search::Verdict::default()).collect();
        Evaluation::new(Execution { individual: individual(operations), calls, elapsed: Duration::ZERO }, verdicts)
    }

    /// The operations that are left of a test after `calls`.
    fn left(waits: &mut Waits, operations: &[u32], calls: u64) -> Vec<u32> {
        let mut individual = individual(operations);
        waits.hold_back(&mut individual, calls);
        individual.actions.iter().map(|action| action.operation_idx.0).collect()
    }

    #[test]
    fn an_operation_is_held_back_twice_as_long_with_each_time_out() {
        let mut waits = Waits::new(2);
        waits.note(&timed_out(&[1]));
        assert_eq!(left(&mut waits, &[0, 1, 2], 10), [0, 1, 2]);
        assert!(waits.held_back().is_empty());
        waits.note(&timed_out(&[1]));
        assert_eq!(left(&mut waits, &[0, 1, 2], CALLS_TO_WAIT - 1), [0, 2]);
        assert_eq!(left(&mut waits, &[0, 1, 2], CALLS_TO_WAIT), [0, 1, 2]);
        waits.note(&timed_out(&[1]));
        assert_eq!(left(&mut waits, &[1, 2], 2 * CALLS_TO_WAIT - 1), [2]);
        assert_eq!(left(&mut waits, &[1, 2], 2 * CALLS_TO_WAIT), [1, 2]);
        assert_eq!(waits.held_back(), [(OperationIdx(1), 3)].into());
    }

    #[test]
    fn what_there_is_nothing_else_to_call_than_is_called_now_and_then() {
        let mut waits = Waits::new(1);
        waits.note(&timed_out(&[0]));
        let called: Vec<bool> = (0..2 * MAX_HELD_BACK).map(|_| !left(&mut waits, &[0], 1).is_empty()).collect();
        assert_eq!(called.iter().filter(|is_called| **is_called).count(), 2);
        assert!(called[MAX_HELD_BACK - 1] && called[2 * MAX_HELD_BACK - 1]);
    }
}
