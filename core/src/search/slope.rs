//! Following a slope: when a single number was changed and the distance to a target with it, the number at which the
//! distance would be 0 is computed instead of groped for. Dates, times and single characters of a text are numbers too.
//!
//! Branch distances grow with the distance of what is compared (`instrumentation.md` 2), mostly as `k * |x - c|`. Two
//! evaluations that differ in one number give the line, and the line gives `c`: on the same side of it (the secant method)
//! or between them. An exact 64-bit number is met in a handful of evaluations; mutation alone needs hundreds.

use crate::action::ValuePlace;
use crate::gene::{GenePath, Mutation, Shift};

use super::Individual;
use super::TargetId;
use super::archive::Kept;
use super::impact::GeneKey;
use super::mutator::{Mutant, gene_at};

/// Steps in a row that come closer, after which a slope is left: it is no line.
const MAX_STEPS: u32 = 24;

/// A number of an individual.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// The action.
    pub action_idx: usize,
    /// The place in it.
    pub place: ValuePlace,
    /// The way to the gene there.
    pub path: GenePath,
    /// Its identity.
    pub key: GeneKey,
}

/// The only change of a mutation, when it was to a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// Which number.
    pub spot: Spot,
    /// How far it was moved.
    pub shift: Shift,
    /// Steps in a row on the same slope that led here.
    pub steps: u32,
}

/// Where a number must be moved to for a target, seen from the individual that is closest.
#[derive(Debug, Clone)]
pub struct Slope {
    spot: Spot,
    /// Which character of a text is meant.
    character: Option<usize>,
    /// How far to move it, the best last.
    tries: Vec<f64>,
    steps: u32,
}

impl Slope {
    /// The slope that `moved` shows, with the distances to the target `before` and `after` it; none without one.
    pub fn new(moved: Move, before: f64, after: f64) -> Option<Self> {
        let (near, far) = (before.min(after), before.max(after));
        // From the nearer of the two to the other.
        let Shift { by, character } = moved.shift;
        let way = if after < before { -by } else { by };
        let is_slope = near > 0.0 && far > near && far.is_finite() && way.is_finite() && way != 0.0;
        if !is_slope || moved.steps >= MAX_STEPS {
            return None;
        }
        let outside = (-way * near / (far - near), (far - near) / way.abs());
        let between = (way * near / (far + near), (far + near) / way.abs());
        // Most services compare what they are sent as it is: then the distance grows as the number does.
        let strangeness = |steepness: f64| steepness.ln().abs();
        let tries =
            if strangeness(outside.1) <= strangeness(between.1) { [between.0, outside.0] } else { [outside.0, between.0] };
        Some(Self { spot: moved.spot, character, tries: tries.to_vec(), steps: moved.steps + 1 })
    }

    /// The next individual to try from `kept`, the one that came closest to `target`; none when nothing is left to try.
    pub fn follow(&mut self, kept: &Kept, target: TargetId) -> Option<Mutant> {
        while let Some(by) = self.tries.pop() {
            let mut individual = kept.up_to_closest(target);
            if let Some(shift) = shift(&mut individual, &self.spot, Shift { by, character: self.character }) {
                let moved = Some(Move { spot: self.spot.clone(), shift, steps: self.steps });
                return Some(Mutant { individual, genes: vec![self.spot.key], moved });
            }
        }
        None
    }
}

/// Moves a number, and says how far; none when it stays.
fn shift(individual: &mut Individual, spot: &Spot, shift: Shift) -> Option<Shift> {
    let gene = gene_at(individual.actions.get_mut(spot.action_idx)?, spot.place)?.at_mut(&spot.path)?;
    let before = gene.measure()?;
    match gene.shift(shift) {
        Mutation::Changed => gene.measure()?.shift_from(&before),
        Mutation::Unchanged => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::action::ValuePlace;
    use crate::api::OperationIdx;
    use crate::gene::{GenePath, Shift};

    use super::{GeneKey, MAX_STEPS, Move, Slope, Spot};

    fn spot() -> Spot {
        let key = GeneKey { operation_idx: OperationIdx(0), place: 0, key: 0 };
        Spot { action_idx: 0, place: ValuePlace::Body, path: GenePath::default(), key }
    }

    /// The moves from the nearer of two numbers, the best first, where the distance is that to `wanted`.
    fn moves(from: f64, to: f64, distance: impl Fn(f64) -> f64) -> Option<Vec<f64>> {
        let slope = Slope::new(
            Move { spot: spot(), shift: Shift { by: to - from, character: None }, steps: 0 },
            distance(from),
            distance(to),
        )?;
        Some(slope.tries.into_iter().rev().collect())
    }

    fn assert_near(moves: Option<Vec<f64>>, wanted: f64) {
        let best = moves.expect("a slope")[0];
        assert!((best - wanted).abs() < 1e-6, "{best} for {wanted}");
    }

    #[test]
    fn a_number_is_found_from_either_side_and_from_both() {
        let to_hundred = |x: f64| (x - 100.0).abs();
        assert_near(moves(0.0, 10.0, to_hundred), 90.0);
        assert_near(moves(10.0, 0.0, to_hundred), 90.0);
        assert_near(moves(500.0, 130.0, to_hundred), -30.0);
        assert_near(moves(0.0, 130.0, to_hundred), -30.0);
        assert_near(moves(90.0, 1_000.0, to_hundred), 10.0);
    }

    #[test]
    fn a_line_of_any_steepness_is_followed_by_one_of_two_moves() {
        let of_days = |x: f64| (x / 86_400.0 - 17_000.0).abs();
        let found = moves(0.0, 1e9, of_days).expect("a slope");
        assert!(found.iter().any(|by| (by - (86_400.0 * 17_000.0 - 1e9)).abs() < 1.0), "{found:?}");
    }

    #[test]
    fn what_did_not_move_the_distance_is_no_slope() {
        assert!(moves(0.0, 1.0, |_| 5.0).is_none());
        assert!(moves(0.0, 1.0, |x| x).is_none(), "reached already");
        assert!(moves(0.0, f64::NAN, |x| x).is_none());
        assert!(moves(0.0, 1.0, |x| if x > 0.0 { f64::INFINITY } else { 1.0 }).is_none());
    }

    #[test]
    fn a_slope_is_left_when_it_leads_nowhere() {
        let of_steps = |steps| Slope::new(Move { spot: spot(), shift: Shift { by: 1.0, character: None }, steps }, 3.0, 2.0);
        assert!(of_steps(MAX_STEPS - 1).is_some() && of_steps(MAX_STEPS).is_none());
    }
}
