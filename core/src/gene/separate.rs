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

/// What is done with a changed value; true when no other is wanted.
type Visit<'v> = dyn FnMut(Value) -> bool + 'v;

impl Source {
    /// `value` with as few changes as it takes for schema `own` to allow it and `others` not to, none when none were found.
    pub(super) fn separated(&self, own: SchemaId, others: &[SchemaId], value: &Value, formats: Formats) -> Option<Value> {
        let mut value = value.clone();
        // A change that makes one branch refuse may make another one allow, so the last look is at all of them.
        for _ in 0..2 {
            for other in others {
                if self.accepts(*other, &value, formats) {
                    value = self.refused_by(*other, own, &value, formats)?;
                }
            }
            if !others.iter().any(|other| self.accepts(*other, &value, formats)) {
                return Some(value);
            }
        }
        None
    }

    /// `value` with the first change that schema `own` allows and `other` does not.
    fn refused_by(&self, other: SchemaId, own: SchemaId, value: &Value, formats: Formats) -> Option<Value> {
        let mut found = None;
        let mut left = MOST_CHANGES;
        self.change(other, value, (formats, 0), &mut |changed| {
            left -= 1;
            if !self.accepts(other, &changed, formats) && self.accepts(own, &changed, formats) {
                found = Some(changed);
            }
            found.is_some() || left == 0
        });
        found
    }

    /// Shows `value`, which schema `id` allows, with one part changed so that it may no longer do; the plainest changes first.
    ///
    /// Each is made when its turn comes: mostly one of the first will do. True when the visitor wanted no more.
    fn change(&self, id: SchemaId, value: &Value, (formats, depth): (Formats, usize), visit: &mut Visit<'_>) -> bool {
        if depth > DEEPEST {
            return false;
        }
        match (&self.schemas.at(id).kind, value) {
            (SchemaKind::Object(schema), Value::Object(fields)) => self.change_object(schema, fields, (formats, depth), visit),
            (SchemaKind::Array(schema), Value::Array(members)) => self.change_array(schema, members, (formats, depth), visit),
            (SchemaKind::Choice(choice), value) => {
                choice.options.iter().any(|option| self.change(*option, value, (formats, depth + 1), visit))
            }
            _ => false,
        }
    }

    fn change_object(
        &self,
        schema: &ObjectSchema,
        fields: &Map<String, Value>,
        (formats, depth): (Formats, usize),
        visit: &mut Visit<'_>,
    ) -> bool {
        let with = |name: &str, part: Value| {
            let mut changed = fields.clone();
            changed.insert(name.to_owned(), part);
            Value::Object(changed)
        };
        let absent: Vec<_> = schema.properties.iter().filter(|property| !fields.contains_key(&property.name)).collect();
        for part in plain_parts() {
            let mut refused = absent.iter().filter(|property| !self.accepts(property.schema, &part, formats));
            if refused.any(|property| visit(with(&property.name, part.clone()))) {
                return true;
            }
            let is_unlisted_refused = match schema.additional {
                Additional::Forbidden => true,
                Additional::Unspecified => false,
                Additional::Typed(id) => !self.accepts(id, &part, formats),
            };
            if is_unlisted_refused && !fields.contains_key(UNLISTED) && visit(with(UNLISTED, part)) {
                return true;
            }
        }
        let mut present = schema.properties.iter().filter_map(|property| Some((property, fields.get(&property.name)?)));
        present.any(|(property, part)| {
            self.change(property.schema, part, (formats, depth + 1), &mut |part| visit(with(&property.name, part)))
        })
    }

    fn change_array(
        &self,
        schema: &ArraySchema,
        members: &[Value],
        (formats, depth): (Formats, usize),
        visit: &mut Visit<'_>,
    ) -> bool {
        if members.is_empty() {
            let mut refused = plain_parts().into_iter().filter(|part| !self.accepts(schema.items, part, formats));
            return refused.any(|part| visit(Value::Array(vec![part])));
        }
        members.iter().enumerate().take(2).any(|(idx, member)| {
            self.change(schema.items, member, (formats, depth + 1), &mut |part| {
                let mut all = members.to_vec();
                all[idx] = part;
                visit(Value::Array(all))
            })
        })
    }
}

/// One value of each type and some more, those first that say least.
fn plain_parts() -> [Value; 8] {
    [json!(null), json!(""), json!(false), json!(0), json!({}), json!([]), json!(-0.5), json!("a")]
}
