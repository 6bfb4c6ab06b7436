//! Values from successful answers, by field name, offered to genes of similar name (`search.md` 4).

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::random::Random;

use super::names::{normalise, singular};

/// Names kept, at most.
const MAX_NAMES: usize = 4_000;
/// Values kept per name; the oldest goes first.
const MAX_VALUES: usize = 16;
/// Fields taken from one answer, at most.
const MAX_FIELDS: usize = 200;
/// Longest text kept, in bytes.
const MAX_TEXT: usize = 256;

/// Scalars seen in answers with a status of 2xx.
#[derive(Debug, Clone, Default)]
pub struct ResponsePool {
    values: BTreeMap<String, VecDeque<Value>>,
}

impl ResponsePool {
    /// Takes in the fields of `body`, an answer about `resource` (a singular noun, possibly empty).
    pub fn learn(&mut self, resource: &str, body: &Value) {
        let mut left = MAX_FIELDS;
        self.learn_below(resource, "", body, &mut left);
    }

    fn learn_below(&mut self, resource: &str, name: &str, value: &Value, left: &mut usize) {
        if *left == 0 {
            return;
        }
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    let inner = if name.is_empty() { resource.to_owned() } else { singular(&normalise(name)) };
                    self.learn_below(&inner, field, value, left);
                }
            }
            Value::Array(members) => {
                for member in members.iter().take(3) {
                    self.learn_below(resource, name, member, left);
                }
            }
            Value::Null | Value::Bool(_) => {}
            Value::String(text) if text.is_empty() || text.len() > MAX_TEXT => {}
            Value::String(_) | Value::Number(_) => {
                *left -= 1;
                let name = normalise(name);
                self.add(&name, value);
                if !resource.is_empty() {
                    self.add(&format!("{resource}{name}"), value);
                }
            }
        }
    }

    fn add(&mut self, name: &str, value: &Value) {
        if name.is_empty() || (self.values.len() >= MAX_NAMES && !self.values.contains_key(name)) {
            return;
        }
        let values = self.values.entry(name.to_owned()).or_default();
        if values.contains(value) {
            return;
        }
        if values.len() >= MAX_VALUES {
            values.pop_front();
        }
        values.push_back(value.clone());
    }

    /// A value seen under the name of a gene: first `resource` and name together, then the name, then the name
    /// without a leading `resource`.
    pub fn draw(&self, resource: &str, name: &str, random: &mut Random) -> Option<&Value> {
        let name = normalise(name);
        let values = self
            .values
            .get(&format!("{resource}{name}"))
            .or_else(|| self.values.get(&name))
            .or_else(|| self.values.get(name.strip_prefix(resource)?))?;
        values.get(random.below(values.len()))
    }

    /// Number of names with values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MAX_VALUES, ResponsePool};
    use crate::random::Random;

    #[test]
    fn a_field_is_offered_to_genes_of_similar_name() {
        let mut pool = ResponsePool::default();
        let mut random = Random::new(1, 0);
        pool.learn("pet", &json!({"id": 7, "owner": {"id": "x9"}, "tags": [{"name": "a"}]}));
        assert_eq!(pool.draw("", "petId", &mut random), Some(&json!(7)));
        assert_eq!(pool.draw("pet", "id", &mut random), Some(&json!(7)));
        assert_eq!(pool.draw("", "owner_id", &mut random), Some(&json!("x9")));
        assert_eq!(pool.draw("", "tag-name", &mut random), Some(&json!("a")));
        assert_eq!(pool.draw("", "weight", &mut random), None);
    }

    #[test]
    fn values_of_a_name_are_bounded_and_the_oldest_goes_first() {
        let mut pool = ResponsePool::default();
        for id in 0..100 {
            pool.learn("", &json!({ "id": id }));
        }
        let values = &pool.values["id"];
        assert_eq!((values.len(), &values[0]), (MAX_VALUES, &json!(100 - MAX_VALUES)));
    }
}
