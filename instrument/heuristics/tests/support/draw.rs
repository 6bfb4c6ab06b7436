//! Random calls, as lines.

use std::fmt::Write as _;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Chars that texts are drawn from: few, so that texts are near each other; of numbers and dates; of many kinds.
const ALPHABETS: [&str; 5] =
    ["abc", "0123456789+-.", "0123456789-:TZ", "aAbBzZ \t\n_-#%09", "aäÄßıİσςΣяЯ٣\u{1f600}\u{1f601}\u{ffff}\u{10400}"];

/// Texts that have a form, and some that barely do not.
const FORMED: [&str; 34] = [
    "2019-10-14",
    "2020-02-29",
    "13:45",
    "13:45:30.123",
    "2019-10-14T13:45",
    "2019-10-14T13:45:30Z",
    "2019-10-14T13:45+01:00",
    "2019-10-14T13:45+01:00[Europe/Paris]",
    "2019",
    "2019-10",
    "--10-14",
    "13:45+01:00",
    "PT8H6M12.345S",
    "P2DT3H",
    "-P1Y2M3D",
    "123e4567-e89b-12d3-a456-426614174000",
    "1-1-1-1-1",
    "http://example.com/a?b=c#d",
    "/a%20b",
    "mailto:a@b.c",
    "YWJj",
    "YWI=",
    "YQ==",
    "YW-_",
    "en-US",
    "de",
    "-9.18E+09",
    "1.5",
    ".5",
    "1.",
    "+01:00",
    "Europe/Paris",
    "Z",
    "0x7f",
];

/// Parts of regular expressions.
const ATOMS: [&str; 44] = [
    "a",
    "b",
    "c",
    "A",
    "-",
    "0",
    "5",
    ".",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "[a-c]",
    "[^a-c]",
    "[ab&&[b-d]]",
    "[a-z&&[^bc]]",
    "[\\d_-]",
    "[\\p{Upper}5]",
    "\\p{Alpha}",
    "\\P{L}",
    "\\p{Lu}",
    "\\.",
    "\\-",
    "\\Q.*\\E",
    "\\x41",
    "\\u0062",
    "^",
    "$",
    "\\b",
    "\\B",
    "\\A",
    "\\z",
    "\\Z",
    "\\R",
    "\\h",
    "\\v",
    "[A-Z0-9._%+-]",
    "[]a]",
    "[a-]",
    "ä",
    "[α-ω]",
    "\\t",
];

const QUANTIFIERS: [&str; 12] = ["?", "*", "+", "{2}", "{1,3}", "{2,}", "{0,2}", "*?", "+?", "??", "*+", "{0}"];

const FLAGS: [u32; 11] = [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 66];

/// A line that names a function and its arguments.
pub fn call(rng: &mut ChaCha8Rng) -> String {
    match rng.random_range(0..10) {
        0..3 => of_texts(rng),
        3 => of_values(rng),
        4 => of_ranges(rng),
        5 => parse(rng),
        6 => of_members(rng),
        7 => format(rng),
        _ => regex(rng),
    }
}

fn of_texts(rng: &mut ChaCha8Rng) -> String {
    let text = text(rng);
    let other = near(rng, &text);
    let (one, other) = (quoted(&text), quoted(&other));
    let int = rng.random_range(-3..12);
    match rng.random_range(0..10) {
        0 => format!("equal {one} {other}"),
        1 => format!("equalIgnoreCase {one} {other}"),
        2 => format!("contentEqual {one} {other}"),
        3 => format!("startsWith {one} {other} {int}"),
        4 => format!("endsWith {one} {other}"),
        5 => format!("contains {one} {other} {int}"),
        6 => {
            let drawn = rng.random_range(0..200);
            let unit = text.first().filter(|_| rng.random_bool(0.5)).copied().unwrap_or(drawn);
            format!("containsChar {one} {unit} {int}")
        }
        7 => {
            let [other_int, n] = [-2, -3].map(|low| rng.random_range(low..8));
            format!("regionMatches {one} {} {int} {other} {other_int} {n}", rng.random_bool(0.5))
        }
        8 => format!("compare {one} {other} {} {}", rng.random_bool(0.5), rng.random_range(-1..2)),
        _ => format!("empty {one}"),
    }
}

fn text(rng: &mut ChaCha8Rng) -> Vec<u16> {
    let alphabet: Vec<u16> = ALPHABETS.choose(rng).expect("there are some").encode_utf16().collect();
    let n = if rng.random_bool(0.02) { rng.random_range(0..300) } else { rng.random_range(0..10) };
    // Units and not chars: halves of pairs stand alone.
    (0..n).map(|_| *alphabet.choose(rng).expect("there are some")).collect()
}

/// Some text, or the same with few changes, or a part of it.
fn near(rng: &mut ChaCha8Rng, text: &[u16]) -> Vec<u16> {
    let mut near = text.to_vec();
    match rng.random_range(0..6) {
        0 => return self::text(rng),
        1 => return text[rng.random_range(0..=text.len())..].to_vec(),
        2 => near.truncate(rng.random_range(0..=text.len())),
        3 => {}
        _ => {
            for _ in 0..rng.random_range(1..3) {
                change(rng, &mut near);
            }
        }
    }
    near
}

fn change(rng: &mut ChaCha8Rng, text: &mut Vec<u16>) {
    let at = rng.random_range(0..=text.len());
    let unit = rng.random_range(32..127);
    match rng.random_range(0..3) {
        0 => text.insert(at, unit),
        1 if at < text.len() => drop(text.remove(at)),
        _ if at < text.len() => text[at] = if rng.random_bool(0.5) { unit } else { text[at] ^ rng.random_range(1..8) },
        _ => {}
    }
}

fn quoted(text: &[u16]) -> String {
    let mut quoted = String::from('"');
    for unit in text {
        match u8::try_from(*unit) {
            Ok(byte @ (b'"' | b'\\')) => quoted.extend(['\\', char::from(byte)]),
            Ok(byte @ 32..127) => quoted.push(char::from(byte)),
            _ => write!(quoted, "\\u{unit:04x}").expect("a string takes all"),
        }
    }
    quoted + "\""
}

fn whole(rng: &mut ChaCha8Rng) -> i64 {
    match rng.random_range(0..4) {
        0 => *[i64::MIN, i64::MAX, i64::MIN + 1, i64::MAX - 1, 0, -1, 1 << 53].choose(rng).expect("there are some"),
        1 => rng.random(),
        _ => rng.random_range(-20..20),
    }
}

fn value(rng: &mut ChaCha8Rng, kind: usize) -> String {
    let small = rng.random_range(-100..100);
    let nanos = *[0, 1, 500_000_000, 999_999_999].choose(rng).expect("there are some");
    let real = *[0.0, -0.0, 1.5, -1e300, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE].choose(rng).expect("there are some");
    match kind {
        0 => format!("int:{small}"),
        1 => format!("long:{}", whole(rng)),
        2 => format!("double:{}", java_real(real)),
        3 => format!("float:{}", java_real(real.clamp(-1e30, 1e30))),
        4 => format!("char:{}", rng.random_range(0..65_536)),
        5 => format!("date:{}", whole(rng)),
        6 => format!("day:{small}"),
        7 => format!("time:{}:{nanos}", rng.random_range(0..86_400)),
        8 => format!("local:{small}:{nanos}"),
        9 => format!("instant:{small}:{nanos}"),
        10 => format!("offset:{small}:0:{}", 3600 * rng.random_range(-2..3)),
        11 => format!("year:{small}"),
        12 => format!("months:{small}"),
        13 => format!("duration:{small}:{nanos}"),
        14 => format!("{}", rng.random_bool(0.5)),
        15 => "null".to_owned(),
        _ => quoted(&text(rng)),
    }
}

fn java_real(real: f64) -> String {
    if real.is_infinite() { "Infinity".to_owned() } else { format!("{real:?}") }
}

fn of_values(rng: &mut ChaCha8Rng) -> String {
    let kind = rng.random_range(0..17);
    let other = if rng.random_bool(0.1) { rng.random_range(0..17) } else { kind };
    let (one, other) = (value(rng, kind), value(rng, other));
    if rng.random_bool(0.5) {
        format!("equal {one} {other}")
    } else {
        format!("ordered {one} {other} {}", rng.random_range(-1..2))
    }
}

fn of_ranges(rng: &mut ChaCha8Rng) -> String {
    let [a, b, c] = [40, 20, 40].map(|high| rng.random_range(-3..high));
    match rng.random_range(0..4) {
        0 => format!("index {a} {}", b.max(0)),
        1 => format!("date {} {b} {c}", 1900 + a),
        2 => format!("time {a} {} {c} {}", 4 * b, rng.random_range(-1..1_000_000_001)),
        _ => format!("character {} {}", rng.random_range(0..9), rng.random_range(0..0x250)),
    }
}

fn parse(rng: &mut ChaCha8Rng) -> String {
    let mut digits: Vec<u16> = whole(rng).to_string().encode_utf16().collect();
    if rng.random_bool(0.6) {
        change(rng, &mut digits);
    }
    let digits = quoted(&if rng.random_bool(0.2) { text(rng) } else { digits });
    let ranges = [(-128, 127), (i32::MIN.into(), i32::MAX.into()), (i64::MIN, i64::MAX), (1, 0)];
    let (low, high) = *ranges[..].choose(rng).expect("there are some");
    match rng.random_range(0..4) {
        0 if low < high => {
            format!("decodeInteger {} {low} {high}", digits.replacen("\"1", "\"0x", 1).replacen("\"2", "\"0", 1))
        }
        1 => {
            let word = near(rng, &"true".encode_utf16().collect::<Vec<_>>());
            format!("parseBoolean {}", quoted(&word))
        }
        _ => format!("parseInteger {digits} {} {low} {high}", [10, 10, 16, 36].choose(rng).expect("there are some")),
    }
}

fn of_members(rng: &mut ChaCha8Rng) -> String {
    let kind = *[0, 0, 6, 16].choose(rng).expect("there are some");
    let n = if rng.random_bool(0.1) { rng.random_range(60..200) } else { rng.random_range(0..6) };
    let mut values = vec![value(rng, kind)];
    // A set has each once.
    while values.len() <= n {
        let one = value(rng, kind);
        if n > 40 || !values[1..].contains(&one) {
            values.push(one);
        }
    }
    if n > 0 && rng.random_bool(0.2) {
        values.swap_remove(0);
        values.insert(0, values[n / 2].clone());
    }
    let list = values.join(" ");
    match rng.random_range(0..4) {
        0 if n < 40 => format!("setContains {list}"),
        1 if n > 1 => format!("containsAll 2 {list}"),
        2 if kind == 16 => format!("constant {list}"),
        _ => format!("listContains {list}"),
    }
}

/// Patterns and descriptions of formatters, each with a text that fits.
const PATTERNS: [(&str, &str, &str); 11] = [
    ("strictDatePattern", "d.MM.yy k:mm", "4.10.19 13:45"),
    ("strictDatePattern", "yyyyMdd hh K:s", "2019114 11 9:45"),
    ("datePattern", "yyyy-MM-dd", "2019-10-14"),
    ("datePattern", "dd.MM.yy HH:mm", "14.10.19 13:45"),
    ("datePattern", "yyyyMMdd", "20191014"),
    ("datePattern", "d MMM yyyy", "14 Oct 2019"),
    ("datePattern", "HH:mm:ss.SSSXXX", "13:45:30.123+01:00"),
    ("datePattern", "EEE, d 'o''clock' a", "Mon, 5 o'clock pm"),
    ("description", "Value(YearOfEra,4,19,EXCEEDS_PAD)'-'Value(MonthOfYear,2)['-'Value(DayOfMonth,2)]", "2019-10-14"),
    (
        "description",
        "ParseCaseSensitive(false)(Value(HourOfDay,2)':'Value(MinuteOfHour,2))Fraction(NanoOfSecond,3,3,DecimalPoint)Offset(+HHmm,'Z')",
        "13:45.123z",
    ),
    ("description", "Value(DayOfMonth)' 'Text(MonthOfYear)' 'ReducedValue(YearOfEra,2,2,2000-01-01)", "5 October 19"),
];

fn format(rng: &mut ChaCha8Rng) -> String {
    let by_pattern = PATTERNS.choose(rng).filter(|_| rng.random_bool(0.3));
    let formed = by_pattern.map_or_else(|| *FORMED.choose(rng).expect("there are some"), |(_, _, text)| *text);
    let mut text: Vec<u16> = formed.encode_utf16().collect();
    for _ in 0..rng.random_range(0..3) {
        change(rng, &mut text);
    }
    let text = quoted(&text);
    match by_pattern {
        Some((name, pattern, _)) => format!("{name} {} {text}", quoted(&pattern.encode_utf16().collect::<Vec<_>>())),
        None => format!("format {} {text}", rng.random_range(0..21)),
    }
}

fn regex(rng: &mut ChaCha8Rng) -> String {
    let expression = alternatives(rng, 2);
    let flags = FLAGS.choose(rng).expect("there are some");
    // Whether a letter beyond ASCII has an edge depends on the version of Java.
    let alphabet = if expression.contains("\\b") || expression.contains("\\B") {
        "abcA05_-. \n"
    } else {
        "aabbccABC05_-. \n\r\u{e4}\u{3b2}"
    };
    let text: Vec<u16> = alphabet.encode_utf16().collect();
    let text: Vec<u16> = (0..rng.random_range(0..9)).map(|_| *text.choose(rng).expect("there are some")).collect();
    let expression = quoted(&expression.encode_utf16().collect::<Vec<_>>());
    format!("regex {expression} {flags} {} {}", rng.random_range(0..3), quoted(&text))
}

fn alternatives(rng: &mut ChaCha8Rng, depth: usize) -> String {
    let n = if rng.random_bool(0.3) { 2 } else { 1 };
    (0..n).map(|_| sequence(rng, depth)).collect::<Vec<_>>().join("|")
}

fn sequence(rng: &mut ChaCha8Rng, depth: usize) -> String {
    let mut sequence = String::new();
    for _ in 0..rng.random_range(0..4) {
        if depth > 0 && rng.random_bool(0.25) {
            let open = ["(", "(?:", "(?i:", "(?<n>", "(?-i:"].choose(rng).expect("there are some");
            write!(sequence, "{}{})", open.replace("<n>", ":"), alternatives(rng, depth - 1)).expect("a string takes all");
        } else {
            sequence += ATOMS.choose(rng).expect("there are some");
        }
        if rng.random_bool(0.4) {
            sequence += QUANTIFIERS.choose(rng).expect("there are some");
        }
    }
    sequence
}
