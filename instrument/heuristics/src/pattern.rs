//! Regular expressions of what date formatters accept, from their patterns.
//!
//! Fields of digits have as many as the formatter takes, days, months, hours, minutes and seconds are in their ranges
//! (unless the formatter is lenient), names are letters of any language, and what a formatter does beyond that is not looked
//! at; therefore nothing computed by them is ever 0.

use std::fmt::Write as _;

use crate::format::{FormatKind, ZONE_ID};

/// Names of months, days and eras.
const NAME: &str = r"\p{L}+\.?";

/// Whether a `SimpleDateFormat` takes days, months and times that are out of their ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leniency {
    /// It does, as when it was made.
    Lenient,
    /// `setLenient(false)`.
    Strict,
}

/// Fields with a range: name of `ChronoField`, letter of patterns, what they match with two digits, and with any number.
const FIELDS: [(&str, char, &str, &str); 8] = [
    ("DayOfMonth", 'd', r"(0[1-9]|[12]\d|3[01])", r"0*([1-9]|[12]\d|3[01])"),
    ("MonthOfYear", 'M', "(0[1-9]|1[0-2])", "0*([1-9]|1[0-2])"),
    ("HourOfDay", 'H', r"([01]\d|2[0-3])", r"0*(\d|1\d|2[0-3])"),
    ("ClockHourOfDay", 'k', r"(0[1-9]|1\d|2[0-4])", r"0*([1-9]|1\d|2[0-4])"),
    ("HourOfAmPm", 'K', r"(0\d|1[01])", r"0*(\d|1[01])"),
    ("ClockHourOfAmPm", 'h', "(0[1-9]|1[0-2])", "0*([1-9]|1[0-2])"),
    ("MinuteOfHour", 'm', r"[0-5]\d", r"0*[0-5]?\d"),
    ("SecondOfMinute", 's', r"[0-5]\d", r"0*[0-5]?\d"),
];

/// How many digits a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digits {
    Two,
    Any,
    Others,
}

/// What a field matches that has a range.
fn ranged(is_meant: impl Fn(&str, char) -> bool, digits: Digits) -> Option<&'static str> {
    let (.., two, any) = FIELDS.iter().find(|(name, letter, ..)| is_meant(name, *letter))?;
    match digits {
        Digits::Two => Some(two),
        Digits::Any => Some(any),
        Digits::Others => None,
    }
}

/// What a `SimpleDateFormat` of this pattern accepts at the begin of a text.
pub fn of_date_pattern(pattern: &str, leniency: Leniency) -> String {
    let chars: Vec<char> = pattern.chars().collect();
    let mut regex = String::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        if c == '\'' {
            at = quoted(&chars, at, &mut regex);
        } else if c.is_ascii_alphabetic() {
            let width = chars[at..].iter().take_while(|other| **other == c).count();
            at += width;
            let is_adjacent = is_number(&chars[at..]);
            let digits = match width {
                1 if !is_adjacent => Digits::Any,
                2 => Digits::Two,
                _ => Digits::Others,
            };
            match ranged(|_, letter| letter == c, digits).filter(|_| leniency == Leniency::Strict) {
                Some(field) => regex.push_str(field),
                None => date_field(c, width, is_adjacent, &mut regex),
            }
        } else {
            literal(c, &mut regex);
            at += 1;
        }
    }
    regex
}

/// A quoted part, or a quote; the index behind it.
fn quoted(chars: &[char], from: usize, regex: &mut String) -> usize {
    let mut at = from + 1;
    if chars.get(at) == Some(&'\'') {
        literal('\'', regex);
        return at + 1;
    }
    while let Some(&c) = chars.get(at) {
        at += 1;
        if c == '\'' {
            if chars.get(at) != Some(&'\'') {
                return at;
            }
            at += 1;
        }
        literal(c, regex);
    }
    at
}

/// Whether a field of digits begins here.
fn is_number(rest: &[char]) -> bool {
    match rest {
        [c @ ('M' | 'L'), second, third, ..] if second == c && third == c => false,
        [c, ..] => c.is_ascii_alphabetic() && !"GEazZX".contains(*c),
        [] => false,
    }
}

fn date_field(c: char, width: usize, adjacent: bool, regex: &mut String) {
    let field = match c {
        'a' => "[AaPp][Mm]",
        'G' | 'E' => NAME,
        'M' | 'L' if width > 2 => NAME,
        'z' | 'Z' => r"([+-]\d{4}|GMT([+-]\d{1,2}:\d{2})?|\p{L}{3,})",
        'X' if width == 1 => r"(Z|[+-]\d{2})",
        'X' if width == 2 => r"(Z|[+-]\d{2}\d{2})",
        'X' => r"(Z|[+-]\d{2}:\d{2})",
        // Fewer and more are read as well, but nobody writes them.
        _ if adjacent || width > 1 => return write!(regex, r"\d{{{width}}}").expect("a string takes all"),
        _ => r"\d+",
    };
    regex.push_str(field);
}

fn literal(c: char, regex: &mut String) {
    if c.is_ascii() && !c.is_ascii_alphanumeric() {
        regex.push('\\');
    }
    regex.push(c);
}

/// What a `DateTimeFormatter` accepts whose `toString()` is this; none when it is not understood.
pub fn of_description(description: &str) -> Option<String> {
    let mut regex = String::new();
    let mut rest = description;
    while let Some(c) = rest.chars().next() {
        rest = match c {
            '\'' => quoted_part(rest, &mut regex),
            '(' | '[' => {
                regex.push_str("(?:");
                &rest[1..]
            }
            ')' | ']' => {
                regex.push_str(if c == ']' { ")?" } else { ")" });
                &rest[1..]
            }
            // A default value; it reads nothing.
            'j' if rest.starts_with("java.time.format.") => behind_name(rest),
            _ => {
                let open = rest.find('(')?;
                let close = closing(rest, open)?;
                element(&rest[..open], &rest[open + 1..close], &mut regex)?;
                &rest[close + 1..]
            }
        };
    }
    Some(regex)
}

fn quoted_part<'t>(text: &'t str, regex: &mut String) -> &'t str {
    let text = &text[1..];
    if let Some(rest) = text.strip_prefix('\'') {
        literal('\'', regex);
        return rest;
    }
    let mut rest = text;
    while let Some((part, behind)) = rest.split_once('\'') {
        part.chars().for_each(|c| literal(c, regex));
        let Some(more) = behind.strip_prefix('\'') else { return behind };
        // A quote, or the end of this part and the begin of another.
        regex.push_str("'?");
        rest = more;
    }
    rest.chars().for_each(|c| literal(c, regex));
    ""
}

/// Behind the name of a class, `@`, and a hash in small letters.
fn behind_name(text: &str) -> &str {
    let hash = text.split_once('@').map_or("", |(_, hash)| hash);
    hash.trim_start_matches(|c: char| c.is_ascii_digit() || ('a'..='f').contains(&c))
}

/// The parenthesis that closes this one, but for those in quotes.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut quoted = false;
    for (idx, c) in text.char_indices().skip_while(|(idx, _)| *idx < open) {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => continue,
        }
        if depth == 0 && !quoted {
            return Some(idx);
        }
    }
    None
}

/// One element with its operands; none when it is not understood.
fn element(name: &str, operands: &str, regex: &mut String) -> Option<()> {
    let parts: Vec<&str> = operands.split(',').collect();
    match name {
        "ParseCaseSensitive" => regex.push_str(if operands == "true" { "(?-i)" } else { "(?i)" }),
        "ParseStrict" => {}
        "Value" | "ReducedValue" => regex.push_str(&value(&parts)),
        "Fraction" => regex.push_str(&fraction(&parts)?),
        "Text" => regex.push_str(if operands.starts_with("AmPm") { "[AaPp][Mm]" } else { NAME }),
        "Offset" => offset(operands, regex)?,
        "ZoneId" | "ZoneRegionId" | "ZoneText" => write!(regex, "(?:{ZONE_ID})").expect("a string takes all"),
        "Instant" => regex.push_str(&FormatKind::Instant.regex()),
        _ => return None,
    }
    Some(())
}

fn value(parts: &[&str]) -> String {
    let digits = match parts {
        [_] | [_, "1", _, ..] => Digits::Any,
        [_, "2"] | [_, "2", "2", ..] => Digits::Two,
        _ => Digits::Others,
    };
    if let Some(field) = ranged(|name, _| parts.first() == Some(&name), digits) {
        return field.to_owned();
    }
    match parts {
        [_] | [] => r"-?\d{1,19}".to_owned(),
        [_, width] | [_, width, _, "EXCEEDS_PAD", ..] => format!(r"\d{{{width}}}"),
        [_, least, most, ..] => format!(r"\d{{{least},{most}}}"),
    }
}

fn fraction(parts: &[&str]) -> Option<String> {
    let [_, least, most, rest @ ..] = parts else { return None };
    let point = if rest.is_empty() { "" } else { r"\." };
    Some(match *least {
        "0" => format!(r"(?:{point}\d{{1,{most}}})?"),
        least => format!(r"{point}\d{{{least},{most}}}"),
    })
}

/// As `+HH:MM:ss,'Z'`: capitals must be there, small letters may.
fn offset(operands: &str, regex: &mut String) -> Option<()> {
    let comma = operands.find(",'")?;
    let pattern = operands[..comma].strip_prefix("+H")?;
    regex.push_str("(?:");
    let otherwise = &operands[comma + 1..];
    if otherwise != "''" {
        quoted_part(otherwise, regex);
    }
    let two = pattern.strip_prefix('H');
    regex.push_str(if two.is_some() { r"|[+-]\d{2}" } else { r"|[+-]\d{1,2}" });
    let mut rest = two.unwrap_or(pattern);
    let mut n_open = 0;
    while !rest.is_empty() {
        let unit = rest.strip_prefix(':').unwrap_or(rest);
        if unit.starts_with(|c: char| c.is_ascii_lowercase()) {
            regex.push_str("(?:");
            n_open += 1;
        }
        regex.push_str(if unit.len() < rest.len() { r":\d{2}" } else { r"\d{2}" });
        rest = unit.get(2..)?;
    }
    regex.push_str(&")?".repeat(n_open));
    regex.push(')');
    Some(())
}
