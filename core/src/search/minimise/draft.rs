//! A test on its way into the suite.

use crate::action::{ActionResult, Outcome};
use crate::search::Kept;
use crate::search::{Evaluation, Individual, TargetId};

/// A test with what it is there for and what its latest execution gave.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// Its genes.
    pub individual: Individual,
    /// What it is there for, ordered.
    pub targets: Vec<TargetId>,
    /// What its calls gave.
    pub results: Vec<ActionResult>,
    /// Everything it covered, ordered.
    pub covered: Vec<TargetId>,
    /// Positions in the list of findings that it showed, ordered.
    pub findings: Vec<usize>,
    /// Whether the service ended when the search executed it.
    pub is_fatal: bool,
    /// What the search found, where calls were taken out of it since.
    pub original: Option<Individual>,
}

impl Draft {
    /// What the search kept, for `targets`.
    pub fn new(kept: &Kept, targets: Vec<TargetId>) -> Self {
        Self {
            individual: kept.individual.clone(),
            targets,
            results: kept.results.clone(),
            covered: covered(&kept.closeness),
            findings: kept.findings.clone(),
            is_fatal: kept.is_fatal,
            original: None,
        }
    }

    /// What was just executed, for those of `targets` that it covers; none where it covers none of them.
    pub fn of(evaluation: Evaluation, mut targets: Vec<TargetId>) -> Option<Self> {
        targets.retain(|target| evaluation.covers(&[*target]));
        (!targets.is_empty() && evaluation.deaths.is_empty()).then(|| Self::new(&Kept::new(evaluation), targets))
    }

    /// Puts what was just executed in the place of what there was.
    pub fn take(&mut self, evaluation: Evaluation) {
        let before = std::mem::replace(&mut self.individual, evaluation.individual);
        if self.original.is_none() && before.actions.len() > self.individual.actions.len() {
            self.original = Some(before);
        }
        self.results = evaluation.results;
        self.covered = covered(&evaluation.closeness);
        self.findings = evaluation.findings;
    }

    /// Whether a call of it gets no answer in time.
    pub fn waits(&self) -> bool {
        self.results.iter().any(|result| matches!(result.outcome, Outcome::TimedOut))
    }

    /// Makes it stand for `targets` too.
    pub fn add_targets(&mut self, targets: impl IntoIterator<Item = TargetId>) {
        self.targets.extend(targets);
        self.targets.sort_unstable();
        self.targets.dedup();
    }

    /// Whether both send the same requests.
    pub fn sends_same_as(&self, other: &Self) -> bool {
        self.results.iter().map(|result| &result.request).eq(other.results.iter().map(|result| &result.request))
    }
}

fn covered(closeness: &[(TargetId, f64)]) -> Vec<TargetId> {
    closeness.iter().filter(|(_, closeness)| *closeness >= 1.0).map(|(target, _)| *target).collect()
}
