//! Making one test as plain as its targets allow: fewer actions, nothing wrong without need, smaller values.

use crate::gene::GenePath;
use crate::search::evaluator::Evaluator;
use crate::search::{Individual, Problem, SearchState, TargetId};

use super::SolveLimits;

/// Trials for one test, at most.
const MAX_TRIALS: usize = 60;
/// Genes of one body that are tried one by one, at most.
const MAX_GENES: usize = 30;

/// Tries changes and keeps those that lose no target.
pub struct Simplifier<'a, 'b> {
    problem: &'a Problem<'b>,
    state: &'a mut SearchState,
    evaluator: &'a mut dyn Evaluator,
    limits: SolveLimits,
    calls: u64,
}

impl<'a, 'b> Simplifier<'a, 'b> {
    /// A simplifier within `limits`.
    pub fn new(
        problem: &'a Problem<'b>,
        state: &'a mut SearchState,
        evaluator: &'a mut dyn Evaluator,
        limits: SolveLimits,
    ) -> Self {
        Self { problem, state, evaluator, limits, calls: 0 }
    }

    /// The plainest form found of `individual` that still covers `targets`.
    pub fn simplify(&mut self, individual: &Individual, targets: &[TargetId]) -> Individual {
        let mut trial = Trial { best: individual.clone(), targets, left: MAX_TRIALS };
        self.drop_actions(&mut trial);
        for action_idx in (0..trial.best.actions.len()).rev() {
            self.drop_violation(&mut trial, action_idx);
            self.plain_parameters(&mut trial, action_idx);
            self.plain_body(&mut trial, action_idx);
        }
        trial.best
    }

    fn is_used_up(&self) -> bool {
        self.calls >= self.limits.calls || self.limits.until.is_some_and(|until| self.evaluator.elapsed() >= until)
    }

    /// Takes `candidate` when it still covers the targets.
    fn attempt(&mut self, trial: &mut Trial, candidate: Individual) -> bool {
        if trial.left == 0 || self.is_used_up() {
            return false;
        }
        trial.left -= 1;
        let Ok(evaluation) = self.evaluator.evaluate(candidate, &mut self.state.targets) else { return false };
        self.calls += evaluation.results.len() as u64;
        if !evaluation.covers(trial.targets) {
            return false;
        }
        trial.best = evaluation.individual;
        true
    }

    fn drop_actions(&mut self, trial: &mut Trial) {
        let mut action_idx = 0;
        while trial.best.actions.len() > 1 && action_idx < trial.best.actions.len() {
            let mut candidate = trial.best.clone();
            candidate.remove(action_idx);
            // After a removal the next action stands at the same position.
            if !self.attempt(trial, candidate) {
                action_idx += 1;
            }
        }
    }

    fn drop_violation(&mut self, trial: &mut Trial, action_idx: usize) {
        if trial.best.actions[action_idx].violation.is_some() {
            let mut candidate = trial.best.clone();
            candidate.actions[action_idx].violation = None;
            self.attempt(trial, candidate);
        }
    }

    /// All parameters at their smallest, or else one by one.
    fn plain_parameters(&mut self, trial: &mut Trial, action_idx: usize) {
        let template = self.problem.template(trial.best.actions[action_idx].operation_idx);
        let differs = |trial: &Trial, idx: usize| {
            trial.best.actions[action_idx].parameters[idx].to_json() != template.parameters[idx].to_json()
        };
        let places: Vec<usize> = (0..template.parameters.len()).filter(|idx| differs(trial, *idx)).collect();
        if places.len() > 1 {
            let mut candidate = trial.best.clone();
            candidate.actions[action_idx].parameters.clone_from(&template.parameters);
            if self.attempt(trial, candidate) {
                return;
            }
        }
        for idx in places {
            let mut candidate = trial.best.clone();
            candidate.actions[action_idx].parameters[idx] = template.parameters[idx].clone();
            self.attempt(trial, candidate);
        }
    }

    /// The whole body at its smallest, or else gene by gene.
    fn plain_body(&mut self, trial: &mut Trial, action_idx: usize) {
        let template = self.problem.template(trial.best.actions[action_idx].operation_idx);
        let Some(body) = trial.best.actions[action_idx].body.as_ref().filter(|body| body.present) else { return };
        let active = body.active;
        let Some(smallest) = template.body.map(|body| body.alternatives[active].clone()) else { return };
        if body.alternatives[active].to_json() == smallest.to_json() {
            return;
        }
        let paths: Vec<GenePath> =
            body.alternatives[active].sites().into_iter().take(MAX_GENES).map(|site| site.path).collect();
        let mut candidate = trial.best.clone();
        if let Some(body) = &mut candidate.actions[action_idx].body {
            body.alternatives[active] = smallest;
        }
        if self.attempt(trial, candidate) {
            return;
        }
        for path in paths {
            let mut candidate = trial.best.clone();
            let Some(body) = &mut candidate.actions[action_idx].body else { return };
            // Paths that an earlier simplification took away have nothing left to simplify.
            let Some(gene) = body.alternatives[active].at_mut(&path) else { continue };
            let before = gene.to_json();
            gene.simplify();
            if gene.to_json() != before {
                self.attempt(trial, candidate);
            }
        }
    }
}

/// One test being simplified.
struct Trial<'t> {
    best: Individual,
    targets: &'t [TargetId],
    left: usize,
}
