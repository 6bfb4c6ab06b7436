use serde_json::{Value, json};

use super::{Dialect, Direction, JsonSchemas, SchemaDocument};

fn schemas(dialect: Dialect, named: &Value) -> JsonSchemas {
    let value = json!({ "components": { "schemas": named } });
    JsonSchemas::new([(String::new(), SchemaDocument { value, dialect })].into())
}

#[track_caller]
fn check(schemas: &JsonSchemas, fragment: &Value, valid: &[Value], invalid: &[Value]) {
    check_in(Direction::Answer, schemas, fragment, (valid, invalid));
    check_in(Direction::Request, schemas, fragment, (valid, invalid));
}

#[track_caller]
fn check_in(direction: Direction, schemas: &JsonSchemas, fragment: &Value, (valid, invalid): (&[Value], &[Value])) {
    let closure = schemas.closure(fragment, direction);
    let validator = jsonschema::validator_for(&closure).unwrap_or_else(|error| panic!("{closure:#}: {error}"));
    for value in valid {
        assert!(validator.is_valid(value), "{value} should fit {closure:#}");
    }
    for value in invalid {
        assert!(!validator.is_valid(value), "{value} should not fit {closure:#}");
    }
}

#[test]
fn nullable_and_boolean_bounds_of_openapi_30_keep_their_meaning() {
    let schemas = schemas(Dialect::OpenApi30, &json!({ "Pet": { "type": "object", "required": ["id"] } }));
    check(
        &schemas,
        &json!({ "type": "integer", "minimum": 1, "exclusiveMinimum": true, "nullable": true }),
        &[json!(2), json!(null)],
        &[json!(1), json!("2")],
    );
    check(
        &schemas,
        &json!({ "nullable": true, "allOf": [{ "$ref": "#/components/schemas/Pet" }] }),
        &[json!(null), json!({ "id": 1 })],
        &[json!({}), json!(1)],
    );
    check(&schemas, &json!({ "type": "string", "nullable": true, "enum": ["a"] }), &[json!("a"), json!(null)], &[json!("b")]);
    let now = json!({ "type": "string", "format": "date-time", "enum": ["now"] });
    assert_eq!(schemas.closure(&now, Direction::Answer).get("format"), None);
    check(&schemas, &json!({ "type": "string", "enum": ["a", null] }), &[json!("a"), json!(null)], &[json!("b")]);
}

#[test]
fn branches_with_a_discriminator_may_overlap() {
    let schemas = schemas(Dialect::OpenApi30, &json!({}));
    let options = json!([{ "type": "object" }, { "type": "object", "required": ["id"] }]);
    let both = json!({ "id": 1 });
    check(&schemas, &json!({ "oneOf": options }), &[json!({})], std::slice::from_ref(&both));
    check(&schemas, &json!({ "oneOf": options, "discriminator": { "propertyName": "kind" } }), &[json!({}), both], &[json!(1)]);
}

#[test]
fn openapi_31_schemas_keep_json_schema_meaning() {
    let schemas = schemas(Dialect::OpenApi31, &json!({ "Pet": { "type": ["object", "null"], "required": ["id"] } }));
    let fragment =
        json!({ "$ref": "#/components/schemas/Pet", "properties": { "id": { "const": 3 } }, "unevaluatedProperties": false });
    check(&schemas, &fragment, &[json!(null), json!({ "id": 3 })], &[json!({ "id": 4 }), json!({ "id": 3, "more": 1 })]);
    let fragment = json!({ "type": "array", "prefixItems": [{ "type": "string" }], "items": false });
    check(&schemas, &fragment, &[json!(["a"])], &[json!([1]), json!(["a", 1])]);
    let fragment = json!({ "if": { "required": ["a"] }, "then": { "required": ["b"] }, "nullable": true, "type": "object" });
    check(&schemas, &fragment, &[json!({}), json!({ "a": 1, "b": 1 })], &[json!({ "a": 1 }), json!(null)]);
}

#[test]
fn recursive_schemas_and_endless_references_compile_and_end() {
    let named = json!({
        "Tree": { "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "#/components/schemas/Tree" } } } },
        "Self": { "$ref": "#/components/schemas/Self" },
        "Loop": { "allOf": [{ "$ref": "#/components/schemas/Pool" }, { "type": "object" }] },
        "Pool": { "allOf": [{ "$ref": "#/components/schemas/Loop" }, { "required": ["a"] }] },
        "Way": { "oneOf": [{ "$ref": "#/components/schemas/Way" }, { "type": "string" }] },
    });
    let schemas = schemas(Dialect::OpenApi30, &named);
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    check(&schemas, &reference("Tree"), &[json!({ "children": [{ "children": [] }] })], &[json!({ "children": [1] })]);
    check(&schemas, &reference("Self"), &[json!(1)], &[]);
    check(&schemas, &reference("Loop"), &[json!({ "a": 1 })], &[json!({}), json!(1)]);
    check(&schemas, &reference("Way"), &[json!("a")], &[json!(1)]);
}

#[test]
fn malformed_keywords_are_left_out() {
    let schemas = schemas(Dialect::OpenApi30, &json!({}));
    let fragment = json!({
        "type": "strange", "minLength": -1, "maxLength": "5", "pattern": "(", "required": true, "enum": [], "allOf": {},
        "properties": { "a": 3 }, "minimum": 7, "maximum": 3, "multipleOf": 0, "items": [{}], "oneOf": [], "$id": 3,
    });
    check(&schemas, &fragment, &[json!("abcde"), json!(8)], &[json!("abcdef"), json!(6)]);
    check(&schemas, &json!({ "$ref": "#/components/schemas/Gone" }), &[json!(1)], &[]);
    check(
        &schemas,
        &json!({ "type": "string", "enum": [1, true, "c"] }),
        &[json!("1"), json!("true"), json!("c")],
        &[json!(1)],
    );
    check(&schemas, &json!({ "type": "boolean", "enum": ["x"] }), &[json!("x")], &[json!(true)]);
}

#[test]
fn write_only_properties_are_demanded_of_requests_only() {
    let schemas = schemas(Dialect::OpenApi30, &json!({ "Secret": { "type": "string", "writeOnly": true } }));
    let fragment = json!({ "required": ["id", "secret"], "properties": { "id": {}, "secret": { "$ref": "#/components/schemas/Secret" } } });
    let (plain, whole) = (json!({ "id": 1 }), json!({ "id": 1, "secret": "a" }));
    let wrong = [json!({ "secret": "a" }), json!({ "id": 1, "secret": 1 })];
    check_in(Direction::Answer, &schemas, &fragment, (&[plain.clone(), whole.clone()], &wrong));
    check_in(Direction::Request, &schemas, &fragment, (&[whole], &[&wrong[..], &[plain]].concat()));
}

#[test]
fn references_with_escapes_resolve() {
    let value = json!({ "paths": { "/a/{id}": { "x~y": [{ "type": "string" }] } } });
    let schemas = JsonSchemas::from_document(value);
    for reference in ["#/paths/~1a~1{id}/x~0y/0", "#/paths/~1a~1%7Bid%7D/x~0y/0"] {
        check(&schemas, &json!({ "$ref": reference }), &[json!("a")], &[json!(1)]);
    }
}

#[test]
fn closed_parts_allow_what_other_parts_demand() {
    let named = json!({
        "Closed": { "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": false },
        "Base": { "type": "object", "required": ["b"], "properties": { "b": {} } },
        "Loop": { "allOf": [{ "$ref": "#/components/schemas/Pool" }], "required": ["x"], "properties": { "x": {} }, "additionalProperties": false },
        "Pool": { "allOf": [{ "$ref": "#/components/schemas/Loop" }], "required": ["y"], "properties": { "y": {} }, "additionalProperties": false },
    });
    let schemas = schemas(Dialect::OpenApi30, &named);
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let fragment = json!({ "allOf": [reference("Closed"), reference("Base")] });
    check(&schemas, &fragment, &[json!({ "a": "x", "b": 1 })], &[json!({ "a": "x" }), json!({ "a": 1, "b": 1 })]);
    let fragment = json!({ "allOf": [reference("Base")], "properties": {}, "additionalProperties": false });
    check(&schemas, &fragment, &[json!({ "b": 1 })], &[json!({})]);
    check(&schemas, &reference("Closed"), &[json!({ "a": "x" })], &[json!({ "b": 1 })]);
    check(&schemas, &reference("Loop"), &[json!({ "x": 1, "y": 1 })], &[json!({}), json!({ "x": 1 })]);
}

#[test]
fn parts_of_opened_parts_are_opened_too() {
    let named = json!({
        "Inner": { "type": "object", "properties": { "a": {} }, "additionalProperties": false },
        "Outer": { "type": "object", "properties": { "b": {} }, "additionalProperties": false, "allOf": [{ "$ref": "#/components/schemas/Inner" }] },
    });
    let schemas = schemas(Dialect::OpenApi30, &named);
    let fragment = json!({
        "allOf": [{ "$ref": "#/components/schemas/Outer" }],
        "required": ["c"], "properties": { "c": { "type": "string" } }, "additionalProperties": false,
    });
    check(&schemas, &fragment, &[json!({ "c": "x" })], &[json!({}), json!({ "c": 1 })]);
}

#[test]
fn closed_schemas_that_shut_every_branch_out_are_opened() {
    let schemas = schemas(Dialect::OpenApi30, &json!({}));
    let demanding = |name: &str| json!({ "type": "object", "required": [name] });
    let closed = |branches: Value| json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": false, "oneOf": branches });
    check(&schemas, &closed(json!([demanding("b"), demanding("c")])), &[json!({ "b": 1 })], &[json!({}), json!({ "a": 1 })]);
    check(&schemas, &closed(json!([demanding("a"), demanding("c")])), &[json!({ "a": 1 })], &[json!({}), json!({ "c": 1 })]);
}

#[test]
fn patterns_between_slashes_are_read_without_them() {
    let schemas = schemas(Dialect::OpenApi30, &json!({}));
    check(&schemas, &json!({ "pattern": "/^[0-9]{2}$/i" }), &[json!("12")], &[json!("/12/i"), json!("x")]);
    check(&schemas, &json!({ "pattern": "/[0-9]+/" }), &[json!("a/1/")], &[json!("12")]);
}

#[test]
fn answers_keep_to_the_range_of_their_integer_format() {
    let schemas = schemas(Dialect::OpenApi30, &json!({}));
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let int32 = json!({ "type": "integer", "format": "int32", "nullable": true });
    check_in(
        Direction::Answer,
        &schemas,
        &int32,
        (&[json!(least), json!(most), json!(null)], &[json!(least - 1), json!(most + 1), json!("1")]),
    );
    check_in(Direction::Request, &schemas, &int32, (&[json!(most + 1)], &[]));
    let int64 = json!({ "format": "int64" });
    check_in(Direction::Answer, &schemas, &int64, (&[json!(i64::MAX), json!("text")], &[json!(u64::MAX)]));
    // What the schema says itself counts for more, and a format of texts says nothing about numbers.
    let own = json!({ "type": "integer", "format": "int32", "maximum": 5_000_000_000_i64 });
    check_in(Direction::Answer, &schemas, &own, (&[json!(most + 1)], &[json!(least - 1)]));
    check_in(Direction::Answer, &schemas, &json!({ "type": "string", "format": "int64" }), (&[json!("9".repeat(30))], &[]));
}
