use serde_json::json;

use crate::action::{ActionResult, Answer, LinkSource, Outcome, Request};
use crate::api::{Api, Location, Operation, OperationIdx, Parameter, Schema, SchemaKind, Style, Verb};
use crate::random::Random;
use crate::search::names::{collection_of, noun_of};

use super::{Creator, Resources, source_of};

/// An interface of bare operations; every `{name}` of a path becomes a parameter.
fn api(operations: &[(Verb, &str)]) -> Api {
    let mut api = Api::default();
    let schema = api.schemas.push(Schema::new(SchemaKind::Any));
    for (verb, url_path) in operations {
        let parameters =
            url_path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).map(|name| Parameter {
                name: name.to_owned(),
                location: Location::Path,
                required: true,
                style: Style::Simple,
                explode: false,
                allow_reserved: false,
                content: None,
                schema,
                json_schema: json!({}),
                examples: Vec::new(),
            });
        api.operations.push(Operation { parameters: parameters.collect(), ..Operation::bare(*verb, url_path) });
    }
    api
}

fn resources(api: &Api) -> Resources {
    let all: Vec<OperationIdx> = (0..api.operations.len()).map(|idx| OperationIdx(u32::try_from(idx).expect("few"))).collect();
    Resources::new(api, &all)
}

#[test]
fn a_post_on_the_collection_creates_the_item() {
    let api = api(&[
        (Verb::Get, "/pets/{petId}"),
        (Verb::Post, "/pets"),
        (Verb::Get, "/pets/{petId}/toys/{toyId}"),
        (Verb::Post, "/pets/{petId}/toys"),
    ]);
    let resources = resources(&api);
    let creator = |operation, name| resources.creators_of_path_parameter(&api, OperationIdx(operation), name);
    assert_eq!(creator(0, "petId"), [Creator::Post(OperationIdx(1))]);
    assert_eq!(creator(2, "petId"), [Creator::Post(OperationIdx(1))]);
    assert_eq!(creator(2, "toyId"), [Creator::Post(OperationIdx(3))]);
}

#[test]
fn a_put_on_the_item_creates_it_when_there_is_no_post() {
    let api = api(&[(Verb::Delete, "/keys/{name}"), (Verb::Put, "/keys/{name}")]);
    let resources = resources(&api);
    assert_eq!(resources.creators_of_path_parameter(&api, OperationIdx(0), "name"), [Creator::Named(OperationIdx(1))]);
    assert_eq!(resources.creators_of_path_parameter(&api, OperationIdx(1), "name"), []);
}

#[test]
fn what_no_collection_creates_may_be_created_on_its_own_path() {
    let of_type = [(Verb::Get, "/apps/{type}/{name}"), (Verb::Post, "/apps/{type}/{name}"), (Verb::Post, "/apps")];
    let api = api(&[of_type.as_slice(), &[(Verb::Put, "/apps/{type}/{name}")]].concat());
    for (n_operations, expected) in [
        (2, vec![Creator::Named(OperationIdx(1))]),
        (3, vec![Creator::Post(OperationIdx(2)), Creator::Named(OperationIdx(1))]),
        (4, vec![Creator::Named(OperationIdx(3))]),
    ] {
        let operations: Vec<_> = (0..n_operations).map(OperationIdx).collect();
        let resources = Resources::new(&api, &operations);
        assert_eq!(resources.creators_of_path_parameter(&api, OperationIdx(0), "name"), expected);
    }
}

#[test]
fn a_field_name_leads_to_the_operation_that_creates_such_things() {
    let api = api(&[(Verb::Post, "/orders"), (Verb::Post, "/v1/customers"), (Verb::Get, "/lookup/{customer_id}")]);
    let resources = resources(&api);
    assert_eq!(resources.creator_of_name(OperationIdx(0), "customerId", ""), Some(OperationIdx(1)));
    assert_eq!(resources.creator_of_name(OperationIdx(0), "orderId", ""), None, "nothing creates what it needs itself");
    assert_eq!(resources.creators_of_path_parameter(&api, OperationIdx(2), "customer_id"), [Creator::Post(OperationIdx(1))]);
}

#[test]
fn a_verb_at_the_end_of_a_path_says_what_is_created_above_it() {
    let api = api(&[
        (Verb::Post, "/user/create"),
        (Verb::Get, "/user/{id}"),
        (Verb::Post, "/plan/{id}/create"),
        (Verb::Get, "/plan/{id}"),
        (Verb::Post, "/createOrder"),
        (Verb::Get, "/find/{orderId}"),
        (Verb::Post, "/address"),
        (Verb::Post, "/pets/new"),
        (Verb::Post, "/pets"),
        (Verb::Get, "/pets/{id}"),
    ]);
    let resources = resources(&api);
    let creator = |operation, name| resources.creators_of_path_parameter(&api, OperationIdx(operation), name);
    assert_eq!(creator(1, "id"), [Creator::Post(OperationIdx(0))]);
    assert_eq!(creator(3, "id"), [], "a plan is what it is created in");
    assert_eq!(creator(5, "orderId"), [Creator::Post(OperationIdx(4))]);
    assert_eq!(creator(9, "id"), [Creator::Post(OperationIdx(8))], "what needs no verb comes first");
    let collections = ["/user/create", "/user/create/", "/pets", "/createOrder", "/address"].map(collection_of);
    assert_eq!(collections, ["/user", "/user", "/pets", "/createOrder", "/address"]);
}

/// What identifies what a POST created, drawn 50 times after one such answer.
fn identities(answer: Answer, parameter: &str) -> Vec<LinkSource> {
    let api = api(&[(Verb::Post, "/pets")]);
    let mut resources = resources(&api);
    let mut random = Random::new(1, 0);
    let request = Request {
        operation_idx: OperationIdx(0),
        verb: Verb::Post,
        url: "/pets".to_owned(),
        headers: Vec::new(),
        body: None,
        user: None,
    };
    let result = ActionResult { request, outcome: Outcome::Answered(answer), elapsed: std::time::Duration::ZERO };
    resources.learn(OperationIdx(0), &result);
    (0..50).map(|_| resources.identity(OperationIdx(0), parameter, &mut random)).collect()
}

#[test]
fn identity_is_learned_from_answers() {
    let body = json!({"name": "x", "data": {"petNumber": 3}, "uuid": "u"});
    let drawn = identities(Answer { status: 201, json: Some(body), ..Answer::default() }, "petNumber");
    let exact = drawn.iter().filter(|source| **source == LinkSource::Body("/data/petNumber".to_owned())).count();
    assert!(exact > 40, "{exact} of 50");
}

#[test]
fn a_location_tells_more_than_fields_that_are_called_otherwise() {
    let headers = vec![("location".to_owned(), "/pets/7".to_owned())];
    let body = json!({"name": "x", "_links": {"self": {"href": "/pets/7"}}});
    let drawn = identities(Answer { status: 201, headers: headers.clone(), json: Some(body), ..Answer::default() }, "id");
    let of_location = drawn.iter().filter(|source| **source == LinkSource::LocationSegment).count();
    assert!(of_location > 35, "{of_location} of 50");
    let body = json!({"name": "x", "id": 7});
    let drawn = identities(Answer { status: 201, headers, json: Some(body), ..Answer::default() }, "id");
    let of_id = drawn.iter().filter(|source| **source == LinkSource::Body("/id".to_owned())).count();
    assert!(of_id > 35, "{of_id} of 50");
}

#[test]
fn nouns_and_expressions() {
    assert_eq!(noun_of("/api/v1/categories/{id}"), "category");
    assert_eq!(noun_of("/{id}"), "");
    assert_eq!(source_of("$response.body#/id"), Some(LinkSource::Body("/id".to_owned())));
    assert_eq!(source_of("$response.header.Location"), Some(LinkSource::Header("Location".to_owned())));
    assert_eq!(source_of("$request.path.id"), None);
}
