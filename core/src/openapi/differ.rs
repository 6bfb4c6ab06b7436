//! What two versions of an interface say differently.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::api::{Api, JsonSchemas, Operation, OperationIdx};

/// Keywords whose texts change nothing that is sent or expected.
const REMARKS: [&str; 3] = ["description", "summary", "title"];

/// Operations of `api` that `earlier` lacks or describes otherwise, schemas that they refer to included. Names of schemas
/// and remarks for people make no difference, and neither do servers and security that hold for all operations.
pub fn differing(api: &Api, earlier: &Api) -> BTreeSet<OperationIdx> {
    let is_same = |operation: &Operation| {
        let known = earlier.operations.iter().find(|other| other.id == operation.id);
        known.is_some_and(|other| is_described_alike((api, operation), (earlier, other)))
    };
    let numbered = (0..).map(OperationIdx).zip(&api.operations);
    numbered.filter(|(_, operation)| !is_same(operation)).map(|(idx, _)| idx).collect()
}

fn is_described_alike(one: (&Api, &Operation), other: (&Api, &Operation)) -> bool {
    // Parameters of all verbs of a path stand beside these.
    let parts = |operation: &Operation| {
        let (path, _) = operation.pointer.rsplit_once('/').unwrap_or_default();
        [format!("#{}", operation.pointer), format!("#{path}/parameters")]
    };
    let mut comparison = Comparison { one: &one.0.json_schemas, other: &other.0.json_schemas, met: BTreeSet::new() };
    parts(one.1).into_iter().zip(parts(other.1)).all(|(one, other)| comparison.refer_to_same(&one, &other))
}

/// Compares parts of two interfaces.
struct Comparison<'a> {
    one: &'a JsonSchemas,
    other: &'a JsonSchemas,
    /// References that were followed together.
    met: BTreeSet<(String, String)>,
}

impl Comparison<'_> {
    /// Whether the same stands at both references; what refers to itself is compared once.
    fn refer_to_same(&mut self, one: &str, other: &str) -> bool {
        let mut open = vec![(one.to_owned(), other.to_owned())];
        while let Some((one, other)) = open.pop() {
            if !self.met.insert((one.clone(), other.clone())) {
                continue;
            }
            let is_same = match (self.one.resolve(&one), self.other.resolve(&other)) {
                (Some((one, _)), Some((other, _))) => are_same(one, other, &mut open),
                (one, other) => one.is_none() && other.is_none(),
            };
            if !is_same {
                return false;
            }
        }
        true
    }
}

/// Whether two values are the same but for what their references lead to, which is added to `open`.
fn are_same(one: &Value, other: &Value, open: &mut Vec<(String, String)>) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let mut keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            if let (Some(one), Some(other)) = (reference(one), reference(other)) {
                open.push((one.to_owned(), other.to_owned()));
                keys.retain(|key| *key != "$ref");
            }
            keys.retain(|key| !is_remark(key, one.get(*key)) || !is_remark(key, other.get(*key)));
            keys.into_iter().all(|key| match (one.get(key), other.get(key)) {
                (Some(one), Some(other)) => are_same(one, other, open),
                _ => false,
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| are_same(one, other, open))
        }
        _ => one == other,
    }
}

fn reference(object: &Map<String, Value>) -> Option<&str> {
    object.get("$ref").and_then(Value::as_str)
}

/// Whether a key has a text for people, or nothing; a property of such a name has a schema.
fn is_remark(key: &str, value: Option<&Value>) -> bool {
    REMARKS.contains(&key) && value.is_none_or(Value::is_string)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::openapi::{Origin, parse};

    fn api(value: &Value) -> Api {
        parse(&value.to_string(), &Origin::Text).expect("a document")
    }

    fn document() -> Value {
        let answer =
            json!({"description": "x", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}});
        json!({
            "openapi": "3.0.3", "info": {"title": "t", "version": "1"},
            "paths": {
                "/pets": {
                    "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
                    "get": {"summary": "all", "responses": {"200": answer}},
                    "post": {"responses": {"204": {"description": "done"}}},
                },
                "/shops": {"get": {"responses": {"200": {"description": "none"}}}},
            },
            "components": {"schemas": {"Pet": {"type": "object", "properties": {
                "description": {"type": "string"}, "parent": {"$ref": "#/components/schemas/Pet"},
                "owner": {"$ref": "#/components/schemas/Owner"},
            }}, "Owner": {"type": "object", "properties": {"name": {"type": "string"}}}}},
        })
    }

    /// Operations that differ once the part at `pointer` is replaced.
    fn after(pointer: &str, part: Value) -> Vec<String> {
        let mut changed = document();
        *changed.pointer_mut(pointer).expect("a part") = part;
        let (now, earlier) = (api(&changed), api(&document()));
        differing(&now, &earlier).into_iter().map(|idx| now.operation(idx).id.clone()).collect()
    }

    #[test]
    fn operations_differ_by_what_they_and_their_schemas_say() {
        assert!(after("/info/version", json!("2")).is_empty());
        assert!(after("/paths/~1pets/get/summary", json!("every pet")).is_empty());
        assert!(after("/paths/~1shops/get/responses/200/description", json!("nothing")).is_empty());
        assert_eq!(after("/paths/~1shops/get/responses", json!({"404": {"description": "none"}})), ["GET /shops"]);
        assert_eq!(after("/paths/~1pets/parameters/0/schema/type", json!("string")), ["GET /pets", "POST /pets"]);
        assert_eq!(after("/components/schemas/Owner/properties/name/type", json!("integer")), ["GET /pets"], "two steps away");
        let of_name = json!({"type": "string", "maxLength": 3});
        assert_eq!(after("/components/schemas/Pet/properties/description", of_name), ["GET /pets"], "a property, no remark");
    }

    #[test]
    fn operations_that_are_new_differ_and_renamed_schemas_do_not() {
        let mut less = document();
        less["paths"].as_object_mut().expect("an object").remove("/shops");
        let found = differing(&api(&document()), &api(&less));
        assert_eq!(found.len(), 1);
        assert!(differing(&api(&less), &api(&document())).is_empty(), "what is gone cannot be called");
        let renamed: Value = serde_json::from_str(&document().to_string().replace("Pet", "Animal")).expect("a document");
        assert!(differing(&api(&renamed), &api(&document())).is_empty());
    }
}
