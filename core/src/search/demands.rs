//! Whether a schema that validation makes demands more than that of a document.

use serde_json::Value;

use crate::api::{Additional, Api, ObjectSchema, SchemaId, SchemaKind};

/// Levels of objects and arrays that are compared.
const MAX_DEPTH: usize = 6;

/// Whether `told` demands something of a value that `documented` does not, as far as both say what it is.
pub(super) fn demands_more(api: &Api, documented: SchemaId, told: &Value) -> bool {
    more(api, documented, told, 0)
}

fn more(api: &Api, documented: SchemaId, told: &Value, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let has = |keyword: &str| told.get(keyword).is_some();
    let least = |keyword: &str| told[keyword].as_u64().unwrap_or(0);
    let limits = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    match &api.schemas.at(documented).kind {
        SchemaKind::String(text) => {
            let is_text = told["type"] == "string";
            let is_shorter = text.max_length.is_none() && has("maxLength");
            let is_longer = least("minLength") > text.min_length as u64;
            let has_form = text.pattern.is_some() || text.format.is_some();
            is_text && (is_shorter || is_longer || !has_form && (has("pattern") || told["format"] == "email"))
        }
        SchemaKind::Integer(number) => {
            let lowest = told["minimum"].as_i64().or_else(|| told["exclusiveMinimum"].as_i64()?.checked_add(1));
            let highest = told["maximum"].as_i64().or_else(|| told["exclusiveMaximum"].as_i64()?.checked_sub(1));
            lowest.is_some_and(|lowest| lowest > number.min) || highest.is_some_and(|highest| highest < number.max)
        }
        SchemaKind::Number(number) => number.min.is_none() && number.max.is_none() && limits.into_iter().any(has),
        SchemaKind::Array(array) => {
            let is_longer = least("minItems") > array.min_items as u64;
            is_longer || array.max_items.is_none() && has("maxItems") || more(api, array.items, &told["items"], depth + 1)
        }
        SchemaKind::Object(object) => {
            let is_larger = least("minProperties") > object.min_properties as u64;
            is_larger || more_of_map(api, object, told, depth) || more_of_properties(api, object, told, depth)
        }
        _ => false,
    }
}

fn more_of_properties(api: &Api, object: &ObjectSchema, told: &Value, depth: usize) -> bool {
    object.properties.iter().any(|property| {
        let is_required = told["required"].as_array().is_some_and(|names| names.iter().any(|it| *it == property.name));
        is_required && !property.required
            || told["properties"].get(&property.name).is_some_and(|told| more(api, property.schema, told, depth + 1))
    })
}

/// Of keys that have no name, and of their values.
fn more_of_map(api: &Api, object: &ObjectSchema, told: &Value, depth: usize) -> bool {
    let is_map = object.properties.is_empty() && told.get("additionalProperties").is_some();
    let Additional::Typed(value) = object.additional else { return false };
    is_map
        && (object.names.is_none() && told.get("propertyNames").is_some()
            || more(api, value, &told["additionalProperties"], depth + 1))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::demands_more;
    use crate::openapi::{Origin, parse};

    fn check(documented: &Value, told: &Value) -> bool {
        let content = json!({"application/json": {"schema": documented}});
        let paths = json!({"/o": {"post": {"requestBody": {"content": content}, "responses": {}}}});
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &Origin::Text).expect("a document");
        demands_more(&api, api.operations[0].bodies[0].schema, told)
    }

    #[test]
    fn what_the_document_says_already_is_nothing_more() {
        let whole = json!({
            "type": "object",
            "required": ["a"],
            "properties": {
                "a": {"type": "string", "minLength": 2, "maxLength": 5},
                "b": {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 3}},
                "c": {"type": "object", "properties": {"d": {"type": "string", "pattern": "^x$"}}},
                "e": {
                    "type": "object",
                    "minProperties": 1,
                    "propertyNames": {"type": "string", "minLength": 2},
                    "additionalProperties": {"type": "integer", "maximum": 5},
                },
            },
        });
        assert!(!check(&whole, &whole));
        for (pointer, keyword) in [
            ("", "required"),
            ("/properties/a", "minLength"),
            ("/properties/a", "maxLength"),
            ("/properties/b", "minItems"),
            ("/properties/b/items", "minimum"),
            ("/properties/c/properties/d", "pattern"),
            ("/properties/e", "minProperties"),
            ("/properties/e", "propertyNames"),
            ("/properties/e/additionalProperties", "maximum"),
        ] {
            let mut lacking = whole.clone();
            let place = lacking.pointer_mut(pointer).and_then(Value::as_object_mut).expect("an object");
            assert!(place.remove(keyword).is_some());
            assert!(check(&lacking, &whole), "{pointer} {keyword}");
        }
    }
}
