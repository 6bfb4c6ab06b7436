//! Schemas that contradict themselves in a way that only the attempt to find a value shows: patterns that no text of the
//! lengths beside them matches, `oneOf` where every value fits several branches, too few different members.
//!
//! The attempt is that of the genes, so what is left can be sent.

use std::collections::BTreeMap;

use super::super::reader::Place;
use crate::api::{Schema, SchemaId, SchemaKind, Schemas};
use crate::gene::{Gene, GeneLimits};

/// Limits of the values that are looked for; schemas whose smallest value is larger are not doubted.
const LIMITS: GeneLimits = GeneLimits { max_depth: 8, max_genes: 2_000, max_members: 5, max_string: 32 };

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
    let mut known = BTreeMap::new();
    let is_empty = |(id, _): &Doubt<'a>| !has_value(schemas, *id, &mut known);
    let without_values: Vec<Doubt<'a>> = doubts.into_iter().filter(is_empty).collect();
    for (id, _) in &without_values {
        schemas.replace(*id, Schema::new(SchemaKind::Never));
    }
    without_values
}

/// The same patterns stand in many places, so what was found out about one is kept in `known`.
fn has_value(schemas: &Schemas, id: SchemaId, known: &mut BTreeMap<String, bool>) -> bool {
    let schema = schemas.at(id);
    let is_small = schemas.extent(id).is_some_and(|extent| extent.size as usize <= LIMITS.max_genes);
    if schema.nullable || !is_small {
        return true;
    }
    let find = || Gene::from_schema(schemas, id, &LIMITS).is_satisfiable();
    match &schema.kind {
        SchemaKind::String(string) => {
            let key = format!("{string:?} {:?} {:?}", schema.default, schema.examples);
            *known.entry(key).or_insert_with(find)
        }
        _ => find(),
    }
}
