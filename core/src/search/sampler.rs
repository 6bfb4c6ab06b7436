//! Making new individuals: first every operation alone and right, then sequences that respect HTTP semantics (`search.md` 4).

mod references;

use std::collections::BTreeMap;

use crate::action::{Action, Link, LinkPlace, UserIdx};
use crate::api::{Location, OperationIdx, Verb};

use super::fill::{Texts, fill, sample_violation};
use super::names::collection_of;
use super::origin::Origin;
use super::resource::Creator;
use super::{Individual, Problem, SearchState};

/// Creators behind creators, at most.
const MAX_DEPTH: usize = 4;

/// A new individual of 1 to `max_test_size` actions; short ones until something was learned.
pub fn sample(problem: &Problem, state: &mut SearchState) -> Individual {
    let first = state.first_calls.pop_front().or_else(|| another_first_call(problem, state));
    if let Some((operation_idx, user)) = first {
        let mut draft = Draft::new(problem, state, user);
        draft.texts = Texts::Telling;
        draft.add_with_creators(operation_idx, 0);
        return draft.finish(0.0);
    }
    let user = sample_user(problem, state);
    if state.random.chance(problem.settings.p_smart) {
        smart(problem, state, user)
    } else {
        random_sequence(problem, state, user)
    }
}

/// One more call of any operation while nothing is known that a longer sequence could use.
fn another_first_call(problem: &Problem, state: &mut SearchState) -> Option<(OperationIdx, Option<UserIdx>)> {
    let knows_nothing = state.evaluations == 0;
    let operation_idx = knows_nothing.then(|| state.random.pick(&problem.operations).copied()).flatten()?;
    Some((operation_idx, sample_user(problem, state)))
}

/// A user, and now and then nobody.
pub fn sample_user(problem: &Problem, state: &mut SearchState) -> Option<UserIdx> {
    (problem.n_users > 0 && state.random.chance(problem.settings.odds.as_user)).then(|| {
        let idx = state.random.below(usize::from(problem.n_users));
        UserIdx(u16::try_from(idx).expect("user numbers fit in 16 bits"))
    })
}

/// `operation_idx` after what creates the resources it needs; links count from 0.
///
/// At most `room` actions, of which the last is the operation itself.
pub fn with_creators(problem: &Problem, state: &mut SearchState, operation_idx: OperationIdx, room: usize) -> Vec<Action> {
    let user = sample_user(problem, state);
    let mut draft = Draft::new(problem, state, user);
    draft.room = room.max(1);
    draft.add_with_creators(operation_idx, 0);
    draft.finish(problem.settings.p_invalid).actions
}

/// `individual` whose last call has header fields and cookies that refer to something refer to what its test makes for that.
pub fn with_headers_made(problem: &Problem, state: &mut SearchState, mut individual: Individual) -> Individual {
    if let Some(mut last) = individual.actions.pop() {
        let mut draft = Draft::new(problem, state, last.user);
        draft.actions = individual.actions;
        draft.link_headers(&mut last, 0);
        draft.actions.push(last);
        individual.actions = draft.actions;
    }
    individual
}

/// Adds to `individual` one to three calls on a resource that one of its actions works on or creates.
pub fn extend(problem: &Problem, state: &mut SearchState, individual: &mut Individual) {
    if individual.actions.is_empty() {
        return;
    }
    let position = state.random.below(individual.actions.len());
    let (operation_idx, user) = (individual.actions[position].operation_idx, individual.actions[position].user);
    let mut draft = Draft::new(problem, state, user);
    draft.actions = std::mem::take(&mut individual.actions);
    draft.know_linked(position);
    draft.add_relatives(operation_idx, position);
    individual.actions = draft.actions;
}

fn random_sequence(problem: &Problem, state: &mut SearchState, user: Option<UserIdx>) -> Individual {
    let length = 1 + state.random.log_size(problem.settings.max_test_size.saturating_sub(1));
    let mut draft = Draft::new(problem, state, user);
    for _ in 0..length {
        let operation_idx = draft.any_operation();
        draft.add(operation_idx);
    }
    draft.finish(problem.settings.p_invalid)
}

fn smart(problem: &Problem, state: &mut SearchState, user: Option<UserIdx>) -> Individual {
    let mut draft = Draft::new(problem, state, user);
    let operation_idx = draft.any_operation();
    let operation = problem.api.operation(operation_idx);
    let again = draft.state.random.chance(problem.settings.odds.twice);
    let is_collection = !operation.url_path.trim_end_matches('/').ends_with('}');
    if matches!(operation.verb, Verb::Get | Verb::Head) && is_collection {
        draft.add_members(operation_idx);
    }
    let position = draft.add_with_creators(operation_idx, 0);
    if again && matches!(operation.verb, Verb::Put | Verb::Patch | Verb::Delete) {
        draft.add_with_creators(operation_idx, 0);
    }
    if draft.state.random.chance(problem.settings.odds.relatives) {
        draft.add_relatives(operation_idx, position);
    }
    draft.finish(problem.settings.p_invalid)
}

/// An individual in the making.
struct Draft<'a, 'b> {
    problem: &'a Problem<'b>,
    state: &'a mut SearchState,
    user: Option<UserIdx>,
    actions: Vec<Action>,
    /// Resources that exist, by path up to their placeholder or by `noun:…`.
    made: BTreeMap<String, Origin>,
    room: usize,
    texts: Texts,
}

impl<'a, 'b> Draft<'a, 'b> {
    fn new(problem: &'a Problem<'b>, state: &'a mut SearchState, user: Option<UserIdx>) -> Self {
        let room = problem.settings.max_test_size.max(1);
        Self { problem, state, user, actions: Vec::new(), made: BTreeMap::new(), room, texts: Texts::Any }
    }

    /// The individual; its last action is wrong on purpose with the probability `p_invalid`.
    fn finish(mut self, p_invalid: f64) -> Individual {
        self.actions.truncate(self.room);
        if let Some(mut last) = self.actions.pop() {
            if self.state.random.chance(p_invalid) {
                last.violation = sample_violation(self.problem, self.state, &last);
            }
            self.actions.push(last);
        }
        let mut individual = Individual { actions: self.actions };
        let p_join = self.problem.settings.odds.join_bound;
        self.state.specialisations.join_bound(&mut individual, p_join, &mut self.state.random);
        individual
    }

    fn any_operation(&mut self) -> OperationIdx {
        let SearchState { touched, random, .. } = &mut *self.state;
        let wanted = touched.wanted(&self.problem.operations);
        if !wanted.is_empty()
            && random.chance(self.problem.settings.odds.changed_operations)
            && let Some(operation_idx) = random.pick(&wanted)
        {
            return *operation_idx;
        }
        self.problem.operations[self.state.random.below(self.problem.operations.len())]
    }

    /// The operation with that verb on the same path.
    fn sibling(&self, operation_idx: OperationIdx, verb: Verb) -> Option<OperationIdx> {
        let url_path = &self.problem.api.operation(operation_idx).url_path;
        self.problem.operations.iter().copied().find(|idx| {
            let operation = self.problem.api.operation(*idx);
            operation.verb == verb && operation.url_path == *url_path
        })
    }

    /// By its odds some members of the collection that `operation_idx` reads.
    fn add_members(&mut self, operation_idx: OperationIdx) {
        if let Some(post) = self.sibling(operation_idx, Verb::Post)
            && self.state.random.chance(self.problem.settings.odds.members)
        {
            for _ in 0..=self.state.random.below(3) {
                self.add_with_creators(post, 1);
            }
        }
    }

    /// Takes what the links of the action at `position` lead to as resources that exist.
    fn know_linked(&mut self, position: usize) {
        let action = &self.actions[position];
        let operation = self.problem.api.operation(action.operation_idx);
        for link in &action.links {
            let LinkPlace::Parameter(place) = link.place else { continue };
            if let Some(prefix) = operation.prefix_to(place).map(str::to_owned) {
                let answered = Some(link.source.clone());
                self.made.insert(prefix, Origin { from_action: link.from_action, answered, sent: None });
            }
        }
    }

    /// One to three more calls on the resource that `operation_idx`, the action at `position`, works on or creates.
    fn add_relatives(&mut self, operation_idx: OperationIdx, position: usize) {
        let operation = self.problem.api.operation(operation_idx);
        let prefix = match operation.url_path.rfind('}') {
            Some(end) if operation.verb != Verb::Post || operation.url_path[end..].len() > 1 => &operation.url_path[..=end],
            _ if operation.verb == Verb::Post => collection_of(&operation.url_path),
            _ => operation.url_path.as_str(),
        };
        let relatives = self.relatives(prefix);
        for _ in 0..=self.state.random.below(3) {
            let Some(relative) = self.state.random.pick(&relatives).copied() else { return };
            if self.actions.len() >= self.room {
                return;
            }
            if operation.verb == Verb::Post {
                self.make_known(operation_idx, position, relative);
            }
            self.add_with_creators(relative, 0);
        }
    }

    /// The operations on `prefix` and below it.
    fn relatives(&self, prefix: &str) -> Vec<OperationIdx> {
        let is_relative = |url_path: &str| {
            url_path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || prefix.ends_with('/'))
        };
        self.problem.operations.iter().copied().filter(|idx| is_relative(&self.problem.api.operation(*idx).url_path)).collect()
    }

    /// Has `relative` work on what the POST at `position` created, where its path names such a thing.
    fn make_known(&mut self, post: OperationIdx, position: usize, relative: OperationIdx) {
        let api = self.problem.api;
        let collection = collection_of(&api.operation(post).url_path);
        let url_path = &api.operation(relative).url_path;
        let Some(rest) = url_path.strip_prefix(collection).and_then(|rest| rest.strip_prefix("/{")) else { return };
        let Some(end) = rest.find('}') else { return };
        let prefix = url_path[..=collection.len() + 2 + end].to_owned();
        if !self.made.contains_key(&prefix) {
            let origin = Origin::of_post((&self.actions, position), &rest[..end], self.state);
            self.made.insert(prefix, origin);
        }
    }

    /// Adds the bare operation.
    fn add(&mut self, operation_idx: OperationIdx) -> usize {
        let action = self.filled(operation_idx, 0);
        self.actions.push(action);
        self.actions.len() - 1
    }

    /// The operation with drawn values; as a creator often with values that worked before.
    fn filled(&mut self, operation_idx: OperationIdx, depth: usize) -> Action {
        let worked = self.state.worked.get(&operation_idx).filter(|worked| depth > 0 && !worked.is_empty());
        let mut action = match worked {
            Some(worked) if self.state.random.chance(self.problem.settings.odds.worked_values) => {
                let mut action = worked[self.state.random.below(worked.len())].clone();
                self.state.renew_taken(self.problem, std::slice::from_mut(&mut action), &[]);
                action
            }
            _ => {
                let mut action = self.problem.template(operation_idx);
                self.state.expansions.expand(&mut action, &self.problem.settings.gene_limits, &mut self.state.random);
                fill(self.problem, self.state, &mut action, self.texts);
                action
            }
        };
        let is_allowed = depth > 0 || self.state.random.chance(self.problem.settings.odds.allowed_user);
        action.user = if is_allowed { self.state.access.allowed(operation_idx, self.user) } else { self.user };
        action
    }

    /// Adds the operation after what creates the resources it names, and returns its position.
    fn add_with_creators(&mut self, operation_idx: OperationIdx, depth: usize) -> usize {
        let mut action = self.filled(operation_idx, depth);
        self.log_in(&mut action, depth);
        self.follow_link(&mut action, depth);
        let operation = self.problem.api.operation(operation_idx);
        for (place, parameter) in operation.parameters.iter().enumerate() {
            let Some(prefix) = operation.prefix_to(place).map(str::to_owned).filter(|_| !is_linked(&action, place)) else {
                continue;
            };
            if !self.made.contains_key(&prefix) {
                self.create(operation_idx, &parameter.name, &prefix, depth);
            }
            if let Some(origin) = self.made.get(&prefix) {
                origin.name(self.problem.api, &self.actions, &mut action, place);
            }
        }
        self.link_references(&mut action, depth);
        self.actions.push(action);
        self.actions.len() - 1
    }

    /// Adds the creator of the path parameter `name`, when there is one and room for it.
    fn create(&mut self, operation_idx: OperationIdx, name: &str, prefix: &str, depth: usize) {
        if depth >= MAX_DEPTH || self.actions.len() + 1 >= self.room {
            return;
        }
        let SearchState { resources, random, .. } = &mut *self.state;
        let creators = resources.creators_of_path_parameter(self.problem.api, operation_idx, name);
        let creator = if creators.len() > 1 { random.pick(&creators) } else { creators.first() };
        let origin = match creator.copied() {
            Some(Creator::Post(post)) => {
                let from_action = self.add_with_creators(post, depth + 1);
                Origin::of_post((&self.actions, from_action), name, self.state)
            }
            Some(Creator::Named(named)) => {
                let position = self.add_with_creators(named, depth + 1);
                if self.made.contains_key(prefix) {
                    return;
                }
                let parameters = &self.problem.api.operation(named).parameters;
                let Some(place) = parameters.iter().rposition(|parameter| parameter.location == Location::Path) else { return };
                let sent = Some(Box::new(self.actions[position].parameters[place].clone()));
                Origin { from_action: position, answered: None, sent }
            }
            None => return,
        };
        self.made.insert(prefix.to_owned(), origin);
    }

    /// By its odds follows a link of the document, or a URL of an answer, that leads to the operation of `action`.
    fn follow_link(&mut self, action: &mut Action, depth: usize) {
        if depth >= MAX_DEPTH || self.actions.len() + 1 >= self.room {
            return;
        }
        let SearchState { resources, random, .. } = &mut *self.state;
        let drawn = resources.draw_link(self.problem, action.operation_idx, random);
        let Some(link) = drawn.filter(|link| link.from != action.operation_idx) else { return };
        let from_action = self.add_with_creators(link.from, depth + 1);
        for (place, source) in link.parameters {
            action.links.push(Link { place: LinkPlace::Parameter(place), from_action, source });
        }
    }
}

fn is_linked(action: &Action, place: usize) -> bool {
    action.links.iter().any(|link| link.place == LinkPlace::Parameter(place))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use crate::action::{Action, ActionResult, Answer, LinkPlace, LinkSource, Outcome, Request};
    use crate::api::{Api, Location, Operation, OperationIdx, Parameter, Schema, SchemaId, SchemaKind, StringSchema, Verb};
    use crate::openapi::{self, parse};
    use crate::search::{
        Budget, Evaluation, ExecutedCall, Execution, Individual, Problem, ReadInput, ReadPlace, SearchSettings, SearchState,
        Verdict,
    };

    use super::sample;

    fn text(api: &mut Api, schema: StringSchema) -> SchemaId {
        api.schemas.push(Schema::new(SchemaKind::String(schema)))
    }

    /// `PUT` and `GET /things/{name}` with a text of at most 2 characters, and a free one besides.
    fn things() -> Api {
        let mut api = Api::default();
        let short = text(&mut api, StringSchema { max_length: Some(2), ..StringSchema::default() });
        let free = text(&mut api, StringSchema::default());
        let name = Parameter { location: Location::Path, ..Parameter::query("name", free) };
        for verb in [Verb::Put, Verb::Get] {
            let parameters = vec![name.clone(), Parameter::query("short", short), Parameter::query("free", free)];
            api.operations.push(Operation { parameters, ..Operation::bare(verb, "/things/{name}") });
        }
        api
    }

    #[test]
    fn first_calls_send_texts_that_can_be_told_from_others() {
        let is_telling = |text: &str| text.len() >= 10 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let api = things();
        let mut later = Vec::new();
        for rng_seed in 0..40 {
            let settings = SearchSettings { p_invalid: 0.0, ..SearchSettings::new(Budget::Calls(100), rng_seed) };
            let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
            let mut state = SearchState::new(&problem);
            for _ in 0..2 {
                let individual = sample(&problem, &mut state);
                let values = individual.actions.iter().map(|action| [0, 1, 2].map(|idx| action.parameters[idx].to_json()));
                let values: Vec<_> = values.collect();
                for [name, short, free] in &values {
                    assert!([name, free].iter().all(|text| text.as_ref().unwrap().as_str().is_some_and(is_telling)));
                    assert!(short.as_ref().unwrap().as_str().unwrap().chars().count() <= 2);
                    assert_eq!(*name, values[0][0], "what is read is what was put there");
                }
            }
            assert!(state.first_calls.is_empty());
            let another = sample(&problem, &mut state).actions.pop().and_then(|it| it.parameters[2].to_json());
            assert!(another.unwrap().as_str().is_some_and(is_telling), "nothing was learned yet");
            state.evaluations = 1;
            let action = sample(&problem, &mut state).actions.remove(0);
            later.push(action.parameters[2].to_json().unwrap().as_str().is_some_and(is_telling));
        }
        assert!(later.contains(&false), "odd ones come later");
    }

    #[test]
    fn urls_of_answers_lead_to_what_nobody_is_known_to_create() {
        let mut api = Api::default();
        let free = text(&mut api, StringSchema::default());
        let in_path = |name| Parameter { location: Location::Path, ..Parameter::query(name, free) };
        api.operations.push(Operation::bare(Verb::Post, "/statement"));
        let parameters = vec![in_path("query"), in_path("slug")];
        api.operations.push(Operation { parameters, ..Operation::bare(Verb::Get, "/queued/{query}/{slug}") });
        let (post, get) = (OperationIdx(0), OperationIdx(1));
        let settings = SearchSettings { p_invalid: 0.0, p_smart: 1.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![post, get], 0, &settings);
        let mut state = SearchState::new(&problem);
        let answer = Answer { status: 200, json: Some(json!({"next": "/v1/queued/q/x7"})), ..Answer::default() };
        let request = Request {
            operation_idx: post,
            verb: Verb::Post,
            url: "/statement".to_owned(),
            headers: Vec::new(),
            body: None,
            user: None,
        };
        let result = ActionResult { request, outcome: Outcome::Answered(answer), elapsed: Duration::ZERO };
        let n_linked = |state: &mut SearchState| {
            state.evaluations = 1;
            state.first_calls.clear();
            let mut n_linked = 0;
            for _ in 0..40 {
                let individual = sample(&problem, state);
                let is_linked = |action: &&Action| !action.links.is_empty();
                let Some(action) = individual.actions.iter().find(is_linked) else { continue };
                let linked = |place, from_end| (LinkPlace::Parameter(place), LinkSource::Segment("/next".to_owned(), from_end));
                let links: Vec<_> = action.links.iter().map(|link| (link.place.clone(), link.source.clone())).collect();
                assert_eq!(links, [linked(1, 0), linked(0, 1)]);
                assert_eq!(individual.actions[action.links[0].from_action].operation_idx, post);
                n_linked += 1;
            }
            n_linked
        };
        assert_eq!(n_linked(&mut state), 0);
        state.resources.learn_links(post, &result);
        assert!(n_linked(&mut state) > 5);
        let following =
            (0..40).map(|_| sample(&problem, &mut state)).find(|it| it.actions.iter().any(|it| !it.links.is_empty()));
        let actions = following.expect("some follow it").actions;
        let call_idx = actions.iter().position(|action| !action.links.is_empty()).expect("one does");
        for (status, is_followed) in [(404, false), (200, true)] {
            (0..7).for_each(|_| state.resources.note_followed(&actions, call_idx, status));
            assert_eq!(n_linked(&mut state) > 0, is_followed, "after {status}");
        }
    }

    /// What was made in a group is asked for in that group: as it is sent where a link finds nothing, and by its link.
    #[test]
    fn what_is_made_in_a_collection_is_looked_for_there() {
        let mut api = Api::default();
        let free = text(&mut api, StringSchema::default());
        let in_path = |name| Parameter { location: Location::Path, ..Parameter::query(name, free) };
        for (verb, url_path, names) in [
            (Verb::Get, "/groups/{group}/items/{item}/owner", &["group", "item"][..]),
            (Verb::Post, "/groups/{group}/items", &["group"]),
            (Verb::Post, "/groups", &[]),
        ] {
            let parameters = names.iter().map(|name| in_path(name)).collect();
            api.operations.push(Operation { parameters, ..Operation::bare(verb, url_path) });
        }
        for n_operations in [2, 3] {
            let operations = (0..n_operations).map(OperationIdx).collect();
            let settings = SearchSettings { p_invalid: 0.0, p_smart: 1.0, ..SearchSettings::new(Budget::Calls(100), 1) };
            let problem = Problem::new(&api, operations, 0, &settings);
            let mut state = SearchState::new(&problem);
            let group = |action: &Action| {
                let links = action.links.iter().filter(|link| link.place == LinkPlace::Parameter(0));
                let links: Vec<_> = links.map(|link| (link.from_action, link.source.clone())).collect();
                (action.parameters[0].to_json(), links)
            };
            let mut n_beside = 0;
            for _ in 0..60 {
                let actions = sample(&problem, &mut state).actions;
                for action in actions.iter().filter(|action| action.operation_idx == OperationIdx(0)) {
                    let link = action.links.iter().find(|link| link.place == LinkPlace::Parameter(1));
                    let maker = link.map(|link| &actions[link.from_action]);
                    if let Some(maker) = maker.filter(|maker| maker.operation_idx == OperationIdx(1)) {
                        assert_eq!(group(action), group(maker));
                        assert_eq!(group(action).1.len(), n_operations as usize - 2);
                        n_beside += 1;
                    }
                }
            }
            assert!(n_beside > 10, "{n_beside}");
        }
    }

    /// `POST /users` answers nothing; whom it made goes by the name that was sent.
    #[test]
    fn what_answers_nothing_is_known_by_the_name_that_was_sent() {
        let users = json!({"type": "object", "required": ["mail", "username"],
            "properties": {"mail": {"type": "string"}, "username": {"type": "string"}}});
        let content = json!({"application/json": {"schema": users}});
        let answers = json!({"201": {"description": ""}});
        let name = json!({"name": "username", "in": "path", "required": true, "schema": {"type": "string"}});
        let paths = json!({
            "/users": {"post": {"requestBody": {"required": true, "content": content}, "responses": answers}},
            "/users/{username}": {"get": {"parameters": [name], "responses": answers}},
        });
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &openapi::Origin::Text).expect("a document");
        let (post, get) = (OperationIdx(0), OperationIdx(1));
        let settings = SearchSettings { p_invalid: 0.0, p_smart: 1.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![post, get], 0, &settings);
        let mut state = SearchState::new(&problem);
        let pairs_and_links = |state: &mut SearchState| {
            let (mut n_pairs, mut n_linked) = (0, 0);
            for _ in 0..60 {
                let actions = sample(&problem, state).actions;
                for pair in actions.windows(2).filter(|pair| [pair[0].operation_idx, pair[1].operation_idx] == [post, get]) {
                    let sent = pair[0].body.as_ref().and_then(|body| body.alternatives[body.active].to_json()).expect("a body");
                    assert_eq!(pair[1].parameters[0].to_json().as_ref(), sent.get("username"));
                    n_pairs += 1;
                    n_linked += usize::from(!pair[1].links.is_empty());
                }
            }
            (n_pairs, n_linked)
        };
        let (n_pairs, n_linked) = pairs_and_links(&mut state);
        assert!(n_pairs > 10 && n_linked == n_pairs, "an answer may tell it as well: {n_linked} of {n_pairs}");
        let (verb, url) = (Verb::Post, "/users".to_owned());
        let request = Request { operation_idx: post, verb, url, headers: Vec::new(), body: None, user: None };
        let outcome = Outcome::Answered(Answer { status: 201, ..Answer::default() });
        state.resources.learn(post, &ActionResult { request, outcome, elapsed: Duration::ZERO });
        let (n_pairs, n_linked) = pairs_and_links(&mut state);
        assert!(n_pairs > 10 && n_linked * 3 < n_pairs, "it does not: {n_linked} of {n_pairs}");
    }

    /// `POST /users` answers nothing; an order that refers to one has the id that was sent.
    #[test]
    fn what_refers_to_something_that_answers_nothing_has_what_was_sent() {
        let body = |names: &[&str]| {
            let fields: serde_json::Map<_, _> =
                names.iter().map(|name| (name.to_string(), json!({"type": "string"}))).collect();
            let schema = json!({"type": "object", "required": names, "properties": fields});
            json!({"required": true, "content": {"application/json": {"schema": schema}}})
        };
        let answers = json!({"201": {"description": ""}});
        let user = json!({"name": "userId", "in": "query", "required": true, "schema": {"type": "string"}});
        let paths = json!({
            "/users": {"post": {"requestBody": body(&["id", "mail"]), "responses": answers}},
            "/orders": {
                "post": {"requestBody": body(&["userId"]), "responses": answers},
                "get": {"parameters": [user], "responses": answers},
            },
        });
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &openapi::Origin::Text).expect("a document");
        let operations: Vec<_> = (0..3).map(OperationIdx).collect();
        let find = |verb, path| {
            operations.iter().copied().find(|idx| {
                let operation = api.operation(*idx);
                operation.verb == verb && operation.url_path == path
            })
        };
        let [users, orders, list] = [(Verb::Post, "/users"), (Verb::Post, "/orders"), (Verb::Get, "/orders")]
            .map(|(verb, path)| find(verb, path).expect("it is there"));
        let settings = SearchSettings { p_invalid: 0.0, p_smart: 1.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, operations.clone(), 0, &settings);
        let mut state = SearchState::new(&problem);
        let mut n_same = [0, 0];
        for _ in 0..100 {
            let actions = sample(&problem, &mut state).actions;
            for pair in actions.windows(2).filter(|pair| pair[0].operation_idx == users && !pair[1].links.is_empty()) {
                let field = |action: &Action, name: &str| {
                    let body = action.body.as_ref().expect("a body");
                    body.alternatives[body.active].to_json().and_then(|body| body.get(name).cloned())
                };
                let (at, named) = match pair[1].operation_idx {
                    idx if idx == orders => (0, field(&pair[1], "userId")),
                    idx if idx == list => (1, pair[1].parameters[0].to_json()),
                    _ => continue,
                };
                assert_eq!(named, field(&pair[0], "id"));
                n_same[at] += 1;
            }
        }
        assert!(n_same.iter().all(|times| *times > 5), "{n_same:?}");
    }

    #[test]
    fn header_fields_say_what_was_said_of_what_they_refer_to() {
        let text = json!({"type": "string"});
        let body = |names: &[&str]| {
            let fields: serde_json::Map<_, _> = names.iter().map(|name| (name.to_string(), text.clone())).collect();
            let schema = json!({"type": "object", "required": names, "properties": fields});
            json!({"required": true, "content": {"application/json": {"schema": schema}}})
        };
        let answers = json!({"201": {"description": ""}});
        let header = |name: &str| json!({"name": name, "in": "header", "required": true, "schema": text});
        let headers = ["X-Shop-ApiKey", "X-Shop-ApiSecret", "X-Tenant-Id", "X-Shop-Note"].map(header);
        let paths = json!({
            "/keys": {"post": {"requestBody": body(&["apiKey", "apiSecret", "note"]), "responses": answers}},
            "/orders": {"get": {"parameters": headers, "responses": answers}},
            "/tenants": {"post": {"requestBody": body(&["name"]), "responses": answers}},
            // This refers to a tenant as well, and makes none.
            "/things": {"post": {"requestBody": body(&["tenantId"]), "responses": answers}},
        });
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &openapi::Origin::Text).expect("a document");
        let operations: Vec<_> = (0..4).map(OperationIdx).collect();
        let at = |url_path: &str| operations.iter().copied().find(|idx| api.operation(*idx).url_path == url_path);
        let [keys, orders, tenants] = ["/keys", "/orders", "/tenants"].map(|url_path| at(url_path).expect("it is there"));
        let settings = SearchSettings { p_invalid: 0.0, p_smart: 1.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, operations.clone(), 0, &settings);
        let mut state = SearchState::new(&problem);
        let mut n_linked = 0;
        for _ in 0..80 {
            let actions = sample(&problem, &mut state).actions;
            let Some(order) = actions.iter().find(|action| action.operation_idx == orders && !action.links.is_empty()) else {
                continue;
            };
            let made = |operation_idx| actions.iter().position(|action| action.operation_idx == operation_idx);
            let sent = &actions[made(keys).expect("a key")].body.as_ref().expect("a body").alternatives[0];
            let sent = sent.to_json().expect("a value");
            let said: Vec<_> = order.parameters.iter().map(|gene| gene.to_json().expect("a value")).collect();
            assert_eq!(said[..2], [sent["apiKey"].clone(), sent["apiSecret"].clone()]);
            assert_ne!(said[3], sent["note"], "one word names many things");
            let link = order.links.iter().find(|link| link.place == LinkPlace::Parameter(2)).expect("the tenant's name");
            assert_eq!(Some(link.from_action), made(tenants));
            n_linked += 1;
        }
        assert!(n_linked > 5, "{n_linked}");
    }

    #[test]
    fn what_is_refused_is_called_after_a_login_to_an_account_of_the_test() {
        let text = json!({"type": "string"});
        let schema =
            json!({"type": "object", "required": ["email", "password"], "properties": {"email": text, "password": text}});
        let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
        let answers = json!({"200": {"description": ""}});
        let post = json!({"post": {"requestBody": body, "responses": answers}});
        let get = json!({"get": {"responses": answers}});
        let paths = json!({"/users": post, "/users/login": post, "/orders": get, "/notes": get});
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &openapi::Origin::Text).expect("a document");
        let operations: Vec<_> = (0..4).map(OperationIdx).collect();
        let at = |url_path: &str| operations.iter().copied().find(|idx| api.operation(*idx).url_path == url_path);
        let [users, login, orders, notes] =
            ["/users", "/users/login", "/orders", "/notes"].map(|url_path| at(url_path).expect("it is there"));
        let settings = SearchSettings { p_invalid: 0.0, p_smart: 1.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, operations.clone(), 0, &settings);
        let mut state = SearchState::new(&problem);
        let tell = |state: &mut SearchState, operation_idx: OperationIdx, answer: Answer| {
            let action = problem.template(operation_idx);
            let request = Request {
                operation_idx,
                verb: api.operation(operation_idx).verb,
                url: String::new(),
                headers: Vec::new(),
                body: None,
                user: None,
            };
            let result = ActionResult { request, outcome: Outcome::Answered(answer), elapsed: Duration::ZERO };
            state.logins.learn(&[action], &[result], 0)
        };
        assert!(tell(&mut state, orders, Answer { status: 401, ..Answer::default() }).is_empty());
        let token = Answer { status: 200, json: Some(json!({"token": "a-12345678"})), ..Answer::default() };
        assert_eq!(tell(&mut state, login, token), [orders]);
        let mut n_let_in = 0;
        for _ in 0..80 {
            let actions = sample(&problem, &mut state).actions;
            for (idx, action) in actions.iter().enumerate() {
                let place = LinkPlace::Credentials("Authorization".to_owned(), "Bearer ");
                let Some(link) = action.links.iter().find(|link| link.place == place) else { continue };
                assert!(action.operation_idx == orders && action.operation_idx != notes && link.from_action < idx);
                let said = |operation_idx| {
                    let call = actions.iter().find(|action| action.operation_idx == operation_idx).expect("a call");
                    call.body.as_ref().expect("a body").alternatives[0].to_json()
                };
                n_let_in += usize::from(actions[link.from_action].operation_idx == login && said(users) == said(login));
            }
        }
        assert!(n_let_in > 5, "{n_let_in}");
    }

    #[test]
    fn header_fields_that_the_service_reads_are_tried_with_what_they_refer_to() {
        let text = json!({"type": "string"});
        let schema = json!({"type": "object", "required": ["apiKey", "apiSecret"],
            "properties": {"apiKey": text, "apiSecret": text}});
        let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
        let answers = json!({"201": {"description": ""}});
        let paths =
            json!({"/keys": {"post": {"requestBody": body, "responses": answers}}, "/orders": {"get": {"responses": answers}}});
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &openapi::Origin::Text).expect("a document");
        let settings = SearchSettings { p_invalid: 0.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let orders = problem.template(OperationIdx(1));
        let request = Request {
            operation_idx: orders.operation_idx,
            verb: Verb::Get,
            url: "/orders".to_owned(),
            headers: Vec::new(),
            body: None,
            user: None,
        };
        let outcome = Outcome::Answered(Answer { status: 401, ..Answer::default() });
        let result = ActionResult { request, outcome, elapsed: Duration::ZERO };
        let call = ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None };
        let individual = Individual { actions: vec![orders] };
        let execution = Execution { individual, calls: vec![call], elapsed: Duration::ZERO };
        let input = |name: &str| (0, ReadInput { place: ReadPlace::Header, name: name.to_owned(), schema: "".into() });
        let inputs = ["X-Shop-ApiKey", "X-Shop-ApiSecret"].map(input).to_vec();
        state.learn(&problem, &Evaluation { inputs, ..Evaluation::new(execution, vec![Verdict::default()]) });
        let trials = (0..20).filter_map(|_| state.specialisations.trials.next());
        let trial =
            trials.map(|trial| trial.individual.actions).find(|actions| actions.len() == 2).expect("a trial with a key");
        let sent = trial[0].body.as_ref().expect("a body").alternatives[0].to_json().expect("a value");
        let said: Vec<_> = trial[1].parameters.iter().map(|gene| gene.to_json().expect("a value")).collect();
        assert_eq!(said, [sent["apiKey"].clone(), sent["apiSecret"].clone()]);
    }

    #[test]
    fn first_calls_are_right_and_later_ones_wrong_by_their_odds() {
        let api = things();
        let settings = SearchSettings { p_invalid: 1.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
        let mut state = SearchState::new(&problem);
        for is_right in [true, true, false] {
            let individual = sample(&problem, &mut state);
            assert_eq!(individual.actions.iter().all(|action| action.violation.is_none()), is_right);
            state.evaluations += 1;
        }
    }
}
