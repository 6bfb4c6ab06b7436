//! Anything in the place of anything: no panic, and validators compile.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::{Origin, parse};
use crate::api::Direction;

/// A document with something of everything.
fn template() -> Value {
    json!({
        "openapi": "3.0.3",
        "info": { "title": "t", "version": "1" },
        "servers": [{ "url": "http://{h}/", "variables": { "h": { "default": "a" } } }],
        "security": [{ "key": [] }],
        "paths": { "/a/{id}": {
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer", "minimum": 1 } }],
            "post": {
                "operationId": "x",
                "parameters": [{ "name": "q", "in": "query", "style": "form", "explode": true, "schema": { "type": "array", "items": { "type": "string" } } },
                    { "name": "old", "in": "query", "type": "array", "collectionFormat": "csv", "items": { "type": "string" } }],
                "requestBody": { "required": true, "content": {
                    "application/json": { "schema": { "$ref": "#/components/schemas/Pet" }, "example": 1, "examples": { "a": { "value": 1 } } },
                    "multipart/form-data": { "schema": { "type": "object" }, "encoding": { "a": { "contentType": "image/png", "style": "form" } } },
                } },
                "responses": { "200": {
                    "description": "", "headers": { "X": { "schema": { "type": "string" } } },
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } },
                    "links": { "l": { "operationId": "x", "parameters": { "id": "$response.body#/id" } } },
                }, "default": { "schema": { "type": "file" } } },
            },
        } },
        "components": { "schemas": { "Pet": {
            "type": "object", "required": ["name"], "nullable": true, "discriminator": { "propertyName": "name", "mapping": { "a": "b" } },
            "properties": {
                "name": { "type": "string", "minLength": 1, "maxLength": 5, "pattern": "^a", "enum": ["a"], "format": "date" },
                "age": { "type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 5, "multipleOf": 0.5 },
                "tags": { "type": "array", "items": { "$ref": "#/components/schemas/Pet" }, "minItems": 0, "uniqueItems": true },
                "more": { "oneOf": [{ "$ref": "#/components/schemas/Pet" }, { "allOf": [{ "type": "string" }, { "not": { "const": 1 } }] }] },
            },
            "additionalProperties": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
            "patternProperties": { "^x": { "type": "string" } }, "minProperties": 1, "xml": { "name": "p" }, "default": {}, "example": {},
        } } },
    })
}

/// JSON values that look like parts of documents often enough to go deep.
fn anything() -> impl Strategy<Value = Value> {
    let words = [
        "string",
        "object",
        "integer",
        "null",
        "path",
        "query",
        "body",
        "$ref",
        "#",
        "#/components/schemas/Pet",
        "#/paths",
        "(",
        "",
        "{",
        "3",
        "-1",
        "application/json",
    ];
    let keys = [
        "type",
        "$ref",
        "properties",
        "items",
        "allOf",
        "oneOf",
        "enum",
        "required",
        "schema",
        "in",
        "name",
        "minimum",
        "const",
        "not",
        "a",
        "pattern",
        "200",
        "get",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-3_i32..4).prop_map(Value::from),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(keys.to_vec()), inner), 0..4).prop_map(|fields| Value::Object(
                fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>()
            )),
        ]
    })
}

/// Every place of a document as JSON pointer.
fn pointers(value: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                pointers(value, &format!("{pointer}/{}", crate::api::json_schema::escape(key)), found);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(idx, item)| pointers(item, &format!("{pointer}/{idx}"), found));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn anything_spliced_into_a_document_neither_panics_nor_breaks_validators(
        splices in prop::collection::vec((any::<prop::sample::Index>(), anything()), 1..4),
        version in prop::sample::select(vec!["3.0.3", "3.1.0"]),
    ) {
        let mut document = template();
        document["openapi"] = Value::from(version);
        for (place, value) in splices {
            let mut found = Vec::new();
            pointers(&document, "", &mut found);
            if let Some(part) = document.pointer_mut(place.get(&found).as_str()) {
                *part = value;
            }
        }
        if let Ok(api) = parse(&document.to_string(), &Origin::Text) {
            for operation in &api.operations {
                let bodies = operation.bodies.iter().map(|body| &body.json_schema);
                let parameters = operation.parameters.iter().map(|parameter| &parameter.json_schema);
                let media = operation.responses.iter().flat_map(|response| &response.media).filter_map(|media| media.json_schema.as_ref());
                for fragment in bodies.chain(parameters).chain(media) {
                    for direction in [Direction::Request, Direction::Answer] {
                        let closure = api.json_schemas.closure(fragment, direction);
                        let validator = jsonschema::validator_for(&closure);
                        prop_assert!(validator.is_ok(), "{closure:#}: {:?}", validator.err());
                        // Ends, whatever it says.
                        let _ = validator.unwrap().is_valid(&json!({ "name": "a", "tags": [{}], "more": {} }));
                    }
                }
            }
        }
    }
}
