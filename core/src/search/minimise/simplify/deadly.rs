//! Tests without calls that end the service: it would take all tests after them with it.

use crate::search::Individual;

use super::{Draft, Simplifier};

impl Simplifier<'_, '_> {
    /// Takes calls that end the service out of a draft, and what they covered from what it is there for; says whether
    /// anything is left of it.
    pub(super) fn spare(&mut self, draft: &mut Draft) -> bool {
        let mut individual = draft.individual.clone();
        if !self.state.deaths.leave_out_deadly(&mut individual) && !draft.is_fatal {
            return true;
        }
        let is_left = self.cut(draft, individual);
        self.n_deadly += usize::from(!is_left);
        is_left
    }

    /// Puts `individual`, which is what is left of a draft, in its place, where that still covers something that it is
    /// there for: says whether it does. What it does not cover no test is there for.
    pub(super) fn cut(&mut self, draft: &mut Draft, individual: Individual) -> bool {
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
        self.passed_over.extend(wanted.into_iter().filter(|target| !draft.targets.contains(target)));
        !draft.targets.is_empty()
    }
}
