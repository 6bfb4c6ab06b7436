//! Texts that must have a form: dates, reals, UUIDs, URIs, Base64 and the like.
//!
//! Each form is a regular expression and `d` that of [`crate::regex`]: a char that does not fit costs its distance to the
//! nearest that does (paper, section 4, *LocalDate.parse*, *Double.parseDouble*), one too many or too few 65,536. Differences
//! from the source: chars may be left out or added anywhere and not only at the end; a real may have an exponent, and the dot
//! is one that makes it a number; when the form fits, days, months, hours, minutes and seconds count by how far they are from
//! their ranges, each a 1024th, so that none is farther than a text without the form. [`UNSURE`] where the call may fail for more reasons.

use std::sync::OnceLock;

use crate::pattern::Leniency;
use crate::regex::{How, Regex, flag};
use crate::{UNKNOWN, UNSURE, number, units};

/// A form of text; the numbers are those that the Java side uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormatKind {
    /// `LocalDate.parse`: `2019-10-14`.
    LocalDate = 0,
    /// `LocalTime.parse`: `13:45`, `13:45:30`, `13:45:30.5`.
    LocalTime = 1,
    /// `LocalDateTime.parse`: `2019-10-14T13:45`.
    LocalDateTime = 2,
    /// `Instant.parse`: `2019-10-14T13:45:30Z`.
    Instant = 3,
    /// `OffsetDateTime.parse`: `2019-10-14T13:45+01:00`.
    OffsetDateTime = 4,
    /// `ZonedDateTime.parse`: `2019-10-14T13:45+01:00[Europe/Paris]`.
    ZonedDateTime = 5,
    /// `Year.parse`: `2019`.
    Year = 6,
    /// `YearMonth.parse`: `2019-10`.
    YearMonth = 7,
    /// `MonthDay.parse`: `--10-14`.
    MonthDay = 8,
    /// `OffsetTime.parse`: `13:45+01:00`.
    OffsetTime = 9,
    /// `Duration.parse`: `PT8H6M12.345S`, `P2D`.
    Duration = 10,
    /// `Period.parse`: `P1Y2M3D`.
    Period = 11,
    /// `UUID.fromString`.
    Uuid = 12,
    /// `new URI`, `URI.create`.
    Uri = 13,
    /// `new URL`.
    Url = 14,
    /// `Base64.getDecoder().decode`.
    Base64 = 15,
    /// `Base64.getUrlDecoder().decode`.
    Base64Url = 16,
    /// Language tags, as `Locale.Builder.setLanguageTag` takes them.
    LanguageTag = 17,
    /// `Double.parseDouble`, `Float.parseFloat`, `new BigDecimal`: no white space, suffix, or words.
    Real = 18,
    /// `ZoneOffset.of`.
    ZoneOffset = 19,
    /// `ZoneId.of`.
    ZoneId = 20,
}

use FormatKind::{
    Base64, Base64Url, Duration, Instant, LanguageTag, LocalDate, LocalDateTime, LocalTime, MonthDay, OffsetDateTime,
    OffsetTime, Period, Real, Uri, Url, Uuid, Year, YearMonth, ZoneId, ZoneOffset, ZonedDateTime,
};

/// All kinds, in the order of their numbers: what of a text with the form may fail nevertheless, and the form, in which
/// capitals between `<` and `>` name one of [`PARTS`].
const KINDS: [(FormatKind, Doubt, &str); 21] = [
    (LocalDate, Doubt::None, "<DATE>"),
    (LocalTime, Doubt::None, "<TIME>"),
    (LocalDateTime, Doubt::None, "<DATE>[Tt]<TIME>"),
    (Instant, Doubt::None, r"<DATE>[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?[Zz]"),
    (OffsetDateTime, Doubt::Some, "<DATE>[Tt]<TIME><OFFSET>"),
    (ZonedDateTime, Doubt::Some, r"<DATE>[Tt]<TIME><OFFSET>(\[[A-Za-z][A-Za-z0-9~/._+-]+\])?"),
    (Year, Doubt::None, r"\d{4}"),
    (YearMonth, Doubt::None, r"\d{4}-\d{2}"),
    (MonthDay, Doubt::None, r"--\d{2}-\d{2}"),
    (OffsetTime, Doubt::Some, "<TIME><OFFSET>"),
    (Duration, Doubt::Some, r"[+-]?[Pp]([+-]?\d+[Dd]([Tt]<CLOCK>)?|[Tt]<CLOCK>)"),
    (
        Period,
        Doubt::Some,
        "[+-]?[Pp](<N>[Yy](<N>[Mm])?(<N>[Ww])?(<N>[Dd])?|<N>[Mm](<N>[Ww])?(<N>[Dd])?|<N>[Ww](<N>[Dd])?|<N>[Dd])",
    ),
    (Uuid, Doubt::None, "<HEX>{1,8}-<HEX>{1,4}-<HEX>{1,4}-<HEX>{1,4}-<HEX>{1,12}"),
    (Uri, Doubt::Some, "([A-Za-z][A-Za-z0-9+.-]*:(<URICHAR>)+|(<PATHCHAR>)*)(#(<URICHAR>)*)?"),
    (Url, Doubt::Some, "([Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp]|[Ff][Ii][Ll][Ee]|[Jj][Aa][Rr]):.*"),
    (Base64, Doubt::None, "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?"),
    (Base64Url, Doubt::None, "([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}(==)?|[A-Za-z0-9_-]{3}=?)?"),
    (LanguageTag, Doubt::Some, "[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*"),
    (Real, Doubt::None, r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"),
    (ZoneOffset, Doubt::Some, r"[Zz]|[+-]\d{2}(:?\d{2}(:?\d{2})?)?"),
    (ZoneId, Doubt::Some, ZONE_ID),
];

/// The form of the name of a time zone.
pub(crate) const ZONE_ID: &str = r"[Zz]|(UTC|GMT|UT)?[+-]\d{2}(:?\d{2}(:?\d{2})?)?|[A-Za-z][A-Za-z0-9~/._+-]+";

/// Names of parts of forms and what they stand for; later ones may stand in earlier ones.
const PARTS: [(&str, &str); 9] = [
    ("<DATE>", r"\d{4}-\d{2}-\d{2}"),
    ("<TIME>", r"\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?"),
    ("<OFFSET>", r"([Zz]|[+-]\d{2}:\d{2}(:\d{2})?)"),
    ("<CLOCK>", r"(<N>[Hh](<N>[Mm])?(<SECONDS>)?|<N>[Mm](<SECONDS>)?|<SECONDS>)"),
    ("<SECONDS>", r"<N>([.,]\d{0,9})?[Ss]"),
    ("<N>", r"[+-]?\d+"),
    ("<PATHCHAR>", r"[A-Za-z0-9_.!~*'();/?@&=+$,\[\]-]|%<HEX>{2}|[^\x00-\xa0]"),
    ("<URICHAR>", r"[A-Za-z0-9_.!~*'();/?:@&=+$,\[\]-]|%<HEX>{2}|[^\x00-\xa0]"),
    ("<HEX>", "[0-9A-Fa-f]"),
];

/// Whether a text that has the form and is in the ranges of the calendar may fail nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubt {
    None,
    Some,
}

impl FormatKind {
    /// The kind of this number.
    pub fn of(number: usize) -> Option<FormatKind> {
        KINDS.get(number).map(|(kind, ..)| *kind)
    }

    /// Its form, as a regular expression of `java.util.regex`.
    pub fn regex(self) -> String {
        let form = KINDS[self as usize].2.to_owned();
        PARTS.iter().fold(form, |form, (name, part)| form.replace(name, part))
    }
}

/// How far a text is from having a form; the unit is that of [`crate::regex`], or of the field that is out of its range.
pub fn distance(kind: FormatKind, text: &[u16]) -> f32 {
    static REGEXES: [OnceLock<Option<Regex>>; KINDS.len()] = [const { OnceLock::new() }; KINDS.len()];
    let flags = if kind == Url { flag::DOTALL } else { 0 };
    let regex = REGEXES[kind as usize].get_or_init(|| Regex::read(&units(&kind.regex()), flags));
    // Each of the forms is read, as a test sees.
    let distance = regex.as_ref().map_or(UNKNOWN, |regex| regex.distance(text, How::Whole));
    if distance == 0.0 { in_calendar(kind, text) } else { distance }
}

/// A text that has the form is nearer than any that has not, whatever its fields are; they are at most 400 out of range.
const OUT_OF_RANGE: f32 = 1024.0;

/// How far the fields of a text that has the form are from the ranges of the calendar.
fn in_calendar(kind: FormatKind, text: &[u16]) -> f32 {
    let field = |from: usize, n: usize| text[from..from + n].iter().fold(0, |value, unit| value * 10 + i32::from(*unit) - 48);
    let time = |at: usize| {
        let has_seconds = text.len() > at + 7 && text[at + 5] == u16::from(b':');
        number::time(field(at, 2), field(at + 3, 2), if has_seconds { field(at + 6, 2) } else { 0 }, 0)
    };
    let date = || number::date(field(0, 4), field(5, 2), field(8, 2));
    let distance = match kind {
        LocalDate => date(),
        LocalDateTime | Instant | OffsetDateTime | ZonedDateTime => date() + time(11),
        LocalTime | OffsetTime => time(0),
        YearMonth => number::date(0, field(5, 2), 1),
        MonthDay => number::date(0, field(2, 2), field(5, 2)),
        _ => 0.0,
    };
    let least = if KINDS[kind as usize].1 == Doubt::Some { UNSURE } else { 0.0 };
    least + distance / OUT_OF_RANGE
}

/// `new SimpleDateFormat(pattern).parse(text)`: what comes behind the date does not count; at least [`UNSURE`].
pub fn by_date_pattern(pattern: &str, leniency: Leniency, text: &[u16]) -> f32 {
    by_regex(Some(crate::pattern::of_date_pattern(pattern, leniency)), text, How::Begin)
}

/// `formatter.parse(text)` by what the `toString()` of a `DateTimeFormatter` says; at least [`UNSURE`].
pub fn by_description(description: &str, text: &[u16]) -> f32 {
    by_regex(crate::pattern::of_description(description), text, How::Whole)
}

fn by_regex(regex: Option<String>, text: &[u16], how: How) -> f32 {
    let regex = regex.and_then(|regex| Regex::read(&units(&regex), 0));
    regex.map_or(UNKNOWN, |regex| regex.distance(text, how).max(UNSURE))
}

#[cfg(test)]
mod tests {
    use super::{FormatKind, KINDS};
    use crate::regex::Regex;
    use crate::units;

    #[test]
    fn kinds_stand_at_their_numbers_and_have_forms_that_are_read() {
        for (number, (kind, ..)) in KINDS.iter().enumerate() {
            assert_eq!(FormatKind::of(number), Some(*kind));
            assert_eq!(*kind as usize, number);
            assert!(!kind.regex().contains('<'), "{}", kind.regex());
            assert!(Regex::read(&units(&kind.regex()), 0).is_some(), "{kind:?}");
        }
    }
}
