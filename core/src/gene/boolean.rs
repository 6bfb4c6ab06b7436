//! `true` or `false`.

use serde_json::Value;

use super::{Conversion, Mutation};
use crate::random::Random;

/// A truth value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BooleanGene {
    value: bool,
}

impl BooleanGene {
    pub(super) fn new() -> Self {
        Self { value: false }
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        self.value = random.chance(0.5);
    }

    pub(super) fn mutate(&mut self) -> Mutation {
        self.value = !self.value;
        Mutation::Changed
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let taken = match value {
            Value::Bool(truth) => Some(*truth),
            Value::String(text) if conversion == Conversion::Textual => text.parse().ok(),
            _ => None,
        };
        self.value = taken.unwrap_or(self.value);
        taken.is_some()
    }

    pub(super) fn to_json(&self) -> Value {
        Value::Bool(self.value)
    }
}
