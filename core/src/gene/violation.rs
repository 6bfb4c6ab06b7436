//! Wrong-on-purpose changes to a rendered value.

mod draw;

use serde_json::Value;

/// One change that makes a valid value invalid.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// JSON pointer to the changed place; when the value has no such place the violation does nothing.
    pub pointer: String,
    /// The change.
    pub edit: Edit,
    /// What is wrong, for test names and reports: `missing name`, `age as text`.
    pub description: String,
}

/// A change at a JSON pointer.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// The field or member is taken out; at the root the value is not sent.
    Remove,
    /// Another value stands there.
    Replace(Value),
    /// A field that the schema does not know is added to the object there.
    Insert(String, Value),
}

impl Violation {
    /// A parameter or body that is demanded and not sent.
    pub fn left_out() -> Self {
        Self { pointer: String::new(), edit: Edit::Remove, description: "missing value".to_owned() }
    }

    /// Whether nothing of the value is sent.
    pub fn is_whole(&self) -> bool {
        self.pointer.is_empty() && !matches!(self.edit, Edit::Insert(..))
    }

    /// `value` with the violation in it, none when nothing is left to send.
    pub fn apply(&self, mut value: Value) -> Option<Value> {
        match &self.edit {
            Edit::Remove if self.pointer.is_empty() => return None,
            Edit::Remove => remove(&mut value, &self.pointer),
            Edit::Replace(other) => {
                if let Some(place) = value.pointer_mut(&self.pointer) {
                    place.clone_from(other);
                }
            }
            Edit::Insert(name, extra) => {
                if let Some(Value::Object(fields)) = value.pointer_mut(&self.pointer) {
                    fields.insert(name.clone(), extra.clone());
                }
            }
        }
        Some(value)
    }
}

fn remove(value: &mut Value, pointer: &str) {
    let Some((above, token)) = pointer.rsplit_once('/') else { return };
    let token = token.replace("~1", "/").replace("~0", "~");
    match value.pointer_mut(above) {
        Some(Value::Object(fields)) => drop(fields.shift_remove(&token)),
        Some(Value::Array(members)) => {
            if let Some(idx) = token.parse().ok().filter(|idx| *idx < members.len()) {
                members.remove(idx);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Edit, Violation};

    fn applied(pointer: &str, edit: Edit) -> Option<serde_json::Value> {
        let violation = Violation { pointer: pointer.to_owned(), edit, description: String::new() };
        violation.apply(json!({"a/b": [1, 2], "c": {"d": 3}}))
    }

    #[test]
    fn each_edit_changes_its_place_only() {
        assert_eq!(applied("/a~1b/0", Edit::Remove), Some(json!({"a/b": [2], "c": {"d": 3}})));
        assert_eq!(applied("/a~1b", Edit::Remove), Some(json!({"c": {"d": 3}})));
        assert_eq!(applied("/c/d", Edit::Replace(json!("x"))), Some(json!({"a/b": [1, 2], "c": {"d": "x"}})));
        assert_eq!(applied("/c", Edit::Insert("e".to_owned(), json!(1))), Some(json!({"a/b": [1, 2], "c": {"d": 3, "e": 1}})));
        assert_eq!(applied("", Edit::Replace(json!(7))), Some(json!(7)));
        assert_eq!(applied("", Edit::Remove), None);
    }

    #[test]
    fn a_place_that_is_not_there_leaves_the_value_as_it_is() {
        let value = Some(json!({"a/b": [1, 2], "c": {"d": 3}}));
        for pointer in ["/x", "/a~1b/9", "/c/d/e", "x"] {
            assert_eq!(applied(pointer, Edit::Remove), value);
            assert_eq!(applied(pointer, Edit::Replace(json!(1))), value);
            assert_eq!(applied(pointer, Edit::Insert("n".to_owned(), json!(1))), value);
        }
    }
}
