//! Operations that end the service: how often each did, and which are therefore not called any more.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::action::Request;
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

/// The ends of the service, by the operation charged with them.
#[derive(Debug, Clone)]
pub struct Deaths {
    limit: usize,
    by_culprit: BTreeMap<OperationIdx, usize>,
    calls: BTreeMap<OperationIdx, usize>,
    given_up: BTreeSet<OperationIdx>,
}

impl Deaths {
    /// None so far; an operation that is charged with `limit` of them is given up.
    pub fn new(limit: usize) -> Self {
        Self { limit, by_culprit: BTreeMap::new(), calls: BTreeMap::new(), given_up: BTreeSet::new() }
    }

    /// Takes in an evaluation; says which operation is given up because of it.
    pub fn note(&mut self, evaluation: &Evaluation) -> Option<OperationIdx> {
        for result in &evaluation.results {
            *self.calls.entry(result.request.operation_idx).or_default() += 1;
        }
        let mut newly = None;
        for culprit in &evaluation.deaths {
            let deaths = self.by_culprit.entry(*culprit).or_default();
            *deaths += 1;
            if *deaths >= self.limit && self.given_up.insert(*culprit) {
                newly = Some(*culprit);
            }
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
    /// every other one did.
    pub fn is_deadly(&self, operation_idx: OperationIdx) -> bool {
        let deaths = self.by_culprit.get(&operation_idx).copied().unwrap_or_default();
        deaths > 0 && deaths * 2 >= self.calls.get(&operation_idx).copied().unwrap_or_default()
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
