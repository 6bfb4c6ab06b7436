//! Every setting once: the flag, the environment variable and the key of `restive.toml` come from one declaration.
//!
//! A section is a group of flags in `--help` and a table in the file. The environment variable of a flag is its name
//! in upper case after `RESTIVE_`. Nothing is checked against anything else here; [`super::Settings`] does that.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Deserializer, Serialize, de};

use super::fail_on::FailOn;
use super::pair::{self, CommandLine, HeaderField, Variable};
use super::preset::{Preset, TaintText};
use super::quantity::{BudgetText, Size, Time};
use crate::suite::{SuiteWriter, WRITERS};

/// `[sut]`: where the service is and how it is started.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(next_help_heading = "Service")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SutSection {
    /// Base URL of the service, path included; `{port}` stands for the port of a started service
    #[arg(long, alias = "base-url", value_name = "URL")]
    #[serde(alias = "base-url")]
    pub url: Option<String>,
    /// OpenAPI or Swagger document: a file or a URL (which may contain `{port}`) [default: looked for where services offer theirs]
    #[arg(long, value_name = "FILE|URL")]
    pub schema: Option<String>,
    /// The application's runnable jar: restive starts it and finds out port, readiness and schema
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub jar: Option<PathBuf>,
    /// Java that starts the jar [default: that of `JAVA_HOME`, else of `PATH`]
    #[arg(long, value_name = "FILE")]
    pub java: Option<PathBuf>,
    /// Argument of the JVM that runs the jar, such as `-Xmx1g` (repeatable)
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    #[serde(alias = "jvm-args")]
    pub jvm_arg: Vec<String>,
    /// Package that holds the service, all below it included (repeatable) [default: found out from the jar]
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    pub packages: Vec<String>,
    /// Arguments of the jar's application; `{port}` is replaced by its port
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
    /// Command that starts the service; `{port}` is replaced by its port, else where it listens is found out
    #[arg(long, value_name = "COMMAND")]
    pub command: Option<CommandLine>,
    /// Environment variable for the started service (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(deserialize_with = "pair::variables_from_table")]
    pub env: Vec<Variable>,
    /// Folder in which the service is started
    #[arg(long, value_name = "DIR")]
    pub working_directory: Option<PathBuf>,
    /// Start the service in a temporary folder that is empty at each start, so that no files of it outlast a restart
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub fresh_folder: Option<bool>,
    /// Port for the started service [default: a free one]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// The service is ready when a line of its output contains this text
    #[arg(long, value_name = "TEXT")]
    pub ready_log: Option<String>,
    /// The service is ready when GET of this path gives an answer below 500
    #[arg(long, value_name = "PATH")]
    pub ready_path: Option<String>,
    /// The service is ready when its port accepts connections (the default)
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub ready_port: Option<bool>,
    /// How long the service may take to become ready [default: 180s]
    #[arg(long, value_name = "TIME")]
    #[serde(deserialize_with = "optional_text")]
    pub start_limit: Option<Time>,
    /// Size of one log file of the service's output [default: 10MB]
    #[arg(long, value_name = "SIZE")]
    #[serde(deserialize_with = "optional_text")]
    pub max_log: Option<Size>,
}

/// `[driver]`: how the service is measured from inside.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(next_help_heading = "Inside the service")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct DriverSection {
    /// Measure the service from inside where that is possible, but do not let it guide the search
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub blackbox: Option<bool>,
    /// Load the agent into JVMs that restive starts [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub agent: Option<bool>,
    /// Library methods whose calls are measured, so that a result as `false` tells how near it was to `true`: text, equality,
    /// time, collection, pattern, parser, stream; and tcp, which keeps HTTP servers from closing connections (repeatable)
    /// [default: all of them]
    #[arg(long, value_name = "FAMILY", value_delimiter = ',')]
    pub replacements: Vec<String>,
    /// Measure no calls of library methods, and let HTTP servers close connections
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub no_replacements: Option<bool>,
    /// Follow the values of a call to where the service uses them, and try what it compares them with: undisturbed (values are
    /// sent as they are), marked (some are replaced by texts that no service knows), both, off [default: undisturbed; off where
    /// no library calls are measured]
    #[arg(long, value_name = "HOW")]
    pub tracking: Option<String>,
    /// With marked values: the probability that one is marked, at the start, from 0 to 1; or adaptive, which follows what that
    /// brought for each input. It falls to 0 at the focused phase [default: adaptive, from 0.9]
    #[arg(long, value_name = "SHARE")]
    pub taint_probability: Option<TaintText>,
    /// Settings under the names of a paper: base (no library calls are measured, connections close), m (they are, nothing is
    /// tracked), m+t-0.1, m+t-0.5, m+t-0.9 (marked values with that probability), m+t (undisturbed); what is set besides wins
    #[arg(long, value_name = "NAME")]
    pub config_preset: Option<Preset>,
    /// The same as `--tracking off`
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub no_taint: Option<bool>,
    /// Send nothing but what the schema has: leave parameters, headers, cookies and bodies alone that the service reads beyond it
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub no_expansion: Option<bool>,
    /// Also fuzz operations that the service's framework has registered and the schema lacks
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub discover: Option<bool>,
    /// Where the driver of a service that runs already listens
    #[arg(long, value_name = "HOST:PORT")]
    pub driver: Option<String>,
    /// Secret that this driver was given
    #[arg(long, value_name = "TEXT")]
    pub driver_token: Option<String>,
}

/// `[reset]`: how the service is brought back to its first state before each test; exactly one way.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(next_help_heading = "Reset between tests")]
#[serde(default, deny_unknown_fields)]
pub struct ResetSection {
    /// HTTP call that resets the service: `POST /reset`
    #[arg(long, value_name = "VERB PATH")]
    #[serde(rename = "http")]
    pub reset_http: Option<String>,
    /// Command that resets the service
    #[arg(long, value_name = "COMMAND")]
    #[serde(rename = "command")]
    pub reset_command: Option<CommandLine>,
    /// Start the service anew
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[serde(rename = "restart")]
    pub reset_restart: Option<bool>,
    /// Do not reset (the default)
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[serde(rename = "never")]
    pub reset_never: Option<bool>,
    /// How long a reset may take [default: 30s]
    #[arg(long, value_name = "TIME")]
    #[serde(rename = "limit", deserialize_with = "optional_text")]
    pub reset_limit: Option<Time>,
}

/// `[auth]`: whose credentials are sent.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(next_help_heading = "Credentials")]
#[serde(default, deny_unknown_fields)]
pub struct AuthSection {
    /// Web Fuzzing Commons auth file with one or several users
    #[arg(long, value_name = "FILE")]
    #[serde(rename = "file")]
    pub auth_file: Option<PathBuf>,
    /// Token of one user, sent as `Authorization: Bearer`
    #[arg(long, value_name = "TOKEN")]
    pub bearer: Option<String>,
    /// User and password of one user, sent as `Authorization: Basic`
    #[arg(long, value_name = "USER:PASSWORD")]
    pub basic: Option<String>,
}

/// `[http]`: how calls are made.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(next_help_heading = "Calls")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct HttpSection {
    /// Time limit of one call [default: 10s]
    #[arg(long, value_name = "TIME")]
    #[serde(deserialize_with = "optional_text")]
    pub time_limit: Option<Time>,
    /// Calls a second at most [default: no limit]
    #[arg(long, value_name = "NUMBER")]
    pub max_rate: Option<f64>,
    /// Header field sent with every call (repeatable)
    #[arg(long, value_name = "NAME: VALUE")]
    #[serde(alias = "headers", deserialize_with = "pair::headers_from_table")]
    pub header: Vec<HeaderField>,
    /// Answers are read up to this size [default: 1MB]
    #[arg(long, value_name = "SIZE")]
    #[serde(deserialize_with = "optional_text")]
    pub max_body: Option<Size>,
    /// Accept certificates that do not verify
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub insecure: Option<bool>,
}

/// `[operations]`: which operations are called.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(next_help_heading = "Operations")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct OperationsSection {
    /// Call only these: `VERB /path`, `/path/*`, `verb:DELETE`, `tag:NAME` or an operationId (repeatable)
    #[arg(long, value_name = "OPERATION")]
    pub include: Vec<String>,
    /// Never call these; added to those of the file (repeatable)
    #[arg(long, value_name = "OPERATION")]
    pub exclude: Vec<String>,
    /// Call those first, and most, that work with what changed in the git checkout since this branch, tag or commit
    #[arg(long, value_name = "REVISION")]
    pub changed_since: Option<String>,
}

/// `[search]`: every parameter of the search.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(next_help_heading = "Search")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SearchSection {
    /// What may be spent: `60s`, `10m`, `10h` or `2000 calls` [default: 60s]
    #[arg(long, value_name = "BUDGET")]
    #[serde(deserialize_with = "optional_text")]
    pub budget: Option<BudgetText>,
    /// Seed of all randomness [default: drawn anew for each run]
    // A number of TOML has 63 bits.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(..=0x7fff_ffff_ffff_ffff))]
    pub rng_seed: Option<u64>,
    /// Calls in one test, at most
    #[arg(long, value_name = "NUMBER")]
    pub max_test_size: Option<usize>,
    /// Probability of a new test instead of a changed one, at the start
    #[arg(long, value_name = "SHARE")]
    pub p_random: Option<f64>,
    /// The same in the focused phase
    #[arg(long, value_name = "SHARE")]
    pub p_random_end: Option<f64>,
    /// Share of the budget after which the focused phase begins
    #[arg(long, value_name = "SHARE")]
    pub focused_phase: Option<f64>,
    /// Tests kept per target, at the start
    #[arg(long, value_name = "NUMBER")]
    pub population: Option<usize>,
    /// The same in the focused phase
    #[arg(long, value_name = "NUMBER")]
    pub population_end: Option<usize>,
    /// Changes in a row to one test, in the focused phase
    #[arg(long, value_name = "NUMBER")]
    pub mutations: Option<usize>,
    /// The same at the start
    #[arg(long, value_name = "NUMBER")]
    pub mutations_start: Option<usize>,
    /// Probability that a change is to the list of calls instead of to values
    #[arg(long, value_name = "SHARE")]
    pub p_structure: Option<f64>,
    /// Probability of a sequence built from what operations depend on
    #[arg(long, value_name = "SHARE")]
    pub p_smart: Option<f64>,
    /// Probability of a value from the schema's examples and defaults
    #[arg(long, value_name = "SHARE")]
    pub p_example: Option<f64>,
    /// Probability of a value from earlier answers
    #[arg(long, value_name = "SHARE")]
    pub p_pool: Option<f64>,
    /// Probability that a call has something wrong on purpose
    #[arg(long, value_name = "SHARE")]
    pub p_invalid: Option<f64>,
    /// Deaths of the service after which the operation charged with them is not called any more [default: 3]
    #[arg(long, value_name = "NUMBER")]
    pub max_deaths: Option<usize>,
    /// Calls of an operation without an answer in time after which it is called seldom [default: 3]
    #[arg(long, value_name = "NUMBER")]
    pub max_time_outs: Option<usize>,
    /// Nesting of values below which optional parts are left out
    #[arg(long, value_name = "NUMBER")]
    pub max_depth: Option<usize>,
    /// Number of values in one input beyond which optional parts are left out
    #[arg(long, value_name = "NUMBER")]
    pub max_genes: Option<usize>,
    /// Members drawn for an array beyond its minimum
    #[arg(long, value_name = "NUMBER")]
    pub max_members: Option<usize>,
    /// Characters drawn for a text beyond its minimum
    #[arg(long, value_name = "NUMBER")]
    pub max_string: Option<usize>,
    /// `[search.odds]`: fixed odds of sampling and mutating by their names, which `--show-config` lists.
    #[arg(skip)]
    pub odds: BTreeMap<String, f64>,
}

/// `[output]`: what is written where.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(next_help_heading = "Output")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct OutputSection {
    /// Folder for results [default: out]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Move earlier results in the folder to `DIR.previous` instead of refusing to run
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub overwrite: Option<bool>,
    /// Form of the tests (repeatable) [default: pytest and junit-java]
    #[arg(long, value_name = "NAME", value_enum, value_delimiter = ',')]
    #[serde(alias = "formats")]
    pub format: Vec<SuiteFormat>,
    /// Report to write or print besides `results.json` and `report.json` (repeatable) [default: html, sarif and junit;
    /// code-quality in a job of GitLab, github in one of GitHub]
    #[arg(long, value_name = "NAME", value_enum, value_delimiter = ',')]
    #[serde(alias = "reports")]
    pub report: Vec<ReportFormat>,
    /// Output folder of an earlier run: only findings that it has not make this one fail, and those that are gone are named
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
    /// Findings that make a run fail, with exit code 1 (repeatable) [default: any]
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Make tests of what was found, execute them again and write them; without, a run ends with its search [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub suite: Option<bool>,
    /// Write what came of each call of a library method in the service to `debug/library-calls.txt`
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub debug: Option<bool>,
    /// Size of the journal, by which a run that was stopped or killed is resumed; 0B for none [default: 2GB]
    #[arg(long, value_name = "SIZE")]
    #[serde(deserialize_with = "optional_text")]
    pub max_journal: Option<Size>,
    /// No progress on standard error
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub quiet: Option<bool>,
}

/// A form in which tests are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuiteFormat {
    /// Python: pytest and requests.
    Pytest,
    /// Java: JUnit 5 and RestAssured.
    #[value(alias = "junit")]
    #[serde(alias = "junit")]
    JunitJava,
    /// Kotlin: JUnit 5 and RestAssured.
    JunitKotlin,
    /// Rust: reqwest and tokio.
    Rust,
    /// JavaScript: the test runner of Node.js, and nothing to install.
    Javascript,
    /// Requests for HTTP clients of editors, as .http files.
    Http,
    /// Shell scripts with curl and jq.
    Curl,
}

impl SuiteFormat {
    /// What a run writes unless said otherwise.
    pub const USUAL: [Self; 2] = [Self::Pytest, Self::JunitJava];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::JunitJava => "junit-java",
            Self::JunitKotlin => "junit-kotlin",
            Self::Rust => "rust",
            Self::Javascript => "javascript",
            Self::Http => "http",
            Self::Curl => "curl",
        }
    }

    /// What writes it.
    ///
    /// # Panics
    /// Never: there is a writer for each form, see the test of this module.
    pub fn writer(self) -> &'static dyn SuiteWriter {
        WRITERS.into_iter().find(|writer| writer.name() == self.name()).expect("every form has a writer")
    }
}

/// A report of findings for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportFormat {
    /// `report.html`, for people.
    Html,
    /// `results.sarif`, for code hosts and editors.
    Sarif,
    /// `junit.xml`, for CI systems.
    Junit,
    /// `code-quality.json`, for GitLab's merge requests.
    CodeQuality,
    /// Annotations on standard output and a job summary, for GitHub Actions.
    Github,
    /// `suite.har`, an HTTP archive of the calls of the suite.
    Har,
}

impl ReportFormat {
    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::CodeQuality => "code-quality",
            Self::Github => "github",
            Self::Har => "har",
        }
    }
}

/// Reads a value from its text form.
fn optional_text<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: std::fmt::Display>,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::SuiteFormat;
    use crate::suite::{SuiteWriter, WRITERS};

    #[test]
    fn every_form_has_a_writer_and_every_writer_a_form() {
        let forms: Vec<&str> = SuiteFormat::value_variants().iter().map(|format| format.name()).collect();
        assert_eq!(forms, WRITERS.map(SuiteWriter::name));
        for format in SuiteFormat::value_variants() {
            assert_eq!(format.writer().name(), format.name());
            assert_eq!(format.to_possible_value().expect("none is hidden").get_name(), format.name());
        }
    }
}
