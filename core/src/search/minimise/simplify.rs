//! Making tests as plain as their targets allow: fewer actions, nothing wrong without need, smaller values.

use crate::gene::GenePath;
use crate::search::evaluator::Evaluator;
use crate::search::{Evaluation, Individual, Problem, SearchState, TargetId};

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
    late: Vec<(Individual, Vec<TargetId>)>,
}

impl<'a, 'b> Simplifier<'a, 'b> {
    /// A simplifier within `limits`.
    pub fn new(
        problem: &'a Problem<'b>,
        state: &'a mut SearchState,
        evaluator: &'a mut dyn Evaluator,
        limits: SolveLimits,
    ) -> Self {
        Self { problem, state, evaluator, limits, calls: 0, late: Vec::new() }
    }

    /// Takes out of every test the actions it can do without; then, as far as the limits reach, makes values plain.
    pub fn simplify(&mut self, tests: &mut [(Individual, Vec<TargetId>)]) {
        for (individual, targets) in &mut *tests {
            let mut trial = Trial { best: std::mem::take(individual), targets, left: MAX_TRIALS };
            self.drop_actions(&mut trial);
            *individual = trial.best;
        }
        for (individual, targets) in tests {
            let mut trial = Trial { best: std::mem::take(individual), targets, left: MAX_TRIALS };
            for action_idx in (0..trial.best.actions.len()).rev() {
                self.drop_violation(&mut trial, action_idx);
                self.plain_parameters(&mut trial, action_idx);
                self.plain_body(&mut trial, action_idx);
            }
            *individual = trial.best;
        }
    }

    /// What covered targets that the search had not, with these targets.
    pub fn into_late(self) -> Vec<(Individual, Vec<TargetId>)> {
        self.late
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
        self.keep_late(&evaluation);
        if !evaluation.covers(trial.targets) {
            return false;
        }
        trial.best = evaluation.individual;
        true
    }

    /// Keeps an evaluation that happened to cover something new.
    fn keep_late(&mut self, evaluation: &Evaluation) {
        let new: Vec<TargetId> = evaluation
            .closeness
            .iter()
            .filter(|(target, closeness)| *closeness >= 1.0 && !self.state.archive.is_covered(*target))
            .map(|(target, _)| *target)
            .collect();
        if !new.is_empty() {
            self.state.archive.offer(evaluation.clone(), 1, &self.state.targets);
            self.late.push((evaluation.individual.clone(), new));
        }
    }

    fn drop_actions(&mut self, trial: &mut Trial) {
        // Most tests are there for their last action, so that one with what it is linked to is tried first.
        let mut candidate = trial.best.clone();
        keep_linked(&mut candidate);
        if candidate.actions.len() < trial.best.actions.len() {
            self.attempt(trial, candidate);
        }
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

/// Takes out all actions that the last one is not linked to, directly or through others.
fn keep_linked(individual: &mut Individual) {
    let mut needed = vec![false; individual.actions.len()];
    for action_idx in (0..individual.actions.len()).rev() {
        if action_idx + 1 == individual.actions.len() || needed[action_idx] {
            needed[action_idx] = true;
            for link in &individual.actions[action_idx].links {
                needed[link.from_action] = true;
            }
        }
    }
    for action_idx in (0..needed.len()).rev().filter(|idx| !needed[*idx]) {
        individual.remove(action_idx);
    }
}

/// One test being simplified.
struct Trial<'t> {
    best: Individual,
    targets: &'t [TargetId],
    left: usize,
}
