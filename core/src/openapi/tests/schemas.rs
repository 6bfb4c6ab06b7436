//! Schemas: what becomes of each keyword.

use super::check_schema;

const V30: &str = "3.0.3";
const V31: &str = "3.1.0";

#[test]
fn types_are_inferred_from_other_keywords() {
    for (schema, expected) in [
        ("{}", "any"),
        ("true", "any"),
        ("{properties: {a: {}}}", "{a?: any}"),
        ("{required: [a]}", "{a: any}"),
        ("{items: {type: string}}", "[str]"),
        ("{minimum: 3}", "num[3..]"),
        ("{format: int32}", "int[-2147483648..2147483647]"),
        ("{minLength: 3}", "str[3..]"),
        ("{pattern: a+}", "str /a+/"),
        ("{format: DATE}", "str date"),
        ("{additionalProperties: {type: integer}}", "{*: int}"),
        ("{type: file}", "str binary"),
        ("{type: date-time}", "str date-time"),
        ("{type: strange}", "any"),
        ("{enum: [1, a]}", "1|\"a\""),
    ] {
        check_schema(V30, schema, "{}", expected);
    }
}

#[test]
fn null_is_told_apart_in_every_version() {
    for (version, schema, expected) in [
        (V30, "{type: string, nullable: true}", "str or null"),
        (V31, "{type: string, nullable: true}", "str"),
        (V31, "{type: [string, 'null']}", "str or null"),
        (V31, "{type: 'null'}", "null"),
        (V31, "{anyOf: [{type: string}, {type: 'null'}]}", "str or null"),
        (V31, "{enum: [a, null]}", "\"a\" or null"),
        (V31, "{const: null}", "null"),
        (V30, "{nullable: true, allOf: [{$ref: '#/components/schemas/P'}]}", "{a?: int} or null"),
        (V31, "{allOf: [{type: [string, 'null']}, {type: string}]}", "str"),
    ] {
        check_schema(version, schema, "{P: {type: object, properties: {a: {type: integer}}}}", expected);
    }
}

#[test]
fn anchors_are_followed() {
    let named =
        "{P: {type: object, properties: {a: {$anchor: inner, type: integer}}}, Q: {$dynamicAnchor: node, minLength: 3}}";
    check_schema(V31, "{$ref: '#inner'}", named, "int");
    check_schema(V31, "{type: array, items: {$ref: '#node'}}", named, "[str[3..]]");
    check_schema(V31, "{$dynamicRef: '#node'}", named, "str[3..]");
}

#[test]
fn bounds_of_numbers_hold_and_contradictions_are_mended() {
    for (schema, expected) in [
        ("{type: integer, minimum: 1, maximum: 9}", "int[1..9]"),
        ("{type: integer, minimum: 0.5, maximum: 9.5}", "int[1..9]"),
        ("{type: integer, minimum: 1, exclusiveMinimum: true}", "int[2..]"),
        ("{type: integer, exclusiveMinimum: 1, exclusiveMaximum: 4}", "int[2..3]"),
        ("{type: integer, multipleOf: 3}", "int step 3"),
        ("{type: integer, multipleOf: 0.5}", "int"),
        ("{type: integer, minimum: 1e300}", "no value fits the schema of its body"),
        ("{type: integer, minimum: 1, maximum: 2, multipleOf: 7}", "no value fits the schema of its body"),
        ("{type: integer, minimum: 9, maximum: 1}", "int[9..]"),
        ("{type: integer, minimum: '1'}", "int[1..]"),
        ("{type: number, minimum: 1, exclusiveMaximum: 2.5, multipleOf: 0.1}", "num[1..2.5) step 0.1"),
        ("{type: integer, allOf: [{minimum: 1}, {maximum: 0}]}", "no value fits the schema of its body"),
    ] {
        check_schema(V30, schema, "{}", expected);
    }
}

#[test]
fn counts_and_lengths_hold_and_unsendable_ones_are_left_out() {
    for (schema, expected) in [
        ("{type: string, minLength: 1, maxLength: 3}", "str[1..3]"),
        ("{type: string, minLength: 5, maxLength: 3}", "str[5..]"),
        ("{type: string, minLength: -1, maxLength: 99999999999}", "str[0..1073741824]"),
        ("{type: string, minLength: 99999999999}", "str"),
        ("{type: array, minItems: 1, maxItems: 2, uniqueItems: true}", "[any][1..2] unique"),
        ("{type: string, pattern: '('}", "str java/(/"),
        ("{allOf: [{type: string, pattern: '\\Qa\\E'}, {pattern: a}]}", "str /a/"),
    ] {
        check_schema(V30, schema, "{}", expected);
    }
}

#[test]
fn listed_values_take_the_type_they_are_meant_to_have() {
    for (schema, expected) in [
        ("{type: string, enum: [1, true, a]}", "\"1\"|\"true\"|\"a\""),
        ("{type: integer, enum: ['1', 2, x]}", "1|2"),
        ("{type: boolean, enum: [low, high]}", "\"low\"|\"high\""),
        ("{type: array, items: {type: string}, enum: [a, b]}", "[str]"),
        ("{type: string, enum: []}", "str"),
        ("{type: integer, enum: [1, 5, 9], minimum: 4}", "5|9"),
        ("{const: 3, type: integer}", "3"),
    ] {
        check_schema(V31, schema, "{}", expected);
    }
}

#[test]
fn all_of_is_merged() {
    let named = "{A: {type: object, required: [a], properties: {a: {type: integer, minimum: 1}, b: {type: string}}},
        Loop: {allOf: [{$ref: '#/components/schemas/Loop'}, {properties: {x: {type: integer}}}]}}";
    for (schema, expected) in [
        (
            "{allOf: [{$ref: '#/components/schemas/A'}, {required: [c], properties: {a: {maximum: 5}, c: {type: boolean}}}]}",
            "{a: int[1..5], b?: str, c: bool}",
        ),
        ("{allOf: [{type: string, maxLength: 5}, {minLength: 2}], pattern: x}", "str[2..5] /x/"),
        ("{$ref: '#/components/schemas/Loop'}", "{x?: int}"),
        ("{allOf: [{type: string}, {type: integer}]}", "no value fits the schema of its body"),
        ("{allOf: [{enum: [a, b]}, {enum: [b, c]}]}", "\"b\""),
        ("{allOf: [{properties: {a: {}}, additionalProperties: false}, {properties: {b: {}}}]}", "{a?: any, no more}"),
        ("{allOf: [{additionalProperties: {type: string}}, {properties: {b: {minLength: 3}}}]}", "{b?: str[3..], *: str}"),
    ] {
        check_schema(V30, schema, named, expected);
    }
}

#[test]
fn choices_keep_what_stands_beside_them() {
    let named = "{Cat: {type: object, required: [kind], properties: {kind: {type: string}, paws: {type: integer}}},
        Dog: {type: object, properties: {kind: {type: string}}}}";
    let both = "[{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]";
    for (schema, expected) in [
        (format!("{{oneOf: {both}}}"), "one({kind: str, paws?: int}, {kind?: str})"),
        (
            format!("{{oneOf: {both}, discriminator: {{propertyName: kind, mapping: {{mew: '#/components/schemas/Cat'}}}}}}"),
            "any({kind: str, paws?: int}, {kind?: str}) by kind=mew|Dog",
        ),
        (
            format!("{{anyOf: {both}, properties: {{id: {{}}}}}}"),
            "any({id?: any, kind: str, paws?: int}, {id?: any, kind?: str})",
        ),
        (
            "{type: object, properties: {a: {}, b: {}}, oneOf: [{required: [a]}, {required: [b]}]}".to_owned(),
            "one({a: any, b?: any}, {a?: any, b: any})",
        ),
        ("{type: object, oneOf: [{type: string}, {properties: {a: {}}}]}".to_owned(), "one({a?: any})"),
        ("{oneOf: [{type: integer}]}".to_owned(), "int"),
        ("{oneOf: [{type: integer}, 3, {type: string}]}".to_owned(), "one(int, str)"),
        (
            "{oneOf: [{type: integer}, {type: string}], anyOf: [{minimum: 3}, {maxLength: 2}]}".to_owned(),
            "one(any(int[3..], int), any(str, str[0..2]))",
        ),
    ] {
        check_schema(V30, &schema, named, expected);
    }
    check_schema(V31, "{type: [string, integer, 'null'], minimum: 3}", "{}", "any(int[3..], str) or null");
}

#[test]
fn schemas_that_contain_themselves_without_end_have_no_values() {
    let named = "{A: {type: object, required: [a], properties: {a: {$ref: '#/components/schemas/A'}}},
        B: {type: object, properties: {a: {$ref: '#/components/schemas/A'}, b: {$ref: '#/components/schemas/B'}}},
        C: {$ref: '#/components/schemas/C'}}";
    for (schema, expected) in [
        ("{$ref: '#/components/schemas/A'}", "no value fits the schema of its body"),
        (
            "{$ref: '#/components/schemas/B'}",
            "{a?: never, b?: {a?: never, b?: {a?: never, b?: {a?: never, b?: {a?: ..., b?: ...}}}}}",
        ),
        ("{oneOf: [{$ref: '#/components/schemas/A'}, {type: string}]}", "one(str)"),
        ("{type: array, items: {$ref: '#/components/schemas/A'}}", "[never][0..0]"),
        ("{$ref: '#/components/schemas/C'}", "any"),
    ] {
        check_schema(V30, schema, named, expected);
    }
}

#[test]
fn required_names_without_property_and_bad_properties_are_mended() {
    for (schema, expected) in [
        ("{type: object, required: [a, a, 3], properties: {b: {}}}", "{b?: any, a: any}"),
        ("{type: object, required: true, properties: {b: {type: string, required: true}}}", "{b?: str}"),
        ("{type: object, required: [a], properties: {b: {}}, additionalProperties: false}", "{b?: any, no more}"),
        ("{type: object, properties: {a: text, b: {readOnly: true}}}", "{b?: any read-only}"),
        ("{type: object, properties: [1]}", "{}"),
        ("{type: object, additionalProperties: true}", "{*: any}"),
        ("{type: object, additionalProperties: true, properties: {a: {}}}", "{a?: any}"),
        ("{$ref: '#/components/schemas/A', description: x}", "{b?: any}"),
        ("{$ref: A}", "{b?: any}"),
    ] {
        check_schema(V30, schema, "{A: {properties: {b: {}}}}", expected);
    }
    check_schema(V31, "{$ref: '#/components/schemas/A', required: [b]}", "{A: {properties: {b: {}}}}", "{b: any}");
}
