//! The document and every other one it refers to, with references brought into one form.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use super::source::{self, Access, Origin};
use super::text::{self, Repeated};
use crate::api::{Api, Dialect, JsonSchemas, Repair, SchemaDocument};

/// Documents that are read besides the first.
const MOST_DOCUMENTS: usize = 1_000;

/// The documents of an interface.
pub(super) struct Documents {
    /// All that could be read.
    pub(super) schemas: JsonSchemas,
    /// Referred-to documents that could not be read, with the reason.
    pub(super) missing: BTreeMap<String, String>,
    /// What was mended in them before anything was read.
    pub(super) repairs: Vec<Repair>,
}

/// The dialect of a document's schemas, or why it is no interface description.
pub(super) fn version(value: &Value) -> Result<Dialect, String> {
    let Some(root) = value.as_object() else { return Err(format!("found {}, wanted an object", kind(value))) };
    let text = |name: &str| root.get(name).map(|version| version.as_str().map_or_else(|| version.to_string(), str::to_owned));
    match (text("openapi"), text("swagger")) {
        (Some(version), _) if version.starts_with("3.0") || version == "3" => Ok(Dialect::OpenApi30),
        (Some(version), _) if version.starts_with('3') => Ok(Dialect::OpenApi31),
        (None, Some(version)) if version.starts_with('2') => Ok(Dialect::OpenApi30),
        (Some(version), _) | (None, Some(version)) => Err(format!("found version `{version}`, wanted 2.0, 3.0 or 3.1")),
        (None, None) if root.contains_key("swaggerVersion") => Err("found Swagger 1, wanted 2.0 or later".to_owned()),
        (None, None) if root.get("paths").is_some_and(Value::is_object) => Ok(Dialect::OpenApi30),
        (None, None) => Err("found neither `openapi` nor `swagger`".to_owned()),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// `value` from `origin` with everything it refers to; `repeated` are the keys that stand twice in it.
pub(super) fn collect(
    (mut value, repeated): (Value, Vec<Repeated>),
    dialect: Dialect,
    origin: &Origin,
    access: &Access,
) -> Documents {
    let mut queue = VecDeque::new();
    let root = Base { name: String::new(), origin: origin.clone(), root_origin: origin.clone() };
    let mut names = BTreeMap::from([(String::new(), known_names(&value))]);
    rewrite(&mut value, &root, &names[""], &mut queue);
    let mut repairs = Vec::new();
    note_repeated(&mut repairs, "", repeated);
    let mut documents = BTreeMap::from([(String::new(), SchemaDocument { value, dialect })]);
    let mut missing = BTreeMap::new();
    while let Some(other) = queue.pop_front() {
        let name = other.to_string();
        if documents.contains_key(&name) || missing.contains_key(&name) {
            continue;
        }
        if documents.len() > MOST_DOCUMENTS {
            missing.insert(name, format!("more than {MOST_DOCUMENTS} documents are referred to"));
            continue;
        }
        match read(&other, access) {
            Ok(((mut value, repeated), other)) => {
                let dialect = version(&value).unwrap_or(dialect);
                let base = Base { name: name.clone(), origin: other, root_origin: origin.clone() };
                let own_names = known_names(&value);
                rewrite(&mut value, &base, &own_names, &mut queue);
                note_repeated(&mut repairs, &name, repeated);
                names.insert(name.clone(), own_names);
                documents.insert(name, SchemaDocument { value, dialect });
            }
            Err(reason) => drop(missing.insert(name, reason)),
        }
    }
    for document in documents.values_mut() {
        name_places(&mut document.value, &names);
    }
    Documents { schemas: JsonSchemas::new(documents), missing, repairs }
}

/// Tells of keys that stand twice in the document of that name.
fn note_repeated(repairs: &mut Vec<Repair>, name: &str, repeated: Vec<Repeated>) {
    let room = Api::MOST_REPAIRS.saturating_sub(repairs.len());
    repairs.extend(repeated.into_iter().take(room).map(|Repeated { pointer, is_merged }| {
        let action = if is_merged { "stands twice: both are taken together" } else { "stands twice: the last one is taken" };
        let pointer = if name.is_empty() { pointer } else { format!("{name}#{pointer}") };
        Repair { pointer, action: action.to_owned() }
    }));
}

/// Puts the place of an anchor in another document, which is known once that was read, where references name it.
fn name_places(value: &mut Value, names: &BTreeMap<String, BTreeMap<String, String>>) {
    each_reference(value, &mut |reference| {
        let Some((document, name)) = reference.split_once('#').filter(|(_, name)| !name.is_empty()) else { return };
        if let Some(place) = names.get(document).and_then(|names| names.get(name)).filter(|_| !name.starts_with('/')) {
            *reference = format!("{document}{place}");
        }
    });
}

/// The value at `origin` with the keys that stand twice in it, and where it really came from.
fn read(origin: &Origin, access: &Access) -> Result<((Value, Vec<Repeated>), Origin), String> {
    let (text, origin) = source::read(origin, access).map_err(|error| error.to_string())?;
    Ok((text::to_value(&text)?, origin))
}

/// Where references of one document start from.
struct Base {
    name: String,
    origin: Origin,
    root_origin: Origin,
}

/// Names by which the document's parts can be referred to, with their references: anchors (JSON Schema 8.2.2), and the
/// bare names of schemas, which some documents use.
fn known_names(value: &Value) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for place in ["/definitions", "/components/schemas"] {
        for name in value.pointer(place).and_then(Value::as_object).into_iter().flat_map(|schemas| schemas.keys()) {
            names.insert(name.clone(), format!("#{place}/{}", crate::api::json_schema::escape(name)));
        }
    }
    collect_anchors(value, &mut "#".to_owned(), &mut names);
    names
}

/// Recursion is as deep as the document, which is bounded where it is parsed.
fn collect_anchors(value: &Value, pointer: &mut String, names: &mut BTreeMap<String, String>) {
    let length = pointer.len();
    let mut below = |name: &str, part: &Value| {
        if part.is_object() || part.is_array() {
            pointer.push('/');
            pointer.push_str(&crate::api::json_schema::escape(name));
            collect_anchors(part, pointer, names);
            pointer.truncate(length);
        }
    };
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(idx, item)| below(&idx.to_string(), item)),
        Value::Object(map) => map.iter().for_each(|(name, part)| below(name, part)),
        _ => {}
    }
    for keyword in ["$anchor", "$dynamicAnchor"] {
        if let Some(name) = value.get(keyword).and_then(Value::as_str).filter(|name| !name.is_empty()) {
            names.insert(name.to_owned(), pointer.clone());
        }
    }
}

/// Makes every `$ref` a document's name, `#` and a pointer; documents that are referred to come into `queue`.
fn rewrite(value: &mut Value, base: &Base, names: &BTreeMap<String, String>, queue: &mut VecDeque<Origin>) {
    let mut queued = BTreeSet::new();
    each_reference(value, &mut |reference| {
        let (changed, other) = canonical(reference, base, names);
        if let Some(other) = other.filter(|other| queued.insert(other.to_string())) {
            queue.push_back(other);
        }
        if let Some(changed) = changed {
            *reference = changed;
        }
    });
}

fn each_reference(value: &mut Value, change: &mut dyn FnMut(&mut String)) {
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        match value {
            Value::Array(items) => stack.extend(items),
            Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        Value::String(reference) if key == "$ref" || key == "$dynamicRef" => change(reference),
                        Value::Array(_) | Value::Object(_) => stack.push(value),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// The one form of `reference`, none when it has it already, and the other document it leads to.
fn canonical(reference: &str, base: &Base, names: &BTreeMap<String, String>) -> (Option<String>, Option<Origin>) {
    let (document, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    if document.is_empty() {
        let by_name = names.get(pointer).map_or_else(|| format!("#{pointer}"), Clone::clone);
        let changed = format!("{}{by_name}", base.name);
        return ((changed != reference).then_some(changed), None);
    }
    if let Some(by_name) = names.get(reference) {
        return (Some(format!("{}{by_name}", base.name)), None);
    }
    match base.origin.join(document) {
        Some(other) if other == base.root_origin => (Some(format!("#{pointer}")), None),
        Some(other) => (Some(format!("{other}#{pointer}")), Some(other)),
        None => (Some(format!("{document}#{pointer}")), None),
    }
}
