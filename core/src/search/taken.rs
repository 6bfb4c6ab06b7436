//! Values that are taken once they are used: the name of a user, of a branch. What was made is there still when the same call
//! comes again, which is refused then, and tells nothing of what else is in it.
//!
//! A call that succeeded and is refused when it is sent once more is sent again, and behind it the same with another value of
//! one input alone, of each in turn; an input with which that succeeded twice has values that are taken. Where no input alone
//! helps, but others for all do, several are taken (a name and a mail): each input is kept in turn while the others change,
//! and one with which that was refused twice before it succeeded twice is one of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::action::{Action, ActionResult, ValuePlace};
use crate::api::{Api, OperationIdx, Verb};
use crate::gene::{Gene, GenePath};
use crate::random::Random;

use super::fresh::{self, FreshText, another, is_variable};
use super::impact::GeneKey;
use super::mutator::{gene_at, genes_of, keyed_sites};
use super::origin::{gene_of, name_at, rename};
use super::{Evaluation, Individual};

/// Calls of an operation that are known again, at most.
const MOST_KNOWN: usize = 64;
/// Inputs of an operation that are tried, at most.
const MOST_TRIED: usize = 12;
/// Calls that are compared with one that was refused, at most.
const MOST_COMPARED: u32 = 200;
/// How often a value is drawn that is another one, at most.
const MOST_DRAWS: usize = 5;
/// How often another value must have helped.
const ENOUGH: u32 = 2;
/// Statuses that say nothing of whether a value is taken: who calls, what is above, and the form of the request decide.
const OF_OTHERS: [u16; 9] = [401, 403, 404, 405, 406, 413, 414, 415, 429];

/// Which inputs have values that are taken once they are used.
#[derive(Debug, Clone, Default)]
pub struct Taken {
    operations: BTreeMap<OperationIdx, Repeated>,
    inputs: BTreeSet<GeneKey>,
}

/// What came of calls of one operation that were sent again.
#[derive(Debug, Clone, Default)]
struct Repeated {
    /// Those that succeeded, by a hash of what was sent.
    succeeded: VecDeque<u64>,
    n_refused: u32,
    n_succeeded: u32,
    /// One that was refused, with which others are compared, behind what its test calls before it, and the status.
    refused: Option<(Vec<Action>, u16)>,
    /// How many were.
    n_compared: u32,
    /// How often a call succeeded that differs from it in this input alone, or was refused that has this input alone of those
    /// of `together` in common with it.
    hints: BTreeMap<GeneKey, u32>,
    /// Inputs in which a call that succeeded differs from it, while none alone was seen to help often enough.
    together: BTreeSet<GeneKey>,
    /// How often a call that succeeded had one of them in common with it: its values are not taken, or were free meanwhile.
    spared: BTreeMap<GeneKey, u32>,
}

/// How a call behind the one that was refused differs from it.
#[derive(Debug)]
struct Compared {
    /// By the values of these inputs alone.
    changed: BTreeSet<GeneKey>,
    /// Whether that was refused again, and did not succeed.
    is_behind_refusal: bool,
}

/// What is concluded from a call.
#[derive(Debug, Default)]
struct Conclusion {
    /// An input whose values are taken.
    taken: Option<GeneKey>,
    /// Inputs to give other values in the same call, together, one set for each call to make.
    to_try: Vec<BTreeSet<GeneKey>>,
}

impl Taken {
    /// What to try because of `evaluation`: calls that create, with another value of one input.
    pub(super) fn learn(&mut self, api: &Api, evaluation: &Evaluation, random: &mut Random) -> Vec<Individual> {
        let mut to_try = Vec::new();
        let actions = &evaluation.individual.actions;
        for (action_idx, (action, result)) in actions.iter().zip(&evaluation.results).enumerate() {
            if api.operation(action.operation_idx).verb != Verb::Post || action.violation.is_some() {
                continue;
            }
            let Some(status) = result.status().filter(|status| !OF_OTHERS.contains(status)) else { continue };
            let repeated = self.operations.entry(action.operation_idx).or_default();
            let behind = repeated.compared(&actions[..=action_idx], &evaluation.results);
            let conclusion = match status {
                200..300 => repeated.succeed(hash_of(result), behind),
                400.. => repeated.refuse(&actions[..=action_idx], (hash_of(result), status), behind),
                _ => continue,
            };
            self.inputs.extend(conclusion.taken);
            to_try.extend(conclusion.to_try.iter().filter_map(|keys| repeated.again(api, keys, random)));
        }
        to_try
    }

    /// Gives inputs of `actions` whose values are taken others, each value with probability `p`, and everything that goes by
    /// it with them; those of `fixed` keep theirs.
    pub(super) fn renew(&self, api: &Api, actions: &mut [Action], fixed: &[GeneKey], p: f64, random: &mut Random) {
        if self.inputs.is_empty() {
            return;
        }
        let mut renewed: Vec<(Value, Option<Value>)> = Vec::new();
        for action_idx in 0..actions.len() {
            let operation_idx = actions[action_idx].operation_idx;
            if self.inputs.iter().all(|key| key.operation_idx != operation_idx) {
                continue;
            }
            let sites = keyed_sites(&actions[action_idx]).into_iter();
            for site in sites.filter(|site| self.takes(site) && !fixed.contains(&site.0)) {
                let Some(before) = name_at(&actions[action_idx], site.1, &site.2) else { continue };
                let known = renewed.iter().find(|(value, _)| *value == before).map(|(_, after)| after.clone());
                let Some(gene) = gene_mut(&mut actions[action_idx], &site) else { continue };
                match known {
                    // Calls that have the same value go on having the same: that the second is refused may be the point.
                    Some(after) => drop(after.map(|after| gene.assign(&after))),
                    None if random.chance(p) => {
                        draw(gene, random);
                        renewed.push((before.clone(), gene.to_json()));
                        rename(api, actions, (action_idx, site.1, &site.2), &before);
                    }
                    None => renewed.push((before, None)),
                }
            }
        }
    }

    /// Gives all inputs of `actions` whose values are taken others of the same kind, and everything that goes by them with them:
    /// a test that is executed again finds them free.
    pub(super) fn vary(&self, api: &Api, actions: &mut [Action], random: &mut Random) {
        let mut varied: Vec<(Value, Value)> = Vec::new();
        for (action_idx, site) in self.sites(actions) {
            let Some(before) = name_at(&actions[action_idx], site.1, &site.2) else { continue };
            let Some(text) = before.as_str().filter(|_| varied.iter().all(|(_, after)| *after != before)) else { continue };
            let Some(gene) = gene_mut(&mut actions[action_idx], &site) else { continue };
            if let Some((_, after)) = varied.iter().find(|(other, _)| *other == before) {
                gene.assign(after);
                continue;
            }
            let others = [fresh::roomy(text), text.to_owned(), fresh::roomy("")];
            let mut others = others.into_iter().map(|text| Value::from(another(&text, random)));
            if let Some(after) = others.find(|after| after.as_str().is_some_and(is_variable) && gene.assign(after)) {
                rename(api, actions, (action_idx, site.1, &site.2), &before);
                varied.push((before, after));
            }
        }
    }

    /// The texts of inputs of `actions` whose values are taken that [`Self::vary`] changes, each once.
    pub(super) fn fresh_texts(&self, actions: &[Action]) -> Vec<FreshText> {
        let mut texts: Vec<FreshText> = Vec::new();
        for (action_idx, (key, place, path)) in self.sites(actions) {
            let sites = genes_of(&actions[action_idx]).filter(|(other, _)| *other == place).flat_map(|(_, gene)| gene.sites());
            let name = sites.into_iter().find(|site| site.key == key.key && site.path == path).map(|site| site.name);
            let value = name_at(&actions[action_idx], place, &path);
            let Some(text) = value.as_ref().and_then(Value::as_str).filter(|text| is_variable(text)) else { continue };
            if texts.iter().all(|other| other.text != text) {
                texts.push(FreshText { name: name.unwrap_or_default(), text: text.to_owned() });
            }
        }
        texts
    }

    /// Whether `after` names what `before` made by a value that is taken, and no longer makes it: it is there since an earlier
    /// execution, but in no service that is started anew.
    pub(super) fn is_left_behind(&self, before: &[Action], after: &[Action]) -> bool {
        let made = |actions: &[Action]| -> Vec<Value> {
            let sites = self.sites(actions).into_iter();
            sites.filter_map(|(idx, (_, place, path))| name_at(&actions[idx], place, &path)).collect()
        };
        let kept = made(after);
        let gone: Vec<Value> = made(before).into_iter().filter(|value| !kept.contains(value)).collect();
        let names = |action: &Action| {
            let values = keyed_sites(action).into_iter().filter_map(|(_, place, path)| name_at(action, place, &path));
            values.into_iter().any(|value| gone.contains(&value))
        };
        !gone.is_empty() && after.iter().any(names)
    }

    /// Where inputs are whose values are taken, by the position of their call.
    fn sites(&self, actions: &[Action]) -> Vec<(usize, Site)> {
        let calls = |operation_idx: OperationIdx| self.inputs.iter().any(|key| key.operation_idx == operation_idx);
        let calls = actions.iter().enumerate().filter(|(_, action)| calls(action.operation_idx));
        let sites = calls.flat_map(|(idx, action)| keyed_sites(action).into_iter().map(move |site| (idx, site)));
        sites.filter(|(_, site)| self.takes(site)).collect()
    }

    /// Whether the values of an input are taken. A field is the same in all bodies of an operation, be they of another media type or
    /// what the service was seen to read.
    fn takes(&self, (key, place, path): &Site) -> bool {
        let is_same = |other: &GeneKey| (other.operation_idx, other.key) == (key.operation_idx, key.key);
        let is_field = *place == ValuePlace::Body && !path.0.is_empty();
        self.inputs.contains(key) || (is_field && self.inputs.iter().any(is_same))
    }
}

impl Repeated {
    /// Notes a call that succeeded; `behind` is what [`Self::compared`] says of it.
    fn succeed(&mut self, hash: u64, behind: Option<Compared>) -> Conclusion {
        if self.succeeded.contains(&hash) {
            self.n_succeeded = self.n_succeeded.saturating_add(1);
            return Conclusion::default();
        }
        if self.succeeded.len() >= MOST_KNOWN {
            self.succeeded.pop_front();
        }
        self.succeeded.push_back(hash);
        let Some(Compared { changed, is_behind_refusal }) = behind.filter(|it| !it.changed.is_empty()) else {
            return Conclusion::default();
        };
        let kept: Vec<GeneKey> = self.together.difference(&changed).copied().collect();
        for key in &kept {
            *self.spared.entry(*key).or_default() += 1;
        }
        let may_be_chance = kept.iter().any(|key| self.spared[key] < ENOUGH);
        if !is_behind_refusal || may_be_chance {
            // What was taken is free meanwhile, and may be no longer.
            let to_try = if self.together.is_empty() || may_be_chance { vec![changed] } else { Vec::new() };
            return Conclusion { taken: None, to_try };
        }
        let only = changed.first().copied().filter(|_| changed.len() == 1);
        if let Some(key) = only {
            return self.hint(key, changed);
        }
        if self.hints.values().any(|times| *times >= ENOUGH) || !self.together.is_empty() {
            return Conclusion::default();
        }
        let without = |key: &GeneKey| changed.iter().copied().filter(|other| other != key).collect();
        let to_try = changed.iter().map(without).collect();
        self.together = changed;
        Conclusion { taken: None, to_try }
    }

    /// Notes that the last of `actions` was refused with a status; `behind` is what [`Self::compared`] says of it.
    fn refuse(&mut self, actions: &[Action], (hash, status): (u64, u16), behind: Option<Compared>) -> Conclusion {
        if !self.succeeded.contains(&hash) {
            let is_same = self.refused.as_ref().is_some_and(|(_, before)| *before == status);
            let Some(Compared { changed, .. }) = behind.filter(|_| is_same) else { return Conclusion::default() };
            let mut kept = self.together.difference(&changed).copied().filter(|key| !self.is_spared(*key));
            return match (kept.next(), kept.next()) {
                (Some(key), None) if changed.is_subset(&self.together) => self.hint(key, changed),
                _ => Conclusion::default(),
            };
        }
        self.n_refused = self.n_refused.saturating_add(1);
        let Some(action) = actions.last().filter(|_| self.refused.is_none() && self.n_refused > self.n_succeeded) else {
            return Conclusion::default();
        };
        let keys: BTreeSet<GeneKey> = candidates(action).map(|site| site.0).take(MOST_TRIED).collect();
        self.refused = Some((actions.to_vec(), status));
        let alone = keys.iter().map(|key| BTreeSet::from([*key]));
        let all = (keys.len() > 1).then(|| keys.clone());
        Conclusion { taken: None, to_try: alone.chain(all).collect() }
    }

    /// How the last of `actions` differs from the call that was refused, where the one before it is that, sent once more: what
    /// it names is there then, whatever was taken away since.
    fn compared(&mut self, actions: &[Action], results: &[ActionResult]) -> Option<Compared> {
        let [.., before, action] = actions else { return None };
        let (refused, status) = self.refused.as_ref().filter(|_| self.n_compared < MOST_COMPARED)?;
        let refused = refused.last().filter(|_| before.operation_idx == action.operation_idx)?;
        self.n_compared += 1;
        let status_before = results.get(actions.len() - 2)?.status()?;
        let is_behind_refusal = status_before == *status;
        if !differences(refused, before)?.is_empty() || !(is_behind_refusal || (200..300).contains(&status_before)) {
            return None;
        }
        Some(Compared { changed: differences(refused, action)?, is_behind_refusal })
    }

    /// The call that was refused, and behind it the same with other values of these inputs.
    fn again(&self, api: &Api, keys: &BTreeSet<GeneKey>, random: &mut Random) -> Option<Individual> {
        let (actions, _) = self.refused.as_ref()?;
        let mut individual = Individual { actions: actions.clone() };
        individual.remove_looks(api, actions.len() - 1);
        let mut changed = individual.actions.last()?.clone();
        for site in keyed_sites(&changed).iter().filter(|site| keys.contains(&site.0)) {
            let Some(gene) = gene_mut(&mut changed, site) else { continue };
            let before = gene.to_json();
            for _ in 0..MOST_DRAWS {
                draw(gene, random);
                if gene.to_json() != before {
                    break;
                }
            }
        }
        individual.actions.push(changed);
        Some(individual)
    }

    /// Whether the values of an input were there often enough when a call with them succeeded.
    fn is_spared(&self, key: GeneKey) -> bool {
        self.spared.get(&key).is_some_and(|times| *times >= ENOUGH)
    }

    /// Notes that the values of an input may be taken, by a call in which these were changed.
    fn hint(&mut self, key: GeneKey, changed: BTreeSet<GeneKey>) -> Conclusion {
        if self.is_spared(key) {
            return Conclusion::default();
        }
        let times = self.hints.entry(key).or_default();
        *times = times.saturating_add(1);
        let to_try = if *times < ENOUGH { vec![changed] } else { Vec::new() };
        Conclusion { taken: (*times == ENOUGH).then_some(key), to_try }
    }
}

type Site = (GeneKey, ValuePlace, GenePath);

/// The texts and whole numbers that a call sends.
fn candidates(action: &Action) -> impl Iterator<Item = Site> {
    let is_one = |site: &Site| matches!(gene_of(action, site.1, &site.2), Some(Gene::Text(_) | Gene::Integer(_)));
    keyed_sites(action).into_iter().filter(is_one)
}

/// The inputs by whose values alone two calls of an operation differ; none where they differ by something else.
fn differences(one: &Action, other: &Action) -> Option<BTreeSet<GeneKey>> {
    let mut made_alike = one.clone();
    let values = |action: &Action| {
        let body = action.body.as_ref().filter(|body| body.present).map(|body| body.alternatives[body.active].to_json());
        (action.parameters.iter().map(Gene::to_json).collect::<Vec<_>>(), body)
    };
    let mut changed = BTreeSet::new();
    for site in candidates(one) {
        let Some(value) = name_at(other, site.1, &site.2) else { continue };
        if name_at(one, site.1, &site.2).is_some_and(|before| before != value) {
            gene_mut(&mut made_alike, &site)?.assign(&value);
            changed.insert(site.0);
        }
    }
    (values(&made_alike) == values(other)).then_some(changed)
}

fn gene_mut<'a>(action: &'a mut Action, (_, place, path): &Site) -> Option<&'a mut Gene> {
    gene_at(action, *place)?.at_mut(path)
}

/// Draws a value: what the service wants of it where that is known, else letters and digits where the schema allows any text.
fn draw(gene: &mut Gene, random: &mut Random) {
    if let Some(wanted) = gene.specialised().cloned() {
        gene.specialise(&wanted, random);
    } else {
        gene.sample(random);
        gene.tell_apart(random);
    }
}

/// What was sent, by a hash that is the same in every run.
fn hash_of(result: &ActionResult) -> u64 {
    let mut hasher = DefaultHasher::new();
    result.request.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::{FreshText, keyed_sites, name_at};
    use crate::action::{Action, ActionResult, Answer, Outcome, render};
    use crate::api::{Api, OperationIdx};
    use crate::openapi::{self, parse};
    use crate::search::impact::GeneKey;
    use crate::search::sampler::sample;
    use crate::search::{
        Budget, Evaluation, ExecutedCall, Execution, Individual, Problem, SearchSettings, SearchState, Verdict,
    };

    const POST: OperationIdx = OperationIdx(0);
    const GET: OperationIdx = OperationIdx(1);

    /// `POST /users` with a mail and a note, and `GET /users/{mail}`.
    fn api() -> Api {
        let user = json!({"type": "object", "required": ["mail", "note"],
            "properties": {"mail": {"type": "string"}, "note": {"type": "string"}}});
        let content = json!({"application/json": {"schema": user}});
        let answers = json!({"201": {"description": ""}});
        let mail = json!({"name": "mail", "in": "path", "required": true, "schema": {"type": "string"}});
        let paths = json!({
            "/users": {"post": {"requestBody": {"required": true, "content": content}, "responses": answers}},
            "/users/{mail}": {"get": {"parameters": [mail], "responses": answers}},
        });
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        parse(&document.to_string(), &openapi::Origin::Text).expect("a document")
    }

    fn body_of(action: &Action) -> Value {
        let body = action.body.as_ref().expect("a body");
        body.alternatives[body.active].to_json().expect("a value")
    }

    /// A call that makes a user.
    fn post(problem: &Problem, mail: &str, note: &str) -> Action {
        let mut action = problem.template(POST);
        let body = action.body.as_mut().expect("a body");
        body.present = true;
        assert!(body.alternatives[body.active].assign(&json!({"mail": mail, "note": note})));
        action
    }

    /// A call that asks for one.
    fn get(problem: &Problem, mail: &str) -> Action {
        let mut action = problem.template(GET);
        assert!(action.parameters[0].assign(&mail.into()));
        action
    }

    /// A service that keeps its users.
    struct Service<'a> {
        problem: &'a Problem<'a>,
        state: SearchState,
        values: BTreeSet<(&'static str, String)>,
        /// Fields that no two users have the same value in.
        unique: &'static [&'static str],
    }

    impl Service<'_> {
        /// Answers a call, and has the search learn from it.
        fn call(&mut self, action: &Action) {
            self.execute(std::slice::from_ref(action));
        }

        /// Answers the calls of a test, and has the search learn from them.
        fn execute(&mut self, actions: &[Action]) {
            let calls = actions.iter().map(|action| {
                let request = render(self.problem.api, action, &mut |_| None);
                let value = |field: &&'static str| (*field, body_of(action)[*field].as_str().expect("a text").to_owned());
                let is_free = self.unique.iter().all(|field| !self.values.contains(&value(field)));
                if is_free {
                    self.values.extend(self.unique.iter().map(value));
                }
                let outcome = Outcome::Answered(Answer { status: if is_free { 201 } else { 409 }, ..Answer::default() });
                let result = ActionResult { request, outcome, elapsed: Duration::ZERO };
                ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None }
            });
            let calls: Vec<ExecutedCall> = calls.collect();
            let verdicts = calls.iter().map(|_| Verdict::default()).collect();
            let individual = Individual { actions: actions.to_vec() };
            let execution = Execution { individual, calls, elapsed: Duration::ZERO };
            self.state.learn(self.problem, &Evaluation::new(execution, verdicts));
        }

        /// Executes what waits to be tried.
        fn try_all(&mut self) -> usize {
            self.try_all_while(|_, _| ())
        }

        /// The same, with something else happening before each time.
        fn try_all_while(&mut self, meanwhile: impl Fn(&mut Self, usize)) -> usize {
            let mut n_tried = 0;
            for _ in 0..200 {
                meanwhile(self, n_tried);
                if let Some(trial) = self.state.specialisations.trials.next() {
                    self.execute(&trial.individual.actions);
                    n_tried += 1;
                }
            }
            n_tried
        }

        /// The mails and the note of calls after their taken values were renewed.
        fn renewed(&mut self, actions: &[Action], is_fixed: bool) -> (Vec<Value>, Value) {
            let mut actions = actions.to_vec();
            let SearchState { taken, random, .. } = &mut self.state;
            let fixed: Vec<_> = taken.inputs.iter().copied().filter(|_| is_fixed).collect();
            taken.renew(self.problem.api, &mut actions, &fixed, 1.0, random);
            let mail = |action: &Action| match action.operation_idx {
                POST => body_of(action)["mail"].clone(),
                _ => action.parameters[0].to_json().expect("a value"),
            };
            (actions.iter().map(mail).collect(), body_of(&actions[0])["note"].clone())
        }
    }

    #[test]
    fn a_value_that_is_refused_a_second_time_is_another_one_from_then_on() {
        let api = api();
        let settings = SearchSettings { p_invalid: 0.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![POST, GET], 0, &settings);
        for unique in [&["mail"][..], &[]] {
            let makes_twice = unique.is_empty();
            let state = SearchState::new(&problem);
            let mut service = Service { problem: &problem, state, values: BTreeSet::new(), unique };
            let calls = [post(&problem, "ann", "tall"), get(&problem, "ann"), post(&problem, "ann", "small")];
            service.call(&calls[0]);
            assert_eq!(service.try_all(), 0, "it was sent once");
            service.call(&calls[0]);
            assert_eq!(service.try_all() > 0, !makes_twice);
            let (mails, note) = service.renewed(&calls, false);
            assert!(mails.iter().all(|mail| *mail == mails[0]), "what has the same mail still has the same: {mails:?}");
            assert_eq!(mails[0] != "ann", !makes_twice);
            assert_eq!(note, "tall", "which may be that of others");
            assert_eq!(service.renewed(&calls, true).0, ["ann"; 3], "what the search changed stays");
        }
    }

    #[test]
    fn a_test_that_is_executed_again_names_others_of_the_same_kind() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(100), 1);
        let problem = Problem::new(&api, vec![POST, GET], 0, &settings);
        let mut state = SearchState::new(&problem);
        let calls = [post(&problem, "annmiller", "tall"), get(&problem, "annmiller"), post(&problem, "annmiller", "small")];
        let sites = keyed_sites(&calls[0]);
        let mail = sites.iter().find(|site| name_at(&calls[0], site.1, &site.2) == Some(json!("annmiller"))).expect("a field");
        // It was found in another body of the operation.
        state.taken.inputs.insert(GeneKey { place: mail.0.place + 1, ..mail.0 });
        let mails = |actions: &[Action]| {
            [
                body_of(&actions[0])["mail"].clone(),
                actions[1].parameters[0].to_json().expect("a value"),
                body_of(&actions[2])["mail"].clone(),
            ]
        };
        let mut varied = calls.to_vec();
        let SearchState { taken, random, .. } = &mut state;
        taken.vary(&api, &mut varied, random);
        let [first, second, third] = mails(&varied).map(|mail| mail.as_str().expect("a text").to_owned());
        assert!(first != "annmiller" && first.len() == 9 && second == first && third == first, "{first} {second} {third}");
        assert_eq!([0, 2].map(|idx| body_of(&varied[idx])["note"].clone()), ["tall", "small"]);
        assert_eq!(taken.fresh_texts(&varied), [FreshText { name: "mail".to_owned(), text: first }]);
        let without = [varied[1].clone(), varied[0].clone()];
        assert!(taken.is_left_behind(&varied, &varied[1..2]) && !taken.is_left_behind(&varied, &without));
        assert!(!taken.is_left_behind(&varied[1..2], &[]) && !taken.is_left_behind(&varied, &[get(&problem, "other")]));
        let mut short = [post(&problem, "\u{fc}", "tall")];
        taken.vary(&api, &mut short, random);
        let mail = body_of(&short[0])["mail"].clone();
        assert!(mail.as_str().is_some_and(|mail| mail.len() == 9 && mail.is_ascii()), "{mail}");
    }

    #[test]
    fn several_values_that_are_taken_are_found_where_none_alone_helps() {
        let api = api();
        let settings = SearchSettings { p_invalid: 0.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![POST, GET], 0, &settings);
        for loses in [false, true] {
            let state = SearchState::new(&problem);
            let mut service = Service { problem: &problem, state, values: BTreeSet::new(), unique: &["mail", "note"] };
            let call = post(&problem, "ann", "tall");
            service.call(&call);
            service.call(&call);
            service.try_all_while(|service, n_tried| {
                // Others delete users.
                if loses && n_tried % 3 == 2 {
                    service.values.clear();
                }
            });
            let (mails, note) = service.renewed(&[call], false);
            assert!(mails[0] != "ann" && note != "tall", "{mails:?} {note}");
        }
    }

    #[test]
    fn creators_that_worked_take_a_value_that_is_free() {
        let api = api();
        let settings = SearchSettings { p_invalid: 0.0, p_smart: 1.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![POST, GET], 0, &settings);
        let n_same = [&["mail"][..], &[]].map(|unique| {
            let state = SearchState::new(&problem);
            let mut service = Service { problem: &problem, state, values: BTreeSet::new(), unique };
            for _ in 0..2 {
                service.call(&post(&problem, "ann", "tall"));
            }
            service.try_all();
            // What was tried worked as well, and would be drawn from, too.
            service.state.worked.insert(POST, [post(&problem, "ann", "tall")].into());
            let individuals = (0..200).map(|_| sample(&problem, &mut service.state));
            let creators = individuals.flat_map(|it| it.actions).filter(|action| action.operation_idx == POST);
            let like_before: Vec<Value> = creators.map(|action| body_of(&action)).filter(|it| it["note"] == "tall").collect();
            assert!(like_before.len() > 20, "{}", like_before.len());
            100 * like_before.iter().filter(|it| it["mail"] == "ann").count() / like_before.len()
        });
        assert!(n_same[0] < 40 && n_same[1] > 80, "percent: {n_same:?}");
    }
}
