//! A value that may be left out.

use std::sync::Arc;

use serde_json::Value;

use super::seed::Seed;
use super::{Conversion, Gene, Mutation};
use crate::random::Random;

/// A value that may be left out; it is built when it is first wanted and kept while it is left out.
#[derive(Debug, Clone)]
pub struct OptionalGene {
    present: bool,
    gene: Option<Box<Gene>>,
    seed: Option<Arc<Seed>>,
}

impl OptionalGene {
    pub(super) fn absent(gene: Gene) -> Self {
        Self { present: false, gene: Some(Box::new(gene)), seed: None }
    }

    pub(super) fn of_seed(seed: Arc<Seed>) -> Self {
        Self { present: false, gene: None, seed: Some(seed) }
    }

    /// The gene when it is not left out.
    pub fn present(&self) -> Option<&Gene> {
        self.gene.as_deref().filter(|_| self.present)
    }

    /// The gene when it is not left out, to be changed.
    pub fn present_mut(&mut self) -> Option<&mut Gene> {
        self.gene.as_deref_mut().filter(|_| self.present)
    }

    /// Leaves the value out.
    pub fn leave_out(&mut self) {
        self.present = false;
    }

    /// Puts the value in with what it last was, or its smallest; false when the schema allows none.
    pub fn put_in(&mut self) -> bool {
        self.present = !matches!(self.inner(), Gene::Never);
        self.present
    }

    /// Whether it can be put in; unknown, and taken as possible, before it was first tried.
    pub(super) fn may_be_present(&self) -> bool {
        !matches!(self.gene.as_deref(), Some(Gene::Never))
    }

    fn inner(&mut self) -> &mut Gene {
        let seed = &self.seed;
        self.gene.get_or_insert_with(|| Box::new(seed.as_ref().map_or(Gene::Never, |seed| seed.gene())))
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        self.sample_presence(random, 0.5);
    }

    /// Draws a new value that is there with probability `p_present`.
    pub(super) fn sample_presence(&mut self, random: &mut Random, p_present: f64) {
        self.present = false;
        if random.chance(p_present) && self.put_in() {
            self.inner().sample(random);
        }
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        if self.present {
            self.present = false;
            return Mutation::Changed;
        }
        let is_new = self.gene.is_none();
        let is_in = self.put_in();
        if is_in && is_new {
            self.inner().sample(random);
        }
        Mutation::of(is_in)
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let taken = self.inner().take(value, conversion);
        self.present |= taken;
        taken
    }

    pub(super) fn to_json(&self) -> Option<Value> {
        self.present()?.to_json()
    }
}
