//! What a service does with a tracked value: the numbers by which hooks tell it, and the names by which drivers do.

/// What the name of a usage begins with when it is of a part of a tracked value.
pub const PART_PREFIX: &str = "part_";
/// What is added to the number of a usage then.
pub const PART: u16 = 128;
/// What is added to the number that a hook is given in a class of the service: operands that are no tracked values may be
/// parts of one, or hold one.
pub(crate) const CLOSELY: i32 = 256;

/// What was done with a tracked value (`instrumentation.md` 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Usage {
    /// It was compared with the other operand, which may be one of the members of a collection, the keys of a map, the
    /// constants of an enum or the cases of a switch.
    Equals,
    /// The same in any case.
    EqualsIgnoreCase,
    /// Whether it begins with the other operand.
    StartsWith,
    /// Whether it ends with it.
    EndsWith,
    /// Whether it holds it.
    Contains,
    /// Whether all of it is of the language of a regular expression.
    Matches,
    /// Whether a part of it is.
    Find,
    /// It was read as a boolean.
    Boolean,
    /// It was read as a whole number.
    Integer,
    /// It was read as a number.
    Number,
    /// It was read as `2019-12-31`.
    Date,
    /// It was read as `23:59` or longer.
    Time,
    /// It was read as `2019-12-31T23:59` or longer.
    DateTime,
    /// It was read as `2019-12-31T23:59:59Z`.
    Instant,
    /// It was read as `2019-12-31T23:59+01:00[Europe/Paris]` or shorter.
    ZonedDateTime,
    /// It was read as `2019-12-31T23:59+01:00` or longer.
    OffsetDateTime,
    /// It was read as `2019`.
    Year,
    /// It was read as `2019-12`.
    YearMonth,
    /// It was read as `PT1H`.
    Duration,
    /// It was read as a UUID.
    Uuid,
    /// It was read as a URI.
    Uri,
    /// It was read as a URL.
    Url,
    /// It was decoded.
    Base64,
    /// It was read as the code of a currency.
    Currency,
    /// It was split where it matches a regular expression of Java.
    Split,
    /// What URLs write otherwise was decoded.
    UrlDecoded,
}

impl Usage {
    /// All of them, in the order of their numbers.
    pub const ALL: [Usage; 26] = [
        Usage::Equals,
        Usage::EqualsIgnoreCase,
        Usage::StartsWith,
        Usage::EndsWith,
        Usage::Contains,
        Usage::Matches,
        Usage::Find,
        Usage::Boolean,
        Usage::Integer,
        Usage::Number,
        Usage::Date,
        Usage::Time,
        Usage::DateTime,
        Usage::Instant,
        Usage::ZonedDateTime,
        Usage::OffsetDateTime,
        Usage::Year,
        Usage::YearMonth,
        Usage::Duration,
        Usage::Uuid,
        Usage::Uri,
        Usage::Url,
        Usage::Base64,
        Usage::Currency,
        Usage::Split,
        Usage::UrlDecoded,
    ];

    /// The usage that a hook tells by this number.
    pub fn of_number(number: u16) -> Option<Usage> {
        Usage::ALL.get(usize::from(number)).copied()
    }

    /// The number by which hooks tell it.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// The name by which drivers tell it.
    pub fn name(self) -> &'static str {
        match self {
            Usage::Equals => "equals",
            Usage::EqualsIgnoreCase => "equals_ignore_case",
            Usage::StartsWith => "starts_with",
            Usage::EndsWith => "ends_with",
            Usage::Contains => "contains",
            Usage::Matches => "matches",
            Usage::Find => "find",
            Usage::Boolean => "boolean",
            Usage::Integer => "integer",
            Usage::Number => "number",
            Usage::Date => "date",
            Usage::Time => "time",
            Usage::DateTime => "date_time",
            Usage::Instant => "instant",
            Usage::ZonedDateTime => "zoned_date_time",
            Usage::OffsetDateTime => "offset_date_time",
            Usage::Year => "year",
            Usage::YearMonth => "year_month",
            Usage::Duration => "duration",
            Usage::Uuid => "uuid",
            Usage::Uri => "uri",
            Usage::Url => "url",
            Usage::Base64 => "base64",
            Usage::Currency => "currency",
            Usage::Split => "split",
            Usage::UrlDecoded => "url_decoded",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Usage;

    #[test]
    fn numbers_and_names_tell_usages_apart() {
        for (number, usage) in (0..).zip(Usage::ALL) {
            assert_eq!((Usage::of_number(number), usage.number()), (Some(usage), i32::from(number)));
        }
        assert_eq!(Usage::ALL.iter().map(|usage| usage.name()).collect::<BTreeSet<_>>().len(), Usage::ALL.len());
        let java = include_str!("../../java/Tracking.java");
        let usages = [
            ("EQUALS", Usage::Equals),
            ("EQUALS_IGNORE_CASE", Usage::EqualsIgnoreCase),
            ("STARTS_WITH", Usage::StartsWith),
            ("ENDS_WITH", Usage::EndsWith),
            ("CONTAINS", Usage::Contains),
            ("MATCHES", Usage::Matches),
        ];
        let numbers = usages.map(|(name, usage)| (name, usage.number()));
        for (name, number) in numbers.into_iter().chain([("PART", i32::from(super::PART)), ("CLOSELY", super::CLOSELY)]) {
            assert!(java.contains(&format!("int {name} = {number};")), "{name}");
        }
    }
}
