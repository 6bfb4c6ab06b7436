//! A value with what its text says twice.
//!
//! A key that an object has twice is no error in JSON (RFC 8259 4), and the last one counts. A path that stands twice is
//! meant as one, though: its items are merged.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::api::json_schema::escape;

/// A key that stands twice in one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::openapi) struct Repeated {
    /// JSON pointer to it.
    pub(in crate::openapi) pointer: String,
    /// Whether both were merged; else the last one was taken.
    pub(in crate::openapi) is_merged: bool,
}

/// A value with the keys that stand twice in it, from the inside to the outside.
#[derive(Debug)]
pub(super) struct Noted {
    /// The value.
    pub(super) value: Value,
    /// The keys.
    pub(super) repeated: Vec<Repeated>,
}

impl From<Value> for Noted {
    fn from(value: Value) -> Self {
        Self { value, repeated: Vec::new() }
    }
}

impl<'de> Deserialize<'de> for Noted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Notes)
    }
}

struct Notes;

impl<'de> Visitor<'de> for Notes {
    type Value = Noted;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Noted, E> {
        Ok(Value::from(flag).into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Noted, E> {
        Ok(Value::from(number).into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Noted, E> {
        Ok(Value::from(number).into())
    }

    fn visit_i128<E>(self, number: i128) -> Result<Noted, E> {
        // What is larger than 64 bits is as exact as in JSON.
        Ok(Number::from_i128(number).map_or_else(|| Value::from(number as f64), Value::Number).into())
    }

    fn visit_u128<E>(self, number: u128) -> Result<Noted, E> {
        Ok(Number::from_u128(number).map_or_else(|| Value::from(number as f64), Value::Number).into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Noted, E> {
        Ok(Value::from(number).into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Noted, E> {
        Ok(Value::from(text).into())
    }

    fn visit_string<E>(self, text: String) -> Result<Noted, E> {
        Ok(Value::from(text).into())
    }

    fn visit_none<E>(self) -> Result<Noted, E> {
        Ok(Value::Null.into())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Noted, D::Error> {
        Deserialize::deserialize(deserializer)
    }

    fn visit_unit<E>(self) -> Result<Noted, E> {
        Ok(Value::Null.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Noted, A::Error> {
        let (mut values, mut repeated) = (Vec::new(), Vec::new());
        while let Some(item) = items.next_element::<Noted>()? {
            repeated.extend(below(&values.len().to_string(), item.repeated));
            values.push(item.value);
        }
        Ok(Noted { value: Value::Array(values), repeated })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Noted, A::Error> {
        let (mut map, mut repeated) = (Map::new(), Vec::new());
        while let Some((name, field)) = fields.next_entry::<String, Noted>()? {
            repeated.extend(below(&name, field.repeated));
            repeated.extend(below(&name, put(&mut map, &name, field.value)));
        }
        Ok(Noted { value: Value::Object(map), repeated })
    }
}

/// Puts a field into its object; gives what stood there before, with pointers from the field on.
fn put(map: &mut Map<String, Value>, name: &str, value: Value) -> Vec<Repeated> {
    let Some(before) = map.get_mut(name) else {
        map.insert(name.to_owned(), value);
        return Vec::new();
    };
    match (before, value) {
        (Value::Object(before), Value::Object(fields)) if name.starts_with('/') => {
            let mut repeated = vec![Repeated { pointer: String::new(), is_merged: true }];
            for (name, value) in fields {
                if before.insert(name.clone(), value).is_some() {
                    repeated.push(Repeated { pointer: format!("/{}", escape(&name)), is_merged: false });
                }
            }
            repeated
        }
        (before, value) => {
            *before = value;
            vec![Repeated { pointer: String::new(), is_merged: false }]
        }
    }
}

fn below(name: &str, repeated: Vec<Repeated>) -> impl Iterator<Item = Repeated> {
    let step = if repeated.is_empty() { String::new() } else { format!("/{}", escape(name)) };
    repeated.into_iter().map(move |one| Repeated { pointer: format!("{step}{}", one.pointer), ..one })
}
