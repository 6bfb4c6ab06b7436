//! Random schemas, cyclic ones among them, with the same as JSON Schema.

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::api::{
    Additional, ArraySchema, ChoiceSchema, IntegerSchema, NumberSchema, ObjectSchema, Property, Schema, SchemaId, SchemaKind,
    Schemas, StringSchema,
};

/// Schemas whose first one is the root, and a validator for it.
pub(super) struct Document {
    pub(super) schemas: Schemas,
    pub(super) json: Value,
    pub(super) validator: Validator,
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.json)
    }
}

pub(super) fn document() -> impl Strategy<Value = Document> {
    prop::collection::vec((any_kind(), prop::bool::weighted(0.15)), 1..9).prop_map(|mut kinds| {
        let is_choice: Vec<bool> = kinds.iter().map(|(kind, _)| matches!(kind, SchemaKind::Choice(_))).collect();
        for (idx, (kind, _)) in kinds.iter_mut().enumerate() {
            lead_out(kind, idx, &is_choice);
        }
        let count = u32::try_from(kinds.len()).expect("there are few");
        let mut schemas = Schemas::default();
        let mut definitions = serde_json::Map::new();
        for (idx, (mut kind, nullable)) in kinds.into_iter().enumerate() {
            close(&mut kind, count);
            definitions.insert(format!("s{idx}"), to_json(&kind, nullable));
            schemas.push(Schema { nullable, ..Schema::new(kind) });
        }
        let json = json!({"$ref": "#/$defs/s0", "$defs": definitions});
        let validator = jsonschema::options().should_validate_formats(true).build(&json).expect("the schema is valid");
        Document { schemas, json, validator }
    })
}

/// Lets a choice refer to later choices only: one that is its own option says nothing, and validators differ about it.
fn lead_out(kind: &mut SchemaKind, idx: usize, is_choice: &[bool]) {
    let SchemaKind::Choice(choice) = kind else { return };
    for option in &mut choice.options {
        let wanted = option.0 as usize % is_choice.len();
        let candidates = (wanted..is_choice.len()).chain(0..wanted);
        let Some(found) = candidates.into_iter().find(|candidate| !is_choice[*candidate] || *candidate > idx) else {
            *kind = SchemaKind::Boolean;
            return;
        };
        option.0 = u32::try_from(found).expect("there are few");
    }
}

/// Brings references into the document.
fn close(kind: &mut SchemaKind, count: u32) {
    let close = |id: &mut SchemaId| id.0 %= count;
    match kind {
        SchemaKind::Array(array) => close(&mut array.items),
        SchemaKind::Object(object) => {
            object.properties.iter_mut().for_each(|property| close(&mut property.schema));
            if let Additional::Typed(id) = &mut object.additional {
                close(id);
            }
        }
        SchemaKind::Choice(choice) => choice.options.iter_mut().for_each(close),
        _ => {}
    }
}

fn any_kind() -> impl Strategy<Value = SchemaKind> {
    prop_oneof![
        1 => Just(SchemaKind::Any),
        1 => Just(SchemaKind::Null),
        1 => Just(SchemaKind::Never),
        2 => Just(SchemaKind::Boolean),
        3 => integer().prop_map(SchemaKind::Integer),
        3 => number().prop_map(SchemaKind::Number),
        5 => string().prop_map(SchemaKind::String),
        2 => prop::collection::vec(listed(), 1..4).prop_map(SchemaKind::Enum),
        4 => array().prop_map(SchemaKind::Array),
        8 => object().prop_map(SchemaKind::Object),
        4 => choice().prop_map(SchemaKind::Choice),
    ]
}

fn id() -> impl Strategy<Value = SchemaId> {
    (0_u32..64).prop_map(SchemaId)
}

fn listed() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("on")),
        Just(json!("off")),
        Just(json!(3)),
        Just(json!(null)),
        Just(json!({"a": 1})),
        Just(json!(""))
    ]
}

fn integer() -> impl Strategy<Value = IntegerSchema> {
    let bound = || prop_oneof![Just(i64::MIN), Just(i64::MAX), -30_i64..30, Just(i64::from(i32::MAX))];
    let step = prop_oneof![3 => Just(None), 1 => (1_i64..12).prop_map(Some)];
    (bound(), bound(), step).prop_map(|(one, other, multiple_of)| IntegerSchema {
        min: one.min(other),
        max: one.max(other),
        multiple_of,
    })
}

fn number() -> impl Strategy<Value = NumberSchema> {
    let bound = || prop_oneof![Just(None), (-40_i64..40).prop_map(|quarters| Some(quarters as f64 / 4.0))];
    let step = prop_oneof![3 => Just(None), 1 => prop::sample::select(vec![0.01, 0.1, 0.25, 1.0, 3.0]).prop_map(Some)];
    (bound(), bound(), any::<bool>(), any::<bool>(), step, any::<bool>()).prop_map(
        |(one, other, low, high, multiple_of, single)| {
            let (min, max) = match (one, other) {
                (Some(one), Some(other)) => (Some(one.min(other)), Some(one.max(other) + 1.0)),
                bounds => bounds,
            };
            NumberSchema { min, max, exclusive_min: low, exclusive_max: high, multiple_of, single_precision: single }
        },
    )
}

fn string() -> impl Strategy<Value = StringSchema> {
    let format = prop::sample::select(vec![
        "date",
        "time",
        "date-time",
        "uuid",
        "uri",
        "uri-reference",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "byte",
        "duration",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "unknown",
    ]);
    let pattern = prop::sample::select(vec![
        "^[a-z]+$",
        r"^\d{3}-\d{4}$",
        "foo|bar",
        r"^(?=.*\d)(?=.*[A-Z]).{4,9}$",
        r"^\w+@\w+\.com$",
        "^$",
        r"[^\s]{2,}",
        r"^[A-Z][a-z]*( [A-Z][a-z]*)*$",
    ]);
    let lengths = (0_usize..6, prop_oneof![Just(None), (0_usize..40).prop_map(Some)]);
    let plain = lengths.clone().prop_map(|(min_length, room)| StringSchema {
        min_length,
        max_length: room.map(|room| min_length + room),
        ..StringSchema::default()
    });
    prop_oneof![
        3 => plain,
        3 => format.prop_map(|format| StringSchema { format: Some(format.to_owned()), ..StringSchema::default() }),
        3 => (pattern, lengths).prop_map(|(pattern, (min_length, room))| StringSchema {
            min_length,
            max_length: room.map(|room| min_length + room),
            pattern: Some(pattern.to_owned()),
            ..StringSchema::default()
        }),
    ]
}

fn array() -> impl Strategy<Value = ArraySchema> {
    (id(), 0_usize..4, prop_oneof![Just(None), (0_usize..4).prop_map(Some)], any::<bool>()).prop_map(
        |(items, min_items, room, unique)| ArraySchema {
            items,
            min_items,
            max_items: room.map(|room| min_items + room),
            unique,
        },
    )
}

fn object() -> impl Strategy<Value = ObjectSchema> {
    let additional = prop_oneof![Just(Additional::Forbidden), Just(Additional::Unspecified), id().prop_map(Additional::Typed)];
    let limits = prop_oneof![
        3 => Just((0, None)),
        1 => (0_usize..4, prop_oneof![Just(None), (0_usize..4).prop_map(Some)]),
    ];
    (prop::collection::vec((id(), prop::bool::weighted(0.4)), 0..5), additional, limits).prop_map(
        |(parts, additional, (min, room))| {
            let property = |(idx, (schema, required))| Property { name: format!("p{idx}"), schema, required };
            ObjectSchema {
                properties: parts.into_iter().enumerate().map(property).collect(),
                additional,
                names: None,
                min_properties: min,
                max_properties: room.map(|room| min + room),
                is_tuple: false,
            }
        },
    )
}

fn choice() -> impl Strategy<Value = ChoiceSchema> {
    (prop::collection::vec(id(), 1..4), any::<bool>()).prop_map(|(options, exclusive)| ChoiceSchema {
        options,
        exclusive,
        discriminator: None,
    })
}

fn reference(id: SchemaId) -> Value {
    json!({"$ref": format!("#/$defs/s{}", id.0)})
}

fn to_json(kind: &SchemaKind, nullable: bool) -> Value {
    let plain = match kind {
        SchemaKind::Any => json!({}),
        SchemaKind::Never => json!({"not": {}}),
        SchemaKind::Null => json!({"type": "null"}),
        SchemaKind::Boolean => json!({"type": "boolean"}),
        SchemaKind::Integer(integer) => {
            let mut json = json!({"type": "integer", "minimum": integer.min, "maximum": integer.max});
            insert(&mut json, "multipleOf", integer.multiple_of.map(Value::from));
            json
        }
        SchemaKind::Number(number) => {
            let mut json = json!({"type": "number"});
            let min = if number.exclusive_min { "exclusiveMinimum" } else { "minimum" };
            let max = if number.exclusive_max { "exclusiveMaximum" } else { "maximum" };
            insert(&mut json, min, number.min.map(Value::from));
            insert(&mut json, max, number.max.map(Value::from));
            insert(&mut json, "multipleOf", number.multiple_of.map(Value::from));
            json
        }
        SchemaKind::String(string) => {
            let mut json = json!({"type": "string", "minLength": string.min_length});
            insert(&mut json, "maxLength", string.max_length.map(Value::from));
            insert(&mut json, "pattern", string.pattern.clone().map(Value::from));
            insert(&mut json, "format", string.format.clone().map(Value::from));
            if string.format.as_deref() == Some("byte") {
                let base64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";
                insert(&mut json, "pattern", Some(Value::from(base64)));
            }
            json
        }
        SchemaKind::Enum(values) => json!({"enum": values}),
        SchemaKind::Array(array) => {
            let mut json = json!({
                "type": "array", "items": reference(array.items), "minItems": array.min_items, "uniqueItems": array.unique,
            });
            insert(&mut json, "maxItems", array.max_items.map(Value::from));
            json
        }
        SchemaKind::Object(object) => object_json(object),
        SchemaKind::Choice(choice) => {
            let options: Vec<Value> = choice.options.iter().map(|id| reference(*id)).collect();
            if choice.exclusive { json!({"oneOf": options}) } else { json!({"anyOf": options}) }
        }
    };
    if nullable { json!({"anyOf": [plain, {"type": "null"}]}) } else { plain }
}

fn object_json(object: &ObjectSchema) -> Value {
    let properties: serde_json::Map<String, Value> =
        object.properties.iter().map(|property| (property.name.clone(), reference(property.schema))).collect();
    let required: Vec<&str> =
        object.properties.iter().filter(|property| property.required).map(|property| property.name.as_str()).collect();
    let mut json = json!({
        "type": "object", "properties": properties, "required": required, "minProperties": object.min_properties,
    });
    insert(&mut json, "maxProperties", object.max_properties.map(Value::from));
    match object.additional {
        Additional::Forbidden => insert(&mut json, "additionalProperties", Some(Value::Bool(false))),
        Additional::Typed(id) => insert(&mut json, "additionalProperties", Some(reference(id))),
        Additional::Unspecified => {}
    }
    json
}

fn insert(json: &mut Value, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        json[key] = value;
    }
}
