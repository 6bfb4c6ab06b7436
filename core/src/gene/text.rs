//! Strings: plain ones, those of a format, and those of a pattern, within length limits.
//!
//! One rule keeps all constraints: a new value is proposed by one of the generators and taken only when length,
//! pattern and format accept it.

mod base64;
mod calendar;
mod form;
mod lens;
mod mark;
mod network;
mod plain;
mod specialisation;
mod uuid;

pub use form::TextForm;
pub use lens::{Form, Lens};
pub use mark::is_marked;
pub use specialisation::Specialisation;

use std::sync::Arc;

use serde_json::Value;

use super::choice::Formats;
use super::enumeration::plain_text;
use super::measure::{Measure, Part, Shift, starts_of_digits, with_digits_moved};
use super::regex::{Dialect, Pattern};
use super::{Conversion, Mutation};
use crate::api::StringSchema;
use crate::random::Random;

/// Proposals thrown away before the value stays as it is.
const TRIES: usize = 24;
/// Characters of a text that few others have by chance.
const TELLING: usize = 4;
/// Characters of one that a service can take parts of.
const ROOMY: usize = 10;
/// Longest minimum that is honoured, in characters; a longer one counts as unsatisfiable.
pub(super) const MAX_MIN_LENGTH: usize = 1 << 16;
/// Probability that a new string is near an example where there is one: it may stand for a language that no draw meets.
const P_NEAR_EXAMPLE: f64 = 0.1;
/// How many times `max_string` a string may grow to by mutation.
const GROWTH: usize = 16;
/// Probability that a narrowed value stays narrowed when it is changed.
const P_NARROW: f64 = 0.9;

/// Numbers in a text of a pattern that are moved to look at them, at most.
const MOST_NUMBERS: usize = 6;

/// A string.
#[derive(Debug, Clone)]
pub struct TextGene {
    rules: Arc<TextRules>,
    value: String,
    /// What the value is narrowed to at present.
    specialisation: Option<Arc<Specialisation>>,
}

/// Constraints of a string and its generators.
#[derive(Debug)]
pub(super) struct TextRules {
    min: usize,
    /// Largest length that is allowed.
    max: usize,
    /// Largest length that is drawn.
    drawn: usize,
    /// Largest length that mutation leads to.
    grown: usize,
    form: TextForm,
    /// Whether JSON Schema names the format, so that validators may look at it.
    asserted: bool,
    pattern: Option<Pattern>,
    /// Whether validators know the pattern.
    validated: bool,
    /// Whether the format was given up because length or pattern contradict it.
    formless: bool,
    examples: Arc<[Value]>,
    smallest: String,
}

impl TextRules {
    /// None when no string was found that keeps lengths and pattern.
    ///
    /// A format that contradicts them is given up: to JSON Schema it is a remark, they are demands.
    pub(super) fn new(schema: &StringSchema, max_string: usize, examples: Arc<[Value]>) -> Option<Self> {
        let min = schema.min_length;
        let max = schema.max_length.unwrap_or(usize::MAX);
        if min > max || min > MAX_MIN_LENGTH {
            return None;
        }
        let mut rules = Self {
            min,
            max,
            drawn: max.min(min.saturating_add(max_string)),
            grown: max.min(min.saturating_add(max_string.saturating_mul(GROWTH))),
            form: schema.format.as_deref().map_or(TextForm::Plain, TextForm::of_format),
            asserted: schema.format.as_deref().is_some_and(form::is_named_by_json_schema),
            pattern: Pattern::of(schema).transpose().ok()?,
            validated: schema.pattern_dialect == Dialect::Ecma,
            formless: false,
            examples,
            smallest: String::new(),
        };
        rules.smallest = rules.find_smallest().or_else(|| {
            rules.formless = std::mem::replace(&mut rules.form, TextForm::Plain) != TextForm::Plain;
            rules.formless.then(|| rules.find_smallest()).flatten()
        })?;
        Some(rules)
    }

    fn find_smallest(&self) -> Option<String> {
        let mut random = Random::new(0, 0);
        let first = match (&self.pattern, self.form) {
            (Some(pattern), TextForm::Plain) => pattern.smallest(self.min, self.max),
            (None, TextForm::Plain) => Some(plain::smallest(self.min)),
            (_, form) => Some(form.smallest().to_owned()),
        };
        let examples = self.examples.iter().filter_map(Value::as_str).map(str::to_owned);
        let mut candidates = first.into_iter().chain(examples);
        candidates.find(|text| self.accepts(text)).or_else(|| (0..8).find_map(|_| self.draw(&mut random)))
    }

    /// Whether the text keeps every constraint.
    fn accepts(&self, text: &str) -> bool {
        self.accepts_plain(text) && self.form.accepts(text)
    }

    /// The same as a validator sees it that takes formats in this way.
    pub(super) fn accepts_as(&self, text: &str, formats: Formats) -> bool {
        let is_asserted = formats == Formats::Asserted && self.asserted;
        let is_allowed = if self.validated { self.accepts_plain(text) } else { self.is_of_length(text) };
        is_allowed && (!is_asserted || self.form.accepts(text))
    }

    fn accepts_plain(&self, text: &str) -> bool {
        let is_match = |pattern: &Pattern| pattern.is_match(text);
        self.is_of_length(text) && self.pattern.as_ref().is_none_or(is_match)
    }

    fn is_of_length(&self, text: &str) -> bool {
        (self.min..=self.max).contains(&text.chars().count())
    }

    /// A new string, none when no proposal was accepted.
    fn draw(&self, random: &mut Random) -> Option<String> {
        (0..TRIES).find_map(|_| self.propose(random).filter(|text| self.accepts(text)))
    }

    fn propose(&self, random: &mut Random) -> Option<String> {
        if random.chance(P_NEAR_EXAMPLE)
            && let Some(example) = random.pick(&self.examples).and_then(Value::as_str)
        {
            return Some(near(random, example));
        }
        match (&self.pattern, self.form) {
            (Some(pattern), form) if form == TextForm::Plain || random.chance(0.5) => {
                // A bound that is far away is not one to draw towards.
                pattern.sample(random, self.min, self.max.min(self.grown.max(256)))
            }
            (_, TextForm::Plain) => Some(plain::sample(random, self.min, self.drawn)),
            (_, form) => Some(form.sample(random)),
        }
    }

    fn propose_change(&self, random: &mut Random, value: &str) -> Option<String> {
        if random.chance(0.1) {
            let example = random.pick(&self.examples).and_then(Value::as_str).map(str::to_owned);
            return example.filter(|_| random.chance(0.5)).or_else(|| self.propose(random));
        }
        match (&self.pattern, self.form) {
            (Some(_), _) if random.chance(0.3) => self.spliced(random, value),
            (None, TextForm::Plain) => Some(plain::mutated(random, value, self.min, self.grown)),
            (Some(_), TextForm::Plain) => Some(plain::tweaked(random, value)),
            (_, form) => Some(form.mutated(random, value)),
        }
    }

    /// The start of one string of the pattern with the end of another.
    fn spliced(&self, random: &mut Random, value: &str) -> Option<String> {
        let other = self.propose(random)?;
        let (mine, other): (Vec<char>, Vec<char>) = (value.chars().collect(), other.chars().collect());
        let cut = random.below(mine.len() + 1);
        let cut_other = if random.chance(0.7) { cut.min(other.len()) } else { random.below(other.len() + 1) };
        let (start, end) =
            if random.chance(0.5) { (&mine[..cut], &other[cut_other..]) } else { (&other[..cut_other], &mine[cut..]) };
        Some(start.iter().chain(end).collect())
    }
}

/// An example, mostly with a few changes that keep its look.
fn near(random: &mut Random, example: &str) -> String {
    let changes = random.below(4);
    (0..changes).fold(example.to_owned(), |text, _| plain::tweaked(random, &text))
}

impl TextGene {
    pub(super) fn new(rules: Arc<TextRules>) -> Self {
        Self { value: rules.smallest.clone(), rules, specialisation: None }
    }

    /// The present string.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What the value is narrowed to at present.
    pub(super) fn specialised(&self) -> Option<&Arc<Specialisation>> {
        self.specialisation.as_ref()
    }

    /// The format that is kept.
    pub fn form(&self) -> TextForm {
        self.rules.form
    }

    /// The pattern that is kept, none when there is none.
    pub fn pattern(&self) -> Option<&Pattern> {
        self.rules.pattern.as_ref()
    }

    /// Smallest and largest number of characters that are allowed.
    pub fn lengths(&self) -> (usize, usize) {
        (self.rules.min, self.rules.max)
    }

    /// Whether values are of the format too, when there is one that is known.
    pub fn keeps_format(&self) -> bool {
        !self.rules.formless
    }

    pub(super) fn examples(&self) -> &Arc<[Value]> {
        &self.rules.examples
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        if let Some(value) = self.rules.draw(random) {
            self.value = value;
            self.specialisation = None;
        }
    }

    /// Letters in place of a value that is something else than letters and digits, or has few of them; not where format,
    /// pattern or examples say what it looks like, or length leaves no room.
    pub(super) fn tell_apart(&mut self, random: &mut Random) {
        let rules = Arc::clone(&self.rules);
        let is_free = rules.form == TextForm::Plain && rules.pattern.is_none() && rules.examples.is_empty();
        if !is_free || rules.drawn < TELLING || self.specialisation.is_some() {
            return;
        }
        let least = ROOMY.min(rules.drawn);
        if self.value.len() >= least && self.value.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return;
        }
        let length = (least + random.below(least)).clamp(rules.min, rules.drawn);
        let letters = plain::letters(random, length);
        if rules.accepts(&letters) {
            self.value = letters;
        }
    }

    /// Narrows the value, where one that was drawn keeps the rules.
    pub(super) fn specialise(&mut self, specialisation: &Arc<Specialisation>, random: &mut Random) -> Mutation {
        for _ in 0..TRIES {
            let drawn = specialisation.draw(random, &self.value).filter(|text| self.rules.accepts(text));
            if let Some(value) = drawn {
                self.specialisation = Some(Arc::clone(specialisation));
                let is_changed = value != self.value;
                self.value = value;
                return Mutation::of(is_changed);
            }
        }
        Mutation::Unchanged
    }

    /// Takes the marked value of `number`, where the rules allow one and the value is not narrowed to anything.
    pub(super) fn mark(&mut self, number: u64) -> Mutation {
        let is_free = self.is_markable();
        let marked = mark::forms(number, self.rules.min).find(|text| is_free && self.rules.accepts(text));
        self.replace(marked)
    }

    /// Whether it may be marked: it is not narrowed to anything.
    pub(super) fn is_markable(&self) -> bool {
        self.specialisation.is_none()
    }

    /// Whether its values are of a regular expression, which the schema or the service asks for, or have parts that it does.
    pub(super) fn is_of_pattern(&self) -> bool {
        let is_plain = |it: &Arc<Specialisation>| {
            matches!(**it, Specialisation::Constant(_) | Specialisation::AnyCase(_) | Specialisation::Form(_))
        };
        self.rules.pattern.is_some() || self.specialisation.as_ref().is_some_and(|it| !is_plain(it))
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        for _ in 0..TRIES {
            let narrow = self.specialisation.as_ref().filter(|_| random.chance(P_NARROW));
            let narrowed = narrow.and_then(|specialisation| specialisation.mutated(random, &self.value));
            let is_narrow = narrowed.is_some();
            let proposal = narrowed.or_else(|| self.rules.propose_change(random, &self.value));
            if let Some(value) = proposal.filter(|text| *text != self.value && self.rules.accepts(text)) {
                self.value = value;
                self.specialisation = self.specialisation.take().filter(|_| is_narrow);
                return Mutation::Changed;
            }
        }
        Mutation::Unchanged
    }

    /// Where the value, or the part of it that it is narrowed to, lies.
    pub(super) fn measure(&self) -> Measure {
        let narrowed = self.specialisation.as_ref().and_then(|it| it.measure(&self.value));
        narrowed.or_else(|| self.rules.form.measure(&self.value)).unwrap_or_else(|| Measure::Text(self.value.clone()))
    }

    /// Moves a number by that much, a date or time by milliseconds, or a part of another text, where that gives one that
    /// keeps the rules.
    pub(super) fn shift(&mut self, part: Part, by: f64) -> Mutation {
        self.replace(match part {
            Part::Whole => self.shifted(by),
            Part::Character(position) => plain::shifted(&self.value, position..position + 1, by),
            Part::Characters { start, end } => plain::shifted(&self.value, start..end, by),
            Part::Digits(start) => with_digits_moved(&self.value, start, by),
        })
    }

    fn shifted(&self, by: f64) -> Option<String> {
        let narrowed = self.specialisation.as_ref().and_then(|it| it.shifted(&self.value, by));
        narrowed.or_else(|| self.rules.form.shifted(&self.value, by))
    }

    /// Small moves of what the value is narrowed to, the coarsest last: of all of it, or of the numbers in it where it is of a
    /// pattern. Numbers around what it must hold are nothing that the service asked for.
    pub(super) fn small_moves(&self) -> Vec<Shift> {
        let Some(specialisation) = &self.specialisation else { return Vec::new() };
        let moves = specialisation.small_moves();
        if !moves.is_empty() || specialisation.measure(&self.value).is_some() {
            return moves.iter().map(|by| Shift { by: *by, part: Part::Whole }).collect();
        }
        if !specialisation.has_pattern() {
            return Vec::new();
        }
        let keeps = |Shift { by, part }: &Shift| match part {
            Part::Digits(start) => with_digits_moved(&self.value, *start, *by).is_some_and(|it| specialisation.accepts(&it)),
            Part::Whole | Part::Character(_) | Part::Characters { .. } => false,
        };
        let starts = starts_of_digits(&self.value).into_iter().rev().take(MOST_NUMBERS);
        let of_start = |start| [1.0, -1.0].map(|by| Shift { by, part: Part::Digits(start) }).into_iter().find(keeps);
        starts.filter_map(of_start).collect()
    }

    fn replace(&mut self, text: Option<String>) -> Mutation {
        let Some(value) = text.filter(|text| *text != self.value && self.rules.accepts(text)) else {
            return Mutation::Unchanged;
        };
        self.value = value;
        Mutation::Changed
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let text = match (value, conversion) {
            (Value::String(text), _) => Some(text.clone()),
            (value, Conversion::Textual) => plain_text(value),
            (_, Conversion::Exact) => None,
        };
        let text = text.filter(|text| self.rules.accepts(text));
        let taken = text.is_some();
        if let Some(text) = text {
            self.value = text;
            self.specialisation = None;
        }
        taken
    }

    pub(super) fn to_json(&self) -> Value {
        Value::String(self.value.clone())
    }
}
