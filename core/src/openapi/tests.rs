use serde_json::{Value, json};

use super::{Error, Origin, load, parse};
use crate::api::{Api, SchemaKind};

/// An OpenAPI 3.0 document with one `POST /a` that takes `schema` as JSON.
fn with_body(schema: &Value, named: &Value) -> Api {
    let document = json!({
        "openapi": "3.0.3", "info": { "title": "t", "version": "1" },
        "paths": { "/a": { "post": {
            "requestBody": { "content": { "application/json": { "schema": schema } } }, "responses": { "200": { "description": "" } },
        } } },
        "components": { "schemas": named },
    });
    parse(&document.to_string(), &Origin::Text).unwrap()
}

#[test]
fn a_recursive_schema_becomes_a_cycle_of_ids() {
    let named = json!({ "Tree": { "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "#/components/schemas/Tree" } } } } });
    let api = with_body(&json!({ "$ref": "#/components/schemas/Tree" }), &named);
    let tree = api.operations[0].bodies[0].schema;
    let SchemaKind::Object(object) = &api.schemas.at(tree).kind else { panic!("{:?}", api.schemas.at(tree)) };
    let SchemaKind::Array(array) = &api.schemas.at(object.properties[0].schema).kind else { panic!() };
    assert_eq!(array.items, tree);
}

#[test]
fn errors_name_the_origin() {
    let error = load("/nonexistent/api.yaml").unwrap_err();
    assert!(matches!(error, Error::Read { .. }), "{error}");
    let error = parse("[1, 2", &Origin::Text).unwrap_err();
    assert!(matches!(error, Error::Syntax { .. }), "{error}");
    let error = parse("<html></html>", &Origin::Text).unwrap_err();
    assert_eq!(error.to_string(), "`(text)` is no OpenAPI or Swagger document: found text, wanted an object");
}
