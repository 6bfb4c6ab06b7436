//! What earlier tests left behind in a service that nothing resets, and how a test makes that itself.
//!
//! A deed is a call that succeeded in what may change something. A test that names a thing which it does not make hangs on the
//! deeds that made it, and on what was done to it since; found by the names that calls say and are told, and put before its calls,
//! they have it hold wherever it is executed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use crate::action::{Action, ActionResult, Answer, Link, LinkPlace, LinkSource, Request, ValuePlace};
use crate::api::{Api, OperationIdx, Verb};

use super::Individual;
use super::mutator::gene_at;
use super::names::refers;
use super::origin::sent_as;
use super::resource::{Creator, Resources, told_as};

/// Deeds that are remembered, at most; past them the oldest go.
const MAX_DEEDS: usize = 20_000;
/// Bytes of their requests and answers, at most.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Bytes of an answer that is remembered with its call.
const MAX_ANSWER: usize = 4 * 1024;
/// Characters of a text that says more than others.
const LEAST_TELLING: usize = 3;
/// Characters of a text that two calls do not say by chance.
const LEAST_ALIKE: usize = 6;

/// Deeds, the latest last.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// Whether deeds are remembered: where nothing resets the service.
    pub is_wanted: bool,
    deeds: VecDeque<Deed>,
    n_bytes: usize,
}

/// A call that succeeded in what may change something.
#[derive(Debug, Clone)]
struct Deed {
    /// The call, with the values that it was sent with and without links.
    action: Action,
    /// Whether it was let in by what an earlier call of its test was told.
    was_let_in: bool,
    /// Its URL and the text of its body.
    sent: String,
    /// The `Location` of its answer.
    location: Option<String>,
    /// The text of that, as far as it may tell the name of what it made.
    told: String,
}

/// Something that a call names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    operation_idx: OperationIdx,
    place: NamePlace,
    /// As a path has it.
    text: String,
}

/// Where a call names something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum NamePlace {
    /// By the path parameter at this position.
    Path(usize),
    /// By the field at this JSON pointer of its body, which refers to it.
    Body(String),
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

/// What is known of a service, for following names.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Its operations.
    pub api: &'a Api,
    /// Who makes what.
    pub resources: &'a Resources,
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
            if let Some(alike) = self.alike(action).filter(|_| is_refused) {
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
        if !traced.seen.insert(name.clone()) {
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

impl Deed {
    fn new(action: Action, was_let_in: bool, (request, answer): (&Request, &Answer)) -> Self {
        let body = request.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let told = Some(&answer.body).filter(|body| body.len() <= MAX_ANSWER && answer.json().is_some());
        Self {
            action,
            was_let_in,
            sent: format!("{}\n{body}", request.url),
            location: answer.header("location").map(str::to_owned),
            told: told.map_or_else(String::new, |told| String::from_utf8_lossy(told).into_owned()),
        }
    }

    fn n_bytes(&self) -> usize {
        size_of::<Self>() + self.sent.len() + self.told.len()
    }

    /// Whether its request may say `text`: a quick look, for which odd characters may be written otherwise there.
    fn may_say(&self, text: &str) -> bool {
        is_odd(text) || self.sent.contains(text)
    }

    /// The same of what it was told.
    fn may_tell(&self, text: &str) -> bool {
        is_odd(text) || self.told.contains(text) || self.location.as_ref().is_some_and(|location| location.contains(text))
    }

    /// What may tell a name of what it was answered.
    fn answer(&self) -> Answer {
        let location = self.location.iter().map(|location| ("location".to_owned(), location.clone()));
        Answer { headers: location.collect(), json: serde_json::from_str(&self.told).ok(), ..Answer::default() }
    }
}

fn is_odd(text: &str) -> bool {
    !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
}

impl<'a> Known<'a> {
    /// What a call names by its path.
    fn path_names(self, action: &Action) -> impl Iterator<Item = Name> {
        let operation = self.api.operation(action.operation_idx);
        let in_path = (0..operation.parameters.len()).filter(|place| operation.prefix_to(*place).is_some());
        let unlinked = in_path.filter(|place| !is_linked(action, &LinkPlace::Parameter(*place)));
        unlinked.filter_map(|place| {
            let text = text_of(&action.parameters.get(place)?.to_json()?)?;
            Some(Name { operation_idx: action.operation_idx, place: NamePlace::Path(place), text })
        })
    }

    /// What a call names by its path and by what its body refers to, but for what it takes from earlier answers.
    fn names(self, action: &Action) -> Vec<Name> {
        let mut names: Vec<Name> = self.path_names(action).collect();
        let body = action.body.as_ref().filter(|body| body.present).map(|body| &body.alternatives[body.active]);
        let Some((body, json)) = body.and_then(|body| Some((body, body.to_json()?))) else { return names };
        for site in body.sites().into_iter().filter(|site| refers(&site.name)) {
            let text = json.pointer(&site.pointer).and_then(text_of);
            let place = LinkPlace::Body(site.pointer.clone());
            if let Some(text) = text.filter(|_| !is_linked(action, &place)) {
                names.push(Name { operation_idx: action.operation_idx, place: NamePlace::Body(site.pointer), text });
            }
        }
        names
    }

    /// What the call at `idx` names that no earlier call of the test makes under this name.
    fn foreign_names(self, actions: &[Action], idx: usize) -> Vec<Name> {
        let is_made = |name: &Name| {
            let creators = self.creators(name);
            actions[..idx].iter().any(|action| self.says(action, name, &creators))
        };
        self.names(&actions[idx]).into_iter().filter(|name| !is_made(name)).collect()
    }

    /// Who makes what `name` names.
    fn creators(self, name: &Name) -> Vec<Creator> {
        match &name.place {
            NamePlace::Path(_) => self.resources.creators_of_path_parameter(self.api, name.operation_idx, self.parameter(name)),
            NamePlace::Body(_) => {
                let post = self.resources.creator_of_name(name.operation_idx, self.parameter(name), "");
                post.map(Creator::Post).into_iter().collect()
            }
        }
    }

    /// The name of the parameter or field.
    fn parameter(self, name: &'a Name) -> &'a str {
        match &name.place {
            NamePlace::Path(place) => &self.api.operation(name.operation_idx).parameters[*place].name,
            NamePlace::Body(pointer) => pointer.rsplit('/').find(|it| it.parse::<usize>().is_err()).unwrap_or_default(),
        }
    }

    /// The path up to what `name` names, whatever its parameters are called; none of what a body names.
    fn thing(self, name: &Name) -> Option<String> {
        let NamePlace::Path(place) = name.place else { return None };
        let prefix = self.api.operation(name.operation_idx).prefix_to(place)?;
        Some(
            prefix
                .split('/')
                .map(|segment| if segment.starts_with('{') { "{}" } else { segment })
                .collect::<Vec<_>>()
                .join("/"),
        )
    }

    /// Whether `action` makes what `name` names under the name that it sends; where nobody is known to make that, whether its
    /// body says the same where a name like that would stand, or a text that is not said by chance.
    fn says(self, action: &Action, name: &Name, creators: &[Creator]) -> bool {
        let is_it = |value: Option<Value>| value.as_ref().and_then(text_of).as_ref() == Some(&name.text);
        let sends_it = || is_it(sent_as(action, self.parameter(name)).and_then(|gene| gene.to_json()));
        let says_it = || texts_of(action).iter().any(|(text, _)| *text == name.text);
        if creators.is_empty() {
            return sends_it() || name.text.len() >= LEAST_ALIKE && says_it();
        }
        creators.iter().any(|creator| match creator {
            Creator::Post(post) if action.operation_idx == *post => sends_it(),
            Creator::Named(named) if action.operation_idx == *named => {
                self.path_names(action).last().is_some_and(|other| other.text == name.text)
            }
            Creator::Post(_) | Creator::Named(_) => false,
        })
    }

    /// Whether `deed` made what `name` names.
    fn made(self, deed: &Deed, name: &Name, creators: &[Creator]) -> bool {
        deed.may_say(&name.text) && self.says(&deed.action, name, creators) || self.told(deed, name, creators).is_some()
    }

    /// What of the answer of `deed` is what `name` names, where it may have made that.
    fn told(self, deed: &Deed, name: &Name, creators: &[Creator]) -> Option<LinkSource> {
        let is_unknown = creators.is_empty() && name.text.len() >= LEAST_ALIKE;
        let may_make = is_unknown || creators.contains(&Creator::Post(deed.action.operation_idx));
        let answer = Some(deed).filter(|deed| may_make && deed.may_tell(&name.text)).map(Deed::answer);
        answer.and_then(|answer| told_as(&answer, self.parameter(name), &name.text))
    }

    /// Has the calls behind `position` take from its answer what `deed`, which stands there, was told and they name.
    fn link(self, actions: &mut [Action], position: usize, deed: &Deed) {
        for action in &mut actions[position + 1..] {
            for name in self.names(action) {
                let source = self.told(deed, &name, &self.creators(&name));
                action.links.extend(source.map(|source| Link { place: name.place.into(), from_action: position, source }));
            }
        }
    }
}

impl From<NamePlace> for LinkPlace {
    fn from(place: NamePlace) -> Self {
        match place {
            NamePlace::Path(place) => Self::Parameter(place),
            NamePlace::Body(pointer) => Self::Body(pointer),
        }
    }
}

fn is_linked(action: &Action, place: &LinkPlace) -> bool {
    action.links.iter().any(|link| link.place == *place)
}

/// A call with the values that its links found, without links; none where it has no room for one.
fn settled(action: &Action, results: &[ActionResult]) -> Option<Action> {
    let mut settled = Action { links: Vec::new(), ..action.clone() };
    for link in &action.links {
        let Some(value) = results.get(link.from_action).and_then(|earlier| link.resolve(earlier)) else { continue };
        let gene = match &link.place {
            LinkPlace::Parameter(place) => settled.parameters.get_mut(*place),
            LinkPlace::Body(pointer) => {
                let body = gene_at(&mut settled, ValuePlace::Body)?;
                let site = body.sites().into_iter().find(|site| site.pointer == *pointer)?;
                body.at_mut(&site.path)
            }
            LinkPlace::Credentials(..) | LinkPlace::Cookie(_) => continue,
        };
        if !gene?.assign(&value) {
            return None;
        }
    }
    Some(settled)
}

/// A scalar as a path has it.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The texts in the body of a call, each with its JSON pointer, less those that say little.
fn texts_of(action: &Action) -> Vec<(String, String)> {
    let body = action.body.as_ref().filter(|body| body.present).map(|body| &body.alternatives[body.active]);
    let Some((body, json)) = body.and_then(|body| Some((body, body.to_json()?))) else { return Vec::new() };
    let text = |pointer: &str| json.pointer(pointer)?.as_str().filter(|it| it.len() >= LEAST_TELLING).map(str::to_owned);
    body.sites().into_iter().filter_map(|site| Some((text(&site.pointer)?, site.pointer))).collect()
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
