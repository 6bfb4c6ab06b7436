//! Documents that are large, deep or made to do harm.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::super::{Origin, parse};
use super::api_of;
use crate::action;
use crate::api::{Direction, Repair};

fn with_schemas(schemas: &Value) -> String {
    json!({
        "openapi": "3.0.0",
        "paths": { "/a": { "post": { "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/S0" } } } } } } },
        "components": { "schemas": schemas },
    })
    .to_string()
}

/// Loads the document and compiles its validator; says whether the operation and its body are there and it compiles.
fn survives(schemas: &Value) -> bool {
    let api = api_of(&with_schemas(schemas));
    let body = api.operations.first().and_then(|operation| operation.bodies.first());
    body.is_some_and(|body| jsonschema::validator_for(&api.json_schemas.closure(&body.json_schema, Direction::Request)).is_ok())
}

/// Loads the document, whose body can have no value because branches of its `oneOf` are equal; says whether only the
/// body is left out, and that is told.
fn is_left_out(schemas: &Value) -> bool {
    let api = action::settle(api_of(&with_schemas(schemas)));
    let is_told =
        |repair: &Repair| repair.pointer == "/components/schemas/S0" && repair.action.contains("no value was found that fits");
    matches!(api.operations.as_slice(), [operation] if operation.bodies.is_empty()) && api.repairs.iter().any(is_told)
}

fn reference(idx: usize) -> Value {
    json!({ "$ref": format!("#/components/schemas/S{idx}") })
}

fn numbered(n: usize, schema: impl Fn(usize) -> Value) -> Value {
    Value::Object((0..n).map(|idx| (format!("S{idx}"), schema(idx))).collect::<Map<_, _>>())
}

#[test]
fn long_chains_of_references_end() {
    assert!(survives(&numbered(2_000, |idx| reference(idx + 1))));
    assert!(survives(&numbered(2_000, |idx| json!({ "properties": { "a": reference(idx + 1) } }))));
    assert!(survives(&numbered(2_000, |idx| json!({ "allOf": [reference(idx + 1), { "type": "object" }] }))));
    assert!(survives(&numbered(2_000, |idx| json!({ "required": ["a"], "properties": { "a": reference(idx + 1) } }))));
}

#[test]
fn doubling_schemas_end() {
    assert!(survives(&numbered(60, |idx| json!({ "allOf": [reference(idx + 1), reference(idx + 1)] }))));
    let equal_branches = numbered(60, |idx| json!({ "oneOf": [reference(idx + 1), { "allOf": [reference(idx + 1)] }] }));
    assert!(is_left_out(&equal_branches));
    assert!(is_left_out(&numbered(
        60,
        |idx| json!({ "properties": { "x": {} }, "oneOf": [reference(idx + 1), { "allOf": [reference(idx + 1)] }], "anyOf": [reference(idx + 2), {}] }),
    )));
}

#[test]
fn everything_referring_to_everything_ends() {
    let all: Vec<Value> = (0..20).map(reference).collect();
    assert!(is_left_out(&numbered(
        20,
        |_| json!({ "oneOf": all, "anyOf": all, "properties": { "a": { "allOf": all } }, "additionalProperties": { "oneOf": all } }),
    )));
}

#[test]
fn ten_thousand_operations_load() {
    let mut text = "openapi: 3.0.0\npaths:\n".to_owned();
    for idx in 0..10_000 {
        writeln!(text, "  /a{idx}/{{id}}: {{get: {{parameters: [{{name: id, in: path, schema: {{type: integer}}}}]}}}}")
            .unwrap();
    }
    assert_eq!(api_of(&text).operations.len(), 10_000);
}

#[test]
fn strange_names_are_taken_as_they_are() {
    let api = api_of(&json!({
        "openapi": "3.0.0",
        "paths": { "/{}/{{a}}/\u{0}\r\n/%zz": { "get": { "tags": [3, "a"], "operationId": 3, "parameters": {} } }, "": { "get": {} } },
        "servers": { "a": 1 }, "info": 3, "security": "x",
    }).to_string());
    assert_eq!(api.operations.len(), 2);
    assert!(parse(&json!({ "openapi": "3.0.0", "paths": [] }).to_string(), &Origin::Text).unwrap().operations.is_empty());
}
