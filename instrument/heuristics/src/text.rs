//! Comparisons of texts: `String.equals` and its kind.
//!
//! `d` is the sum over positions of the absolute difference of UTF-16 units, and [`MISSING`] for each position that one text
//! lacks (paper, section 4, *String.equals*; after Alshraideh and Bottaci 2006). Units: differences of code units, in
//! `[0, 65536 * length]`.
//!
//! Differences from the source: only the first 16,384 positions are summed up, and what is behind them counts 1 when it
//! differs and nothing in front does; `equalsIgnoreCase` compares lower case of upper case, as Java does, and not lower case.

use crate::{LOOK, MISSING, Side, UNKNOWN, side};

/// Where it may take more comparisons than these, it is not found out whether a part is in a text.
const SOUGHT: usize = 1 << 22;

/// How many units are compared to find the nearest place of a part in a text.
const STEPS: usize = 100_000;

/// Whether texts that differ in case only are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// They are not.
    Sensitive,
    /// They are.
    Ignored,
}

/// `text.equals(other)`, `contentEquals`.
pub fn equal(text: &[u16], other: &[u16]) -> f32 {
    equal_with(text, other, Case::Sensitive)
}

/// `text.equalsIgnoreCase(other)` when case is ignored, else [`equal`].
pub fn equal_with(text: &[u16], other: &[u16], case: Case) -> f32 {
    let n = text.len().min(other.len());
    let missing = text.len().max(other.len()) - n;
    single(span(&text[..n], &other[..n], case, missing == 0) + MISSING * count(missing))
}

/// The differences of two texts of the same length; where these are all, one behind the first [`LOOK`] counts 1.
fn span(one: &[u16], other: &[u16], case: Case, all: bool) -> i64 {
    let seen = one.len().min(LOOK);
    let sum = one[..seen].iter().zip(other).map(|(one, other)| difference(*one, *other, case)).sum();
    let rest = || one[seen..].iter().zip(&other[seen..]).any(|(one, other)| difference(*one, *other, case) != 0);
    if all && sum == 0 && rest() { 1 } else { sum }
}

fn difference(one: u16, other: u16, case: Case) -> i64 {
    match case {
        Case::Sensitive => i64::from(one.abs_diff(other)),
        Case::Ignored => i64::from(fold(one).abs_diff(fold(other))),
    }
}

/// A unit in lower case of its upper case, one to one as `Character.toUpperCase` and `toLowerCase`.
pub fn fold(unit: u16) -> u16 {
    char::from_u32(u32::from(unit)).map_or(unit, |c| unit_of(lower(upper(c)), unit))
}

fn unit_of(c: char, otherwise: u16) -> u16 {
    u16::try_from(u32::from(c)).unwrap_or(otherwise)
}

/// The upper case of a char where it is one char.
pub(crate) fn upper(c: char) -> char {
    let mut all = c.to_uppercase();
    match (all.next(), all.next()) {
        (Some(one), None) => one,
        _ => title(c),
    }
}

/// Greek letters with an iota below have an upper case of two chars, and one char in titles, which is Java's upper case.
fn title(c: char) -> char {
    let by = match u32::from(c) {
        0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7 => 8,
        0x1fb3 | 0x1fc3 | 0x1ff3 => 9,
        _ => 0,
    };
    char::from_u32(u32::from(c) + by).unwrap_or(c)
}

/// The lower case of a char where it is one char; of the dotted capital I it is the dotted i.
pub(crate) fn lower(c: char) -> char {
    let mut all = c.to_lowercase();
    match (all.next(), all.next()) {
        (Some(one), None) => one,
        _ if c == '\u{130}' => 'i',
        _ => c,
    }
}

/// `text.startsWith(prefix, offset)`.
pub fn starts_with(text: &[u16], prefix: &[u16], offset: i32) -> f32 {
    let n = i32::try_from(prefix.len()).unwrap_or(i32::MAX);
    region_matches((text, offset), (prefix, 0), n, Case::Sensitive)
}

/// `text.endsWith(suffix)`: against the last chars; against all of a shorter text, from its begin on.
pub fn ends_with(text: &[u16], suffix: &[u16]) -> f32 {
    let start = text.len().saturating_sub(suffix.len());
    starts_with(text, suffix, i32::try_from(start).unwrap_or(i32::MAX))
}

/// `text.regionMatches(ignoreCase, from, other, otherFrom, n)`; each text comes with where its region begins.
///
/// Positions of a region that are not in its text are missing. With `n <= 0`: [`MISSING`] for each position by which a begin
/// is out of its text.
pub fn region_matches(one: (&[u16], i32), other: (&[u16], i32), n: i32, case: Case) -> f32 {
    let [from, other_from, n] = [one.1, other.1, n].map(i64::from);
    let [length, other_length] = [one.0.len(), other.0.len()].map(count);
    if n <= 0 {
        let outside = crate::outside(from, 0, length - n) + crate::outside(other_from, 0, other_length - n);
        return single(MISSING * outside);
    }
    let first = 0.max(-from).max(-other_from);
    let last = n.min(length - from).min(other_length - other_from);
    if last <= first {
        return single(MISSING * n);
    }
    let region = |from: i64| {
        // The region is in the text.
        let [start, end] = [from + first, from + last].map(|at| usize::try_from(at).unwrap_or(0));
        start..end
    };
    let sum = span(&one.0[region(from)], &other.0[region(other_from)], case, last - first == n);
    single(sum + MISSING * (n - (last - first)))
}

/// `text.contains(part)`, and `text.indexOf(part, from) >= 0`: the least of [`equal`] over all places.
///
/// One comparison when the text is shorter (paper, *String.contains*). Places are tried from the first on until 100,000
/// units were compared. At least 1 where it takes too long to find out that the part is there.
pub fn contains(text: &[u16], part: &[u16], from: i32) -> f32 {
    let start = usize::try_from(from).unwrap_or(0).min(text.len());
    let text = &text[start..];
    if text.len() < part.len() {
        return equal(text, part);
    }
    let is_found_out = (text.len() - part.len()).saturating_mul(part.len()) <= SOUGHT;
    if part.is_empty() || is_found_out && text.windows(part.len()).any(|window| window == part) {
        return 0.0;
    }
    match nearest(text, part) {
        // Of a longer part not all units were compared.
        0 if part.len() > LOOK => 1.0,
        best => single(best),
    }
}

fn nearest(text: &[u16], part: &[u16]) -> i64 {
    let mut best = i64::MAX;
    let mut steps = 0;
    for window in text.windows(part.len()) {
        if steps >= STEPS || best == 0 {
            break;
        }
        let mut sum = 0;
        for (one, other) in window.iter().zip(part).take(LOOK) {
            if sum >= best {
                break;
            }
            sum += i64::from(one.abs_diff(*other));
            steps += 1;
        }
        best = best.min(sum);
    }
    best
}

/// `text.indexOf(c, from) >= 0` of a code point; [`UNKNOWN`] when it is none.
pub fn contains_char(text: &[u16], c: i32, from: i32) -> f32 {
    let c = match u32::try_from(c) {
        Ok(c) if c < 0x10000 => c,
        Ok(c) => {
            let Some(c) = char::from_u32(c) else { return UNKNOWN };
            return contains(text, c.encode_utf16(&mut [0; 2]), from);
        }
        Err(_) => return UNKNOWN,
    };
    let text = &text[usize::try_from(from).unwrap_or(0).min(text.len())..];
    if text.iter().any(|unit| u32::from(*unit) == c) {
        return 0.0;
    }
    let differences = text.iter().take(LOOK).map(|unit| i64::from(u32::from(*unit).abs_diff(c)));
    single(differences.min().unwrap_or(MISSING).max(1))
}

/// `text.compareTo(other)` or `compareToIgnoreCase`: how far its value is from the wanted side of 0.
///
/// The value is the difference of the first units that differ, else of the lengths; equal is as [`equal_with`].
pub fn compare(text: &[u16], other: &[u16], case: Case, wanted: Side) -> f32 {
    if wanted == Side::Equal {
        return equal_with(text, other, case);
    }
    let unit = |unit: u16| if case == Case::Ignored { fold(unit) } else { unit };
    let differences = text.iter().zip(other).map(|(one, other)| i64::from(unit(*one)) - i64::from(unit(*other)));
    let first = differences.into_iter().find(|difference| *difference != 0);
    side(first.unwrap_or_else(|| count(text.len()) - count(other.len())) as f64, wanted)
}

/// `Boolean.parseBoolean(text)` returns true: [`equal_with`] `true` in any case.
pub fn parse_boolean(text: &[u16]) -> f32 {
    equal_with(text, &crate::units("true"), Case::Ignored)
}

fn count(length: usize) -> i64 {
    i64::try_from(length).expect("a text fits into memory")
}

/// A sum as a single.
fn single(sum: i64) -> f32 {
    sum as f32
}
