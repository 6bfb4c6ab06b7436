//! Amounts as people write them: `60s`, `10m`, `2000 calls`, `10MB`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::search::Budget;

/// An amount that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// Neither a time nor a number of calls.
    #[error("found `{found}`, wanted a time such as `60s`, `10m`, `2h` or a number of calls such as `2000 calls`")]
    Budget {
        /// As given.
        found: String,
    },
    /// A number alone can mean anything.
    #[error("`{found}` has no unit: write `{found}s` for seconds or `{found} calls` for calls")]
    NoUnit {
        /// As given.
        found: String,
    },
    /// Not a time.
    #[error("found `{found}`, wanted a time such as `500ms`, `10s` or `2m`")]
    Time {
        /// As given.
        found: String,
    },
    /// Nothing may be spent.
    #[error("`{found}` is nothing: wanted more than 0")]
    Zero {
        /// As given.
        found: String,
    },
    /// Not a size.
    #[error("found `{found}`, wanted a size such as `500kB` or `10MB`")]
    Size {
        /// As given.
        found: String,
    },
}

/// A budget as given on the command line and in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetText(pub Budget);

/// A time as given on the command line and in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time(pub Duration);

/// A number of bytes as given on the command line and in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for BudgetText {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let found = || text.trim().to_owned();
        let (number, unit) = split_number(text);
        let budget = match unit.to_ascii_lowercase().as_str() {
            "" if !number.is_empty() => return Err(QuantityError::NoUnit { found: found() }),
            "calls" | "call" => Budget::Calls(parse_whole(number).ok_or_else(|| QuantityError::Budget { found: found() })?),
            _ => Budget::Time(parse_time(text).ok_or_else(|| QuantityError::Budget { found: found() })?),
        };
        match budget {
            Budget::Calls(0) | Budget::Time(Duration::ZERO) => Err(QuantityError::Zero { found: found() }),
            _ => Ok(Self(budget)),
        }
    }
}

impl fmt::Display for BudgetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Budget::Calls(calls) => write!(f, "{calls} {}", if calls == 1 { "call" } else { "calls" }),
            Budget::Time(time) => Time(time).fmt(f),
        }
    }
}

impl FromStr for Time {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let found = text.trim().to_owned();
        match parse_time(text) {
            None => Err(QuantityError::Time { found }),
            Some(Duration::ZERO) => Err(QuantityError::Zero { found }),
            Some(time) => Ok(Self(time)),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        // A minute stays `60s`: that is how budgets are mostly written.
        let units = [(3_600_000, "h"), (60_000, "m"), (1000, "s")];
        let whole = units.into_iter().find(|(unit, _)| millis.is_multiple_of(*unit) && (millis != 60_000 || *unit < 60_000));
        match whole {
            Some((unit, name)) => write!(f, "{}{name}", millis / unit),
            None => write!(f, "{millis}ms"),
        }
    }
}

impl FromStr for Size {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let wrong = || QuantityError::Size { found: text.trim().to_owned() };
        let (number, unit) = split_number(text);
        let factor: u64 = match unit.to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "k" | "kb" => 1000,
            "m" | "mb" => 1_000_000,
            "g" | "gb" => 1_000_000_000,
            "kib" => 1 << 10,
            "mib" => 1 << 20,
            "gib" => 1 << 30,
            _ => return Err(wrong()),
        };
        let number = parse_whole(number).ok_or_else(wrong)?;
        number.checked_mul(factor).map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
        match units.into_iter().find(|(unit, _)| self.0 > 0 && self.0.is_multiple_of(*unit)) {
            Some((unit, name)) => write!(f, "{}{name}", self.0 / unit),
            None => write!(f, "{}B", self.0),
        }
    }
}

/// The leading number and the unit after it, blanks between and around them dropped.
fn split_number(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '_' | ',')).unwrap_or(text.len());
    (text[..end].trim_end(), text[end..].trim_start())
}

/// A whole number, its thousands possibly kept apart: `2000`, `2,000`, `2_000`; `2,5` is none.
fn parse_whole(text: &str) -> Option<u64> {
    let mut groups = text.split([',', '_']);
    let first = groups.next()?;
    let is_grouped = first.len() <= 3 && groups.clone().all(|group| group.len() == 3);
    if groups.next().is_some() && !is_grouped {
        return None;
    }
    text.replace([',', '_'], "").parse().ok()
}

/// A time made of one or several parts: `90s`, `1h30m`, `1.5h`; none when it is no time or too long to count.
fn parse_time(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (number, tail) = split_number(rest);
        let unit_end = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let unit_ms: u32 = match tail[..unit_end].to_ascii_lowercase().as_str() {
            "ms" => 1,
            "s" | "sec" | "secs" | "second" | "seconds" => 1000,
            "m" | "min" | "mins" | "minute" | "minutes" => 60_000,
            "h" | "hour" | "hours" => 3_600_000,
            "d" | "day" | "days" => 86_400_000,
            _ => return None,
        };
        // Whole numbers stay exact; the others are meant to a few digits.
        let part = match number.parse::<u64>() {
            Ok(number) => Duration::from_millis(number.checked_mul(u64::from(unit_ms))?),
            Err(_) => Duration::try_from_secs_f64(number.parse::<f64>().ok()? * f64::from(unit_ms) / 1000.0).ok()?,
        };
        total = total.checked_add(part)?;
        rest = tail[unit_end..].trim_start();
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{BudgetText, QuantityError, Size, Time};
    use crate::search::Budget;

    fn budget(text: &str) -> Result<Budget, QuantityError> {
        text.parse::<BudgetText>().map(|budget| budget.0)
    }

    #[test]
    fn budgets_are_times_or_calls() {
        assert_eq!(budget("60s"), Ok(Budget::Time(Duration::from_mins(1))));
        assert_eq!(budget("10m"), Ok(Budget::Time(Duration::from_mins(10))));
        assert_eq!(budget("10h"), Ok(Budget::Time(Duration::from_hours(10))));
        assert_eq!(budget("1h30m"), Ok(Budget::Time(Duration::from_mins(90))));
        assert_eq!(budget("2000 calls"), Ok(Budget::Calls(2000)));
        assert_eq!(budget("2,000calls"), Ok(Budget::Calls(2000)));
        assert_eq!(budget(" 1 call "), Ok(Budget::Calls(1)));
    }

    #[test]
    fn a_budget_without_unit_names_both_readings() {
        let error = budget("2000").expect_err("a unit is wanted");
        assert_eq!(error.to_string(), "`2000` has no unit: write `2000s` for seconds or `2000 calls` for calls");
    }

    #[test]
    fn nonsense_and_nothing_are_refused() {
        for text in [
            "",
            "x",
            "10 parsecs",
            "-5s",
            "1e400s",
            "99999999999999999999h",
            "1.5 calls",
            "s",
            "2,5 calls",
            "2,0000 calls",
            "1,5h",
        ] {
            assert!(matches!(budget(text), Err(QuantityError::Budget { .. })), "{text}");
        }
        assert!(matches!(budget("0s"), Err(QuantityError::Zero { .. })));
        assert!(matches!(budget("0 calls"), Err(QuantityError::Zero { .. })));
    }

    #[test]
    fn amounts_read_back_what_they_print() {
        for text in ["500ms", "10s", "60s", "90s", "2m", "36h", "1 call", "2000 calls"] {
            assert_eq!(text.parse::<BudgetText>().map(|budget| budget.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("1500ms".parse::<Time>().map(|time| time.to_string()), Ok("1500ms".to_owned()));
        for text in ["1B", "500kB", "10MB", "3GB"] {
            assert_eq!(text.parse::<Size>().map(|size| size.to_string()), Ok(text.to_owned()));
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn whatever_is_typed_an_amount_is_more_than_nothing(text in "[0-9.,_ a-zµ]{0,24}") {
            let is_something = |budget: BudgetText| !matches!(budget.0, Budget::Calls(0) | Budget::Time(Duration::ZERO));
            proptest::prop_assert!(text.parse().map_or(true, is_something));
            proptest::prop_assert!(text.parse::<Time>().map_or(true, |time| time.0 > Duration::ZERO));
            // Sizes may be anything; reading one must only end.
            let _ = text.parse::<Size>();
        }

        #[test]
        fn every_budget_reads_back_what_it_prints(calls in 1..u64::MAX, millis in 1..10_000_000_000_u64) {
            for budget in [Budget::Calls(calls), Budget::Time(Duration::from_millis(millis))] {
                proptest::prop_assert_eq!(BudgetText(budget).to_string().parse(), Ok(BudgetText(budget)));
            }
        }
    }

    #[test]
    fn sizes_know_both_families_of_units() {
        assert_eq!("2KiB".parse(), Ok(Size(2048)));
        assert_eq!("2k".parse(), Ok(Size(2000)));
        assert!("2 parsecs".parse::<Size>().is_err());
        assert!("99999999999999999999".parse::<Size>().is_err());
    }
}
