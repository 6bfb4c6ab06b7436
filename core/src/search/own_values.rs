//! Whether the service read what it was told to read: names that are values, or keys, of the call itself are no inputs.

use serde_json::Value;

use crate::action::{Action, CallViolation};
use crate::gene::{Edit, Form, Gene};

use super::input::{ReadInput, ReadPlace};
use super::shape::Way;

/// Characters of a value that is told from others within a name.
const SHORTEST_TOLD_APART: usize = 3;
/// Characters of a name.
const LONGEST_NAME: usize = 100;

/// Whether a name is, or holds, a value of these calls, in any case: the service read what it was told to read.
pub(super) fn is_own_value(actions: &[Action], input: &ReadInput) -> bool {
    if input.place.is_body() || input.name.is_empty() {
        return false;
    }
    let way = if input.place == ReadPlace::Way { Way::read(&input.name) } else { None };
    let name = folded(way.as_ref().map_or(input.name.as_str(), Way::key).trim());
    actions.iter().any(|action| {
        let body = action.body.iter().filter(|body| body.present).filter_map(|body| body.alternatives.get(body.active));
        let mut values = action.parameters.iter().chain(body).filter_map(Gene::to_json);
        let wrong = match &action.violation {
            Some(CallViolation::Value(placed)) => match &placed.violation.edit {
                Edit::Replace(value) | Edit::Insert(_, value) => Some(value),
                Edit::Remove => None,
            },
            _ => None,
        };
        values.any(|value| holds_value(&name, &value)) || wrong.is_some_and(|value| holds_value(&name, value))
    })
}

/// A text in which letters of any case are the same (`ß` and `SS`, too).
fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

/// Whether a name, folded, is or holds a scalar of a value, or what services make of one when they encode or decode it.
fn holds_value(name: &str, value: &Value) -> bool {
    let is_in = |text: &str| {
        let forms = if text.len() <= LONGEST_NAME { Form::of(text) } else { Vec::new() };
        let mut texts = std::iter::once(text).chain(forms.iter().map(|(_, form)| form.as_str()));
        texts.any(|text| {
            let text = folded(text.trim());
            name == text || text.len() >= SHORTEST_TOLD_APART && name.contains(&text)
        })
    };
    match value {
        Value::String(text) => is_in(text),
        Value::Number(number) => is_in(&number.to_string()),
        Value::Array(members) => members.iter().any(|member| holds_value(name, member)),
        // Fields may well be called as parameters are.
        Value::Object(fields) => fields.values().any(|field| holds_value(name, field)),
        Value::Null | Value::Bool(_) => false,
    }
}

/// Whether the body that a call sends has a key of that name, at any depth.
pub(super) fn has_own_key(action: &Action, name: &str) -> bool {
    let body = action.body.iter().filter(|body| body.present).filter_map(|body| body.alternatives.get(body.active));
    body.filter_map(Gene::to_json).any(|value| has_key(&value, name))
}

fn has_key(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(fields) => fields.contains_key(name) || fields.values().any(|field| has_key(field, name)),
        Value::Array(members) => members.iter().any(|member| has_key(member, name)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{has_key, holds_value};

    #[test]
    fn keys_are_known_at_any_depth() {
        let body = json!([{"a": {"b": [{"c": 1}]}}]);
        assert!(["a", "b", "c"].iter().all(|key| has_key(&body, key)));
        assert!(!has_key(&body, "d") && !has_key(&json!("a"), "a"));
    }

    #[test]
    fn values_are_known_in_what_holds_them() {
        assert!(holds_value("x-blue-y", &json!({"colour": " Blue "})));
        assert!(!holds_value("colour", &json!({"colour": "blue"})), "fields may be called as inputs are");
        assert!(!holds_value("xab", &json!("ab")), "short ones stand in many names");
    }
}
