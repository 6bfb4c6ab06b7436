//! `restive schema check`: what of a schema is understood, what not and why.

use std::fmt::Write as _;

use clap::Args;
use serde_json::{Value, json};

use crate::action;
use crate::api::Api;
use crate::openapi::{self, Access};

use super::{CliError, print, schema_error};

/// Arguments of `restive schema check`.
#[derive(Debug, Clone, Args)]
pub struct SchemaCheckArgs {
    /// OpenAPI 3.0, 3.1 or Swagger 2.0 document, JSON or YAML: a file or an http(s) URL
    #[arg(value_name = "FILE|URL")]
    pub schema: String,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Accept certificates that do not verify
    #[arg(long)]
    pub insecure: bool,
}

/// Whether every operation of a document can be fuzzed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Understood {
    /// All can, and there is at least one.
    Fully,
    /// Some were skipped, or there is none.
    Partly,
}

/// Loads the document and prints to standard output what is understood of it.
pub fn check(args: &SchemaCheckArgs) -> Result<Understood, CliError> {
    let access = Access { any_certificate: args.insecure, fields: None };
    let api = openapi::load_with(&args.schema, &access, &[]).map(action::settle).map_err(|error| schema_error(&error))?;
    let text = if args.json { format!("{:#}\n", to_json(&api)) } else { to_text(&api, &openapi::shown(&args.schema)) };
    print(&text)?;
    let is_complete = api.skipped.is_empty() && !api.operations.is_empty();
    Ok(if is_complete { Understood::Fully } else { Understood::Partly })
}

fn to_json(api: &Api) -> Value {
    let skipped = api
        .skipped
        .iter()
        .map(|skipped| json!({ "operation": skipped.operation, "pointer": skipped.pointer, "reason": skipped.reason }));
    let repairs = api.repairs.iter().map(|repair| json!({ "pointer": repair.pointer, "action": repair.action }));
    json!({
        "operations": api.operations.len(),
        "skipped": skipped.collect::<Vec<_>>(),
        "unsupported": api.unsupported,
        "repairs": repairs.collect::<Vec<_>>(),
        "servers": api.servers,
        "title": api.title,
    })
}

fn to_text(api: &Api, origin: &str) -> String {
    let mut text = String::new();
    let title = if api.title.is_empty() { "(no title)" } else { &api.title };
    put(&mut text, format_args!("{title} ({origin})"));
    let servers = if api.servers.is_empty() { "none named".to_owned() } else { api.servers.join(", ") };
    put(&mut text, format_args!("servers: {servers}"));
    put(&mut text, format_args!("\n{}", counted(api.operations.len(), "operation")));
    for operation in &api.operations {
        let bodies: Vec<&str> = operation.bodies.iter().map(|body| body.media_type.as_str()).collect();
        let takes = if bodies.is_empty() { String::new() } else { format!(", body {}", bodies.join(" or ")) };
        let auth = if operation.needs_auth { ", needs auth" } else { "" };
        let parameters = counted(operation.parameters.len(), "parameter");
        put(&mut text, format_args!("  {}  ({parameters}{takes}{auth})", operation.id));
    }
    put(&mut text, format_args!("\n{} skipped", counted(api.skipped.len(), "operation")));
    for skipped in &api.skipped {
        put(&mut text, format_args!("  {}  at {}: {}", skipped.operation, skipped.pointer, skipped.reason));
    }
    put(&mut text, format_args!("\n{} not honoured when values are made", counted(api.unsupported.len(), "keyword")));
    for (keyword, count) in &api.unsupported {
        put(&mut text, format_args!("  {keyword}: {}", counted(*count, "place")));
    }
    put(&mut text, format_args!("\n{}", counted(api.repairs.len(), "repair")));
    for repair in &api.repairs {
        put(&mut text, format_args!("  {}: {}", repair.pointer, repair.action));
    }
    text
}

/// Adds a line without control characters, which a document could trick a terminal with.
fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    let printable = line.to_string().replace(|character: char| character.is_control() && character != '\n', "\u{fffd}");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{printable}");
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{to_json, to_text};
    use crate::openapi::{Origin, parse};
    use serde_json::json;

    #[test]
    fn both_outputs_tell_operations_skips_and_unsupported_keywords() {
        let document = json!({
            "openapi": "3.0.0", "info": { "title": "Pets" },
            "paths": { "/pets": {
                "get": { "parameters": [{ "name": "q", "in": "query", "schema": { "not": { "type": "string" } } }], "responses": {} },
                "put": [],
            } },
        });
        let api = parse(&document.to_string(), &Origin::Text).unwrap();
        let value = to_json(&api);
        assert_eq!(value["operations"], json!(1));
        let skipped =
            json!([{ "operation": "PUT /pets", "pointer": "/paths/~1pets/put", "reason": "the operation is no object" }]);
        assert_eq!(value["skipped"], skipped);
        assert_eq!(value["unsupported"], json!({ "not": 1 }));
        let text = to_text(&api, "pets.json");
        for line in ["1 operation", "  GET /pets  (1 parameter)", "1 operation skipped", "  not: 1 place", "0 repairs"] {
            assert!(text.lines().any(|other| other == line), "{line} in {text}");
        }
    }
}
