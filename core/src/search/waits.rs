//! Operations that keep callers waiting: a call that gets no answer in time costs as long as thousands of others.
//!
//! After some of them an operation is held back until the run has made more calls; each further one doubles these. So it
//! is never lost, for it may hang by its values only, and what it costs in time grows with the logarithm of the calls. Where
//! it shows by which inputs it hangs ([`Hangs`]), calls with them are held back so, and others are made.
//! With a budget of time, what answers slowly is held back as well, see [`Costs`].

use std::collections::BTreeMap;

use crate::action::{Action, Outcome};
use crate::api::OperationIdx;

use super::costs::{Cost, Costs};
use super::hangs::{HangingInput, Hangs};
use super::{Budget, Evaluation, Individual, SearchSettings};

/// Calls that a run has made before an operation is called again that has just reached the limit.
const CALLS_TO_WAIT: u64 = 500;
/// Proposals in a row that were nothing but calls held back, after which one is made all the same: there may be nothing
/// else to call.
const MAX_HELD_BACK: usize = 50;

/// Why an operation was called seldom.
#[derive(Debug, Clone, PartialEq)]
pub enum HeldBack {
    /// That many calls of it got no answer in time.
    TimeOuts(usize),
    /// Calls of it with this input got none; others were made.
    Input(HangingInput),
    /// It took much more of the time than others.
    Slow(Cost),
}

/// What calls of operations made callers wait for.
#[derive(Debug, Clone)]
pub struct Waits {
    limit: usize,
    /// Calls without an answer in time, by operation.
    time_outs: BTreeMap<OperationIdx, usize>,
    hangs: Hangs,
    /// With a budget of time.
    costs: Option<Costs>,
    /// Proposals in a row that were nothing but calls held back.
    n_held_back: usize,
}

impl Waits {
    /// None so far.
    pub fn new(settings: &SearchSettings) -> Self {
        let is_timed = matches!(settings.budget, Budget::Time(_));
        Self {
            limit: settings.max_time_outs.max(1),
            time_outs: BTreeMap::new(),
            hangs: Hangs::default(),
            costs: is_timed.then(|| Costs::new(settings.odds.slow_operations)),
            n_held_back: 0,
        }
    }

    /// Takes in an evaluation.
    pub fn note(&mut self, evaluation: &Evaluation) {
        let Evaluation { individual, results, .. } = evaluation;
        // Where no operation is, none is to blame.
        let calls = individual.actions.iter().zip(results).filter(|(action, _)| !action.leads_astray());
        for (action, result) in calls.clone() {
            if matches!(result.outcome, Outcome::TimedOut) {
                *self.time_outs.entry(action.operation_idx).or_default() += 1;
            }
            self.hangs.note(action, &result.outcome);
        }
        if let Some(costs) = &mut self.costs {
            costs.note(calls.map(|(action, result)| (action.operation_idx, result.elapsed)));
        }
    }

    /// The operations that were held back, and why.
    pub fn held_back(&self) -> BTreeMap<OperationIdx, HeldBack> {
        let slow = self.costs.iter().flat_map(Costs::held_back).map(|(idx, cost)| (idx, HeldBack::Slow(cost)));
        let inputs = self.hangs.causes().filter(|(_, input)| input.time_outs >= self.limit);
        let inputs = inputs.map(|(idx, input)| (idx, HeldBack::Input(input)));
        let timed_out = self.time_outs.iter().filter(|(idx, _)| self.hangs.unexplained(**idx) >= self.limit);
        slow.chain(inputs).chain(timed_out.map(|(idx, times)| (*idx, HeldBack::TimeOuts(*times)))).collect()
    }

    /// Whether it is known by which inputs calls of an operation got no answer in time, of all but a few.
    pub(super) fn are_explained(&self, operation_idx: OperationIdx) -> bool {
        self.hangs.is_explained(operation_idx) && self.hangs.unexplained(operation_idx) < self.limit
    }

    /// Takes out of `individual` what a run that has made `calls` does not call now; says whether anything was.
    pub(super) fn hold_back(&mut self, individual: &mut Individual, calls: u64) -> bool {
        let is_slow = |action_idx, operation_idx| {
            let costs = self.costs.as_ref();
            // What others are made with is called for them, however long it takes.
            costs.is_some_and(|costs| costs.is_over(operation_idx)) && !individual.is_linked(action_idx)
        };
        let actions = individual.actions.iter().enumerate();
        let waiting = actions.filter(|(idx, action)| self.is_held_back(action, calls) || is_slow(*idx, action.operation_idx));
        let waiting: Vec<(usize, OperationIdx)> = waiting.map(|(idx, action)| (idx, action.operation_idx)).collect();
        if waiting.len() == individual.actions.len() {
            self.n_held_back = (self.n_held_back + 1) % MAX_HELD_BACK;
            if self.n_held_back == 0 {
                return false;
            }
        }
        for (action_idx, operation_idx) in waiting.iter().rev() {
            individual.remove(*action_idx);
            if let Some(costs) = &mut self.costs {
                costs.note_held_back(*operation_idx);
            }
        }
        !waiting.is_empty()
    }

    fn is_held_back(&self, action: &Action, calls: u64) -> bool {
        let times = self.hangs.unexplained(action.operation_idx).max(self.hangs.expected(action));
        let beyond = times.checked_sub(self.limit).and_then(|beyond| u32::try_from(beyond).ok());
        beyond.is_some_and(|beyond| calls < CALLS_TO_WAIT.saturating_mul(2_u64.saturating_pow(beyond)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::action::{Action, ActionResult, Answer, Link, LinkPlace, LinkSource, Request};
    use crate::api::{Schema, SchemaKind, Schemas, Verb};
    use crate::gene::Gene;
    use crate::search::{ExecutedCall, Execution, Verdict};

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

    fn waits(budget: Budget, max_time_outs: usize) -> Waits {
        Waits::new(&SearchSettings { max_time_outs, ..SearchSettings::new(budget, 1) })
    }

    /// An execution whose calls all got no answer in time.
    fn timed_out(operations: &[u32]) -> Evaluation {
        executed(operations.iter().map(|operation| (*operation, Outcome::TimedOut, Duration::ZERO)))
    }

    /// An execution whose calls were all answered, each after some milliseconds.
    fn answered(calls: &[(u32, u64)]) -> Evaluation {
        let answer = |took| (Outcome::Answered(Answer { status: 200, ..Answer::default() }), Duration::from_millis(took));
        executed(calls.iter().map(|(operation, took)| (*operation, answer(*took).0, answer(*took).1)))
    }

    fn executed(calls: impl Iterator<Item = (u32, Outcome, Duration)>) -> Evaluation {
        let call = |(operation, outcome, elapsed)| {
            let operation_idx = OperationIdx(operation);
            let url = "/".to_owned();
            let request = Request { operation_idx, verb: Verb::Get, url, headers: Vec::new(), body: None, user: None };
            let result = ActionResult { request, outcome, elapsed };
            ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None }
        };
        let calls: Vec<_> = calls.map(call).collect();
        let operations: Vec<u32> = calls.iter().map(|call| call.result.request.operation_idx.0).collect();
        let verdicts = calls.iter().map(|_| Verdict::default()).collect();
        Evaluation::new(Execution { individual: individual(&operations), calls, elapsed: Duration::ZERO }, verdicts)
    }

    /// The operations that are left of a test after `calls`.
    fn left(waits: &mut Waits, operations: &[u32], calls: u64) -> Vec<u32> {
        let mut individual = individual(operations);
        waits.hold_back(&mut individual, calls);
        individual.actions.iter().map(|action| action.operation_idx.0).collect()
    }

    #[test]
    fn an_operation_is_held_back_twice_as_long_with_each_time_out() {
        let mut waits = waits(Budget::Calls(1), 2);
        waits.note(&timed_out(&[1]));
        assert_eq!(left(&mut waits, &[0, 1, 2], 10), [0, 1, 2]);
        assert!(waits.held_back().is_empty());
        waits.note(&timed_out(&[1]));
        assert_eq!(left(&mut waits, &[0, 1, 2], CALLS_TO_WAIT - 1), [0, 2]);
        assert_eq!(left(&mut waits, &[0, 1, 2], CALLS_TO_WAIT), [0, 1, 2]);
        waits.note(&timed_out(&[1]));
        assert_eq!(left(&mut waits, &[1, 2], 2 * CALLS_TO_WAIT - 1), [2]);
        assert_eq!(left(&mut waits, &[1, 2], 2 * CALLS_TO_WAIT), [1, 2]);
        assert_eq!(waits.held_back(), [(OperationIdx(1), HeldBack::TimeOuts(3))].into());
    }

    #[test]
    fn calls_that_hang_by_an_input_are_held_back_without_their_operation() {
        let mut schemas = Schemas::default();
        let schema = schemas.push(Schema::new(SchemaKind::Boolean));
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let mut test = individual(&[1, 1]);
        test.actions[0].parameters.push(Gene::from_schema(&schemas, schema, &settings.gene_limits));
        let mut waits = waits(settings.budget, 2);
        for _ in 0..2 {
            let outcomes = [Outcome::TimedOut, Outcome::Answered(Answer::default())];
            let executed = executed(outcomes.into_iter().map(|outcome| (1, outcome, Duration::ZERO)));
            waits.note(&Evaluation { individual: test.clone(), ..executed });
        }
        assert!(waits.hold_back(&mut test, CALLS_TO_WAIT - 1));
        assert_eq!(test.actions.iter().map(|action| action.parameters.len()).collect::<Vec<_>>(), [0]);
        assert!(matches!(waits.held_back().get(&OperationIdx(1)), Some(HeldBack::Input(HangingInput { time_outs: 2, .. }))));
    }

    #[test]
    fn what_is_slow_is_held_back_where_time_is_the_budget() {
        let calls = [(0, 1), (1, 1), (2, 500), (3, 1), (4, 1)];
        for (budget, expected) in [(Budget::Calls(1000), vec![0, 2]), (Budget::Time(Duration::from_mins(1)), vec![0])] {
            let mut waits = waits(budget, 3);
            waits.note(&answered(&calls));
            assert_eq!(left(&mut waits, &[0, 2], 1), expected);
            let cost = Cost { calls: 1, time: Duration::from_millis(500) };
            let held_back = (expected.len() == 1).then_some((OperationIdx(2), HeldBack::Slow(cost)));
            assert_eq!(waits.held_back(), held_back.into_iter().collect());
        }
    }

    #[test]
    fn a_single_call_without_an_answer_is_slow_as_well() {
        let mut waits = waits(Budget::Time(Duration::from_mins(1)), 3);
        waits.note(&answered(&[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]));
        let silent = [(2, Outcome::TimedOut, Duration::from_secs(10))];
        waits.note(&executed(silent.clone().into_iter()));
        assert_eq!(left(&mut waits, &[0, 2], 1), [0]);
        assert!(matches!(waits.held_back().get(&OperationIdx(2)), Some(HeldBack::Slow(_))));
        for _ in 1..3 {
            waits.note(&executed(silent.clone().into_iter()));
        }
        assert_eq!(waits.held_back(), [(OperationIdx(2), HeldBack::TimeOuts(3))].into());
    }

    #[test]
    fn what_others_are_made_with_is_called_for_them() {
        let mut waits = waits(Budget::Time(Duration::from_mins(1)), 3);
        waits.note(&answered(&[(0, 1), (1, 1), (2, 500), (3, 1), (4, 1)]));
        let mut individual = individual(&[2, 0, 2]);
        let (place, source) = (LinkPlace::Parameter(0), LinkSource::LocationSegment);
        individual.actions[1].links.push(Link { place, from_action: 0, source });
        assert!(waits.hold_back(&mut individual, 1));
        let operations: Vec<u32> = individual.actions.iter().map(|action| action.operation_idx.0).collect();
        assert_eq!(operations, [2, 0]);
    }

    #[test]
    fn what_there_is_nothing_else_to_call_than_is_called_now_and_then() {
        let mut waits = waits(Budget::Calls(1), 1);
        waits.note(&timed_out(&[0]));
        let called: Vec<bool> = (0..2 * MAX_HELD_BACK).map(|_| !left(&mut waits, &[0], 1).is_empty()).collect();
        assert_eq!(called.iter().filter(|is_called| **is_called).count(), 2);
        assert!(called[MAX_HELD_BACK - 1] && called[2 * MAX_HELD_BACK - 1]);
    }
}
