//! Below which path an application serves, and at which its schema, as the settings inside its jar say.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Guess;
use super::archive::Entries;

/// Names of the files, in the order in which later ones win.
const FILES: [&str; 6] = [
    "application.yaml",
    "application.yml",
    "application.properties",
    "config/application.yaml",
    "config/application.yml",
    "config/application.properties",
];
/// What frameworks call the path below which all is served.
const BASES: [&str; 5] = [
    "server.servlet.context-path",
    "server.servlet.contextPath",
    "spring.webflux.base-path",
    "quarkus.http.root-path",
    "micronaut.server.context-path",
];
/// What they call the path of the schema.
const SCHEMAS: [&str; 2] = ["springdoc.api-docs.path", "quarkus.smallrye-openapi.path"];
/// How deeply settings may be nested.
const MAX_DEPTH: usize = 32;

/// Where an application serves, each path with a slash in front and none at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Served {
    /// Everything is below that path.
    pub base: Option<Guess<String>>,
    /// The schema is there, below the base path.
    pub schema: Option<Guess<String>>,
}

/// What the settings in the folder of the application's own classes say.
pub(super) fn find(entries: &mut dyn Entries, folder: &str) -> Served {
    let mut found = Served::default();
    for file in FILES {
        let entry = format!("{folder}{file}");
        let Some(text) = entries.read_text(&entry) else { continue };
        let settings = if file.ends_with(".properties") { properties(&text) } else { yaml(&text) };
        let named = |names: &[&str]| {
            let name = names.iter().find(|name| settings.contains_key(**name))?;
            let path = url_path(&settings[*name])?;
            Some(Guess::new(path, format!("`{entry}` sets `{name}`")))
        };
        found = Served { base: named(&BASES).or(found.base), schema: named(&SCHEMAS).or(found.schema) };
    }
    found
}

/// A setting as a path; none for the root, and for what is only known when the application runs.
fn url_path(setting: &str) -> Option<String> {
    // `${NAME:default}` is the default unless somebody sets NAME.
    let value = match setting.trim().strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
        Some(variable) => variable.split_once(':')?.1,
        None => setting.trim(),
    };
    let path = value.trim_matches('/');
    (!path.is_empty() && !path.contains("${")).then(|| format!("/{path}"))
}

/// `name=value` and `name: value`, without comments; lines that go on are left as they are.
fn properties(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with(['#', '!']));
    let pairs = lines.filter_map(|line| line.split_once(['=', ':']));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

/// Names joined with dots; of several documents the first, for the others are for profiles.
fn yaml(text: &str) -> BTreeMap<String, String> {
    let first = text.trim_start_matches("---").split("\n---").next().unwrap_or_default();
    let mut settings = BTreeMap::new();
    if let Ok(value) = serde_saphyr::from_str::<Value>(first) {
        flatten(&value, String::new(), 0, &mut settings);
    }
    settings
}

fn flatten(value: &Value, name: String, depth: usize, settings: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) if depth < MAX_DEPTH => {
            for (field, value) in fields {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                flatten(value, name, depth + 1, settings);
            }
        }
        Value::String(text) => drop(settings.insert(name, text.clone())),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{properties, url_path, yaml};

    #[test]
    fn names_are_the_same_in_both_forms() {
        let yaml = yaml("---\nserver:\n  port: 80\n  servlet.context-path: /a\n---\nserver: {servlet: {context-path: /b}}\n");
        assert_eq!(yaml.get("server.servlet.context-path").map(String::as_str), Some("/a"));
        let properties = properties("# server.servlet.context-path=/x\nserver.servlet.context-path = /a\n other: b\n");
        assert_eq!(properties.get("server.servlet.context-path").map(String::as_str), Some("/a"));
        assert_eq!(properties.len(), 2);
    }

    #[test]
    fn paths_begin_with_a_slash_and_are_known() {
        assert_eq!(url_path(" clinic/ ").as_deref(), Some("/clinic"));
        assert_eq!(url_path("${BASE:/v1}").as_deref(), Some("/v1"));
        for unknown in ["/", "", "${BASE}", "/a/${BASE}"] {
            assert_eq!(url_path(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn damaged_settings_tell_nothing() {
        assert!(yaml("a: [").is_empty() && yaml("- 1").is_empty() && properties("no pair").is_empty());
    }
}
