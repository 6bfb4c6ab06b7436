//! The values an action sends: genes, then the violation, then links.

use serde_json::{Number, Value};

use super::super::{Action, CallViolation, Link, LinkPlace, ValuePlace};
use crate::api::{Api, MediaKind};
use crate::gene::{Edit, Violation};

/// What goes into each place of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Values {
    /// One value per parameter of the operation, none when it is not sent.
    pub(super) parameters: Vec<Option<Value>>,
    /// Position of the media type in the operation's bodies, and the value; none when no body is sent.
    pub(super) body: Option<(usize, Value)>,
    /// Header fields that links add.
    pub(super) fields: Vec<(String, String)>,
    /// Cookies that links add, by their names.
    pub(super) cookies: Vec<(String, String)>,
}

impl Values {
    /// The values of `action`; `resolve` gives the value of a link, or none to use the gene's own.
    pub(super) fn of(api: &Api, action: &Action, resolve: &mut dyn FnMut(&Link) -> Option<Value>) -> Self {
        let parameters = action.parameters.iter().map(crate::gene::Gene::to_json).collect();
        let body = action.body.as_ref().filter(|body| body.present);
        let body = body.and_then(|body| Some((body.active, body.alternatives.get(body.active)?.to_json()?)));
        let mut values = Self { parameters, body, ..Self::default() };
        let unspoilt_body = values.body.as_ref().map(|(_, value)| value.clone()).filter(|_| !action.links.is_empty());
        if let Some(CallViolation::Value(placed)) = &action.violation {
            let active = values.body.as_ref().map_or(0, |(active, _)| *active);
            let is_json = action.media_at(api, active).is_some_and(|(_, body)| body.kind == MediaKind::Json);
            values.spoil(is_json, placed.place, &placed.violation);
        }
        for link in &action.links {
            if let Some(value) = resolve(link) {
                values.put(&link.place, value, unspoilt_body.as_ref());
            }
        }
        values
    }

    /// Applies a violation to the place it is meant for; a body that is JSON can be null.
    fn spoil(&mut self, is_json: bool, place: ValuePlace, violation: &Violation) {
        match place {
            ValuePlace::Parameter(idx) => {
                if let Some(slot) = self.parameters.get_mut(idx) {
                    *slot = slot.take().and_then(|value| as_text_null(violation).apply(value));
                }
            }
            ValuePlace::Body => {
                self.body = self.body.take().and_then(|(active, value)| {
                    let value = if is_json { violation.apply(value) } else { as_text_null(violation).apply(value) };
                    Some((active, value?))
                });
            }
        }
    }

    /// Puts the value of a link into its place; `unspoilt_body` tells the type that a body field has.
    fn put(&mut self, place: &LinkPlace, value: Value, unspoilt_body: Option<&Value>) {
        match place {
            LinkPlace::Parameter(idx) => {
                if let Some(slot) = self.parameters.get_mut(*idx) {
                    *slot = Some(value);
                }
            }
            LinkPlace::Body(pointer) => {
                if let Some((_, body)) = &mut self.body {
                    let value = cast(value, unspoilt_body.and_then(|body| body.pointer(pointer)));
                    replace_at(body, pointer, value);
                }
            }
            LinkPlace::Credentials(name, before) => {
                self.fields.extend(value.as_str().map(|text| (name.clone(), format!("{before}{text}"))));
            }
            LinkPlace::Cookie(name) => self.cookies.extend(value.as_str().map(|text| (name.clone(), text.to_owned()))),
        }
    }
}

/// The violation with `null` as text: outside JSON a `null` would just not be sent, and nothing would be wrong.
fn as_text_null(violation: &Violation) -> Violation {
    let mut violation = violation.clone();
    if let Edit::Replace(value) | Edit::Insert(_, value) = &mut violation.edit
        && value.is_null()
    {
        *value = Value::from("null");
    }
    violation
}

/// `value` in the JSON type of `like`, when it can be converted; otherwise as it is.
fn cast(value: Value, like: Option<&Value>) -> Value {
    match (like, &value) {
        (Some(Value::String(_)), Value::Number(_) | Value::Bool(_)) => Value::from(value.to_string()),
        (Some(Value::Number(_)), Value::String(text)) => {
            text.trim().parse::<Number>().map_or_else(|_| value.clone(), Value::Number)
        }
        (Some(Value::Bool(_)), Value::String(text)) => text.parse::<bool>().map_or_else(|_| value.clone(), Value::Bool),
        _ => value,
    }
}

/// Puts `value` at `pointer`; a field that is missing is added to its object, any other missing place is left alone.
fn replace_at(root: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = root.pointer_mut(pointer) {
        *place = value;
    } else if let Some((parent, name)) = pointer.rsplit_once('/')
        && let Some(Value::Object(fields)) = root.pointer_mut(parent)
    {
        fields.insert(name.replace("~1", "/").replace("~0", "~"), value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Values, as_text_null, cast, replace_at};
    use crate::action::{LinkPlace, ValuePlace};
    use crate::gene::{Edit, Violation};

    #[test]
    fn a_link_takes_the_type_of_the_field_it_replaces() {
        assert_eq!(cast(json!("7"), Some(&json!(1))), json!(7));
        assert_eq!(cast(json!("-7.5e3"), Some(&json!(1))), json!(-7500.0));
        assert_eq!(cast(json!("seven"), Some(&json!(1))), json!("seven"));
        assert_eq!(cast(json!(7), Some(&json!("a"))), json!("7"));
        assert_eq!(cast(json!("true"), Some(&json!(false))), json!(true));
        assert_eq!(cast(json!("7"), None), json!("7"));
    }

    #[test]
    fn a_missing_field_is_added_and_a_missing_parent_is_not() {
        let mut body = json!({"a": {"x": 1}, "list": [1, 2]});
        replace_at(&mut body, "/a/x", json!(2));
        replace_at(&mut body, "/a/y~1z", json!(3));
        replace_at(&mut body, "/b/c", json!(4));
        replace_at(&mut body, "/list/1", json!(9));
        replace_at(&mut body, "/list/7", json!(5));
        assert_eq!(body, json!({"a": {"x": 2, "y/z": 3}, "list": [1, 9]}));
        replace_at(&mut body, "", json!("whole"));
        assert_eq!(body, json!("whole"));
    }

    #[test]
    fn a_link_reaches_an_absent_optional_parameter() {
        let mut values = Values { parameters: vec![None, Some(json!(1))], body: None, ..Values::default() };
        values.put(&LinkPlace::Parameter(0), json!("x"), None);
        values.put(&LinkPlace::Parameter(9), json!("x"), None);
        values.put(&LinkPlace::Body("/a".to_owned()), json!("x"), None);
        assert_eq!(values, Values { parameters: vec![Some(json!("x")), Some(json!(1))], body: None, ..Values::default() });
    }

    #[test]
    fn a_violation_of_an_absent_value_does_nothing() {
        let mut values = Values { parameters: vec![None], body: None, ..Values::default() };
        let violation =
            Violation { pointer: String::new(), edit: Edit::Replace(json!("x")), description: "id as text".to_owned() };
        values.spoil(false, ValuePlace::Parameter(0), &violation);
        values.spoil(false, ValuePlace::Body, &violation);
        assert_eq!(values, Values { parameters: vec![None], body: None, ..Values::default() });
    }

    #[test]
    fn a_parameter_that_is_null_on_purpose_is_sent_as_text() {
        let violation =
            Violation { pointer: String::new(), edit: Edit::Replace(Value::Null), description: "id as null".to_owned() };
        assert_eq!(as_text_null(&violation).edit, Edit::Replace(json!("null")));
    }
}
