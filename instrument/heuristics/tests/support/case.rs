//! A line that names a function and its arguments, and what it comes to in Rust; `tests/java/Evaluate.java` does it in Java.

use restive_heuristics::character::{self, CharacterKind};
use restive_heuristics::format::{self, FormatKind};
use restive_heuristics::member::{self, Access};
use restive_heuristics::pattern::Leniency;
use restive_heuristics::regex::{How, Regex};
use restive_heuristics::text::{self, Case};
use restive_heuristics::value::{self, MomentKind, Value};
use restive_heuristics::{Side, UNKNOWN, number};

/// An argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A number or the name of the function.
    Word(String),
    /// Everything else.
    Value(Value),
}

/// The parts of a line; `"…"*3` is a text repeated, `\u0041` a UTF-16 unit.
pub fn arguments(line: &str) -> Vec<Argument> {
    let mut found = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        if rest.starts_with('"') {
            let (text, behind) = quoted(rest);
            found.push(Argument::Value(Value::Text(text)));
            rest = behind;
        } else {
            let (token, behind) = rest.split_once(' ').unwrap_or((rest, ""));
            found.push(typed(token));
            rest = behind;
        }
        rest = rest.trim_start();
    }
    found
}

fn quoted(line: &str) -> (Vec<u16>, &str) {
    let mut text = Vec::new();
    let mut rest = &line[1..];
    while !rest.starts_with('"') {
        if let Some(hex) = rest.strip_prefix("\\u") {
            text.push(u16::from_str_radix(&hex[..4], 16).expect("four hex digits"));
            rest = &hex[4..];
        } else {
            rest = rest.strip_prefix('\\').unwrap_or(rest);
            text.push(u16::from(rest.as_bytes()[0]));
            rest = &rest[1..];
        }
    }
    rest = &rest[1..];
    let Some(behind) = rest.strip_prefix('*') else { return (text, rest) };
    let (times, behind) = behind.split_once(' ').unwrap_or((behind, ""));
    (text.repeat(times.parse().expect("a number")), behind)
}

fn typed(token: &str) -> Argument {
    let parts: Vec<&str> = token.split(':').collect();
    let integer = |idx: usize| parts.get(idx).map_or(0, |part| part.parse::<i64>().expect("a number"));
    let moment = |kind| Value::Moment {
        kind,
        units: integer(1),
        nanos: u32::try_from(integer(2)).expect("nanoseconds"),
        offset: i32::try_from(integer(3)).expect("an offset"),
    };
    let whole = |bits| Value::Integer { bits, value: integer(1) };
    Argument::Value(match (token, parts[0]) {
        ("null", _) => Value::Null,
        ("other", _) => Value::Other,
        ("true" | "false", _) => Value::Boolean(token == "true"),
        _ if parts.len() == 1 => return Argument::Word(token.to_owned()),
        (_, "byte") => whole(8),
        (_, "short") => whole(16),
        (_, "int") => whole(32),
        (_, "long") => whole(64),
        (_, "float") => Value::Float(parts[1].parse().expect("a number")),
        (_, "double") => Value::Double(parts[1].parse().expect("a number")),
        (_, "char") => Value::Char(u16::try_from(integer(1)).expect("a unit")),
        (_, "date") => moment(MomentKind::Date),
        (_, "day") => moment(MomentKind::LocalDate),
        (_, "time") => moment(MomentKind::LocalTime),
        (_, "local") => moment(MomentKind::LocalDateTime),
        (_, "instant") => moment(MomentKind::Instant),
        (_, "offset") => moment(MomentKind::OffsetDateTime),
        (_, "year") => moment(MomentKind::Year),
        (_, "months") => moment(MomentKind::YearMonth),
        (_, "duration") => moment(MomentKind::Duration),
        _ => panic!("{token}"),
    })
}

struct Arguments(Vec<Argument>);

impl Arguments {
    fn value(&self, idx: usize) -> Value {
        match &self.0[idx] {
            Argument::Value(value) => value.clone(),
            Argument::Word(word) => panic!("{word} is no value"),
        }
    }

    fn values(&self, from: usize) -> Vec<Value> {
        (from..self.0.len()).map(|idx| self.value(idx)).collect()
    }

    fn text(&self, idx: usize) -> Option<Vec<u16>> {
        match self.value(idx) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn string(&self, idx: usize) -> String {
        String::from_utf16(&self.text(idx).expect("a text")).expect("whole chars")
    }

    fn number<T: std::str::FromStr>(&self, idx: usize) -> T {
        match &self.0[idx] {
            Argument::Word(word) => word.parse().ok().unwrap_or_else(|| panic!("{word} is no number")),
            Argument::Value(value) => panic!("{value:?} is no number"),
        }
    }

    fn case(&self, idx: usize) -> Case {
        if self.value(idx) == Value::Boolean(true) { Case::Ignored } else { Case::Sensitive }
    }

    fn side(&self, idx: usize) -> Side {
        match self.number::<i32>(idx) {
            0 => Side::Equal,
            side => [Side::Below, Side::Above][usize::from(side > 0)],
        }
    }
}

/// The distance that the line comes to; a text that is null makes it unknown.
pub fn evaluate(line: &str) -> f32 {
    let a = Arguments(arguments(line));
    let name: String = a.number(0);
    texts(&name, &a).or_else(|| others(&name, &a)).unwrap_or(UNKNOWN)
}

fn texts(name: &str, a: &Arguments) -> Option<f32> {
    Some(match name {
        "equalIgnoreCase" => text::equal_with(&a.text(1)?, &a.text(2)?, Case::Ignored),
        "contentEqual" => text::equal(&a.text(1)?, &a.text(2)?),
        "startsWith" => text::starts_with(&a.text(1)?, &a.text(2)?, a.number(3)),
        "endsWith" => text::ends_with(&a.text(1)?, &a.text(2)?),
        "contains" => text::contains(&a.text(1)?, &a.text(2)?, a.number(3)),
        "containsChar" => text::contains_char(&a.text(1)?, a.number(2), a.number(3)),
        "regionMatches" => {
            let (one, other) = (a.text(1)?, a.text(4)?);
            text::region_matches((&one, a.number(3)), (&other, a.number(5)), a.number(6), a.case(2))
        }
        "compare" => text::compare(&a.text(1)?, &a.text(2)?, a.case(3), a.side(4)),
        "empty" => a.text(1)?.len() as f32,
        "parseBoolean" => text::parse_boolean(&a.text(1)?),
        "parseInteger" => {
            let (low, high): (i64, i64) = (a.number(3), a.number(4));
            number::integer(&a.text(1)?, a.number(2), (low <= high).then_some(low..=high))
        }
        "decodeInteger" => number::decode(&a.text(1)?, a.number(2)..=a.number(3)),
        "format" => format::distance(FormatKind::of(a.number(1))?, &a.text(2)?),
        "datePattern" => format::by_date_pattern(&a.string(1), Leniency::Lenient, &a.text(2)?),
        "strictDatePattern" => format::by_date_pattern(&a.string(1), Leniency::Strict, &a.text(2)?),
        "description" => format::by_description(&a.string(1), &a.text(2)?),
        "constant" => {
            let constants: Option<Vec<_>> = (2..a.0.len()).map(|idx| a.text(idx)).collect();
            member::best_constant(&a.text(1)?, &constants?)
        }
        "regex" => {
            let how = [How::Whole, How::Begin, How::Part][a.number::<usize>(3)];
            Regex::read(&a.text(1)?, a.number(2))?.distance(&a.text(4)?, how)
        }
        _ => return None,
    })
}

fn others(name: &str, a: &Arguments) -> Option<f32> {
    Some(match name {
        "equal" => value::equal(&a.value(1), &a.value(2)),
        "ordered" => value::ordered(&a.value(1), &a.value(2), a.side(3)),
        "index" => number::index(a.number(1), a.number(2)),
        "character" => character::distance(CharacterKind::of(a.number(1))?, a.number(2)),
        "date" => number::date(a.number(1), a.number(2), a.number(3)),
        "time" => number::time(a.number(1), a.number(2), a.number(3), a.number(4)),
        "listContains" => member::contained(&a.values(2), &a.value(1), Access::Indexed),
        "setContains" => member::contained(&a.values(2), &a.value(1), Access::Iterated),
        "containsAll" => {
            let n: usize = a.number(1);
            let (values, elements) = (a.values(2), a.values(2 + n));
            member::contained_all(&elements, &values[..n], Access::Indexed)
        }
        _ => return None,
    })
}

/// Whether two distances are the same but for rounding.
pub fn agree(one: f32, other: f32) -> bool {
    (f64::from(one) - f64::from(other)).abs() <= 1e-6 * f64::from(one.abs().max(other.abs()))
}
