//! Finds the schema that belongs to a part of a value, for the serialisations that need more than the value.

use serde_json::Value;

use crate::api::{Additional, ChoiceSchema, SchemaId, SchemaKind, Schemas};

/// Choices directly inside choices that are looked into; a cycle of them ends there.
const MAX_CHOICES: usize = 16;

/// The schema of the field `name` of the object `value`, which has the schema `id`.
pub(super) fn field(schemas: &Schemas, id: SchemaId, value: &Value, name: &str) -> Option<SchemaId> {
    match &schemas.at(branch(schemas, id, value)).kind {
        SchemaKind::Object(object) => {
            let known = object.properties.iter().find(|property| property.name == name).map(|property| property.schema);
            known.or(match object.additional {
                Additional::Typed(schema) => Some(schema),
                Additional::Forbidden | Additional::Unspecified => None,
            })
        }
        _ => None,
    }
}

/// The schema of the members of the array `value`, which has the schema `id`.
pub(super) fn items(schemas: &Schemas, id: SchemaId, value: &Value) -> Option<SchemaId> {
    match &schemas.at(branch(schemas, id, value)).kind {
        SchemaKind::Array(array) => Some(array.items),
        _ => None,
    }
}

/// The schema that remains of `id` when each choice is replaced by its branch that is most like `value`.
pub(super) fn branch(schemas: &Schemas, id: SchemaId, value: &Value) -> SchemaId {
    let mut id = id;
    for _ in 0..MAX_CHOICES {
        match &schemas.at(id).kind {
            SchemaKind::Choice(choice) => id = best_option(schemas, choice, value),
            _ => break,
        }
    }
    id
}

fn best_option(schemas: &Schemas, choice: &ChoiceSchema, value: &Value) -> SchemaId {
    if let Some((property, names)) = &choice.discriminator
        && let Some(named) = value.get(property).and_then(Value::as_str)
        && let Some(idx) = names.iter().position(|name| name == named)
        && let Some(option) = choice.options.get(idx)
    {
        return *option;
    }
    // The first of the best: `max_by_key` takes the last of equals.
    let options = choice.options.iter().rev();
    *options.max_by_key(|option| likeness(schemas, **option, value)).expect("a choice has at least one branch")
}

/// How well the schema's outermost level fits `value`; higher is better, 0 for another JSON type.
fn likeness(schemas: &Schemas, id: SchemaId, value: &Value) -> usize {
    match (&schemas.at(id).kind, value) {
        (SchemaKind::Any | SchemaKind::Choice(_), _) => 1,
        (SchemaKind::Enum(values), _) => 3 * usize::from(values.contains(value)),
        (SchemaKind::Object(object), Value::Object(fields)) => {
            let is_complete =
                object.properties.iter().all(|property| !property.required || fields.contains_key(&property.name));
            let known = object.properties.iter().filter(|property| fields.contains_key(&property.name)).count();
            2 + known + if is_complete { fields.len() } else { 0 }
        }
        (SchemaKind::Integer(_), Value::Number(number)) => 1 + 2 * usize::from(!number.is_f64()),
        (SchemaKind::Number(_), Value::Number(_))
        | (SchemaKind::Null, Value::Null)
        | (SchemaKind::Boolean, Value::Bool(_))
        | (SchemaKind::String(_), Value::String(_))
        | (SchemaKind::Array(_), Value::Array(_)) => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{api_with, object_of};
    use super::{branch, field};
    use crate::api::{ChoiceSchema, Schema, SchemaKind, StringSchema};

    #[test]
    fn a_choice_takes_the_branch_that_is_most_like_the_value() {
        let (mut api, text) = api_with(Schema::new(SchemaKind::String(StringSchema::default())));
        let cat = api.schemas.push(object_of(&[("name", text), ("claws", text)]));
        let dog = api.schemas.push(object_of(&[("name", text), ("bark", text)]));
        let choice = |discriminator| {
            Schema::new(SchemaKind::Choice(ChoiceSchema { options: vec![text, cat, dog], exclusive: true, discriminator }))
        };
        let pet = api.schemas.push(choice(None));
        assert_eq!(branch(&api.schemas, pet, &json!("x")), text);
        assert_eq!(branch(&api.schemas, pet, &json!({"name": "x"})), cat);
        assert_eq!(branch(&api.schemas, pet, &json!({"name": "x", "bark": "y"})), dog);
        assert_eq!(field(&api.schemas, pet, &json!({"bark": "y"}), "bark"), Some(text));
        let values = ["s", "c", "d"].map(str::to_owned).to_vec();
        let told_apart = api.schemas.push(choice(Some(("name".to_owned(), values))));
        assert_eq!(branch(&api.schemas, told_apart, &json!({"name": "d", "claws": "x"})), dog);
    }

    #[test]
    fn a_cycle_of_choices_ends() {
        let (mut api, id) = api_with(Schema::new(SchemaKind::Any));
        let choice = ChoiceSchema { options: vec![id], exclusive: false, discriminator: None };
        api.schemas.replace(id, Schema::new(SchemaKind::Choice(choice)));
        assert_eq!(branch(&api.schemas, id, &json!(1)), id);
    }
}
