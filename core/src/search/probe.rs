//! Names that are sent where the service takes inputs apart by itself (all cookies, the text of a query, of a form, all keys of an object): what they
//! are compared with, and what is looked for beside them, are names of inputs.
//!
//! `driver-protocol/SPEC.md` has them, for drivers tell what is looked for in maps that hold one.

use serde_json::Value;

use crate::action::{Action, Expanded};
use crate::api::Location;

use super::Evaluation;
use super::hint::Usage;
use super::input::{ReadInput, ReadPlace};
use super::shape;

const KEY: &str = "restive-key";

/// What stands between [`KEY`] and the way to an object below the outermost one.
const OF_WAY: char = ':';

const PROBES: [(ReadPlace, &str); 6] = [
    (ReadPlace::Query, "restive-query"),
    (ReadPlace::Cookie, "restive-probe"),
    (ReadPlace::Form, "restive-field"),
    (ReadPlace::Part, "restive-part"),
    (ReadPlace::Matrix, "restive-matrix"),
    (ReadPlace::Key, KEY),
];

/// What is sent at such a place; none where nothing is to be learned by that.
pub(super) fn at(place: ReadPlace) -> Option<&'static str> {
    PROBES.iter().find(|(probed, _)| *probed == place).map(|(_, name)| *name)
}

/// A key that is sent in the object that this way leads to.
pub(super) fn below(way: &str) -> String {
    format!("{KEY}{OF_WAY}{way}")
}

/// Whether something that may be a name is one of these, or made of it.
pub(super) fn is_in(name: &str) -> bool {
    PROBES.iter().any(|(_, probe)| name.contains(probe))
}

/// The names among these that a call sends; they are tracked beside its values.
pub(super) fn sent_by(action: &Action) -> Vec<String> {
    let Some(expanded) = action.expanded.as_deref() else { return Vec::new() };
    let extras = expanded.parameters();
    let first = action.parameters.len().saturating_sub(extras.len());
    let genes = action.parameters.iter().skip(first);
    let is_sent = |location: Location, name: &str| {
        let mut sent = extras.iter().zip(genes.clone()).filter(|(_, gene)| gene.to_json().is_some());
        sent.any(|(extra, _)| extra.location == location && extra.name == name)
    };
    let body = sent_body(action, expanded);
    let has_field = |name: &str| body.as_ref().is_some_and(|body| body.get(name).is_some());
    let is_there = |(place, name): &&(ReadPlace, &'static str)| match place {
        ReadPlace::Query => is_sent(Location::Query, name),
        ReadPlace::Cookie => is_sent(Location::Cookie, name),
        ReadPlace::Matrix => is_sent(Location::Matrix, name),
        _ => has_field(name),
    };
    let mut sent = PROBES.iter().filter(is_there).map(|(_, name)| (*name).to_owned()).collect();
    if let Some(body) = &body {
        add_below(body, &mut sent);
    }
    sent
}

/// Adds the keys in a body that are sent below the outermost object.
fn add_below(value: &Value, sent: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if way_of(name).is_some() && !sent.contains(name) {
                    sent.push(name.clone());
                }
                add_below(field, sent);
            }
        }
        Value::Array(members) => members.iter().for_each(|member| add_below(member, sent)),
        _ => {}
    }
}

/// The way to the object that a key was made for.
fn way_of(name: &str) -> Option<&str> {
    name.strip_prefix(KEY)?.strip_prefix(OF_WAY)
}

/// The body that a call sends beyond its document.
fn sent_body(action: &Action, expanded: &Expanded) -> Option<Value> {
    let body = action.body.as_ref().filter(|body| body.present)?;
    let first = body.alternatives.len().checked_sub(expanded.bodies().len())?;
    if body.active < first { None } else { body.alternatives.get(body.active)?.to_json() }
}

/// Names that a call's probes were compared with.
pub(super) fn compared(evaluation: &Evaluation, call_idx: usize) -> impl Iterator<Item = ReadInput> {
    let of_call = evaluation.hints.iter().filter(move |(idx, _)| *idx == call_idx).map(|(_, hint)| hint);
    let same = of_call.filter(|hint| matches!(hint.usage, Usage::Equals | Usage::EqualsIgnoreCase));
    same.filter_map(|hint| {
        if let Some(way) = way_of(&hint.tracked) {
            return Some(ReadInput { place: ReadPlace::Way, name: shape::step(way, &hint.operand), schema: "".into() });
        }
        let (place, _) = PROBES.iter().find(|(_, name)| *name == hint.tracked)?;
        Some(ReadInput { place: *place, name: hint.operand.clone(), schema: "".into() })
    })
}

/// A schema of a form or a multipart body without what is only there to learn more; none where nothing else is in it.
pub(super) fn stripped(schema: &Value) -> Option<Value> {
    let mut schema = schema.clone();
    let is_nothing = strip(&mut schema);
    (!is_nothing).then_some(schema)
}

/// Takes them out at any depth; whether there was nothing else in the outermost object.
fn strip(schema: &mut Value) -> bool {
    if let Some(items) = schema.get_mut("items") {
        strip(items);
    }
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return false };
    let n = properties.len();
    properties.retain(|name, _| !is_in(name));
    for property in properties.values_mut() {
        strip(property);
    }
    properties.is_empty() && n > 0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{add_below, below, stripped, way_of};

    #[test]
    fn a_key_below_the_outermost_object_tells_its_way_and_is_in_no_document() {
        let key = below("/a/-");
        assert_eq!((way_of(&key), way_of("restive-key"), way_of("a")), (Some("/a/-"), None, None));
        let mut sent = Vec::new();
        add_below(&json!({"a": [{"b": 1}, {"restive-key:/a/-": 1}, {"restive-key:/a/-": 2}]}), &mut sent);
        assert_eq!(sent, std::slice::from_ref(&key));
        let items = |properties| json!({"properties": {"a": {"items": {"properties": properties}}}});
        assert_eq!(stripped(&items(json!({"b": {}, key: {}}))), Some(items(json!({"b": {}}))));
        assert_eq!(stripped(&json!({"properties": {"restive-part": {}}})), None);
    }
}
