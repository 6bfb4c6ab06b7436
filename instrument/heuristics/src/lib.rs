//! How far a call of a library is from returning true, or from returning where it may throw.
//!
//! Distances are 0 when it does and the higher the farther ([`UNKNOWN`]: no more is known than that it does not).
//! They come from method replacements as in Arcuri and Galeotti, *Enhancing search-based testing with testability
//! transformations*, section 4; each module says where it differs. Texts are UTF-16 units, as Java's are. The same functions
//! in Java stand in `instrument/java`; both run the vectors of `vectors/`, and a test compares them on random inputs.
//!
//! ```
//! use restive_heuristics::{closeness, text, units};
//!
//! let distance = text::equal(&units("foo"), &units("fop"));
//! assert_eq!(distance, 1.0);
//! assert!((closeness(distance) - 0.55).abs() < 1e-9);
//! ```

pub mod character;
pub mod format;
pub mod member;
pub mod number;
pub mod pattern;
pub mod regex;
pub mod text;
pub mod value;

/// The distance when nothing is known beyond that the call does not do it; closeness [`BASE`].
pub const UNKNOWN: f32 = f32::MAX;

/// The distance when all that was looked at fits and the call may fail for other reasons; less than any difference seen.
pub const UNSURE: f32 = 0.5;

/// The closeness of a call that was made, of which no more is known; `b` of the paper, section 4.
pub const BASE: f64 = 0.1;

/// What a char costs that one of two texts lacks: one more than any two UTF-16 units differ (paper, *String.equals*).
pub const MISSING: i64 = 65_536;

/// How many chars of a text are looked at, so that work is bounded.
const LOOK: usize = 16_384;

/// Closeness `b + (1 - b) / (1 + d)` of a distance at least 0: in `[b, 1]`, 1 is covered (paper, section 4).
pub fn closeness(distance: f32) -> f64 {
    BASE + (1.0 - BASE) / (1.0 + f64::from(distance))
}

/// Closeness `1 / (1 + l)` of a text or collection with `l` elements to being empty (paper, *Collection.isEmpty*).
pub fn closeness_to_empty(length: usize) -> f64 {
    1.0 / (1.0 + length as f64)
}

/// The UTF-16 units of a text.
pub fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// Which outcome of a comparison is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first is below the other.
    Below,
    /// They are the same.
    Equal,
    /// The first is above the other.
    Above,
}

/// How far a difference of two numbers is from the wanted side, with `K = 1` for `<` as in branch distance (Korel 1990).
///
/// NaN is [`UNKNOWN`].
pub fn side(difference: f64, side: Side) -> f32 {
    let sign = match side {
        Side::Equal if difference.is_nan() => return UNKNOWN,
        Side::Equal => return narrow(difference.abs()),
        Side::Below => -1.0,
        Side::Above => 1.0,
    };
    if difference.is_nan() {
        UNKNOWN
    } else if sign * difference > 0.0 {
        0.0
    } else {
        narrow(1.0 - sign * difference)
    }
}

/// A distance as a single: above 0 stays above 0, and what is too large is the largest.
#[expect(clippy::cast_possible_truncation, reason = "what is too large was sorted out, and the rest is rounded")]
fn narrow(distance: f64) -> f32 {
    if distance == 0.0 {
        0.0
    } else if distance < f64::from(UNKNOWN) {
        // The least single above 0.
        (distance as f32).max(f32::from_bits(1))
    } else {
        UNKNOWN
    }
}

/// How far a number is from a range.
fn outside(number: i64, low: i64, high: i64) -> i64 {
    if number < low {
        low - number
    } else if number > high {
        number - high
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{Side, UNKNOWN, closeness, closeness_to_empty, side};

    /// The distances to below, equal, and above, as bits, which can be compared.
    fn sides(difference: f64) -> [u32; 3] {
        [Side::Below, Side::Equal, Side::Above].map(|wanted| side(difference, wanted).to_bits())
    }

    #[test]
    fn closeness_is_as_the_paper_computes_it() {
        for (distance, expected) in [(0.0, 1.0), (1.0, 0.55), (2.0, 0.4), (65_536.0, 0.1 + 0.9 / 65_537.0), (UNKNOWN, 0.1)] {
            assert!((closeness(distance) - expected).abs() < 1e-12, "{distance}");
        }
        assert!([(0, 1.0), (3, 0.25)].iter().all(|(length, expected)| (closeness_to_empty(*length) - expected).abs() < 1e-12));
    }

    #[test]
    fn distance_to_a_side_is_that_of_a_branch() {
        assert_eq!(sides(2.0), [3.0f32, 2.0, 0.0].map(f32::to_bits));
        assert_eq!(sides(0.0), [1.0f32, 0.0, 1.0].map(f32::to_bits));
        assert_eq!(sides(f64::NAN), [UNKNOWN; 3].map(f32::to_bits));
    }
}
