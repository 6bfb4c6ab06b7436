//! How parameters write scalars, arrays and objects (OpenAPI 3.0.3, "Style Values"; RFC 6570).
//!
//! Differences from the table: delimiters that are not legal in a query (space, `|`, tab, brackets) are percent-encoded,
//! as OpenAPI 3.0.4 writes them and as strict servers demand. Labels that are not exploded have commas, as RFC 6570 3.2.5
//! and the tables since 3.0.4 and 3.1.1 have them; the dots of 3.0.3 were a mistake. `null` counts as undefined (RFC 6570 2.3): members and
//! fields that are `null` are left out. Arrays and objects inside other arrays or objects, of which the specification
//! says nothing, are written as JSON text; in a `deepObject` as nested brackets, the way query parsers read them back.

use serde_json::Value;

use crate::api::Style;

use super::escape::Escape;

/// How one parameter or form field is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encoding<'a> {
    /// Name as documented.
    pub(super) name: &'a str,
    /// Style; one that is not possible in the place counts as the default of the place.
    pub(super) style: Style,
    /// Whether members and fields stand by themselves.
    pub(super) explode: bool,
    /// What is escaped in names and values.
    pub(super) escape: Escape,
}

/// A value as the styles see it: nested values are text already, `null`s are gone.
enum Shape {
    Scalar(String),
    List(Vec<String>),
    Fields(Vec<(String, String)>),
}

impl Encoding<'_> {
    /// One text for a place without names of its own, a path placeholder or a header: matrix, label or simple.
    pub(super) fn text(&self, value: &Value) -> String {
        match self.style {
            Style::Matrix => self.matrix(value),
            Style::Label => self.label(value),
            _ => self.joined(value, ",", if self.explode { "=" } else { "," }),
        }
    }

    fn matrix(&self, value: &Value) -> String {
        let name = self.escape.of(self.name);
        let pair = |name: &str, text: &str| if text.is_empty() { format!(";{name}") } else { format!(";{name}={text}") };
        match self.shape(value) {
            Shape::List(members) if self.explode && !members.is_empty() => {
                members.iter().map(|member| pair(&name, member)).collect()
            }
            Shape::Fields(fields) if self.explode && !fields.is_empty() => {
                fields.iter().map(|(field, text)| pair(field, text)).collect()
            }
            _ => pair(&name, &self.joined(value, ",", ",")),
        }
    }

    fn label(&self, value: &Value) -> String {
        let (between, after_name) = if self.explode { (".", "=") } else { (",", ",") };
        format!(".{}", self.joined(value, between, after_name))
    }

    /// `name=value` pairs for a query, a cookie or a form body; names and values escaped. Nothing for an empty array or
    /// object and for `null`.
    pub(super) fn pairs(&self, value: &Value) -> Vec<(String, String)> {
        if self.style == Style::DeepObject {
            let mut pairs = Vec::new();
            self.deep_pairs(self.name, value, &mut pairs);
            return pairs;
        }
        let named = |text: String| (self.escape.of(self.name), text);
        match self.shape(value) {
            Shape::Scalar(_) if value.is_null() => Vec::new(),
            Shape::Scalar(text) => vec![named(text)],
            Shape::List(members) if self.explode => members.into_iter().map(named).collect(),
            Shape::Fields(fields) if self.explode => fields,
            Shape::List(members) if members.is_empty() => Vec::new(),
            Shape::Fields(fields) if fields.is_empty() => Vec::new(),
            _ => {
                let delimiter = match self.style {
                    Style::SpaceDelimited => "%20",
                    Style::PipeDelimited => "%7C",
                    Style::TabDelimited => "%09",
                    _ => ",",
                };
                vec![named(self.joined(value, delimiter, delimiter))]
            }
        }
    }

    /// `name[field][field]=value`. Members of an array are `name[]`, or `name[0]` when they have fields or members.
    fn deep_pairs(&self, name: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
        match value {
            Value::Null => {}
            Value::Object(fields) => {
                for (field, inner) in fields {
                    self.deep_pairs(&format!("{name}[{field}]"), inner, pairs);
                }
            }
            Value::Array(members) => {
                let is_flat = members.iter().all(|member| !member.is_array() && !member.is_object());
                for (idx, member) in members.iter().enumerate() {
                    let place = if is_flat { format!("{name}[]") } else { format!("{name}[{idx}]") };
                    self.deep_pairs(&place, member, pairs);
                }
            }
            scalar => pairs.push((self.escape.of(name), self.escape.of(&plain_text(scalar)))),
        }
    }

    /// Members or fields with `between` after each and `after_name` between a field's name and its value.
    fn joined(&self, value: &Value, between: &str, after_name: &str) -> String {
        match self.shape(value) {
            Shape::Scalar(text) => text,
            Shape::List(members) => members.join(between),
            Shape::Fields(fields) => {
                fields.into_iter().map(|(name, text)| format!("{name}{after_name}{text}")).collect::<Vec<_>>().join(between)
            }
        }
    }

    fn shape(&self, value: &Value) -> Shape {
        let text = |value: &Value| self.escape.of(&plain_text(value));
        match value {
            Value::Array(members) => Shape::List(members.iter().filter(|member| !member.is_null()).map(text).collect()),
            Value::Object(fields) => Shape::Fields(
                fields
                    .iter()
                    .filter(|(_, inner)| !inner.is_null())
                    .map(|(name, inner)| (self.escape.of(name), text(inner)))
                    .collect(),
            ),
            scalar => Shape::Scalar(text(scalar)),
        }
    }
}

/// A value as plain text: a string as it is, everything else as JSON.
pub(super) fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
