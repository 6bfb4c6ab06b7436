//! Which tests the places in the code need.
//!
//! During the search a driver names a place only until it is reached, so that every individual seems to be the only one
//! that reaches some; and what runs once in the life of a process is reached by one that will never reach it again. So
//! the drafts are executed once more, and stand for what they reach now and no earlier one does.

use std::collections::BTreeSet;

use crate::search::{TargetId, TargetKind};

use super::{Draft, Simplifier};

impl Simplifier<'_, '_> {
    /// The drafts that are still there for something, each with what it is there for.
    pub(super) fn recounted(&mut self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut served: BTreeSet<TargetId> = BTreeSet::new();
        let mut kept = Vec::new();
        for mut draft in drafts {
            if self.execute_for_code(&mut draft) {
                let is_code = |target: &TargetId| self.state.targets.kind(*target) == TargetKind::Code;
                let covered = &draft.covered;
                draft
                    .targets
                    .retain(|target| !is_code(target) || (covered.binary_search(target).is_ok() && !served.contains(target)));
                served.extend(covered.iter().copied().filter(is_code));
            }
            if !draft.targets.is_empty() {
                kept.push(draft);
            }
        }
        kept
    }

    /// Executes a draft that stands for places in the code; says whether it did.
    fn execute_for_code(&mut self, draft: &mut Draft) -> bool {
        let is_code = |target: &TargetId| self.state.targets.kind(*target) == TargetKind::Code;
        if self.is_used_up() || !draft.targets.iter().any(is_code) {
            return false;
        }
        let Some(evaluation) = self.execute(draft.individual.clone()) else { return false };
        draft.take(evaluation);
        true
    }
}
