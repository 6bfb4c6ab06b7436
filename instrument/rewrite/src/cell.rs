//! How near a target was, in one `int`: 0 not reached, [`COVERED`], and between them the nearer the higher.
//!
//! A distance above 0 is `COVERED - bits`, where `bits` is the distance as an IEEE 754 single, whose order as an integer is
//! that of the numbers. So the better of two cells is the larger one, and storing needs no division.

/// The cell of a target that is covered.
pub const COVERED: i32 = 0x7fff_ffff;

/// The value of an entry of `MARKS` for a target that is covered.
pub const MARK_COVERED: i16 = 1;
/// The value of an entry of `MARKS` for a call that has not returned: it threw, or it still runs.
pub const MARK_CALLED: i16 = 2;
/// The value for a call that has returned.
pub const MARK_RETURNED: i16 = 3;

/// The cell of a target at this distance, which is 0 (covered) or more; NaN counts as the largest.
pub fn from_distance(distance: f32) -> i32 {
    if distance <= 0.0 {
        return COVERED;
    }
    let distance = if distance.is_nan() { f32::MAX } else { distance.min(f32::MAX) };
    COVERED - distance.to_bits().cast_signed()
}

/// The distance that a cell tells, at least 0; none when the target was not reached.
pub fn distance(cell: i32) -> Option<f32> {
    (cell > 0).then(|| f32::from_bits((COVERED - cell).cast_unsigned()))
}

/// The closeness that a cell tells: 0 not reached, 1 covered, else `1 / (1 + distance)`.
pub fn closeness(cell: i32) -> f64 {
    distance(cell).map_or(0.0, |distance| 1.0 / (1.0 + f64::from(distance)))
}

/// Folds the marks of lines, calls and switches into the cells; both are indexed by target id.
///
/// A call that did not return covers the `throws` target behind it and leaves closeness 0.5 on its own, where nothing better
/// is known; a call that did return the other way round.
pub fn merge(marks: &[i16], cells: &mut [i32]) {
    for (chunk_idx, chunk) in marks.chunks(8).enumerate() {
        // Most marks are 0: eight at a time.
        if chunk.iter().fold(0, |all, mark| all | mark) != 0 {
            for (idx, mark) in chunk.iter().enumerate() {
                merge_mark(*mark, chunk_idx * 8 + idx, cells);
            }
        }
    }
}

fn merge_mark(mark: i16, id: usize, cells: &mut [i32]) {
    let is_told = cells.get(id).is_some_and(|cell| *cell > 0);
    let (own, next) = match mark {
        MARK_COVERED => (COVERED, 0),
        // How far it was from returning is known better.
        MARK_CALLED if is_told => (0, COVERED),
        MARK_CALLED => (from_distance(1.0), COVERED),
        MARK_RETURNED => (COVERED, from_distance(1.0)),
        _ => return,
    };
    for (id, cell) in [(id, own), (id + 1, next)] {
        if let Some(known) = cells.get_mut(id) {
            *known = cell.max(*known);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{COVERED, closeness, distance, from_distance, merge};

    #[test]
    fn ends_of_the_scale_are_covered_and_barely_reached() {
        assert_eq!(from_distance(0.0), COVERED);
        assert!(from_distance(f32::MIN_POSITIVE) < COVERED);
        for far in [f32::MAX, f32::INFINITY, f32::NAN] {
            assert_eq!(distance(from_distance(far)), Some(f32::MAX));
        }
        assert!(from_distance(f32::MAX) > 0);
        assert_eq!(distance(0), None);
        assert_eq!(closeness(from_distance(1.0)).to_bits(), 0.5f64.to_bits());
    }

    #[test]
    fn marks_become_cells() {
        let mut cells = vec![0; 12];
        cells[11] = 7;
        cells[8] = 9;
        merge(&[0, 1, 0, 2, 0, 3, 0, 0, 2, 0, 0, 0], &mut cells);
        let half = from_distance(1.0);
        assert_eq!(cells, [0, COVERED, 0, half, COVERED, COVERED, half, 0, 9, COVERED, 0, 7]);
    }

    proptest! {
        #[test]
        fn nearer_is_higher_and_nothing_is_lost(one in 0.0f32..f32::MAX, other in 0.0f32..f32::MAX) {
            prop_assert_eq!(one < other, from_distance(one) > from_distance(other));
            prop_assert_eq!(distance(from_distance(one)), Some(one));
        }
    }
}
