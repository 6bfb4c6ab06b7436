//! Operations that answer the tests as ever, and what is left out where there was no time to see which tests get in each
//! other's way.
//!
//! What a test leaves behind may change the answers of one operation to many others, each in few orders only. So one that
//! fell lately tells that there are more, and of which operation; with more time passes would find them one by one.

use crate::search::Change;

use super::{CLEAN_PASSES, Candidate, Order, Verification, doubt};

/// Tests that fell because others got in their way.
#[derive(Debug, Default)]
pub(super) struct Falls(Vec<Fall>);

#[derive(Debug, Clone, Copy)]
struct Fall {
    /// Passes before.
    pass: usize,
    change: Change,
}

impl Falls {
    /// Takes in a pass. What cannot be executed twice in a row, or not before others, does not count: the rest was, and can.
    fn note(&mut self, pass: usize, order: Order, candidates: &[Candidate]) {
        if !matches!(order, Order::Doubled | Order::ReadersFirst) {
            let fallen = candidates.iter().filter(|candidate| candidate.has_fallen());
            let changes = fallen.filter_map(Candidate::change).filter(|change| change.before != change.after);
            self.0.extend(changes.map(|change| Fall { pass, change }));
        }
    }

    /// What differed in the latest passes of so many.
    fn late(&self, passes: usize) -> Vec<Change> {
        let is_late = |fall: &&Fall| fall.pass + CLEAN_PASSES > passes;
        self.0.iter().filter(is_late).map(|fall| fall.change).collect()
    }
}

impl Verification<'_> {
    /// Counts a pass with what fell in it.
    pub(super) fn count_pass(&mut self, order: Order) {
        self.falls.note(self.solution.executions, order, &self.candidates);
        self.solution.executions += 1;
    }

    /// Leaves out tests that expect of an operation what others did not get of it any more lately, if time was over before
    /// they all agreed. Where each test is reset none can be in the way of another.
    pub(super) fn leave_out_unsettled(&mut self) {
        if !self.is_cut_short || self.evaluator.resets() {
            return;
        }
        let late = self.falls.late(self.solution.executions);
        let is_unsettled = |candidate: &Candidate| late.iter().any(|change| candidate.expects(change));
        let (unsettled, settled): (Vec<_>, Vec<_>) = std::mem::take(&mut self.candidates).into_iter().partition(is_unsettled);
        self.candidates = settled;
        doubt(&mut unsettled.iter().map(Candidate::proof), &mut self.candidates);
        self.unproven.extend(unsettled);
    }
}
