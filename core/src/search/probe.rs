//! Names that are sent where the service takes inputs apart by itself (all cookies, the text of a query, of a form, all keys of an object): what they
//! are compared with, and what is looked for beside them, are names of inputs.
//!
//! `driver-protocol/SPEC.md` has them, for drivers tell what is looked for in maps that hold one.

use serde_json::Value;

use crate::action::{Action, Expanded, ValuePlace};
use crate::api::Location;
use crate::gene::Gene;

use super::Evaluation;
use super::hint::{Hint, Usage};
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

/// Whether the parameter at `place` is one of these: what the service does with its value says nothing of an input.
pub(super) fn is_at(action: &Action, place: ValuePlace) -> bool {
    let ValuePlace::Parameter(idx) = place else { return false };
    let extras = action.expanded.as_deref().map_or(&[][..], Expanded::parameters);
    let extra = (idx + extras.len()).checked_sub(action.parameters.len()).and_then(|idx| extras.get(idx));
    extra.is_some_and(|extra| is_in(&extra.name))
}

/// The names among these that a call sends; they are tracked beside its values.
pub(super) fn sent_by(action: &Action) -> Vec<String> {
    let mut sent = action.expanded.as_deref().map_or_else(Vec::new, |expanded| sent_beyond(action, expanded));
    add_open(action, &mut sent);
    sent
}

/// Those in what is sent beyond the document.
fn sent_beyond(action: &Action, expanded: &Expanded) -> Vec<String> {
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

/// Adds those in objects that are open.
fn add_open(action: &Action, sent: &mut Vec<String>) {
    let body = action.body.iter().filter(|body| body.present).filter_map(|body| body.alternatives.get(body.active));
    let mut add = |gene: &Gene| {
        let Gene::Object(object) = gene else { return };
        for name in object.extra_names().filter(|name| way_of(name).is_some()) {
            if !sent.iter().any(|known| known == name) {
                sent.push(name.to_owned());
            }
        }
    };
    body.for_each(|gene| gene.for_each(&mut add));
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

/// Names that a call's probes were compared with, but for those in open objects.
pub(super) fn compared(evaluation: &Evaluation, call_idx: usize) -> impl Iterator<Item = ReadInput> {
    let open = open_of(evaluation, call_idx);
    same_as_told(evaluation, call_idx).filter(move |hint| !open.contains(&hint.tracked)).filter_map(|hint| {
        if let Some(way) = way_of(&hint.tracked) {
            return Some(ReadInput { place: ReadPlace::Way, name: shape::step(way, &hint.operand), schema: "".into() });
        }
        let (place, _) = PROBES.iter().find(|(_, name)| *name == hint.tracked)?;
        Some(ReadInput { place: *place, name: hint.operand.clone(), schema: "".into() })
    })
}

/// Keys that one in an open object of a call was compared with that was sent to learn them, each with the way to its object.
pub(super) fn looked_up(evaluation: &Evaluation, call_idx: usize) -> impl Iterator<Item = (&str, &str)> {
    let open = open_of(evaluation, call_idx);
    let told = same_as_told(evaluation, call_idx).filter(move |hint| open.contains(&hint.tracked));
    told.filter_map(|hint| Some((way_of(&hint.tracked)?, hint.operand.as_str())))
}

/// The hints of a call that say what a value was to be.
fn same_as_told(evaluation: &Evaluation, call_idx: usize) -> impl Iterator<Item = &Hint> {
    let of_call = evaluation.hints.iter().filter(move |(idx, _)| *idx == call_idx).map(|(_, hint)| hint);
    of_call.filter(|hint| matches!(hint.usage, Usage::Equals | Usage::EqualsIgnoreCase))
}

/// The names among these that a call sends in open objects.
fn open_of(evaluation: &Evaluation, call_idx: usize) -> Vec<String> {
    let mut sent = Vec::new();
    if let Some(action) = evaluation.individual.actions.get(call_idx) {
        add_open(action, &mut sent);
    }
    sent
}

/// The same call without keys that are only there to learn more, or with a plain one in the place of each where `name` is
/// given; none where it has no such key, or its genes do not allow that.
pub(super) fn without_keys(action: &Action, name: Option<&str>) -> Option<Action> {
    let mut action = action.clone();
    let body = action.body.as_mut().filter(|body| body.present)?;
    let gene = body.alternatives.get_mut(body.active)?;
    let mut value = gene.to_json()?;
    (take_out(&mut value, name) && gene.assign(&value)).then_some(action)
}

/// Takes them out of a value, or gives each another name; whether there was one.
fn take_out(value: &mut Value, name: Option<&str>) -> bool {
    match value {
        Value::Object(fields) => {
            let kept = std::mem::take(fields);
            let mut has_any = false;
            for (key, mut field) in kept {
                has_any |= take_out(&mut field, name);
                let is_probe = is_in(&key);
                has_any |= is_probe;
                match name {
                    _ if !is_probe => drop(fields.insert(key, field)),
                    Some(name) if !fields.contains_key(name) => drop(fields.insert(name.to_owned(), field)),
                    _ => {}
                }
            }
            has_any
        }
        Value::Array(members) => members.iter_mut().filter_map(|member| take_out(member, name).then_some(())).count() > 0,
        _ => false,
    }
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

    use super::{add_below, below, is_at, stripped, take_out, way_of};
    use crate::action::{Action, Expanded, ExtraInput, ValuePlace};
    use crate::api::{Api, Location, Operation, OperationIdx, Parameter, Schema, SchemaKind, Verb};
    use crate::search::{Budget, SearchSettings};

    #[test]
    fn a_parameter_of_that_name_is_one_beyond_the_document() {
        let mut api = Api::default();
        let schema = api.schemas.push(Schema::new(SchemaKind::Boolean));
        let parameters = vec![Parameter::query("restive-query", schema)];
        api.operations.push(Operation { parameters, ..Operation::bare(Verb::Get, "/o") });
        let limits = SearchSettings::new(Budget::Calls(1), 1).gene_limits;
        let mut action = Action::template(&api, OperationIdx(0), &limits);
        let names = ["page", "restive-query"];
        let inputs = names.map(|name| ExtraInput::Parameter(Location::Query, name.to_owned(), json!({"type": "string"})));
        action.expand(&Expanded::new(&inputs).expect("both allow values").into(), &limits);
        let places = [0, 1, 2].map(ValuePlace::Parameter).into_iter().chain([ValuePlace::Body]);
        assert_eq!(places.map(|place| is_at(&action, place)).collect::<Vec<_>>(), [false, false, true, false]);
    }

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

    #[test]
    fn keys_that_are_there_to_learn_more_go_or_become_plain() {
        let value = || json!({"a": [{"restive-key:/a/-": 1, "b": 2}], "restive-key": 3});
        let mut changed = value();
        assert!(take_out(&mut changed, None) && changed == json!({"a": [{"b": 2}]}), "{changed}");
        assert!(!take_out(&mut changed, None));
        changed = value();
        assert!(take_out(&mut changed, Some("key")) && changed == json!({"a": [{"key": 1, "b": 2}], "key": 3}), "{changed}");
    }
}
