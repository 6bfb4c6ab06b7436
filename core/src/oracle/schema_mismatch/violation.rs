//! From an error of the validator to a mismatch with a key that holds no value.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use super::Mismatch;
use super::steps::target;

/// Characters shown of a value.
const MAX_EXCERPT: usize = 60;

/// The mismatch that `error` against `schema` means; none when it only says that the check was given up.
pub(super) fn mismatch(schema: &Value, error: &ValidationError<'_>) -> Option<Mismatch> {
    if matches!(
        error.kind(),
        ValidationErrorKind::BacktrackLimitExceeded { .. } | ValidationErrorKind::RegexEngineFailure { .. }
    ) {
        return None;
    }
    let place = place_in_schema(schema, error.evaluation_path().as_str());
    let detail = match error.kind() {
        ValidationErrorKind::Required { property } => format!(" {}", property.as_str().unwrap_or_default()),
        _ => String::new(),
    };
    let keyword = error.kind().keyword();
    let at = match error.instance_path().as_str() {
        "" => "body".to_owned(),
        pointer => format!("body at `{pointer}`"),
    };
    let found = excerpt(error.instance());
    Some(Mismatch {
        key: format!("body: {keyword}{detail} at {place}"),
        message: format!("{at}: {}, found {found}", error.masked_with("the value")),
    })
}

/// Where in the value an error is, told by the schema alone: names of properties it declares, `*` for members and other
/// properties. A named schema that contains itself counts once, so that the depth of a value does not matter.
fn place_in_schema(schema: &Value, evaluation_path: &str) -> String {
    let mut place: Vec<String> = Vec::new();
    let mut entered: Vec<(&str, usize)> = Vec::new();
    let mut node = Some(schema);
    let mut segments = evaluation_path.split('/').skip(1);
    while let Some(segment) = segments.next() {
        let operand = node.and_then(|node| node.get(segment));
        node = match segment {
            "$ref" => {
                let reference = operand.and_then(Value::as_str).unwrap_or_default();
                match entered.iter().position(|(earlier, _)| *earlier == reference) {
                    Some(earlier) => {
                        place.truncate(entered[earlier].1);
                        entered.truncate(earlier + 1);
                    }
                    None => entered.push((reference, place.len())),
                }
                target(schema, reference)
            }
            "properties" => {
                let name = unescape(segments.next().unwrap_or_default());
                let property = operand.and_then(|operand| operand.get(&name));
                place.push(name);
                property
            }
            "patternProperties" | "prefixItems" => {
                place.push("*".to_owned());
                segments.next().and_then(|segment| child(operand, segment))
            }
            "items" | "contains" | "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems" => {
                place.push("*".to_owned());
                operand
            }
            "allOf" | "anyOf" | "oneOf" | "dependentSchemas" => segments.next().and_then(|segment| child(operand, segment)),
            _ => operand,
        };
    }
    format!("/{}", place.join("/"))
}

fn child<'a>(operand: Option<&'a Value>, segment: &str) -> Option<&'a Value> {
    match operand? {
        Value::Array(nodes) => nodes.get(segment.parse::<usize>().ok()?),
        other => other.get(unescape(segment)),
    }
}

fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// A value in a few characters.
fn excerpt(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(members) => format!("an array of {}", members.len()),
        Value::String(text) if text.chars().count() > MAX_EXCERPT => {
            format!("\"{}…\"", text.chars().take(MAX_EXCERPT).collect::<String>().escape_debug())
        }
        Value::String(text) => format!("\"{}\"", text.escape_debug()),
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::mismatch;

    fn keys(schema: &Value, value: &Value) -> Vec<String> {
        let validator = jsonschema::options().should_validate_formats(true).build(schema).expect("a valid schema");
        let mut keys: Vec<_> =
            validator.iter_errors(value).filter_map(|error| mismatch(schema, &error)).map(|found| found.key).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    #[test]
    fn keys_name_declared_properties_and_no_values() {
        let schema = json!({
            "type": "object",
            "required": ["id"],
            "properties": { "tags": { "type": "array", "items": { "type": "string" } }, "kind": { "enum": ["a"] } },
            "additionalProperties": { "type": "integer", "maximum": 9 }
        });
        let value = json!({ "tags": ["x", 1, 2], "kind": "secret-1", "secret-2": 10, "secret-3": "secret-4" });
        assert_eq!(
            keys(&schema, &value),
            [
                "body: enum at /kind",
                "body: maximum at /*",
                "body: required id at /",
                "body: type at /*",
                "body: type at /tags/*"
            ]
        );
    }

    #[test]
    fn a_schema_that_contains_itself_gives_one_key_at_any_depth() {
        let node = json!({ "properties": {
            "name": { "type": "string" }, "children": { "type": "array", "items": { "$ref": "#/$defs/d1" } } } });
        let schema = json!({ "properties": { "tree": { "$ref": "#/$defs/d1" } }, "$defs": { "d1": node } });
        let tree = |depth: usize| (0..depth).fold(json!({ "name": 1 }), |inner, _| json!({ "children": [inner] }));
        let found = [0, 1, 7].map(|depth| keys(&schema, &json!({ "tree": tree(depth) })));
        assert_eq!(found, [["body: type at /tree/name"], ["body: type at /tree/name"], ["body: type at /tree/name"]]);
    }

    #[test]
    fn messages_show_a_short_excerpt_of_what_was_found() {
        let schema = json!({ "items": { "type": "integer" } });
        let value = json!(["x".repeat(100_000)]);
        let validator = jsonschema::validator_for(&schema).expect("a valid schema");
        let message = validator.iter_errors(&value).find_map(|error| mismatch(&schema, &error)).expect("a mismatch").message;
        assert!(message.starts_with("body at `/0`: the value is not of type \"integer\", found \"xxx"), "{message}");
        assert!(message.len() < 200, "{message}");
    }
}
