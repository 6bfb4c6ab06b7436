//! Objects: properties that one or several parts of an `allOf` describe.

use std::collections::{BTreeMap, BTreeSet};

use super::super::reader::Place;
use super::facts::{Facts, Part, Rest};
use super::finish::sizes;
use super::{Lowering, Source};
use crate::api::json_schema::keyword;
use crate::api::{Additional, ObjectSchema, Property, SchemaKind};

/// A part with its properties by name.
struct Indexed<'p, 'a> {
    part: &'p Part<'a>,
    by_name: BTreeMap<&'a str, Place<'a>>,
}

/// What the parts say about one name.
enum Named<'a> {
    Fits(Vec<Place<'a>>),
    Forbidden,
}

impl<'a> Lowering<'_, 'a> {
    pub(super) fn object(&mut self, facts: &Facts<'a>) -> SchemaKind {
        let parts: Vec<Indexed<'_, 'a>> =
            facts.parts.iter().map(|part| Indexed { part, by_name: part.properties.iter().copied().collect() }).collect();
        let required: BTreeSet<&str> = facts.required.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let listed = facts.parts.iter().flat_map(|part| part.properties.iter().map(|(name, _)| *name));
        let mut properties = Vec::new();
        for name in listed.chain(facts.required.iter().copied()).filter(|name| seen.insert(*name)) {
            let is_required = required.contains(name);
            let places = match named(&parts, name) {
                Named::Fits(places) => places,
                // Where that is not meant, the part that forbids was opened.
                Named::Forbidden if is_required => return SchemaKind::Never,
                Named::Forbidden => continue,
            };
            properties.push(Property { name: name.to_owned(), schema: self.joined(places), required: is_required });
        }
        let (min_properties, max_properties) = sizes(facts.n_properties);
        let additional = self.additional(&parts, !properties.is_empty());
        let n_required = properties.iter().filter(|property| property.required).count();
        let is_too_few = additional == Additional::Forbidden && properties.len() < min_properties;
        if max_properties.is_some_and(|most| most < min_properties.max(n_required)) || is_too_few {
            return SchemaKind::Never;
        }
        let names = (!facts.names.is_empty()).then(|| self.joined(facts.names.clone()));
        SchemaKind::Object(ObjectSchema { properties, additional, names, min_properties, max_properties, is_tuple: false })
    }

    fn joined(&mut self, places: Vec<Place<'a>>) -> crate::api::SchemaId {
        if places.is_empty() {
            return self.any;
        }
        self.id_of_source(Source { places, spent: Vec::new(), only: None })
    }

    /// What properties that are not listed may hold; `true` beside listed ones says no more than nothing does.
    fn additional(&mut self, parts: &[Indexed<'_, 'a>], has_properties: bool) -> Additional {
        let mut places = Vec::new();
        for part in parts {
            match part.part.rest {
                Rest::Closed => return Additional::Forbidden,
                Rest::Typed(place) if !has_properties || !is_anything(place) => places.push(place),
                Rest::Typed(_) | Rest::Open => {}
            }
        }
        if places.is_empty() { Additional::Unspecified } else { Additional::Typed(self.joined(places)) }
    }
}

fn is_anything(place: Place<'_>) -> bool {
    !keyword::is_schema(place.value)
        || place.value.as_bool() == Some(true)
        || place.object().is_some_and(serde_json::Map::is_empty)
}

fn named<'a>(parts: &[Indexed<'_, 'a>], name: &str) -> Named<'a> {
    let mut places = Vec::new();
    for part in parts {
        match (part.by_name.get(name), part.part.rest) {
            (Some(place), _) => places.push(*place),
            (None, Rest::Typed(place)) => places.push(place),
            (None, Rest::Closed) if !part.part.has_patterns => return Named::Forbidden,
            (None, Rest::Closed | Rest::Open) => {}
        }
    }
    Named::Fits(places)
}
