//! Genes: values with their constraints, made from schemas; the only thing the search changes.

mod violation;

pub use violation::{Edit, Violation};

use serde_json::Value;

use crate::api::{SchemaId, Schemas};
use crate::random::Random;

/// How large a gene tree may grow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneLimits {
    /// Nesting below which optional parts are left out and cycles are cut.
    pub max_depth: usize,
    /// Number of genes in one tree beyond which optional parts are left out.
    pub max_genes: usize,
    /// Members drawn for an array or map beyond its minimum.
    pub max_members: usize,
    /// Characters drawn for a string beyond its minimum.
    pub max_string: usize,
}

/// Whether a mutation changed the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// The value is another one.
    Changed,
    /// The gene has no other value, or none was found.
    Unchanged,
}

/// Position of a gene in its tree: child numbers from the root.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GenePath(pub Vec<u16>);

/// A gene that can be changed by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneSite {
    /// Where it is.
    pub path: GenePath,
    /// Name of the closest field around it, empty at an unnamed root.
    pub name: String,
    /// Identity within the tree that array positions do not change; stable between runs.
    pub key: u64,
    /// How much there is to change below it, 1 for a plain value.
    pub weight: f64,
    /// JSON pointer of its rendered value.
    pub pointer: String,
}

/// A mutable value with its constraints.
#[derive(Debug, Clone)]
pub enum Gene {
    /// A value that may be left out.
    Optional(Box<Gene>),
}

impl Gene {
    /// The gene of a schema, with its smallest valid value.
    pub fn from_schema(_schemas: &Schemas, _id: SchemaId, _limits: &GeneLimits) -> Self {
        unreachable!("replaced by the gene module")
    }
    /// The same gene as something that may be left out; it starts absent.
    #[must_use]
    pub fn into_optional(self) -> Self {
        Self::Optional(Box::new(self))
    }
    /// Draws a new value for the whole tree.
    pub fn sample(&mut self, _random: &mut Random) {}
    /// Changes the value of this very gene (not of its children): a number, a string, presence, length, branch.
    pub fn mutate(&mut self, _random: &mut Random) -> Mutation {
        Mutation::Unchanged
    }
    /// Takes over the value of `other` as far as the constraints allow; says whether the value is now `other`'s.
    pub fn copy_value_from(&mut self, _other: &Self) -> bool {
        false
    }
    /// Takes over a JSON value when the constraints allow it; otherwise nothing changes and the answer is false.
    pub fn assign(&mut self, _value: &Value) -> bool {
        false
    }
    /// Gives the gene its smallest valid value: absent, empty, first branch, default.
    pub fn simplify(&mut self) {}
    /// The value, none when it is left out.
    pub fn to_json(&self) -> Option<Value> {
        None
    }
    /// Every gene of the active tree that can be changed by itself, in tree order.
    pub fn sites(&self) -> Vec<GeneSite> {
        Vec::new()
    }
    /// The gene at `path`, none when the tree has changed since.
    pub fn at_mut(&mut self, _path: &GenePath) -> Option<&mut Self> {
        None
    }
    /// Something wrong on purpose for the present value: missing field, wrong type, out of range, extra enum value.
    pub fn sample_violation(&self, _random: &mut Random) -> Option<Violation> {
        None
    }
}
