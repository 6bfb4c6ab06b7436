//! Moving two whole numbers at once: `3 * row - 7 * seat == 1000` is met by no move of one of them alone once each is as near
//! as it can be, since the steps of both are longer than what is left.
//!
//! A long move of either number shows how much of the distance one step of it is and to which side of the target the value is
//! now. With that of two numbers the nearest pair of steps that add up to nothing left is computed (a linear Diophantine
//! equation): two evaluations for what mutation meets by chance.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::gene::{Part, Shift};

use super::kept::Kept;
use super::mutator::{Mutant, keyed_sites};
use super::slope::{Spot, shift};
use super::{Individual, TargetId};

/// Other numbers of a call that are looked at.
const MOST_OTHERS: usize = 4;
/// The longest step, and the most that may be left; what is further away is on another slope.
const MOST: f64 = 4096.0;
/// How far from a whole number a distance may be: it is read from a closeness.
const NOISE: f64 = 1e-3;

/// A number that the distance grows with in whole steps.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    spot: Spot,
    /// How much the distance changes where the number moves by 1, above 0.
    step: i64,
    /// What is left, negative where moving up makes it less.
    left: i64,
}

/// What moves two numbers of a call at once, for a target that one alone cannot reach.
#[derive(Debug)]
pub struct JointMove {
    target: TargetId,
    /// What came closest.
    base: Arc<Kept>,
    /// Its distance.
    left: f64,
    /// The number whose slope came to its end.
    first: Option<Line>,
    /// Numbers to be looked at, and the moves that show their lines.
    looks: VecDeque<(Spot, f64)>,
    /// The look that is under way.
    asked: Option<(Spot, f64)>,
    /// Pairs of moves to be tried, the best last.
    tries: Vec<[(Spot, f64); 2]>,
}

impl JointMove {
    /// What moves the number at `spot` and another one of its call; none where `base` leaves no whole number to `target`.
    pub fn new(spot: &Spot, base: &Arc<Kept>, target: TargetId) -> Option<Self> {
        let left = base.distance_to(target);
        let is_whole = (left - left.round()).abs() < NOISE && (1.0..MOST).contains(&left.round());
        let action = base.individual.actions.get(spot.action_idx).filter(|_| is_whole)?;
        let sites = keyed_sites(action).into_iter();
        let spots = sites.map(|(key, place, path)| Spot { action_idx: spot.action_idx, place, path, key });
        let others: Vec<Spot> = spots.filter(|other| other != spot && is_whole_number(base, other)).take(MOST_OTHERS).collect();
        let has_pair = !others.is_empty() && is_whole_number(base, spot);
        // Longer than twice what is left, so that the far end is beyond the target wherever that is.
        let length = 4.0 * left.round() + 8.0;
        let looks = std::iter::once(spot.clone()).chain(others).flat_map(|spot| [(spot.clone(), length), (spot, -length)]);
        has_pair.then(|| Self {
            target,
            base: Arc::clone(base),
            left: left.round(),
            first: None,
            looks: looks.collect(),
            asked: None,
            tries: Vec::new(),
        })
    }

    /// The next individual to try; none when nothing is left.
    pub fn next(&mut self) -> Option<Mutant> {
        while let Some(pair) = self.tries.pop() {
            if let Some(individual) = self.moved(&pair) {
                return Some(Mutant { individual, genes: pair.map(|(spot, _)| spot.key).to_vec(), moved: None });
            }
        }
        while let Some((spot, by)) = self.looks.pop_front() {
            let is_other = self.first.as_ref().is_none_or(|first| first.spot != spot);
            let individual = is_other.then(|| self.moved(&[(spot.clone(), by)])).flatten();
            if let Some(individual) = individual {
                let genes = vec![spot.key];
                self.asked = Some((spot, by));
                return Some(Mutant { individual, genes, moved: None });
            }
        }
        None
    }

    /// Learns that what was tried last has this distance to the target.
    pub fn learn(&mut self, distance: f64) {
        let Some((spot, by)) = self.asked.take().filter(|_| distance.is_finite()) else { return };
        self.looks.retain(|(other, _)| *other != spot);
        match (line(spot, by, distance, self.left), &self.first) {
            (Some(line), Some(first)) => self.tries = pairs(first, &line),
            (Some(line), None) => self.first = Some(line),
            // Without a line there is nothing that another number could add to.
            (None, None) => self.looks.clear(),
            (None, Some(_)) => {}
        }
    }

    /// The base with these numbers moved; none where one cannot be moved by just that much.
    fn moved(&self, moves: &[(Spot, f64)]) -> Option<Individual> {
        let mut individual = self.base.up_to_closest(self.target);
        let is_moved = moves.iter().filter(|(_, by)| *by != 0.0).all(|(spot, by)| {
            let wanted = Shift { by: *by, part: Part::Whole };
            shift(&mut individual, spot, wanted).is_some_and(|shifts| shifts == [wanted])
        });
        is_moved.then_some(individual)
    }
}

fn is_whole_number(base: &Kept, spot: &Spot) -> bool {
    spot.small_moves(&base.individual).first().is_some_and(|least| *least == Shift { by: 1.0, part: Part::Whole })
}

/// The line that a move shows that is longer than twice what is `left`; none where the distance is none.
fn line(spot: Spot, by: f64, distance: f64, left: f64) -> Option<Line> {
    let step = (distance / by.abs()).round();
    let rest = distance - step * by.abs();
    let is_line = (1.0..MOST).contains(&step) && (rest.abs() - left).abs() < NOISE * step;
    #[expect(clippy::cast_possible_truncation, reason = "both are whole and below a bound")]
    let whole = |number: f64| number as i64;
    is_line.then(|| Line { spot, step: whole(step), left: whole(left.copysign(rest) * by.signum()) })
}

/// The moves of both that leave nothing, one for either way of the second; those that move it least come last.
fn pairs(first: &Line, second: &Line) -> Vec<[(Spot, f64); 2]> {
    let way = if first.left == second.left { 1 } else { -1 };
    let pair = |by: i64| {
        let rest = second.left + second.step * by;
        (rest % first.step == 0).then(|| -way * rest / first.step).map(|other| (by, other))
    };
    let found = [1, -1].into_iter().filter_map(|sign| (1..=first.step).find_map(|by| pair(sign * by)));
    let mut found: Vec<(i64, i64)> = found.collect();
    found.sort_by_key(|(by, _)| std::cmp::Reverse(by.abs()));
    let moves = |(by, other): (i64, i64)| [(first.spot.clone(), other as f64), (second.spot.clone(), by as f64)];
    found.into_iter().map(moves).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Line, line, pairs};
    use crate::action::ValuePlace;
    use crate::api::OperationIdx;
    use crate::gene::GenePath;
    use crate::search::GeneKey;
    use crate::search::slope::Spot;

    fn spot(key: u64) -> Spot {
        let key = GeneKey { operation_idx: OperationIdx(0), place: 0, key };
        Spot { action_idx: 0, place: ValuePlace::Body, path: GenePath::default(), key }
    }

    proptest! {
        #[test]
        fn two_lines_give_the_moves_that_meet_a_condition(
            (a, b) in (1_i64..60, 1_i64..60),
            (is_a_down, is_b_down) in any::<(bool, bool)>(),
            (looks_up, to) in (any::<(bool, bool)>(), prop_oneof![-40_i64..0, 1_i64..40]),
        ) {
            let (down_a, down_b) = (if is_a_down { -a } else { a }, if is_b_down { -b } else { b });
            // `to` is what is left now.
            let distance = |dx: f64, dy: f64| (to as f64 + down_a as f64 * dx + down_b as f64 * dy).abs();
            let left = distance(0.0, 0.0);
            let by = |up: bool| (4 * to.abs() + 8) as f64 * if up { 1.0 } else { -1.0 };
            let (dx, dy) = (by(looks_up.0), by(looks_up.1));
            let first = line(spot(0), dx, distance(dx, 0.0), left).expect("a line");
            let second = line(spot(1), dy, distance(0.0, dy), left).expect("a line");
            prop_assert_eq!((first.step, second.step), (a, b));
            let found = pairs(&first, &second);
            let gcd = |mut a: i64, mut b: i64| { while b != 0 { (a, b) = (b, a % b); } a };
            prop_assert_eq!(found.is_empty(), to % gcd(a, b) != 0, "{:?}", found);
            for [(_, dx), (_, dy)] in found {
                prop_assert!(distance(dx, dy) < 0.5, "{dx} {dy}");
            }
        }
    }

    #[test]
    fn what_does_not_grow_in_whole_steps_is_no_line() {
        assert_eq!(line(spot(0), 16.0, 2.0, 2.0), None, "it does not matter");
        assert_eq!(line(spot(0), 16.0, 57.0, 2.0), None, "not by that much at each step");
        let found = line(spot(0), -16.0, 46.0, 2.0);
        assert_eq!(found, Some(Line { spot: spot(0), step: 3, left: 2 }));
    }
}
