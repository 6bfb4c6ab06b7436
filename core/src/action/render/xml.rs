//! Bodies of XML types (OpenAPI 3.0.3, "XML Object").
//!
//! Names, namespaces, attributes and wrapping come from the schema beside the value. `null` fields are left out, as
//! common XML bindings do. Characters that XML 1.0 cannot hold are dropped; names that are no XML names get `_` instead
//! of each illegal character.

use serde_json::Value;

use crate::api::{SchemaId, Schemas, XmlHints};

use super::schema_at::{branch, field, items};
use super::style::plain_text;

/// Name of the outermost element when neither the schema nor its reference has one.
const FALLBACK_ROOT: &str = "root";

/// Name for the outermost element: the last part of the schema's `$ref`, which is how the document calls it.
pub(super) fn root_name(json_schema: &Value) -> String {
    let reference = json_schema.get("$ref").and_then(Value::as_str).unwrap_or_default();
    reference.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(FALLBACK_ROOT).to_owned()
}

/// `value` as XML document; `root` names the outermost element unless the schema `id` names it.
pub(super) fn document(schemas: &Schemas, id: SchemaId, root: &str, value: &Value) -> String {
    let mut writer = Writer { schemas, text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned() };
    let hints = writer.hints(Some(id), value);
    if let Value::Array(members) = value {
        // Members need an element around them, whatever the schema says: a document has one root.
        writer.wrapped(&hints, root, (items(schemas, id, value), members));
    } else {
        writer.element(&hints, root, (Some(id), value));
    }
    writer.text
}

struct Writer<'a> {
    schemas: &'a Schemas,
    text: String,
}

/// A value with its schema, when it has one.
type Typed<'a> = (Option<SchemaId>, &'a Value);

impl Writer<'_> {
    /// What the schema says about XML; the branch of a choice that fits the value speaks before the choice itself.
    fn hints(&self, id: Option<SchemaId>, value: &Value) -> XmlHints {
        let Some(id) = id else { return XmlHints::default() };
        let of = |id| self.schemas.at(id).xml.as_deref();
        of(branch(self.schemas, id, value)).or_else(|| of(id)).cloned().unwrap_or_default()
    }

    /// A field of an object, an array in any of its forms included.
    fn field(&mut self, name: &str, (id, value): Typed<'_>) {
        let hints = self.hints(id, value);
        let Value::Array(members) = value else {
            return self.element(&hints, name, (id, value));
        };
        let item = id.and_then(|id| items(self.schemas, id, value));
        if hints.wrapped {
            self.wrapped(&hints, name, (item, members));
        } else {
            self.members(name, (item, members));
        }
    }

    /// Members of an array inside an element; members without a name of their own are called like it.
    fn wrapped(&mut self, hints: &XmlHints, name: &str, (item, members): (Option<SchemaId>, &[Value])) {
        let own_name = hints.name.as_deref().unwrap_or(name);
        let tag = self.open(hints, name);
        self.text.push('>');
        self.members(own_name, (item, members));
        self.close(&tag);
    }

    /// Members of an array one after the other; `name` is for those without a name of their own.
    fn members(&mut self, name: &str, (item, members): (Option<SchemaId>, &[Value])) {
        for member in members.iter().filter(|member| !member.is_null()) {
            let hints = self.hints(item, member);
            if let Value::Array(inner) = member {
                self.wrapped(&hints, name, (item.and_then(|item| items(self.schemas, item, member)), inner));
            } else {
                self.element(&hints, name, (item, member));
            }
        }
    }

    /// One element with its attributes and content; `value` is no array.
    fn element(&mut self, hints: &XmlHints, name: &str, (id, value): Typed<'_>) {
        let tag = self.open(hints, name);
        let Value::Object(fields) = value else {
            self.text.push('>');
            if !value.is_null() {
                self.text.push_str(&escaped(&plain_text(value)));
            }
            return self.close(&tag);
        };
        let mut inner: Vec<(&str, Typed<'_>)> = Vec::new();
        for (name, field_value) in fields.iter().filter(|(_, field_value)| !field_value.is_null()) {
            let schema = id.and_then(|id| field(self.schemas, id, value, name));
            let hints = self.hints(schema, field_value);
            if hints.attribute && !field_value.is_object() && !field_value.is_array() {
                self.attribute(&hints, name, field_value);
            } else {
                inner.push((name, (schema, field_value)));
            }
        }
        self.text.push('>');
        for (name, typed) in inner {
            self.field(name, typed);
        }
        self.close(&tag);
    }

    /// Writes `<tag xmlns…` without the closing bracket and returns the tag.
    fn open(&mut self, hints: &XmlHints, name: &str) -> String {
        let tag = qualified(hints, name);
        self.text.push('<');
        self.text.push_str(&tag);
        self.namespace(hints);
        tag
    }

    fn namespace(&mut self, hints: &XmlHints) {
        if let Some(namespace) = &hints.namespace {
            let declaration =
                hints.prefix.as_deref().map_or("xmlns".to_owned(), |prefix| format!("xmlns:{}", xml_name(prefix)));
            self.pair(&declaration, namespace);
        }
    }

    fn attribute(&mut self, hints: &XmlHints, name: &str, value: &Value) {
        if hints.prefix.is_some() {
            self.namespace(hints);
        }
        self.pair(&qualified(hints, name), &plain_text(value));
    }

    fn pair(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        self.text.push_str(&escaped(value));
        self.text.push('"');
    }

    fn close(&mut self, tag: &str) {
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
    }
}

/// The name with its prefix; the schema's name goes before `name`.
fn qualified(hints: &XmlHints, name: &str) -> String {
    let name = xml_name(hints.name.as_deref().unwrap_or(name));
    match hints.prefix.as_deref().filter(|prefix| !prefix.is_empty()) {
        Some(prefix) => format!("{}:{name}", xml_name(prefix)),
        None => name,
    }
}

/// `name` with `_` for each character that an XML name without colon cannot have there.
fn xml_name(name: &str) -> String {
    let legal = |idx: usize, character: char| {
        character == '_'
            || character.is_alphabetic()
            || (idx > 0 && (character.is_numeric() || character == '-' || character == '.'))
    };
    if name.is_empty() {
        return "_".to_owned();
    }
    name.chars().enumerate().map(|(idx, character)| if legal(idx, character) { character } else { '_' }).collect()
}

/// Text for content and for attributes in double quotes; what XML 1.0 2.2 does not allow is dropped.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // As references, else parsers make blanks or line feeds of them.
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
