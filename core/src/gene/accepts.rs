//! Whether a schema allows a value: what `oneOf` needs to keep its branches apart.

use serde_json::Value;

use super::array::{are_different, canonical};
use super::choice::Formats;
use super::number::{is_multiple, is_single};
use super::object::by_position;
use super::seed::Source;
use crate::api::{Additional, ArraySchema, ChoiceSchema, IntegerSchema, NumberSchema, ObjectSchema, SchemaId, SchemaKind};

/// Schemas looked at for one value; beyond that the answer is yes.
const STEPS: usize = 10_000;

impl Source {
    /// Whether schema `id` allows `value`; yes when finding out would take too long.
    pub(super) fn accepts(&self, id: SchemaId, value: &Value, formats: Formats) -> bool {
        Check { source: self, formats, steps: STEPS }.accepts(id, value, 0)
    }

    /// Whether a value may match two of the schemas; no only when their JSON types differ.
    pub(super) fn may_overlap(&self, ids: &[SchemaId]) -> bool {
        let mut seen = 0;
        ids.iter().any(|id| {
            let types = self.types(*id, 0);
            let overlaps = seen & types != 0;
            seen |= types;
            overlaps
        })
    }

    /// JSON types of the values of a schema, one bit each.
    fn types(&self, id: SchemaId, depth: usize) -> u8 {
        const ALL: u8 = 0b11_1111;
        let schema = self.schemas.at(id);
        let types = match &schema.kind {
            SchemaKind::Any => ALL,
            SchemaKind::Never => 0,
            SchemaKind::Null => type_of(&Value::Null),
            SchemaKind::Boolean => type_of(&Value::Bool(true)),
            SchemaKind::Integer(_) | SchemaKind::Number(_) => type_of(&Value::from(0)),
            SchemaKind::String(_) => type_of(&Value::from("")),
            SchemaKind::Array(_) => type_of(&Value::Array(Vec::new())),
            SchemaKind::Object(schema) if schema.is_tuple => type_of(&Value::Array(Vec::new())),
            SchemaKind::Object(_) => type_of(&Value::Object(serde_json::Map::new())),
            SchemaKind::Enum(values) => values.iter().map(type_of).fold(0, |all, one| all | one),
            SchemaKind::Choice(_) if depth > 3 => ALL,
            SchemaKind::Choice(choice) => {
                choice.options.iter().map(|id| self.types(*id, depth + 1)).fold(0, |all, one| all | one)
            }
        };
        if schema.nullable { types | type_of(&Value::Null) } else { types }
    }
}

fn type_of(value: &Value) -> u8 {
    match value {
        Value::Null => 1,
        Value::Bool(_) => 2,
        Value::Number(_) => 4,
        Value::String(_) => 8,
        Value::Array(_) => 16,
        Value::Object(_) => 32,
    }
}

struct Check<'a> {
    source: &'a Source,
    formats: Formats,
    steps: usize,
}

impl Check<'_> {
    fn accepts(&mut self, id: SchemaId, value: &Value, depth: usize) -> bool {
        if self.steps == 0 || depth > 100 {
            return true;
        }
        self.steps -= 1;
        let schema = self.source.schemas.at(id);
        if schema.nullable && value.is_null() {
            return true;
        }
        match (&schema.kind, value) {
            (SchemaKind::Any, _) => true,
            (SchemaKind::Null, value) => value.is_null(),
            (SchemaKind::Boolean, value) => value.is_boolean(),
            (SchemaKind::Integer(schema), Value::Number(number)) => is_integer(schema, number),
            (SchemaKind::Number(schema), Value::Number(number)) => {
                number.as_f64().is_none_or(|number| is_number(&as_validators_see_it(schema, number), number))
            }
            (SchemaKind::String(schema), Value::String(text)) => {
                let rules = self.source.text_rules(id, schema);
                rules.is_some_and(|rules| rules.accepts_as(text, self.formats))
            }
            (SchemaKind::Enum(values), value) => {
                let wanted = canonical(value);
                values.iter().any(|listed| canonical(listed) == wanted)
            }
            (SchemaKind::Array(schema), Value::Array(members)) => self.array(schema, members, depth),
            (SchemaKind::Object(schema), Value::Array(members)) if schema.is_tuple => {
                self.object(schema, &by_position(members), depth)
            }
            (SchemaKind::Object(schema), _) if schema.is_tuple => false,
            (SchemaKind::Object(schema), Value::Object(fields)) => self.object(schema, fields, depth),
            (SchemaKind::Choice(choice), value) => self.choice(choice, value, depth),
            (SchemaKind::Never, _) => false,
            _ => schema.guessed,
        }
    }

    fn choice(&mut self, choice: &ChoiceSchema, value: &Value, depth: usize) -> bool {
        let mut matches = 0;
        for option in &choice.options {
            matches += usize::from(self.accepts(*option, value, depth + 1));
            // One too many is as clear as one that is enough.
            if matches > usize::from(choice.exclusive) {
                break;
            }
        }
        matches == 1 || (matches > 1 && self.steps == 0)
    }

    fn array(&mut self, schema: &ArraySchema, members: &[Value], depth: usize) -> bool {
        members.len() >= schema.min_items
            && schema.max_items.is_none_or(|max| members.len() <= max)
            && (!schema.unique || are_different(members))
            && members.iter().all(|member| self.accepts(schema.items, member, depth + 1))
    }

    fn object(&mut self, schema: &ObjectSchema, fields: &serde_json::Map<String, Value>, depth: usize) -> bool {
        let names = schema.names;
        let counted = fields.len() >= schema.min_properties && schema.max_properties.is_none_or(|max| fields.len() <= max);
        let complete = schema.properties.iter().all(|property| !property.required || fields.contains_key(&property.name));
        // What is quickly looked at comes first.
        let (small, large): (Vec<_>, Vec<_>) = fields.iter().partition(|(_, value)| !value.is_object() && !value.is_array());
        counted
            && complete
            && small.into_iter().chain(large).all(|(name, value)| {
                match (schema.properties.iter().find(|property| property.name == *name), schema.additional) {
                    (Some(property), _) => self.accepts(property.schema, value, depth + 1),
                    (None, Additional::Forbidden) => false,
                    (None, _) if !names.is_none_or(|names| self.accepts(names, &Value::from(name.as_str()), depth + 1)) => {
                        false
                    }
                    (None, Additional::Unspecified) => true,
                    (None, Additional::Typed(id)) => self.accepts(id, value, depth + 1),
                }
            })
    }
}

fn is_integer(schema: &IntegerSchema, number: &serde_json::Number) -> bool {
    match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) => {
            let on_step = schema.multiple_of.is_none_or(|step| step == 0 || whole % step == 0);
            on_step && (schema.min..=schema.max).contains(&whole)
        }
        // Floats this large have no fraction; whether they lie on a step is not clear. What is beyond 64 bits counts as
        // the outermost number there is: a schema without that bound allows it.
        (None, Some(float)) => {
            let (least, most) = (i64::MIN as f64, i64::MAX as f64);
            float.fract() == 0.0 && (schema.min as f64..=schema.max as f64).contains(&float.clamp(least, most))
        }
        (None, None) => false,
    }
}

/// Without what validators do not look at (precision) or differ about (whether a large number lies on a step).
fn as_validators_see_it(schema: &NumberSchema, value: f64) -> NumberSchema {
    let multiple_of = schema.multiple_of.filter(|step| (value / step).abs() < 1e12);
    NumberSchema { single_precision: false, multiple_of, ..schema.clone() }
}

/// Precision and bounds as in [`super::NumberGene`].
pub(super) fn is_number(schema: &NumberSchema, value: f64) -> bool {
    let above = schema.min.is_none_or(|min| value > min || (value >= min && !schema.exclusive_min));
    let below = schema.max.is_none_or(|max| value < max || (value <= max && !schema.exclusive_max));
    value.is_finite()
        && above
        && below
        && schema.multiple_of.is_none_or(|step| is_multiple(value, step))
        && (!schema.single_precision || is_single(value))
}
