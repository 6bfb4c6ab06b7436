//! Working on one target: from an individual to a mutant of it that is not worse, and on from there.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::search::bisection::Bisection;
use crate::search::impact::GeneKey;
use crate::search::joint_move::JointMove;
use crate::search::mutator::Mutant;
use crate::search::slope::Slope;
use crate::search::{Kept, TargetId};

/// A target being worked on.
pub(super) struct Climb {
    pub target: TargetId,
    pub current: Arc<Kept>,
    /// Mutations left.
    pub left: usize,
    /// Where a number must be moved to, when that is known; followed before anything else.
    pub slope: Option<Slope>,
    /// What looks for a character with a slope; followed where no slope is known.
    pub bisection: Option<Bisection>,
    /// What moves two numbers, where a slope came to its end before the target.
    pub joint_move: Option<JointMove>,
}

impl Climb {
    /// Whether it is known where to go on.
    pub fn is_led(&self) -> bool {
        self.slope.is_some() || self.bisection.is_some() || self.joint_move.is_some()
    }

    /// The climb from `current` along `slope`, and no farther.
    pub fn led(target: TargetId, current: &Arc<Kept>, slope: Slope) -> Self {
        Self { target, current: Arc::clone(current), left: 0, slope: Some(slope), bisection: None, joint_move: None }
    }

    /// Whether both are for the same target, along a slope of the same number.
    pub fn is_led_like(&self, other: &Self) -> bool {
        let spot = |climb: &Self| climb.slope.as_ref().map(|slope| slope.spot().clone());
        self.target == other.target && spot(self) == spot(other)
    }

    /// The mutant on the slope that is known, or that looks for one, or where a slope ended the one that moves another number
    /// with it; none where none of them is known. Two numbers are moved once for each target and number that ended before it,
    /// which `joined` has; none are without that.
    pub fn follow(&mut self, joined: Option<&mut BTreeSet<(TargetId, GeneKey)>>) -> Option<Mutant> {
        if let Some(slope) = &mut self.slope {
            let mutant = slope.follow(&self.current, self.target);
            if mutant.is_some() {
                return mutant;
            }
            if joined.is_some_and(|joined| joined.insert((self.target, slope.spot().key))) {
                self.joint_move = JointMove::new(slope.spot(), &self.current, self.target);
            }
            self.slope = None;
        }
        if let Some(bisection) = &mut self.bisection {
            let mutant = bisection.next(&self.current, self.target);
            if mutant.is_some() {
                return mutant;
            }
            self.bisection = None;
        }
        let mutant = self.joint_move.as_mut()?.next();
        if mutant.is_none() {
            self.joint_move = None;
        }
        mutant
    }
}

/// Whether the search goes on from `mutant`; in the focused phase a longer one must come closer to be worth its calls.
pub(super) fn is_not_worse(mutant: &Kept, current: &Kept, target: TargetId, focused: bool) -> bool {
    let (new, old) = (mutant.closeness_to(target), current.closeness_to(target));
    let is_longer = mutant.individual.actions.len() > current.individual.actions.len();
    new > old || (new >= old && !(focused && is_longer))
}
