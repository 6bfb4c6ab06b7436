//! A finished run, as the report reads it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::api::{Api, OperationIdx, Skipped};
use crate::changes::Changes;
use crate::driver::{Coverage, HintTraffic};
use crate::oracle::Finding;
use crate::search::{ExpansionCounts, HeldBack, HintCounts, Solution, Targets};
use crate::suite::TestSuite;

/// Everything a finished (or broken-off) run gave.
#[derive(Debug)]
pub struct Run<'a> {
    /// The service's interface.
    pub api: &'a Api,
    /// Names of all targets.
    pub targets: &'a Targets,
    /// Kept tests.
    pub solution: &'a Solution,
    /// The same tests in written form, same order.
    pub suite: &'a TestSuite,
    /// Findings in order of discovery.
    pub findings: &'a [Finding],
    /// Counters.
    pub statistics: &'a RunStatistics,
    /// Resolved settings with their origin, secrets masked.
    pub settings: &'a [Setting],
    /// Base URL of the service.
    pub base_url: &'a str,
    /// Operations that the user's filters left out, each with the filter as reason; not part of `api` any more.
    pub left_out: &'a [Skipped],
    /// Files of the written suite with the places of its tests.
    pub suite_files: &'a [SuiteFile],
    /// Names of the users whose credentials were sent, by [`crate::action::UserIdx`].
    pub user_names: &'a [String],
    /// Header fields sent with every call.
    pub headers: &'a [(String, String)],
    /// Texts that no output may show: tokens, passwords. Wherever they occur they are masked.
    pub secrets: &'a [String],
}

/// A file of the written suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteFile {
    /// Path below the output folder, with forward slashes: `suite/pytest/test_faults.py`.
    pub file_path: String,
    /// The tests in it; empty for a file that only supports the others.
    pub tests: Vec<TestPlace>,
}

/// Where a test stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPlace {
    /// [`crate::suite::TestCase::name`].
    pub name: String,
    /// The name as the file spells it.
    pub written_name: String,
    /// First and last line, counted from 1.
    pub lines: (usize, usize),
}

/// Counters of a run.
#[derive(Debug, Clone)]
pub struct RunStatistics {
    /// Seed of all randomness.
    pub rng_seed: u64,
    /// Budget as given: `60s` or `2000 calls`.
    pub budget: String,
    /// HTTP calls made by the search; minimising and confirming are not counted.
    pub calls: u64,
    /// Time of the search.
    pub elapsed: Duration,
    /// How often the service was started anew.
    pub sut_restarts: u64,
    /// Connections opened.
    pub connections_opened: u64,
    /// Connections that the service closed after a complete answer, by the status of that.
    pub connections_closed: BTreeMap<u16, u64>,
    /// Connections that were given up after an answer that refused a body, for the service lost the request behind one.
    pub connections_given_up: u64,
    /// Covered targets.
    pub targets_covered: usize,
    /// Why the search ended.
    pub ended_by: EndedBy,
    /// Status to count, per operation that was called; 0 stands for no answer.
    pub statuses: BTreeMap<OperationIdx, BTreeMap<u16, u64>>,
    /// Operations that were not called any more because they ended the service, and how often each did.
    pub given_up: BTreeMap<OperationIdx, usize>,
    /// Operations that were called seldom because they kept callers waiting, and why.
    pub held_back: BTreeMap<OperationIdx, HeldBack>,
    /// Inputs that the service demands and its document does not: `query currency`, `body /guest/name`.
    pub demanded: BTreeMap<OperationIdx, Vec<String>>,
    /// What was not compared with the schema: why, and how often.
    pub unchecked: BTreeMap<String, u64>,
    /// What was reached inside the service, when a driver told.
    pub coverage: Option<Coverage>,
    /// What the service did with values of calls, as drivers told.
    pub hints: HintCounts,
    /// Inputs that the service read beyond its schema.
    pub expansions: ExpansionCounts,
    /// What that cost on the wire.
    pub hint_traffic: HintTraffic,
    /// Progress over the run.
    pub curve: Vec<CurvePoint>,
    /// What changed since the user's revision, where there is one.
    pub changes: Option<TouchedChanges>,
}

/// What changed, and who works with it.
#[derive(Debug, Clone)]
pub struct TouchedChanges {
    /// What changed.
    pub changes: Changes,
    /// Operations whose calls came to it, in order.
    pub operations: Vec<OperationIdx>,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    /// The budget was used up.
    Budget,
    /// The user stopped it.
    Interrupted,
    /// The service could not be brought back.
    SutLost,
}

/// The state of the search at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Calls so far.
    pub calls: u64,
    /// Seconds so far.
    pub seconds: f64,
    /// Covered targets.
    pub targets: usize,
    /// Lines of the service reached, 0 without a driver.
    pub lines: u64,
    /// Branch sides of the service reached, 0 without a driver.
    pub branches: u64,
    /// Findings.
    pub findings: usize,
}

/// A resolved setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Dotted key as in `restive.toml`.
    pub key: String,
    /// Value as text; secrets are masked.
    pub value: String,
    /// `flag`, `environment`, `file` or `default`.
    pub origin: &'static str,
}

impl Setting {
    /// The value of a setting that no layer has.
    pub const NOT_SET: &str = "not set";
}
