//! Plain values: nothing wrong without need, everything as small as the targets of a test allow.

use crate::action::Action;
use crate::gene::GenePath;
use crate::search::{Individual, probe};

use super::{Draft, Simplifier, Trial};

/// Genes of one body that are tried one by one, at most.
const MAX_GENES: usize = 30;

/// How far values are made plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// All parameters of a call at once, and its whole body: few trials, most of the gain.
    Whole,
    /// Parameter by parameter and gene by gene.
    Parts,
}

impl Simplifier<'_, '_> {
    /// Takes out what is wrong without need, and makes values smaller.
    pub(super) fn make_plain(&mut self, draft: &mut Draft, detail: Detail) {
        let mut trial = Trial::new(draft);
        for action_idx in (0..trial.draft.individual.actions.len()).rev() {
            match detail {
                Detail::Whole => {
                    self.drop_probes(&mut trial, action_idx);
                    self.drop_violation(&mut trial, action_idx);
                    self.plain_parameters(&mut trial, action_idx);
                    self.plain_body(&mut trial, action_idx);
                }
                Detail::Parts => {
                    self.plain_parameter_by_parameter(&mut trial, action_idx);
                    self.plain_gene_by_gene(&mut trial, action_idx);
                }
            }
        }
    }

    /// Takes out keys that were sent to learn others, or gives them a plain name.
    fn drop_probes(&mut self, trial: &mut Trial, action_idx: usize) {
        // However many tests have some, none shall show them.
        let (calls, max_calls) = (self.calls, self.max_calls);
        self.max_calls = u64::MAX;
        for name in [None, Some("key")] {
            let mut candidate = trial.draft.individual.clone();
            let Some(plain) = probe::without_keys(&candidate.actions[action_idx], name) else { break };
            candidate.actions[action_idx] = plain;
            if self.attempt(trial, candidate) {
                break;
            }
        }
        (self.calls, self.max_calls) = (calls, max_calls);
    }

    fn drop_violation(&mut self, trial: &mut Trial, action_idx: usize) {
        if trial.draft.individual.actions[action_idx].violation.is_some() {
            let mut candidate = trial.draft.individual.clone();
            candidate.actions[action_idx].violation = None;
            self.attempt(trial, candidate);
        }
    }

    fn template(&self, trial: &Trial, action_idx: usize) -> Action {
        let action = &trial.draft.individual.actions[action_idx];
        let mut template = self.problem.template(action.operation_idx);
        if let Some(expanded) = &action.expanded {
            template.expand(expanded, &self.problem.settings.gene_limits);
        }
        template
    }

    /// Positions of the parameters that are not at their smallest.
    fn places(&self, trial: &Trial, action_idx: usize) -> Vec<usize> {
        let template = self.template(trial, action_idx);
        let action = &trial.draft.individual.actions[action_idx];
        let differs = |idx: &usize| action.parameters[*idx].to_json() != template.parameters[*idx].to_json();
        (0..template.parameters.len()).filter(differs).collect()
    }

    /// All parameters at their smallest.
    fn plain_parameters(&mut self, trial: &mut Trial, action_idx: usize) {
        if !self.places(trial, action_idx).is_empty() {
            let mut candidate = trial.draft.individual.clone();
            candidate.actions[action_idx].parameters = self.template(trial, action_idx).parameters;
            self.attempt(trial, candidate);
        }
    }

    fn plain_parameter_by_parameter(&mut self, trial: &mut Trial, action_idx: usize) {
        let places = self.places(trial, action_idx);
        let template = self.template(trial, action_idx);
        // One alone was tried with all.
        for idx in places.iter().copied().filter(|_| places.len() > 1) {
            let mut candidate = trial.draft.individual.clone();
            candidate.actions[action_idx].parameters[idx] = template.parameters[idx].clone();
            self.attempt(trial, candidate);
        }
    }

    /// The body at its smallest, when it is not there yet.
    fn smallest_body(&self, trial: &Trial, action_idx: usize) -> Option<Individual> {
        let template = self.template(trial, action_idx);
        let mut candidate = trial.draft.individual.clone();
        let body = candidate.actions[action_idx].body.as_mut().filter(|body| body.present)?;
        let smallest = template.body?.alternatives[body.active].clone();
        let alternative = &mut body.alternatives[body.active];
        if alternative.to_json() == smallest.to_json() {
            return None;
        }
        *alternative = smallest;
        Some(candidate)
    }

    fn plain_body(&mut self, trial: &mut Trial, action_idx: usize) {
        if let Some(candidate) = self.smallest_body(trial, action_idx) {
            self.attempt(trial, candidate);
        }
    }

    fn plain_gene_by_gene(&mut self, trial: &mut Trial, action_idx: usize) {
        if self.smallest_body(trial, action_idx).is_none() {
            return;
        }
        let Some(body) = &trial.draft.individual.actions[action_idx].body else { return };
        let active = body.active;
        let sites = body.alternatives[active].sites();
        let paths: Vec<GenePath> = sites.into_iter().take(MAX_GENES).map(|site| site.path).collect();
        for path in paths {
            let mut candidate = trial.draft.individual.clone();
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
