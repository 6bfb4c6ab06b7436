//! The classes of chars that `Character.isX` tells.
//!
//! `d` is the difference of code points to the nearest member of the class, as far as 512; from farther to the last member
//! in ASCII. The paper has no such row; the rule is that of its numbers. Which code points are members depends on the
//! version of Unicode, here that of `regex-syntax`, in a JVM the JVM's.

use std::sync::OnceLock;

use crate::UNKNOWN;
use crate::regex::{LAST, Ranges};

/// How far away a member is looked for.
const NEAR: u32 = 512;

/// A class of chars; the numbers are those that the Java side uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharacterKind {
    /// `isDigit`: general category Nd.
    Digit = 0,
    /// `isLetter`: categories Lu, Ll, Lt, Lm, Lo.
    Letter = 1,
    /// `isLetterOrDigit`.
    LetterOrDigit = 2,
    /// `isUpperCase`: property Uppercase.
    UpperCase = 3,
    /// `isLowerCase`: property Lowercase.
    LowerCase = 4,
    /// `isWhitespace`: separators but for those that do not break, and some controls.
    Whitespace = 5,
    /// `isAlphabetic`: property Alphabetic.
    Alphabetic = 6,
    /// `isSpaceChar`: categories Zs, Zl, Zp.
    SpaceChar = 7,
    /// `isISOControl`.
    IsoControl = 8,
}

/// All kinds, in the order of their numbers: class as `regex-syntax` reads it, and the last member in ASCII.
const KINDS: [(CharacterKind, &str, u32); 9] = [
    (CharacterKind::Digit, r"\p{Nd}", 0x39),
    (CharacterKind::Letter, r"\p{L}", 0x7a),
    (CharacterKind::LetterOrDigit, r"[\p{L}\p{Nd}]", 0x7a),
    (CharacterKind::UpperCase, r"\p{Uppercase}", 0x5a),
    (CharacterKind::LowerCase, r"\p{Lowercase}", 0x7a),
    (CharacterKind::Whitespace, r"[[\p{Z}--\u00a0\u2007\u202f]\t-\r\x1c-\x1f]", 0x20),
    (CharacterKind::Alphabetic, r"\p{Alphabetic}", 0x7a),
    (CharacterKind::SpaceChar, r"\p{Z}", 0x20),
    (CharacterKind::IsoControl, r"[\x00-\x1f\x7f-\x9f]", 0x7f),
];

impl CharacterKind {
    /// The kind of this number.
    pub fn of(number: usize) -> Option<CharacterKind> {
        KINDS.get(number).map(|(kind, ..)| *kind)
    }
}

/// `Character.isDigit(c)` and the like; [`UNKNOWN`] when `c` is no code point.
pub fn distance(kind: CharacterKind, c: i32) -> f32 {
    static CLASSES: [OnceLock<Ranges>; KINDS.len()] = [const { OnceLock::new() }; KINDS.len()];
    let Some(c) = u32::try_from(c).ok().filter(|c| *c <= LAST) else { return UNKNOWN };
    let (_, class, last) = KINDS[kind as usize];
    // Each of the classes is one, as a test sees.
    let ranges = CLASSES[kind as usize].get_or_init(|| Ranges::of_class(class).unwrap_or_default());
    match ranges.distance(c) {
        Some(distance) if distance <= NEAR => distance as f32,
        _ => c.saturating_sub(last) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::{CharacterKind, KINDS};
    use crate::regex::Ranges;

    #[test]
    fn kinds_stand_at_their_numbers_and_have_classes() {
        for (number, (kind, class, last)) in KINDS.iter().enumerate() {
            assert_eq!(CharacterKind::of(number), Some(*kind));
            assert_eq!(*kind as usize, number);
            assert_eq!(Ranges::of_class(class).unwrap().distance(*last), Some(0), "{kind:?}");
        }
    }
}
