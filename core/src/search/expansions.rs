//! Inputs that the service reads beyond its document, by operation (paper 004, section 6): they become genes that are left out,
//! in calls that are there already as in new ones, and each is tried once in the call that showed it.
//!
//! Differences from the source: what was found holds for all calls of the operation; bodies become alternatives beside those
//! of the document, so nothing that was evaluated is ever sent otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::action::{Action, CallViolation, Expanded, ExtraInput, ValuePlace, is_sendable_header};
use crate::api::{Additional, Api, Body, Location, MediaKind, Operation, OperationIdx, SchemaKind, Verb};
use crate::gene::{Edit, Form, Gene, GeneLimits};
use crate::random::Random;

use super::demands::demands_more;
use super::hint::Usage;
use super::input::{ReadInput, ReadPlace};
use super::mutator::gene_at;
use super::{Evaluation, Individual, Problem};

/// Parameters of one operation, and fields of its bodies, at most.
const MOST_OF_OPERATION: usize = 32;
/// Bodies of one operation, at most.
const MOST_BODIES: usize = 8;
/// Inputs in all, at most.
const MOST: usize = 2_000;
/// Characters of a value that is told from others within a name.
const SHORTEST_TOLD_APART: usize = 3;
/// Characters of a name.
const LONGEST_NAME: usize = 100;
/// Individuals that are tried because of one evaluation, at most.
const MOST_TRIED: usize = 8;
/// The cookie that is sent where the service looks through cookies, to see what their names are compared with.
pub(super) const PROBE_COOKIE: &str = "restive-probe";
/// Letters of a text that can be told from others when the service compares it.
const WORD: usize = 6;

/// What is known of inputs beyond the document.
#[derive(Debug, Clone, Default)]
pub struct Expansions {
    of_operations: BTreeMap<OperationIdx, Found>,
    counts: ExpansionCounts,
}

/// What was found of one operation.
#[derive(Debug, Clone, Default)]
struct Found {
    inputs: Vec<ExtraInput>,
    /// What was told before, whether it was of use or not.
    seen: BTreeSet<(ReadPlace, String)>,
    /// Keys of the body's object, fields of forms, parts.
    fields: [Map<String, Value>; 3],
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
}

impl Expansions {
    /// Learns what the calls of `evaluation` read; gives calls that send what is new, to be tried soon.
    pub fn learn(&mut self, problem: &Problem, evaluation: &Evaluation, random: &mut Random) -> Vec<Individual> {
        let mut tried = Vec::new();
        for (call_idx, action) in evaluation.individual.actions.iter().enumerate() {
            if action.leads_astray() {
                continue;
            }
            let read = read_by(evaluation, call_idx);
            let calls = &evaluation.individual.actions[..=call_idx];
            let new = if read.is_empty() { Vec::new() } else { self.learn_call(problem, calls, &read) };
            if !new.is_empty() {
                self.try_soon(problem, &Individual { actions: calls.to_vec() }, &new, random, &mut tried);
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
            let key = (input.place, input.name.clone());
            // What is refused because of this call's values may be told by another one.
            if found.seen.contains(&key) || is_own_value(calls, input) {
                continue;
            }
            let has_room = found.seen.len() < 2 * MOST_OF_OPERATION && self.counts.found.len() < MOST;
            if !has_room {
                self.counts.unused += 1;
                continue;
            }
            found.seen.insert(key);
            match usable(problem.api, operation, input) {
                Usable::Documented => {}
                Usable::Not => self.counts.unused += 1,
                Usable::Input(extra) => {
                    if found.take(extra.clone()) {
                        self.counts.found.push((action.operation_idx, input.place, input.name.clone()));
                        new.push(extra);
                    } else {
                        self.counts.unused += 1;
                    }
                }
                Usable::Field(kind, schema) => {
                    found.fields[kind as usize].insert(input.name.clone(), schema);
                    grown[kind as usize] = true;
                    self.counts.found.push((action.operation_idx, input.place, input.name.clone()));
                }
            }
        }
        let Some(found) = self.of_operations.get_mut(&action.operation_idx) else { return new };
        for kind in FieldKind::ALL.into_iter().filter(|kind| grown[*kind as usize]) {
            let properties = &found.fields[kind as usize];
            let media_type = kind.media_type(operation);
            let extra = ExtraInput::Body(media_type, json!({"type": "object", "properties": properties}));
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
        for gene in &mut action.parameters[first..] {
            gene.assign(&word(random));
            if let Gene::Optional(gene) = gene {
                gene.leave_out();
            }
        }
    }

    /// What each operation takes beyond the document, in the order in which it was found.
    pub fn inputs(&self) -> impl Iterator<Item = (OperationIdx, &ExtraInput)> {
        let is_probe = |input: &&ExtraInput| matches!(input, ExtraInput::Parameter(_, name) if name == PROBE_COOKIE);
        let all = self.of_operations.iter().map(|(idx, found)| (*idx, &found.inputs));
        all.flat_map(move |(idx, inputs)| inputs.iter().filter(move |input| !is_probe(input)).map(move |input| (idx, input)))
    }

    /// How many inputs were found, and what came of them.
    pub fn counts(&self) -> &ExpansionCounts {
        &self.counts
    }
}

/// What a call read, with cookies by the names that the probe was compared with.
fn read_by(evaluation: &Evaluation, call_idx: usize) -> Vec<ReadInput> {
    let of_call = evaluation.inputs.iter().filter(|(idx, _)| *idx == call_idx).map(|(_, input)| input.clone());
    let compared = evaluation.hints.iter().filter(|(idx, hint)| {
        *idx == call_idx && hint.tracked == PROBE_COOKIE && matches!(hint.usage, Usage::Equals | Usage::EqualsIgnoreCase)
    });
    let cookie = |name: &str| ReadInput { place: ReadPlace::Cookie, name: name.to_owned(), schema: "".into() };
    of_call.chain(compared.map(|(_, hint)| cookie(&hint.operand))).collect()
}

/// Names of inputs that are tracked beside values.
pub(super) fn tracked_names(action: &Action) -> Option<String> {
    let extras = action.expanded.as_deref().map_or(&[][..], Expanded::parameters);
    let first = action.parameters.len().saturating_sub(extras.len());
    let genes = action.parameters.iter().skip(first);
    let is_sent = extras.iter().zip(genes).any(|(extra, gene)| extra.name == PROBE_COOKIE && gene.to_json().is_some());
    is_sent.then(|| PROBE_COOKIE.to_owned())
}

impl Found {
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
        if is_body {
            let Some(body) = &mut action.body else { return };
            body.present = true;
            body.active = operation.bodies.len() + position;
            action.links.retain(|link| matches!(link.place, crate::action::LinkPlace::Parameter(_)));
            if let Some(gene) = gene_at(action, ValuePlace::Body) {
                gene.sample(random);
            }
        } else if let Some(gene) = gene_at(action, ValuePlace::Parameter(operation.parameters.len() + position)) {
            gene.assign(&word(random));
        }
    }
}

/// A text that can be told from others when the service compares it.
fn word(random: &mut Random) -> Value {
    let letters = (0..WORD).map(|_| char::from(b'a' + u8::try_from(random.below(26)).unwrap_or(0)));
    Value::from(letters.collect::<String>())
}

/// What becomes of an input.
enum Usable {
    /// The document has it.
    Documented,
    /// Nothing.
    Not,
    /// A parameter or a body.
    Input(ExtraInput),
    /// A field of a body, with its schema.
    Field(FieldKind, Value),
}

/// Bodies that are known by their fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldKind {
    Json,
    Form,
    Multipart,
}

impl FieldKind {
    const ALL: [Self; 3] = [Self::Json, Self::Form, Self::Multipart];

    fn media_type(self, operation: &Operation) -> String {
        match self {
            Self::Json => json_media_type(operation),
            Self::Form => "application/x-www-form-urlencoded".to_owned(),
            Self::Multipart => "multipart/form-data".to_owned(),
        }
    }
}

fn usable(api: &Api, operation: &Operation, input: &ReadInput) -> Usable {
    let name = input.name.as_str();
    let takes_body = !matches!(operation.verb, Verb::Get | Verb::Head | Verb::Trace);
    match input.place {
        ReadPlace::Cookie if name.is_empty() => parameter(Location::Cookie, PROBE_COOKIE),
        _ if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control) => Usable::Not,
        ReadPlace::Query if is_documented(api, operation, Location::Query, name) => Usable::Documented,
        ReadPlace::Query => parameter(Location::Query, name),
        ReadPlace::Header if is_documented(api, operation, Location::Header, name) => Usable::Documented,
        ReadPlace::Header if !is_sendable_header(name) || is_of_protocol(name) => Usable::Not,
        ReadPlace::Header => parameter(Location::Header, name),
        ReadPlace::Cookie if is_documented(api, operation, Location::Cookie, name) => Usable::Documented,
        ReadPlace::Cookie if !is_sendable_header(name) => Usable::Not,
        ReadPlace::Cookie => parameter(Location::Cookie, name),
        ReadPlace::Form | ReadPlace::Part if has_field(api, operation, name) => Usable::Documented,
        _ if !takes_body => Usable::Not,
        ReadPlace::Form => Usable::Field(FieldKind::Form, json!({"type": "string"})),
        ReadPlace::Part => Usable::Field(FieldKind::Multipart, json!({"type": "string"})),
        ReadPlace::Key if bare_body(api, operation).is_none() && !operation.bodies.is_empty() => Usable::Documented,
        ReadPlace::Key => Usable::Field(FieldKind::Json, serde_json::from_str(&input.schema).unwrap_or_else(|_| json!({}))),
        ReadPlace::Body | ReadPlace::Parsed | ReadPlace::Bound => body(api, operation, input.place, &input.schema),
        ReadPlace::Wanted => Usable::Input(ExtraInput::Body(name.to_owned(), json!({"type": "object"}))),
    }
}

fn parameter(location: Location, name: &str) -> Usable {
    Usable::Input(ExtraInput::Parameter(location, name.to_owned()))
}

/// A body of this schema, where the document does not say better.
fn body(api: &Api, operation: &Operation, place: ReadPlace, schema: &str) -> Usable {
    let bare = bare_body(api, operation);
    let Ok(schema) = serde_json::from_str::<Value>(schema) else { return Usable::Not };
    let documented = operation.bodies.iter().find(|body| body.kind == MediaKind::Json);
    let is_wanted = bare.is_some()
        || match place {
            ReadPlace::Parsed => false,
            ReadPlace::Bound => documented.is_none_or(|body| demands_more(api, body.schema, &schema)),
            _ => operation.bodies.is_empty(),
        };
    if !is_wanted {
        return Usable::Documented;
    }
    let media_type = bare.map_or_else(|| json_media_type(operation), sent_as);
    Usable::Input(ExtraInput::Body(media_type, schema))
}

/// The media type of a body of which nothing else is known; one of any type is sent as JSON.
fn sent_as(body: &Body) -> String {
    if body.media_type.contains('*') { "application/json".to_owned() } else { body.media_type.trim().to_owned() }
}

fn json_media_type(operation: &Operation) -> String {
    let documented = operation.bodies.iter().find(|body| body.kind == MediaKind::Json && !body.media_type.contains('*'));
    documented.map_or_else(|| "application/json".to_owned(), |body| body.media_type.trim().to_owned())
}

/// A body of which the document says no more than that it is a text, an object, or anything.
fn bare_body<'a>(api: &Api, operation: &'a Operation) -> Option<&'a Body> {
    operation.bodies.iter().find(|body| match &api.schemas.at(body.schema).kind {
        SchemaKind::Any => true,
        SchemaKind::String(_) => !matches!(body.kind, MediaKind::Form | MediaKind::Multipart),
        SchemaKind::Object(object) => {
            object.properties.is_empty() && matches!(object.additional, Additional::Unspecified)
                || matches!(object.additional, Additional::Typed(any) if object.properties.is_empty() && matches!(api.schemas.at(any).kind, SchemaKind::Any | SchemaKind::Object(_)))
        }
        _ => false,
    })
}

/// Whether the document has a parameter of that name, alone or as a property of an object that becomes several.
fn is_documented(api: &Api, operation: &Operation, location: Location, name: &str) -> bool {
    let is_same = |other: &str| if location == Location::Header { other.eq_ignore_ascii_case(name) } else { other == name };
    let mut at_location = operation.parameters.iter().filter(|parameter| parameter.location == location);
    let is_parameter = at_location.any(|parameter| {
        is_same(&parameter.name)
            || name.strip_prefix(parameter.name.as_str()).is_some_and(|rest| rest.starts_with('['))
            || has_property(api, parameter.schema, name)
    });
    is_parameter || location == Location::Query && has_field(api, operation, name)
}

/// Whether a form of the document has a field of that name.
fn has_field(api: &Api, operation: &Operation, name: &str) -> bool {
    let mut forms = operation.bodies.iter().filter(|body| matches!(body.kind, MediaKind::Form | MediaKind::Multipart));
    forms.any(|body| has_property(api, body.schema, name))
}

fn has_property(api: &Api, schema: crate::api::SchemaId, name: &str) -> bool {
    match &api.schemas.at(schema).kind {
        SchemaKind::Object(object) => object.properties.iter().any(|property| property.name == name),
        _ => false,
    }
}

/// Fields that servers and frameworks read of every request, and that say nothing of an operation.
fn is_of_protocol(name: &str) -> bool {
    const FIELDS: [&str; 12] = [
        "accept",
        "accept-encoding",
        "access-control-request-headers",
        "access-control-request-method",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "date",
        "host",
        "origin",
        "via",
    ];
    FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field))
}

/// Whether a name is, or holds, a value of these calls, in any case: the service read what it was told to read.
fn is_own_value(actions: &[Action], input: &ReadInput) -> bool {
    if input.place.is_body() || input.name.is_empty() {
        return false;
    }
    let name = folded(&input.name);
    actions.iter().any(|action| {
        let body = action.body.iter().filter(|body| body.present).filter_map(|body| body.alternatives.get(body.active));
        let mut values = action.parameters.iter().chain(body).filter_map(Gene::to_json);
        let wrong = match &action.violation {
            Some(CallViolation::Value(placed)) => match &placed.violation.edit {
                Edit::Replace(value) | Edit::Insert(_, value) => Some(value),
                Edit::Remove => None,
            },
            _ => None,
        };
        values.any(|value| holds_value(&name, &value)) || wrong.is_some_and(|value| holds_value(&name, value))
    })
}

/// A text in which letters of any case are the same (`ß` and `SS`, too).
fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

/// Whether a name, folded, is or holds a scalar of a value, or what services make of one when they encode or decode it.
fn holds_value(name: &str, value: &Value) -> bool {
    let is_in = |text: &str| {
        let forms = if text.len() <= LONGEST_NAME { Form::of(text) } else { Vec::new() };
        let mut texts = std::iter::once(text).chain(forms.iter().map(|(_, form)| form.as_str()));
        texts.any(|text| {
            let text = folded(text.trim());
            name == text || text.len() >= SHORTEST_TOLD_APART && name.contains(&text)
        })
    };
    match value {
        Value::String(text) => is_in(text),
        Value::Number(number) => is_in(&number.to_string()),
        Value::Array(members) => members.iter().any(|member| holds_value(name, member)),
        // Fields may well be called as parameters are.
        Value::Object(fields) => fields.values().any(|field| holds_value(name, field)),
        Value::Null | Value::Bool(_) => false,
    }
}
