//! Regular expressions as generators and matchers of strings.
//!
//! [`Pattern::new`] translates a dialect into the syntax of `regex-syntax`, whose tree is then walked at random.
//! What the walk cannot honour (look-around, atomic groups) is left to the matchers: a sample that they refuse is
//! thrown away. So are samples whose back references are not what they refer to.

mod dialect;
mod matcher;
mod sampler;

use regex_syntax::hir::Hir;

use crate::api::StringSchema;
use crate::random::Random;
use matcher::Matcher;

pub use crate::api::PatternDialect as Dialect;

/// Samples thrown away before giving up.
const TRIES: usize = 60;

/// A pattern that is not used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("pattern `{pattern}` could not be translated: {reason}")]
pub struct PatternError {
    /// The pattern as given.
    pub pattern: String,
    /// What stands in the way, as a lower-case fragment.
    pub reason: String,
}

/// A regular expression that strings can be drawn from and checked against.
#[derive(Debug)]
pub struct Pattern {
    shape: Hir,
    // Texts that must be found somewhere, from look-aheads such as `(?=.*[A-Z])`.
    wanted: Vec<Hir>,
    /// Number of characters at the start that every string has.
    prefix: usize,
    matcher: Matcher,
}

impl Pattern {
    /// Translates `pattern`; an error when no string can be drawn from it.
    pub fn new(pattern: &str, dialect: Dialect) -> Result<Self, PatternError> {
        let error = |reason: String| PatternError { pattern: pattern.to_owned(), reason };
        let translation = dialect::translate(pattern, dialect).map_err(error)?;
        let parse = |text: &str| regex_syntax::Parser::new().parse(text).map_err(|cause| error(matcher::reason(&cause)));
        let shape = parse(&translation.shape)?;
        let wanted = translation.wanted.iter().filter_map(|text| parse(text).ok()).collect();
        let matcher = Matcher::new(pattern, dialect, &translation, &shape);
        Ok(Self { prefix: sampler::fixed_start(&shape), shape, wanted, matcher })
    }

    /// The pattern of a schema, none when it has none.
    pub fn of(schema: &StringSchema) -> Option<Result<Self, PatternError>> {
        let text = schema.pattern.as_deref().filter(|text| !text.is_empty())?;
        let pattern = Self::new(text, schema.pattern_dialect);
        Some(match schema.pattern_dialect {
            // Validators do not know JavaScript's class of all characters either, which to Java is not even closed.
            Dialect::Java if text.contains("[^]") => pattern.or_else(|_| Self::new(text, Dialect::Ecma)),
            Dialect::Ecma | Dialect::Java => pattern,
        })
    }

    /// Whether `text` contains a match; false also when finding out would take too long.
    pub fn is_match(&self, text: &str) -> bool {
        self.matcher.is_match(text)
    }

    /// A string of `min..=max` characters that matches, none when no draw did.
    pub fn sample(&self, random: &mut Random, min: usize, max: usize) -> Option<String> {
        let mut stretch = random.log_size(12);
        for _ in 0..TRIES {
            let mut text = sampler::sample(&self.shape, random, stretch, max);
            let length = text.chars().count();
            if length > max {
                stretch /= 2;
                continue;
            }
            if length < min {
                stretch = (stretch * 2 + 1).min(min);
                text = sampler::padded(random, text, min - length);
            }
            if self.matcher.is_match(&text) {
                return Some(text);
            }
            if let Some(text) = self.with_wanted_parts(random, &text, (min, max)) {
                return Some(text);
            }
            stretch = if stretch == 0 { random.log_size(12) } else { stretch };
        }
        None
    }

    /// The shortest string of the pattern when it matches and has a length of `min..=max`, else a sample.
    pub fn smallest(&self, min: usize, max: usize) -> Option<String> {
        let text = sampler::smallest(&self.shape, max);
        let fits = (min..=max).contains(&text.chars().count()) && self.matcher.is_match(&text);
        let mut random = Random::new(0, 0);
        if fits { Some(text) } else { (0..5).find_map(|_| self.sample(&mut random, min, max)) }
    }

    /// `text` with what the look-aheads ask for written over random places, when that matches.
    fn with_wanted_parts(&self, random: &mut Random, text: &str, (min, max): (usize, usize)) -> Option<String> {
        if self.wanted.is_empty() {
            return None;
        }
        let mut characters: Vec<char> = text.chars().collect();
        for wanted in &self.wanted {
            let part = sampler::sample(wanted, random, 0, characters.len());
            let length = part.chars().count();
            // Many look behind what is fixed at the start for all of the rest, as in `^arn:(?=[^:]+:[0-9]+$)`.
            let start = if length > characters.len() || random.chance(0.5) {
                self.prefix.min(characters.len())
            } else {
                random.below(characters.len() - length + 1)
            };
            let end = (start + length).min(characters.len());
            characters.splice(start..end, part.chars());
        }
        let is_of_length = (min..=max).contains(&characters.len());
        let text: String = characters.into_iter().collect();
        (is_of_length && self.matcher.is_match(&text)).then_some(text)
    }
}

#[cfg(test)]
mod tests;
