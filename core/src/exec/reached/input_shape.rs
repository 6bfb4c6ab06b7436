//! Shapes of inputs: a parameter present or absent, an enum value, the sign of a number, an empty string or array.
//!
//! Each shape is a target, covered once a call with it succeeds; so the search keeps trying what was never accepted.

use serde_json::Value;

use crate::api::{Location, Parameter, SchemaId, SchemaKind, Schemas};
use crate::search::{TargetId, TargetKind, Targets};

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
    let mut shapes = Shapes {
        schemas: &call.api.schemas,
        prefix: format!("shape:{}:", operation.id),
        success,
        left: MAX_SHAPES,
        targets,
        reached,
    };
    for (parameter, gene) in operation.parameters.iter().zip(&call.action.parameters) {
        let name = parameter_name(parameter);
        match gene.to_json() {
            None => shapes.add(&name, "absent"),
            Some(value) => {
                if !parameter.required {
                    shapes.add(&name, "present");
                }
                if parameter.location != Location::Path {
                    shapes.add_value(&name, Some(parameter.schema), &value, 0);
                }
            }
        }
    }
    let Some(body) = &call.action.body else { return };
    if !body.present {
        shapes.add("body", "absent");
        return;
    }
    let documented = &operation.bodies[body.active];
    if operation.bodies.len() > 1 {
        shapes.add("body", &documented.media_type);
    }
    if let Some(value) = body.alternatives[body.active].to_json() {
        shapes.add_value("body", Some(documented.schema), &value, 0);
    }
}

fn parameter_name(parameter: &Parameter) -> String {
    let location = match parameter.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
    };
    format!("{location}.{}", parameter.name)
}

struct Shapes<'a> {
    schemas: &'a Schemas,
    prefix: String,
    success: f64,
    left: usize,
    targets: &'a mut Targets,
    reached: &'a mut Reached,
}

impl Shapes<'_> {
    fn add(&mut self, name: &str, shape: &str) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let target: TargetId = self.targets.intern(TargetKind::Shape, &format!("{}{name}:{shape}", self.prefix));
        self.reached.note(target, self.success);
    }

    fn add_value(&mut self, name: &str, schema: Option<SchemaId>, value: &Value, depth: usize) {
        if depth > MAX_DEPTH || self.left == 0 {
            return;
        }
        if let Some(idx) = self.enum_position(schema, value) {
            self.add(name, &format!("value {idx}"));
            return;
        }
        match value {
            Value::Null => self.add(name, "null"),
            Value::Bool(value) => self.add(name, if *value { "true" } else { "false" }),
            Value::Number(number) => self.add(name, sign(number.as_f64().unwrap_or(0.0))),
            Value::String(text) => self.add(name, if text.is_empty() { "empty" } else { "text" }),
            Value::Array(members) => {
                self.add(name, ["empty", "one", "many"][members.len().min(2)]);
                if let Some(first) = members.first() {
                    self.add_value(&format!("{name}[]"), self.items(schema), first, depth + 1);
                }
            }
            Value::Object(fields) => {
                if fields.is_empty() {
                    self.add(name, "empty");
                }
                for (field, value) in fields {
                    self.add_value(&self.field_name(schema, name, field), self.property(schema, field), value, depth + 1);
                }
                self.add_absent(schema, name, fields);
            }
        }
    }

    /// Optional fields that are left out, at the documented top of an object.
    fn add_absent(&mut self, schema: Option<SchemaId>, name: &str, fields: &serde_json::Map<String, Value>) {
        let schemas = self.schemas;
        let Some(SchemaKind::Object(object)) = schema.map(|id| &schemas.at(id).kind) else { return };
        for property in object.properties.iter().filter(|property| !property.required && !fields.contains_key(&property.name)) {
            self.add(&format!("{name}.{}", property.name), "absent");
        }
    }

    /// Fields that the schema does not name are drawn at random and count as one.
    fn field_name(&self, schema: Option<SchemaId>, name: &str, field: &str) -> String {
        match schema.map(|id| &self.schemas.at(id).kind) {
            Some(SchemaKind::Object(object)) if object.properties.iter().any(|property| property.name == field) => {
                format!("{name}.{field}")
            }
            Some(SchemaKind::Choice(_)) => format!("{name}.{field}"),
            _ => format!("{name}.*"),
        }
    }

    fn property(&self, schema: Option<SchemaId>, field: &str) -> Option<SchemaId> {
        match &self.schemas.at(schema?).kind {
            SchemaKind::Object(object) => object.properties.iter().find(|property| property.name == field).map(|p| p.schema),
            _ => None,
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
