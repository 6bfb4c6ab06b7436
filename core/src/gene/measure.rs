//! Genes whose values lie on a line: numbers, dates and times, and every character of a text. They can be compared by how far
//! they are apart, and moved.

use super::{Gene, Mutation};

/// Where a value lies.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// A whole number; a date or time in milliseconds.
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
    /// Which character of a text is moved, none where the whole value is.
    pub character: Option<usize>,
}

impl Measure {
    /// The move that leads here from `before`, none where no single one does.
    pub fn shift_from(&self, before: &Self) -> Option<Shift> {
        let whole = |by: f64| Some(Shift { by, character: None });
        match (self, before) {
            (Self::Whole(after), Self::Whole(before)) => whole((i128::from(*after) - i128::from(*before)) as f64),
            (Self::Float(after), Self::Float(before)) => whole(after - before),
            (Self::Text(after), Self::Text(before)) => changed_character(before, after),
            _ => None,
        }
    }
}

/// The only character in which texts of the same length differ.
fn changed_character(before: &str, after: &str) -> Option<Shift> {
    if before.chars().count() != after.chars().count() {
        return None;
    }
    let mut changes = before.chars().zip(after.chars()).enumerate().filter(|(_, (before, after))| before != after);
    let (position, (before, after)) = changes.next()?;
    let by = f64::from(u32::from(after)) - f64::from(u32::from(before));
    changes.next().is_none().then_some(Shift { by, character: Some(position) })
}

impl Gene {
    /// Where the value of this very gene lies, none for genes that are on no line.
    pub fn measure(&self) -> Option<Measure> {
        match self {
            Self::Integer(gene) => Some(Measure::Whole(gene.value())),
            Self::Number(gene) => Some(Measure::Float(gene.value())),
            Self::Text(gene) => Some(match gene.milliseconds() {
                Some(milliseconds) => Measure::Whole(milliseconds),
                None => Measure::Text(gene.value().to_owned()),
            }),
            _ => None,
        }
    }

    /// Moves the value to the nearest one that keeps the constraints; what is on no line stays.
    pub fn shift(&mut self, shift: Shift) -> Mutation {
        match (self, shift.character) {
            (Self::Integer(gene), None) => gene.shift(shift.by),
            (Self::Number(gene), None) => gene.shift(shift.by),
            (Self::Text(gene), None) => gene.shift(shift.by),
            (Self::Text(gene), Some(position)) => gene.shift_character(position, shift.by),
            _ => Mutation::Unchanged,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Measure, Shift};
    use crate::api::{IntegerSchema, NumberSchema, Schema, SchemaId, SchemaKind, Schemas, StringSchema};
    use crate::gene::{Gene, GeneLimits, Mutation};

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
        let mutation = gene.shift(Shift { by, character: None });
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
        let by = |from, to| at(to).shift_from(&at(from)).expect("on one line").by;
        assert!((by(9_007_199_254_740_992, 9_007_199_254_740_993) - 1.0).abs() < f64::EPSILON);
        assert!((by(i64::MIN, i64::MAX) - 1.844_674_407_370_955_2e19).abs() < 1e4);
        assert_eq!(Measure::Whole(1).shift_from(&Measure::Float(1.0)), None);
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
        let shift = dates[0].shift_from(&dates[1]).expect("on one line");
        assert!((shift.by - 366.0 * day).abs() < 1.0);
    }

    #[test]
    fn what_is_on_no_line_is_not_measured() {
        let mut plain = gene(SchemaKind::String(StringSchema::default()), &json!("a"));
        assert_eq!(plain.shift(Shift { by: 1.0, character: None }), Mutation::Unchanged);
        assert_eq!(Gene::Never.measure(), None);
    }

    #[test]
    fn a_single_character_of_a_text_moves() {
        let plain = |text: &str| gene(SchemaKind::String(StringSchema::default()), &json!(text));
        let shift = |from: &str, to: &str| plain(to).measure()?.shift_from(&plain(from).measure()?);
        let shown = shift("tréf", "tram");
        assert_eq!(shown, None, "two differ");
        let shown = shift("trém", "tram");
        assert_eq!(shown, Some(Shift { by: f64::from(u32::from('a')) - f64::from(u32::from('é')), character: Some(2) }));
        assert_eq!((shift("tram", "trams"), shift("tram", "tram")), (None, None));
        let mut text = plain("trém");
        assert_eq!((text.shift(shown.expect("one differs")), text.to_json()), (Mutation::Changed, Some(json!("tram"))));
        assert_eq!(text.shift(Shift { by: 1e9, character: Some(0) }), Mutation::Unchanged);
        assert_eq!(text.shift(Shift { by: 1.0, character: Some(4) }), Mutation::Unchanged);
    }
}
