//! `equals` and the order of numbers, dates and other values whose types are known.
//!
//! `d` is the absolute difference (paper, section 4, *Integer.equals*, *Date.equals*): of numbers and chars; of dates in
//! milliseconds of `Date`, days of a local date, months of a year and month, years, else seconds with their fraction.
//! [`UNKNOWN`] for null, different types, and what is not finite. Differences from the source: seconds have a fraction; values
//! that are not equal have a distance above 0 even where the difference is none, such as zeros of both signs.

use crate::{Side, UNKNOWN, narrow, side, text};

/// A value of a known type.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No object.
    Null,
    /// An object of which no more is known.
    Other,
    /// A text.
    Text(Vec<u16>),
    /// A boolean.
    Boolean(bool),
    /// A UTF-16 unit.
    Char(u16),
    /// A whole number; numbers of different width are never equal.
    Integer {
        /// How many bits its type has.
        bits: u8,
        /// Its value.
        value: i64,
    },
    /// A single.
    Float(f32),
    /// A double.
    Double(f64),
    /// A point in time, or a length of time.
    Moment {
        /// Its type.
        kind: MomentKind,
        /// Its whole units; seconds since the epoch unless the kind says otherwise.
        units: i64,
        /// Its nanoseconds beyond, below 10^9.
        nanos: u32,
        /// Seconds by which local time is ahead; 0 for kinds that have none.
        offset: i32,
    },
}

/// Types of dates and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MomentKind {
    /// `java.util.Date`, in milliseconds.
    Date,
    /// `LocalDate`, in days.
    LocalDate,
    /// `LocalTime`, in seconds of the day.
    LocalTime,
    /// `LocalDateTime`, in seconds as if it were UTC.
    LocalDateTime,
    /// `Instant`.
    Instant,
    /// `OffsetDateTime`.
    OffsetDateTime,
    /// `Year`, in years.
    Year,
    /// `YearMonth`, in months.
    YearMonth,
    /// `Duration`.
    Duration,
}

/// `one.equals(other)`.
pub fn equal(one: &Value, other: &Value) -> f32 {
    match (one, other) {
        (Value::Null, Value::Null) => 0.0,
        (Value::Text(one), Value::Text(other)) => text::equal(one, other),
        (Value::Boolean(one), Value::Boolean(other)) if one == other => 0.0,
        (Value::Float(one), Value::Float(other)) => gap_of_doubles((*one).into(), (*other).into()),
        (Value::Double(one), Value::Double(other)) => gap_of_doubles(*one, *other),
        _ => match difference(one, other) {
            Some(0.0) if one != other => tie(one, other),
            Some(difference) => narrow(difference.abs()),
            None => UNKNOWN,
        },
    }
}

/// The distance of two that are not equal and at the same place of their order: by their offsets, at least 1.
fn tie(one: &Value, other: &Value) -> f32 {
    match (one, other) {
        (Value::Moment { offset: one, .. }, Value::Moment { offset: other, .. }) => (one.abs_diff(*other) as f32).max(1.0),
        _ => 1.0,
    }
}

/// Two whole numbers are the same; no overflow at the ends of `i64`.
pub fn gap(one: i64, other: i64) -> f32 {
    one.abs_diff(other) as f32
}

/// Two doubles are the same, as `Double.equals` says: NaN is, zeros of both signs are not.
pub fn gap_of_doubles(one: f64, other: f64) -> f32 {
    if one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan() {
        return 0.0;
    }
    let difference = (one - other).abs();
    if difference == 0.0 { f32::from_bits(1) } else { narrow(difference) }
}

/// `one.compareTo(other)`, `before`, `isAfter`, `isEqual`…: how far the first is from the wanted side of the other.
pub fn ordered(one: &Value, other: &Value, wanted: Side) -> f32 {
    match (one, other) {
        (Value::Text(one), Value::Text(other)) => text::compare(one, other, text::Case::Sensitive, wanted),
        (Value::Float(one), Value::Float(other)) => side(f64::from(*one) - f64::from(*other), wanted),
        (Value::Double(one), Value::Double(other)) => side(one - other, wanted),
        _ => difference(one, other).map_or(UNKNOWN, |difference| side(difference, wanted)),
    }
}

/// By how much the first is above the other, when they are of one type and have an order.
fn difference(one: &Value, other: &Value) -> Option<f64> {
    match (one, other) {
        (Value::Char(one), Value::Char(other)) => Some(f64::from(*one) - f64::from(*other)),
        (Value::Integer { bits, value }, Value::Integer { bits: other_bits, value: other }) if bits == other_bits => {
            Some(whole(*value, *other))
        }
        (
            Value::Moment { kind, units, nanos, .. },
            Value::Moment { kind: other_kind, units: other, nanos: other_nanos, .. },
        ) if kind == other_kind => {
            let fraction = (f64::from(*nanos) - f64::from(*other_nanos)) / 1e9;
            Some(whole(*units, *other) + fraction)
        }
        _ => None,
    }
}

/// The difference of two whole numbers, exact as long as a double is.
fn whole(one: i64, other: i64) -> f64 {
    one.checked_sub(other).map_or_else(|| one as f64 - other as f64, |difference| difference as f64)
}
