//! Tests without calls that end the service: it would take all tests after them with it.

use super::{Draft, Simplifier};

impl Simplifier<'_, '_> {
    /// Takes calls that end the service out of a draft, and what they covered from what it is there for; says whether
    /// anything is left of it.
    pub(super) fn spare(&mut self, draft: &mut Draft) -> bool {
        let mut individual = draft.individual.clone();
        if !self.state.deaths.leave_out_deadly(&mut individual) && !draft.is_fatal {
            return true;
        }
        let wanted = std::mem::take(&mut draft.targets);
        if !individual.actions.is_empty()
            && !self.is_used_up()
            && let Some(evaluation) = self.execute(individual)
            && evaluation.deaths.is_empty()
        {
            draft.targets = wanted.iter().copied().filter(|target| evaluation.covers(&[*target])).collect();
            draft.take(evaluation);
            draft.original = None;
        }
        self.n_deadly += usize::from(draft.targets.is_empty());
        self.passed_over.extend(wanted.into_iter().filter(|target| !draft.targets.contains(target)));
        !draft.targets.is_empty()
    }
}
