//! What a text is narrowed to, by what the service does with it.

use std::sync::Arc;

use super::plain;
use super::{Form, Lens, TextForm};
use crate::gene::measure::Measure;
use crate::gene::regex::{Dialect, Pattern};
use crate::random::Random;

/// Characters that strings of a pattern have, at most.
const LONGEST: usize = 256;

/// How often a text of a regular expression is changed a little before it is drawn anew: most changes lead out of it.
const TWEAKS: usize = 4;
/// Probability that such a change is to a number in it, where it has one.
const P_NUDGE: f64 = 0.4;
/// Characters in front of what a text must hold, at most, where it is put in.
const WITHIN: usize = 4;

/// Values that a text gene may take beside those that it draws: told by a driver, within the constraints of the gene.
#[derive(Debug, Clone)]
pub enum Specialisation {
    /// Exactly this.
    Constant(String),
    /// This in any case.
    AnyCase(String),
    /// It begins with this.
    Beginning(String),
    /// It ends with this.
    Ending(String),
    /// It holds this.
    Holding(String),
    /// Texts of a form.
    Form(TextForm),
    /// Texts of a regular expression, with its source.
    Pattern(String, Arc<Pattern>),
    /// Words with this between them.
    Parted(String),
    /// A part or another form of it is of a specialisation.
    Within(Lens, Arc<Specialisation>),
}

impl PartialEq for Specialisation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(one), Self::Constant(other))
            | (Self::AnyCase(one), Self::AnyCase(other))
            | (Self::Beginning(one), Self::Beginning(other))
            | (Self::Ending(one), Self::Ending(other))
            | (Self::Holding(one), Self::Holding(other))
            | (Self::Parted(one), Self::Parted(other))
            | (Self::Pattern(one, _), Self::Pattern(other, _)) => one == other,
            (Self::Within(lens, one), Self::Within(other_lens, other)) => lens == other_lens && one == other,
            (Self::Form(one), Self::Form(other)) => one == other,
            _ => false,
        }
    }
}

impl Specialisation {
    /// Texts in which a regular expression of Java is found; none when it cannot be translated.
    pub fn of_pattern(source: &str) -> Option<Self> {
        let pattern = Pattern::new(source, Dialect::Java).ok()?;
        Some(Self::Pattern(source.to_owned(), Arc::new(pattern)))
    }

    /// Whether the other is the same of another part of the text.
    pub fn differs_in_place(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Within(_, one), Self::Within(_, other)) => one == other,
            _ => false,
        }
    }

    /// Whether this is the other, of the whole text or of a part or another form of it.
    pub fn comes_to(&self, other: &Self) -> bool {
        self == other || matches!(self, Self::Within(_, inner) if inner.comes_to(other))
    }

    /// A value, in the place of `value`.
    pub fn draw(&self, random: &mut Random, value: &str) -> Option<String> {
        Some(match self {
            Self::Constant(text) => text.clone(),
            Self::AnyCase(text) if random.chance(0.5) => text.clone(),
            Self::AnyCase(text) => text.chars().map(|it| in_any_case(random, it)).collect(),
            Self::Beginning(text) => format!("{text}{value}"),
            Self::Ending(text) => format!("{value}{text}"),
            Self::Holding(text) => {
                let places: Vec<usize> = value.char_indices().map(|(at, _)| at).chain([value.len()]).collect();
                // The first one has it within, for mostly it separates others, and before what was put there for another one.
                let is_first = places.len() > 2 && !value.contains(text);
                let place = if is_first { WITHIN.min(places.len() / 2) } else { random.below(places.len()) };
                let (before, after) = value.split_at(places[place]);
                format!("{before}{text}{after}")
            }
            // The first one is a common one: what is looked at after the form shows with it.
            Self::Form(form) if !form.accepts(value) => form.typical(random),
            Self::Form(form) => form.sample(random),
            Self::Pattern(_, pattern) => pattern.sample(random, 0, LONGEST)?,
            Self::Parted(separator) => {
                let words: Vec<String> = (0..2 + random.below(3)).map(|_| word(random)).collect();
                words.join(separator)
            }
            Self::Within(lens, inner) => {
                let part = inner.draw(random, &lens.look(value).unwrap_or_default())?;
                lens.put(value, &part)?
            }
        })
    }

    /// `value`, which was drawn here, with a change that mostly leaves it one of these.
    pub(super) fn mutated(&self, random: &mut Random, value: &str) -> Option<String> {
        match self {
            Self::Constant(_) => None,
            Self::Form(form) => Some(form.mutated(random, value)),
            Self::AnyCase(_) => self.draw(random, value),
            Self::Pattern(_, pattern) => (0..TWEAKS)
                .map(|_| if random.chance(P_NUDGE) { plain::nudged(random, value) } else { plain::tweaked(random, value) })
                .find(|text| text != value && pattern.is_match(text))
                .or_else(|| self.draw(random, value)),
            Self::Within(lens, inner) => {
                let part = lens.look(value).filter(|_| random.chance(0.5));
                match part.and_then(|part| inner.mutated(random, &part)) {
                    Some(part) => lens.put(value, &part),
                    // What surrounds the part changes, and the part is put back.
                    None => self.changed_around(random, lens, value),
                }
            }
            Self::Parted(_) | Self::Beginning(_) | Self::Ending(_) | Self::Holding(_) => Some(plain::tweaked(random, value)),
        }
    }

    /// `value` with a change to what surrounds its part.
    fn changed_around(&self, random: &mut Random, lens: &Lens, value: &str) -> Option<String> {
        let part = lens.look(value)?;
        match lens {
            Lens::Form(Form::UrlDecoded | Form::UrlEncoded | Form::Base64Decoded) => self.draw(random, value),
            _ => lens.put(&plain::tweaked(random, value), &part),
        }
    }

    /// Where the part of `value` lies that is of a form; none where that is on no line.
    pub(super) fn measure(&self, value: &str) -> Option<Measure> {
        match self {
            Self::Form(form) => form.measure(value),
            Self::Within(lens, inner) => inner.measure(&lens.look(value)?),
            _ => None,
        }
    }

    /// How far that part is moved to see what changes with it, the longest last; none where it is of no form on a line.
    pub(super) fn small_moves(&self) -> &'static [f64] {
        match self {
            Self::Form(form) => form.small_moves(),
            Self::Within(_, inner) => inner.small_moves(),
            _ => &[],
        }
    }

    /// Whether the text, or a part of it, is drawn from a regular expression.
    pub(super) fn has_pattern(&self) -> bool {
        match self {
            Self::Pattern(..) => true,
            Self::Within(_, inner) => inner.has_pattern(),
            _ => false,
        }
    }

    /// Whether `value` is one of these.
    pub(in crate::gene) fn accepts(&self, value: &str) -> bool {
        match self {
            Self::Constant(text) => value == text,
            Self::AnyCase(text) => value.to_lowercase() == text.to_lowercase(),
            Self::Beginning(text) => value.starts_with(text),
            Self::Ending(text) => value.ends_with(text),
            Self::Holding(text) | Self::Parted(text) => value.contains(text),
            Self::Form(form) => form.accepts(value),
            Self::Pattern(_, pattern) => pattern.is_match(value),
            Self::Within(lens, inner) => lens.look(value).is_some_and(|part| inner.accepts(&part)),
        }
    }

    /// `value` with that part moved; none where that cannot be written.
    pub(super) fn shifted(&self, value: &str, by: f64) -> Option<String> {
        match self {
            Self::Form(form) => form.shifted(value, by),
            Self::Within(lens, inner) => lens.put(value, &inner.shifted(&lens.look(value)?, by)?),
            _ => None,
        }
    }
}

/// A few letters that no other text has by chance.
fn word(random: &mut Random) -> String {
    let length = 4 + random.below(4);
    plain::letters(random, length)
}

fn in_any_case(random: &mut Random, character: char) -> char {
    let other = if random.chance(0.5) { character.to_ascii_lowercase() } else { character.to_ascii_uppercase() };
    if character.is_ascii() { other } else { character }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_must_hold_stands_within_it_first() {
        let (holding, mut random) = (Specialisation::Holding("=".to_owned()), Random::new(1, 0));
        let mut draw = |value| holding.draw(&mut random, value);
        let first = ["abcd", "äöü", "ab", "abcdefghijkl"].map(&mut draw);
        assert_eq!(first, ["ab=cd", "äö=ü", "a=b", "abcd=efghijkl"].map(|text| Some(text.to_owned())));
        assert!((0..40).any(|_| draw("ab=cd").is_some_and(|text| text.starts_with('='))), "anywhere later");
        assert!(["=a", "a="].map(|text| Some(text.to_owned())).contains(&draw("a")));
    }

    #[test]
    fn the_first_text_of_a_form_is_a_common_one() {
        let mut random = Random::new(1, 0);
        let mut draw = |form, value: &str| Specialisation::Form(form).draw(&mut random, value).expect("forms have texts");
        let is_version_4 = |text: &str| text.as_bytes()[14] == b'4' && !text.starts_with("00000000-");
        assert!((0..200).all(|_| draw(TextForm::Uri, "some text").starts_with("http")));
        assert!((0..200).all(|_| is_version_4(&draw(TextForm::Uuid, "some text"))));
        // From there on any is.
        assert!((0..200).any(|_| draw(TextForm::Uri, "http://a.example/").starts_with("urn:")));
        assert!(!(0..200).all(|_| is_version_4(&draw(TextForm::Uuid, "1dd8a1c6-8c1f-4a5e-8c8e-3b9f4e5a7d21"))));
    }
}
