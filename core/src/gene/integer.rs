//! Whole numbers within bounds and on a step.

use std::sync::Arc;

use serde_json::Value;

use super::{Conversion, Mutation, draw};
use crate::api::IntegerSchema;
use crate::random::Random;

/// A whole number.
#[derive(Debug, Clone)]
pub struct IntegerGene {
    rules: Arc<IntegerRules>,
    value: i64,
    /// The last move in steps, 0 after a fresh value. An individual that a move made worse is not gone on from, so the
    /// move of one that is was worth repeating: the interval that moves are drawn from narrows and widens on evidence.
    moved: i64,
}

/// Bounds in units of the step, so that every number between them is valid.
#[derive(Debug)]
struct IntegerRules {
    step: i64,
    first: i64,
    last: i64,
    examples: Arc<[Value]>,
}

impl IntegerGene {
    /// None when no number keeps the constraints.
    pub(super) fn new(schema: &IntegerSchema, examples: Arc<[Value]>) -> Option<Self> {
        let step = schema.multiple_of.unwrap_or(1).max(1);
        // Rounded up without overflow: the floor plus one unless it divides.
        let first = schema.min.div_euclid(step) + i64::from(schema.min.rem_euclid(step) != 0);
        let last = schema.max.div_euclid(step);
        // `i64::MIN` rounded down to a step leaves the range of i64.
        let last_fits = last.checked_mul(step).is_some();
        (first <= last && last_fits).then(|| Self {
            value: 0.clamp(first, last) * step,
            moved: 0,
            rules: Arc::new(IntegerRules { step, first, last, examples }),
        })
    }

    /// Smallest and largest value that keep the constraints.
    pub fn bounds(&self) -> (i64, i64) {
        (self.rules.first * self.rules.step, self.rules.last * self.rules.step)
    }

    pub(super) fn examples(&self) -> &Arc<[Value]> {
        &self.rules.examples
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        self.value = draw::integer(random, self.rules.first, self.rules.last) * self.rules.step;
        self.moved = 0;
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        let before = self.value;
        if random.chance(0.1) {
            self.sample(random);
        }
        if self.value == before {
            let rules = &self.rules;
            let from = before / rules.step;
            let to = self.repeated_move(from, random);
            let to = to.unwrap_or_else(|| draw::moved_integer(random, from, rules.first, rules.last));
            self.value = to * rules.step;
            self.moved = to.saturating_sub(from);
        }
        Mutation::of(self.value != before)
    }

    /// The last move again, twice as far; or half as far back when it went too far; now and then none of both.
    fn repeated_move(&self, from: i64, random: &mut Random) -> Option<i64> {
        if self.moved == 0 || random.chance(0.4) {
            return None;
        }
        let next = if random.chance(0.6) { self.moved.checked_mul(2)? } else { -(self.moved / 2) };
        let to = from.checked_add(next)?;
        (to != from && (self.rules.first..=self.rules.last).contains(&to)).then_some(to)
    }

    /// The present number.
    pub fn value(&self) -> i64 {
        self.value
    }

    pub(super) fn shift(&mut self, by: f64) -> Mutation {
        let (before, rules) = (self.value, &self.rules);
        #[expect(clippy::cast_possible_truncation, reason = "a move beyond the range ends at a bound, and no number is 0")]
        let steps = (by / rules.step as f64).round() as i64;
        let to = (before / rules.step).saturating_add(steps).clamp(rules.first, rules.last);
        self.value = to * rules.step;
        self.moved = 0;
        Mutation::of(self.value != before)
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let taken = match value {
            Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(whole)),
            Value::String(text) if conversion == Conversion::Textual => text.trim().parse().ok(),
            _ => None,
        };
        let taken = taken.filter(|taken| self.accepts(*taken));
        if let Some(taken) = taken {
            self.value = taken;
            self.moved = 0;
        }
        taken.is_some()
    }

    fn accepts(&self, value: i64) -> bool {
        value % self.rules.step == 0 && (self.rules.first..=self.rules.last).contains(&(value / self.rules.step))
    }

    pub(super) fn to_json(&self) -> Value {
        Value::from(self.value)
    }
}

/// A float that stands for a whole number, as `3.0`.
pub(super) fn whole(value: f64) -> Option<i64> {
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53, so exact")]
    (value.fract() == 0.0 && !is_negative_zero && value.abs() < 9_007_199_254_740_992.0).then_some(value as i64)
}
