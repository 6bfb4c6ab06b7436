//! Small moves of numbers, each made to see which distances change with it: one call tells it for every place in the code that
//! is open, where a climb would wait until it changes this number for this target.
//!
//! Sounded are numbers that a hint narrowed a gene to, at first and where that gained anything, numbers whose move made new
//! places be seen, and once each number of a call that made new places be seen. What changes is followed at once (see
//! [`super::slope`]). Drivers tell distances in single precision, of which a small move changes no large one: where one stays,
//! the number is moved farther once more; and the other way where the move leads past what came to these places, such as the
//! range of a type.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::gene::{Part, Shift};

use super::impact::GeneKey;
use super::kept::Kept;
use super::mutator::{Mutant, keyed_sites};
use super::slope::{Move, Spot};

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

/// Distances from this on are so large that a small move may not change them: 1 is less than four units of the last place.
const FAR: f64 = (1 << 22) as f64;
/// A wider move is a distance divided by this: large enough to be seen in a number of 24 bits, and by far too small to go past
/// what is looked for.
const MOVES_TO_FAR: f64 = 4096.0;

/// A small move of a number.
#[derive(Debug, Clone)]
struct Sounding {
    /// What it starts from.
    base: Arc<Kept>,
    spot: Spot,
    shift: Shift,
    revision: Revision,
}

/// In what a sounding differs from the first one of the same number, which showed too little.
#[derive(Debug, Clone, Copy, Default)]
pub struct Revision {
    /// It is a wider move.
    pub is_wider: bool,
    /// It goes the other way.
    pub is_other_way: bool,
}

/// What a sounding did not show of the places in the code that are open and were reached before.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// Whether one of them was not come to any more.
    pub has_lost: bool,
    /// The smallest of the distances that are so large that a small move may not change them, and that it did not change.
    pub unmoved: Option<f64>,
}

impl Seen {
    /// Of the distances before the move and after it, infinite where a place was not come to.
    pub fn of(distances: &[[f64; 2]]) -> Self {
        let has_lost = distances.iter().any(|[_, after]| after.is_infinite());
        let unmoved =
            distances.iter().filter(|[before, after]| before.total_cmp(after).is_eq() && (FAR..f64::INFINITY).contains(before));
        Self { has_lost, unmoved: unmoved.map(|[before, _]| *before).min_by(f64::total_cmp) }
    }
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
                self.waiting.push_back(Sounding {
                    base: Arc::clone(base),
                    spot: spot.clone(),
                    shift,
                    revision: Revision::default(),
                });
            }
        }
    }

    /// Has the number of `base` that `moved` moved sounded by another move next, where that one showed too little.
    pub fn add_again(&mut self, base: &Arc<Kept>, moved: &Move, revision: Revision, seen: Seen) {
        let is_number = |shift: &&Shift| matches!(shift.part, Part::Whole | Part::Digits(_));
        let Some(Shift { by, part }) = moved.shifts.iter().find(is_number).copied() else { return };
        let (by, revision) = match seen.unmoved {
            _ if seen.has_lost && !revision.is_other_way => (-by, Revision { is_other_way: true, ..revision }),
            Some(distance) if !revision.is_wider => {
                ((distance / MOVES_TO_FAR).copysign(by), Revision { is_wider: true, ..revision })
            }
            _ => return,
        };
        let (base, spot) = (Arc::clone(base), moved.spot.clone());
        self.waiting.push_front(Sounding { base, spot, shift: Shift { by, part }, revision });
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
    pub fn next(&mut self) -> Option<(Arc<Kept>, Mutant, Revision)> {
        if std::mem::take(&mut self.was_last) {
            return None;
        }
        while let Some(Sounding { base, spot, shift, revision }) = self.waiting.pop_front() {
            let mut individual = base.individual.clone();
            individual.actions.truncate(spot.action_idx + 1);
            // From the end of its range only the other way is left.
            let ways = [shift, Shift { by: -shift.by, ..shift }];
            if let Some(mutant) = ways.into_iter().find_map(|way| spot.mutant(individual.clone(), way, 0)) {
                self.was_last = true;
                return Some((base, mutant, revision));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use serde_json::json;

    use super::{FAR, Seen, Soundings};
    use crate::action::Action;
    use crate::api::{Api, IntegerSchema, Operation, OperationIdx, Parameter, Schema, SchemaKind, Verb};
    use crate::search::{Budget, Evaluation, Execution, Individual, Kept, SearchSettings};

    /// A call with a number in its query.
    fn base(number: i64) -> Arc<Kept> {
        let mut api = Api::default();
        let schema = IntegerSchema { min: i64::from(i32::MIN), max: i64::from(i32::MAX), multiple_of: None };
        let schema = api.schemas.push(Schema::new(SchemaKind::Integer(schema)));
        let parameters = vec![Parameter { required: true, ..Parameter::query("x", schema) }];
        api.operations.push(Operation { parameters, ..Operation::bare(Verb::Get, "/o") });
        let limits = SearchSettings::new(Budget::Calls(1), 1).gene_limits;
        let mut action = Action::template(&api, OperationIdx(0), &limits);
        assert!(action.parameters[0].assign(&json!(number)));
        let individual = Individual { actions: vec![action] };
        Arc::new(Kept::new(Evaluation::new(Execution { individual, calls: Vec::new(), elapsed: Duration::ZERO }, Vec::new())))
    }

    /// The numbers that are sent from `number` on, where each time this is seen.
    fn sounded(number: i64, seen: &[Seen]) -> Vec<i64> {
        let (mut soundings, base) = (Soundings::default(), base(number));
        soundings.add_of_call(&base, 0);
        let mut sent = Vec::new();
        let mut seen = seen.iter();
        while let Some((base, mutant, revision)) = soundings.next().or_else(|| soundings.next()) {
            sent.extend(mutant.individual.actions[0].parameters[0].to_json().and_then(|value| value.as_i64()));
            if let (Some(seen), Some(moved)) = (seen.next(), mutant.moved) {
                soundings.add_again(&base, &moved, revision, *seen);
            }
        }
        sent
    }

    const ALL: Seen = Seen { has_lost: false, unmoved: None };
    const LOST: Seen = Seen { has_lost: true, unmoved: None };
    const UNMOVED: Seen = Seen { has_lost: false, unmoved: Some(4_096_000.0) };

    #[test]
    fn a_number_is_sounded_by_another_move_where_one_showed_too_little() {
        assert_eq!(sounded(5, &[ALL]), [6]);
        assert_eq!(sounded(5, &[UNMOVED]), [6, 1_005]);
        assert_eq!(sounded(5, &[LOST]), [6, 4]);
        assert_eq!(sounded(5, &[LOST, UNMOVED, UNMOVED]), [6, 4, -995], "the other way, then farther, and no more");
        assert_eq!(sounded(5, &[UNMOVED, LOST, LOST]), [6, 1_005, -995], "farther, then the other way, and no more");
    }

    #[test]
    fn what_is_seen_of_distances() {
        let seen = |distances: &[[f64; 2]]| {
            let Seen { has_lost, unmoved } = Seen::of(distances);
            (has_lost, unmoved)
        };
        assert_eq!(
            seen(&[[7.0, 7.0], [FAR, FAR - 1.0], [3.0 * FAR, 3.0 * FAR], [2.0 * FAR, 2.0 * FAR]]),
            (false, Some(2.0 * FAR))
        );
        assert_eq!(seen(&[[7.0, f64::INFINITY]]), (true, None));
        assert_eq!(seen(&[]), (false, None));
    }
}
