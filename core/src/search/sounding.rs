//! Small moves of numbers, each made to see which distances change with it: one call tells it for every place in the code that
//! is open, where a climb would wait until it changes this number for this target.
//!
//! Sounded are numbers that a hint narrowed a gene to, at first and where that gained anything, numbers whose move made new
//! places be seen, and once each number of a call that made new places be seen. What changes is followed at once (see
//! [`super::slope`]).

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::gene::Shift;

use super::impact::GeneKey;
use super::kept::Kept;
use super::mutator::{Mutant, keyed_sites};
use super::slope::Spot;

/// Soundings that wait, at most.
const MOST_WAITING: usize = 256;
/// Numbers of one call that are sounded because it made new places be seen, at most.
const MOST_OF_CALL: usize = 8;
/// Calls for soundings and the climbs along what they show that there is always room for.
const FREE_CALLS: u64 = 20;
/// The same for each place that was reached by them.
const CALLS_PER_GAIN: u64 = 20;
/// One of so many calls of the search there is room for, too.
const SHARE: u64 = 64;

/// A small move of a number.
#[derive(Debug, Clone)]
struct Sounding {
    /// What it starts from.
    base: Arc<Kept>,
    spot: Spot,
    shift: Shift,
}

/// The soundings that are to be made.
#[derive(Debug, Default)]
pub struct Soundings {
    waiting: VecDeque<Sounding>,
    /// Numbers that were sounded.
    sounded: BTreeSet<GeneKey>,
    /// Whether the last proposal was one: every other one is, so that the search goes on however many wait.
    was_last: bool,
    /// Calls that they and the climbs along what they showed have taken.
    calls: u64,
    /// Calls that they may take for what they brought.
    earned: u64,
}

impl Soundings {
    /// Whether they may take some more of the search, which has made so many calls.
    pub fn have_room(&self, calls: u64) -> bool {
        self.calls < FREE_CALLS + self.earned + calls / SHARE
    }

    /// One of them, or a step along what it showed, took so many calls.
    pub fn took(&mut self, calls: u64) {
        self.calls += calls;
    }

    /// A place was reached along what one of them showed.
    pub fn led_somewhere(&mut self) {
        self.earned += CALLS_PER_GAIN;
    }

    /// Has the number at `spot` of `base` sounded.
    pub fn add(&mut self, base: &Arc<Kept>, spot: &Spot) {
        for shift in spot.small_moves(&base.individual).into_iter().rev() {
            self.sounded.insert(spot.key);
            if self.waiting.len() < MOST_WAITING {
                self.waiting.push_back(Sounding { base: Arc::clone(base), spot: spot.clone(), shift });
            }
        }
    }

    /// Has the number at `spot` of `base` sounded where it never was.
    pub fn add_first(&mut self, base: &Arc<Kept>, spot: &Spot) {
        if !self.sounded.contains(&spot.key) {
            self.add(base, spot);
        }
    }

    /// Has numbers of a call of `base` sounded that never were.
    pub fn add_of_call(&mut self, base: &Arc<Kept>, action_idx: usize) {
        let Some(action) = base.individual.actions.get(action_idx) else { return };
        let spots = keyed_sites(action).into_iter().map(|(key, place, path)| Spot { action_idx, place, path, key });
        let is_number = |spot: &Spot| !spot.small_moves(&base.individual).is_empty();
        let numbers = spots.filter(is_number).take(MOST_OF_CALL).collect::<Vec<_>>();
        for spot in numbers {
            self.add_first(base, &spot);
        }
    }

    /// The next one, with what it starts from; none at every other time.
    pub fn next(&mut self) -> Option<(Arc<Kept>, Mutant)> {
        if std::mem::take(&mut self.was_last) {
            return None;
        }
        while let Some(Sounding { base, spot, shift }) = self.waiting.pop_front() {
            let mut individual = base.individual.clone();
            individual.actions.truncate(spot.action_idx + 1);
            // From the end of its range only the other way is left.
            let ways = [shift, Shift { by: -shift.by, ..shift }];
            if let Some(mutant) = ways.into_iter().find_map(|way| spot.mutant(individual.clone(), way, 0)) {
                self.was_last = true;
                return Some((base, mutant));
            }
        }
        None
    }
}
