//! Inputs that the service reads beyond its document, by operation (paper 004, section 6): they become genes that are left out,
//! in calls that are there already as in new ones, and each is tried once in the call that showed it.
//!
//! Differences from the source: what was found holds for all calls of the operation; bodies become alternatives beside those
//! of the document, so nothing that was evaluated is ever sent otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::action::{Action, Expanded, ExtraInput, ValuePlace};
use crate::api::{Location, OperationIdx};
use crate::gene::{Gene, GeneLimits};
use crate::random::Random;

use super::input::{ReadInput, ReadPlace};
use super::marking::Marker;
use super::mutator::gene_at;
use super::open_objects::OpenObjects;
use super::own_values::{has_own_key, is_own_value};
use super::probe;
use super::shape::{self, Way};
use super::uploads::{self, word_at};
use super::usable::{FieldKind, Usable, text, usable};
use super::{Evaluation, Individual, Problem};

/// Parameters of one operation, and fields of its bodies, at most.
const MOST_OF_OPERATION: usize = 32;
/// What is told of one operation, at most.
const MOST_SEEN: usize = 4 * MOST_OF_OPERATION;
/// Bodies of one operation, at most.
const MOST_BODIES: usize = 16;
/// Inputs in all, at most.
const MOST: usize = 2_000;
/// Classes of which no more is known that are named, at least.
const MOST_UNKNOWN: usize = 100;
/// Individuals that are tried because of one evaluation, at most.
const MOST_TRIED: usize = 8;
/// Letters of a text that can be told from others when the service compares it.
const WORD: usize = 6;

/// What is known of inputs beyond the document.
#[derive(Debug, Clone)]
pub struct Expansions {
    of_operations: BTreeMap<OperationIdx, Found>,
    open: OpenObjects,
    counts: ExpansionCounts,
}

/// What was found of one operation.
#[derive(Debug, Clone, Default)]
struct Found {
    inputs: Vec<ExtraInput>,
    /// What was told before, whether it was of use or not.
    seen: BTreeSet<(ReadPlace, String)>,
    /// Keys of the body's object, fields of forms, parts.
    fields: [Map<String, Value>; FieldKind::ALL.len()],
    expanded: Option<Arc<Expanded>>,
}

/// How many inputs were found, and what came of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpansionCounts {
    /// Those that became genes: operation, place and name, in the order in which they were found.
    pub found: Vec<(OperationIdx, ReadPlace, String)>,
    /// Those that were of no use: names that cannot be sent or are values of the call, schemas that allow nothing, and what
    /// was more than is kept.
    pub unused: u64,
    /// Classes in bodies of which no more is known than that they are objects, each with the reason.
    pub unknown: BTreeSet<String>,
}

impl Expansions {
    /// None known yet.
    pub fn new(problem: &Problem) -> Self {
        let (of_operations, counts) = (BTreeMap::new(), ExpansionCounts::default());
        Self { of_operations, open: OpenObjects::new(problem), counts }
    }

    /// Learns what the calls of `evaluation` read, which led the service where it had not been, or not (`is_news`); gives calls
    /// that send what is new, to be tried soon.
    pub fn learn(
        &mut self,
        problem: &Problem,
        (evaluation, is_news): (&Evaluation, bool),
        marker: &mut Marker,
        random: &mut Random,
    ) -> Vec<Individual> {
        let mut tried = Vec::new();
        for (call_idx, action) in evaluation.individual.actions.iter().enumerate() {
            if action.leads_astray() {
                continue;
            }
            let read = read_by(problem, evaluation, call_idx);
            let calls = &evaluation.individual.actions[..=call_idx];
            self.open.note_answer(problem.api, calls, &evaluation.results);
            let new = if read.is_empty() { Vec::new() } else { self.learn_call(problem, calls, &read) };
            if !new.is_empty() {
                self.try_soon(problem, &Individual { actions: calls.to_vec() }, &new, random, &mut tried);
            }
            if problem.settings.expands {
                let (to_try, keys) = self.open.learn(problem, (evaluation, is_news), call_idx, (marker, random));
                tried.extend(to_try);
                for key in &keys {
                    self.counts.count(action.operation_idx, key);
                }
            }
        }
        tried.truncate(MOST_TRIED);
        tried
    }

    /// Notes what the last of these calls read; gives what is new.
    fn learn_call(&mut self, problem: &Problem, calls: &[Action], read: &[ReadInput]) -> Vec<ExtraInput> {
        let Some(action) = calls.last() else { return Vec::new() };
        let operation = problem.api.operation(action.operation_idx);
        let mut new = Vec::new();
        let mut grown = [false; 3];
        for input in read {
            let found = self.of_operations.entry(action.operation_idx).or_default();
            // What is known of a key, and of a part, grows.
            let is_key = matches!(input.place, ReadPlace::Key | ReadPlace::Way | ReadPlace::Form | ReadPlace::Part);
            let key = (input.place, if is_key { format!("{} {}", input.name, input.schema) } else { input.name.clone() });
            // What is refused because of this call's values may be told by another one.
            if found.seen.contains(&key) || is_own_value(calls, input) || found.is_own_key(action, input) {
                continue;
            }
            let has_room = found.seen.len() < MOST_SEEN && self.counts.found.len() < MOST;
            if !has_room {
                self.counts.unused += 1;
                continue;
            }
            found.seen.insert(key);
            self.counts.note_unknown(&input.schema);
            let learned = found.learn(usable(problem.api, operation, input), &mut new, &mut grown);
            match learned {
                Learned::Nothing => {}
                Learned::Unused => self.counts.unused += 1,
                Learned::Input => self.counts.count(action.operation_idx, input),
            }
        }
        let Some(found) = self.of_operations.get_mut(&action.operation_idx) else { return new };
        for kind in FieldKind::ALL.into_iter().filter(|kind| grown[*kind as usize]) {
            let properties = &found.fields[kind as usize];
            let media_type = kind.media_type(operation);
            let mut schema = json!({"type": "object", "properties": properties});
            if kind == FieldKind::Json {
                // Bodies that lack some of them are there: those that were made before these were known.
                schema["required"] = properties.keys().filter(|name| !probe::is_in(name)).cloned().collect();
            }
            let extra = ExtraInput::Body(media_type, schema);
            if found.take(extra.clone()) {
                new.push(extra);
            }
        }
        new
    }

    /// The last call of `individual` with each new input alone, and with all new parameters.
    fn try_soon(
        &self,
        problem: &Problem,
        individual: &Individual,
        new: &[ExtraInput],
        random: &mut Random,
        tried: &mut Vec<Individual>,
    ) {
        let is_parameter = |extra: &&ExtraInput| matches!(extra, ExtraInput::Parameter(..));
        let parameters: Vec<ExtraInput> = new.iter().filter(is_parameter).cloned().collect();
        let mut choices: Vec<&[ExtraInput]> = if parameters.len() > 1 { vec![&parameters] } else { Vec::new() };
        choices.extend(new.chunks(1));
        for choice in choices {
            let mut individual = individual.clone();
            let Some(action) = individual.actions.last_mut() else { return };
            self.expand(action, &problem.settings.gene_limits, random);
            let Some(found) = self.of_operations.get(&action.operation_idx) else { return };
            action.violation = None;
            for extra in choice {
                found.put_in(action, extra, problem, random);
            }
            tried.push(individual);
        }
    }

    /// Gives an action genes for what was found since it was made; what it sends stays the same.
    pub fn expand(&self, action: &mut Action, limits: &GeneLimits, random: &mut Random) {
        let found = self.of_operations.get(&action.operation_idx).and_then(|found| found.expanded.as_ref());
        let Some(expanded) = found else { return };
        if action.expanded.as_ref().is_some_and(|known| Arc::ptr_eq(known, expanded)) {
            return;
        }
        let n_new = action.expand(expanded, limits);
        let first = action.parameters.len() - n_new;
        let new = expanded.parameters().iter().rev().take(n_new).rev();
        for (gene, parameter) in action.parameters[first..].iter_mut().zip(new) {
            put_in(gene, parameter.location, random);
            if let Gene::Optional(gene) = gene {
                gene.leave_out();
            }
        }
    }

    /// Keys of objects that the document leaves open.
    pub(super) fn open(&self) -> &OpenObjects {
        &self.open
    }

    /// What each operation takes beyond the document, in the order in which it was found; keys of objects that it leaves open
    /// last.
    pub fn inputs(&self) -> impl Iterator<Item = (OperationIdx, ExtraInput)> {
        let all = self.of_operations.iter().flat_map(|(idx, found)| found.inputs.iter().map(|input| (*idx, input)));
        let known = all.filter_map(|(idx, input)| {
            let known = match input {
                ExtraInput::Parameter(_, name, _) if probe::is_in(name) => None,
                ExtraInput::Parameter(..) => Some(input.clone()),
                ExtraInput::Body(media_type, schema) => {
                    probe::stripped(schema).map(|schema| ExtraInput::Body(media_type.clone(), schema))
                }
            };
            known.map(|known| (idx, known))
        });
        known.chain(self.open.described())
    }

    /// How many inputs were found, and what came of them.
    pub fn counts(&self) -> &ExpansionCounts {
        &self.counts
    }
}

impl ExpansionCounts {
    /// Counts an input that has a name.
    fn count(&mut self, operation_idx: OperationIdx, input: &ReadInput) {
        let entry = (operation_idx, input.place, input.name.clone());
        if !input.name.is_empty() && !shape::is_of_all(&input.name) && !self.found.contains(&entry) {
            self.found.push(entry);
        }
    }

    /// Notes what the schema of an input says it does not know.
    fn note_unknown(&mut self, schema: &str) {
        if self.unknown.len() < MOST_UNKNOWN && schema.contains(shape::UNKNOWN) {
            let schema = serde_json::from_str(schema).unwrap_or(Value::Null);
            shape::reasons(&schema, &mut self.unknown);
        }
    }
}

/// What a call read, with inputs by the names that probes were compared with, and what is looked at of files.
fn read_by(problem: &Problem, evaluation: &Evaluation, call_idx: usize) -> Vec<ReadInput> {
    let of_call = evaluation.inputs.iter().filter(|(idx, _)| *idx == call_idx).map(|(_, input)| input.clone());
    let looked_at = if problem.settings.expands { uploads::looked_at(problem.api, evaluation, call_idx) } else { Vec::new() };
    of_call.chain(probe::compared(evaluation, call_idx)).chain(looked_at).collect()
}

/// What an input was good for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Learned {
    /// Nothing that is not known.
    Nothing,
    /// Nothing at all.
    Unused,
    /// It is sent from now on.
    Input,
}

impl Found {
    /// Notes what becomes of an input: a new one, or one more field of a kind of body.
    fn learn(&mut self, usable: Usable, new: &mut Vec<ExtraInput>, grown: &mut [bool; 3]) -> Learned {
        match usable {
            Usable::Documented => Learned::Nothing,
            Usable::Input(extra) if self.take(extra.clone()) => {
                new.push(extra);
                Learned::Input
            }
            Usable::Not | Usable::Input(_) => Learned::Unused,
            Usable::Field(kind, way, schema) => {
                let fields = &mut self.fields[kind as usize];
                let is_news = match fields.get_mut(way.key()).filter(|known| kind != FieldKind::Json && **known == text()) {
                    // A part has a name before it is known what it is read into.
                    Some(known) => std::mem::replace(known, schema.clone()) != schema,
                    None => way.grow(fields, &schema),
                };
                grown[kind as usize] |= is_news;
                if is_news { Learned::Input } else { Learned::Nothing }
            }
            Usable::Body(choices) => {
                for choice in choices {
                    self.learn(choice, new, grown);
                }
                Learned::Nothing
            }
        }
    }

    /// Whether a key is one of those that were made up for this call.
    fn is_own_key(&self, action: &Action, input: &ReadInput) -> bool {
        let way = match input.place {
            ReadPlace::Key => Some(Way::to(&input.name)),
            ReadPlace::Way => Way::read(&input.name),
            _ => None,
        };
        way.is_some_and(|way| !way.is_in(&self.fields[FieldKind::Json as usize]) && has_own_key(action, way.key()))
    }

    /// Takes an input in when its schema allows a value and there is room.
    fn take(&mut self, extra: ExtraInput) -> bool {
        let is_body = matches!(extra, ExtraInput::Body(..));
        let most = if is_body { MOST_BODIES } else { MOST_OF_OPERATION };
        let n_alike = self.inputs.iter().filter(|input| matches!(input, ExtraInput::Body(..)) == is_body).count();
        if n_alike >= most || self.inputs.contains(&extra) {
            return false;
        }
        self.inputs.push(extra);
        let Some(expanded) = Expanded::new(&self.inputs) else {
            self.inputs.pop();
            return false;
        };
        self.expanded = Some(Arc::new(expanded));
        true
    }

    /// Has `action` send an input.
    fn put_in(&self, action: &mut Action, extra: &ExtraInput, problem: &Problem, random: &mut Random) {
        let is_body = matches!(extra, ExtraInput::Body(..));
        let alike = self.inputs.iter().filter(|input| matches!(input, ExtraInput::Body(..)) == is_body);
        let Some(position) = alike.into_iter().position(|input| input == extra) else { return };
        let operation = problem.api.operation(action.operation_idx);
        if let ExtraInput::Parameter(location, ..) = extra {
            if let Some(gene) = gene_at(action, ValuePlace::Parameter(operation.parameters.len() + position)) {
                put_in(gene, *location, random);
            }
        } else {
            let Some(body) = &mut action.body else { return };
            body.present = true;
            body.active = operation.bodies.len() + position;
            action.links.retain(|link| !matches!(link.place, crate::action::LinkPlace::Body(_)));
            if let Some(gene) = gene_at(action, ValuePlace::Body) {
                gene.sample(random);
            }
        }
    }
}

/// Gives a parameter at `location` a value: a text that can be told from others, or what its schema allows where that allows
/// none.
fn put_in(gene: &mut Gene, location: Location, random: &mut Random) {
    if gene.assign(&word_at(location, random)) {
        return;
    }
    if let Gene::Optional(gene) = gene {
        gene.put_in();
        if let Some(gene) = gene.present_mut() {
            gene.sample(random);
        }
    }
}

/// A text that can be told from others when the service compares it.
pub(super) fn word(random: &mut Random) -> Value {
    Value::from(letters(random))
}

/// Letters that can be told from others.
pub(super) fn letters(random: &mut Random) -> String {
    (0..WORD).map(|_| char::from(b'a' + u8::try_from(random.below(26)).unwrap_or(0))).collect()
}
