//! Calendar dates as the service takes them: `YYYY-MM-DD`, proleptic Gregorian.

use std::fmt;

use serde::{Serialize, Serializer};

/// A valid date of the years 0000 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The date written as exactly `YYYY-MM-DD`, if there is such a day.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let digits = |from: usize, to: usize| bytes[from..to].iter().all(u8::is_ascii_digit);
        if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' || !digits(0, 4) || !digits(5, 7) || !digits(8, 10) {
            return None;
        }
        let date = Self { year: text[..4].parse().ok()?, month: text[5..7].parse().ok()?, day: text[8..].parse().ok()? };
        let valid = (1..=12).contains(&date.month) && date.day >= 1 && date.day <= days_in(date.year, date.month);
        valid.then_some(date)
    }

    /// Days since the last day before the year 0000; the next day has one more.
    pub(crate) fn day_number(self) -> u32 {
        let years = u32::from(self.year);
        // Leap days of the years before this one; the year 0000 itself is a leap year.
        let leap_days = if years == 0 { 0 } else { (years - 1) / 4 - (years - 1) / 100 + (years - 1) / 400 + 1 };
        let months: u32 = (1..self.month).map(|month| u32::from(days_in(self.year, month))).sum();
        years * 365 + leap_days + months + u32::from(self.day)
    }
}

fn days_in(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_that_do_not_exist_are_refused() {
        for text in
            ["2025-02-29", "1900-02-29", "2025-13-01", "2025-00-10", "2025-04-31", "2025-4-01", "２025-04-01", "+025-04-01"]
        {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert_eq!(Date::parse("2024-02-29").unwrap().to_string(), "2024-02-29");
    }

    #[test]
    fn day_numbers_count_leap_days() {
        let number = |text: &str| Date::parse(text).unwrap().day_number();
        assert_eq!(number("2024-03-01") - number("2024-02-28"), 2);
        assert_eq!(number("2025-01-01") - number("2024-01-01"), 366);
        assert_eq!(number("0001-01-01") - number("0000-01-01"), 366);
        assert_eq!(number("2000-01-01") - number("1900-01-01"), 36_524);
    }
}
