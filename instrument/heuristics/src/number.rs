//! Texts of whole numbers, indices, and the ranges of a calendar.
//!
//! `d` of a text is the sum over its positions of the distance to the nearest char allowed there: digits, and a sign in the
//! first of at least two (paper, section 4, *Integer.parseInt*). Differences from the source: `+` is a sign as well, as in
//! Java; digits of other scripts are digits; a text without chars lacks one; a number that is too large is as far as it is
//! from the range, at least 1.

use std::ops::RangeInclusive;

use crate::{LOOK, MISSING, UNSURE, narrow, outside};

/// First digits of the decimal digits beyond ASCII below U+10000, general category Nd.
const ZEROS: [u16; 36] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50, 0x0ed0,
    0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
    0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// `Integer.parseInt(text, radix)` and those of other ranges; without range `new BigInteger(text, radix)`.
///
/// The radix is in `2..=36`, else the distance is [`crate::UNKNOWN`].
pub fn integer(text: &[u16], radix: u16, range: Option<RangeInclusive<i64>>) -> f32 {
    if !(2..=36).contains(&radix) {
        return crate::UNKNOWN;
    }
    let Some(&first) = text.first() else { return MISSING as f32 };
    let nearest = to_digit(first, radix);
    if text.len() == 1 || nearest == 0 {
        return digits(text, radix, 0, false, range);
    }
    let sign = first.abs_diff(u16::from(b'-')).min(first.abs_diff(u16::from(b'+')));
    digits(&text[1..], radix, sign.min(nearest).into(), first == u16::from(b'-'), range)
}

/// `Integer.decode(text)` and those of other ranges: a sign, then `0x`, `0X`, `#` or `0` for another radix.
pub fn decode(text: &[u16], range: RangeInclusive<i64>) -> f32 {
    let is = |at: usize, wanted: &str| text.get(at).is_some_and(|unit| wanted.bytes().any(|byte| u16::from(byte) == *unit));
    let signed = is(0, "+-");
    let start = usize::from(signed);
    let (radix, from) = if is(start, "0") && is(start + 1, "xX") {
        (16, start + 2)
    } else if is(start, "#") {
        (16, start + 1)
    } else if is(start, "0") && text.len() > start + 1 {
        (8, start + 1)
    } else {
        (10, start)
    };
    match text.get(from..) {
        _ if from == 0 => integer(text, 10, Some(range)),
        // A sign alone is as near to a number as a char of another kind.
        Some([]) if radix == 10 => to_digit(text[0], 10).into(),
        None | Some([]) => MISSING as f32,
        Some(rest) => digits(rest, radix, 0, is(0, "-"), Some(range)),
    }
}

/// The distance of chars to digits, to what was found before; or, of a number, to the range.
fn digits(text: &[u16], radix: u16, before: i64, negative: bool, range: Option<RangeInclusive<i64>>) -> f32 {
    let seen = &text[..text.len().min(LOOK)];
    let sum = before + seen.iter().map(|unit| i64::from(to_digit(*unit, radix))).sum::<i64>();
    match range {
        Some(range) if sum == 0 => beyond(seen, radix, negative, &range),
        _ if sum == 0 && seen.len() < text.len() => UNSURE,
        _ => sum as f32,
    }
}

/// How far the number that these digits tell is from the range, which holds 0.
fn beyond(digits: &[u16], radix: u16, negative: bool, range: &RangeInclusive<i64>) -> f32 {
    let values = digits.iter().map(|unit| digit_value(*unit, radix).unwrap_or(0));
    let bound = if negative { -i128::from(*range.start()) } else { i128::from(*range.end()) };
    let exact = values.clone().try_fold(0i128, |value, digit| {
        let longer = value * i128::from(radix) + i128::from(digit);
        (longer < EXACT).then_some(longer)
    });
    if let Some(exact) = exact {
        return narrow((exact - bound).max(0) as f64);
    }
    let value = values.fold(0.0, |value, digit| value * f64::from(radix) + f64::from(digit));
    narrow(value - bound as f64)
}

/// Below this, numbers are told apart exactly.
const EXACT: i128 = 18_000_000_000_000_000_000;

/// How far a unit is from the nearest digit of ASCII; 0 for digits of other scripts as well.
pub(crate) fn to_digit(unit: u16, radix: u16) -> u16 {
    if digit_value(unit, radix).is_some() {
        return 0;
    }
    let letters = |first: u8| (radix > 10).then(|| to_range(unit, first.into(), u16::from(first) + radix.saturating_sub(11)));
    let numerals = to_range(unit, b'0'.into(), u16::from(b'0') + radix.min(10) - 1);
    [letters(b'a'), letters(b'A')].into_iter().flatten().fold(numerals, u16::min)
}

fn to_range(unit: u16, low: u16, high: u16) -> u16 {
    low.saturating_sub(unit).max(unit.saturating_sub(high))
}

/// The value of a digit as `Character.digit` tells it: letters of full width are some.
fn digit_value(unit: u16, radix: u16) -> Option<u16> {
    let value = match unit {
        0x30..=0x39 => unit - 0x30,
        0x41..=0x5a => unit - 0x41 + 10,
        0x61..=0x7a => unit - 0x61 + 10,
        0xff21..=0xff3a => unit - 0xff21 + 10,
        0xff41..=0xff5a => unit - 0xff41 + 10,
        _ => ZEROS.iter().find_map(|zero| unit.checked_sub(*zero).filter(|value| *value < 10))?,
    };
    (value < radix).then_some(value)
}

/// An index of a list or array is below its length and not negative: by how much it is out of range.
pub fn index(index: i32, length: i32) -> f32 {
    if index < 0 {
        -(index as f32)
    } else if index < length {
        0.0
    } else {
        (i64::from(index) - i64::from(length) + 1) as f32
    }
}

/// `LocalDate.of(year, month, day)`: how far the three are from their ranges, in years, months and days.
pub fn date(year: i32, month: i32, day: i32) -> f32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let years = outside(year.into(), -999_999_999, 999_999_999);
    (years + outside(month.into(), 1, 12) + outside(day.into(), 1, days)) as f32
}

/// `LocalTime.of(hour, minute, second, nano)`: how far the four are from their ranges.
pub fn time(hour: i32, minute: i32, second: i32, nano: i32) -> f32 {
    let parts = outside(hour.into(), 0, 23) + outside(minute.into(), 0, 59) + outside(second.into(), 0, 59);
    (parts + outside(nano.into(), 0, 999_999_999)) as f32
}
