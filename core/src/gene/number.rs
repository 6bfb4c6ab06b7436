//! Numbers within bounds, on a step, in single or double precision.

use std::sync::Arc;

use serde_json::Value;

use super::accepts::is_number;
use super::integer::whole;
use super::{Conversion, Mutation, draw};
use crate::api::NumberSchema;
use crate::random::Random;

/// Draws until one fits the constraints; then the value stays.
const TRIES: usize = 24;

/// A number.
#[derive(Debug, Clone)]
pub struct NumberGene {
    rules: Arc<NumberRules>,
    value: f64,
}

#[derive(Debug)]
struct NumberRules {
    schema: NumberSchema,
    examples: Arc<[Value]>,
}

impl NumberGene {
    /// None when no number was found that keeps the constraints.
    pub(super) fn new(schema: &NumberSchema, examples: Arc<[Value]>) -> Option<Self> {
        let rules = NumberRules { schema: schema.clone(), examples };
        let value = rules.smallest()?;
        Some(Self { rules: Arc::new(rules), value })
    }

    /// Bounds, step and precision of the values.
    pub fn schema(&self) -> &NumberSchema {
        &self.rules.schema
    }

    pub(super) fn examples(&self) -> &Arc<[Value]> {
        &self.rules.examples
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        if let Some(value) = (0..TRIES).find_map(|_| self.rules.fit(self.rules.draw(random))) {
            self.value = value;
        }
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        let before = self.value;
        for _ in 0..TRIES {
            let candidate = if random.chance(0.1) { self.rules.draw(random) } else { self.moved(random) };
            if let Some(value) = self.rules.fit(candidate)
                && value.to_bits() != before.to_bits()
            {
                self.value = value;
                return Mutation::Changed;
            }
        }
        Mutation::Unchanged
    }

    /// The value moved by a power of two, often a whole one, by its smallest unit, or with its sign or fraction changed.
    fn moved(&self, random: &mut Random) -> f64 {
        let sign = if random.chance(0.5) { 1.0 } else { -1.0 };
        let unit = self.rules.schema.multiple_of.unwrap_or(1.0);
        match random.below(10) {
            0..=4 => self.value + sign * unit * exp2(random.between(0, 8)),
            5 => self.value + sign * unit * exp2(random.between(0, 40)),
            6 => self.value + sign * exp2(random.between(-16, -1)),
            7 => {
                if sign > 0.0 {
                    self.value.next_up()
                } else {
                    self.value.next_down()
                }
            }
            8 => -self.value,
            _ => self.value.round(),
        }
    }

    /// The present number.
    pub fn value(&self) -> f64 {
        self.value
    }

    pub(super) fn shift(&mut self, by: f64) -> Mutation {
        let before = self.value;
        let (min, max) = (self.rules.schema.min.unwrap_or(f64::MIN), self.rules.schema.max.unwrap_or(f64::MAX));
        self.value = self.rules.fit((before + by).clamp(min, max)).unwrap_or(before);
        Mutation::of(self.value.to_bits() != before.to_bits())
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let taken = match value {
            // A whole number that a float cannot hold would become another one, or be written with an exponent.
            Value::Number(number) => {
                number.as_f64().filter(|float| !number.is_i64() && !number.is_u64() || whole(*float).is_some())
            }
            Value::String(text) if conversion == Conversion::Textual => text.trim().parse().ok(),
            _ => None,
        };
        let taken = taken.filter(|taken| self.rules.accepts(*taken));
        self.value = taken.unwrap_or(self.value);
        taken.is_some()
    }

    pub(super) fn to_json(&self) -> Value {
        render(self.value)
    }
}

/// Whole numbers without a fraction, as people write them.
pub(super) fn render(value: f64) -> Value {
    whole(value).map_or_else(|| Value::from(value), Value::from)
}

impl NumberRules {
    fn smallest(&self) -> Option<f64> {
        let schema = &self.schema;
        let (min, max) = (schema.min.unwrap_or(f64::MIN), schema.max.unwrap_or(f64::MAX));
        let middle = min / 2.0 + max / 2.0;
        let step = schema.multiple_of.unwrap_or(1.0);
        let candidates =
            [0.0, min, max, min + step, max - step, min.ceil(), max.floor(), middle, min.next_up(), max.next_down()];
        let found = candidates.into_iter().find_map(|candidate| self.fit(candidate));
        let mut random = Random::new(0, 0);
        found.or_else(|| (0..1_000).find_map(|_| self.fit(self.draw(&mut random))))
    }

    /// A number that mostly lies between the bounds.
    fn draw(&self, random: &mut Random) -> f64 {
        let schema = &self.schema;
        let (min, max) = (schema.min.unwrap_or(f64::MIN), schema.max.unwrap_or(f64::MAX));
        let step = schema.multiple_of.unwrap_or(1.0);
        let integer =
            |random: &mut Random| draw::integer(random, truncated((min / step).ceil()), truncated((max / step).floor()));
        match random.below(20) {
            _ if max / step < (min / step).ceil() => min + random.unit() * (max - min),
            _ if schema.multiple_of.is_some() => integer(random) as f64 * step,
            0..=9 => integer(random) as f64,
            10..=13 => integer(random) as f64 + decimals(random),
            14 => min,
            15 => max,
            16 => *random.pick(&[min.next_up(), max.next_down()]).expect("two are listed"),
            17 => *random.pick(&[0.1, -0.1, 0.5, 1e-7, 1e-300, -1e300, 1e300, 16_777_217.0, 1e21]).expect("nine are listed"),
            18 => min.max(-1e9) + random.unit() * (max.min(1e9) - min.max(-1e9)),
            _ => random.unit(),
        }
    }

    /// The nearest number that keeps precision and step, when it keeps the bounds too.
    fn fit(&self, value: f64) -> Option<f64> {
        let stepped = match self.schema.multiple_of {
            // A sum of binary fractions is not the decimal that is meant: 3 * 0.1 is written 0.3.
            Some(step) => {
                let nearest = (value / step).round() * step;
                format!("{nearest:.*}", decimal_places(step)).parse().unwrap_or(nearest)
            }
            None => value,
        };
        #[expect(clippy::cast_possible_truncation, reason = "rounding to single precision is the point")]
        let precise = if self.schema.single_precision {
            let single = stepped as f32;
            single.to_string().parse().unwrap_or(stepped)
        } else {
            stepped
        };
        self.accepts(precise).then_some(precise)
    }

    fn accepts(&self, value: f64) -> bool {
        is_number(&self.schema, value)
    }
}

/// Whether `value` is a multiple of `step` as decimals: both are taken as their shortest decimal text.
pub(super) fn is_multiple(value: f64, step: f64) -> bool {
    let places = decimal_places(step).max(decimal_places(value));
    let scale = 10_f64.powi(i32::try_from(places).unwrap_or(i32::MAX));
    let (value, step) = ((value * scale).round(), (step * scale).round());
    // Beyond 2^53 the scaled numbers are no longer exact.
    step > 0.0 && value.abs() <= 9_007_199_254_740_992.0 && value % step == 0.0
}

/// Whether the shortest decimal text of a 32-bit float is `value`.
pub(super) fn is_single(value: f64) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "what is lost is what is tested for")]
    let single = value as f32;
    single.is_finite() && single.to_string().parse::<f64>().is_ok_and(|text| text.to_bits() == value.to_bits())
        || f64::from(single).to_bits() == value.to_bits()
}

/// Digits after the point in the shortest decimal text.
fn decimal_places(value: f64) -> usize {
    value.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

/// Two digits after the point mostly, sometimes any.
fn decimals(random: &mut Random) -> f64 {
    if random.chance(0.7) { random.between(0, 99) as f64 / 100.0 } else { random.unit() }
}

/// 2 to the power of a small whole number.
fn exp2(exponent: i64) -> f64 {
    (exponent as f64).exp2()
}

/// A float as the nearest whole number in the range of exact ones.
fn truncated(value: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the exact range first")]
    let whole = value.clamp(-9_007_199_254_740_991.0, 9_007_199_254_740_991.0) as i64;
    whole
}
