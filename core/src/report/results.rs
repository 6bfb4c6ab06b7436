//! `results.json`: the one file everything else is made from, and that other programs read.
//!
//! Its top level is fixed (`format_version` says which); below it grows by adding.

mod cause;
mod changes;
mod coverage;
mod finding;
mod from_run;
mod operation;
mod run;
mod test;

use serde::Serialize;

pub use super::baseline::{BaselineResult, KnownFinding};
pub use cause::CauseResult;
pub use changes::{ChangedFileResult, ChangesResult};
pub use coverage::{ClassResult, CoverageResult, Covered, SkippedClass};
pub use finding::{ExceptionResult, FindingResult, RequestResult};
pub use operation::{GivenUpResult, HeldBackResult, OperationResult, SkippedResult};
pub use run::{ExpansionResult, ExpansionsResult, HintBytes, HintsResult, RunResult, UnstableCause};
pub use test::{CallResult, TestResult};

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
    /// Findings, the most telling ones first: new ones, then certain ones, then those whose requests are not wrong as such, then the first of
    /// each cause.
    pub findings: Vec<FindingResult>,
    /// What was covered.
    pub coverage: CoverageResult,
    /// What changed since the revision that the user named; absent where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<ChangesResult>,
    /// Kept tests.
    pub tests: Vec<TestResult>,
    /// Progress over the run.
    pub curve: Vec<CurveResult>,
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
