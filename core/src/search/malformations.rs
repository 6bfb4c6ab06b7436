//! Which requests that are wrong on purpose are worth sending: what broke other operations, where it was not tried yet.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::{Action, ActionResult, CallViolation, Malformation, Outcome};
use crate::api::OperationIdx;

use super::SearchOdds;

/// Statuses from here on tell that the service broke.
const SERVER_ERROR: u16 = 500;

/// What came of the kinds of wrong requests.
#[derive(Debug, Clone, Default)]
pub struct Malformations {
    tallies: BTreeMap<Malformation, Tally>,
    /// Calls to paths that no operation has and that were not answered in time.
    astray_time_outs: i32,
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
