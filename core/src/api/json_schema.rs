//! The document's schemas as JSON Schema (draft 2020-12), cut out on demand for validation.
//!
//! The documents stay as they were read; [`JsonSchemas::closure`] turns what a fragment reaches into one schema that
//! always compiles. What a keyword means is decided in [`keyword`], which the genes' schemas are read with as well, so
//! that a value made from one is valid against the other.

mod closure;
pub(crate) mod demanded;
mod formatted;
pub(crate) mod keyword;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::StringSchema;

/// Which keywords the schemas of a document use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Swagger 2.0 and OpenAPI 3.0: `nullable`, boolean exclusive bounds, nothing counts beside a `$ref`.
    #[default]
    OpenApi30,
    /// OpenAPI 3.1: JSON Schema draft 2020-12.
    OpenApi31,
}

/// Which way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the service.
    Request,
    /// From the service: required properties that are `writeOnly` are not demanded.
    Answer,
}

/// One document that schemas are taken from.
#[derive(Debug, Clone)]
pub struct SchemaDocument {
    /// Its content; every `$ref` in it is a key of [`JsonSchemas`], `#` and a JSON pointer.
    pub value: Value,
    /// What its schemas are written in.
    pub dialect: Dialect,
}

/// Every schema of the interface, shared by all fragments that refer to them.
#[derive(Debug, Clone, Default)]
pub struct JsonSchemas {
    documents: Arc<BTreeMap<String, SchemaDocument>>,
}

impl JsonSchemas {
    /// The schemas of `documents`, by the name their references use; the interface's own document has the empty name.
    pub fn new(documents: BTreeMap<String, SchemaDocument>) -> Self {
        Self { documents: Arc::new(documents) }
    }

    /// The schemas of one OpenAPI 3.0 document without references to others.
    pub fn from_document(value: Value) -> Self {
        Self::new(BTreeMap::from([(String::new(), SchemaDocument { value, dialect: Dialect::OpenApi30 })]))
    }

    /// The names of the documents, in order; the interface's own has the empty one.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.documents.keys().map(String::as_str)
    }

    /// What `reference` (`#/components/schemas/Pet`, or with a document's name before `#`) points to, none when nothing
    /// is there.
    pub fn resolve(&self, reference: &str) -> Option<(&Value, Dialect)> {
        let (name, pointer) = reference.split_once('#')?;
        let document = self.documents.get(name)?;
        let value = if pointer.is_empty() { &document.value } else { at_pointer(&document.value, pointer)? };
        Some((value, document.dialect))
    }

    /// The strings of a `format` with lengths or a pattern beside it, each with the references to where it stands; also
    /// what only looks like one, such as an example.
    pub fn formatted_strings(&self) -> Vec<(StringSchema, Vec<String>)> {
        let mut found = BTreeMap::new();
        for (name, document) in self.documents.iter() {
            formatted::collect(&document.value, &mut vec![format!("{name}#")], &mut found);
        }
        found.into_values().collect()
    }

    /// Takes `format` out of the schemas that `references` point to, so that it is no longer demanded there.
    pub fn leave_out_formats<'r>(&mut self, references: impl IntoIterator<Item = &'r str>) {
        let documents = Arc::make_mut(&mut self.documents);
        for reference in references {
            let Some((name, pointer)) = reference.split_once('#') else { continue };
            let node = documents.get_mut(name).and_then(|document| at_pointer_mut(&mut document.value, pointer));
            if let Some(node) = node.and_then(Value::as_object_mut) {
                node.shift_remove("format");
            }
        }
    }

    /// `fragment` together with every schema it reaches, as one self-contained JSON Schema of draft 2020-12.
    ///
    /// It compiles with the `jsonschema` crate whatever the document holds: what is malformed is left out, a reference to
    /// nothing allows everything.
    pub fn closure(&self, fragment: &Value, direction: Direction) -> Value {
        closure::Closure::new(self, direction).schema(fragment)
    }
}

/// The part of `value` at a JSON pointer whose segments may be percent-encoded as in a URI fragment.
fn at_pointer<'a>(value: &'a Value, pointer: &str) -> Option<&'a Value> {
    let segments = pointer.strip_prefix('/')?;
    let mut part = value;
    for segment in segments.split('/') {
        part = member(part, &unescape(segment))
            .or_else(|| member(part, &unescape(&percent_encoding::percent_decode_str(segment).decode_utf8().ok()?)))?;
    }
    Some(part)
}

/// As [`at_pointer`], to be changed; the empty pointer is the whole.
fn at_pointer_mut<'a>(value: &'a mut Value, pointer: &str) -> Option<&'a mut Value> {
    let mut part = value;
    for segment in pointer.split('/').skip(1) {
        let plain = unescape(segment);
        let name = match member(part, &plain) {
            Some(_) => plain.into_owned(),
            None => unescape(&percent_encoding::percent_decode_str(segment).decode_utf8().ok()?).into_owned(),
        };
        part = match part {
            Value::Object(map) => map.get_mut(&name)?,
            Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(part)
}

fn member<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(name),
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

fn unescape(segment: &str) -> std::borrow::Cow<'_, str> {
    if segment.contains('~') { segment.replace("~1", "/").replace("~0", "~").into() } else { segment.into() }
}

/// `name` as a segment of a JSON pointer.
pub(crate) fn escape(name: &str) -> std::borrow::Cow<'_, str> {
    if name.contains(['~', '/']) { name.replace('~', "~0").replace('/', "~1").into() } else { name.into() }
}

#[cfg(test)]
mod tests;
