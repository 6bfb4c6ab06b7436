//! Inputs that may be left out by the document and that refusals name: where they are missing, `{"errors": {"lastName": ["is
//! missing"]}}`, the service demands them, and where they are sent, `{"error": "no such voucher"}`, it takes few values of them.
//! A document that says neither has each of them sent every other time, and a call with ten of them hardly ever gets further;
//! what the service answers says which ones they are, one by one or all at once.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::action::{Action, ActionResult, Answer, ValuePlace};
use crate::api::{Api, OperationIdx};
use crate::gene::{Gene, GenePath};
use crate::random::Random;

use super::Individual;
use super::impact::GeneKey;
use super::mutator::{gene_at, gene_key, genes_of};
use super::names::normalise;

/// Bytes of an answer that are read.
const MOST_BYTES: usize = 8 * 1024;
/// Words that may be one name: `First name is missing` names `firstName`.
const MOST_WORDS: usize = 3;
/// Letters and digits of a name that is told from other words.
const SHORTEST_NAME: usize = 2;
/// Answers that are not read twice, at most.
const MOST_HEARD: usize = 20_000;
/// Inputs, at most.
const MOST_NAMED: usize = 4_000;
/// Calls that must have succeeded with an input before one without it is tried, to see whether the service demands it.
const SUCCEEDED: u32 = 20;
/// Levels of what was left out within what was left out.
const MOST_LEVELS: usize = 4;

/// What refusals named.
#[derive(Debug, Clone, Default)]
pub struct Refusals {
    named: BTreeMap<GeneKey, Named>,
    /// Of those that were missing, what shows whether they may be.
    missing: BTreeMap<GeneKey, Missing>,
    /// Answers that were read, by their hashes.
    heard: BTreeSet<(OperationIdx, u64)>,
}

/// What an input was named for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    /// It was missing.
    Missing,
    /// It was sent.
    Sent,
    /// It was sent, and so it was in a call that succeeded.
    Accepted,
}

/// What came of calls with an input and without, since a refusal said that it was missing.
#[derive(Debug, Clone)]
struct Missing {
    /// Where it is sent: `query currency`, `body /guest/name`.
    place: String,
    succeeded_with: u32,
    succeeded_without: bool,
    /// Whether a call was refused that sent nothing else that may be left out but what was said to be missing.
    refused_without: bool,
}

/// An input that may be left out.
struct Input {
    key: GeneKey,
    place: ValuePlace,
    path: GenePath,
    /// Its name, normalised.
    name: String,
    /// JSON pointer to it in the body.
    pointer: String,
    is_sent: bool,
}

impl Refusals {
    /// Learns from the answer to the last of `actions`, with which nothing is wrong on purpose; gives what is worth a try: them
    /// with what it lacked, and without what it had, of what the answer named, where that is news; and where it succeeded, them
    /// without one of the inputs that seem to be demanded.
    pub fn learn(&mut self, api: &Api, actions: &[Action], result: &ActionResult, random: &mut Random) -> Vec<Individual> {
        let action = actions.last().filter(|action| action.violation.is_none());
        let (Some(action), Some(answer)) = (action, result.answer()) else { return Vec::new() };
        match answer.status {
            200..=299 => self.accept(api, actions),
            400 | 422 => {
                self.note_refused(api, action);
                let is_new = self.is_new(action.operation_idx, answer);
                let mended = is_new.then(|| self.refuse(api, actions, answer, random)).flatten();
                mended.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// What was sent with a call that succeeded may be sent, and what was not may be left out.
    fn accept(&mut self, api: &Api, actions: &[Action]) -> Vec<Individual> {
        let Some(action) = actions.last().filter(|action| self.knows(action.operation_idx)) else { return Vec::new() };
        let inputs = optional_inputs(api, action);
        let mut to_try = Vec::new();
        for input in &inputs {
            if let Some(named @ Named::Sent) = self.named.get_mut(&input.key).filter(|_| input.is_sent) {
                *named = Named::Accepted;
            }
            let Some(missing) = self.missing.get_mut(&input.key) else { continue };
            if input.is_sent {
                missing.succeeded_with = missing.succeeded_with.saturating_add(1);
            } else {
                missing.succeeded_without = true;
            }
            if !missing.refused_without && !missing.succeeded_without && missing.succeeded_with % SUCCEEDED == 0 {
                to_try.push(input);
            }
        }
        to_try.into_iter().map(|input| self.least_without(actions, &inputs, input)).collect()
    }

    /// `actions` with the last one sending none of `inputs` but what was said to be missing, and of that not `left_out`.
    fn least_without(&self, actions: &[Action], inputs: &[Input], left_out: &Input) -> Individual {
        let mut individual = Individual { actions: actions.to_vec() };
        let is_needless = |input: &&Input| input.key == left_out.key || !self.missing.contains_key(&input.key);
        // The last ones first: none is on the way to one before it.
        for input in inputs.iter().filter(is_needless).rev() {
            let Some(action) = individual.actions.last_mut() else { break };
            if let Some(Gene::Optional(gene)) = gene_at(action, input.place).and_then(|tree| tree.at_mut(&input.path)) {
                gene.leave_out();
            }
        }
        individual
    }

    /// Notes that a call was refused, where it sent all that was said to be missing but for one input, and nothing else that may be
    /// left out: the service demands that one.
    fn note_refused(&mut self, api: &Api, action: &Action) {
        if !self.missing.iter().any(|(key, it)| key.operation_idx == action.operation_idx && !it.refused_without) {
            return;
        }
        let inputs = optional_inputs(api, action);
        let (demanded, others): (Vec<&Input>, Vec<&Input>) =
            inputs.iter().partition(|input| self.missing.contains_key(&input.key));
        let mut absent = demanded.into_iter().filter(|input| !input.is_sent);
        let (Some(only), None) = (absent.next(), absent.next()) else { return };
        if let Some(missing) = self.missing.get_mut(&only.key).filter(|_| others.iter().all(|input| !input.is_sent)) {
            missing.refused_without = true;
        }
    }

    fn refuse(&mut self, api: &Api, actions: &[Action], answer: &Answer, random: &mut Random) -> Option<Individual> {
        let action = actions.last()?;
        let inputs = optional_inputs(api, action);
        if inputs.is_empty() || self.named.len() >= MOST_NAMED {
            return None;
        }
        let words = words_of(answer, action);
        let mut is_news = false;
        for input in inputs.iter().filter(|input| words.contains(&input.name)) {
            let named = if input.is_sent { Named::Sent } else { Named::Missing };
            let is_known = self.named.get(&input.key).is_some_and(|known| input.is_sent || *known == Named::Missing);
            if !is_known {
                self.named.insert(input.key, named);
                is_news = true;
            }
            if !is_known && named == Named::Missing {
                let place = input.described(api, action.operation_idx);
                self.missing
                    .insert(input.key, Missing { place, succeeded_with: 0, succeeded_without: false, refused_without: false });
            }
        }
        let mut individual = Individual { actions: actions.to_vec() };
        self.mend(api, individual.actions.last_mut().filter(|_| is_news)?, 1.0, random);
        Some(individual)
    }

    /// Puts in what `action` lacks, and leaves out what it has, of what refusals named for it, each with probability `p`.
    pub fn mend(&self, api: &Api, action: &mut Action, p: f64, random: &mut Random) {
        if !self.knows(action.operation_idx) {
            return;
        }
        // What is put in may lack something itself.
        let mut seen = BTreeSet::new();
        for _ in 0..MOST_LEVELS {
            let mut due = optional_inputs(api, action);
            due.retain(|input| self.is_to_change(input) && seen.insert((input.place, input.path.clone())));
            if due.is_empty() {
                return;
            }
            // The last ones first: none is on the way to one before it.
            for input in due.iter().rev() {
                let gene = gene_at(action, input.place).and_then(|tree| tree.at_mut(&input.path));
                let Some(Gene::Optional(gene)) = gene.filter(|_| random.chance(p)) else { continue };
                if input.is_sent {
                    gene.leave_out();
                } else if gene.put_in()
                    && let Some(inner) = gene.present_mut()
                {
                    inner.sample(random);
                }
            }
        }
    }

    /// Inputs that the service demands and its document does not, of each operation in the order of their names: refusals said
    /// that they were missing, no call succeeded without them, and one was refused that lacked them alone.
    pub fn demanded(&self) -> BTreeMap<OperationIdx, Vec<String>> {
        let mut demanded: BTreeMap<OperationIdx, Vec<String>> = BTreeMap::new();
        for (key, missing) in &self.missing {
            if missing.succeeded_with >= SUCCEEDED && missing.refused_without && !missing.succeeded_without {
                demanded.entry(key.operation_idx).or_default().push(missing.place.clone());
            }
        }
        for places in demanded.values_mut() {
            places.sort();
        }
        demanded
    }

    fn is_to_change(&self, input: &Input) -> bool {
        match self.named.get(&input.key) {
            Some(Named::Missing) => !input.is_sent,
            Some(Named::Sent) => input.is_sent,
            Some(Named::Accepted) | None => false,
        }
    }

    /// Whether anything is known of an operation.
    fn knows(&self, operation_idx: OperationIdx) -> bool {
        let first = GeneKey { operation_idx, place: 0, key: 0 };
        self.named.range(first..).next().is_some_and(|(key, _)| key.operation_idx == operation_idx)
    }

    fn is_new(&mut self, operation_idx: OperationIdx, answer: &Answer) -> bool {
        // The same in every run.
        let mut hasher = DefaultHasher::new();
        answer.body.hash(&mut hasher);
        self.heard.len() < MOST_HEARD && self.heard.insert((operation_idx, hasher.finish()))
    }
}

impl Input {
    fn described(&self, api: &Api, operation_idx: OperationIdx) -> String {
        let is_number = |token: &str| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        let tokens = self.pointer.split('/').map(|token| if is_number(token) { "*" } else { token });
        let pointer = tokens.collect::<Vec<_>>().join("/");
        match self.place {
            ValuePlace::Body => format!("body {pointer}"),
            ValuePlace::Parameter(idx) => {
                let parameter = api.operation(operation_idx).parameters.get(idx);
                let name = parameter.map(|parameter| format!("{} {}", parameter.location.name(), parameter.name));
                format!("{}{pointer}", name.unwrap_or_default())
            }
        }
    }
}

/// What `action` need not send by its document.
fn optional_inputs(api: &Api, action: &Action) -> Vec<Input> {
    let operation = api.operation(action.operation_idx);
    let mut inputs = Vec::new();
    for (place, tree) in genes_of(action) {
        for site in tree.sites() {
            let Some(Gene::Optional(gene)) = tree.at(&site.path) else { continue };
            let name = match place {
                ValuePlace::Parameter(idx) if site.name.is_empty() => {
                    operation.parameters.get(idx).map_or("", |parameter| &parameter.name)
                }
                _ => &site.name,
            };
            let name = normalise(name);
            if name.len() >= SHORTEST_NAME {
                let (key, is_sent) = (gene_key(action, place, &site), gene.present().is_some());
                inputs.push(Input { key, place, path: site.path, name, pointer: site.pointer, is_sent });
            }
        }
    }
    inputs
}

/// The words of an answer that may name an input of `action`, normalised.
fn words_of(answer: &Answer, action: &Action) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let text = &answer.body[..answer.body.len().min(MOST_BYTES)];
    match answer.json().filter(|_| answer.body.len() <= MOST_BYTES) {
        Some(json) => {
            let sent = action.body.as_ref().filter(|body| body.present);
            let sent = sent.and_then(|body| body.alternatives[body.active].to_json()).unwrap_or_default();
            add_words_of(json, (Around::Nothing, &sent), &mut words);
        }
        None => add_words(&String::from_utf8_lossy(text), &mut words),
    }
    words
}

/// What a value of an answer stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    List,
    Object,
}

/// Adds the words of all texts in `value`, and the names of fields below which there is nothing but texts, where these are what is
/// said of the field: `{"name": ["is missing"]}`, `{"errors": {"name": "is missing"}}`, and not `{"title": "Bad Request"}`. What
/// is an object of the body that was `sent` names nothing.
fn add_words_of(value: &Value, (around, sent): (Around, &Value), words: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => add_words(text, words),
        Value::Array(members) => {
            for member in members {
                add_words_of(member, (Around::List, sent), words);
            }
        }
        Value::Object(fields) if !holds(sent, value) => {
            for (name, said) in fields {
                let is_said = match said {
                    Value::String(_) => around == Around::Object,
                    Value::Array(all) => around != Around::List && !all.is_empty() && all.iter().all(Value::is_string),
                    _ => false,
                };
                if is_said {
                    add_words(name, words);
                }
                add_words_of(said, (Around::Object, sent), words);
            }
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn holds(whole: &Value, part: &Value) -> bool {
    whole == part
        || match whole {
            Value::Array(members) => members.iter().any(|member| holds(member, part)),
            Value::Object(fields) => fields.values().any(|field| holds(field, part)),
            _ => false,
        }
}

fn add_words(text: &str, words: &mut BTreeSet<String>) {
    let is_between = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-');
    let all: Vec<String> = text.split(is_between).map(normalise).filter(|word| !word.is_empty()).collect();
    for n_words in 1..=MOST_WORDS {
        words.extend(all.windows(n_words).map(<[String]>::concat));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::{Refusals, SUCCEEDED, words_of};
    use crate::action::{Action, ActionResult, Answer, CallViolation, Malformation, Outcome, Request};
    use crate::api::{Api, OperationIdx, Verb};
    use crate::openapi::{Origin, parse};
    use crate::random::Random;
    use crate::search::{Budget, Problem, SearchSettings};

    fn answer(status: u16, body: &Value) -> Answer {
        Answer { status, json: Some(body.clone()), body: body.to_string().into_bytes(), ..Answer::default() }
    }

    fn result(status: u16, body: &Value) -> ActionResult {
        let request = Request {
            operation_idx: OperationIdx(0),
            verb: Verb::Post,
            url: String::new(),
            headers: Vec::new(),
            body: None,
            user: None,
        };
        ActionResult { request, outcome: Outcome::Answered(answer(status, body)), elapsed: Duration::ZERO }
    }

    #[test]
    fn names_are_found_in_what_services_say() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let bare = problem.template(OperationIdx(0));
        let name = |body: Value| {
            let words = words_of(&answer(400, &body), &bare);
            ["lastname", "age", "title", "errors", "message"]
                .into_iter()
                .filter(|name| words.contains(*name))
                .collect::<Vec<_>>()
        };
        for body in [
            json!({"error": "last_name is required"}),
            json!({"error": "Last name can't be blank"}),
            json!({"detail": [{"loc": ["body", "person", "lastName"], "msg": "field required", "type": "missing"}]}),
            json!({"errors": [{"field": "person.lastName", "defaultMessage": "must not be blank"}]}),
            json!({"errors": {"lastName": ["This field is required."]}}),
            json!({"errors": {"last_name": "is missing"}}),
            json!({"last-name": ["This field is required."]}),
            json!({"title": "Bad Request", "status": 400, "detail": "'lastName' is missing"}),
            json!("lastName: required"),
        ] {
            assert_eq!(name(body.clone()), ["lastname"], "{body}");
        }
        assert_eq!(name(json!({"errors": [{"age": "x", "name": "age"}], "title": "Bad Request"})), ["age"]);
        let text = Answer { status: 400, body: b"<h1>Missing parameter <code>age</code></h1>".to_vec(), ..Answer::default() };
        assert!(words_of(&text, &bare).contains("age"));
        let mut said = bare.clone();
        let sent = json!({"person": {"note": "x", "age": 7}});
        assert!(said.body.as_mut().is_some_and(|body| body.alternatives[0].assign(&sent)));
        let echo = answer(422, &json!({"detail": [{"loc": ["body", "name"], "input": sent}]}));
        assert!(words_of(&echo, &bare).contains("note") && !words_of(&echo, &said).contains("note"));
    }

    fn api() -> Api {
        let text = json!({"type": "string"});
        let person = json!({"type": "object", "properties": {"lastName": text, "age": {"type": "integer"}, "note": text}});
        let schema = json!({"type": "object", "properties": {"person": person}});
        let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
        let parameters = json!([{"name": "dry_run", "in": "query", "schema": {"type": "boolean"}}]);
        let paths = json!({"/people": {"post": {"parameters": parameters, "requestBody": body, "responses": {}}}});
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        parse(&document.to_string(), &Origin::Text).expect("a document")
    }

    fn sent(action: &Action) -> (Option<Value>, Option<Value>) {
        (action.parameters[0].to_json(), action.body.as_ref().and_then(|body| body.alternatives[0].to_json()))
    }

    #[test]
    fn what_a_refusal_names_and_the_call_lacks_is_put_in() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let bare = problem.template(OperationIdx(0));
        let (mut refusals, mut random) = (Refusals::default(), Random::new(1, 0));
        let mut learn = |refusals: &mut Refusals, action: &Action, status, body: Value| {
            let actions = std::slice::from_ref(action);
            let tried = refusals.learn(&api, actions, &result(status, &body), &mut random);
            tried.first().map(|individual| individual.actions[0].clone())
        };
        assert!(learn(&mut refusals, &bare, 404, json!("person")).is_none(), "not refused for its inputs");
        let cut = Action { violation: Some(CallViolation::Request(Malformation::CutBody)), ..bare.clone() };
        assert!(learn(&mut refusals, &cut, 400, json!("person")).is_none(), "wrong on purpose");
        let person = learn(&mut refusals, &bare, 400, json!("person is missing")).expect("it is news");
        assert!(matches!(sent(&person), (None, Some(body)) if body["person"].is_object()));
        assert!(learn(&mut refusals, &bare, 400, json!("person is missing")).is_none(), "nothing new");
        let last = learn(&mut refusals, &bare, 422, json!("no person or dry run")).expect("it is news");
        assert!(matches!(sent(&last), (Some(dry_run), Some(body)) if dry_run.is_boolean() && body["person"].is_object()));
        let mut empty = person;
        let object = empty.body.as_mut().map(|body| &mut body.alternatives[0]).expect("it has one");
        assert!(object.assign(&json!({"person": {}})));
        learn(&mut refusals, &empty, 400, json!({"errors": {"lastName": ["is missing"]}})).expect("it is news");
        let mut drawn = bare.clone();
        refusals.mend(&api, &mut drawn, 1.0, &mut Random::new(2, 0));
        assert!(matches!(sent(&drawn), (Some(_), Some(body)) if body["person"]["lastName"].is_string()));
        let mut left = bare.clone();
        refusals.mend(&api, &mut left, 0.0, &mut Random::new(2, 0));
        assert_eq!(sent(&left), sent(&bare));
    }

    #[test]
    fn what_is_said_to_be_missing_and_is_in_all_calls_that_succeed_is_demanded() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let (mut refusals, mut random) = (Refusals::default(), Random::new(1, 0));
        let bare = problem.template(OperationIdx(0));
        let refused = result(400, &json!({"errors": {"person": "is missing", "dry_run": "is missing"}}));
        let whole = refusals.learn(&api, std::slice::from_ref(&bare), &refused, &mut random).remove(0);
        let made = result(201, &json!({}));
        let demanded = |refusals: &Refusals| refusals.demanded().remove(&OperationIdx(0)).unwrap_or_default();
        for _ in 1..SUCCEEDED {
            assert!(refusals.learn(&api, &whole.actions, &made, &mut random).is_empty());
        }
        let without = refusals.learn(&api, &whole.actions, &made, &mut random);
        assert_eq!(without.iter().map(|test| sent(&test.actions[0]).0.is_some()).collect::<Vec<_>>(), [false, true]);
        assert!(demanded(&refusals).is_empty(), "nothing was refused");
        refusals.learn(&api, &without[0].actions, &result(400, &json!("no")), &mut random);
        assert_eq!(demanded(&refusals), ["query dry_run"]);
        refusals.learn(&api, &without[1].actions, &made, &mut random);
        assert_eq!(demanded(&refusals), ["query dry_run"], "the other may be left out");
        refusals.learn(&api, &without[0].actions, &made, &mut random);
        assert!(demanded(&refusals).is_empty(), "it may be left out, too");
    }

    #[test]
    fn what_a_refusal_names_and_the_call_has_is_left_out_until_it_is_accepted() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let (mut refusals, mut random) = (Refusals::default(), Random::new(1, 0));
        let mut action = problem.template(OperationIdx(0));
        let whole = json!({"person": {"note": "x", "age": 7}});
        assert!(action.body.as_mut().is_some_and(|body| body.alternatives[0].assign(&whole)));
        let actions = [action];
        let refused = result(400, &json!({"error": "a note of that kind is unknown"}));
        let tried = refusals.learn(&api, &actions, &refused, &mut random).remove(0);
        assert_eq!(sent(&tried.actions[0]).1, Some(json!({"person": {"age": 7}})));
        let mended = |refusals: &Refusals| {
            let mut drawn = actions[0].clone();
            refusals.mend(&api, &mut drawn, 1.0, &mut Random::new(2, 0));
            sent(&drawn).1
        };
        assert_eq!(mended(&refusals), Some(json!({"person": {"age": 7}})));
        assert!(refusals.learn(&api, &actions, &result(201, &json!({})), &mut random).is_empty());
        assert_eq!(mended(&refusals), Some(whole));
    }
}
