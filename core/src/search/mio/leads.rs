//! What is led by more than chance: numbers that are sounded, and the climbs along what they show.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::climb::Climb;
use super::made::{Made, Sounded};
use super::{N_CLIMBS, Search};
use crate::search::schedule::Schedule;
use crate::search::slope::{Move, Slope};
use crate::search::sounding::Seen;
use crate::search::standing::Origin;
use crate::search::{Kept, TargetId};

/// Targets that are followed after one sounding, at most.
const MAX_FOLLOWED: usize = 8;
/// Climbs that wait for their turn, at most.
const MAX_FOUND: usize = 256;

impl Search<'_, '_> {
    /// Whose turn it is: one along a slope that a sounding found, where there is one and `may_sound`, or the one whose target
    /// was picked.
    pub(super) fn next_climb(&mut self, may_sound: bool, schedule: &Schedule) -> usize {
        let picked = self.turn;
        self.turn = (self.turn + 1) % N_CLIMBS;
        let found = N_CLIMBS + picked;
        if self.climbs[found].is_none() && may_sound {
            self.climbs[found] = self.next_found();
        }
        if self.climbs[found].is_some() {
            return found;
        }
        if self.climbs[picked].is_none() {
            self.climbs[picked] = self.start_climb(schedule);
        }
        picked
    }

    /// The climb that was found first, of those whose target is open still.
    fn next_found(&mut self) -> Option<Climb> {
        std::iter::from_fn(|| self.found.pop_front()).find(|climb| !self.state.archive.is_covered(climb.target))
    }

    /// Whether it is a sounding, on the way along a slope that one found, or moves two numbers at once.
    pub(super) fn is_led(&self, made: &Made) -> bool {
        match made {
            Made::Sounded(_) => true,
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

    /// Follows the slopes that a mutation of `current` for `target` shows for other places in the code, where nothing came as
    /// close to them before.
    pub(super) fn follow_what_improved(&mut self, target: TargetId, moved: &Move, current: &Arc<Kept>, mutant: &Arc<Kept>) {
        let archive = &self.state.archive;
        let has_improved = |other: &TargetId| *other != target && archive.has_just_come_closer(*other);
        let others = mutant.closeness.iter().map(|(other, _)| *other).filter(has_improved);
        let changed = others.map(|other| (other, [current, mutant].map(|kept| kept.distance_to(other))));
        let climbs: Vec<Climb> = changed.filter_map(|it| climb_along(moved, it, current, mutant)).take(MAX_FOLLOWED).collect();
        self.have_followed(climbs);
    }

    /// Has climbs wait for their turn; of those along the same number the newer one is the nearer one.
    fn have_followed(&mut self, climbs: Vec<Climb>) {
        for climb in climbs {
            if let Some(waiting) = self.found.iter_mut().find(|waiting| waiting.is_led_like(&climb)) {
                *waiting = climb;
            } else if self.found.len() < MAX_FOUND {
                self.found.push_back(climb);
            }
        }
    }

    /// Follows the slopes that a sounding from `base` shows, for places in the code that are open; where it shows too little,
    /// another one comes next.
    pub(super) fn follow_what_changed(&mut self, sounded: Sounded, kept: &Arc<Kept>) {
        let Sounded { base, moved, revision } = sounded;
        let Some(moved) = moved else { return };
        let is_open = |target: &TargetId| self.state.archive.is_open_code(*target);
        let is_in_play = |target: &TargetId| base.closest_call(*target).is_some_and(|call| call <= moved.spot.action_idx);
        let targets: Vec<TargetId> =
            base.closeness.iter().map(|(target, _)| *target).filter(is_open).filter(is_in_play).collect();
        let distances: Vec<[f64; 2]> =
            targets.iter().map(|target| [&base, kept].map(|kept| kept.distance_to(*target))).collect();
        let changed = targets.into_iter().zip(&distances).map(|(target, distances)| (target, *distances));
        let climbs: Vec<Climb> = changed.filter_map(|it| climb_along(&moved, it, &base, kept)).take(MAX_FOLLOWED).collect();
        self.have_followed(climbs);
        self.soundings.add_again(&base, &moved, revision, Seen::of(&distances));
    }
}

/// The climb along the slope that `moved` shows from `base` to `kept`, for a target with its distances there; none without one.
fn climb_along(
    moved: &Move,
    (target, [before, after]): (TargetId, [f64; 2]),
    base: &Arc<Kept>,
    kept: &Arc<Kept>,
) -> Option<Climb> {
    let slope = Slope::new(moved.clone(), before, after)?;
    let nearer = if after < before { kept } else { base };
    Some(Climb::led(target, nearer, slope))
}
