use std::fmt::Write as _;

use super::{Origin, parse};
use crate::api::{Additional, Api, Operation, PatternDialect, SchemaId, SchemaKind};

mod documents;
mod hostile;
mod oddities;
mod properties;
mod schemas;

/// The interface that a YAML (or JSON) document describes.
fn api_of(document: &str) -> Api {
    parse(document, &Origin::Text).unwrap_or_else(|error| panic!("{error} in {document}"))
}

/// Compares what is understood of a document with its sketch, line by line without indentation.
#[track_caller]
fn check(document: &str, expected: &str) {
    let trimmed = |text: &str| text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert_eq!(trimmed(&sketch(&api_of(document))), trimmed(expected), "\n{document}");
}

/// The same for the only body of `POST /a`, whose schema is `schema` and may refer to `named`; both in YAML flow form.
#[track_caller]
fn check_schema(version: &str, schema: &str, named: &str, expected: &str) {
    let document = format!(
        "{{openapi: {version}, paths: {{/a: {{post: {{requestBody: {{required: true, content: {{application/json: {{schema: {schema}}}}}}}, \
         responses: {{}}}}}}}}, components: {{schemas: {named}}}}}"
    );
    let api = api_of(&document);
    let found = match api.operations.first() {
        Some(operation) => schema_sketch(&api, operation.bodies[0].schema, 0),
        None => api.skipped[0].reason.clone(),
    };
    assert_eq!(found, expected, "\n{document}");
}

/// Operations, skips, unsupported keywords and repairs, one line each.
fn sketch(api: &Api) -> String {
    let mut text = String::new();
    for operation in &api.operations {
        writeln!(text, "{}", operation_sketch(api, operation)).unwrap();
    }
    for skipped in &api.skipped {
        writeln!(text, "skipped {} at {}: {}", skipped.operation, skipped.pointer, skipped.reason).unwrap();
    }
    for (keyword, count) in &api.unsupported {
        writeln!(text, "unsupported {keyword}: {count}").unwrap();
    }
    for repair in &api.repairs {
        writeln!(text, "repair at {}: {}", repair.pointer, repair.action).unwrap();
    }
    text
}

fn operation_sketch(api: &Api, operation: &Operation) -> String {
    let mut text = format!("{}{}", operation.id, if operation.needs_auth { " (auth)" } else { "" });
    for parameter in &operation.parameters {
        let (required, explode) = (if parameter.required { "" } else { "?" }, if parameter.explode { "*" } else { "" });
        let content = parameter.content.as_ref().map(|content| format!(" {content}")).unwrap_or_default();
        let (location, style) =
            (format!("{:?}", parameter.location).to_lowercase(), format!("{:?}", parameter.style).to_lowercase());
        let schema = schema_sketch(api, parameter.schema, 0);
        write!(text, "; {location} {}{required}{content} {style}{explode} {schema}", parameter.name).unwrap();
    }
    for body in &operation.bodies {
        let required = if operation.body_required { "" } else { "?" };
        write!(text, "; body{required} {} {:?} {}", body.media_type, body.kind, schema_sketch(api, body.schema, 0)).unwrap();
    }
    for response in &operation.responses {
        let media: Vec<String> = response
            .media
            .iter()
            .map(|media| format!("{}{}", media.media_type, if media.json_schema.is_some() { "!" } else { "" }))
            .collect();
        write!(text, "; -> {:?}[{}]", response.status, media.join(" ")).unwrap();
        for header in &response.headers {
            write!(text, " header {}{}", header.name, if header.json_schema.is_some() { "!" } else { "" }).unwrap();
        }
        for link in &response.links {
            write!(text, " link {} to {} {:?}", link.name, api.operation(link.operation_idx).id, link.parameters).unwrap();
        }
    }
    text
}

/// A schema in one line; below four levels only its kind.
fn schema_sketch(api: &Api, id: SchemaId, depth: usize) -> String {
    let schema = api.schemas.at(id);
    let inner = |id: SchemaId| if depth > 3 { "...".to_owned() } else { schema_sketch(api, id, depth + 1) };
    let text = match &schema.kind {
        SchemaKind::Any => "any".to_owned(),
        SchemaKind::Never => "never".to_owned(),
        SchemaKind::Null => "null".to_owned(),
        SchemaKind::Boolean => "bool".to_owned(),
        SchemaKind::Integer(integer) => format!("int{}", range(integer.min, integer.max) + &step(integer.multiple_of)),
        SchemaKind::Number(number) => {
            let (open, close) = (if number.exclusive_min { "(" } else { "[" }, if number.exclusive_max { ")" } else { "]" });
            let bounds = (number.min.map(|min| min.to_string()), number.max.map(|max| max.to_string()));
            match bounds {
                (None, None) => format!("num{}", step(number.multiple_of)),
                (min, max) => format!(
                    "num{open}{}..{}{close}{}",
                    min.unwrap_or_default(),
                    max.unwrap_or_default(),
                    step(number.multiple_of)
                ),
            }
        }
        SchemaKind::String(string) => {
            let length = if (string.min_length, string.max_length) == (0, None) {
                String::new()
            } else {
                sizes(string.min_length, string.max_length)
            };
            let dialect = if string.pattern_dialect == PatternDialect::Java { "java" } else { "" };
            let pattern = string.pattern.as_ref().map(|pattern| format!(" {dialect}/{pattern}/")).unwrap_or_default();
            format!("str{length}{pattern}{}", string.format.as_ref().map(|format| format!(" {format}")).unwrap_or_default())
        }
        SchemaKind::Enum(values) => values.iter().map(ToString::to_string).collect::<Vec<_>>().join("|"),
        SchemaKind::Array(array) => {
            let size = if (array.min_items, array.max_items) == (0, None) {
                String::new()
            } else {
                sizes(array.min_items, array.max_items)
            };
            format!("[{}]{size}{}", inner(array.items), if array.unique { " unique" } else { "" })
        }
        SchemaKind::Object(object) => {
            let fields = object.properties.iter().map(|property| {
                format!("{}{}: {}", property.name, if property.required { "" } else { "?" }, inner(property.schema))
            });
            let rest = match object.additional {
                Additional::Forbidden => Some("no more".to_owned()),
                Additional::Unspecified => None,
                Additional::Typed(id) => Some(format!("*: {}", inner(id))),
            };
            format!("{{{}}}", fields.chain(rest).collect::<Vec<_>>().join(", "))
        }
        SchemaKind::Choice(choice) => {
            let word = if choice.exclusive { "one" } else { "any" };
            let names = choice
                .discriminator
                .as_ref()
                .map(|(name, names)| format!(" by {name}={}", names.join("|")))
                .unwrap_or_default();
            format!("{word}({}){names}", choice.options.iter().map(|option| inner(*option)).collect::<Vec<_>>().join(", "))
        }
    };
    let read_only = if schema.read_only { " read-only" } else { "" };
    format!("{text}{}{read_only}", if schema.nullable { " or null" } else { "" })
}

fn range(min: i64, max: i64) -> String {
    let min = if min == i64::MIN { String::new() } else { min.to_string() };
    let max = if max == i64::MAX { String::new() } else { max.to_string() };
    if min.is_empty() && max.is_empty() { String::new() } else { format!("[{min}..{max}]") }
}

fn sizes(min: usize, max: Option<usize>) -> String {
    format!("[{min}..{}]", max.map(|max| max.to_string()).unwrap_or_default())
}

fn step(step: Option<impl ToString>) -> String {
    step.map(|step| format!(" step {}", step.to_string())).unwrap_or_default()
}
