//! Bounds the work of a validation before it is done.
//!
//! A schema that refers to itself in several alternatives takes exponentially many steps on a deep value. Counting the
//! steps that a validator can take at most is cheap and, unlike a time limit, gives the same answer in every run.

use serde_json::Value;

/// A value that may take more steps than this is not validated.
const MAX_STEPS: usize = 100_000;

/// Whether validating `value` against `schema`, which is self-contained, takes a bearable number of steps.
pub(super) fn is_within_reach(schema: &Value, value: &Value) -> bool {
    let mut steps = 0;
    // No recursion: neither a circle of references nor a deep value can overflow the stack.
    let mut open = vec![(schema, value)];
    while let Some((node, part)) = open.pop() {
        steps += 1;
        if steps + open.len() > MAX_STEPS {
            return false;
        }
        if let Value::Object(keywords) = node {
            for (keyword, operand) in keywords {
                push_applied(schema, (keyword, operand), part, &mut open);
            }
        }
    }
    true
}

/// Pushes what `keyword` applies to `part` or to what is in it.
fn push_applied<'a>(
    root: &'a Value,
    (keyword, operand): (&str, &'a Value),
    part: &'a Value,
    open: &mut Vec<(&'a Value, &'a Value)>,
) {
    match keyword {
        "$ref" => open.extend(operand.as_str().and_then(|reference| target(root, reference)).map(|node| (node, part))),
        "allOf" | "anyOf" | "oneOf" => open.extend(operand.as_array().into_iter().flatten().map(|node| (node, part))),
        "not" | "if" | "then" | "else" => open.push((operand, part)),
        "dependentSchemas" => open.extend(operand.as_object().into_iter().flatten().map(|(_, node)| (node, part))),
        "properties" => {
            let (Value::Object(properties), Value::Object(fields)) = (operand, part) else { return };
            open.extend(fields.iter().filter_map(|(name, field)| Some((properties.get(name)?, field))));
        }
        "patternProperties" => {
            let (Value::Object(patterns), Value::Object(fields)) = (operand, part) else { return };
            open.extend(patterns.values().flat_map(|node| fields.values().map(move |field| (node, field))));
        }
        "additionalProperties" | "unevaluatedProperties" => {
            open.extend(part.as_object().into_iter().flatten().map(|(_, field)| (operand, field)));
        }
        "items" | "contains" | "unevaluatedItems" => {
            open.extend(part.as_array().into_iter().flatten().map(|member| (operand, member)));
        }
        "prefixItems" => {
            let (Value::Array(nodes), Value::Array(members)) = (operand, part) else { return };
            open.extend(nodes.iter().zip(members));
        }
        _ => {}
    }
}

/// The schema that a reference within `root` means.
pub(super) fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(&percent_encoding::percent_decode_str(reference.strip_prefix('#')?).decode_utf8_lossy())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::is_within_reach;

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!(1), |inner, _| json!({ "next": inner }))
    }

    #[test]
    fn alternatives_that_refer_to_themselves_are_out_of_reach_for_deep_values() {
        let branch = json!({ "properties": { "next": { "$ref": "#/$defs/d1" } } });
        let schema = json!({ "$ref": "#/$defs/d1", "$defs": { "d1": { "anyOf": [branch, branch] } } });
        assert!(is_within_reach(&schema, &nested(5)));
        assert!(!is_within_reach(&schema, &nested(60)));
    }

    #[test]
    fn long_and_deep_values_of_plain_schemas_are_within_reach() {
        let list = json!({ "$ref": "#/$defs/d1", "$defs": { "d1": { "properties": { "next": { "$ref": "#/$defs/d1" } } } } });
        assert!(is_within_reach(&list, &nested(120)));
        assert!(is_within_reach(&json!({ "items": { "type": "integer" } }), &json!(vec![1; 50_000])));
        assert!(!is_within_reach(&json!({ "items": { "type": "integer" } }), &json!(vec![1; 200_000])));
    }

    #[test]
    fn a_circle_of_references_ends() {
        assert!(!is_within_reach(&json!({ "$ref": "#" }), &json!(1)));
    }
}
