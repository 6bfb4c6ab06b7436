//! What is led by more than chance: numbers that are sounded, and the climbs along what they show.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::climb::Climb;
use super::made::Made;
use super::{N_CLIMBS, Search};
use crate::search::slope::{Move, Slope};
use crate::search::standing::Origin;
use crate::search::{Kept, TargetId};

/// Targets that are followed after one sounding, at most.
const MAX_FOLLOWED: usize = 8;
/// Climbs that wait for their turn, at most.
const MAX_FOUND: usize = 256;

impl Search<'_, '_> {
    /// Whether it is a sounding, on the way along a slope that one found, or moves two numbers at once.
    pub(super) fn is_led(&self, made: &Made) -> bool {
        match made {
            Made::Sounded(..) => true,
            Made::Mutated(mutation) => {
                let climb = self.climbs[mutation.climb_idx].as_ref();
                mutation.climb_idx >= N_CLIMBS || climb.is_some_and(|climb| climb.joint_move.is_some())
            }
            Made::Sampled | Made::Hinted(_) => false,
        }
    }

    /// Has numbers sounded where `kept` made new places in the code be seen, and the one that a hint told of: the first time,
    /// and where that gained anything.
    pub(super) fn sound(&mut self, kept: &Arc<Kept>, made: &Made, has_gained: bool) {
        let first_seen = self.state.archive.first_seen(kept);
        let calls: BTreeSet<usize> = first_seen.filter_map(|target| kept.closest_call(target)).collect();
        if let Some(spot) = made.number() {
            let is_told = made.origin() == Origin::Hinted;
            if calls.contains(&spot.action_idx) || (is_told && has_gained) {
                self.soundings.add(kept, spot);
            } else if is_told {
                self.soundings.add_first(kept, spot);
            }
        }
        for action_idx in calls {
            self.soundings.add_of_call(kept, action_idx);
        }
    }

    /// Follows the slopes that a sounding from `base` shows, for places in the code that are open.
    pub(super) fn follow_what_changed(&mut self, base: &Arc<Kept>, kept: &Arc<Kept>, moved: Option<Move>) {
        let Some(moved) = moved else { return };
        let is_open = |target: &TargetId| self.state.archive.is_open_code(*target);
        let targets = kept.closeness.iter().map(|(target, _)| *target).filter(is_open);
        let slopes = targets.filter_map(|target| {
            let slope = Slope::new(moved.clone(), base.distance_to(target), kept.distance_to(target))?;
            let nearer = if kept.distance_to(target) < base.distance_to(target) { kept } else { base };
            Some(Climb { target, current: Arc::clone(nearer), left: 0, slope: Some(slope), joint_move: None })
        });
        let room = MAX_FOUND.saturating_sub(self.found.len());
        self.found.extend(slopes.take(MAX_FOLLOWED.min(room)));
    }
}
