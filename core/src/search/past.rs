//! What earlier tests left behind in a service that nothing resets, and how a test makes that itself.
//!
//! A deed is a call that succeeded in what may change something. A test that names a thing which it does not make hangs on the
//! deeds that made it, and on what was done to it since; found by the names that calls say and are told, and put before its calls,
//! they have it hold wherever it is executed.

mod deed;
mod named;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::action::{Action, ActionResult};
use crate::api::{Api, OperationIdx, Verb};

use super::Individual;
use deed::{Deed, settled};
use named::{Name, texts_of};

pub use named::Known;

/// Deeds that are remembered, at most; past them the oldest go.
const MAX_DEEDS: usize = 20_000;
/// Bytes of their requests and answers, at most.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Names that are followed for one test, at most: it has no room for all that more of them lead to.
const MAX_NAMES: usize = 64;

/// Deeds, the latest last.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// Whether deeds are remembered: where nothing resets the service.
    pub is_wanted: bool,
    deeds: VecDeque<Deed>,
    n_bytes: usize,
}

/// Deeds that a test hangs on, by their positions.
#[derive(Debug, Default)]
struct Traced {
    /// What made the things that it names.
    makers: BTreeSet<usize>,
    /// What was done to them since.
    others: BTreeSet<usize>,
    seen: BTreeSet<Name>,
}

impl Past {
    /// Notes the deeds of a test.
    pub fn learn(&mut self, api: &Api, actions: &[Action], results: &[ActionResult]) {
        if !self.is_wanted {
            return;
        }
        for (action, result) in actions.iter().zip(results) {
            let is_safe = api.operation(action.operation_idx).verb.is_safe();
            let answer = result.answer().filter(|answer| (200..300).contains(&answer.status));
            let (Some(answer), false) = (answer, is_safe || action.leads_astray()) else { continue };
            if let Some(settled) = settled(action, results) {
                let was_let_in = action.links.iter().any(|link| link.place.shows_credentials());
                self.push(Deed::new(settled, was_let_in, (&result.request, answer)));
            }
        }
    }

    fn push(&mut self, deed: Deed) {
        self.n_bytes += deed.n_bytes();
        self.deeds.push_back(deed);
        while self.deeds.len() > MAX_DEEDS || self.n_bytes > MAX_BYTES {
            let Some(oldest) = self.deeds.pop_front() else { return };
            self.n_bytes -= oldest.n_bytes();
        }
    }

    /// How many things a test names that deeds of other tests made.
    pub fn n_foreign(&self, known: Known, actions: &[Action]) -> usize {
        let all = (0..actions.len()).flat_map(|idx| known.foreign_names(actions, idx));
        let is_made = |name: &Name| {
            let creators = known.creators(name);
            self.deeds.iter().any(|deed| known.made(deed, name, &creators))
        };
        all.filter(is_made).count()
    }

    /// `individual` with the deeds before it that it hangs on, which make what it names; in a service that knows callers, behind
    /// its own login. `results` are what it gave. What takes something away is left out unless `with_removals`. None where no
    /// such deeds are known, or the test would have more than `room` calls.
    pub fn put_before(
        &self,
        known: Known,
        (individual, results): (&Individual, &[ActionResult]),
        room: usize,
        with_removals: bool,
    ) -> Option<(Individual, Vec<usize>)> {
        let actions = &individual.actions;
        let mut traced = Traced::default();
        for (idx, action) in actions.iter().enumerate() {
            for name in known.foreign_names(actions, idx) {
                self.trace(known, &name, with_removals, &mut traced);
            }
            let is_refused = results.get(idx).and_then(ActionResult::status).is_some_and(|status| status >= 400);
            if let Some(alike) = is_refused.then(|| self.alike(action)).flatten() {
                self.add_maker(known, alike, with_removals, &mut traced);
            }
        }
        while actions.len() + traced.makers.len() + traced.others.len() > room {
            traced.others.pop_first()?;
        }
        let deeds: Vec<usize> = traced.makers.union(&traced.others).copied().collect();
        if deeds.is_empty() {
            return None;
        }
        let login = actions.iter().flat_map(|action| &action.links).find(|link| link.place.shows_credentials());
        let start = login.map_or(0, |link| link.from_action + 1);
        let mut completed = individual.clone();
        completed.insert(start, deeds.iter().map(|idx| self.deeds[*idx].action.clone()).collect());
        for (position, deed) in deeds.iter().enumerate().map(|(n, idx)| (start + n, &self.deeds[*idx])) {
            known.link(&mut completed.actions, position, deed);
        }
        let let_in = deeds.iter().enumerate().filter(|(_, idx)| self.deeds[**idx].was_let_in).map(|(n, _)| start + n);
        Some((completed, let_in.collect()))
    }

    /// Adds the deed that made what `name` names last, and the last ones of each operation that named the same since.
    fn trace(&self, known: Known, name: &Name, with_removals: bool, traced: &mut Traced) {
        if traced.seen.len() >= MAX_NAMES || !traced.seen.insert(name.clone()) {
            return;
        }
        let creators = known.creators(name);
        let made = |deed: &Deed| known.made(deed, name, &creators);
        // Whoever said it first where nobody is known to make it.
        let maker = if creators.is_empty() { self.deeds.iter().position(made) } else { self.deeds.iter().rposition(made) };
        if let Some(maker) = maker {
            self.add_maker(known, maker, with_removals, traced);
        }
        let Some(thing) = known.thing(name) else { return };
        let mut latest: BTreeMap<OperationIdx, usize> = BTreeMap::new();
        for (idx, deed) in self.deeds.iter().enumerate().skip(maker.map_or(0, |maker| maker + 1)) {
            let is_removal = known.api.operation(deed.action.operation_idx).verb == Verb::Delete;
            let is_it = |other: &Name| other.text == name.text && known.thing(other).as_ref() == Some(&thing);
            if (with_removals || !is_removal) && deed.may_say(&name.text) && known.path_names(&deed.action).any(|it| is_it(&it))
            {
                latest.insert(deed.action.operation_idx, idx);
            }
        }
        for idx in latest.into_values() {
            traced.others.insert(idx);
            for name in known.names(&self.deeds[idx].action) {
                self.trace(known, &name, with_removals, traced);
            }
        }
    }

    fn add_maker(&self, known: Known, maker: usize, with_removals: bool, traced: &mut Traced) {
        traced.makers.insert(maker);
        for name in known.names(&self.deeds[maker].action) {
            self.trace(known, &name, with_removals, traced);
        }
    }

    /// The deed of the operation of `action` whose body says most of the texts of its own, the latest of several: what is taken
    /// once may have been taken by it.
    fn alike(&self, action: &Action) -> Option<usize> {
        let own = texts_of(action);
        let n_same = |deed: &Deed| {
            let texts = texts_of(&deed.action);
            own.iter().filter(|text| texts.contains(text)).count()
        };
        let same = self.deeds.iter().enumerate().filter(|(_, deed)| deed.action.operation_idx == action.operation_idx);
        let ranked = same.map(|(idx, deed)| (n_same(deed), idx)).filter(|(n_same, _)| *n_same > 0);
        ranked.max().map(|(_, idx)| idx)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use crate::action::{Action, ActionResult, Answer, Link, LinkPlace, LinkSource, Outcome, Request};
    use crate::api::{Api, OperationIdx, Verb};
    use crate::openapi::{Origin, parse};
    use crate::search::{Budget, Individual, Problem, SearchSettings, SearchState};

    /// Users by the mail that they choose, and shops by a number that is told, which a user owns.
    fn api() -> Api {
        let text = json!({"type": "string"});
        let in_path = |name: &str, schema: &Value| json!({"name": name, "in": "path", "required": true, "schema": schema});
        let body = |name: &str| {
            let schema = json!({"type": "object", "required": [name], "properties": {name: text}});
            json!({"required": true, "content": {"application/json": {"schema": schema}}})
        };
        let answers = json!({"200": {"description": ""}});
        let (shop, user) = (in_path("shopId", &json!({"type": "integer"})), in_path("mail", &text));
        let paths = json!({
            "/users": {"post": {"requestBody": body("mail"), "responses": answers}},
            "/shops": {"post": {"requestBody": body("title"), "responses": answers}},
            "/shops/{shopId}": {"delete": {"parameters": [shop], "responses": answers}},
            "/shops/{shopId}/owner/{mail}": {"put": {"parameters": [shop, user], "responses": answers}},
            "/shops/{shopId}/report": {"get": {"parameters": [shop], "responses": answers}},
            "/lefts": {"post": {"requestBody": body("rightId"), "responses": answers}},
            "/rights": {"post": {"requestBody": body("leftId"), "responses": answers}},
        });
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        parse(&document.to_string(), &Origin::Text).expect("a document")
    }

    /// A call of the operation with this identity, with these parameters and this body.
    fn call(problem: &Problem, id: &str, parameters: &[Value], body: Option<Value>) -> Action {
        let operation_idx = problem.operations.iter().copied().find(|idx| problem.api.operation(*idx).id == id);
        let mut action = problem.template(operation_idx.expect("it is there"));
        for (gene, value) in action.parameters.iter_mut().zip(parameters) {
            assert!(gene.assign(value));
        }
        if let (Some(sent), Some(value)) = (&mut action.body, body) {
            sent.present = true;
            assert!(sent.alternatives[0].assign(&value));
        }
        action
    }

    fn answered(action: &Action, status: u16, body: Option<Value>) -> ActionResult {
        let named = action.parameters.iter().filter_map(|gene| Some(format!("/{}", gene.to_json()?)));
        let sent = action.body.as_ref().and_then(|body| body.alternatives[0].to_json());
        let request = Request {
            operation_idx: action.operation_idx,
            verb: Verb::Post,
            url: named.collect(),
            headers: Vec::new(),
            body: sent.map(|sent| sent.to_string().into_bytes()),
            user: None,
        };
        let text = body.as_ref().map_or_else(Vec::new, |body| body.to_string().into_bytes());
        let answer = Answer { status, json: body, body: text, ..Answer::default() };
        ActionResult { request, outcome: Outcome::Answered(answer), elapsed: Duration::ZERO }
    }

    fn with_state<T>(work: impl FnOnce(&Problem<'_>, &mut SearchState) -> T) -> T {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(100), 1);
        let operations = (0..).map(OperationIdx).take(api.operations.len()).collect();
        let problem = Problem::new(&api, operations, 0, &settings);
        let mut state = SearchState::new(&problem);
        state.past.is_wanted = true;
        work(&problem, &mut state)
    }

    /// What the calls of a test are: the operation, what it names by its path, and which earlier call that is taken from.
    fn told(problem: &Problem, test: &Individual) -> Vec<(String, Vec<Option<Value>>, Vec<usize>)> {
        let of_call = |action: &Action| {
            let named = action.parameters.iter().map(crate::gene::Gene::to_json).collect();
            let from = action.links.iter().map(|link| link.from_action).collect();
            (problem.api.operation(action.operation_idx).id.clone(), named, from)
        };
        test.actions.iter().map(of_call).collect()
    }

    /// What one test made, and others did to it, in the order in which it was done.
    fn learn_of_a_shop(problem: &Problem, state: &mut SearchState) {
        let user = call(problem, "POST /users", &[], Some(json!({"mail": "ann@example.org"})));
        let shop = call(problem, "POST /shops", &[], Some(json!({"title": "x"})));
        let mut owned = call(problem, "PUT /shops/{shopId}/owner/{mail}", &[json!(1), json!("ann@example.org")], None);
        let link = Link { place: LinkPlace::Parameter(0), from_action: 0, source: LinkSource::Body("/id".to_owned()) };
        owned.links.push(link);
        let other = call(problem, "POST /shops", &[], Some(json!({"title": "y"})));
        for test in [vec![(user, 201, None)], vec![(shop, 201, Some(json!({"id": 262}))), (owned, 200, None)]]
            .into_iter()
            .chain([vec![(other, 201, Some(json!({"id": 263})))]])
        {
            let mut results: Vec<_> =
                test.iter().map(|(action, status, body)| answered(action, *status, body.clone())).collect();
            // What the link found was sent.
            for result in &mut results {
                result.request.url = result.request.url.replace("/1/", "/262/");
            }
            let actions: Vec<Action> = test.into_iter().map(|(action, ..)| action).collect();
            state.past.learn(problem.api, &actions, &results);
        }
    }

    #[test]
    fn a_test_makes_what_it_names_and_does_to_it_what_others_did() {
        with_state(|problem, state| {
            learn_of_a_shop(problem, state);
            let report = call(problem, "GET /shops/{shopId}/report", &[json!(262)], None);
            let alone = Individual { actions: vec![report] };
            assert_eq!(state.n_left_behind(problem, &alone), 1);
            let results = [answered(&alone.actions[0], 500, None)];
            let whole = state.with_past(problem, (&alone, &results), false).expect("it is known who made the shop");
            let names = |it: Value| vec![Some(it)];
            let expected = [
                ("POST /users", Vec::new(), Vec::new()),
                ("POST /shops", Vec::new(), Vec::new()),
                ("PUT /shops/{shopId}/owner/{mail}", [names(json!(262)), names(json!("ann@example.org"))].concat(), vec![1]),
                ("GET /shops/{shopId}/report", names(json!(262)), vec![1]),
            ];
            assert_eq!(told(problem, &whole), expected.map(|(id, named, from)| (id.to_owned(), named, from)));
            assert_eq!(state.n_left_behind(problem, &whole), 0);
            assert!(state.with_past(problem, (&whole, &[]), false).is_none(), "nothing is missing");
        });
    }

    #[test]
    fn what_is_gone_again_is_taken_away_only_where_that_is_wanted() {
        with_state(|problem, state| {
            learn_of_a_shop(problem, state);
            let gone = call(problem, "DELETE /shops/{shopId}", &[json!(263)], None);
            state.past.learn(problem.api, std::slice::from_ref(&gone), &[answered(&gone, 204, None)]);
            let report = call(problem, "GET /shops/{shopId}/report", &[json!(263)], None);
            let alone = Individual { actions: vec![report] };
            let results = [answered(&alone.actions[0], 410, None)];
            let operations = |with_removals: bool| -> Vec<String> {
                let whole = state.with_past(problem, (&alone, &results), with_removals).expect("it is known");
                told(problem, &whole).into_iter().map(|(id, ..)| id).collect()
            };
            assert_eq!(operations(false), ["POST /shops", "GET /shops/{shopId}/report"]);
            assert_eq!(operations(true), ["POST /shops", "DELETE /shops/{shopId}", "GET /shops/{shopId}/report"]);
        });
    }

    #[test]
    fn what_was_taken_by_another_test_is_taken_by_the_same_call_before() {
        with_state(|problem, state| {
            learn_of_a_shop(problem, state);
            let again = call(problem, "POST /users", &[], Some(json!({"mail": "ann@example.org"})));
            let alone = Individual { actions: vec![again] };
            let whole = |status| state.with_past(problem, (&alone, &[answered(&alone.actions[0], status, None)]), false);
            let twice = told(problem, &whole(409).expect("who has the mail is known"));
            assert_eq!(twice.iter().map(|(id, ..)| id.as_str()).collect::<Vec<_>>(), ["POST /users", "POST /users"]);
            assert!(whole(201).is_none(), "nobody had it then");
        });
    }

    #[test]
    fn a_link_that_found_nothing_says_nothing_of_who_made_it() {
        with_state(|problem, state| {
            learn_of_a_shop(problem, state);
            let shop = call(problem, "POST /shops", &[], Some(json!({"title": "z"})));
            let mut report = call(problem, "GET /shops/{shopId}/report", &[json!(262)], None);
            let link = Link { place: LinkPlace::Parameter(0), from_action: 0, source: LinkSource::LocationSegment };
            report.links.push(link);
            let mut test = Individual { actions: vec![shop, report] };
            assert_eq!(state.n_left_behind(problem, &test), 0);
            let results = [answered(&test.actions[0], 201, Some(json!({"id": 300}))), answered(&test.actions[1], 500, None)];
            test.remove_dead_links(&results);
            assert_eq!(state.n_left_behind(problem, &test), 1);
        });
    }

    #[test]
    fn a_chain_without_end_is_followed_for_a_while() {
        with_state(|problem, state| {
            let made = |number: usize| {
                let [path, field] = [["/lefts", "rightId"], ["/rights", "leftId"]][number % 2];
                let before = format!("thing-{}", number.wrapping_sub(1));
                call(problem, &format!("POST {path}"), &[], Some(json!({field: before})))
            };
            for number in 0..5_000 {
                let action = made(number);
                let result = answered(&action, 201, Some(json!({"id": format!("thing-{number}")})));
                state.past.learn(problem.api, std::slice::from_ref(&action), &[result]);
            }
            let last = Individual { actions: vec![made(5_000)] };
            assert_eq!(state.n_left_behind(problem, &last), 1, "it is known who made the one before");
            assert!(state.with_past(problem, (&last, &[]), false).is_none(), "there is no room for all of them");
        });
    }

    #[test]
    fn nothing_is_remembered_of_a_service_that_is_reset_nor_of_refused_calls() {
        with_state(|problem, state| {
            let report = call(problem, "GET /shops/{shopId}/report", &[json!(262)], None);
            let shop = call(problem, "POST /shops", &[], Some(json!({"title": "x"})));
            let made = answered(&shop, 201, Some(json!({"id": 262})));
            let alone = Individual { actions: vec![report] };
            state.past.learn(problem.api, std::slice::from_ref(&shop), &[answered(&shop, 409, Some(json!({"id": 262})))]);
            assert_eq!(state.n_left_behind(problem, &alone), 0);
            state.past.is_wanted = false;
            state.past.learn(problem.api, std::slice::from_ref(&shop), std::slice::from_ref(&made));
            assert_eq!(state.n_left_behind(problem, &alone), 0);
            state.past.is_wanted = true;
            state.past.learn(problem.api, std::slice::from_ref(&shop), &[made]);
            assert_eq!(state.n_left_behind(problem, &alone), 1);
        });
    }
}
