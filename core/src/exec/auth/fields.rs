//! Reads objects field by field and knows where it is, without ever quoting a value: values are secrets.

use serde_json::{Map, Value};

/// An object of the auth file together with its place.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    place: String,
    map: &'a Map<String, Value>,
}

/// What is wrong and where.
pub(super) struct Misfit {
    /// Dotted path in the file.
    pub(super) place: String,
    /// What was found and what was wanted.
    pub(super) reason: String,
}

impl<'a> Fields<'a> {
    /// The object `value`, which must have no other fields than `known`.
    pub(super) fn of(place: String, value: &'a Value, known: &[&str]) -> Result<Self, Misfit> {
        let Value::Object(map) = value else { return Err(wrong(place, value, "an object")) };
        match map.keys().find(|key| !known.contains(&key.as_str())) {
            Some(unknown) => {
                let reason = format!("unknown field `{unknown}`, wanted one of {}", known.join(", "));
                Err(Misfit { place, reason })
            }
            None => Ok(Self { place, map }),
        }
    }

    /// A misfit of the whole object.
    pub(super) fn misfit(&self, reason: impl Into<String>) -> Misfit {
        Misfit { place: self.place.clone(), reason: reason.into() }
    }

    /// A text; numbers and booleans count as their own spelling, because YAML takes many a password for one.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Misfit> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(scalar @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(scalar.to_string())),
            Some(other) => Err(wrong(self.place_of(name), other, "a text")),
        }
    }

    /// A text that must be there.
    pub(super) fn required_text(&self, name: &str) -> Result<String, Misfit> {
        self.text(name)?.ok_or_else(|| self.misfit(format!("field `{name}` is missing")))
    }

    /// A truth value, false when it is not there.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Misfit> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(wrong(self.place_of(name), other, "true or false")),
        }
    }

    /// A length, 0 or more.
    pub(super) fn length(&self, name: &str) -> Result<Option<usize>, Misfit> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let length = value.as_u64().and_then(|length| usize::try_from(length).ok());
        length.map(Some).ok_or_else(|| wrong(self.place_of(name), value, "a whole number of 0 or more"))
    }

    /// The members of a list with their places, none when it is not there.
    pub(super) fn list(&self, name: &str) -> Result<Vec<(String, &'a Value)>, Misfit> {
        match self.value(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(members)) => {
                let place = |idx| format!("{}[{idx}]", self.place_of(name));
                Ok(members.iter().enumerate().map(|(idx, member)| (place(idx), member)).collect())
            }
            Some(other) => Err(wrong(self.place_of(name), other, "a list")),
        }
    }

    /// An object with no other fields than `known`.
    pub(super) fn object(&self, name: &str, known: &[&str]) -> Result<Option<Self>, Misfit> {
        self.value(name).map(|value| Self::of(self.place_of(name), value, known)).transpose()
    }

    /// The value of a field; `null` counts as absent, as in templates.
    fn value(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    fn place_of(&self, name: &str) -> String {
        if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) }
    }
}

fn wrong(place: String, found: &Value, wanted: &str) -> Misfit {
    let found = match found {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Misfit { place, reason: format!("found {found}, wanted {wanted}") }
}
