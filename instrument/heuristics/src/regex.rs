//! How many edits a text is away from matching a regular expression of `java.util.regex`.
//!
//! `d` is the least cost of a sequence of edits after which the text matches (Alshraideh and Bottaci 2006, *Search-based
//! software test data generation for string data using program-specific search operators*; paper, section 4,
//! *Pattern.matches*): a char replaced costs its distance to the class it should be of, at most 65,535; one inserted or
//! deleted costs 65,536. `find` may leave out chars at both ends, `lookingAt` at the end.
//!
//! The expression is read into instructions as of a Thompson automaton; then, row by row over the text, for each
//! instruction the least cost of having come there (after Wagner and Fischer 1974, with states in the place of the columns):
//!
//! ```text
//! row[start] = 0
//! for each char c:
//!     next[s] = row[s] + 65536                          delete
//!     next[t] = min(next[t], row[s] + distance(c, s))   s reads a class, then t
//!     until nothing changes:                            within the row
//!         next[t] = min(next[t], next[s])               s forks or jumps to t
//!         next[t] = min(next[t], next[s] + 65536)       s reads a class, then t: insert
//! ```
//!
//! Differences from the source: conditions such as `\b` look at the text as it is, and one that does not hold costs an edit
//! (`\b`, `\B`, `^` and `$` in several lines) or bars the way (the ends of the text). Of a text, 8,192 chars are looked at,
//! fewer when states times chars are more than a million; where loops in loops make more than four million steps of it, nothing is
//! known. Possessive quantifiers and atomic groups are read as if they gave
//! back, so nothing is [`UNSURE`] rather than 0. Look-around, back references, `\G`, `\X`, `\N`, properties of scripts and
//! blocks, the flags `CANON_EQ` and `UNICODE_CHARACTER_CLASS`, expressions of more than 8,192 UTF-16 units or 4,096
//! instructions, nested deeper than 100, or with more than 64 properties and ranges in all their cases are not understood:
//! [`UNKNOWN`].

mod automaton;
mod ranges;
mod repeat;
mod set;
mod syntax;

pub use automaton::{How, Regex};
pub use ranges::{LAST, Ranges};

#[cfg(doc)]
use crate::{UNKNOWN, UNSURE};

/// The flags of `java.util.regex.Pattern`, by their numbers there.
pub mod flag {
    /// Only LF ends a line.
    pub const UNIX_LINES: u32 = 1;
    /// Letters of ASCII match in any case.
    pub const CASE_INSENSITIVE: u32 = 2;
    /// White space and comments are left out.
    pub const COMMENTS: u32 = 4;
    /// `^` and `$` match at lines.
    pub const MULTILINE: u32 = 8;
    /// No char has a meaning.
    pub const LITERAL: u32 = 16;
    /// `.` matches ends of lines.
    pub const DOTALL: u32 = 32;
    /// With [`CASE_INSENSITIVE`]: all letters.
    pub const UNICODE_CASE: u32 = 64;
    /// Canonical equivalence; not understood.
    pub const CANON_EQ: u32 = 128;
    /// Predefined classes of all Unicode; not understood.
    pub const UNICODE_CHARACTER_CLASS: u32 = 256;
}
