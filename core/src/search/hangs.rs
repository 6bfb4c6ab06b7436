//! Inputs by which calls keep their callers waiting: of calls of an operation that get no answer in time, most have an input
//! in common that few others have, a URL that the service looks up or an option.
//!
//! Where that shows, calls with the input are held back and not the operation. It shows when at least two calls without an
//! answer have it, and fewer with an answer; what that does not explain counts against the operation, see [`super::Waits`].

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::action::{Action, Outcome, ValuePlace};
use crate::api::{Operation, OperationIdx};
use crate::gene::Gene;

use super::impact::GeneKey;
use super::mutator::{gene_key, genes_of};

/// Calls without an answer that an input must be in.
const ENOUGH: usize = 2;
/// Calls without an answer of an operation that are compared, the latest of them.
const MOST_COMPARED: usize = 64;

/// What calls without an answer in time have in common, by operation.
#[derive(Debug, Clone, Default)]
pub(super) struct Hangs(BTreeMap<OperationIdx, Hung>);

/// Calls of an operation that kept callers waiting before.
#[derive(Debug, Clone, Default)]
struct Hung {
    /// What is in each call without an answer, the first one first.
    calls: Vec<BTreeSet<Trait>>,
    /// In how many calls with an answer something was since then.
    answered: BTreeMap<Trait, usize>,
    /// Where what is in calls without an answer is sent.
    pointers: BTreeMap<Trait, (ValuePlace, String)>,
    /// What explains calls without an answer, and how many have it.
    causes: BTreeMap<Trait, usize>,
    /// Calls without an answer that are not explained.
    unexplained: usize,
}

/// Something that calls may have in common: an input, or one of the few values that an input may have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Trait {
    key: GeneKey,
    value: Option<String>,
}

/// An input of an operation by which its calls have no answer in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HangingInput {
    /// Where it is sent.
    pub place: ValuePlace,
    /// JSON pointer there, empty for the whole.
    pub pointer: String,
    /// The value by which, as JSON, where not by any.
    pub value: Option<String>,
    /// How many calls with it had no answer.
    pub time_outs: usize,
}

impl HangingInput {
    /// For people: `` with `name` ``, `` with `/pointer` of the body as true ``.
    pub fn describe(&self, operation: &Operation) -> String {
        let whole = match self.place {
            ValuePlace::Body => "the body".to_owned(),
            ValuePlace::Parameter(idx) => {
                let parameter = operation.parameters.get(idx);
                parameter.map_or_else(|| "a parameter that the schema lacks".to_owned(), |it| format!("`{}`", it.name))
            }
        };
        let value = self.value.as_ref().map(|value| format!(" as {value}")).unwrap_or_default();
        match self.pointer.as_str() {
            "" => format!("with {whole}{value}"),
            pointer => format!("with `{pointer}` of {whole}{value}"),
        }
    }
}

impl Hangs {
    /// Takes in what came of a call.
    pub fn note(&mut self, action: &Action, outcome: &Outcome) {
        let is_hung = matches!(outcome, Outcome::TimedOut);
        // Operations whose calls were always answered cost nothing.
        if !is_hung && !self.0.contains_key(&action.operation_idx) {
            return;
        }
        let hung = self.0.entry(action.operation_idx).or_default();
        // What is malformed hangs by that, if by anything.
        let traits = if action.violation.is_some() { Vec::new() } else { traits_of(action) };
        match outcome {
            Outcome::TimedOut => hung.note_hung(traits),
            Outcome::Answered(_) => hung.note_answered(traits.into_iter().map(|(it, _)| it).collect()),
            _ => {}
        }
    }

    /// Calls of an operation without an answer that nothing in them explains.
    pub fn unexplained(&self, operation_idx: OperationIdx) -> usize {
        self.0.get(&operation_idx).map_or(0, |hung| hung.unexplained)
    }

    /// Whether it shows by which inputs calls of an operation have no answer.
    pub fn is_explained(&self, operation_idx: OperationIdx) -> bool {
        self.0.get(&operation_idx).is_some_and(|hung| !hung.causes.is_empty())
    }

    /// How many calls had no answer by something that `action` has too, of several the most; 0 where there is none.
    pub fn expected(&self, action: &Action) -> usize {
        let causes = self.0.get(&action.operation_idx).map(|hung| &hung.causes).filter(|causes| !causes.is_empty());
        let Some(causes) = causes else { return 0 };
        traits_of(action).iter().filter_map(|(it, _)| causes.get(it).copied()).max().unwrap_or_default()
    }

    /// The inputs by which most calls of an operation had no answer, one of each operation that has some.
    pub fn causes(&self) -> impl Iterator<Item = (OperationIdx, HangingInput)> {
        self.0.iter().filter_map(|(operation_idx, hung)| {
            let (cause, times) = hung.causes.iter().max_by_key(|(_, times)| **times)?;
            let (place, pointer) = hung.pointers.get(cause)?.clone();
            Some((*operation_idx, HangingInput { place, pointer, value: cause.value.clone(), time_outs: *times }))
        })
    }
}

impl Hung {
    fn note_hung(&mut self, traits: Vec<(Trait, (ValuePlace, String))>) {
        if self.calls.len() == MOST_COMPARED {
            self.calls.remove(0);
        }
        self.calls.push(traits.iter().map(|(it, _)| it.clone()).collect());
        self.pointers.extend(traits);
        self.explain();
    }

    fn note_answered(&mut self, traits: BTreeSet<Trait>) {
        let was_expected = traits.iter().any(|it| self.causes.contains_key(it));
        for it in traits {
            *self.answered.entry(it).or_default() += 1;
        }
        if was_expected {
            self.explain();
        }
    }

    /// Finds out anew what explains the calls without an answer: first what hangs most surely, then of the calls that are left
    /// what hangs most surely, and so on.
    fn explain(&mut self) {
        let mut times: BTreeMap<&Trait, usize> = BTreeMap::new();
        for it in self.calls.iter().flatten() {
            *times.entry(it).or_default() += 1;
        }
        times.retain(|it, times| *times >= ENOUGH && self.answers(it) < *times);
        let mut left: Vec<&BTreeSet<Trait>> = self.calls.iter().collect();
        let mut causes = BTreeMap::new();
        loop {
            let explained = |it: &Trait| left.iter().filter(|call| call.contains(it)).count();
            let candidates = times.iter().map(|(it, times)| (*it, *times, explained(it)));
            let surest = candidates.filter(|(.., n)| *n >= ENOUGH).max_by(|one, other| self.compared(*one, *other));
            let Some((cause, times, _)) = surest else { break };
            left.retain(|call| !call.contains(cause));
            causes.insert(cause.clone(), times);
        }
        self.unexplained = left.len();
        self.causes = causes;
    }

    /// Which of two explains more: by the share of calls that hang with it, how many of those that are left it explains, and
    /// how short the way to it is.
    fn compared(&self, one: (&Trait, usize, usize), other: (&Trait, usize, usize)) -> Ordering {
        let [one_all, other_all] = [one, other].map(|(it, times, _)| times + self.answers(it));
        let by_share = (one.1 * other_all).cmp(&(other.1 * one_all));
        let length = |it: &Trait| self.pointers.get(it).map_or(0, |(_, pointer)| pointer.len());
        by_share.then(one.2.cmp(&other.2)).then_with(|| length(other.0).cmp(&length(one.0)))
    }

    fn answers(&self, it: &Trait) -> usize {
        self.answered.get(it).copied().unwrap_or_default()
    }
}

/// What is sent with `action`, and where.
fn traits_of(action: &Action) -> Vec<(Trait, (ValuePlace, String))> {
    let mut traits = Vec::new();
    for (place, root) in genes_of(action) {
        for site in root.sites() {
            let gene = root.at(&site.path);
            if matches!(gene, Some(Gene::Optional(it)) if it.present().is_none()) {
                continue;
            }
            let key = gene_key(action, place, &site);
            if let Some(few @ (Gene::Boolean(_) | Gene::Enum(_))) = gene {
                let value = few.to_json().map(|value| value.to_string());
                traits.push((Trait { key, value }, (place, site.pointer.clone())));
            }
            traits.push((Trait { key, value: None }, (place, site.pointer)));
        }
    }
    traits
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::action::Answer;
    use crate::api::Api;
    use crate::openapi::{self, parse};
    use crate::search::{Budget, SearchSettings};

    const POST: OperationIdx = OperationIdx(0);

    /// `POST /imports?wait=` of something at a URL or of a text.
    fn api() -> Api {
        let body = json!({"type": "object",
            "properties": {"url": {"type": "string"}, "text": {"type": "string"}, "mode": {"enum": ["quick", "whole"]}}});
        let wait = json!({"name": "wait", "in": "query", "schema": {"type": "boolean"}});
        let content = json!({"application/json": {"schema": body}});
        let post =
            json!({"parameters": [wait], "requestBody": {"content": content}, "responses": {"201": {"description": ""}}});
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {"/imports": {"post": post}}});
        parse(&document.to_string(), &openapi::Origin::Text).expect("a document")
    }

    fn call(api: &Api, wait: Option<bool>, body: &Value) -> Action {
        let limits = SearchSettings::new(Budget::Calls(1), 1).gene_limits;
        let mut action = Action::template(api, POST, &limits);
        if let Some(wait) = wait {
            assert!(action.parameters[0].assign(&wait.into()));
        }
        let sent = action.body.as_mut().expect("a body");
        sent.present = true;
        assert!(sent.alternatives[0].assign(body));
        action
    }

    fn answered() -> Outcome {
        Outcome::Answered(Answer::default())
    }

    /// What is learned when the calls of `hung` have no answer, each followed by those of `fine`, which have.
    fn learned(hung: &[Action], fine: &[Action]) -> Hangs {
        let mut hangs = Hangs::default();
        for action in hung {
            hangs.note(action, &Outcome::TimedOut);
            for action in fine {
                hangs.note(action, &answered());
            }
        }
        hangs
    }

    fn described(api: &Api, hangs: &Hangs) -> Vec<(String, usize)> {
        hangs.causes().map(|(idx, input)| (input.describe(api.operation(idx)), input.time_outs)).collect()
    }

    #[test]
    fn an_input_by_which_calls_hang_is_found() {
        let api = api();
        let by_url = |wait, text: &str| call(&api, wait, &json!({"url": "http://x", "text": text}));
        let fine = [call(&api, Some(true), &json!({"text": "a"})), call(&api, None, &json!({"mode": "quick"}))];
        let hangs = learned(&[by_url(None, "a"), by_url(Some(false), "b"), by_url(Some(true), "c")], &fine);
        assert_eq!(described(&api, &hangs), [("with `/url` of the body".to_owned(), 3)]);
        assert_eq!((hangs.expected(&by_url(None, "d")), hangs.expected(&fine[0]), hangs.unexplained(POST)), (3, 0, 0));
    }

    #[test]
    fn a_value_by_which_calls_hang_is_found() {
        let api = api();
        let whole = |wait| call(&api, wait, &json!({"mode": "whole"}));
        let fine = [call(&api, Some(true), &json!({"mode": "quick"})), call(&api, Some(false), &json!({"mode": "quick"}))];
        let hangs = learned(&[whole(None), whole(Some(true))], &fine);
        assert_eq!(described(&api, &hangs), [("with `/mode` of the body as \"whole\"".to_owned(), 2)]);
        let waiting = |text: &str| call(&api, Some(true), &json!({"text": text}));
        let fine = [call(&api, Some(false), &json!({"text": "a"})), call(&api, None, &json!({"text": "a"}))];
        let hangs = learned(&[waiting("a"), waiting("b")], &fine);
        assert_eq!(described(&api, &hangs), [("with `wait` as true".to_owned(), 2)]);
    }

    #[test]
    fn what_hangs_by_several_inputs_is_explained_by_each() {
        let api = api();
        let by_url = call(&api, None, &json!({"url": "http://x"}));
        let whole = call(&api, None, &json!({"mode": "whole"}));
        let fine = [call(&api, None, &json!({"text": "a"})), call(&api, None, &json!({"mode": "quick"}))];
        let hangs = learned(&[by_url.clone(), whole.clone(), whole.clone(), by_url.clone(), whole.clone()], &fine);
        assert_eq!((hangs.expected(&by_url), hangs.expected(&whole), hangs.unexplained(POST)), (2, 3, 0));
    }

    #[test]
    fn what_hangs_now_and_then_is_not_explained() {
        let api = api();
        let calls = ["a", "b", "c"].map(|text| call(&api, Some(true), &json!({"text": text})));
        let hangs = learned(&calls, &calls);
        assert_eq!((hangs.expected(&calls[0]), hangs.unexplained(POST), hangs.causes().count()), (0, 3, 0));
    }

    #[test]
    fn an_input_that_is_answered_as_often_is_cleared() {
        let api = api();
        let by_url = call(&api, None, &json!({"url": "http://x"}));
        let mut hangs = learned(&[by_url.clone(), by_url.clone()], &[]);
        assert_eq!((hangs.expected(&by_url), hangs.unexplained(POST)), (2, 0));
        for _ in 0..2 {
            hangs.note(&by_url, &answered());
        }
        assert_eq!((hangs.expected(&by_url), hangs.unexplained(POST)), (0, 2));
    }
}
