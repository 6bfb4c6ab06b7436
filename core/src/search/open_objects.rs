//! Keys that the service looks up in objects which its document leaves open: maps in bodies that are documented otherwise.
//!
//! Each such object once has a key that nothing else is called ([`probe`]). What that is compared with, and what is looked up
//! beside it, as a driver tells, are keys that the service knows; each is tried at once, and put in now and then from then on.
//! Where nothing is told of an object it may be a map: it has an object of its own under that key, which tells what is looked up
//! in all of its values.
//!
//! Fields of answers ([`answer_fields`](super::answer_fields)) are keys that are offered before anything is told.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::action::{Action, ActionResult, Answer, Expanded, ExtraInput, ValuePlace};
use crate::api::{Api, OperationIdx};
use crate::gene::{FieldName, Gene, GenePath, GeneSite};
use crate::random::Random;

use super::answer_fields::AnswerFields;
use super::expansions::word;
use super::fill::Texts;
use super::input::ReadInput;
use super::marking::Marker;
use super::mutator::gene_at;
use super::open_key::{OpenKey, sent_body, way_to, with_keys};
use super::own_values::{has_own_key, is_own_value};
use super::shape::Way;
use super::usable::may_have_keys;
use super::{Evaluation, Individual, Problem, probe, shape};

/// Calls of an operation before its open objects have such a key, unless one succeeds earlier.
const CALLS_BEFORE: u32 = 6;
/// Calls of an operation in which its open objects are looked for, at first, after the first that succeeded, and after each in
/// which a key was found.
const LOOKS: u32 = 64;
/// Calls of an operation, at most, in which those that had a key have one again, since the service did what it had not done
/// before with a value that it wants there: what it looks up may depend on that, and such values are many.
const MOST_AGAIN: u32 = 32;
/// Objects that have one in the same call, at most.
const MOST_PROBED: usize = 8;
/// New keys that are tried together, at most: an object has room for few, and some may have what is wanted.
const TOGETHER: usize = 3;
/// Keys of one operation, at most.
const MOST_KEYS: usize = 96;
/// Characters of a key.
const LONGEST_KEY: usize = 100;

/// What is known of open objects.
#[derive(Debug, Clone)]
pub(super) struct OpenObjects {
    of_operations: BTreeMap<OperationIdx, Open>,
    answer_fields: AnswerFields,
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
    /// Calls in which those that had a key may have one again.
    n_again: u32,
    /// Ways to the objects that were given a key, or are not open.
    probed: BTreeMap<String, Probed>,
    keys: Vec<OpenKey>,
    /// The media type of the body in which they were found.
    media_type: String,
}

/// In which calls an object was given a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Probed {
    /// Keys in it that the service knows, and those of their values that are what the service was told to want: what is looked
    /// up may depend on them.
    n_known: usize,
    /// Whether that was in a call that had succeeded.
    in_success: bool,
    /// Whether it had one without any of the keys that the service knows, when there were such: they may keep it from looking up
    /// others.
    is_without: bool,
    /// Whether it has had one for what is looked up in all of its values since.
    of_values: bool,
}

/// What a call showed.
#[derive(Debug, Clone, Copy)]
struct Seen {
    has_succeeded: bool,
    /// Whether its test led the service where it had not been.
    is_news: bool,
}

/// An object that is due a key.
#[derive(Debug, Clone)]
struct Due {
    path: GenePath,
    way: String,
    probed: Probed,
    /// Whether that is so because of where it led the service.
    is_again: bool,
}

impl OpenObjects {
    /// None that a driver told of, and fields of answers that the document says.
    pub fn new(problem: &Problem) -> Self {
        Self { of_operations: BTreeMap::new(), answer_fields: AnswerFields::new(problem), are_told: false }
    }

    /// Learns from the answer to the last of these calls, where it succeeded.
    pub fn note_answer(&mut self, api: &Api, calls: &[Action], results: &[ActionResult]) {
        let answer = results.get(calls.len() - 1).and_then(ActionResult::answer);
        if let Some(json) = answer.filter(|answer| (200..300).contains(&answer.status)).and_then(Answer::json) {
            self.answer_fields.learn(api, calls, json);
        }
    }

    /// Learns from the call at `call_idx` of a test that led the service where it had not been, or not (`is_news`); gives calls
    /// to be tried, and the keys that are new as inputs.
    pub fn learn(
        &mut self,
        problem: &Problem,
        (evaluation, is_news): (&Evaluation, bool),
        call_idx: usize,
        (marker, random): (&mut Marker, &mut Random),
    ) -> (Vec<Individual>, Vec<ReadInput>) {
        self.are_told |= !evaluation.hints.is_empty() || !evaluation.inputs.is_empty();
        let actions = &evaluation.individual.actions[..=call_idx];
        let (Some(action), Some(result)) = (actions.last(), evaluation.results.get(call_idx)) else {
            return (Vec::new(), Vec::new());
        };
        let media_type = media_type(problem, action).filter(|_| self.are_told && action.violation.is_none());
        let Some(media_type) = media_type else { return (Vec::new(), Vec::new()) };
        let has_succeeded = result.status().is_some_and(|status| (200..300).contains(&status));
        let open = self.of_operations.entry(action.operation_idx).or_default();
        if open.keys.is_empty() {
            media_type.clone_into(&mut open.media_type);
        }
        let new = open.note_keys(actions, probe::looked_up(evaluation, call_idx));
        let mut to_try = open.probe(actions, Seen { has_succeeded, is_news }, random);
        let (operation_idx, answer_fields) = (action.operation_idx, &self.answer_fields);
        let shown = |key: &OpenKey, random: &mut Random| answer_fields.value_of(operation_idx, key, Texts::Telling, random);
        // Several together, for not all may come to their turn alone.
        for keys in new.chunks(TOGETHER).filter(|keys| keys.len() > 1).chain(new.chunks(1)) {
            to_try.extend(with_keys(actions, (&open.keys, keys), shown, (marker, random)));
            to_try.extend(with_keys(actions, (&open.keys, keys), |_, _| Some(json!({})), (marker, random)));
        }
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

    /// Whether keys of any open object are known.
    pub fn are_any_known(&self) -> bool {
        self.of_operations.values().any(|open| !open.keys.is_empty())
    }

    /// Whether keys of the operation's open objects are known, or fields of answers that may be some.
    pub fn are_known(&self, operation_idx: OperationIdx) -> bool {
        self.of_operations.get(&operation_idx).is_some_and(|open| !open.keys.is_empty())
            || self.answer_fields.are_known(operation_idx)
    }

    /// A key that the object at `site` of the action's body may have, with a value where one is known; none where no key is.
    pub fn draw<'s>(&'s self, action: &Action, site: &GeneSite, random: &mut Random) -> Option<(&'s str, Option<Value>)> {
        let operation_idx = action.operation_idx;
        let keys = self.of_operations.get(&operation_idx).map_or(&[][..], |open| &open.keys);
        let body = sent_body(action)?;
        let gene = &action.body.as_ref().and_then(|body| body.alternatives.get(body.active))?;
        let way = way_to(keys, (gene, &body), site);
        let mut names: Vec<&str> = keys.iter().filter(|key| key.way == way).map(|key| key.name.as_str()).collect();
        if way.is_empty() {
            let others: Vec<&str> = self.answer_fields.names(operation_idx).filter(|name| !names.contains(name)).collect();
            names.extend(others);
        }
        let name = *random.pick(&names)?;
        let value = way.is_empty().then(|| self.answer_fields.value(operation_idx, name, Texts::Any, random));
        Some((name, value.flatten()))
    }

    /// Puts keys into the open objects that `action` sends, by the odds.
    pub fn vary(&self, problem: &Problem, action: &mut Action, texts: Texts, random: &mut Random) {
        self.answer_fields.vary(problem, action, texts, random);
        let operation_idx = action.operation_idx;
        let Some(open) = self.of_operations.get(&operation_idx) else { return };
        for key in &open.keys {
            if random.chance(problem.settings.odds.sample_special) {
                let is_object = open.keys.iter().any(|other| other.is_below(key));
                let shown = |random: &mut Random| self.answer_fields.value_of(operation_idx, key, texts, random);
                let value = if is_object { Some(json!({})) } else { shown(random) };
                key.put_in(action, &open.keys, value.as_ref(), random);
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

    /// The last call with a key in each open object that is due one, and with one for what is looked up in all values of each
    /// that may be a map; none where none is due, or it is too early.
    fn probe(&mut self, actions: &[Action], seen: Seen, random: &mut Random) -> Vec<Individual> {
        self.n_calls = self.n_calls.saturating_add(1);
        if seen.has_succeeded && !std::mem::replace(&mut self.has_succeeded, true) {
            self.n_looks += LOOKS;
        }
        let may_look = self.n_looks > 0 && (seen.has_succeeded || self.n_calls >= CALLS_BEFORE);
        let seen = Seen { is_news: seen.is_news && !self.keys.is_empty() && self.n_again > 0, ..seen };
        let Some(action) = actions.last().filter(|_| may_look || seen.is_news) else { return Vec::new() };
        self.n_looks = self.n_looks.saturating_sub(1);
        let due = self.due(action, seen);
        self.n_again -= u32::from(due.iter().any(|due| due.is_again));
        let (of_values, of_objects) = due.into_iter().partition(|due| due.probed.of_values);
        let key_of_values = |way: &str| probe::below(&format!("{way}{}", shape::ALL_KEYS));
        let of_objects = self.with_probes(actions, of_objects, |_, random| word(random), random);
        let of_values = self.with_probes(actions, of_values, |way, random| json!({ key_of_values(way): word(random) }), random);
        of_objects.into_iter().chain(of_values).collect()
    }

    /// What may be an open object of a body and is due a key. That is so once in any call, once more in one that succeeded, in one
    /// without any key that the service knows, and whenever more of these stand in it, or one with a value that it wants led it
    /// where it had not been; and where it is not known to know any, then for its values.
    fn due(&self, action: &Action, seen: Seen) -> Vec<Due> {
        let Some(gene) = action.body.as_ref().and_then(|body| body.alternatives.get(body.active)) else { return Vec::new() };
        let Some(body) = gene.to_json() else { return Vec::new() };
        let sites = gene.sites();
        let way = |site: &GeneSite| way_to(&self.keys, (gene, &body), site);
        let is_narrowed = |site: &&GeneSite| gene.at(&site.path).is_some_and(Gene::is_narrowed);
        let narrowed: BTreeSet<String> = sites.iter().filter(is_narrowed).map(way).collect();
        let mut due: Vec<Due> = Vec::new();
        for site in &sites {
            let way = way(site);
            // What may be left out or is one of several has sites at one place; the outermost reaches all of them. Of what
            // stands below keys that were made up one is enough.
            let value = body.pointer(&site.pointer);
            let is_object = || value.is_some_and(Value::is_object);
            if due.iter().any(|due| due.way == way) || is_deep(&way, &site.pointer) || is_of_map(&way) && !is_object() {
                continue;
            }
            let has = |name: &str| value.is_some_and(|object| object.get(name).is_some());
            let known: Vec<&OpenKey> = self.keys.iter().filter(|key| key.way == way && has(&key.name)).collect();
            let n_narrowed = known.iter().filter(|key| narrowed.contains(&key.way_below())).count();
            let n_known = known.len() + n_narrowed;
            let has_keys = self.keys.iter().any(|key| key.way == way);
            let is_without = n_known == 0 && has_keys;
            let now = Probed { n_known, in_success: seen.has_succeeded, is_without, of_values: false };
            let last = self.probed.get(&way);
            let is_map = || !way.ends_with(shape::ALL_KEYS) && !has_keys;
            let is_again = seen.is_news && n_narrowed > 0;
            let probed = match last {
                Some(last) if !is_again && !now.is_more_than(*last) => Probed { of_values: true, ..*last },
                _ => now,
            };
            if (is_again || last != Some(&probed)) && (!probed.of_values || is_map()) {
                due.push(Due { path: site.path.clone(), way, probed, is_again });
            }
        }
        due
    }

    /// The last of these calls with a key in each object that is due one, whose value is as `value` says by the way to the object;
    /// none where none can be put in.
    fn with_probes(
        &mut self,
        actions: &[Action],
        due: Vec<Due>,
        value: impl Fn(&str, &mut Random) -> Value,
        random: &mut Random,
    ) -> Option<Individual> {
        let mut individual = Individual { actions: actions.to_vec() };
        let gene = gene_at(individual.actions.last_mut()?, ValuePlace::Body)?;
        let mut n_put_in = 0;
        for Due { path, way, probed, .. } in due {
            if n_put_in >= MOST_PROBED {
                break;
            }
            let Some(object) = gene.at_mut(&path) else { continue };
            let (name, value) = (probe::below(&way), value(&way, random));
            let is_in = object.put_in_field(FieldName::MadeUp(&name), Some(&value), random);
            let has_value = || object.to_json().is_some_and(|object| object.get(&name) == Some(&value));
            n_put_in += usize::from(is_in && (value.is_string() || has_value()));
            let last = self.probed.entry(way).or_insert(probed);
            *last = last.and(probed);
        }
        (n_put_in > 0).then_some(individual)
    }
}

/// Whether it stands below all keys of an object.
fn is_of_map(way: &str) -> bool {
    way.contains(shape::ALL_KEYS)
}

/// Whether it is in a map of maps, or below what is there to learn more.
fn is_deep(way: &str, pointer: &str) -> bool {
    way.contains(shape::KEYS_OF_ALL_VALUES) || probe::is_in(pointer)
}

impl Default for Open {
    fn default() -> Self {
        Self {
            n_calls: 0,
            has_succeeded: false,
            n_looks: LOOKS,
            n_again: MOST_AGAIN,
            probed: BTreeMap::new(),
            keys: Vec::new(),
            media_type: String::new(),
        }
    }
}

impl Probed {
    /// Whether a call may tell what that of `last` did not.
    fn is_more_than(self, last: Self) -> bool {
        self.n_known > last.n_known || self.in_success && !last.in_success || self.is_without && !last.is_without
    }

    /// What is so after a key in another call.
    fn and(self, next: Self) -> Self {
        let is_richer = next.n_known > self.n_known || next.in_success && !self.in_success;
        Self {
            n_known: self.n_known.max(next.n_known),
            in_success: self.in_success || next.in_success,
            is_without: self.is_without || next.is_without,
            of_values: next.of_values || self.of_values && !is_richer,
        }
    }
}

/// The media type of the body that the action sends, where its operation has one in the document, and the expansions do not
/// learn all of it: that is so of what the document does not have, unless it leaves all keys open.
fn media_type<'a>(problem: &Problem<'a>, action: &'a Action) -> Option<&'a str> {
    let operation = problem.api.operation(action.operation_idx);
    let active = action.body.as_ref().filter(|body| body.present)?.active;
    let others = action.expanded.as_deref().filter(|_| may_have_keys(problem.api, operation)).map_or(&[][..], Expanded::bodies);
    let body = operation.bodies.iter().chain(others).nth(active)?;
    (!operation.bodies.is_empty()).then_some(&*body.media_type)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::Probed;
    use crate::action::{Action, ActionResult, Outcome, Request};
    use crate::api::{Api, OperationIdx};
    use crate::gene::FieldName;
    use crate::openapi::{self, parse};
    use crate::random::Random;
    use crate::search::input::{ReadInput, ReadPlace};
    use crate::search::open_key::sent_body;
    use crate::search::{
        Budget, Evaluation, ExecutedCall, Execution, Expansions, Hint, Individual, Marker, Problem, SearchSettings,
    };

    const FIRST: Probed = Probed { n_known: 0, in_success: false, is_without: false, of_values: false };

    /// `PATCH /books/{id}` with a map of anything, whose answer has a title and copies.
    fn api() -> Api {
        let book = json!({"type": "object", "properties": {
            "title": {"type": "string"}, "copies": {"type": "integer", "minimum": 3, "maximum": 9}}});
        let answers = json!({"200": {"description": "", "content": {"application/json": {"schema": book}}}});
        let map = json!({"type": "object", "additionalProperties": {}});
        let body = json!({"required": true, "content": {"application/json": {"schema": map}}});
        let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}});
        let patch = json!({"parameters": [id], "requestBody": body, "responses": answers});
        let paths = json!({"/books/{id}": {"patch": patch}});
        let document = json!({"openapi": "3.0.3", "info": {"title": "", "version": ""}, "paths": paths});
        parse(&document.to_string(), &openapi::Origin::Text).expect("a document")
    }

    /// What is tried after a call of it with what `told` says; the bodies.
    fn tried(problem: &Problem, known: &mut Expansions, action: Action, told: (Vec<Hint>, Vec<ReadInput>)) -> Vec<Individual> {
        let (operation_idx, verb, url) = (action.operation_idx, crate::api::Verb::Patch, "/books/1".to_owned());
        let request = Request { operation_idx, verb, url, headers: Vec::new(), body: None, user: None };
        let result = ActionResult { request, outcome: Outcome::TimedOut, elapsed: Duration::ZERO };
        let calls = vec![ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None }];
        let individual = Individual { actions: vec![action] };
        let evaluation = Evaluation::new(Execution { individual, calls, elapsed: Duration::ZERO }, Vec::new());
        let hints = told.0.into_iter().map(|hint| (0, hint)).collect();
        let inputs = told.1.into_iter().map(|input| (0, input)).collect();
        let evaluation = Evaluation { hints, inputs, ..evaluation };
        let mut marker = Marker::new(problem.settings.marking);
        known.learn(problem, (&evaluation, false), &mut marker, &mut Random::new(1, 0))
    }

    fn bodies(individuals: &[Individual]) -> Vec<Value> {
        individuals.iter().filter_map(|individual| sent_body(individual.actions.last()?)).collect()
    }

    #[test]
    fn a_body_that_is_but_a_map_has_a_key_of_ours_and_then_those_that_it_is_compared_with() {
        let (api, settings) = (api(), SearchSettings::new(Budget::Calls(100), 1));
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let mut known = Expansions::new(&problem);
        let mut action = problem.template(OperationIdx(0));
        action.body.as_mut().expect("a body").present = true;
        let read = || ReadInput { place: ReadPlace::Header, name: "Host".to_owned(), schema: "".into() };
        let mut probed = Vec::new();
        for _ in 0..6 {
            assert_eq!(bodies(&probed), [Value::Null; 0], "it is early");
            probed = tried(&problem, &mut known, action.clone(), (Vec::new(), vec![read()]));
        }
        let [individual] = &probed[..] else { panic!("{:?}", bodies(&probed)) };
        let sent = sent_body(&individual.actions[0]).expect("a body");
        assert!(sent["restive-key:"].is_string(), "{sent}");
        let equals = |name: &str| Hint::told("restive-key:".to_owned(), "equals", name.to_owned()).expect("a known usage");
        let hints = ["title", "copies", "colour"].map(equals).to_vec();
        let bodies = bodies(&tried(&problem, &mut known, individual.actions[0].clone(), (hints, Vec::new())));
        let all = bodies.iter().find(|body| body.as_object().is_some_and(|body| body.len() == 3)).expect("all at once");
        assert!(all["title"].is_string() && all["copies"].as_i64().is_some_and(|it| (3..=9).contains(&it)), "{all}");
        assert!(all["colour"].is_string() && all.get("restive-key:").is_none(), "of others nothing is known: {all}");
        assert_eq!(known.inputs().count(), 1, "they are told of once");
        let is_in = action.body.as_mut().expect("a body").alternatives[0].put_in_field(
            FieldName::MadeUp("restive-key:"),
            Some(&json!("word")),
            &mut Random::new(1, 0),
        );
        assert!(is_in);
        let again = tried(&problem, &mut known, action, (vec![equals("title")], Vec::new()));
        assert!(!again.iter().any(|it| sent_body(&it.actions[0]).is_some_and(|body| body.get("title").is_some())), "no news");
    }

    #[test]
    fn a_call_may_tell_more_by_keys_that_are_known_or_left_out_and_by_success() {
        let known = Probed { n_known: 2, ..FIRST };
        let without = Probed { is_without: true, ..FIRST };
        let success = Probed { in_success: true, ..FIRST };
        let all = FIRST.and(known).and(without).and(success);
        for (next, last) in [(known, FIRST), (without, FIRST.and(known)), (success, FIRST.and(known).and(without))] {
            assert!(next.is_more_than(last) && !next.is_more_than(all), "{next:?} after {last:?}");
        }
    }

    #[test]
    fn keys_of_values_are_asked_for_anew_where_there_is_more() {
        let asked = Probed { of_values: true, ..FIRST };
        assert!(asked.and(FIRST).of_values);
        assert!(!asked.and(Probed { n_known: 1, ..FIRST }).of_values);
    }
}
