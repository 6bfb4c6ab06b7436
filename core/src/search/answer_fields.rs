//! Fields of answers as keys of bodies whose keys the document leaves open: a call that changes a thing mostly takes some of
//! the fields that the thing is shown with.
//!
//! What the document says of the answers comes first: those of the operation itself, then of others on its path, then of
//! others on its resource. Where it says of none which fields it has, those count that were seen.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::action::{Action, AnswerSchema, ValuePlace};
use crate::api::{Additional, Api, Body, MediaKind, Operation, OperationIdx, SchemaId, SchemaKind, Schemas, StatusRange, Verb};
use crate::gene::{FieldName, Gene, GeneLimits};
use crate::random::Random;

use super::fill::{Texts, draw as draw_gene};
use super::mutator::gene_at;
use super::open_key::OpenKey;
use super::own_values::has_own_key;
use super::{Problem, probe};

/// Fields of one operation, at most.
const MOST_FIELDS: usize = 48;
/// Fields that are put in together, at most.
const MOST_TOGETHER: usize = 4;
/// Characters of a name, and of a value that was seen.
const LONGEST: usize = 100;
/// Arrays and choices around an object whose fields are looked for.
const DEEPEST: usize = 4;
/// Objects and arrays in a value, and all that it consists of.
const VALUE_LIMITS: (usize, usize) = (3, 60);

/// Fields of answers that operations may take.
#[derive(Debug, Clone)]
pub(super) struct AnswerFields {
    /// Of each operation whose body may have keys that the document does not name.
    of_operations: BTreeMap<OperationIdx, Fields>,
}

/// Fields that one operation may take.
#[derive(Debug, Clone)]
struct Fields {
    resource: String,
    /// Those that the document says, with what their values are.
    documented: Vec<(String, Gene)>,
    /// Those that were seen, with the last value.
    seen: Vec<(String, Value)>,
    /// Whether answers are looked at.
    looks: bool,
}

/// What a document says of an answer.
enum Told {
    /// Nothing of its fields.
    Nothing,
    /// That it is a map: its keys are values.
    Map,
    /// Its fields.
    Fields(Vec<(String, SchemaId)>),
}

impl AnswerFields {
    /// Those that the document tells of.
    pub fn new(problem: &Problem) -> Self {
        let api = problem.api;
        let open = problem.operations.iter().filter(|idx| has_open_body(api, api.operation(**idx)));
        let of_operations = open.map(|idx| (*idx, Fields::told(api, *idx, &problem.settings.gene_limits))).collect();
        Self { of_operations }
    }

    /// Learns from the last of these calls, which succeeded with the answer `json`.
    pub fn learn(&mut self, api: &Api, calls: &[Action], json: &Value) {
        let Some(action) = calls.last() else { return };
        let resource = resource_of(&api.operation(action.operation_idx).url_path);
        let looking = self.of_operations.values_mut().filter(|fields| fields.looks && fields.resource == resource);
        looking.for_each(|fields| fields.learn(calls, json));
    }

    /// Whether any are known that the body of an operation may have.
    pub fn are_known(&self, operation_idx: OperationIdx) -> bool {
        self.of_operations.get(&operation_idx).is_some_and(|fields| !fields.is_empty())
    }

    /// Their names.
    pub fn names(&self, operation_idx: OperationIdx) -> impl Iterator<Item = &str> {
        self.of_operations.get(&operation_idx).into_iter().flat_map(Fields::names)
    }

    /// A value for a key of a body, where it is one of the outermost object and something is known of it.
    pub fn value_of(&self, operation_idx: OperationIdx, key: &OpenKey, texts: Texts, random: &mut Random) -> Option<Value> {
        if key.is_outermost() { self.value(operation_idx, &key.name, texts, random) } else { None }
    }

    /// A value for the field `name` of the outermost object of a body; none where nothing is known of it.
    pub fn value(&self, operation_idx: OperationIdx, name: &str, texts: Texts, random: &mut Random) -> Option<Value> {
        self.of_operations.get(&operation_idx)?.value(name, texts, random)
    }

    /// Puts some into the body that `action` sends, where its keys are open, by the odds.
    pub fn vary(&self, problem: &Problem, action: &mut Action, texts: Texts, random: &mut Random) {
        let Some(fields) = self.of_operations.get(&action.operation_idx).filter(|fields| !fields.is_empty()) else { return };
        let odds = &problem.settings.odds;
        if !random.chance(odds.answer_fields) {
            return;
        }
        let has_examples = documented_body(problem, action).is_some_and(|body| !body.examples.is_empty());
        let is_alone = random.chance(odds.answer_fields_alone) && !has_examples;
        let Some(gene) = gene_at(action, ValuePlace::Body) else { return };
        if is_alone {
            gene.drop_made_up();
        }
        for _ in 0..=random.log_size(MOST_TOGETHER - 1) {
            fields.put_one_in(gene, texts, random);
        }
    }
}

impl Fields {
    /// Those that the document says an operation may take.
    fn told(api: &Api, operation_idx: OperationIdx, limits: &GeneLimits) -> Self {
        let resource = resource_of(&api.operation(operation_idx).url_path).to_owned();
        let mut fields = Self { resource, documented: Vec::new(), seen: Vec::new(), looks: true };
        for answer in answers_about(api, operation_idx) {
            match told_of(answer.schemas(), answer.root(), 0) {
                Told::Nothing => {}
                Told::Map => fields.looks = false,
                Told::Fields(told) => {
                    fields.documented = genes_of(answer.schemas(), told, limits);
                    fields.looks = false;
                    break;
                }
            }
        }
        fields
    }

    /// Notes the fields of an answer, but for those that the calls sent.
    fn learn(&mut self, calls: &[Action], json: &Value) {
        let json = json.get(0).unwrap_or(json);
        for (name, value) in json.as_object().into_iter().flatten() {
            let is_name = !name.is_empty() && name.len() <= LONGEST && !name.chars().any(char::is_control);
            let is_own = || probe::is_in(name) || calls.iter().any(|action| has_own_key(action, name));
            if !is_name || value.to_string().len() > LONGEST {
                continue;
            }
            let known = self.seen.iter().position(|(known, _)| known == name);
            match known {
                Some(idx) => self.seen[idx].1.clone_from(value),
                None if self.seen.len() < MOST_FIELDS && !is_own() => self.seen.push((name.clone(), value.clone())),
                None => {}
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.documented.is_empty() && self.seen.is_empty()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let documented = self.documented.iter().map(|(name, _)| name.as_str());
        documented.chain(self.seen.iter().map(|(name, _)| name.as_str()))
    }

    fn value(&self, name: &str, texts: Texts, random: &mut Random) -> Option<Value> {
        if let Some((_, gene)) = self.documented.iter().find(|(known, _)| known == name) {
            let mut gene = gene.clone();
            draw_gene(&mut gene, texts, random);
            return gene.to_json();
        }
        self.seen.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// Puts one of them into an object, if that takes it.
    fn put_one_in(&self, gene: &mut Gene, texts: Texts, random: &mut Random) {
        let names: Vec<&str> = self.names().collect();
        let Some(name) = random.pick(&names) else { return };
        let value = self.value(name, texts, random);
        gene.put_in_field(FieldName::Known(name), value.as_ref(), random);
    }
}

/// The path of what an operation works on, without what names one of its members.
fn resource_of(url_path: &str) -> &str {
    let mut path = url_path.trim_end_matches('/');
    while let Some((above, _)) = path.rsplit_once('/').filter(|(_, last)| last.starts_with('{') && last.ends_with('}')) {
        path = above;
    }
    path
}

/// The body of the document that a call sends.
fn documented_body<'a>(problem: &Problem<'a>, action: &Action) -> Option<&'a Body> {
    problem.api.operation(action.operation_idx).bodies.get(action.body.as_ref()?.active)
}

/// Whether the document leaves open which keys some JSON body of an operation has.
fn has_open_body(api: &Api, operation: &Operation) -> bool {
    let mut bodies = operation.bodies.iter().filter(|body| body.kind == MediaKind::Json);
    bodies.any(|body| is_open(&api.schemas, body.schema, 0))
}

fn is_open(schemas: &Schemas, id: SchemaId, depth: usize) -> bool {
    match &schemas.at(id).kind {
        SchemaKind::Any => true,
        SchemaKind::Object(object) => match object.additional {
            Additional::Forbidden => false,
            Additional::Unspecified => object.properties.is_empty(),
            Additional::Typed(_) => !object.is_tuple,
        },
        SchemaKind::Choice(choice) => depth < DEEPEST && choice.options.iter().any(|id| is_open(schemas, *id, depth + 1)),
        _ => false,
    }
}

/// What the document says of successful answers about what an operation works on, its own first.
fn answers_about(api: &Api, operation_idx: OperationIdx) -> impl Iterator<Item = AnswerSchema> {
    let operation = api.operation(operation_idx);
    let resource = resource_of(&operation.url_path);
    let alike = api.operations.iter().filter(move |other| resource_of(&other.url_path) == resource);
    let mut others: Vec<&Operation> = alike.filter(|other| other.id != operation.id).collect();
    others.sort_by_key(|other| (other.url_path != operation.url_path, other.verb != Verb::Get));
    let responses = std::iter::once(operation).chain(others).flat_map(|operation| &operation.responses);
    let succeeded = responses.filter(|response| match response.status {
        StatusRange::Code(code) => (200..300).contains(&code),
        StatusRange::Class(digit) => digit == 2,
        StatusRange::Default => false,
    });
    let media =
        succeeded.flat_map(|response| &response.media).filter(|media| MediaKind::of(&media.media_type) == MediaKind::Json);
    media.filter_map(|media| AnswerSchema::read(api, media.json_schema.as_ref()?))
}

/// The fields of an object, or of what an array holds.
fn told_of(schemas: &Schemas, id: SchemaId, depth: usize) -> Told {
    match &schemas.at(id).kind {
        SchemaKind::Object(object) if !object.properties.is_empty() && !object.is_tuple => {
            let fields = object.properties.iter().take(MOST_FIELDS);
            Told::Fields(fields.map(|property| (property.name.clone(), property.schema)).collect())
        }
        SchemaKind::Object(object) if matches!(object.additional, Additional::Typed(_)) => Told::Map,
        SchemaKind::Array(array) if depth < DEEPEST => told_of(schemas, array.items, depth + 1),
        SchemaKind::Choice(choice) if depth < DEEPEST => {
            let mut options = choice.options.iter().map(|id| told_of(schemas, *id, depth + 1));
            options.find(|told| matches!(told, Told::Fields(_))).unwrap_or(Told::Nothing)
        }
        _ => Told::Nothing,
    }
}

/// The fields that have values, with genes of these.
fn genes_of(schemas: &Schemas, told: Vec<(String, SchemaId)>, limits: &GeneLimits) -> Vec<(String, Gene)> {
    let limits = GeneLimits { max_depth: VALUE_LIMITS.0, max_genes: VALUE_LIMITS.1, ..limits.clone() };
    let (names, ids): (Vec<String>, Vec<SchemaId>) = told.into_iter().unzip();
    let genes = Gene::of_each(schemas, &ids, &limits);
    names.into_iter().zip(genes).filter(|(_, gene)| gene.is_satisfiable()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::{AnswerFields, resource_of};
    use crate::action::Action;
    use crate::api::{Api, OperationIdx};
    use crate::openapi::{self, parse};
    use crate::random::Random;
    use crate::search::fill::{Texts, fill};
    use crate::search::open_key::sent_body;
    use crate::search::{Budget, Problem, SearchSettings, SearchState};

    const GET: OperationIdx = OperationIdx(0);
    const PATCH: OperationIdx = OperationIdx(1);

    /// `GET` and `PATCH` of `/books/{id}`, whose answers are of these schemas, and whose body is of that.
    fn api(get: &Value, patch: &Value, body: &Value) -> Api {
        let answers = |schema: &Value| json!({"200": {"description": "", "content": {"application/json": {"schema": schema}}}});
        let content = json!({"application/merge-patch+json": {"schema": body}});
        let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}});
        let operations = json!({
            "parameters": [id],
            "get": {"responses": answers(get)},
            "patch": {"requestBody": {"required": true, "content": content}, "responses": answers(patch)},
        });
        let book = json!({"type": "object", "required": ["title"], "properties": {
            "title": {"type": "string"}, "copies": {"type": "integer", "minimum": 3, "maximum": 9}}});
        let document = json!({"openapi": "3.0.3", "info": {"title": "", "version": ""}, "paths": {"/books/{id}": operations},
            "components": {"schemas": {"Book": book}}});
        parse(&document.to_string(), &openapi::Origin::Text).expect("a document")
    }

    fn book() -> Value {
        json!({"$ref": "#/components/schemas/Book"})
    }

    /// In how many of 100 bodies that are drawn each key is, and the values that `copies` has.
    fn drawn(api: &Api, learn: impl Fn(&Problem, &mut AnswerFields)) -> (BTreeMap<String, usize>, Vec<Value>) {
        let settings = SearchSettings { p_invalid: 0.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(api, vec![GET, PATCH], 0, &settings);
        let mut state = SearchState::new(&problem);
        let mut fields = AnswerFields::new(&problem);
        learn(&problem, &mut fields);
        let (mut keys, mut copies) = (BTreeMap::new(), Vec::new());
        for seed in 0..100 {
            let mut action = problem.template(PATCH);
            fill(&problem, &mut state, &mut action, Texts::Any);
            if let Some(body) = &mut action.body {
                body.alternatives[body.active].assign(&json!({"x": 1}));
            }
            fields.vary(&problem, &mut action, Texts::Any, &mut Random::new(seed, 0));
            let body = sent_body(&action).expect("a body");
            for (key, value) in body.as_object().expect("an object") {
                *keys.entry(key.clone()).or_default() += 1;
                copies.extend((key == "copies").then(|| value.clone()));
            }
        }
        (keys, copies)
    }

    #[test]
    fn a_body_with_open_keys_takes_the_fields_that_answers_have_with_values_of_their_kind() {
        let anything = json!({});
        let list = json!({"type": "array", "items": book()});
        let map = json!({"type": "object", "additionalProperties": {}});
        for (get, patch, body) in
            [(&anything, &book(), &map), (&book(), &anything, &json!({"type": "object"})), (&list, &map, &map)]
        {
            let (keys, copies) = drawn(&api(get, patch, body), |_, _| {});
            assert_eq!(keys.keys().collect::<Vec<_>>(), ["copies", "title", "x"], "{get} {patch}");
            assert!(keys.values().all(|n| (15..90).contains(n)), "{keys:?}");
            assert!(copies.iter().all(|value| value.as_i64().is_some_and(|copies| (3..=9).contains(&copies))), "{copies:?}");
        }
    }

    #[test]
    fn a_body_whose_keys_are_named_takes_no_others() {
        let named = json!({"type": "object", "properties": {"x": {}}});
        let typed = json!({"type": "object", "additionalProperties": {"type": "integer"}});
        for (body, expected) in [(&named, &["x"][..]), (&typed, &["copies", "title", "x"])] {
            let (keys, _) = drawn(&api(&book(), &book(), body), |_, _| {});
            assert_eq!(keys.keys().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn fields_that_were_seen_count_where_none_are_documented() {
        let (anything, map) = (json!({}), json!({"type": "object", "additionalProperties": {"type": "string"}}));
        let body = json!({"type": "object"});
        let learn = |problem: &Problem, fields: &mut AnswerFields| {
            let calls: Vec<Action> = vec![problem.template(GET)];
            fields.learn(problem.api, &calls, &json!([{"pages": 7, "restive-key": 1, "": 2}]));
        };
        let keys = |get: &Value, patch: &Value| drawn(&api(get, patch, &body), learn).0.into_keys().collect::<Vec<_>>();
        assert_eq!(keys(&anything, &anything), ["pages", "x"]);
        assert_eq!(keys(&book(), &anything), ["copies", "title", "x"], "the document says which");
        assert_eq!(keys(&map, &anything), ["x"], "the keys of a map are what was sent");
        let own = |problem: &Problem, fields: &mut AnswerFields| {
            let mut action = problem.template(PATCH);
            let body = action.body.as_mut().expect("a body");
            body.present = true;
            assert!(body.alternatives[0].assign(&json!({"pages": 7})));
            fields.learn(problem.api, &[action], &json!({"pages": 7}));
        };
        let keys = drawn(&api(&anything, &anything, &body), own).0.into_keys().collect::<Vec<_>>();
        assert_eq!(keys, ["x"], "it was sent with the call");
    }

    #[test]
    fn a_resource_is_named_by_its_path() {
        for (url_path, resource) in
            [("/books/{id}", "/books"), ("/books/", "/books"), ("/a/{b}/{c}", "/a"), ("/{a}", ""), ("/", "")]
        {
            assert_eq!(resource_of(url_path), resource, "{url_path}");
        }
    }
}
