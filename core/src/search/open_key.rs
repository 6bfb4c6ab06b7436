//! A key that the service knows in an object which its document leaves open, and calls that send it.

use serde_json::{Value, json};

use crate::action::{Action, ValuePlace};
use crate::gene::{FieldName, Gene, GeneSite};
use crate::random::Random;

use super::Individual;
use super::expansions::word;
use super::input::{ReadInput, ReadPlace};
use super::marking::Marker;
use super::mutator::gene_at;
use super::{probe, shape};

/// A key that the service knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenKey {
    /// The way to its object.
    pub way: String,
    pub name: String,
}

impl OpenKey {
    /// The way to its value.
    pub fn way_below(&self) -> String {
        shape::step(&self.way, &self.name)
    }

    /// Whether it is one of the value of another key, or of what is in that.
    pub fn is_below(&self, other: &Self) -> bool {
        self.way.strip_prefix(&other.way_below()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether it is one of the outermost object.
    pub fn is_outermost(&self) -> bool {
        self.way.is_empty()
    }

    /// As the expansions count it.
    pub fn as_input(&self) -> ReadInput {
        ReadInput { place: ReadPlace::Way, name: self.way_below(), schema: "".into() }
    }

    /// Puts it into each object that stands where its way leads, with a text that can be told from others where that may be, or
    /// with this value, which does not take the place of an object where it is one itself; whether there is such an object, and
    /// one that may have the value. A value that is narrowed to what the service wants stays, and so do all others then. Where
    /// it is a key of all values of a map, and there is none, one is made up.
    pub fn put_in(&self, action: &mut Action, known: &[Self], value: Option<&Value>, random: &mut Random) -> bool {
        if put_in_at(action, known, (&self.way, &self.name), value, random) {
            return true;
        }
        let Some(map) = self.way.strip_suffix(shape::ALL_KEYS) else { return false };
        let (made_up, value) = (word(random), value.map_or_else(|| word(random), Value::clone));
        let object = json!({ &self.name: value });
        made_up.as_str().is_some_and(|name| put_in_at(action, known, (map, name), Some(&object), random))
    }
}

fn put_in_at(
    action: &mut Action,
    known: &[OpenKey],
    (way, name): (&str, &str),
    value: Option<&Value>,
    random: &mut Random,
) -> bool {
    let Some(body) = sent_body(action) else { return false };
    let Some(gene) = gene_at(action, ValuePlace::Body) else { return false };
    let mut done: Vec<String> = Vec::new();
    let sites = gene.sites();
    let is_narrowed = |site: &GeneSite| gene.at(&site.path).is_some_and(Gene::is_narrowed);
    let below = shape::step(way, name);
    if sites.iter().any(|site| is_narrowed(site) && way_to(known, (gene, &body), site) == below) {
        return false;
    }
    for site in sites {
        let object = body.pointer(&site.pointer).filter(|value| value.is_object());
        if object.is_none() || done.contains(&site.pointer) || way_to(known, (gene, &body), &site) != way {
            continue;
        }
        if value.is_some_and(Value::is_object) && object.is_some_and(|object| object.get(name).is_some_and(Value::is_object)) {
            done.push(site.pointer);
            continue;
        }
        let Some(object) = gene.at_mut(&site.path) else { continue };
        let put = value.map_or_else(|| word(random), Value::clone);
        let is_in = object.put_in_field(FieldName::Known(name), Some(&put), random);
        let has_value = || object.to_json().is_some_and(|object| object.get(name) == value);
        if is_in && (value.is_none() || has_value()) {
            done.push(site.pointer);
        }
    }
    !done.is_empty()
}

/// The way to what stands at `site` of a body. Of its keys those that the document does not have, and the service is not known
/// to know, stand for all keys of their object, which may be a map.
pub(super) fn way_to(known: &[OpenKey], (gene, body): (&Gene, &Value), site: &GeneSite) -> String {
    let unlisted = gene.unlisted_on(&site.path);
    let is_known = |way: &str| known.iter().any(|key| key.way_below() == way);
    shape::way_along(body, &site.pointer, |pointer, way| unlisted.iter().any(|it| it == pointer) && !is_known(way))
}

/// The last of these calls with `keys`, and without what told of them; none where none can be put in. Their values are what
/// `value` gives, or texts that can be told from others.
pub(super) fn with_keys(
    actions: &[Action],
    (known, keys): (&[OpenKey], &[OpenKey]),
    value: impl Fn(&OpenKey, &mut Random) -> Option<Value>,
    (marker, random): (&mut Marker, &mut Random),
) -> Option<Individual> {
    let mut individual = Individual { actions: actions.to_vec() };
    let action = individual.actions.last_mut()?;
    if let Some(plain) = probe::without_keys(action, None) {
        *action = plain;
    }
    let mut is_changed = false;
    for key in keys {
        let value = value(key, random);
        if key.put_in(action, known, value.as_ref(), random) {
            is_changed = true;
            if value.is_none() {
                marker.mark_fields(gene_at(action, ValuePlace::Body)?, &key.name);
            }
        }
    }
    is_changed.then_some(individual)
}

/// The body that a call sends.
pub(super) fn sent_body(action: &Action) -> Option<Value> {
    let body = action.body.as_ref().filter(|body| body.present)?;
    body.alternatives.get(body.active)?.to_json()
}
