//! Requests of the real renderer are cut at every place a linked value can go to.

use std::time::Duration;

use serde_json::{Value, json};

use super::{answered, resolve};
use crate::action::{Action, ActionResult, Link, LinkPlace, LinkSource, render};
use crate::api::{Api, OperationIdx, Verb};
use crate::openapi::{Origin, parse};
use crate::search::{Budget, Individual, SearchSettings, Solution, SolvedTest, Targets};
use crate::suite::model::{Piece, TestBody, TestCall, TestSuite};
use crate::suite::{Escape, SuiteReset, SuiteSource};

/// An interface with linked places of every kind.
const LINKED: &str = r##"{"openapi": "3.0.3", "info": {"title": "Links", "version": "1"}, "paths": {
    "/orders": {"post": {"responses": {"201": {"description": "made"}}}},
    "/orders/{id}": {"put": {
        "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
            {"name": "q", "in": "query", "required": true,
             "schema": {"type": "array", "minItems": 1, "items": {"type": "string"}}},
            {"name": "X-Id", "in": "header", "required": true, "schema": {"type": "string"}},
            {"name": "c", "in": "cookie", "required": true, "schema": {"type": "string"}}],
        "requestBody": {"required": true, "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Order"}},
            "application/x-www-form-urlencoded": {"schema": {"$ref": "#/components/schemas/Order"}},
            "application/xml": {"schema": {"$ref": "#/components/schemas/Order"}},
            "multipart/form-data": {"schema": {"$ref": "#/components/schemas/Order"}}}},
        "responses": {"200": {"description": "ok"}}}}},
    "components": {"schemas": {"Order": {"type": "object", "required": ["text", "number"], "properties": {
        "text": {"type": "string"}, "number": {"type": "integer"}}}}}}"##;

/// The suite for a POST whose answer has `id`, and a PUT that takes it everywhere in the body alternative `active`;
/// the PUT as it was sent and as it is written.
fn linked_put(api: &Api, id: &Value, active: usize) -> (ActionResult, TestCall) {
    let limits = SearchSettings::new(Budget::Calls(1), 1).gene_limits;
    let template = |verb| {
        let idx = api.operations.iter().position(|operation| operation.verb == verb).expect("it is there");
        Action::template(api, OperationIdx(u32::try_from(idx).expect("two operations")), &limits)
    };
    let (post, mut put) = (template(Verb::Post), template(Verb::Put));
    put.body.as_mut().expect("a body").active = active;
    let places = (0..4).map(LinkPlace::Parameter).chain(["/text", "/number"].map(|pointer| LinkPlace::Body(pointer.into())));
    let link = |place| Link { place, from_action: 0, source: LinkSource::Body("/id".into()) };
    put.links = places.map(link).collect();
    let result = |request, outcome| ActionResult { request, outcome, elapsed: Duration::ZERO };
    let mut results = vec![result(render(api, &post, &mut |_| None), answered(201, json!({ "id": id })))];
    let request = render(api, &put, &mut |link| resolve(&results, link));
    results.push(result(request, answered(200, json!({}))));
    let sent = results[1].clone();
    let individual = Individual { actions: vec![post, put] };
    let test =
        SolvedTest { individual, results, repeats: Vec::new(), targets: Vec::new(), findings: Vec::new(), fresh: Vec::new() };
    let source = SuiteSource {
        api,
        solution: &Solution { tests: vec![test], ..Solution::default() },
        targets: &Targets::default(),
        findings: &[],
        finding_ids: &[],
        users: &[],
        base_url: "http://service.test",
        title: "Links",
        insecure: false,
        reset: SuiteReset::Never,
        secrets: &[],
    };
    (sent, TestSuite::from_solution(&source).tests.remove(0).calls.remove(1))
}

/// What the test would send when the answer has `id` again, and the number of places it goes to.
fn filled(pieces: &[Piece], id: &Value) -> (String, usize) {
    let text = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let fill = |piece: &Piece| match piece {
        Piece::Text(fixed) => fixed.clone(),
        Piece::Captured { escape, .. } => Escape::apply(*escape, &text),
    };
    (pieces.iter().map(fill).collect(), pieces.iter().filter(|piece| piece.is_capture_of("order_id")).count())
}

#[test]
fn linked_values_are_cut_out_of_every_place() {
    let origin = Origin::of("links.json").expect("a file name");
    let api = parse(LINKED, &origin).expect("a valid document");
    for id in [json!("a b/&<\"+"), json!(17), json!("17"), json!(true)] {
        for active in 0..4 {
            let (sent, written) = linked_put(&api, &id, active);
            assert_eq!(filled(&written.url, &id), (sent.request.url.clone(), 2));
            let field = |name: &str| &written.headers.iter().find(|field| field.0 == name).expect("it is sent").1;
            assert_eq!((filled(field("X-Id"), &id).1, filled(field("Cookie"), &id).1), (1, 1));
            let Some(TestBody::Text(pieces)) = &written.body else { panic!("{:?}", written.body) };
            let body = String::from_utf8(sent.request.body.clone().expect("a body")).expect("UTF-8");
            assert_eq!(filled(pieces, &id), (body, 2), "{id} as {active}");
        }
    }
}
