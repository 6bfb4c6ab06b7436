//! Operations that answer the tests as ever, and what is left out where there was no time to see which tests get in each
//! other's way.
//!
//! What a test leaves behind may change the answers of one operation to many others, each in few orders only. So one that
//! fell lately tells that there are more, and of which operation; with more time passes would find them one by one.

use crate::search::Change;
use crate::search::evaluator::Halt;

use super::order::LAST_ROUND;
use super::{CLEAN_PASSES, Candidate, Order, Verification, doubt};

/// Tests that fell because others got in their way.
#[derive(Debug, Default)]
pub(super) struct Falls(Vec<Fall>);

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fall {
    /// Passes before.
    pass: usize,
    /// What the test got instead.
    pub change: Change,
    /// Whether it asks where no operation is: what answers there is what others left, whichever operation it is meant for.
    pub leads_astray: bool,
}

impl Falls {
    /// Takes in a pass. What cannot be executed twice in a row does not count: the others were as well, and can.
    pub(super) fn note(&mut self, pass: usize, order: Order, candidates: &[Candidate]) {
        if order != Order::Doubled {
            for candidate in candidates.iter().filter(|candidate| candidate.has_fallen()) {
                let change = candidate.change().filter(|change| change.before != change.after);
                let fall = |change: Change| Fall { pass, change, leads_astray: candidate.leads_astray(change.operation_idx) };
                self.0.extend(change.map(fall));
            }
        }
    }

    /// Those after which others may fall as well: where no operation is all of them, else those of the latest of so many
    /// passes, if time was over (`is_cut_short`) before all agreed.
    pub(super) fn telling(&self, passes: usize, is_cut_short: bool) -> Vec<Fall> {
        let is_telling = |fall: &&Fall| fall.leads_astray || is_cut_short && fall.pass + CLEAN_PASSES > passes;
        self.0.iter().filter(is_telling).copied().collect()
    }
}

impl Verification<'_, '_> {
    /// Counts a pass with what fell in it.
    pub(super) fn count_pass(&mut self, order: Order) {
        self.falls.note(self.solution.executions, order, &self.candidates);
        self.solution.executions += 1;
    }

    /// Leaves out tests that expect of an operation what others did not get of it any more lately, if time was over before
    /// they all agreed, and of paths that no operation has what others did not get there. Where resets reach all that tests do
    /// none can be in the way of another.
    pub(super) fn leave_out_unsettled(&mut self) {
        if self.evaluator.resets() && !self.lives.is_wanted {
            return;
        }
        let telling = self.falls.telling(self.solution.executions, self.is_cut_short);
        let is_unsettled = |candidate: &Candidate| telling.iter().any(|fall| candidate.may_fall_as(fall));
        let (unsettled, settled): (Vec<_>, Vec<_>) = std::mem::take(&mut self.candidates).into_iter().partition(is_unsettled);
        self.candidates = settled;
        doubt(&mut unsettled.iter().map(Candidate::proof), &mut self.candidates);
        self.unproven.extend(unsettled);
    }

    /// What is left out clears away nothing any more, so that the rest is executed again without it, as long as there is
    /// time; also where tests fell up to the last of all rounds.
    pub(super) fn last_round(&mut self) -> Result<(), Halt> {
        self.is_last_round = true;
        let is_unsettled = self.is_cut_short || !self.is_settled();
        if (is_unsettled || !self.unproven.is_empty()) && self.has_time() {
            for pass in LAST_ROUND {
                if !self.pass(pass)? {
                    break;
                }
            }
        }
        Ok(())
    }
}
