//! Operations that end the service: how often each did, and which are therefore not called any more.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::action::{Outcome, Request};
use crate::api::OperationIdx;

use super::{Evaluation, Individual};

/// How the service ended, and what is to blame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Death {
    /// How, as a fragment: `with exit status 3`.
    pub how: String,
    /// The operation that is charged with it: not always that of the call during which the end showed.
    pub culprit: OperationIdx,
    /// What speaks against it.
    pub proof: Proof,
}

/// What speaks against the operation that is charged with a death.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proof {
    /// These requests ended the service again.
    Shown(Vec<Request>),
    /// What was called lately was called again, and the service lived.
    NotShown,
    /// Nothing was called again.
    Untried,
}

/// How long a service lives on after a call that ends it and was answered, at most.
pub const AFTERMATH: Duration = Duration::from_secs(3);

/// The ends of the service, by the operation charged with them.
#[derive(Debug, Clone)]
pub struct Deaths {
    limit: usize,
    by_culprit: BTreeMap<OperationIdx, usize>,
    calls: BTreeMap<OperationIdx, usize>,
    given_up: BTreeSet<OperationIdx>,
    /// Operations that ended the service after their answer, so that others may have been called meanwhile, or they
    /// themselves: which of their calls did it nobody knows.
    late: BTreeSet<OperationIdx>,
    /// How many of the calls of each operation came so shortly before the service ended by it, one of each end left out.
    unsure: BTreeMap<OperationIdx, usize>,
    recent: Recent,
}

/// The latest calls of a service since it was started.
#[derive(Debug, Clone, Default)]
struct Recent {
    /// Time that all calls have taken.
    clock: Duration,
    /// For each operation its calls that ended not longer ago than [`AFTERMATH`].
    calls: BTreeMap<OperationIdx, VecDeque<RecentCall>>,
}

/// A call that ended lately.
#[derive(Debug, Clone, Copy)]
struct RecentCall {
    end: Duration,
    /// Hash of what was sent.
    sent: u64,
}

impl Recent {
    /// Notes a call of an operation that took `elapsed` and sent what has the hash `sent`.
    fn note(&mut self, operation_idx: OperationIdx, elapsed: Duration, sent: u64) {
        self.clock += elapsed;
        let calls = self.calls.entry(operation_idx).or_default();
        calls.push_back(RecentCall { end: self.clock, sent });
        while calls.front().is_some_and(|call| call.end + AFTERMATH < self.clock) {
            calls.pop_front();
        }
    }

    fn of(&self, operation_idx: OperationIdx) -> impl Iterator<Item = &RecentCall> {
        let calls = self.calls.get(&operation_idx).into_iter().flatten();
        calls.filter(|call| call.end + AFTERMATH >= self.clock)
    }

    /// Whether the last call of an operation sent what an earlier one did.
    fn repeats(&self, operation_idx: OperationIdx) -> bool {
        let mut calls: Vec<u64> = self.of(operation_idx).map(|call| call.sent).collect();
        calls.pop().is_some_and(|last| calls.contains(&last))
    }
}

/// The same in every run.
fn hash_of(request: &Request) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&request.url, &request.body).hash(&mut hasher);
    hasher.finish()
}

impl Deaths {
    /// None so far; an operation that is charged with `limit` of them is given up.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            by_culprit: BTreeMap::new(),
            calls: BTreeMap::new(),
            given_up: BTreeSet::new(),
            late: BTreeSet::new(),
            unsure: BTreeMap::new(),
            recent: Recent::default(),
        }
    }

    /// Takes in an evaluation; says which operation is given up because of it: none that hung and of which it is known by which
    /// inputs it does, as `is_explained` says, for calls with them are held back.
    pub fn note(&mut self, evaluation: &Evaluation, is_explained: impl Fn(OperationIdx) -> bool) -> Option<OperationIdx> {
        let has_hung = evaluation.results.last().is_some_and(|result| matches!(result.outcome, Outcome::TimedOut));
        for result in &evaluation.results {
            *self.calls.entry(result.request.operation_idx).or_default() += 1;
            // What got no answer may have waited for a service that had ended before.
            let is_vain = !evaluation.deaths.is_empty() && result.answer().is_none();
            let elapsed = if is_vain { Duration::ZERO } else { result.elapsed };
            self.recent.note(result.request.operation_idx, elapsed, hash_of(&result.request));
        }
        let mut newly = None;
        for culprit in &evaluation.deaths {
            let is_broken_off = evaluation.results.last().is_some_and(|result| {
                result.request.operation_idx == *culprit && !matches!(result.outcome, Outcome::Answered(_))
            });
            // What was answered before is not what breaks off by its values: an earlier call may have ended the service.
            if !is_broken_off || self.recent.repeats(*culprit) {
                self.late.insert(*culprit);
            }
            *self.unsure.entry(*culprit).or_default() += self.recent.of(*culprit).count().saturating_sub(1);
            let deaths = self.by_culprit.entry(*culprit).or_default();
            *deaths += 1;
            let is_spared = has_hung && is_explained(*culprit);
            if *deaths >= self.limit && !is_spared && self.given_up.insert(*culprit) {
                newly = Some(*culprit);
            }
        }
        if !evaluation.deaths.is_empty() {
            self.recent = Recent::default();
        }
        newly
    }

    /// Whether `operation_idx` is not called any more.
    pub fn has_given_up(&self, operation_idx: OperationIdx) -> bool {
        self.given_up.contains(&operation_idx)
    }

    /// The operations that are not called any more, each with the number of deaths it is charged with.
    pub fn given_up(&self) -> BTreeMap<OperationIdx, usize> {
        self.given_up.iter().map(|idx| (*idx, self.by_culprit.get(idx).copied().unwrap_or_default())).collect()
    }

    /// Whether calls of `operation_idx` end the service as a rule and not by their values, so that no test can make one:
    /// every other one did, of those of which it is known.
    pub fn is_deadly(&self, operation_idx: OperationIdx) -> bool {
        let of = |counts: &BTreeMap<OperationIdx, usize>| counts.get(&operation_idx).copied().unwrap_or_default();
        let unsure = if self.late.contains(&operation_idx) { of(&self.unsure) } else { 0 };
        let deaths = of(&self.by_culprit);
        deaths > 0 && deaths * 2 >= of(&self.calls).saturating_sub(unsure)
    }

    /// Takes out of `individual` what is not called any more; says whether anything was.
    pub(super) fn leave_out(&self, individual: &mut Individual) -> bool {
        remove_where(individual, |operation_idx| self.has_given_up(operation_idx))
    }

    /// Takes out of `individual` what ends the service as a rule; says whether anything was.
    pub(super) fn leave_out_deadly(&self, individual: &mut Individual) -> bool {
        remove_where(individual, |operation_idx| self.is_deadly(operation_idx))
    }
}

fn remove_where(individual: &mut Individual, is_unwanted: impl Fn(OperationIdx) -> bool) -> bool {
    let before = individual.actions.len();
    for action_idx in (0..before).rev() {
        if is_unwanted(individual.actions[action_idx].operation_idx) {
            individual.remove(action_idx);
        }
    }
    individual.actions.len() < before
}

#[cfg(test)]
mod tests {
    use crate::action::{ActionResult, Answer};
    use crate::api::Verb;
    use crate::search::Execution;

    use super::*;

    const STOP: OperationIdx = OperationIdx(1);

    fn outcome(is_answered: bool) -> Outcome {
        if is_answered { Outcome::Answered(Answer::default()) } else { Outcome::Disconnected("closed".to_owned()) }
    }

    /// An evaluation of calls of these operations, each of which took so many milliseconds and was answered or broken off.
    fn evaluation(calls: &[(OperationIdx, u64, bool)], deaths: &[OperationIdx]) -> Evaluation {
        let result = |(operation_idx, millis, is_answered): &(OperationIdx, u64, bool)| {
            let (operation_idx, url) = (*operation_idx, "/".to_owned());
            let request = Request { operation_idx, verb: Verb::Get, url, headers: Vec::new(), body: None, user: None };
            ActionResult { request, outcome: outcome(*is_answered), elapsed: Duration::from_millis(*millis) }
        };
        let nothing = Execution { individual: Individual { actions: Vec::new() }, calls: Vec::new(), elapsed: Duration::ZERO };
        let results = calls.iter().map(result).collect();
        Evaluation { results, deaths: deaths.to_vec(), ..Evaluation::new(nothing, Vec::new()) }
    }

    fn deaths(evaluations: &[Evaluation]) -> Deaths {
        let mut deaths = Deaths::new(3);
        for evaluation in evaluations {
            deaths.note(evaluation, |_| false);
        }
        deaths
    }

    #[test]
    fn calls_just_before_a_late_death_speak_for_nothing() {
        let other = OperationIdx(0);
        // It ends the service 100 ms after its answer: so long it may be called again and again.
        let meanwhile: Vec<_> = (0..30).flat_map(|_| [(STOP, 1, true), (other, 2, true)]).collect();
        let lives = [evaluation(&meanwhile, &[]), evaluation(&[(other, 1, false)], &[STOP])];
        assert!(deaths(&lives).is_deadly(STOP));
        assert!(!deaths(&lives).is_deadly(other));
        // How long nobody answered then tells nothing of how long it had lived on.
        assert!(deaths(&[evaluation(&meanwhile, &[]), evaluation(&[(other, 10_000, false)], &[STOP])]).is_deadly(STOP));
        // That one of its deaths shows in its own call tells nothing else.
        let ends = [&lives[..], &[evaluation(&meanwhile, &[]), evaluation(&[(STOP, 1, false)], &[STOP])]].concat();
        assert!(deaths(&ends).is_deadly(STOP));
    }

    #[test]
    fn a_late_death_may_show_each_time_in_the_same_call_made_again() {
        let life =
            || evaluation(&[(STOP, 1, true), (STOP, 1, true), (STOP, 1, true), (STOP, 1, true), (STOP, 1, false)], &[STOP]);
        assert!(deaths(&[life(), life(), life()]).is_deadly(STOP));
    }

    #[test]
    fn what_the_service_outlived_long_ago_or_in_another_life_counts() {
        let long_ago = evaluation(&[(STOP, 1, true), (STOP, 1, true), (OperationIdx(0), 4_000, true)], &[]);
        assert!(!deaths(&[long_ago, evaluation(&[(STOP, 1, true), (OperationIdx(0), 1, false)], &[STOP])]).is_deadly(STOP));
        let before = [
            evaluation(&[(STOP, 1, true), (STOP, 1, true)], &[]),
            evaluation(&[(OperationIdx(0), 1, false)], &[OperationIdx(0)]),
        ];
        let after = evaluation(&[(STOP, 1, true), (OperationIdx(0), 1, false)], &[STOP]);
        assert!(!deaths(&[&before[..], &[after]].concat()).is_deadly(STOP));
    }

    #[test]
    fn an_operation_is_not_given_up_for_inputs_by_which_it_hangs() {
        let hung = |outcome: &Outcome| {
            let mut evaluation = evaluation(&[(STOP, 1, false)], &[STOP]);
            evaluation.results[0].outcome = outcome.clone();
            evaluation
        };
        let given_up = |outcome: Outcome, is_explained: bool| {
            let mut deaths = Deaths::new(3);
            (0..3).filter_map(|_| deaths.note(&hung(&outcome), |_| is_explained)).count()
        };
        assert_eq!(given_up(Outcome::TimedOut, true), 0);
        assert_eq!(given_up(Outcome::TimedOut, false), 1);
        assert_eq!(given_up(Outcome::Disconnected("closed".to_owned()), true), 1, "it ended by itself");
    }

    #[test]
    fn who_breaks_off_by_its_values_has_outlived_its_other_calls() {
        let mut values = evaluation(&[(STOP, 1, true), (STOP, 1, true), (STOP, 1, false)], &[STOP]);
        for (idx, result) in values.results.iter_mut().enumerate() {
            result.request.url = format!("/{idx}");
        }
        assert!(!deaths(&[values]).is_deadly(STOP));
        assert!(deaths(&[evaluation(&[(STOP, 1, false)], &[STOP])]).is_deadly(STOP));
    }
}
