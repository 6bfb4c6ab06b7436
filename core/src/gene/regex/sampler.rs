//! Strings drawn from the tree of a regular expression.

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use crate::random::Random;

/// Characters written at most beyond what the pattern or the wanted length demands.
const SLACK: usize = 256;

/// A string of the pattern; repetitions run up to `stretch` times beyond their minimum. Assertions are passed over.
///
/// May be longer than `max`, but not by much: nothing optional is written past it.
pub(super) fn sample(shape: &Hir, random: &mut Random, stretch: usize, max: usize) -> String {
    let mut text = String::new();
    let limit = max.saturating_add(SLACK).min(max.max(4_096));
    Walk { random: Some(random), stretch, limit }.write(shape, &mut text);
    text
}

/// The string with every repetition at its minimum and the shortest alternatives; at most about `max` characters.
pub(super) fn smallest(shape: &Hir, max: usize) -> String {
    let mut text = String::new();
    Walk { random: None, stretch: 0, limit: max.saturating_add(SLACK) }.write(shape, &mut text);
    text
}

/// Number of characters at the start that are the same in every string.
pub(super) fn fixed_start(shape: &Hir) -> usize {
    let parts = if let HirKind::Concat(parts) = shape.kind() { parts.as_slice() } else { std::slice::from_ref(shape) };
    let literals = parts.iter().filter(|part| !matches!(part.kind(), HirKind::Look(_) | HirKind::Empty));
    let lengths = literals.map_while(|part| match part.kind() {
        HirKind::Literal(literal) => Some(String::from_utf8_lossy(&literal.0).chars().count()),
        _ => None,
    });
    lengths.sum()
}

/// `text` with `count` letters or digits before or behind it.
pub(super) fn padded(random: &mut Random, text: String, count: usize) -> String {
    let pad: String = (0..count)
        .map(|_| char::from(*random.pick(b"abcdefghijklmnopqrstuvwxyz0123456789").expect("it is not empty")))
        .collect();
    match random.below(3) {
        0 => pad + &text,
        _ => text + &pad,
    }
}

struct Walk<'a> {
    // None for the smallest string.
    random: Option<&'a mut Random>,
    stretch: usize,
    // Bytes after which nothing is written any more.
    limit: usize,
}

impl Walk<'_> {
    fn write(&mut self, shape: &Hir, text: &mut String) {
        if text.len() > self.limit {
            return;
        }
        match shape.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
            HirKind::Class(class) => text.extend(self.character(class)),
            HirKind::Repetition(repetition) => self.repeat(repetition, text),
            HirKind::Capture(capture) => self.write(&capture.sub, text),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.write(part, text)),
            HirKind::Alternation(options) => {
                let option = match &mut self.random {
                    Some(random) => random.pick(options),
                    None => options.iter().min_by_key(|option| option.properties().minimum_len()),
                };
                if let Some(option) = option {
                    self.write(option, text);
                }
            }
        }
    }

    fn repeat(&mut self, repetition: &Repetition, text: &mut String) {
        let least = repetition.min as usize;
        let most = repetition.max.map_or(usize::MAX, |max| max as usize);
        let extra = (most - least).min(self.stretch);
        let stretched = self.stretch > 12;
        let extra = match &mut self.random {
            // `?` is a matter of chance, not of length.
            Some(random) if extra == 0 && most > least => random.below(2),
            // A stretched walk is wanted for its length, so half of them go to the end.
            Some(random) if stretched => {
                if random.chance(0.5) {
                    extra
                } else {
                    random.log_size(extra)
                }
            }
            Some(random) => random.log_size(extra),
            None => 0,
        };
        for _ in 0..least + extra {
            if text.len() > self.limit {
                return;
            }
            self.write(&repetition.sub, text);
        }
    }

    fn character(&mut self, class: &Class) -> Option<char> {
        let ranges: Vec<(char, char)> = match class {
            Class::Unicode(class) => class.ranges().iter().map(|range| (range.start(), range.end())).collect(),
            Class::Bytes(class) => {
                class.ranges().iter().map(|range| (char::from(range.start()), char::from(range.end().min(127)))).collect()
            }
        };
        let plain: Vec<char> =
            (' '..='~').filter(|character| ranges.iter().any(|(start, end)| (start..=end).contains(&character))).collect();
        let Some(random) = &mut self.random else {
            let liked = ['a', '0', 'A'].into_iter().find(|character| plain.contains(character));
            return liked.or_else(|| plain.first().copied()).or_else(|| ranges.first().map(|range| range.0));
        };
        if !plain.is_empty() && random.chance(0.93) {
            let readable: Vec<char> = plain.iter().copied().filter(char::is_ascii_alphanumeric).collect();
            let from = if !readable.is_empty() && random.chance(0.6) { &readable } else { &plain };
            return random.pick(from).copied();
        }
        let (start, end) = *random.pick(&ranges)?;
        let drawn = random.between(i64::from(u32::from(start)), i64::from(u32::from(end)));
        // The gap of the surrogates lies inside some ranges.
        Some(u32::try_from(drawn).ok().and_then(char::from_u32).unwrap_or(start))
    }
}
