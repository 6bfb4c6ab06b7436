//! Shapes of texts whose values differ between executions: identifiers, times and the like.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

/// What a volatile text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A UUID.
    Uuid,
    /// Date and time as in RFC 3339, with or without an offset.
    DateTime,
    /// A date as in RFC 3339.
    Date,
    /// Digits and no more.
    Digits,
    /// Eight and more hexadecimal digits.
    Hexadecimal,
}

/// The pattern of each shape, in the order of [`Shape::ALL`].
static PATTERNS: LazyLock<Vec<(Shape, Regex)>> = LazyLock::new(|| {
    let compiled = |shape: &Shape| (*shape, Regex::new(shape.pattern()).expect("the patterns are valid"));
    Shape::ALL.iter().map(compiled).collect()
});

impl Shape {
    /// Every shape, the narrowest first.
    pub const ALL: [Self; 5] = [Self::Uuid, Self::DateTime, Self::Date, Self::Digits, Self::Hexadecimal];

    /// The word for it in snake case; written suites name their patterns by it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uuid => "uuid",
            Self::DateTime => "date_time",
            Self::Date => "date",
            Self::Digits => "digits",
            Self::Hexadecimal => "hexadecimal",
        }
    }

    /// A pattern that means the same in all languages that suites are written in; neither quotes nor backslashes are in it.
    pub fn pattern(self) -> &'static str {
        match self {
            Self::Uuid => "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
            Self::DateTime => {
                "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?$"
            }
            Self::Date => "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            Self::Digits => "^[0-9]+$",
            Self::Hexadecimal => "^[0-9A-Fa-f]{8,}$",
        }
    }

    /// The first shape that all `texts` have; none when there is none, or no text.
    pub fn common_to(texts: &[&str]) -> Option<Self> {
        texts.first()?;
        PATTERNS.iter().find(|(_, pattern)| texts.iter().all(|text| pattern.is_match(text))).map(|(shape, _)| *shape)
    }

    /// Whether `text` has this shape.
    pub fn fits(self, text: &str) -> bool {
        PATTERNS.iter().any(|(shape, pattern)| *shape == self && pattern.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn the_narrowest_common_shape_is_found() {
        let common = |texts: &[&str]| Shape::common_to(texts);
        let uuid = "123e4567-e89b-12d3-a456-426614174000";
        assert_eq!(common(&[uuid, uuid]), Some(Shape::Uuid));
        assert_eq!(common(&["2026-11-22T10:00:00Z", "2026-11-22 10:00:00.123+01:00"]), Some(Shape::DateTime));
        assert_eq!(common(&["2026-11-22", "2026-11-23"]), Some(Shape::Date));
        assert_eq!(common(&["12", "1234567890"]), Some(Shape::Digits));
        assert_eq!(common(&["0123abcd", "12345678"]), Some(Shape::Hexadecimal));
        assert_eq!((common(&["a", "12"]), common(&["12\n"]), common(&[""]), common(&[])), (None, None, None, None));
    }

    #[test]
    fn patterns_need_no_escapes_anywhere() {
        for shape in Shape::ALL {
            assert!(!shape.pattern().contains(['\\', '"', '\'', '/', '`', '#']), "{shape:?}");
        }
    }
}
