//! The JSON Schema of `restive.toml`, for editors: made from the flags, which have the same names and help.

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction};
use serde_json::{Map, Value, json};

use crate::search::{OddsKind, SearchOdds};

use super::args;

/// Tables of the file by the heading that their flags have in `--help`, and what their flags begin with beyond the key.
const TABLES: [(&str, &str, &str); 8] = [
    ("Service", "sut", ""),
    ("Inside the service", "driver", ""),
    ("Operations", "operations", ""),
    ("Search", "search", ""),
    ("Calls", "http", ""),
    ("Credentials", "auth", "auth_"),
    ("Reset between tests", "reset", "reset_"),
    ("Output", "output", ""),
];
/// Keys that go by a second name.
const OTHER_NAMES: [(&str, &str, &str); 5] = [
    ("sut", "url", "base-url"),
    ("sut", "jvm-arg", "jvm-args"),
    ("http", "header", "headers"),
    ("output", "format", "formats"),
    ("output", "report", "reports"),
];

/// The schema, of draft 2020-12.
pub fn settings_schema() -> Value {
    let command = args::command();
    let fuzz = command.find_subcommand("fuzz").map(|fuzz| fuzz.get_arguments().collect::<Vec<_>>()).unwrap_or_default();
    let mut tables = Map::new();
    for (heading, table, prefix) in TABLES {
        let of_table = fuzz.iter().filter(|arg| arg.get_help_heading() == Some(heading));
        let mut keys: Map<String, Value> = of_table.map(|arg| (key(arg, prefix), setting(arg))).collect();
        for (_, name, other) in OTHER_NAMES.into_iter().filter(|(of, ..)| *of == table) {
            if let Some(setting) = keys.get(name).cloned() {
                keys.insert(other.to_owned(), setting);
            }
        }
        if table == "search" {
            keys.insert("odds".to_owned(), odds());
        }
        tables.insert(table.to_owned(), json!({ "type": "object", "properties": keys, "additionalProperties": false }));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "restive.toml",
        "description": "Settings of `restive fuzz`; `restive fuzz --show-config` prints what holds.",
        "type": "object",
        "properties": tables,
        "additionalProperties": false,
    })
}

fn key(arg: &Arg, prefix: &str) -> String {
    let id = arg.get_id().as_str();
    id.strip_prefix(prefix).unwrap_or(id).replace('_', "-")
}

fn setting(arg: &Arg) -> Value {
    let value_name = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    let one = match value_name {
        "BOOL" => json!({ "type": "boolean" }),
        "PORT" => json!({ "type": "integer", "minimum": 1, "maximum": 65535 }),
        "NUMBER" => json!({ "type": "number", "minimum": 0 }),
        "SHARE" if arg.get_id() == "taint_probability" => json!({}),
        "SHARE" => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        "COMMAND" => json!({ "type": ["string", "array"], "items": { "type": "string" } }),
        _ => with_choices(arg),
    };
    let is_list = matches!(arg.get_action(), ArgAction::Append);
    let mut setting = match value_name {
        // In a file these are tables.
        "NAME=VALUE" | "NAME: VALUE" => {
            json!({ "type": "object", "additionalProperties": { "type": ["string", "number", "boolean"] } })
        }
        _ if is_list => json!({ "type": "array", "items": one }),
        _ => one,
    };
    if let Some(help) = arg.get_help() {
        setting["description"] = Value::from(help.to_string().replace(" (repeatable)", ""));
    }
    setting
}

fn with_choices(arg: &Arg) -> Value {
    let names = |choice: &PossibleValue| choice.get_name_and_aliases().map(str::to_owned).collect::<Vec<_>>();
    let choices: Vec<String> = arg.get_possible_values().iter().flat_map(names).collect();
    if choices.is_empty() { json!({ "type": "string" }) } else { json!({ "type": "string", "enum": choices }) }
}

fn odds() -> Value {
    let mut odds = SearchOdds::default();
    let keys: Map<String, Value> = odds
        .entries()
        .into_iter()
        .map(|(key, kind, value)| {
            let name = key.rsplit('.').next().unwrap_or(key).to_owned();
            let most: f64 = *OddsKind::range(kind).end();
            (name, json!({ "type": "number", "minimum": 0, "maximum": most, "default": *value }))
        })
        .collect();
    json!({ "type": "object", "properties": keys, "additionalProperties": false })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::settings_schema;
    use crate::cli::config::EVERY_KEY;

    fn errors(toml: &str) -> Vec<String> {
        let settings: Value = toml::from_str(toml).expect("it is TOML");
        let validator = jsonschema::validator_for(&settings_schema()).expect("the schema is one");
        validator.iter_errors(&settings).map(|error| error.to_string()).collect()
    }

    #[test]
    fn what_the_file_may_hold_is_valid_and_what_it_may_not_is_not() {
        assert_eq!(errors(EVERY_KEY), Vec::<String>::new());
        for wrong in [
            "[serch]",
            "[search]\nbuget = \"60s\"",
            "[search]\np-random = 2",
            "[sut]\nport = \"80\"",
            "[output]\nformats = [\"perl\"]",
            "[search.odds]\nnone = 1",
        ] {
            assert_eq!(errors(wrong).len(), 1, "{wrong}");
        }
    }

    #[test]
    fn every_key_says_what_it_is() {
        let schema = settings_schema();
        let tables = schema["properties"].as_object().expect("tables");
        assert_eq!(tables.len(), 8);
        for (table, of_table) in tables {
            let keys = of_table["properties"].as_object().expect("keys");
            assert!(!keys.is_empty(), "{table}");
            for (key, setting) in keys.iter().filter(|(key, _)| *key != "odds") {
                assert!(setting["description"].as_str().is_some_and(|text| text.len() > 5), "{table}.{key}");
            }
        }
        assert_eq!(schema["properties"]["reset"]["properties"]["http"]["type"], json!("string"));
    }
}
