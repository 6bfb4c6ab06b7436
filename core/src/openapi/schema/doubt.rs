//! Schemas that contradict themselves in a way that only the attempt to find a value shows: patterns that no text of the
//! lengths beside them matches, `oneOf` where every value fits several branches, too few different members.
//!
//! The attempt is that of the genes, so what is left can be sent.

use std::collections::{BTreeMap, BTreeSet};

use super::super::reader::Place;
use crate::api::{Schema, SchemaId, SchemaKind, Schemas};
use crate::gene::{Gene, GeneLimits};

/// Limits of the values that are looked for; schemas whose smallest value is larger are not doubted.
const LIMITS: GeneLimits = GeneLimits { max_depth: 8, max_genes: 2_000, max_members: 5, max_string: 32 };

/// What is looked at in one document, in pairs of alternatives; no real one has as many, the rest is left to the genes.
const MOST_PAIRS: usize = 20_000;

/// A schema to be looked at, and where it stands.
pub(super) type Doubt<'a> = (SchemaId, Place<'a>);

/// Whether only a search can tell that some value fits a schema of this kind.
pub(super) fn is_doubtful(kind: &SchemaKind) -> bool {
    match kind {
        SchemaKind::String(schema) => schema.pattern.is_some(),
        SchemaKind::Number(schema) => schema.multiple_of.is_some(),
        SchemaKind::Array(schema) => schema.unique && schema.min_items > 1,
        SchemaKind::Choice(schema) => schema.exclusive,
        _ => false,
    }
}

/// Replaces those by [`SchemaKind::Never`] for which no value was found, and returns them.
pub(super) fn settle<'a>(schemas: &mut Schemas, doubts: Vec<Doubt<'a>>) -> Vec<Doubt<'a>> {
    let is_small = |id: SchemaId| schemas.extent(id).is_some_and(|extent| extent.size as usize <= LIMITS.max_genes);
    let mut distinct = BTreeMap::new();
    let mut same = BTreeMap::new();
    let mut left = MOST_PAIRS;
    for (id, _) in &doubts {
        let schema = schemas.at(*id);
        let pairs = if let SchemaKind::Choice(choice) = &schema.kind { choice.options.len().pow(2) } else { 1 };
        if schema.nullable || !is_small(*id) || pairs > left {
            continue;
        }
        left -= pairs;
        // The same patterns stand in many places.
        let key = match &schema.kind {
            SchemaKind::String(string) => format!("{string:?} {:?} {:?}", schema.default, schema.examples),
            _ => id.0.to_string(),
        };
        same.insert(*id, *distinct.entry(key).or_insert(*id));
    }
    let looked_at: Vec<SchemaId> = distinct.into_values().collect();
    let empty: BTreeSet<SchemaId> = Gene::without_values(schemas, &looked_at, &LIMITS).into_iter().collect();
    let without_values: Vec<Doubt<'a>> =
        doubts.into_iter().filter(|(id, _)| same.get(id).is_some_and(|first| empty.contains(first))).collect();
    for (id, _) in &without_values {
        schemas.replace(*id, Schema::new(SchemaKind::Never));
    }
    without_values
}
