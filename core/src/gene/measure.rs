//! Genes whose values lie on a line: numbers, dates and times, every character of a text, and every run of digits in it. They
//! can be compared by how far they are apart, and moved.

use super::{Gene, Mutation};

/// Where a value lies.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// A whole number, also one that is written as a text; a date or time in milliseconds.
    Whole(i64),
    /// Any other number.
    Float(f64),
    /// A text without such a meaning.
    Text(String),
}

/// A move along a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// By how much: a number in its own unit, a date or time in milliseconds, a character by its code point.
    pub by: f64,
    /// What of the value is moved.
    pub part: Part,
}

/// What of a value lies on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The whole value.
    Whole,
    /// The character of a text at this position.
    Character(usize),
    /// All characters of a text from one position to another, without that.
    Characters {
        /// Position of the first.
        start: usize,
        /// Position behind the last.
        end: usize,
    },
    /// The number that the digits of a text from this position on are: `2020` in `2020-01-01`.
    Digits(usize),
}

impl Measure {
    /// The moves that each lead here from `before`; none where no single one does, two where a digit of a text was changed.
    pub fn shifts_from(&self, before: &Self) -> Vec<Shift> {
        let whole = |by: f64| vec![Shift { by, part: Part::Whole }];
        match (self, before) {
            (Self::Whole(after), Self::Whole(before)) => whole((i128::from(*after) - i128::from(*before)) as f64),
            (Self::Float(after), Self::Float(before)) => whole(after - before),
            (Self::Text(after), Self::Text(before)) => {
                let [before, after] = [before, after].map(|text| text.chars().collect::<Vec<_>>());
                changed_character(&before, &after).into_iter().chain(changed_digits(&before, &after)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The only character in which texts of the same length differ.
fn changed_character(before: &[char], after: &[char]) -> Option<Shift> {
    if before.len() != after.len() {
        return None;
    }
    let mut changes = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    let (position, (before, after)) = changes.next()?;
    let by = f64::from(u32::from(*after)) - f64::from(u32::from(*before));
    changes.next().is_none().then_some(Shift { by, part: Part::Character(position) })
}

/// The only number in which texts differ.
fn changed_digits(before: &[char], after: &[char]) -> Option<Shift> {
    let same = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    let start = same - before[..same].iter().rev().take_while(|it| it.is_ascii_digit()).count();
    let [before, after] = [before, after].map(|text| digits_at(text, start).map(|(value, end)| (value, &text[end..])));
    let ((before, rest), (after, rest_after)) = (before?, after?);
    (rest == rest_after && before != after).then_some(Shift { by: (after - before) as f64, part: Part::Digits(start) })
}

/// The number that begins at `start`, and where it ends; none where there is no digit, or more than a whole number has.
fn digits_at(text: &[char], start: usize) -> Option<(i64, usize)> {
    let digits: String = text.get(start..)?.iter().take_while(|it| it.is_ascii_digit()).collect();
    Some((digits.parse().ok()?, start + digits.len()))
}

/// Where the numbers of a text begin.
pub(super) fn starts_of_digits(text: &str) -> Vec<usize> {
    let is_digit: Vec<bool> = text.chars().map(|it| it.is_ascii_digit()).collect();
    (0..is_digit.len()).filter(|start| is_digit[*start] && (*start == 0 || !is_digit[start - 1])).collect()
}

/// `text` with the number that begins at `start` moved, as wide as before at least; none where it would be below zero.
pub(super) fn with_digits_moved(text: &str, start: usize, by: f64) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let (value, end) = digits_at(&characters, start)?;
    let to = value as f64 + by.round();
    #[expect(clippy::cast_possible_truncation, reason = "the range is looked at")]
    let moved = (0.0..1e18).contains(&to).then(|| value + by.round() as i64)?;
    let (before, after) = (&characters[..start], &characters[end..]);
    let number = format!("{moved:0width$}", width = end - start);
    Some(before.iter().copied().chain(number.chars()).chain(after.iter().copied()).collect())
}

impl Gene {
    /// Where the value of this very gene lies, none for genes that are on no line.
    pub fn measure(&self) -> Option<Measure> {
        match self {
            Self::Integer(gene) => Some(Measure::Whole(gene.value())),
            Self::Number(gene) => Some(Measure::Float(gene.value())),
            Self::Text(gene) => Some(gene.measure()),
            _ => None,
        }
    }

    /// Small moves that show whether something grows with the value, the coarsest last; none of texts that are narrowed to
    /// nothing.
    pub fn small_moves(&self) -> Vec<Shift> {
        match self {
            Self::Integer(_) | Self::Number(_) => vec![Shift { by: 1.0, part: Part::Whole }],
            Self::Text(gene) => gene.small_moves(),
            _ => Vec::new(),
        }
    }

    /// Moves the value to the nearest one that keeps the constraints; what is on no line stays.
    pub fn shift(&mut self, shift: Shift) -> Mutation {
        match (self, shift.part) {
            (Self::Integer(gene), Part::Whole) => gene.shift(shift.by),
            (Self::Number(gene), Part::Whole) => gene.shift(shift.by),
            (Self::Text(gene), part) => gene.shift(part, shift.by),
            _ => Mutation::Unchanged,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::{Measure, Part, Shift};
    use crate::api::{IntegerSchema, NumberSchema, Schema, SchemaId, SchemaKind, Schemas, StringSchema};
    use crate::gene::{Gene, GeneLimits, Lens, Mutation, Specialisation, TextForm};
    use crate::random::Random;

    fn gene(kind: SchemaKind, value: &Value) -> Gene {
        let limits = GeneLimits { max_depth: 2, max_genes: 10, max_members: 2, max_string: 10 };
        let mut schemas = Schemas::default();
        schemas.push(Schema::new(kind));
        let mut gene = Gene::from_schema(&schemas, SchemaId(0), &limits);
        assert!(gene.assign(value), "{value}");
        gene
    }

    fn integer(min: i64, max: i64, step: Option<i64>) -> SchemaKind {
        SchemaKind::Integer(IntegerSchema { min, max, multiple_of: step })
    }

    fn text(format: &str) -> SchemaKind {
        SchemaKind::String(StringSchema { format: Some(format.to_owned()), ..StringSchema::default() })
    }

    fn shifted(kind: SchemaKind, from: &Value, by: f64) -> (Value, Mutation) {
        let mut gene = gene(kind, from);
        let mutation = gene.shift(Shift { by, part: Part::Whole });
        (gene.to_json().expect("a value"), mutation)
    }

    #[test]
    fn integers_move_within_their_constraints() {
        let fives = || integer(-10, 100, Some(5));
        assert_eq!(shifted(fives(), &json!(20), 11.0), (json!(30), Mutation::Changed));
        assert_eq!(shifted(fives(), &json!(20), 1e30), (json!(100), Mutation::Changed));
        assert_eq!(shifted(fives(), &json!(20), -1e30), (json!(-10), Mutation::Changed));
        assert_eq!(shifted(fives(), &json!(20), 1.0), (json!(20), Mutation::Unchanged));
        assert_eq!(shifted(fives(), &json!(20), f64::NAN), (json!(20), Mutation::Unchanged));
    }

    #[test]
    fn numbers_move_within_their_constraints() {
        let to_ten = || {
            SchemaKind::Number(NumberSchema {
                min: Some(0.0),
                max: Some(10.0),
                exclusive_min: false,
                exclusive_max: false,
                multiple_of: None,
                single_precision: false,
            })
        };
        assert_eq!(shifted(to_ten(), &json!(2.5), 1.25), (json!(3.75), Mutation::Changed));
        assert_eq!(shifted(to_ten(), &json!(2.5), 1e9), (json!(10), Mutation::Changed));
        assert_eq!(shifted(to_ten(), &json!(2.5), f64::NAN), (json!(2.5), Mutation::Unchanged));
    }

    #[test]
    fn integers_of_64_bits_are_told_apart() {
        let at = |value: i64| gene(integer(i64::MIN, i64::MAX, None), &json!(value)).measure().expect("a number");
        let by = |from, to| at(to).shifts_from(&at(from))[0].by;
        assert!((by(9_007_199_254_740_992, 9_007_199_254_740_993) - 1.0).abs() < f64::EPSILON);
        assert!((by(i64::MIN, i64::MAX) - 1.844_674_407_370_955_2e19).abs() < 1e4);
        assert_eq!(Measure::Whole(1).shifts_from(&Measure::Float(1.0)), []);
    }

    #[test]
    fn dates_and_times_move_by_milliseconds() {
        let day = 86_400_000.0;
        assert_eq!(shifted(text("date"), &json!("2019-12-31"), 60.0 * day), (json!("2020-02-29"), Mutation::Changed));
        assert_eq!(shifted(text("date"), &json!("2019-12-31"), 0.4 * day), (json!("2019-12-31"), Mutation::Unchanged));
        assert_eq!(shifted(text("date"), &json!("9999-12-31"), day), (json!("9999-12-31"), Mutation::Unchanged));
        let (moment, _) = shifted(text("date-time"), &json!("2019-12-31T23:59:59Z"), 1_000.0);
        assert_eq!(moment, json!("2020-01-01T00:00:00Z"));
        let dates = ["2020-03-01", "2019-03-01"].map(|date| gene(text("date"), &json!(date)).measure().expect("a date"));
        let shift = dates[0].shifts_from(&dates[1])[0];
        assert!((shift.by - 366.0 * day).abs() < 1.0);
    }

    #[test]
    fn what_is_on_no_line_is_not_measured() {
        let mut plain = gene(SchemaKind::String(StringSchema::default()), &json!("a"));
        assert_eq!(plain.shift(Shift { by: 1.0, part: Part::Whole }), Mutation::Unchanged);
        assert_eq!(Gene::Never.measure(), None);
    }

    fn plain(text: &str) -> Gene {
        gene(SchemaKind::String(StringSchema::default()), &json!(text))
    }

    fn shifts(from: &str, to: &str) -> Vec<Shift> {
        plain(to).measure().expect("a text").shifts_from(&plain(from).measure().expect("a text"))
    }

    #[test]
    fn the_number_in_a_text_moves() {
        let digits = |by: f64, start: usize| Shift { by, part: Part::Digits(start) };
        assert_eq!(shifts("v2120-01", "v2020-01"), [Shift { by: -1.0, part: Part::Character(2) }, digits(-100.0, 1)]);
        assert_eq!(shifts("a99b", "a100b"), [digits(1.0, 1)]);
        assert_eq!((shifts("1a1", "2a2"), shifts("", "1")), (vec![], vec![]), "two numbers, and none");
        assert!(shifts("a9", "ab").iter().all(|shift| shift.part == Part::Character(1)), "no number any more");
        assert_eq!(shifts("9223372036854775808", "9223372036854775809").len(), 1, "beyond whole numbers");
        let moved = |from: &str, shift: Shift| {
            let mut text = plain(from);
            (text.shift(shift), text.to_json())
        };
        assert_eq!(moved("2020-01", digits(-1.0, 0)), (Mutation::Changed, Some(json!("2019-01"))));
        assert_eq!(moved("x007", digits(-1.0, 1)), (Mutation::Changed, Some(json!("x006"))));
        assert_eq!(moved("é7", digits(35.0, 1)), (Mutation::Changed, Some(json!("é42"))));
        for impossible in [digits(-8.0, 1), digits(1e300, 1), digits(f64::NAN, 1), digits(1.0, 0), digits(1.0, 9)] {
            assert_eq!(moved("x7", impossible).0, Mutation::Unchanged, "{impossible:?}");
        }
    }

    /// A text that is narrowed to `specialisation`, and drawn near `value`.
    fn narrowed(specialisation: Specialisation, value: &str) -> Gene {
        let mut text = plain(value);
        text.specialise(&Arc::new(specialisation), &mut Random::new(1, 0));
        text
    }

    fn moved(mut gene: Gene, by: f64) -> Value {
        assert_eq!(gene.shift(Shift { by, part: Part::Whole }), Mutation::Changed);
        gene.to_json().expect("a value")
    }

    #[test]
    fn a_text_that_is_a_number_moves_as_one() {
        let integer = || narrowed(Specialisation::Form(TextForm::IntegerText), "");
        let value: i64 = integer().to_json().and_then(|it| it.as_str()?.parse().ok()).expect("a number");
        assert_eq!(integer().measure(), Some(Measure::Whole(value)));
        assert_eq!(moved(integer(), -(value as f64) - 5.0), json!("-5"));
        let number = narrowed(Specialisation::Form(TextForm::NumberText), "");
        let Some(Measure::Float(value)) = number.measure() else { panic!("{:?}", number.measure()) };
        assert_eq!(moved(number, 7.0 - value), json!("7.0"), "the point stays");
        let lens = Lens::Piece { separator: ':', idx: 1 };
        let part =
            || narrowed(Specialisation::Within(lens.clone(), Arc::new(Specialisation::Form(TextForm::IntegerText))), "a:b:c");
        let Some(Measure::Whole(value)) = part().measure() else { panic!("{:?}", part().measure()) };
        assert_eq!(moved(part(), -1.0 - value as f64), json!("a:-1:c"));
    }

    #[test]
    fn numbers_in_a_text_of_a_pattern_are_moved_where_they_stay_in_it() {
        let month = narrowed(Specialisation::of_pattern("^20[0-9]{2}-(0[1-9]|1[0-2])$").expect("a pattern"), "");
        let moves = month.small_moves();
        assert_eq!(moves.iter().map(|it| it.part).collect::<Vec<_>>(), [Part::Digits(5), Part::Digits(0)], "{month:?}");
        assert_eq!(plain("2020-01").small_moves(), [], "narrowed to nothing");
        assert_eq!(narrowed(Specialisation::Constant("2020-01".to_owned()), "").small_moves(), []);
        let around = [Specialisation::Beginning, Specialisation::Ending, Specialisation::Holding, Specialisation::Parted];
        for narrowing in around.map(|kind| kind("-".to_owned())) {
            assert_eq!(narrowed(narrowing, "restive_1_input").small_moves(), [], "numbers around it");
        }
        let date = narrowed(Specialisation::Form(TextForm::Date), "");
        let days: Vec<f64> = date.small_moves().iter().map(|it| it.by / 86_400_000.0).collect();
        assert_eq!(days, [1.0, 31.0, 366.0]);
    }

    #[test]
    fn a_single_character_of_a_text_moves() {
        let shown = shifts("tréf", "tram");
        assert_eq!(shown, [], "two differ");
        let shown = shifts("trém", "tram");
        let by = f64::from(u32::from('a')) - f64::from(u32::from('é'));
        assert_eq!(shown, [Shift { by, part: Part::Character(2) }]);
        assert_eq!((shifts("tram", "trams"), shifts("tram", "tram")), (vec![], vec![]));
        let mut text = plain("trém");
        assert_eq!((text.shift(shown[0]), text.to_json()), (Mutation::Changed, Some(json!("tram"))));
        assert_eq!(text.shift(Shift { by: 1e9, part: Part::Character(0) }), Mutation::Unchanged);
        assert_eq!(text.shift(Shift { by: 1.0, part: Part::Character(4) }), Mutation::Unchanged);
    }
}
