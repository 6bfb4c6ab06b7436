//! Genes whose values lie on a line: numbers, dates and times. They can be compared by how far they are apart, and moved.

use super::{Gene, Mutation};

/// Where on its line a value lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// A whole number; a date or time in milliseconds.
    Whole(i64),
    /// Any other number.
    Float(f64),
}

impl Measure {
    /// How far it lies beyond `other`; negative before it, not a number between lines of different kinds.
    pub fn beyond(self, other: Self) -> f64 {
        match (self, other) {
            (Self::Whole(one), Self::Whole(other)) => (i128::from(one) - i128::from(other)) as f64,
            (Self::Float(one), Self::Float(other)) => one - other,
            _ => f64::NAN,
        }
    }
}

impl Gene {
    /// Where the value of this very gene lies, none for genes that are on no line.
    pub fn measure(&self) -> Option<Measure> {
        match self {
            Self::Integer(gene) => Some(Measure::Whole(gene.value())),
            Self::Number(gene) => Some(Measure::Float(gene.value())),
            Self::Text(gene) => gene.milliseconds().map(Measure::Whole),
            _ => None,
        }
    }

    /// Moves the value `by` its own unit, a date or time by milliseconds, to the nearest value that keeps the constraints;
    /// genes on no line stay.
    pub fn shift(&mut self, by: f64) -> Mutation {
        match self {
            Self::Integer(gene) => gene.shift(by),
            Self::Number(gene) => gene.shift(by),
            Self::Text(gene) => gene.shift(by),
            _ => Mutation::Unchanged,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Measure;
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
        let mutation = gene.shift(by);
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
        assert!((at(9_007_199_254_740_993).beyond(at(9_007_199_254_740_992)) - 1.0).abs() < f64::EPSILON);
        assert!((at(i64::MAX).beyond(at(i64::MIN)) - 1.844_674_407_370_955_2e19).abs() < 1e4);
        assert!(Measure::Whole(1).beyond(Measure::Float(1.0)).is_nan());
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
        assert!((dates[0].beyond(dates[1]) - 366.0 * day).abs() < 1.0);
    }

    #[test]
    fn what_is_on_no_line_is_not_measured() {
        let mut plain = gene(SchemaKind::String(StringSchema::default()), &json!("a"));
        assert_eq!((plain.measure(), plain.shift(1.0)), (None, Mutation::Unchanged));
        assert_eq!(Gene::Never.measure(), None);
    }
}
