//! Closeness of a target as one integer, as probes store it.
//!
//! A cell only grows while a test runs, and larger is always nearer, so a probe needs one comparison whatever it measures.

/// The cell of a target that was not reached: closeness 0.
pub const UNREACHED: i32 = 0;

/// The cell of a covered target: closeness 1.
pub const COVERED: i32 = i32::MAX;

/// Closeness of a target that was reached and whose distance is infinite.
pub const BASE: f64 = 0.1;

/// The cell of a distance in [0, infinity], 0 = covered. Negative distances and NaN count as infinite.
pub fn cell_of_distance(distance: f32) -> i32 {
    let distance = if distance >= 0.0 { distance } else { f32::INFINITY };
    // The bits of non-negative floats are ordered as the floats are; adding 0.0 turns -0.0 into 0.0.
    COVERED - (distance + 0.0).to_bits().cast_signed()
}

/// The distance in a cell, in [0, infinity]; `None` when the target was not reached.
///
/// Cells that no distance can have (negative, or nearer to 0 than the one of an infinite distance) read as infinity.
pub fn distance(cell: i32) -> Option<f32> {
    if cell == UNREACHED {
        return None;
    }
    let bits = COVERED.wrapping_sub(cell).cast_unsigned();
    Some(if cell < 0 || bits > f32::INFINITY.to_bits() { f32::INFINITY } else { f32::from_bits(bits) })
}

/// Closeness of a cell in [0, 1], 1 = covered: 0 when not reached, else `b + (1 - b) / (1 + d)` with `b` = [`BASE`].
pub fn closeness(cell: i32) -> f64 {
    distance(cell).map_or(0.0, |distance| BASE + (1.0 - BASE) / (1.0 + f64::from(distance)))
}

/// The cell whose closeness is `closeness`, to the precision of a cell. Values of [`BASE`] and below, but above 0, get [`BASE`].
pub fn cell_of_closeness(closeness: f64) -> i32 {
    if closeness <= 0.0 || closeness.is_nan() {
        return UNREACHED;
    }
    if closeness >= 1.0 {
        return COVERED;
    }
    let distance = if closeness <= BASE { f64::INFINITY } else { (1.0 - BASE) / (closeness - BASE) - 1.0 };
    #[expect(clippy::cast_possible_truncation, reason = "a cell has the precision of a float")]
    let distance = distance as f32;
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
        assert_eq!(cell_of_distance(f32::INFINITY), 0x007f_ffff);
        assert!((closeness(cell_of_distance(f32::INFINITY)) - BASE).abs() < f64::EPSILON);
        assert_eq!(cell_of_distance(f32::NAN), cell_of_distance(f32::INFINITY));
        assert_eq!(cell_of_closeness(f64::NAN), UNREACHED);
    }

    #[test]
    fn distances_of_the_paper_give_its_closeness() {
        assert!((closeness(cell_of_distance(2.0)) - 0.4).abs() < 1e-9, "5 against 7");
        assert!((closeness(cell_of_distance(1.0)) - 0.55).abs() < 1e-9, "`foo` against `fop`");
        assert!((closeness(cell_of_distance(81.0)) - (0.1 + 0.9 / 82.0)).abs() < 1e-9, "`ab` as a number");
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
        fn closeness_survives(wanted in 0.100_001f64..1.0) {
            prop_assert!((closeness(cell_of_closeness(wanted)) - wanted).abs() < 1e-6);
            prop_assert!(cell_of_closeness(wanted) < COVERED);
        }
    }
}
