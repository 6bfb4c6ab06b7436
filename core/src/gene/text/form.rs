//! Formats of strings that genes know how to draw, change and check.

use super::{base64, calendar, network, uuid};
use crate::gene::draw;
use crate::gene::measure::Measure;
use crate::random::Random;

/// What a string stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextForm {
    /// Anything; also formats that are not known.
    Plain,
    /// `full-date` of RFC 3339.
    Date,
    /// `full-time` of RFC 3339.
    Time,
    /// `date-time` of RFC 3339.
    DateTime,
    /// RFC 9562.
    Uuid,
    /// An absolute `http`, `https` or other URI.
    Uri,
    /// An absolute or relative reference.
    UriReference,
    /// A URI template (RFC 6570); references are drawn, which are some, too.
    UriTemplate,
    /// `local@domain`.
    Email,
    /// A domain name.
    Hostname,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// Either of them.
    Ip,
    /// Base64 of bytes (RFC 4648 4).
    Base64,
    /// A whole number as text.
    IntegerText,
    /// A number as text.
    NumberText,
    /// A duration of ISO 8601.
    Duration,
    /// A JSON pointer (RFC 6901).
    JsonPointer,
    /// A JSON pointer that starts some levels up.
    RelativeJsonPointer,
}

impl TextForm {
    /// The form of a lower-case `format` keyword; [`Self::Plain`] when it is not known.
    pub fn of_format(format: &str) -> Self {
        match format {
            "date" | "full-date" => Self::Date,
            "time" | "full-time" => Self::Time,
            "date-time" | "datetime" => Self::DateTime,
            "uuid" | "guid" => Self::Uuid,
            "uri" | "url" | "iri" => Self::Uri,
            "uri-reference" | "iri-reference" => Self::UriReference,
            "uri-template" => Self::UriTemplate,
            "email" | "idn-email" => Self::Email,
            "hostname" | "idn-hostname" => Self::Hostname,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "ip" | "ip-address" => Self::Ip,
            "byte" | "base64" => Self::Base64,
            "int32" | "int64" | "uint32" | "uint64" | "integer" | "long" | "bigint" => Self::IntegerText,
            "number" | "double" | "float" | "decimal" => Self::NumberText,
            "duration" => Self::Duration,
            "json-pointer" => Self::JsonPointer,
            "relative-json-pointer" => Self::RelativeJsonPointer,
            _ => Self::Plain,
        }
    }

    /// A short valid string.
    pub(super) fn smallest(self) -> &'static str {
        match self {
            Self::Plain | Self::JsonPointer => "",
            Self::Date => "2020-01-01",
            Self::Time => "00:00:00Z",
            Self::DateTime => "2020-01-01T00:00:00Z",
            Self::Uuid => "00000000-0000-4000-8000-000000000000",
            Self::Uri => "http://a.example/",
            Self::UriReference | Self::UriTemplate => "/a",
            Self::Email => "a@a.example",
            Self::Hostname => "a.example",
            Self::Ipv4 | Self::Ip => "127.0.0.1",
            Self::Ipv6 => "::1",
            Self::Base64 => "YQ==",
            Self::IntegerText | Self::NumberText | Self::RelativeJsonPointer => "0",
            Self::Duration => "PT1S",
        }
    }

    /// A string that mostly is of the form.
    pub(super) fn sample(self, random: &mut Random) -> String {
        match self {
            Self::Plain => String::new(),
            Self::Date => calendar::sample_date(random),
            Self::Time => calendar::sample_time(random),
            Self::DateTime => calendar::sample_date_time(random),
            Self::Uuid => uuid::sample(random),
            Self::Uri => network::sample_uri(random),
            Self::UriReference | Self::UriTemplate => network::sample_reference(random),
            Self::Email => network::sample_email(random),
            Self::Hostname => network::sample_hostname(random),
            Self::Ipv4 => network::sample_ipv4(random),
            Self::Ip if random.chance(0.5) => network::sample_ipv4(random),
            Self::Ipv6 | Self::Ip => network::sample_ipv6(random),
            Self::Base64 => base64::sample(random),
            Self::IntegerText => draw::integer(random, i64::from(i32::MIN), i64::from(i32::MAX)).to_string(),
            Self::NumberText => format!("{}.{}", draw::integer(random, -1_000_000, 1_000_000), random.below(100)),
            Self::Duration => sample_duration(random),
            Self::JsonPointer => sample_pointer(random),
            Self::RelativeJsonPointer => format!("{}{}", random.log_size(100), sample_pointer(random)),
        }
    }

    /// A string that is of the form as most are, and mostly of use where the form is asked for.
    pub(super) fn typical(self, random: &mut Random) -> String {
        match self {
            Self::Uri | Self::UriReference | Self::UriTemplate => network::sample_url(random),
            Self::Uuid => uuid::sample_version_4(random),
            _ => self.sample(random),
        }
    }

    /// `value` with a part changed; mostly of the form still.
    pub(super) fn mutated(self, random: &mut Random, value: &str) -> String {
        match self {
            Self::Date | Self::Time | Self::DateTime => {
                calendar::mutated(random, self, value).unwrap_or_else(|| self.sample(random))
            }
            Self::Uuid => uuid::mutated(random, value),
            Self::Base64 => base64::mutated(random, value),
            Self::Ipv4 | Self::Ipv6 | Self::Ip if random.chance(0.5) => self.sample(random),
            Self::IntegerText => {
                let number = value.parse().unwrap_or(0);
                draw::moved_integer(random, number, i64::from(i32::MIN), i64::from(i32::MAX)).to_string()
            }
            _ => super::plain::tweaked(random, value),
        }
    }

    /// Where `text` lies; none where texts of the form are on no line, and where it is not of the form.
    pub(super) fn measure(self, text: &str) -> Option<Measure> {
        match self {
            Self::Date | Self::Time | Self::DateTime => calendar::milliseconds(self, text).map(Measure::Whole),
            Self::IntegerText => text.parse().ok().map(Measure::Whole),
            Self::NumberText => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Measure::Float),
            _ => None,
        }
    }

    /// How far texts are moved to see what changes with them, in the unit of their measure, the longest last.
    pub(super) fn small_moves(self) -> &'static [f64] {
        const SECOND: f64 = 1_000.0;
        const HOUR: f64 = 3_600.0 * SECOND;
        const DAY: f64 = 24.0 * HOUR;
        match self {
            Self::IntegerText | Self::NumberText => &[1.0],
            Self::Date => &[DAY, 31.0 * DAY, 366.0 * DAY],
            Self::Time => &[SECOND, 60.0 * SECOND, HOUR],
            Self::DateTime => &[SECOND, HOUR, DAY, 31.0 * DAY, 366.0 * DAY],
            _ => &[],
        }
    }

    /// `text` moved by that much, in the unit of its measure; none where that cannot be written.
    pub(super) fn shifted(self, text: &str, by: f64) -> Option<String> {
        match self.measure(text)? {
            Measure::Whole(number) if self == Self::IntegerText => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a move beyond the range ends at a bound, and no number is 0"
                )]
                let by = by.round() as i64;
                Some(number.saturating_add(by).to_string())
            }
            Measure::Whole(_) => calendar::shifted(self, text, by),
            Measure::Float(number) => {
                let moved = number + by;
                // One with a point keeps it.
                let end = if text.contains('.') && moved.fract() == 0.0 { ".0" } else { "" };
                moved.is_finite().then(|| format!("{moved}{end}"))
            }
            Measure::Text(_) => None,
        }
    }

    /// Whether `text` is of the form.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::Plain => true,
            Self::Date | Self::Time | Self::DateTime => calendar::is_valid(self, text),
            Self::Uuid => uuid::is_valid(text),
            Self::Uri => network::is_uri(text),
            Self::UriReference => network::is_reference(text),
            Self::UriTemplate => network::is_template(text),
            Self::Email => network::is_email(text),
            Self::Hostname => network::is_hostname(text),
            Self::Ipv4 => text.parse::<std::net::Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<std::net::Ipv6Addr>().is_ok(),
            Self::Ip => text.parse::<std::net::IpAddr>().is_ok(),
            Self::Base64 => base64::is_valid(text),
            Self::IntegerText => text.parse::<i64>().is_ok() && !text.starts_with('+'),
            Self::NumberText => text.parse::<f64>().is_ok_and(f64::is_finite) && !text.starts_with('+'),
            Self::Duration => is_duration(text),
            Self::JsonPointer => is_pointer(text),
            Self::RelativeJsonPointer => is_relative_pointer(text),
        }
    }
}

/// Whether JSON Schema (draft 2020-12, validation, 7.3) says what texts of the format are.
pub(super) fn is_named_by_json_schema(format: &str) -> bool {
    const NAMED: [&str; 19] = [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    ];
    NAMED.contains(&format)
}

fn sample_pointer(random: &mut Random) -> String {
    const SEGMENTS: [&str; 8] = ["/a", "/id", "/name", "/0", "/-", "/", "/~0", "/~1"];
    (0..random.log_size(3)).map(|_| *random.pick(&SEGMENTS).expect("segments are listed")).collect()
}

/// Segments with a slash before each; `~` stands only in `~0` and `~1`.
fn is_pointer(text: &str) -> bool {
    let mut escapes = text.split('~').skip(1);
    (text.is_empty() || text.starts_with('/')) && escapes.all(|rest| rest.starts_with(['0', '1']))
}

/// A number without leading zeros, then a pointer or `#`.
fn is_relative_pointer(text: &str) -> bool {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let levels = &text[..text.len() - rest.len()];
    !levels.is_empty() && (levels == "0" || !levels.starts_with('0')) && (rest == "#" || is_pointer(rest))
}

fn sample_duration(random: &mut Random) -> String {
    let count = draw::integer(random, 0, 1_000);
    match random.below(4) {
        0 => format!("P{count}D"),
        1 => format!("P{count}W"),
        2 => format!("PT{count}M"),
        _ => format!("P1DT{count}S"),
    }
}

/// `P` with whole numbers of years, months and days, then `T` with hours, minutes and seconds; or weeks alone.
fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    if rest.strip_suffix('W').is_some_and(|weeks| !weeks.is_empty() && weeks.bytes().all(|byte| byte.is_ascii_digit())) {
        return true;
    }
    let (date, time) = rest.split_once('T').map_or((rest, None), |(date, time)| (date, Some(time)));
    let has_parts = !date.is_empty() || time.is_some_and(|time| !time.is_empty());
    has_parts && are_units(date, "YMD") && time.is_none_or(|time| !time.is_empty() && are_units(time, "HMS"))
}

/// Whether `text` is a list of numbers, each with one of `units` in their order.
fn are_units(text: &str, units: &str) -> bool {
    let mut left = units;
    let mut digits = 0;
    for character in text.chars() {
        match left.find(character) {
            _ if character.is_ascii_digit() => digits += 1,
            Some(at) if digits > 0 => {
                left = &left[at + 1..];
                digits = 0;
            }
            _ => return false,
        }
    }
    digits == 0
}
