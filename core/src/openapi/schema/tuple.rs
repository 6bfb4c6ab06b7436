//! Arrays with a schema for each of their members (`prefixItems`): objects to the genes, written as arrays.

use serde_json::Value;

use super::super::reader::Place;
use super::{Lowering, Source};
use crate::api::json_schema::keyword::{self, Node};
use crate::api::{Additional, ObjectSchema, Property, SchemaKind};

/// Schemas of the first members of an array.
pub(super) const PLACES: &str = "prefixItems";

/// Whether an array has a schema for each of its members.
pub(super) fn is_tuple(node: &Node) -> bool {
    let n = node.get(PLACES).and_then(Value::as_array).map_or(0, Vec::len) as u64;
    n > 0 && keyword::counts(node, "minItems", "maxItems") == (n, Some(n))
}

impl<'a> Lowering<'_, 'a> {
    /// An array with a member of each of these schemas.
    pub(super) fn tuple(&mut self, places: &[Place<'a>]) -> SchemaKind {
        let place = |(idx, place): (usize, &Place<'a>)| {
            let schema = self.id_of_source(Source { places: vec![*place], spent: Vec::new(), only: None });
            Property { name: idx.to_string(), schema, required: true }
        };
        let properties: Vec<Property> = places.iter().enumerate().map(place).collect();
        SchemaKind::Object(ObjectSchema {
            properties,
            additional: Additional::Forbidden,
            names: None,
            min_properties: 0,
            max_properties: None,
            is_tuple: true,
        })
    }
}
