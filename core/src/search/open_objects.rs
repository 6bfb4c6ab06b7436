//! Keys that the service looks up in objects which its document leaves open: maps in bodies that are documented otherwise.
//!
//! Each such object once has a key that nothing else is called ([`probe`]). What that is compared with, and what is looked up
//! beside it, as a driver tells, are keys that the service knows; each is tried at once, and put in now and then from then on.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::action::{Action, ExtraInput, ValuePlace};
use crate::api::{Body, OperationIdx};
use crate::gene::{GenePath, GeneSite};
use crate::random::Random;

use super::expansions::word;
use super::input::{ReadInput, ReadPlace};
use super::marking::Marker;
use super::mutator::gene_at;
use super::own_values::{has_own_key, is_own_value};
use super::shape::Way;
use super::usable::may_have_keys;
use super::{Evaluation, Individual, Problem, probe, shape};

/// Calls of an operation before its open objects have such a key, unless one succeeds earlier.
const CALLS_BEFORE: u32 = 6;
/// Calls of an operation in which its open objects are looked for, at first, after the first that succeeded, and after each in
/// which a key was found.
const LOOKS: u32 = 64;
/// Objects that have one in the same call, at most.
const MOST_PROBED: usize = 8;
/// Keys of one operation, at most.
const MOST_KEYS: usize = 32;
/// Characters of a key.
const LONGEST_KEY: usize = 100;

/// What is known of open objects.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenObjects {
    of_operations: BTreeMap<OperationIdx, Open>,
    /// Whether a driver tells what is done with values, or what is read.
    are_told: bool,
}

/// The open objects of one operation.
#[derive(Debug, Clone)]
struct Open {
    n_calls: u32,
    has_succeeded: bool,
    /// Calls in which open objects are still looked for.
    n_looks: u32,
    /// Ways to the objects that were given a key, or are not open.
    probed: BTreeMap<String, Probed>,
    keys: Vec<OpenKey>,
    /// The media type of the body in which they were found.
    media_type: String,
}

/// When an object was given a key last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Probed {
    /// Keys in it that the service knows: what is looked up may depend on them.
    n_known: usize,
    /// Whether that was in a call that had succeeded.
    in_success: bool,
}

/// A key that the service knows.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OpenKey {
    /// The way to its object.
    way: String,
    name: String,
}

impl OpenObjects {
    /// Learns from the call at `call_idx`; gives calls to be tried, and the keys that are new as inputs.
    pub fn learn(
        &mut self,
        problem: &Problem,
        evaluation: &Evaluation,
        call_idx: usize,
        (marker, random): (&mut Marker, &mut Random),
    ) -> (Vec<Individual>, Vec<ReadInput>) {
        self.are_told |= !evaluation.hints.is_empty() || !evaluation.inputs.is_empty();
        let actions = &evaluation.individual.actions[..=call_idx];
        let (Some(action), Some(result)) = (actions.last(), evaluation.results.get(call_idx)) else {
            return (Vec::new(), Vec::new());
        };
        let body = documented_body(problem, action).filter(|_| self.are_told && action.violation.is_none());
        let Some(body) = body else { return (Vec::new(), Vec::new()) };
        let has_succeeded = result.status().is_some_and(|status| (200..300).contains(&status));
        let open = self.of_operations.entry(action.operation_idx).or_default();
        if open.keys.is_empty() {
            open.media_type.clone_from(&body.media_type);
        }
        let new = open.note_keys(actions, probe::looked_up(evaluation, call_idx));
        let mut to_try: Vec<Individual> = open.probe(actions, has_succeeded, random).into_iter().collect();
        // Each alone, and all together where there are several.
        let choices = new.chunks(1).chain(Some(&new[..]).filter(|all| all.len() > 1));
        to_try.extend(choices.filter_map(|keys| with_keys(actions, keys, marker, random)));
        (to_try, new.iter().map(OpenKey::as_input).collect())
    }

    /// What a document may say of the bodies of each operation for these keys: that they may be there.
    pub fn described(&self) -> impl Iterator<Item = (OperationIdx, ExtraInput)> {
        let with_keys = self.of_operations.iter().filter(|(_, open)| !open.keys.is_empty());
        with_keys.map(|(operation_idx, open)| {
            let mut schema = json!({});
            let ways = open.keys.iter().filter_map(|key| Way::read(&key.as_input().name));
            ways.for_each(|way| way.describe(&mut schema));
            (*operation_idx, ExtraInput::Body(open.media_type.clone(), schema))
        })
    }

    /// Whether keys of the operation's open objects are known.
    pub fn are_known(&self, operation_idx: OperationIdx) -> bool {
        self.of_operations.get(&operation_idx).is_some_and(|open| !open.keys.is_empty())
    }

    /// A key that the object at `site` of the action's body may have; none when none is known.
    pub fn draw(&self, action: &Action, site: &GeneSite, random: &mut Random) -> Option<&str> {
        let open = self.of_operations.get(&action.operation_idx)?;
        let body = sent_body(action)?;
        let way = shape::way_along(&body, &site.pointer);
        let keys: Vec<&OpenKey> = open.keys.iter().filter(|key| key.way == way).collect();
        random.pick(&keys).map(|key| key.name.as_str())
    }

    /// Puts keys into the open objects that `action` sends, each with probability `p`.
    pub fn vary(&self, action: &mut Action, p: f64, random: &mut Random) {
        let Some(open) = self.of_operations.get(&action.operation_idx) else { return };
        for key in &open.keys {
            if random.chance(p) {
                key.put_in(action, random);
            }
        }
    }
}

impl Open {
    /// Takes in what was looked up; gives what is new.
    fn note_keys<'n>(&mut self, actions: &[Action], looked_up: impl Iterator<Item = (&'n str, &'n str)>) -> Vec<OpenKey> {
        let known = self.keys.len();
        for (way, name) in looked_up {
            let key = OpenKey { way: way.to_owned(), name: name.to_owned() };
            let is_key = !name.is_empty() && name.len() <= LONGEST_KEY && !name.chars().any(char::is_control);
            let is_own = || actions.last().is_some_and(|action| has_own_key(action, name));
            let is_usable = is_key && !probe::is_in(name) && !is_own() && !is_own_value(actions, &key.as_input());
            if is_usable && !self.keys.contains(&key) && self.keys.len() < MOST_KEYS {
                self.keys.push(key);
                self.n_looks = LOOKS;
            }
        }
        self.keys[known..].to_vec()
    }

    /// The last call with a key in each open object that is due one; none where none is, or it is too early.
    fn probe(&mut self, actions: &[Action], has_succeeded: bool, random: &mut Random) -> Option<Individual> {
        self.n_calls = self.n_calls.saturating_add(1);
        if has_succeeded && !std::mem::replace(&mut self.has_succeeded, true) {
            self.n_looks += LOOKS;
        }
        if self.n_looks == 0 || !has_succeeded && self.n_calls < CALLS_BEFORE {
            return None;
        }
        self.n_looks -= 1;
        let due = self.due(actions.last()?, has_succeeded);
        if due.is_empty() {
            return None;
        }
        let mut individual = Individual { actions: actions.to_vec() };
        let gene = gene_at(individual.actions.last_mut()?, ValuePlace::Body)?;
        let mut n_put_in = 0;
        for (path, way, now) in due {
            if n_put_in >= MOST_PROBED {
                break;
            }
            let word = word(random);
            let at = gene.at_mut(&path);
            n_put_in += usize::from(at.is_some_and(|gene| gene.put_in_field(&probe::below(&way), Some(&word), random)));
            let last = self.probed.entry(way).or_insert(now);
            *last = now.max(*last);
        }
        (n_put_in > 0).then_some(individual)
    }

    /// What may be an open object of a body and is due a key: where it is, and the way to it. That is so once in any call, once
    /// more in one that succeeded, and whenever more keys stand in it that the service knows.
    fn due(&self, action: &Action, has_succeeded: bool) -> Vec<(GenePath, String, Probed)> {
        let Some(gene) = action.body.as_ref().and_then(|body| body.alternatives.get(body.active)) else { return Vec::new() };
        let Some(body) = gene.to_json() else { return Vec::new() };
        // What stands below a key that was made up is looked at by nobody.
        let is_known = |pointer: &String| self.is_known(&shape::way_along(&body, pointer));
        let mut due: Vec<(GenePath, String, Probed)> = Vec::new();
        for site in gene.sites() {
            let way = shape::way_along(&body, &site.pointer);
            // What may be left out or is one of several has sites at one place; the outermost reaches all of them.
            if due.last().is_some_and(|(_, last, _)| *last == way) {
                continue;
            }
            let has = |name: &str| body.pointer(&site.pointer).is_some_and(|object| object.get(name).is_some());
            let n_known = self.keys.iter().filter(|key| key.way == way && has(&key.name)).count();
            let now = Probed { n_known, in_success: has_succeeded };
            let is_due = self.probed.get(&way).is_none_or(|last| now.is_more_than(*last));
            if is_due && gene.unlisted_on(&site.path).iter().all(is_known) {
                due.push((site.path, way, now));
            }
        }
        due
    }

    /// Whether a way leads to a key that the service knows.
    fn is_known(&self, way: &str) -> bool {
        self.keys.iter().any(|key| shape::step(&key.way, &key.name) == way)
    }
}

impl Default for Open {
    fn default() -> Self {
        Self {
            n_calls: 0,
            has_succeeded: false,
            n_looks: LOOKS,
            probed: BTreeMap::new(),
            keys: Vec::new(),
            media_type: String::new(),
        }
    }
}

impl Probed {
    /// Whether a call may tell what that of `last` did not.
    fn is_more_than(self, last: Self) -> bool {
        self.n_known > last.n_known || self.in_success && !last.in_success
    }
}

impl OpenKey {
    /// As the expansions count it.
    fn as_input(&self) -> ReadInput {
        ReadInput { place: ReadPlace::Way, name: shape::step(&self.way, &self.name), schema: "".into() }
    }

    /// Puts it into each object that stands where its way leads, with a text that can be told from others where that may be; whether
    /// there is one.
    fn put_in(&self, action: &mut Action, random: &mut Random) -> bool {
        let Some(body) = sent_body(action) else { return false };
        let Some(gene) = gene_at(action, ValuePlace::Body) else { return false };
        let mut done: Vec<String> = Vec::new();
        for site in gene.sites() {
            let is_object = body.pointer(&site.pointer).is_some_and(Value::is_object);
            if !is_object || done.contains(&site.pointer) || shape::way_along(&body, &site.pointer) != self.way {
                continue;
            }
            let word = word(random);
            if gene.at_mut(&site.path).is_some_and(|gene| gene.put_in_field(&self.name, Some(&word), random)) {
                done.push(site.pointer);
            }
        }
        !done.is_empty()
    }
}

/// The last of these calls with `keys`, and without what told of them; none where none can be put in.
fn with_keys(actions: &[Action], keys: &[OpenKey], marker: &mut Marker, random: &mut Random) -> Option<Individual> {
    let mut individual = Individual { actions: actions.to_vec() };
    let action = individual.actions.last_mut()?;
    if let Some(plain) = probe::without_keys(action, None) {
        *action = plain;
    }
    let mut is_changed = false;
    for key in keys {
        if key.put_in(action, random) {
            marker.mark_fields(gene_at(action, ValuePlace::Body)?, &key.name);
            is_changed = true;
        }
    }
    is_changed.then_some(individual)
}

/// The body of the document that the action sends, if that does not leave all its keys open: of others the expansions learn.
fn documented_body<'a>(problem: &Problem<'a>, action: &Action) -> Option<&'a Body> {
    let operation = problem.api.operation(action.operation_idx);
    let active = action.body.as_ref().filter(|body| body.present)?.active;
    operation.bodies.get(active).filter(|_| !may_have_keys(problem.api, operation))
}

fn sent_body(action: &Action) -> Option<Value> {
    let body = action.body.as_ref().filter(|body| body.present)?;
    body.alternatives.get(body.active)?.to_json()
}
