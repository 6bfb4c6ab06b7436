//! A study as written: subjects, configurations, seeds and a budget in a TOML file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use restive_core::cli::{BudgetText, CommandLine, Time};
use serde::Deserialize;

/// Arguments of `restive fuzz` that the study itself sets.
const RESERVED: [&str; 8] = ["--budget", "--config", "--out", "--overwrite", "--quiet", "--rng-seed", "--show-config", "--url"];

/// A study file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Study {
    /// What the study is called; stands in every line.
    pub name: String,
    /// What it wants to know, for the head of the report.
    #[serde(default)]
    pub question: String,
    /// Budget of every run: `3000 calls` or `60s`.
    pub budget: String,
    /// Seeds of all randomness, one run each.
    pub seeds: Vec<u64>,
    /// Configuration that the others are compared with; the first one when absent.
    pub baseline: Option<String>,
    /// How long a run may take before it is stopped as failed: `10m`; an hour, or three times a budget of time, when absent.
    pub run_limit: Option<String>,
    /// What is fuzzed.
    #[serde(rename = "subject")]
    pub subjects: Vec<Subject>,
    /// How it is fuzzed.
    #[serde(rename = "configuration")]
    pub configurations: Vec<Configuration>,
}

/// A service. Texts may contain `{restive}` (the binary), `{study}` (the folder of the study file) and `{jar}`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Subject {
    /// What it is called.
    pub name: String,
    /// Base URL of a service that runs already.
    pub url: Option<String>,
    /// Command that starts it, with `{port}`.
    pub command: Option<String>,
    /// Maven coordinates of a jar, which `--jar` starts, or `command` with `{jar}`.
    pub maven: Option<String>,
    /// File of such a jar instead, with `{study}` in front or relative to where the harness runs.
    pub jar: Option<String>,
    /// Arguments of the jar's application.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Environment variables of the service.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Variables of its suites, for their credentials.
    #[serde(default)]
    pub suite_environment: BTreeMap<String, String>,
    /// Operations that are never called.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Budget of its runs instead of the study's, for a service that is slower than others.
    pub budget: Option<String>,
    /// File or URL of the schema; files with `{study}` in front.
    pub schema: Option<String>,
    /// Further arguments of `restive fuzz`: reset, credentials, readiness.
    #[serde(default)]
    pub fuzz_arguments: Vec<String>,
}

/// A way to fuzz.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Configuration {
    /// What it is called.
    pub name: String,
    /// Further arguments of `restive fuzz`.
    #[serde(default)]
    pub arguments: Vec<String>,
}

impl Study {
    /// Reads and checks a study file.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        Self::parse(&text).with_context(|| format!("`{}` is no study", path.display()))
    }

    /// Parses and checks the text of a study file.
    pub fn parse(text: &str) -> Result<Self> {
        let study: Self = toml::from_str(text)?;
        study.check()?;
        Ok(study)
    }

    /// Name of the configuration that the others are compared with.
    pub fn baseline(&self) -> &str {
        self.baseline.as_deref().unwrap_or(&self.configurations[0].name)
    }

    /// Budget of the runs of `subject`.
    pub fn budget_of<'a>(&'a self, subject: &'a Subject) -> &'a str {
        subject.budget.as_deref().unwrap_or(&self.budget)
    }

    /// Whether runs are limited by time and not by calls.
    pub fn budget_is_time(&self) -> bool {
        is_time(&self.budget)
    }

    fn check(&self) -> Result<()> {
        self.budget.parse::<BudgetText>().context("`budget`")?;
        if let Some(limit) = &self.run_limit {
            limit.parse::<Time>().context("`run-limit`")?;
        }
        ensure!(!self.seeds.is_empty(), "`seeds` is empty, wanted at least one");
        ensure!(self.seeds.iter().collect::<BTreeSet<_>>().len() == self.seeds.len(), "a seed stands twice in `seeds`");
        check_names("subject", self.subjects.iter().map(|subject| subject.name.as_str()))?;
        check_names("configuration", self.configurations.iter().map(|configuration| configuration.name.as_str()))?;
        check_names("study", std::iter::once(self.name.as_str()))?;
        let baseline = self.baseline();
        ensure!(
            self.configurations.iter().any(|configuration| configuration.name == baseline),
            "`baseline` names `{baseline}`, which is no configuration"
        );
        for subject in &self.subjects {
            subject.check(self.budget_is_time()).with_context(|| format!("subject `{}`", subject.name))?;
        }
        for configuration in &self.configurations {
            check_arguments(&configuration.arguments).with_context(|| format!("configuration `{}`", configuration.name))?;
        }
        Ok(())
    }
}

impl Subject {
    fn check(&self, is_timed: bool) -> Result<()> {
        if let Some(budget) = &self.budget {
            budget.parse::<BudgetText>().context("`budget`")?;
            ensure!(is_time(budget) == is_timed, "found the budget `{budget}`, wanted time or calls as the study has");
        }
        match (&self.url, &self.command, self.jar_source()) {
            (Some(_), None, None) | (None, Some(_), _) | (None, None, Some(_)) => {}
            _ => bail!("wanted one of `url`, `command`, `maven`, `jar`, or `command` with the `{{jar}}` of `maven` or `jar`"),
        }
        ensure!(self.maven.is_none() || self.jar.is_none(), "wanted one of `maven` and `jar`");
        if let Some(command) = &self.command {
            command.parse::<CommandLine>().context("`command`")?;
        }
        let uses_jar = self.command.as_ref().is_none_or(|command| command.contains("{jar}"));
        ensure!(self.jar_source().is_none() || uses_jar, "`command` has no `{{jar}}` for the jar of `maven` or `jar`");
        ensure!(self.jar_source().is_some() || !self.mentions_jar(), "`{{jar}}` wants a jar in `maven` or `jar`");
        if let Some(coordinates) = &self.maven {
            ensure!(coordinates.split(':').count() >= 3, "found `{coordinates}`, wanted `group:name:version`");
        }
        let starts_jar = self.jar_source().is_some() && self.command.is_none();
        ensure!(starts_jar || self.arguments.is_empty(), "`arguments` are for a jar: write them into `command`");
        ensure!(self.url.is_none() || self.environment.is_empty(), "`environment` is for a service that is started");
        check_arguments(&self.fuzz_arguments)
    }

    /// Coordinates or file of its jar, as written.
    pub fn jar_source(&self) -> Option<&str> {
        self.maven.as_deref().or(self.jar.as_deref())
    }

    fn mentions_jar(&self) -> bool {
        self.command.iter().chain(&self.arguments).chain(&self.fuzz_arguments).any(|text| text.contains("{jar}"))
    }
}

/// Whether a budget is time and not a number of calls.
fn is_time(budget: &str) -> bool {
    !budget.contains("call")
}

/// Names become parts of file names.
fn check_names<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        ensure!(
            !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain),
            "found the {what} name `{name}`, wanted letters, digits, `-`, `_` and `.`"
        );
        ensure!(seen.insert(name), "the {what} name `{name}` stands twice");
    }
    ensure!(!seen.is_empty(), "wanted at least one [[{what}]]");
    Ok(())
}

fn check_arguments(arguments: &[String]) -> Result<()> {
    for argument in arguments {
        let flag = argument.split('=').next().unwrap_or_default();
        ensure!(!RESERVED.contains(&flag), "`{flag}` is set by the study itself");
        ensure!(argument != "--", "`--` is set by the study itself: arguments of a jar stand in `arguments` of the subject");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
        name = "small"
        budget = "100 calls"
        seeds = [1, 2]
        [[subject]]
        name = "shop"
        command = "{restive} demo-service --port {port}"
        [[configuration]]
        name = "default"
    "#;

    fn error_of(from: &str, to: &str) -> String {
        let text = SMALL.replace(from, to);
        assert_ne!(text, SMALL, "`{from}` stands in the study");
        format!("{:#}", Study::parse(&text).expect_err("the study is wrong"))
    }

    #[test]
    fn the_first_configuration_is_the_baseline_when_none_is_named() {
        let study = Study::parse(SMALL).expect("a study");
        assert_eq!((study.baseline(), study.budget_is_time()), ("default", false));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        assert!(error_of("100 calls", "100").contains("`budget`: `100` has no unit"));
        assert!(error_of("[1, 2]", "[1, 1]").contains("twice"));
        assert!(error_of("[1, 2]", "[]").contains("`seeds` is empty"));
        assert!(error_of("\"shop\"", "\"a/b\"").contains("`a/b`"));
        assert!(error_of("\"default\"", "\"default\"\narguments = [\"--out=x\"]").contains("`--out` is set by the study"));
        assert!(error_of("seeds", "seds").contains("unknown field `seds`"));
        assert!(error_of("{restive}", "{jar}").contains("in `maven`"));
        assert!(error_of("command", "url = \"http://127.0.0.1:1\"\ncommand").contains("wanted one of"));
        assert!(error_of("budget", "baseline = \"other\"\nbudget").contains("no configuration"));
        assert!(error_of("budget", "run-limit = \"soon\"\nbudget").contains("`run-limit`"));
        assert!(error_of("command", "arguments = [\"--x\"]\ncommand").contains("are for a jar"));
        assert!(error_of("command", "budget = \"10s\"\ncommand").contains("time or calls as the study has"));
    }
}
