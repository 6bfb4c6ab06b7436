//! Which requests that are wrong on purpose are worth sending: what broke other operations, where it was not tried yet.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::{Action, ActionResult, CallViolation, Malformation, Outcome};
use crate::api::{Api, OperationIdx};

use super::fill::malformations_of;
use super::sampler::with_creators;
use super::{Individual, Problem, SearchOdds, SearchState};

/// Statuses from here on tell that the service broke.
const SERVER_ERROR: u16 = 500;

/// Operations that a kind broke before it is sent to all others.
const MANY: usize = 2;

/// Of so many proposals one, at most, is of a kind that broke many.
const PACE: u32 = 8;

/// What came of the kinds of wrong requests.
#[derive(Debug, Clone, Default)]
pub struct Malformations {
    tallies: BTreeMap<Malformation, Tally>,
    /// Calls to paths that no operation has and that were not answered in time.
    astray_time_outs: i32,
    /// Proposals since the last one of a kind that broke many.
    n_others: u32,
}

/// A call of an operation with what broke most others; none where that is not due, or the call has no place for it.
pub fn malformed(problem: &Problem, state: &mut SearchState) -> Option<Individual> {
    let (malformation, operation_idx) = state.malformations.next(problem.api, &problem.operations)?;
    let mut individual = Individual { actions: with_creators(problem, state, operation_idx, problem.settings.max_test_size) };
    let last = individual.actions.last_mut()?;
    if last.operation_idx != operation_idx || !malformations_of(problem, last).contains(&malformation) {
        return None;
    }
    last.violation = Some(CallViolation::Request(malformation));
    state.repeats.note(problem.api, &individual);
    Some(individual)
}

/// Operations that were sent one kind.
#[derive(Debug, Clone, Default)]
struct Tally {
    tried: BTreeSet<OperationIdx>,
    broken: BTreeSet<OperationIdx>,
}

impl Malformations {
    /// Takes in what came of a call.
    pub fn note(&mut self, action: &Action, result: &ActionResult) {
        if action.leads_astray() && matches!(result.outcome, Outcome::TimedOut) {
            self.astray_time_outs = self.astray_time_outs.saturating_add(1);
        }
        let Some(malformation) = action.violation.as_ref().and_then(CallViolation::malformation) else { return };
        let tally = self.tallies.entry(malformation).or_default();
        tally.tried.insert(action.operation_idx);
        if result.status().is_some_and(|status| status >= SERVER_ERROR) {
            tally.broken.insert(action.operation_idx);
        }
    }

    /// The probability in [0, 1] with which paths that no operation has are among the candidates.
    pub fn p_astray(&self, odds: &SearchOdds) -> f64 {
        odds.unanswered.powi(self.astray_time_outs)
    }

    /// A kind that broke most of the operations that it was sent to, [`MANY`] at least, and one of `operations` that it was not
    /// sent to yet, which counts as sent to from then on; none where there is no such, or it is the turn of others.
    fn next(&mut self, api: &Api, operations: &[OperationIdx]) -> Option<(Malformation, OperationIdx)> {
        self.n_others = self.n_others.saturating_add(1);
        if self.n_others < PACE {
            return None;
        }
        let breaks_most = |tally: &Tally| tally.broken.len() >= MANY && 2 * tally.broken.len() > tally.tried.len();
        let (malformation, operation_idx) =
            self.tallies.iter().filter(|(_, tally)| breaks_most(tally)).find_map(|(kind, tally)| {
                let is_due = |idx: &&OperationIdx| !tally.tried.contains(idx) && kind.applies(api, **idx);
                operations.iter().find(is_due).map(|idx| (*kind, *idx))
            })?;
        self.tallies.entry(malformation).or_default().tried.insert(operation_idx);
        self.n_others = 0;
        Some((malformation, operation_idx))
    }

    /// For each of `candidates` the weight in [0, 1] with which it is drawn for `operation_idx`: of those that this operation
    /// was not sent yet the share of others that it broke, estimated from one more that broke and one that did not; zero for
    /// the rest. Where all were sent they weigh the same.
    pub fn weights(&self, candidates: &[Malformation], operation_idx: OperationIdx) -> Vec<f64> {
        let rate = |candidate: &Malformation| match self.tallies.get(candidate) {
            None => 0.5,
            Some(tally) if tally.tried.contains(&operation_idx) => 0.0,
            Some(tally) => tally.rate(),
        };
        let rates: Vec<f64> = candidates.iter().map(rate).collect();
        if rates.iter().all(|rate| *rate == 0.0) { vec![1.0; candidates.len()] } else { rates }
    }
}

impl Tally {
    /// The share of operations that break by it, as far as known, in (0, 1).
    #[expect(clippy::cast_precision_loss, reason = "numbers of operations are small")]
    fn rate(&self) -> f64 {
        (self.broken.len() as f64 + 1.0) / (self.tried.len() as f64 + 2.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::action::{Answer, OddPath, Request};
    use crate::api::Verb;

    use super::*;

    const CUT: Malformation = Malformation::CutBody;
    const REPEATED: Malformation = Malformation::RepeatedParameter;
    const ASTRAY: Malformation = Malformation::Path(OddPath::Extended);

    fn answered(status: u16) -> Outcome {
        Outcome::Answered(Answer { status, ..Answer::default() })
    }

    /// Has `malformations` note that a call of an operation with `malformation` came to `outcome`.
    fn note(malformations: &mut Malformations, operation: u32, malformation: Malformation, outcome: Outcome) {
        let operation_idx = OperationIdx(operation);
        let violation = Some(CallViolation::Request(malformation));
        let action = Action {
            operation_idx,
            parameters: Vec::new(),
            body: None,
            user: None,
            links: Vec::new(),
            violation,
            expanded: None,
        };
        let url = "/".to_owned();
        let request = Request { operation_idx, verb: Verb::Get, url, headers: Vec::new(), body: None, user: None };
        malformations.note(&action, &ActionResult { request, outcome, elapsed: Duration::ZERO });
    }

    #[test]
    fn what_broke_others_comes_first_and_what_was_sent_comes_last() {
        let mut malformations = Malformations::default();
        let weights = |malformations: &Malformations, operation: u32| {
            malformations.weights(&[CUT, REPEATED, ASTRAY], OperationIdx(operation))
        };
        assert_eq!(weights(&malformations, 0), [0.5; 3]);
        for operation in 0..8 {
            note(&mut malformations, operation, CUT, answered(500));
            note(&mut malformations, operation, REPEATED, answered(400));
        }
        assert_eq!(weights(&malformations, 9), [0.9, 0.1, 0.5]);
        assert_eq!(weights(&malformations, 0), [0.0, 0.0, 0.5]);
        note(&mut malformations, 0, ASTRAY, answered(404));
        assert_eq!(weights(&malformations, 0), [1.0; 3], "once more, then");
        note(&mut malformations, 0, CUT, answered(500));
        assert_eq!(weights(&malformations, 9), [0.9, 0.1, 1.0 / 3.0], "each operation counts once");
    }

    #[test]
    fn what_broke_most_operations_is_sent_to_all_at_its_pace() {
        let (api, operations) = (Api::default(), [0, 1, 2, 3, 4].map(OperationIdx));
        let mut malformations = Malformations::default();
        note(&mut malformations, 0, CUT, answered(500));
        for operation in 0..3 {
            note(&mut malformations, operation, REPEATED, answered(400));
        }
        let due = |malformations: &mut Malformations, proposals: u32| -> Vec<(Malformation, OperationIdx)> {
            (0..proposals).filter_map(|_| malformations.next(&api, &operations)).collect()
        };
        assert_eq!(due(&mut malformations, 3 * PACE), [], "one operation may be odd");
        note(&mut malformations, 2, CUT, answered(500));
        assert_eq!(due(&mut malformations, 1), [(CUT, OperationIdx(1))], "the first is due at once");
        assert_eq!(due(&mut malformations, PACE - 1), []);
        assert_eq!(due(&mut malformations, 1), [(CUT, OperationIdx(3))]);
        assert_eq!(due(&mut malformations, 3 * PACE), [], "it broke two of four by now");
    }

    #[test]
    fn paths_that_are_not_answered_become_rare() {
        let (odds, mut malformations) = (SearchOdds { unanswered: 0.5, ..SearchOdds::default() }, Malformations::default());
        let after = |(operation, malformation): (u32, Malformation)| {
            note(&mut malformations, operation, malformation, Outcome::TimedOut);
            malformations.p_astray(&odds)
        };
        let p_astray: Vec<f64> = [(0, CUT), (0, ASTRAY), (1, ASTRAY)].into_iter().map(after).collect();
        assert_eq!(p_astray, [1.0, 0.5, 0.25]);
    }
}
