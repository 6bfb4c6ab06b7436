//! Shapes of inputs: a parameter present or absent, an enum value, the sign of a number, an empty string or array.
//!
//! Each shape is a target, covered once a call with it succeeds; so the search keeps trying what was never accepted.

use serde_json::{Map, Value};

use crate::action::BodyGene;
use crate::api::{Location, Operation, Parameter, SchemaId, SchemaKind, Schemas};
use crate::search::{TargetKind, Targets};

use super::{Call, Reached};

/// Levels of a body that count.
const MAX_DEPTH: usize = 4;
/// Shapes of one body that count.
const MAX_SHAPES: usize = 120;
/// Values of one enum that count.
const MAX_ENUM: usize = 24;

/// Notes the shapes of all inputs of `call` with closeness `success`.
pub fn note(call: Call<'_>, success: f64, targets: &mut Targets, reached: &mut Reached) {
    let operation = call.api.operation(call.action.operation_idx);
    let name = ["shape:", &operation.id, ":"].concat();
    let mut shapes = Shapes { schemas: &call.api.schemas, name, success, left: MAX_SHAPES, targets, reached };
    for (parameter, gene) in operation.parameters.iter().zip(&call.action.parameters) {
        shapes.below(&[parameter.location.name(), ".", &parameter.name], |shapes| {
            shapes.add_parameter(parameter, gene.to_json().as_ref());
        });
    }
    if let Some(body) = &call.action.body {
        shapes.below(&["body"], |shapes| shapes.add_body(operation, body));
    }
}

struct Shapes<'a> {
    schemas: &'a Schemas,
    /// Operation and input that are looked at; grows and shrinks with the way down, since every call passes here.
    name: String,
    success: f64,
    left: usize,
    targets: &'a mut Targets,
    reached: &'a mut Reached,
}

impl Shapes<'_> {
    fn add(&mut self, shape: &str) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let end = self.name.len();
        self.name.push(':');
        self.name.push_str(shape);
        let target = self.targets.intern(TargetKind::Shape, &self.name);
        self.name.truncate(end);
        self.reached.note(target, self.success);
    }

    /// Does `act` with the name made longer by `steps`.
    fn below(&mut self, steps: &[&str], act: impl FnOnce(&mut Self)) {
        let end = self.name.len();
        self.name.extend(steps.iter().copied());
        act(self);
        self.name.truncate(end);
    }

    fn add_parameter(&mut self, parameter: &Parameter, value: Option<&Value>) {
        let Some(value) = value else { return self.add("absent") };
        if !parameter.required {
            self.add("present");
        }
        if parameter.location != Location::Path {
            self.add_value(Some(parameter.schema), value, 0);
        }
    }

    fn add_body(&mut self, operation: &Operation, body: &BodyGene) {
        if !body.present {
            return self.add("absent");
        }
        // What no document names has no shape there.
        let Some(documented) = operation.bodies.get(body.active) else { return };
        if operation.bodies.len() > 1 {
            self.add(&documented.media_type);
        }
        if let Some(value) = body.alternatives[body.active].to_json() {
            self.add_value(Some(documented.schema), &value, 0);
        }
    }

    fn add_value(&mut self, schema: Option<SchemaId>, value: &Value, depth: usize) {
        if depth > MAX_DEPTH || self.left == 0 {
            return;
        }
        if let Some(idx) = self.enum_position(schema, value) {
            self.add(&format!("value {idx}"));
            return;
        }
        match value {
            Value::Null => self.add("null"),
            Value::Bool(value) => self.add(if *value { "true" } else { "false" }),
            Value::Number(number) => self.add(sign(number.as_f64().unwrap_or(0.0))),
            Value::String(text) => self.add(if text.is_empty() { "empty" } else { "text" }),
            Value::Array(members) => {
                self.add(["empty", "one", "many"][members.len().min(2)]);
                if let Some(first) = members.first() {
                    let items = self.items(schema);
                    self.below(&["[]"], |shapes| shapes.add_value(items, first, depth + 1));
                }
            }
            Value::Object(fields) => self.add_object(schema, fields, depth),
        }
    }

    fn add_object(&mut self, schema: Option<SchemaId>, fields: &Map<String, Value>, depth: usize) {
        if fields.is_empty() {
            self.add("empty");
        }
        let schemas = self.schemas;
        let kind = schema.map(|id| &schemas.at(id).kind);
        for (field, value) in fields {
            let property = match kind {
                Some(SchemaKind::Object(object)) => object.properties.iter().find(|property| property.name == *field),
                _ => None,
            };
            // Fields that the schema does not name are drawn at random and count as one.
            let is_named = property.is_some() || matches!(kind, Some(SchemaKind::Choice(_)));
            let step = if is_named { field } else { "*" };
            self.below(&[".", step], |shapes| shapes.add_value(property.map(|it| it.schema), value, depth + 1));
        }
        // Optional fields that are left out.
        let Some(SchemaKind::Object(object)) = kind else { return };
        for property in object.properties.iter().filter(|property| !property.required && !fields.contains_key(&property.name)) {
            self.below(&[".", &property.name], |shapes| shapes.add("absent"));
        }
    }

    fn items(&self, schema: Option<SchemaId>) -> Option<SchemaId> {
        match &self.schemas.at(schema?).kind {
            SchemaKind::Array(array) => Some(array.items),
            _ => None,
        }
    }

    fn enum_position(&self, schema: Option<SchemaId>, value: &Value) -> Option<usize> {
        match &self.schemas.at(schema?).kind {
            SchemaKind::Enum(values) => values.iter().take(MAX_ENUM).position(|listed| listed == value),
            _ => None,
        }
    }
}

fn sign(number: f64) -> &'static str {
    if number < 0.0 {
        "negative"
    } else if number > 0.0 {
        "positive"
    } else {
        "zero"
    }
}
