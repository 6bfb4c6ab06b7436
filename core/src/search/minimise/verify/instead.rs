//! What takes the place of a test that falls: the same behind what it hangs on, or what else the search found.

use std::collections::BTreeSet;

use crate::action::Action;
use crate::search::TargetId;

use super::{Candidate, Draft, Simplifier, SolveLimits, Verification};

impl Verification<'_, '_> {
    /// Puts in the place of each test that falls, though it stood for a goal that no other does, the same behind those calls of
    /// other tests that it hangs on, where that shows the goal; beside one that does not fall, where it shows another goal no
    /// more.
    pub(super) fn complete_fallen(&mut self) {
        let is_lost = |target: &TargetId| self.is_lost(*target);
        let lost = |candidate: &Candidate| candidate.to_complete().iter().copied().filter(is_lost).collect();
        let lost: Vec<Vec<TargetId>> = self.candidates.iter().map(lost).collect();
        let limits =
            SolveLimits { simplify_until: self.until(), patience: self.patience, ..SolveLimits::of_calls(self.calls_left) };
        let mut shown: BTreeSet<TargetId> = BTreeSet::new();
        let mut beside: Vec<Candidate> = Vec::new();
        let mut simplifier = Simplifier::new(self.problem, self.state, self.evaluator, limits);
        for (candidate, mut lost) in self.candidates.iter_mut().zip(lost) {
            lost.retain(|target| !shown.contains(target));
            let completed = if lost.is_empty() { None } else { candidate.completed(&mut simplifier, &lost) };
            candidate.forget_missed();
            let Some(draft) = completed else { continue };
            shown.extend(&draft.targets);
            if candidate.has_fallen() {
                candidate.complete(draft);
            } else {
                beside.push(Candidate::spare(draft));
            }
        }
        let (n_calls, n_deaths) = simplifier.costs();
        self.candidates.extend(beside);
        self.calls_left = self.calls_left.saturating_sub(n_calls);
        self.n_deaths += n_deaths;
        self.lives.is_spoiled |= n_calls > 0;
    }

    /// For each goal that a test stood for which falls now, and no other does: what else the search found for it. What fell
    /// for one call of many need not take the others along, and what fell because another test was gone may stand alone.
    pub(super) fn spares(&self) -> Vec<Draft> {
        let mut spares: Vec<Draft> = Vec::new();
        for candidate in self.candidates.iter().filter(|candidate| candidate.has_fallen() && !candidate.has_spares()) {
            for target in candidate.targets().iter().copied().filter(|target| self.is_lost(*target)) {
                for draft in self.stand_ins(candidate, target) {
                    match spares.iter_mut().find(|other| other.sends_same_as(&draft)) {
                        Some(other) => other.add_targets([target]),
                        None => spares.push(draft),
                    }
                }
            }
        }
        spares
    }

    /// What the search found for `target` besides `candidate`: the shortest where it has fewer calls, and one that makes
    /// itself what its call names.
    fn stand_ins(&self, candidate: &Candidate, target: TargetId) -> impl Iterator<Item = Draft> {
        let archive = &self.state.archive;
        let shorter = archive.covering(target).filter(|kept| kept.individual.actions.len() < candidate.n_original());
        let ends_service = |action: &Action| self.state.deaths.is_deadly(action.operation_idx);
        let drafts = [shorter, archive.linked(target)].into_iter().flatten();
        let drafts = drafts.filter(move |kept| !kept.is_fatal && !kept.individual.actions.iter().any(ends_service));
        drafts.map(move |kept| Draft::new(kept, vec![target])).filter(|draft| !candidate.sends_same_as(draft))
    }
}
