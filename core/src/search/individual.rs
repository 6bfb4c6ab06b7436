//! A test case under evolution, and what its evaluation gave.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::action::{Action, ActionResult, Link, Outcome};
use crate::api::{Api, OperationIdx};

use super::{Death, Feedback, Hint, ReadInput, TargetId};

/// Ordered calls with their genes.
#[derive(Debug, Clone, Default)]
pub struct Individual {
    /// The calls, first to last.
    pub actions: Vec<Action>,
}

impl Individual {
    /// Whether one of its calls is of `operation_idx`.
    pub fn calls(&self, operation_idx: OperationIdx) -> bool {
        self.actions.iter().any(|action| action.operation_idx == operation_idx)
    }

    /// Takes out the action at `action_idx` with the links that used it; later links move along.
    pub fn remove(&mut self, action_idx: usize) {
        self.actions.remove(action_idx);
        for action in &mut self.actions[action_idx..] {
            action.links.retain(|link| link.from_action != action_idx);
            for link in &mut action.links {
                if link.from_action > action_idx {
                    link.from_action -= 1;
                }
            }
        }
    }

    /// Takes out the links that found nothing in `results`, so that the own value was sent.
    pub fn remove_dead_links(&mut self, results: &[ActionResult]) {
        let is_alive = |link: &Link| results.get(link.from_action).is_none_or(|earlier| link.resolve(earlier).is_some());
        self.actions.iter_mut().for_each(|action| action.links.retain(is_alive));
    }

    /// Whether a later action takes something from the answer of the action at `action_idx`.
    pub fn is_linked(&self, action_idx: usize) -> bool {
        let later = self.actions.iter().skip(action_idx + 1);
        later.flat_map(|action| &action.links).any(|link| link.from_action == action_idx)
    }

    /// Takes out the calls before the last one, but for that at `kept`, that only look (RFC 9110, 9.2.1) and that no other takes
    /// a value from: nothing is expected to depend on them. The position of the one that was kept.
    pub fn remove_looks(&mut self, api: &Api, mut kept: usize) -> usize {
        for idx in (0..self.actions.len().saturating_sub(1)).rev() {
            let is_look = api.operation(self.actions[idx].operation_idx).verb.is_safe();
            if is_look && !self.is_linked(idx) && idx != kept {
                self.remove(idx);
                kept -= usize::from(idx < kept);
            }
        }
        kept
    }

    /// Puts `actions` before position `action_idx`; their links must count from 0 at the first of them.
    pub fn insert(&mut self, action_idx: usize, actions: Vec<Action>) {
        let n_new = actions.len();
        for action in &mut self.actions[action_idx..] {
            for link in &mut action.links {
                if link.from_action >= action_idx {
                    link.from_action += n_new;
                }
            }
        }
        let moved = actions.into_iter().map(|mut action| {
            for link in &mut action.links {
                link.from_action += action_idx;
            }
            action
        });
        self.actions.splice(action_idx..action_idx, moved);
    }

    /// Exchanges two actions; links that would then point forward are dropped.
    pub fn swap(&mut self, one: usize, other: usize) {
        self.actions.swap(one, other);
        for (action_idx, action) in self.actions.iter_mut().enumerate() {
            for link in &mut action.links {
                if link.from_action == one {
                    link.from_action = other;
                } else if link.from_action == other {
                    link.from_action = one;
                }
            }
            action.links.retain(|link| link.from_action < action_idx);
        }
    }
}

/// An individual with what its calls gave, before anybody judged it.
#[derive(Debug, Clone)]
pub struct Execution {
    /// What was executed.
    pub individual: Individual,
    /// One per action that was sent, in order; shorter than the actions when the run broke off.
    pub calls: Vec<ExecutedCall>,
    /// Time spent.
    pub elapsed: Duration,
}

/// A call that was sent.
#[derive(Debug, Clone)]
pub struct ExecutedCall {
    /// What it gave.
    pub result: ActionResult,
    /// Positions of its links that found a value.
    pub links: Vec<usize>,
    /// How the service ended, when that showed during this call.
    pub sut_death: Option<Death>,
    /// What it did inside the service, when a driver tells.
    pub feedback: Option<Feedback>,
}

/// What a call is worth.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Closeness in (0, 1] per reached target, 1 = covered; in any order.
    pub closeness: Vec<(TargetId, f64)>,
    /// Positions in the list of findings that it showed.
    pub findings: Vec<usize>,
}

/// An individual with its outcomes and its closeness to targets.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// What was evaluated.
    pub individual: Individual,
    /// One result per action that was sent, in order; shorter than the actions when the run broke off.
    pub results: Vec<ActionResult>,
    /// Closeness in (0, 1] per reached target, ordered by id, 1 = covered; unreached targets are left out.
    pub closeness: Vec<(TargetId, f64)>,
    /// For each of those the position of the call that came closest first.
    pub closest_calls: Vec<u16>,
    /// Positions in the list of findings that it showed, ordered.
    pub findings: Vec<usize>,
    /// For each end of the service that showed, the operation charged with it.
    pub deaths: Vec<OperationIdx>,
    /// What the service did with tracked values, with the position of the call.
    pub hints: Vec<(usize, Hint)>,
    /// Inputs that the service read, with the position of the call.
    pub inputs: Vec<(usize, ReadInput)>,
    /// Time spent.
    pub elapsed: Duration,
}

impl Evaluation {
    /// What `execution` is worth by the verdicts on its calls: for each target the best.
    pub fn new(execution: Execution, verdicts: Vec<Verdict>) -> Self {
        let Execution { individual, calls, elapsed } = execution;
        let (mut reached, mut findings) = (Vec::new(), BTreeSet::new());
        for (idx, verdict) in verdicts.into_iter().enumerate() {
            let call = u16::try_from(idx).unwrap_or(u16::MAX);
            reached.extend(verdict.closeness.into_iter().map(|(target, closeness)| (target, closeness, call)));
            findings.extend(verdict.findings);
        }
        // With a driver there are thousands: sorting a list is much faster than filling a map.
        reached.sort_unstable_by(|(one, nearer, first): &(TargetId, f64, u16), (other, farther, second)| {
            one.cmp(other).then_with(|| farther.total_cmp(nearer)).then_with(|| first.cmp(second))
        });
        reached.dedup_by_key(|(target, ..)| *target);
        let closest_calls = reached.iter().map(|(_, _, call)| *call).collect();
        let closeness = reached.into_iter().map(|(target, closeness, _)| (target, closeness)).collect();
        let deaths = calls.iter().filter_map(|call| call.sut_death.as_ref()).map(|death| death.culprit).collect();
        let (mut hints, mut inputs) = (Vec::new(), Vec::new());
        let mut results = Vec::with_capacity(calls.len());
        for (idx, call) in calls.into_iter().enumerate() {
            let feedback = call.feedback.unwrap_or_default();
            hints.extend(feedback.hints.into_iter().map(|hint| (idx, hint)));
            inputs.extend(feedback.inputs.into_iter().map(|input| (idx, input)));
            results.push(call.result);
        }
        let findings = findings.into_iter().collect();
        Self { individual, results, closeness, closest_calls, findings, deaths, hints, inputs, elapsed }
    }

    /// Whether a call got no answer in time.
    pub fn timed_out(&self) -> bool {
        self.results.iter().any(|result| matches!(result.outcome, Outcome::TimedOut))
    }

    /// Whether all of `targets` are covered.
    pub fn covers(&self, targets: &[TargetId]) -> bool {
        targets.iter().all(|target| {
            self.closeness.binary_search_by_key(target, |(id, _)| *id).is_ok_and(|idx| self.closeness[idx].1 >= 1.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::action::{Action, Link, LinkPlace, LinkSource};
    use crate::api::{Api, Operation, OperationIdx, Verb};

    use super::Individual;

    fn action(id: u32, from: &[usize]) -> Action {
        let links = from
            .iter()
            .map(|from_action| Link {
                place: LinkPlace::Parameter(0),
                from_action: *from_action,
                source: LinkSource::LocationSegment,
            })
            .collect();
        Action {
            operation_idx: OperationIdx(id),
            parameters: Vec::new(),
            body: None,
            user: None,
            links,
            violation: None,
            expanded: None,
        }
    }

    fn shape(individual: &Individual) -> Vec<(u32, Vec<usize>)> {
        individual
            .actions
            .iter()
            .map(|action| (action.operation_idx.0, action.links.iter().map(|link| link.from_action).collect()))
            .collect()
    }

    #[test]
    fn removing_an_action_drops_its_links_and_moves_later_ones() {
        let mut individual = Individual { actions: vec![action(0, &[]), action(1, &[0]), action(2, &[0, 1])] };
        individual.remove(0);
        assert_eq!(shape(&individual), [(1, vec![]), (2, vec![0])]);
    }

    #[test]
    fn calls_that_only_look_are_taken_out_unless_a_value_is_taken_from_them() {
        let [get, post] = [0, 1];
        let operations = [Verb::Get, Verb::Post].map(|verb| Operation::bare(verb, "/o")).into();
        let api = Api { operations, ..Api::default() };
        let left = |calls: &[(u32, &[usize])], kept: usize| {
            let mut individual = Individual { actions: calls.iter().map(|(id, from)| action(*id, from)).collect() };
            let kept = individual.remove_looks(&api, kept);
            (shape(&individual), kept)
        };
        assert_eq!(left(&[(get, &[]), (get, &[]), (get, &[])], 2), (vec![(get, vec![])], 0));
        assert_eq!(left(&[(get, &[]), (post, &[]), (get, &[1])], 1), (vec![(post, vec![]), (get, vec![0])], 0));
        let linked = [(get, vec![]), (post, vec![0]), (get, vec![])].to_vec();
        assert_eq!(left(&[(get, &[]), (get, &[]), (post, &[1]), (get, &[])], 3), (linked, 2));
        assert_eq!(left(&[(get, &[]), (get, &[]), (get, &[0])], 1).0.len(), 3, "the last one wants the first");
    }

    #[test]
    fn inserted_actions_shift_links_on_both_sides() {
        let mut individual = Individual { actions: vec![action(0, &[]), action(1, &[0])] };
        individual.insert(1, vec![action(7, &[]), action(8, &[0])]);
        assert_eq!(shape(&individual), [(0, vec![]), (7, vec![]), (8, vec![1]), (1, vec![0])]);
        individual.insert(0, vec![action(9, &[])]);
        assert_eq!(shape(&individual)[4], (1, vec![1]));
    }

    #[test]
    fn swapping_drops_links_that_would_point_forward() {
        let mut individual = Individual { actions: vec![action(0, &[]), action(1, &[0]), action(2, &[])] };
        individual.swap(1, 2);
        assert_eq!(shape(&individual), [(0, vec![]), (2, vec![]), (1, vec![0])]);
        individual.swap(0, 2);
        assert_eq!(shape(&individual), [(1, vec![]), (2, vec![]), (0, vec![])]);
    }
}
