//! `results.json`: the one file everything else is made from, and that other programs read.
//!
//! Its top level is fixed (`format_version` says which); below it grows by adding.

mod coverage;
mod from_run;

use std::collections::BTreeMap;

use serde::Serialize;

pub use super::baseline::{BaselineResult, KnownFinding};

/// Version of the format; a change that is not an addition raises it.
pub const FORMAT_VERSION: u32 = 1;

/// Characters kept of an answer's body.
pub const MAX_BODY: usize = 1000;

/// The whole file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Results {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// Version of restive.
    pub restive_version: String,
    /// Every resolved setting by its dotted key, secrets masked.
    pub configuration: serde_json::Map<String, serde_json::Value>,
    /// Counters.
    pub run: RunResult,
    /// Operations in document order; then those that were skipped, then those a filter left out.
    pub operations: Vec<OperationResult>,
    /// Findings in order of discovery.
    pub findings: Vec<FindingResult>,
    /// What was covered.
    pub coverage: CoverageResult,
    /// Kept tests.
    pub tests: Vec<TestResult>,
    /// Progress over the run.
    pub curve: Vec<CurveResult>,
}

/// Counters of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunResult {
    /// Seed of all randomness.
    pub rng_seed: u64,
    /// Budget as given.
    pub budget: String,
    /// HTTP calls of the search.
    pub calls: u64,
    /// Seconds of the search.
    pub seconds: f64,
    /// Calls a second.
    pub calls_per_second: f64,
    /// How often the service was started anew.
    pub sut_restarts: u64,
    /// Connections opened.
    pub connections_opened: u64,
    /// Connections that the service closed after a complete answer, by the status of that.
    pub connections_closed: BTreeMap<u16, u64>,
    /// `budget`, `interrupted` or `sut_lost`.
    pub ended_by: &'static str,
    /// Tests that were left out because their answers differed from execution to execution.
    pub unstable_tests: usize,
    /// The same by what differed, the most frequent first.
    pub unstable_causes: Vec<UnstableCause>,
    /// Tests that were left out because there was no time to execute them again.
    pub untried_tests: usize,
    /// Tests that were left out because the service ends when they are executed.
    pub deadly_tests: usize,
    /// Title of the service, empty when it has none.
    pub title: String,
    /// Base URL of the service.
    pub base_url: String,
    /// Number of users whose credentials calls were sent with.
    pub users: usize,
    /// Places of the schema that were mended on load.
    pub schema_repairs: usize,
    /// Schema keywords that are not honoured, with the number of places.
    pub unsupported_keywords: BTreeMap<String, usize>,
    /// What was not compared with the schema: why, and how often.
    pub unchecked: BTreeMap<String, u64>,
    /// How it compares with an earlier run, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineResult>,
    /// What the service did with values of calls.
    pub hints: HintsResult,
    /// What the service read beyond its schema.
    pub expansions: ExpansionsResult,
}

/// Inputs that the service read beyond its schema, as drivers told, and that were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ExpansionsResult {
    /// How many, by where they are sent: `query`, `header`, `cookie`, `form`, `part`; of bodies by how they are known: `body`,
    /// `parsed`, `bound`, `key`, `way` (a key in a key), `wanted`.
    pub found: BTreeMap<String, u64>,
    /// The first ones, at most 500.
    pub inputs: Vec<ExpansionResult>,
    /// Inputs that were not used: names that cannot be sent, schemas that allow no value, and what was more than is kept.
    pub unused: u64,
    /// Classes in bodies of which no more is known than that they are objects, each with the reason, in alphabetical order; about
    /// 100 at most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// An input that the service read beyond its schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpansionResult {
    /// The operation, such as `GET /orders`.
    pub operation: String,
    /// Where it is sent.
    pub place: &'static str,
    /// Its name, or that of the type that a body is read into.
    pub name: String,
}

/// What the service did with values of calls, as drivers told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct HintsResult {
    /// Hints that arrived, by what was done with the value: `equals`, `matches`, `date`…
    pub arrived: BTreeMap<String, u64>,
    /// Inputs (genes) that took a value from one.
    pub inputs: usize,
    /// Values that were marked so that they are known again (`--tracking marked` and `both`), each time another.
    pub marked: u64,
    /// Hints that were not used: patterns that cannot be translated, what the schema does not allow, and what was more, or
    /// longer, than is kept.
    pub unused: u64,
    /// Bytes of the hints of a call, as they come from drivers.
    pub bytes_per_call: HintBytes,
    /// Hints that came again in the same session; none should.
    pub repeated: u64,
}

/// Bytes of the hints of each call whose values were tracked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct HintBytes {
    /// How many calls there were.
    pub calls: u64,
    /// Bytes of all of them together.
    pub total: u64,
    /// What half of the calls did not exceed.
    pub median: u64,
    /// What 99 in 100 calls did not exceed.
    pub p99: u64,
    /// The most of a call.
    pub most: u64,
}

/// Why tests were left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnstableCause {
    /// `VERB /path` of the first call that was answered otherwise.
    pub operation: String,
    /// Its status; 0 stands for no answer.
    pub status: u16,
    /// Its status at another time; the same where only what the test is there for did not show again.
    pub other_status: u16,
    /// How many tests.
    pub tests: usize,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OperationResult {
    /// `VERB /path`.
    pub id: String,
    /// HTTP verb, `*` when a whole path was skipped.
    pub method: String,
    /// Path template.
    pub path: String,
    /// Status to count; `0` stands for no answer.
    pub statuses: BTreeMap<String, u64>,
    /// What serves it, empty when that is not known; there only for operations that the schema lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovered: Option<String>,
    /// Why it was never called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<SkippedResult>,
    /// Why it was called no more after a while.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up: Option<GivenUpResult>,
    /// Why it was called seldom after a while.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_back: Option<HeldBackResult>,
}

/// Why an operation was called no more after a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GivenUpResult {
    /// Why.
    pub reason: String,
    /// Ends of the service that it is charged with.
    pub deaths: usize,
}

/// Why an operation was called seldom after a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeldBackResult {
    /// Why.
    pub reason: String,
    /// Calls that got no answer in time.
    pub time_outs: usize,
}

/// Why an operation was never called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedResult {
    /// Why.
    pub reason: String,
    /// JSON pointer to the part that could not be understood.
    pub pointer: String,
    /// Whether its user left it out by a filter.
    pub by_filter: bool,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindingResult {
    /// Stable from run to run.
    pub id: String,
    /// Category of Web Fuzzing Commons, or ours from 900.
    pub code: u16,
    /// The category in words.
    pub title: String,
    /// `VERB /path`.
    pub operation: String,
    /// What was found and what was wanted.
    pub message: String,
    /// How often it was noticed.
    pub count: u64,
    /// Whether it showed again when it was tried again.
    pub confirmed: bool,
    /// `confirmed`, `unstable` or `untried`.
    pub confirmation: &'static str,
    /// Last statement the service executed; known with a driver only.
    pub last_statement: Option<String>,
    /// Exceptions in the service's code, first to last; known with a driver only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<ExceptionResult>,
    /// One shell line that repeats the requests.
    pub curl: String,
    /// Names of the tests that show it, the shortest first.
    pub tests: Vec<String>,
    /// Where none shows it: names of tests that would, but end before its call, of which nothing can be expected again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_tests: Vec<String>,
    /// Whether an earlier run that this one is compared with has it, too; none where it is compared with none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
    /// The requests up to the one that showed it.
    pub requests: Vec<RequestResult>,
}

/// An exception behind a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExceptionResult {
    /// `uncaught` (it left the service's code), `caught`, `exit` (an attempt to end the process) or `stopped` (by restive,
    /// because it took too long).
    pub kind: &'static str,
    /// Type with its package.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its message, possibly cut.
    pub message: String,
    /// The statement that ran last before it.
    pub statement: Option<String>,
    /// Its stack, innermost frame first, possibly cut.
    pub trace: Vec<String>,
}

/// One request of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequestResult {
    /// `VERB /path`.
    pub operation: String,
    /// Whole URL.
    pub url: String,
    /// User whose credentials were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// This request alone as a shell line.
    pub curl: String,
}

/// What was covered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CoverageResult {
    /// What measured the service from inside, none without a driver.
    pub driver: Option<String>,
    /// Lines; all zero without a driver.
    pub lines: Covered,
    /// Branch sides; all zero without a driver.
    pub branches: Covered,
    /// Outcomes of calls of library methods that are measured; all zero without a driver.
    pub replacements: Covered,
    /// Covered targets of all kinds.
    pub targets: usize,
    /// Classes of the service that are measured.
    pub classes: usize,
    /// Classes of the service in the jar, whether loaded or not; none where no jar tells.
    pub classes_on_disk: Option<u64>,
    /// Classes of the service that are not, and why; the first ones where there are many.
    pub skipped_classes: Vec<SkippedClass>,
    /// How many there are.
    pub classes_skipped: u64,
    /// Loaded classes of others, which were left alone.
    pub classes_foreign: u64,
    /// Classes of others in which values of calls are not followed, because they have no room for it.
    pub classes_untracked: u64,
    /// Each measured class, by name.
    pub per_class: Vec<ClassResult>,
}

/// A class of the service that is not measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedClass {
    /// Name with its package.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// What was covered of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassResult {
    /// Name with its package.
    pub name: String,
    /// Lines.
    pub lines: Covered,
    /// Branch sides and cases of switches.
    pub branches: Covered,
    /// Outcomes of its calls of library methods that are measured.
    pub replacements: Covered,
    /// Methods with fewer probes than they should have, and why.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub degraded: String,
}

/// A covered share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// Covered by the run.
    pub covered: u64,
    /// Of these covered while the service started.
    pub covered_at_boot: u64,
    /// Of these covered first by work that no call asked for.
    pub covered_in_background: u64,
    /// All there are; zero when it is not known.
    pub total: u64,
}

/// One kept test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestResult {
    /// Identifier in the suite.
    pub name: String,
    /// Files it stands in, below the output folder.
    pub files: Vec<String>,
    /// Targets it is kept for.
    pub targets: Vec<String>,
    /// Findings it shows.
    pub findings: Vec<String>,
    /// Its calls.
    pub calls: Vec<CallResult>,
}

/// One call of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallResult {
    /// `VERB /path`.
    pub operation: String,
    /// Whole URL.
    pub url: String,
    /// Status of the answer; 0 stands for no answer.
    pub status: u16,
    /// First [`MAX_BODY`] characters of the answer's body.
    pub body: String,
    /// First [`MAX_BODY`] characters of the request's body, when one was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_body: Option<String>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The state of the search at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurveResult {
    /// Calls so far.
    pub calls: u64,
    /// Seconds so far.
    pub seconds: f64,
    /// Covered targets.
    pub targets: usize,
    /// Covered lines; zero without a driver.
    pub lines: u64,
    /// Covered branch sides; zero without a driver.
    pub branches: u64,
    /// Findings.
    pub findings: usize,
}

impl Results {
    /// The file's text: indented, ending with a line break.
    ///
    /// # Panics
    /// Never: text keys and finite numbers have a JSON form.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("results have text keys and finite numbers");
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests;
