//! Numbers drawn as people break things: small ones, boundaries and their neighbours, powers of two.

use crate::random::Random;

/// A whole number in `min..=max`.
///
/// Two thirds are near zero (or near the bound closest to it), a tenth is a bound or its neighbour, the rest are
/// powers of two and their neighbours and numbers whose logarithm is uniform.
pub(super) fn integer(random: &mut Random, min: i64, max: i64) -> i64 {
    let drawn = match random.below(20) {
        0..=8 => magnitude(random, min, 4),
        9..=12 => magnitude(random, min, 11),
        13..=14 => near_a_bound(random, min, max),
        15..=16 => power_of_two(random, min),
        17..=18 => magnitude(random, min, 63),
        _ => uniform_nearby(random, min, max),
    };
    if (min..=max).contains(&drawn) { drawn } else { from_nearest_bound(random, min, max) }
}

/// A whole number nearer to 0 than `2^bits` whose logarithm is roughly uniform; `bits` lies in `1..=63`.
fn magnitude(random: &mut Random, min: i64, bits: u32) -> i64 {
    let width = random.below(bits as usize + 1);
    let drawn = (random.bits() & ((1_u64 << width) - 1)) | if width > 0 { 1 << (width - 1) } else { 0 };
    let drawn = i64::try_from(drawn).unwrap_or(i64::MAX);
    sign(random, min, drawn)
}

/// Negative in one of six draws where negative numbers are allowed.
fn sign(random: &mut Random, min: i64, magnitude: i64) -> i64 {
    if min < 0 && random.below(6) == 0 { -magnitude } else { magnitude }
}

fn near_a_bound(random: &mut Random, min: i64, max: i64) -> i64 {
    match random.below(6) {
        0 | 1 => min,
        2 => min.saturating_add(1),
        3 => max.saturating_sub(1),
        _ => max,
    }
}

fn power_of_two(random: &mut Random, min: i64) -> i64 {
    let power = 1_i64 << random.below(63);
    let neighbour = power.saturating_add(random.between(-1, 1));
    sign(random, min, neighbour)
}

/// Uniform in a window of a thousand around the bound nearest to zero.
fn uniform_nearby(random: &mut Random, min: i64, max: i64) -> i64 {
    let centre = 0.clamp(min, max);
    random.between(centre.saturating_sub(500).max(min), centre.saturating_add(500).min(max))
}

/// A log-uniform distance from one of the bounds, mostly from the one nearest to zero.
fn from_nearest_bound(random: &mut Random, min: i64, max: i64) -> i64 {
    let range = max.abs_diff(min);
    let width = random.below(65 - range.leading_zeros() as usize);
    let distance = if width == 0 { 0 } else { (random.bits() & (u64::MAX >> (64 - width))).min(range) };
    let from_max = if max < 0 { random.chance(0.8) } else { random.chance(0.2) };
    if from_max { max.saturating_sub_unsigned(distance) } else { min.saturating_add_unsigned(distance) }
}

/// `value` moved by a power of two with a random sign, inside `min..=max`; small steps are likelier.
pub(super) fn moved_integer(random: &mut Random, value: i64, min: i64, max: i64) -> i64 {
    let range = max.abs_diff(min);
    let bits = (64 - range.leading_zeros() as usize).max(1);
    let exponent = if random.chance(0.6) { random.below(bits.min(6)) } else { random.below(bits) };
    let step = 1_u64 << exponent;
    let up = random.chance(0.5);
    let (away, back) = (value.checked_add_unsigned(step), value.checked_sub_unsigned(step));
    let (first, second) = if up { (away, back) } else { (back, away) };
    let inside = |moved: Option<i64>| moved.filter(|moved| (min..=max).contains(moved));
    inside(first).or_else(|| inside(second)).unwrap_or(if up { max } else { min })
}

#[cfg(test)]
mod tests {
    use super::{integer, moved_integer};
    use crate::random::Random;

    fn share(min: i64, max: i64, wanted: impl Fn(i64) -> bool) -> f64 {
        let mut random = Random::new(7, 0);
        (0..10_000).filter(|_| wanted(integer(&mut random, min, max))).count() as f64 / 10_000.0
    }

    #[test]
    fn small_numbers_and_boundaries_occur_often() {
        assert!(share(i64::MIN, i64::MAX, |value| value.unsigned_abs() <= 10) > 0.4);
        assert!(share(i64::MIN, i64::MAX, |value| value == 0) > 0.05);
        assert!(share(i64::MIN, i64::MAX, |value| value < 0) > 0.05);
        assert!(share(i64::MIN, i64::MAX, |value| value == i64::MAX) > 0.02);
        assert!(share(i64::MIN, i64::MAX, |value| value > i64::from(i32::MAX)) > 0.05);
        assert!(share(1, 1_000_000, |value| value == 1) > 0.05);
        assert!(share(1, 1_000_000, |value| value == 1_000_000) > 0.02);
        assert!(share(1_000, 2_000, |value| value <= 1_001 || value >= 1_999) > 0.15);
    }

    #[test]
    fn every_draw_lies_between_the_bounds_and_small_ranges_are_used_up() {
        for (min, max) in [(0, 0), (5, 7), (-3, -1), (i64::MIN, i64::MIN + 1), (i64::MAX - 1, i64::MAX), (-1, i64::MAX)] {
            assert!((share(min, max, |value| (min..=max).contains(&value)) - 1.0).abs() < f64::EPSILON);
        }
        for wanted in -3..=-1 {
            assert!(share(-3, -1, |value| value == wanted) > 0.05);
        }
    }

    #[test]
    fn a_move_stays_inside_and_changes_the_value_where_it_can() {
        let mut random = Random::new(9, 0);
        for (min, max) in [(0, 1), (-5, 5), (i64::MIN, i64::MAX)] {
            let mut value = min;
            for _ in 0..1_000 {
                let next = moved_integer(&mut random, value, min, max);
                assert!(next != value && (min..=max).contains(&next), "{value} to {next} in {min}..={max}");
                value = next;
            }
        }
        assert_eq!(moved_integer(&mut random, 4, 4, 4), 4);
    }
}
