//! Schemas of the document to [`crate::api::Schema`]: references shared, `allOf` merged, choices made explicit.
//!
//! A schema of the result stands for a [`Source`]: usually one place of the document, but the branches of a choice that
//! stands beside other keywords, and a property that several parts of an `allOf` describe, are several places at once.
//! Sources wait in a queue until their turn, so recursive documents need no recursion. [`facts`] collects what the places
//! say, [`finish`] makes a schema of it, [`doubt`] notes which may contradict themselves.

mod doubt;
mod facts;
mod finish;
mod object;
mod ranges;
mod remarks;
mod tuple;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::reader::{Place, Reader};
use crate::api::json_schema::keyword::{self, TypeSet};
use crate::api::{Doubt, Schema, SchemaId, SchemaKind, Schemas};

/// Schemas beyond which the rest is taken to allow anything; the largest real document makes a tenth of it.
const MOST_SCHEMAS: usize = 3_000_000;
/// Schemas made of several places, which hostile documents can multiply; the most in a real document is 2,134.
const MOST_JOINED: usize = 20_000;

/// What a schema is made from: values must fit every place.
#[derive(Debug, Clone)]
struct Source<'a> {
    places: Vec<Place<'a>>,
    /// Addresses of `oneOf` and `anyOf` lists that a branch was taken of already.
    spent: Vec<usize>,
    /// Types that are left when a schema with several types is taken apart.
    only: Option<TypeSet>,
}

/// Identity of a source: addresses of its places and lists.
type Key = (Vec<usize>, Vec<usize>, Option<TypeSet>);

/// Schemas in the making.
pub(super) struct Lowering<'r, 'a> {
    reader: &'r Reader<'a>,
    schemas: Schemas,
    /// Schema of a single place, by address. Only looked up, never walked through.
    single: HashMap<usize, SchemaId>,
    joined: HashMap<Key, SchemaId>,
    queue: Vec<(SchemaId, Source<'a>)>,
    patterns: HashMap<&'a str, bool>,
    /// Places whose unsupported keywords are counted already.
    counted: HashSet<usize>,
    any: SchemaId,
    doubts: Vec<Doubt>,
}

impl<'r, 'a> Lowering<'r, 'a> {
    pub(super) fn new(reader: &'r Reader<'a>) -> Self {
        let mut schemas = Schemas::default();
        let any = schemas.push(Schema::new(SchemaKind::Any));
        Self {
            reader,
            schemas,
            single: HashMap::new(),
            joined: HashMap::new(),
            queue: Vec::new(),
            patterns: HashMap::new(),
            counted: HashSet::new(),
            any,
            doubts: Vec::new(),
        }
    }

    /// The schema that allows anything.
    pub(super) fn any(&self) -> SchemaId {
        self.any
    }

    /// Adds a schema that the document does not have in this form.
    pub(super) fn push(&mut self, schema: Schema) -> SchemaId {
        self.schemas.push(schema)
    }

    /// The schema of a place.
    pub(super) fn id_of(&mut self, place: Place<'a>) -> SchemaId {
        let place = self.canonical(place);
        if let Some(id) = self.single.get(&place.address()) {
            return *id;
        }
        if self.schemas.len() >= MOST_SCHEMAS {
            self.reader.unsupported("schemas beyond the limit");
            return self.any;
        }
        let id = self.schemas.push(Schema::new(SchemaKind::Any));
        self.single.insert(place.address(), id);
        self.queue.push((id, Source { places: vec![place], spent: Vec::new(), only: None }));
        id
    }

    /// The schema of what fits every place of a source.
    fn id_of_source(&mut self, source: Source<'a>) -> SchemaId {
        let mut places: Vec<Place<'a>> = Vec::new();
        for place in source.places {
            let place = self.canonical(place);
            if places.iter().all(|other| other.address() != place.address()) {
                places.push(place);
            }
        }
        if let ([place], [], None) = (&places[..], &source.spent[..], source.only) {
            return self.id_of(*place);
        }
        let key = (places.iter().map(|place| place.address()).collect(), source.spent.clone(), source.only);
        if let Some(id) = self.joined.get(&key) {
            return *id;
        }
        if self.joined.len() >= MOST_JOINED || self.schemas.len() >= MOST_SCHEMAS {
            self.reader.unsupported("schemas beyond the limit");
            return self.any;
        }
        let id = self.schemas.push(Schema::new(SchemaKind::Any));
        self.joined.insert(key, id);
        self.queue.push((id, Source { places, ..source }));
        id
    }

    /// The place that references without anything beside them lead to.
    fn canonical(&self, place: Place<'a>) -> Place<'a> {
        let mut current = place;
        for _ in 0..100 {
            match current.value {
                Value::Object(node) if keyword::is_reference_only(node, current.dialect) => {
                    let Some(target) = keyword::reference(node).and_then(|reference| self.reader.target(reference).ok()) else {
                        return place;
                    };
                    current = target;
                }
                _ => return current,
            }
        }
        place
    }

    /// Works the queue off and returns all schemas, and those that may contradict themselves.
    pub(super) fn finish(mut self) -> (Schemas, Vec<Doubt>) {
        while let Some((id, source)) = self.queue.pop() {
            let (schema, formats) = self.lower(&source);
            self.doubts.extend(self.doubt(id, &schema.kind, (source.places[0], &formats)));
            self.schemas.replace(id, schema);
        }
        (self.schemas, self.doubts)
    }
}
