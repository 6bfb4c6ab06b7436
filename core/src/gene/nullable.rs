//! A value or `null`.

use serde_json::Value;

use super::{Conversion, FieldName, Gene, Mutation};
use crate::random::Random;

const P_NULL: f64 = 0.1;

/// A value or `null`.
#[derive(Debug, Clone)]
pub struct NullableGene {
    is_null: bool,
    gene: Box<Gene>,
}

impl NullableGene {
    pub(super) fn new(gene: Gene) -> Self {
        Self { is_null: false, gene: Box::new(gene) }
    }

    /// The gene unless the value is `null`.
    pub fn value(&self) -> Option<&Gene> {
        (!self.is_null).then_some(&*self.gene)
    }

    pub(super) fn value_mut(&mut self) -> Option<&mut Gene> {
        (!self.is_null).then_some(&mut *self.gene)
    }

    /// [`Gene::put_in_field`]; what is `null` is that no more.
    pub(super) fn put_in_field(&mut self, name: FieldName<'_>, value: Option<&Value>, random: &mut Random) -> bool {
        let is_in = self.gene.put_in_field(name, value, random);
        self.is_null &= !is_in;
        is_in
    }

    /// [`Gene::drop_made_up`].
    pub(super) fn drop_made_up(&mut self) {
        self.gene.drop_made_up();
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        self.is_null = random.chance(P_NULL);
        if !self.is_null {
            self.gene.sample(random);
        }
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        let before = self.to_json();
        self.is_null = !self.is_null;
        if self.to_json() == before {
            self.gene.sample(random);
        }
        Mutation::of(self.to_json() != before)
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let is_null = value.is_null();
        let taken = is_null || self.gene.take(value, conversion);
        if taken {
            self.is_null = is_null;
        }
        taken
    }

    pub(super) fn to_json(&self) -> Option<Value> {
        if self.is_null { Some(Value::Null) } else { self.gene.to_json() }
    }
}
