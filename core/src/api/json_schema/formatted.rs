//! Finds strings of a format that something beside it may contradict, wherever they stand in a document.

use std::collections::BTreeMap;

use serde_json::Value;

use super::keyword::{self, Node};
use super::{StringSchema, escape};

/// What is said of a string, as text, to the string and the places where it is said.
pub(super) type Found = BTreeMap<String, (StringSchema, Vec<String>)>;

/// Puts what is in `value` into `found`; `path` leads there, its first part is the document's reference.
///
/// Recursion is as deep as the document, which is bounded where it is parsed.
pub(super) fn collect(value: &Value, path: &mut Vec<String>, found: &mut Found) {
    match value {
        Value::Array(items) => {
            for (idx, item) in items.iter().enumerate().filter(|(_, item)| is_container(item)) {
                path.push(idx.to_string());
                collect(item, path, found);
                path.pop();
            }
        }
        Value::Object(node) => {
            if let Some(string) = formatted_string(node) {
                let places = &mut found.entry(format!("{string:?}")).or_insert_with(|| (string, Vec::new())).1;
                places.push(path.join("/"));
            }
            for (key, part) in node.iter().filter(|(_, part)| is_container(part)) {
                path.push(escape(key).into_owned());
                collect(part, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn is_container(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// What a schema says about strings, when that is a format and something beside it. Listed values keep no format anyway.
fn formatted_string(node: &Node) -> Option<StringSchema> {
    let format = node.get("format")?.as_str()?;
    let (min, max) = keyword::counts(node, "minLength", "maxLength");
    let pattern = keyword::pattern(node);
    let is_bound = min > 0 || max.is_some() || pattern.is_some();
    let length = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    (is_bound && keyword::listed(node).is_empty()).then(|| StringSchema {
        min_length: length(min),
        max_length: max.map(length),
        pattern: pattern.map(str::to_owned),
        format: Some(format.to_ascii_lowercase()),
        ..StringSchema::default()
    })
}
