//! Values that one schema allows and others do not, where what is drawn keeps fitting several of them.
//!
//! Overlapping branches of `oneOf` mostly differ in optional fields: `{a?, b?}` and `{c?, d?}` both allow `{a: ""}`, and
//! only one of them allows `{a: "", c: null}`. So a value is given, or has changed, one part that the other branch
//! refuses. The plainest such part is `null`, which services take for absent.

use serde_json::{Map, Value, json};

use super::choice::Formats;
use super::seed::Source;
use crate::api::{Additional, ArraySchema, ObjectSchema, SchemaId, SchemaKind};

/// Nesting down to which parts are changed.
const DEEPEST: usize = 4;
/// Changes tried for one branch that has to refuse the value.
const MOST_CHANGES: usize = 400;
/// Name of a field that no schema lists.
const UNLISTED: &str = "unlisted";

impl Source {
    /// `value` with as few changes as it takes for schema `own` to allow it and `others` not to, none when none were found.
    pub(super) fn separated(&self, own: SchemaId, others: &[SchemaId], value: &Value, formats: Formats) -> Option<Value> {
        let mut value = value.clone();
        // A change that makes one branch refuse may make another one allow, so the last look is at all of them.
        for _ in 0..2 {
            for other in others {
                if self.accepts(*other, &value, formats) {
                    let refused =
                        |changed: &Value| self.accepts(own, changed, formats) && !self.accepts(*other, changed, formats);
                    value = self.changes(*other, &value, formats, 0).into_iter().take(MOST_CHANGES).find(refused)?;
                }
            }
            if !others.iter().any(|other| self.accepts(*other, &value, formats)) {
                return Some(value);
            }
        }
        None
    }

    /// `value`, which schema `id` allows, with one part changed so that it may no longer do; the plainest changes first.
    fn changes(&self, id: SchemaId, value: &Value, formats: Formats, depth: usize) -> Vec<Value> {
        if depth > DEEPEST {
            return Vec::new();
        }
        match (&self.schemas.at(id).kind, value) {
            (SchemaKind::Object(schema), Value::Object(fields)) => self.changed_objects(schema, fields, (formats, depth)),
            (SchemaKind::Array(schema), Value::Array(members)) => self.changed_arrays(schema, members, (formats, depth)),
            (SchemaKind::Choice(choice), value) => {
                choice.options.iter().flat_map(|option| self.changes(*option, value, formats, depth + 1)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn changed_objects(
        &self,
        schema: &ObjectSchema,
        fields: &Map<String, Value>,
        (formats, depth): (Formats, usize),
    ) -> Vec<Value> {
        let with = |name: &str, part: Value| {
            let mut changed = fields.clone();
            changed.insert(name.to_owned(), part);
            Value::Object(changed)
        };
        let absent: Vec<_> = schema.properties.iter().filter(|property| !fields.contains_key(&property.name)).collect();
        let mut changes = Vec::new();
        for part in plain_parts() {
            let refused = absent.iter().filter(|property| !self.accepts(property.schema, &part, formats));
            changes.extend(refused.map(|property| with(&property.name, part.clone())));
            let is_unlisted_refused = match schema.additional {
                Additional::Forbidden => true,
                Additional::Unspecified => false,
                Additional::Typed(id) => !self.accepts(id, &part, formats),
            };
            if is_unlisted_refused && !fields.contains_key(UNLISTED) {
                changes.push(with(UNLISTED, part));
            }
        }
        for property in &schema.properties {
            let parts = fields.get(&property.name).map(|part| self.changes(property.schema, part, formats, depth + 1));
            changes.extend(parts.into_iter().flatten().map(|part| with(&property.name, part)));
        }
        changes
    }

    fn changed_arrays(&self, schema: &ArraySchema, members: &[Value], (formats, depth): (Formats, usize)) -> Vec<Value> {
        let mut changes: Vec<Value> = Vec::new();
        if members.is_empty() {
            let refused = plain_parts().into_iter().filter(|part| !self.accepts(schema.items, part, formats));
            changes.extend(refused.map(|part| Value::Array(vec![part])));
        }
        for (idx, member) in members.iter().enumerate().take(2) {
            for part in self.changes(schema.items, member, formats, depth + 1) {
                let mut all = members.to_vec();
                all[idx] = part;
                changes.push(Value::Array(all));
            }
        }
        changes
    }
}

/// One value of each type and some more, those first that say least.
fn plain_parts() -> [Value; 8] {
    [json!(null), json!(""), json!(false), json!(0), json!({}), json!([]), json!(-0.5), json!("a")]
}
