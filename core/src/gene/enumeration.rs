//! One of listed values; also constants and `null`.

use std::sync::Arc;

use serde_json::Value;

use super::{Conversion, Mutation};
use crate::random::Random;

/// One of listed values.
#[derive(Debug, Clone)]
pub struct EnumGene {
    values: Arc<[Value]>,
    active: usize,
    /// Whether the schema allows other values, which are out of reach.
    is_cut: bool,
}

impl EnumGene {
    /// `values` must not be empty.
    pub(super) fn new(values: impl Into<Arc<[Value]>>) -> Self {
        Self { values: values.into(), active: 0, is_cut: false }
    }

    /// `null` where everything else the schema allows is out of reach.
    pub(super) fn cut_to_null() -> Self {
        Self { is_cut: true, ..Self::new([Value::Null]) }
    }

    /// Whether the schema allows values that are not listed here.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Every value that is allowed, in document order.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        self.active = random.below(self.values.len());
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        if self.values.len() < 2 {
            return Mutation::Unchanged;
        }
        let before = &self.values[self.active];
        let next = (self.active + 1 + random.below(self.values.len() - 1)) % self.values.len();
        let changed = self.values[next] != *before;
        self.active = next;
        Mutation::of(changed)
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let same = |allowed: &Value| match conversion {
            Conversion::Exact => allowed == value,
            Conversion::Textual => plain_text(allowed).is_some_and(|text| Some(text) == plain_text(value)),
        };
        let found = self.values.iter().position(same);
        self.active = found.unwrap_or(self.active);
        found.is_some()
    }

    pub(super) fn to_json(&self) -> Value {
        self.values[self.active].clone()
    }
}

/// A scalar as it would stand in a URL.
pub(super) fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
