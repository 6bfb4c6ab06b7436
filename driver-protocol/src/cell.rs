//! Closeness of a target as one integer, as probes store it.
//!
//! A cell only grows while a test runs, and larger is always nearer, so a probe needs one comparison whatever it measures.

/// The cell of a target that was not reached: closeness 0.
pub const UNREACHED: i32 = 0;

/// The cell of a covered target: closeness 1.
pub const COVERED: i32 = i32::MAX;

/// The cell of a distance of at least 0, 0 = covered. Infinite, negative and no distances (NaN) count as the largest number.
pub fn cell_of_distance(distance: f32) -> i32 {
    let distance = if distance >= 0.0 { distance.min(f32::MAX) } else { f32::MAX };
    // The bits of non-negative floats are ordered as the floats are; adding 0.0 turns -0.0 into 0.0.
    COVERED - (distance + 0.0).to_bits().cast_signed()
}

/// The distance in a cell, from 0 to the largest number; `None` when the target was not reached.
///
/// Cells that no distance has (negative, or nearer to 0 than the one of the largest distance) read as the largest.
pub fn distance(cell: i32) -> Option<f32> {
    if cell == UNREACHED {
        return None;
    }
    let bits = COVERED.wrapping_sub(cell).cast_unsigned();
    Some(if cell < 0 || bits > f32::MAX.to_bits() { f32::MAX } else { f32::from_bits(bits) })
}

/// Closeness of a cell in [0, 1], 1 = covered: 0 when not reached, else `1 / (1 + d)`, which is more than 0.
pub fn closeness(cell: i32) -> f64 {
    distance(cell).map_or(0.0, |distance| 1.0 / (1.0 + f64::from(distance)))
}

/// The cell whose closeness is `closeness`, to the precision of a cell: how any measure in [0, 1] becomes a cell.
pub fn cell_of_closeness(closeness: f64) -> i32 {
    if closeness <= 0.0 || closeness.is_nan() {
        return UNREACHED;
    }
    if closeness >= 1.0 {
        return COVERED;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a cell has the precision of a float")]
    let distance = (1.0 / closeness - 1.0) as f32;
    // What is not covered must not look covered because of rounding.
    cell_of_distance(distance.max(f32::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ends_of_the_range_are_exact() {
        assert!(closeness(UNREACHED).abs() < f64::EPSILON);
        assert!((closeness(COVERED) - 1.0).abs() < f64::EPSILON);
        assert_eq!(cell_of_distance(0.0), COVERED);
        assert_eq!(cell_of_distance(-0.0), COVERED);
        assert_eq!(cell_of_distance(f32::INFINITY), 0x0080_0000);
        assert!(closeness(cell_of_distance(f32::INFINITY)) > 0.0, "reached is more than not reached");
        assert_eq!(cell_of_distance(f32::NAN), cell_of_distance(f32::MAX));
        assert_eq!(cell_of_closeness(f64::NAN), UNREACHED);
    }

    #[test]
    fn closeness_of_a_distance_and_back() {
        assert!((closeness(cell_of_distance(1.0)) - 0.5).abs() < 1e-9, "43 against 42");
        assert!((closeness(cell_of_distance(41.0)) - 1.0 / 42.0).abs() < 1e-9, "1 against 42");
        assert!((closeness(cell_of_closeness(0.55)) - 0.55).abs() < 1e-6, "`foo` against `fop`");
    }

    proptest! {
        #[test]
        fn nearer_is_larger(near in 0.0f32.., far in 0.0f32..) {
            prop_assume!(near < far);
            prop_assert!(cell_of_distance(near) > cell_of_distance(far));
            prop_assert!(closeness(cell_of_distance(near)) >= closeness(cell_of_distance(far)));
            prop_assert_eq!(distance(cell_of_distance(near)), Some(near));
        }

        #[test]
        fn any_integer_is_a_closeness(cell: i32) {
            prop_assert!((0.0..=1.0).contains(&closeness(cell)));
        }

        #[test]
        fn closeness_survives(wanted in 0.000_001f64..1.0) {
            prop_assert!((closeness(cell_of_closeness(wanted)) - wanted).abs() < 1e-6);
            prop_assert!(cell_of_closeness(wanted) < COVERED);
        }
    }
}
