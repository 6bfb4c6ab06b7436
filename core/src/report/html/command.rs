//! The command that makes a run again, from its settings.

use serde::Serialize;
use serde_json::Value;

use crate::report::shell_word;

/// What stands in place of secrets in settings.
const MASKED: &str = "***";

/// A command with what it does not say.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Command {
    /// One shell line.
    pub line: String,
    /// What has to be there besides.
    pub notes: Vec<String>,
}

/// The command of the run of the content of `results.json`.
pub(super) fn command(results: &Value) -> Command {
    let run = &results["run"];
    let budget = run["budget"].as_str().unwrap_or_default();
    let no_settings = serde_json::Map::new();
    let settings = results["configuration"].as_object().unwrap_or(&no_settings);
    let Words { flags, arguments, has_file } = chosen(settings);
    let is_demo = !settings.keys().any(|key| key.starts_with("sut."));
    let mut words = vec!["restive".to_owned(), if is_demo { "demo" } else { "fuzz" }.to_owned()];
    words.extend(flags);
    words.extend(["--budget".to_owned(), shell_word(budget), "--rng-seed".to_owned(), run["rng_seed"].to_string()]);
    if !arguments.is_empty() {
        words.push("--".to_owned());
        words.extend(arguments);
    }
    let line = words.join(" ");
    let notes = [
        (has_file, "Beside it, as then, the `restive.toml` that other settings come from."),
        (line.contains("\"$RESTIVE_"), "Secrets stand in no output: they come from the variables in the command."),
        (
            !budget.ends_with("calls"),
            "A budget in time lets a run go as far as the machine gets; one in calls goes the same way each time.",
        ),
    ];
    Command { line, notes: notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note.to_owned()).collect() }
}

/// What settings are on a command line.
#[derive(Debug, Default)]
struct Words {
    flags: Vec<String>,
    /// Of the service, after `--`.
    arguments: Vec<String>,
    /// Whether a file had a say.
    has_file: bool,
}

/// The settings that someone chose, but for seed and budget, which are told by what held.
fn chosen(settings: &serde_json::Map<String, Value>) -> Words {
    let mut words = Words::default();
    for (key, setting) in settings {
        let (value, origin) = (setting["value"].as_str().unwrap_or_default(), setting["origin"].as_str().unwrap_or_default());
        words.has_file |= origin == "file";
        let is_told = matches!(key.as_str(), "search.rng-seed" | "search.budget" | "output.overwrite");
        if is_told || !matches!(origin, "flag" | "environment") {
            continue;
        }
        let values = values(value);
        match key.as_str() {
            "sut.arguments" => words.arguments.extend(values.iter().map(|value| shell_word(value))),
            "sut.command" if values.len() > 1 => {
                let command: Vec<String> = values.iter().map(|value| shell_word(value)).collect();
                words.flags.extend(["--command".to_owned(), shell_word(&command.join(" "))]);
            }
            _ => words.flags.extend(values.iter().flat_map(|value| flag(key, value))),
        }
    }
    words
}

/// The values of a list, or the one there is.
fn values(text: &str) -> Vec<String> {
    let parsed: Option<toml::Table> = if text.starts_with('[') { toml::from_str(&format!("list = {text}")).ok() } else { None };
    match parsed.as_ref().and_then(|table| table["list"].as_array()) {
        Some(list) => list.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect(),
        None => vec![text.to_owned()],
    }
}

/// The words of a setting on a command line.
fn flag(key: &str, value: &str) -> Vec<String> {
    let (section, name) = key.split_once('.').unwrap_or(("", key));
    let name = match (section, name) {
        ("reset", _) | ("auth", "file") => format!("{section}-{name}"),
        _ => name.to_owned(),
    };
    match value {
        "true" => vec![format!("--{name}")],
        "false" => vec![format!("--{name}=false")],
        MASKED => vec![format!("--{name}"), format!("\"$RESTIVE_{}\"", name.to_uppercase().replace('-', "_"))],
        _ => vec![format!("--{name}"), shell_word(value)],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::command;

    fn line(settings: &[(&str, &str, &str)], budget: &str) -> (String, Vec<String>) {
        let settings: Map<String, Value> = settings
            .iter()
            .map(|(key, value, origin)| ((*key).to_owned(), json!({ "value": value, "origin": origin })))
            .collect();
        let command = command(&json!({ "configuration": settings, "run": { "budget": budget, "rng_seed": 7 } }));
        (command.line, command.notes)
    }

    #[test]
    fn flags_and_variables_are_said_again() {
        let settings = [
            ("sut.jar", "a b.jar", "flag"),
            ("sut.arguments", r#"["--profile=x", "$(rm)"]"#, "flag"),
            ("sut.java", "not set", "default"),
            ("operations.exclude", r#"["POST /a", "/b/*"]"#, "environment"),
            ("reset.http", "POST /reset", "flag"),
            ("auth.bearer", "***", "environment"),
            ("driver.discover", "true", "flag"),
            ("search.budget", "2000 calls", "flag"),
            ("output.overwrite", "true", "flag"),
        ];
        let (line, notes) = line(&settings, "2000 calls");
        let expected = "restive fuzz --jar 'a b.jar' --exclude 'POST /a' --exclude '/b/*' --reset-http 'POST /reset' --bearer \
                        \"$RESTIVE_BEARER\" --discover --budget '2000 calls' --rng-seed 7 -- --profile=x '$(rm)'";
        assert_eq!(line, expected);
        assert_eq!(notes.len(), 1, "{notes:?}");
    }

    #[test]
    fn what_the_command_does_not_say_is_noted() {
        let (line, notes) = line(&[("search.p-random", "0.5", "file"), ("output.out", "x", "flag")], "60s");
        assert_eq!(line, "restive demo --out x --budget 60s --rng-seed 7");
        assert_eq!(notes.len(), 2, "{notes:?}");
    }

    #[test]
    fn a_command_of_several_words_is_one_argument() {
        let (line, _) = line(&[("sut.command", r#"["java", "-jar", "a b.jar"]"#, "flag")], "5 calls");
        assert_eq!(line, r"restive fuzz --command 'java -jar '\''a b.jar'\''' --budget '5 calls' --rng-seed 7");
    }
}
