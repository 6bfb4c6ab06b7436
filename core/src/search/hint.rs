//! What the service did with a tracked value, as a driver tells it, and what that makes of the gene the value came from.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::gene::{Form, Lens, Specialisation, TextForm};

/// The service used a value of the call: it was an operand of a library method (paper 004, section 5).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hint {
    /// The value, or the part of one that was used.
    pub tracked: String,
    /// Whether it is a part.
    pub is_part: bool,
    /// What was done with it.
    pub usage: Usage,
    /// The other operand (constant, pattern), empty when there is none.
    pub operand: String,
}

macro_rules! usages {
    ($($(#[doc = $doc:literal])+ $variant:ident, $name:literal;)*) => {
        /// What was done with a tracked value.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Usage {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Usage {
            /// The usage that drivers call so; none for those that are not known here.
            pub fn of_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// What drivers call it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

usages! {
    /// It was compared with the operand, or looked for among others of which that is one.
    Equals, "equals";
    /// The same in any case.
    EqualsIgnoreCase, "equals_ignore_case";
    /// Whether it begins with the operand.
    StartsWith, "starts_with";
    /// Whether it ends with it.
    EndsWith, "ends_with";
    /// Whether it holds it.
    Contains, "contains";
    /// Whether all of it is of a regular expression of Java.
    Matches, "matches";
    /// Whether a part of it is.
    Find, "find";
    /// It was read as a boolean.
    Boolean, "boolean";
    /// It was read as a whole number.
    Integer, "integer";
    /// It was read as a number.
    Number, "number";
    /// It was read as a date.
    Date, "date";
    /// It was read as a time of day without an offset.
    Time, "time";
    /// It was read as date and time without an offset.
    DateTime, "date_time";
    /// It was read as a moment in UTC.
    Instant, "instant";
    /// It was read as date and time of a zone.
    ZonedDateTime, "zoned_date_time";
    /// It was read as date and time with an offset.
    OffsetDateTime, "offset_date_time";
    /// It was read as a year.
    Year, "year";
    /// It was read as a month of a year.
    YearMonth, "year_month";
    /// It was read as a duration.
    Duration, "duration";
    /// It was read as a UUID.
    Uuid, "uuid";
    /// It was read as a URI.
    Uri, "uri";
    /// It was read as a URL.
    Url, "url";
    /// It was decoded.
    Base64, "base64";
    /// It was read as the code of a currency.
    Currency, "currency";
    /// It was split where it matches a regular expression of Java.
    Split, "split";
    /// What URLs write otherwise was decoded.
    UrlDecoded, "url_decoded";
}

impl Usage {
    /// Whether it holds of any value and the same as operand.
    pub fn holds_of_equals(self) -> bool {
        matches!(self, Self::Equals | Self::EqualsIgnoreCase | Self::StartsWith | Self::EndsWith | Self::Contains)
    }

    /// Whether what it wants leaves most of a value as it is, so that more is told of the rest when it is met.
    pub fn adds_to(self) -> bool {
        matches!(self, Self::StartsWith | Self::EndsWith | Self::Contains)
    }

    /// Whether the value was only taken apart or decoded: what the service wants shows in what was in it.
    pub fn takes_apart(self) -> bool {
        matches!(self, Self::Split | Self::UrlDecoded | Self::Base64)
    }
}

impl Hint {
    /// What the gene of the value is narrowed to; none where that is not known, as of a pattern that cannot be translated.
    pub fn specialisation(&self) -> Option<Specialisation> {
        let operand = || self.operand.clone();
        Some(match self.usage {
            Usage::Equals => Specialisation::Constant(operand()),
            Usage::EqualsIgnoreCase => Specialisation::AnyCase(operand()),
            Usage::StartsWith => Specialisation::Beginning(operand()),
            Usage::EndsWith => Specialisation::Ending(operand()),
            Usage::Contains => Specialisation::Holding(operand()),
            Usage::Matches => Specialisation::of_pattern(&format!("^(?:{})$", self.operand))?,
            Usage::Find => Specialisation::of_pattern(&self.operand)?,
            Usage::Boolean => Specialisation::AnyCase("true".to_owned()),
            Usage::Integer => Specialisation::Form(TextForm::IntegerText),
            Usage::Number => Specialisation::Form(TextForm::NumberText),
            Usage::Date => Specialisation::Form(TextForm::Date),
            Usage::Time => Specialisation::of_pattern("^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")?,
            Usage::DateTime => Specialisation::of_pattern(&format!("^{DAY}T{TIME}$"))?,
            Usage::Instant | Usage::OffsetDateTime | Usage::ZonedDateTime => Specialisation::Form(TextForm::DateTime),
            Usage::Year => Specialisation::of_pattern("^(19|20)[0-9]{2}$")?,
            Usage::YearMonth => Specialisation::of_pattern("^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$")?,
            Usage::Duration => Specialisation::Form(TextForm::Duration),
            Usage::Uuid => Specialisation::Form(TextForm::Uuid),
            Usage::Uri | Usage::Url => Specialisation::Form(TextForm::Uri),
            // Of something readable, or nobody could compare what is in it.
            Usage::Base64 => coded(Form::Base64Decoded),
            Usage::UrlDecoded => coded(Form::UrlDecoded),
            Usage::Split => match literal(&self.operand) {
                Some(separator) => Specialisation::Parted(separator),
                None => Specialisation::of_pattern(&format!("^[a-z]{{4,7}}(?:{})[a-z]{{4,7}}$", self.operand))?,
            },
            Usage::Currency => Specialisation::of_pattern("^(EUR|USD|JPY|GBP|CHF|NOK|CZK|XAU)$")?,
        })
    }
}

/// Words in a code.
fn coded(form: Form) -> Specialisation {
    Specialisation::Within(Lens::Form(form), Arc::new(Specialisation::Parted(" ".to_owned())))
}

/// The text that a regular expression stands for, where it is but that.
fn literal(pattern: &str) -> Option<String> {
    let (mut text, mut escaped) = (String::new(), false);
    for character in pattern.chars() {
        match character {
            '\\' if !escaped => escaped = true,
            _ if escaped && character.is_alphanumeric() => return None,
            _ if !escaped && ".$|()[{^?*+".contains(character) => return None,
            _ => {
                text.push(character);
                escaped = false;
            }
        }
    }
    (!text.is_empty() && !escaped).then_some(text)
}

/// What the name of a usage begins with when it is of a part of a value.
const PART_PREFIX: &str = "part_";

impl Hint {
    /// What a driver tells by these; none where the usage is not known here.
    pub fn told(tracked: String, usage: &str, operand: String) -> Option<Self> {
        let part = usage.strip_prefix(PART_PREFIX);
        let usage = Usage::of_name(part.unwrap_or(usage))?;
        Some(Self { tracked, is_part: part.is_some(), usage, operand })
    }
}

/// A day that every month has.
const DAY: &str = "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])";
const TIME: &str = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?";

#[cfg(test)]
mod tests {
    use super::{Hint, Usage};
    use crate::gene::Specialisation;
    use crate::random::Random;

    fn drawn(usage: &str, operand: &str) -> Option<String> {
        let usage = Usage::of_name(usage).expect("a usage");
        let hint = Hint { tracked: "q".to_owned(), is_part: false, usage, operand: operand.to_owned() };
        hint.specialisation()?.draw(&mut Random::new(7, 0), "q")
    }

    #[test]
    fn constants_and_patterns_become_values() {
        assert_eq!(drawn("equals", "blue").as_deref(), Some("blue"));
        assert!(drawn("equals_ignore_case", "Blue").expect("a text").eq_ignore_ascii_case("blue"));
        assert!(drawn("starts_with", "blue").expect("a text").starts_with("blue"));
        assert!(drawn("ends_with", "blue").expect("a text").ends_with("blue"));
        assert!(drawn("contains", "blue").expect("a text").contains("blue"));
        let text = drawn("matches", "(?i)ab{2}|ab{3}").expect("a text").to_lowercase();
        assert!(["abb", "abbb"].contains(&text.as_str()), "{text}");
        assert!(drawn("find", "[0-9]{3}").expect("a text").bytes().filter(u8::is_ascii_digit).count() >= 3);
        assert_eq!(drawn("matches", "(a"), None, "what cannot be read");
        // Comments of Java's patterns end with their lines.
        let text = drawn("matches", "(?ix)gib # a bone\n on[0-9]").expect("a text").to_lowercase();
        assert!(text.starts_with("gibon") && text.len() == 6, "{text}");
        for (pattern, separator) in [(",", ","), ("\\|", "|"), ("::", "::"), ("[;:]", ";:")] {
            let text = drawn("split", pattern).expect("a text");
            assert!(text.matches(|it| separator.contains(it)).count() > 0, "{text}");
        }
        assert_eq!(drawn("split", "\\s*,\\s*").expect("a text").matches(',').count(), 1);
    }

    #[test]
    fn what_is_read_becomes_a_text_of_that_kind() {
        assert!(drawn("integer", "").expect("a text").parse::<i64>().is_ok());
        assert!(drawn("number", "").expect("a text").parse::<f64>().is_ok());
        for (usage, length) in [("date", 10), ("year", 4), ("year_month", 7), ("uuid", 36), ("currency", 3)] {
            assert_eq!(drawn(usage, "").map(|text| text.len()), Some(length), "{usage}");
        }
        for usage in [
            "boolean",
            "time",
            "date_time",
            "instant",
            "zoned_date_time",
            "offset_date_time",
            "duration",
            "uri",
            "url",
            "base64",
            "url_decoded",
        ] {
            assert!(drawn(usage, "").is_some(), "{usage}");
        }
        assert_eq!(Usage::of_name("smelled"), None);
        assert!(matches!(
            Hint::told(String::new(), "part_equals", "x".to_owned()).and_then(|hint| hint.specialisation()),
            Some(Specialisation::Constant(_))
        ));
    }
}
