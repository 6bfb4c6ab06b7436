//! Strings without a format, drawn and changed as people break things.

use std::ops::Range;

use crate::gene::measure::with_digits_moved;
use crate::random::Random;

/// Texts that programs treat specially.
const WORDS: [&str; 34] = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "1.5",
    "NaN",
    "undefined",
    "id",
    "name",
    "admin",
    "test",
    "foo",
    "bar",
    "a",
    " ",
    "../",
    "%00",
    "*",
    "{}",
    "[]",
    "2020-01-01",
    "en",
    "<b>",
    "' OR 1=1",
    "{\"key\":\"text\"}",
    "[\"text\",123]",
    "<key>text</key>",
    "key=text&other=123",
    "2020-01-01T00:00:00Z",
    ".*",
    "$",
    "now",
];

/// Characters that programs treat specially: separators, quotes, control characters, long and odd Unicode.
const ODD: [char; 48] = [
    '\'',
    '"',
    '\\',
    '/',
    '<',
    '>',
    '&',
    '%',
    ';',
    ':',
    ',',
    '.',
    '-',
    '_',
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '*',
    '?',
    '#',
    '$',
    '|',
    '=',
    '+',
    '@',
    '!',
    '^',
    '~',
    'é',
    'ß',
    'İ',
    'Ω',
    '中',
    '😀',
    '\u{200b}',
    '\u{202e}',
    '\u{feff}',
    '\u{fffd}',
    '\u{301}',
    '\u{10ffff}',
];

/// The shortest string, of letters only.
pub(super) fn smallest(min: usize) -> String {
    "a".repeat(min)
}

/// Lower-case letters, so many of them.
pub(super) fn letters(random: &mut Random, length: usize) -> String {
    (0..length).map(|_| char::from(b'a' + u8::try_from(random.below(26)).unwrap_or(0))).collect()
}

/// A string of `min..=max` characters; short ones and the bounds often.
pub(super) fn sample(random: &mut Random, min: usize, max: usize) -> String {
    if random.chance(0.12) {
        let word = *random.pick(&WORDS).expect("words are listed");
        if (min..=max).contains(&word.chars().count()) {
            return word.to_owned();
        }
    }
    let length = match random.below(20) {
        0 | 1 => min,
        2 | 3 => (min + 1).min(max),
        4 => max,
        5 => max.saturating_sub(1).max(min),
        _ => min + random.log_size(max - min),
    };
    let alphabet = random.below(20);
    let repeated = random.chance(0.05).then(|| character(random, alphabet));
    (0..length).map(|_| repeated.unwrap_or_else(|| character(random, alphabet))).collect()
}

/// `value` with the characters of `range` moved by code points; none where there are no such characters.
pub(super) fn shifted(value: &str, range: Range<usize>, by: f64) -> Option<String> {
    let mut characters: Vec<char> = value.chars().collect();
    for character in characters.get_mut(range)? {
        let to = (f64::from(u32::from(*character)) + by).round();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what saturates is no character but NUL")]
        let code = to as u32;
        *character = char::from_u32(code)?;
    }
    Some(characters.into_iter().collect())
}

/// One character: letters mostly, then digits, printable and odd ones.
fn character(random: &mut Random, alphabet: usize) -> char {
    let from = |random: &mut Random, letters: &[u8]| char::from(*random.pick(letters).expect("letters are listed"));
    match alphabet {
        0..=7 => from(random, b"abcdefghijklmnopqrstuvwxyz"),
        8..=11 => from(random, b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"),
        12..=14 => from(random, b"0123456789"),
        15..=17 => char::from(u8::try_from(random.between(32, 126)).unwrap_or(b' ')),
        _ => *random.pick(&ODD).expect("characters are listed"),
    }
}

fn any_character(random: &mut Random) -> char {
    let alphabet = random.below(20);
    character(random, alphabet)
}

/// `value` with one change of a character, its case or its length; within the lengths where the change allows it.
pub(super) fn mutated(random: &mut Random, value: &str, min: usize, max: usize) -> String {
    let mut characters: Vec<char> = value.chars().collect();
    let length = characters.len();
    if length == 0 {
        return any_character(random).to_string();
    }
    let at = random.below(length);
    match random.below(20) {
        0..=5 => characters[at] = any_character(random),
        6..=7 => characters[at] = neighbour(random, characters[at]),
        8..=10 => characters.insert(random.below(length + 1), any_character(random)),
        11..=12 => drop(characters.remove(at)),
        13 => characters.truncate(at.max(min)),
        14 => {
            // Doubling reaches the limits of columns and buffers in a few steps.
            let room = max.saturating_sub(length).min(length);
            characters.extend_from_within(..room);
        }
        15 => change_case(random, &mut characters),
        16 => characters.swap(at, random.below(length)),
        17 => characters.truncate(min),
        18 => return (*random.pick(&WORDS).expect("words are listed")).to_owned(),
        _ => characters.extend((0..=random.log_size(4)).map(|_| any_character(random))),
    }
    characters.truncate(max);
    characters.into_iter().collect()
}

/// `value` with a small change that keeps its look: a digit for a digit, a letter for a letter, one part repeated.
pub(super) fn tweaked(random: &mut Random, value: &str) -> String {
    let mut characters: Vec<char> = value.chars().collect();
    let length = characters.len();
    if length == 0 {
        return any_character(random).to_string();
    }
    let at = random.below(length);
    match random.below(10) {
        0..=4 => characters[at] = alike(random, characters[at]),
        5 => characters[at] = neighbour(random, characters[at]),
        6 => characters.insert(at, alike(random, characters[at])),
        7 => drop(characters.remove(at)),
        8 => {
            let end = at + 1 + random.below(length - at);
            let part: Vec<char> = characters[at..end].to_vec();
            characters.splice(end..end, part);
        }
        _ => change_case(random, &mut characters),
    }
    characters.into_iter().collect()
}

/// `value` with a number in it moved, mostly a little; tweaked where it has none.
pub(super) fn nudged(random: &mut Random, value: &str) -> String {
    let digits: Vec<bool> = value.chars().map(|it| it.is_ascii_digit()).collect();
    let starts: Vec<usize> = (0..digits.len()).filter(|at| digits[*at] && (*at == 0 || !digits[at - 1])).collect();
    let Some(start) = random.pick(&starts).copied() else { return tweaked(random, value) };
    let by = 1.0 + random.log_size(30) as f64;
    let by = if random.chance(0.5) { by } else { -by };
    with_digits_moved(value, start, by).unwrap_or_else(|| tweaked(random, value))
}

/// Another character of the same kind.
fn alike(random: &mut Random, character: char) -> char {
    let drawn = |random: &mut Random, first: u8, last: u8| {
        char::from(u8::try_from(random.between(first.into(), last.into())).unwrap_or(first))
    };
    match character {
        '0'..='9' => drawn(random, b'0', b'9'),
        'a'..='f' => drawn(random, b'a', b'f'),
        'g'..='z' => drawn(random, b'a', b'z'),
        'A'..='F' => drawn(random, b'A', b'F'),
        'G'..='Z' => drawn(random, b'A', b'Z'),
        _ => any_character(random),
    }
}

/// The character with the next smaller or larger code.
fn neighbour(random: &mut Random, character: char) -> char {
    let code = u32::from(character);
    let moved = if random.chance(0.5) { code.saturating_add(1) } else { code.saturating_sub(1) };
    char::from_u32(moved).unwrap_or(character)
}

/// One letter, or all of them, in the other case.
fn change_case(random: &mut Random, characters: &mut [char]) {
    let letters: Vec<usize> = (0..characters.len()).filter(|at| characters[*at].is_ascii_alphabetic()).collect();
    let other = |character: char| {
        if character.is_ascii_lowercase() { character.to_ascii_uppercase() } else { character.to_ascii_lowercase() }
    };
    if random.chance(0.5) {
        for at in letters {
            characters[at] = other(characters[at]);
        }
    } else if let Some(at) = random.pick(&letters) {
        characters[*at] = other(characters[*at]);
    }
}
