//! `restive.toml`: the sections as a file.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::nearest::nearest;
use super::sections::{
    AuthSection, DriverSection, HttpSection, OperationsSection, OutputSection, ResetSection, SearchSection, SutSection,
};
use super::{CliError, Exit};

/// Name of the file that is read without being asked for.
pub const FILE_NAME: &str = "restive.toml";

/// A settings file as written.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// `[sut]`.
    pub sut: SutSection,
    /// `[driver]`.
    pub driver: DriverSection,
    /// `[operations]`.
    pub operations: OperationsSection,
    /// `[search]`.
    pub search: SearchSection,
    /// `[http]`.
    pub http: HttpSection,
    /// `[auth]`.
    pub auth: AuthSection,
    /// `[reset]`.
    pub reset: ResetSection,
    /// `[output]`.
    pub output: OutputSection,
    /// Folder of the file: paths in it are meant from there; empty when there is no file.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// A settings file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It is not there or not readable.
    #[error("cannot read the settings file `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not what a settings file has to be.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
        /// The known key that was most likely meant.
        meant: Option<String>,
    },
}

impl ConfigError {
    /// The next step.
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable { .. } => "name an existing file with `--config FILE`, or leave the flag out".to_owned(),
            Self::Invalid { meant: Some(key), .. } => format!("did you mean `{key}`?"),
            Self::Invalid { meant: None, .. } => {
                "`restive fuzz --help` lists every key as a flag; `--show-config` prints a valid file".to_owned()
            }
        }
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        let exit = match error {
            ConfigError::Unreadable { .. } => Exit::Environment,
            ConfigError::Invalid { .. } => Exit::Usage,
        };
        Self::from_error(exit, &error).hint(error.hint())
    }
}

impl Config {
    /// Reads the file that `--config` names, else `restive.toml` in the current folder, else nothing.
    pub fn load(named: Option<&Path>) -> Result<Self, ConfigError> {
        match named {
            Some(path) => Self::read(path),
            None if Path::new(FILE_NAME).is_file() => Self::read(Path::new(FILE_NAME)),
            None => Ok(Self::default()),
        }
    }

    fn read(path: &Path) -> Result<Self, ConfigError> {
        let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let mut config = Self::parse(&text, path)?;
        config.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(config)
    }

    /// Parses the text of the file at `path`.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| {
            let (line, column) = error.span().map_or((1, 1), |span| place_of(text, span.start));
            let (message, meant) = explain(error.message());
            ConfigError::Invalid { path: path.to_owned(), line, column, message, meant }
        })
    }

    /// A path of the file as seen from the current folder.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}

/// Line and column, both from 1, of a byte position.
fn place_of(text: &str, position: usize) -> (usize, usize) {
    let before = text.get(..position).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// serde's message in our words, with the key that a mistyped one most likely stands for.
fn explain(message: &str) -> (String, Option<String>) {
    let mut quoted = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown field") {
        let found = quoted.next().unwrap_or_default();
        let meant = nearest(&found.replace('_', "-"), quoted).map(str::to_owned);
        return (format!("unknown key `{found}`"), meant);
    }
    if message.starts_with("unknown variant") {
        let found = quoted.next().unwrap_or_default();
        let known: Vec<&str> = quoted.collect();
        let meant = nearest(found, known.iter().copied()).map(str::to_owned);
        return (format!("found `{found}`, wanted one of `{}`", known.join("`, `")), meant);
    }
    (message.lines().next().unwrap_or_default().to_owned(), None)
}

/// A file with every key, for tests.
#[cfg(test)]
pub(super) const EVERY_KEY: &str = r#"
        [sut]
        base-url = "http://127.0.0.1:{port}/api"
        schema = "api.yaml"
        command = ["java", "-jar", "app.jar", "{port}"]
        jar = "app.jar"
        java = "java"
        jvm-args = ["-Xmx1g"]
        packages = ["com.acme"]
        arguments = ["--port={port}"]
        env = { PROFILE = "test", WORKERS = 4, DEBUG = true }
        working-directory = "service"
        fresh-folder = true
        port = 8080
        ready-log = "Started"
        start-limit = "90s"
        max-log = "5MB"
        [operations]
        include = ["tag:pets"]
        exclude = ["POST /shutdown"]
        [search]
        budget = "2000 calls"
        rng-seed = 7
        max-test-size = 5
        p-random = 0.4
        focused-phase = 0.6
        population = 9
        mutations = 8
        p-structure = 0.3
        p-smart = 0.9
        p-example = 0.1
        p-pool = 0.2
        p-invalid = 0.05
        max-depth = 6
        max-genes = 100
        max-members = 3
        max-string = 16
        [http]
        time-limit = "5s"
        max-rate = 50
        headers = { X-Tenant = "7" }
        max-body = "2MB"
        insecure = true
        [auth]
        file = "auth.yaml"
        bearer = "t"
        basic = "a:b"
        [reset]
        http = "POST /reset"
        limit = "3s"
        [output]
        out = "results"
        overwrite = true
        formats = ["pytest", "junit", "junit-java"]
        debug = true
        quiet = true
"#;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Config, ConfigError, EVERY_KEY};

    fn error_of(text: &str) -> ConfigError {
        Config::parse(text, Path::new("restive.toml")).expect_err("the file is wrong")
    }

    #[test]
    fn every_key_is_understood() {
        let config = Config::parse(EVERY_KEY, Path::new("restive.toml")).expect("a valid file");
        assert_eq!(config.sut.env.len(), 3);
        assert_eq!(config.http.max_rate, Some(50.0));
        assert_eq!(config.output.format.len(), 3);
        assert_eq!(config.search.max_string, Some(16));
    }

    #[test]
    fn a_mistyped_key_is_named_with_its_place_and_the_key_meant() {
        let error = error_of("[search]\nrng-seed = 1\nbudgt = \"60s\"\n");
        assert_eq!(error.to_string(), "restive.toml:3:1: unknown key `budgt`");
        assert_eq!(error.hint(), "did you mean `budget`?");
        assert_eq!(error_of("[search]\nmax_test_size = 1").hint(), "did you mean `max-test-size`?");
        assert_eq!(error_of("[serach]\n").hint(), "did you mean `search`?");
    }

    #[test]
    fn a_wrong_value_is_named_with_its_place() {
        let error = error_of("[search]\nbudget = \"2000\"\n");
        assert!(error.to_string().starts_with("restive.toml:2:10: `2000` has no unit"), "{error}");
        let error = error_of("[output]\nformats = [\"pytst\"]\n");
        assert_eq!(error.hint(), "did you mean `pytest`?");
        assert!(error_of("[sut]\nport = \"x\"").to_string().starts_with("restive.toml:2:8:"));
        assert!(error_of("[sut\n").to_string().starts_with("restive.toml:1:"));
    }

    #[test]
    fn a_missing_file_is_an_error_only_when_it_was_named() {
        let error = Config::load(Some(Path::new("no/such.toml"))).expect_err("the file is missing");
        assert_eq!(error.to_string(), "cannot read the settings file `no/such.toml`");
    }

    #[test]
    fn the_readme_style_of_commands_is_split() {
        let config = Config::parse("[sut]\ncommand = \"java -jar 'my app.jar'\"", Path::new("x")).expect("a valid file");
        assert_eq!(config.sut.command.expect("a command").0, ["java", "-jar", "my app.jar"]);
    }
}
