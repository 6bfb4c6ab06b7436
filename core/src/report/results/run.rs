//! The part of the results about the run as a whole.

use std::collections::BTreeMap;

use serde::Serialize;

use super::BaselineResult;

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
    /// Connections that were given up after an answer that refused a body, for the service lost the request behind one.
    pub connections_given_up: u64,
    /// `budget`, `interrupted` or `sut_lost`.
    pub ended_by: &'static str,
    /// Tests that were left out because their answers differed from execution to execution.
    pub unstable_tests: usize,
    /// The same by what differed, the most frequent first.
    pub unstable_causes: Vec<UnstableCause>,
    /// Tests that were left out because there was no time to execute them again.
    pub untried_tests: usize,
    /// Tests that were left out because there was no time to see that they hold on a service that was started anew.
    pub unproven_tests: usize,
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
    /// How many, by where they are sent: `query`, `header`, `cookie`, `form`, `part`, `matrix`, of files `file_name` and
    /// `file_type`; of bodies by how they are known: `body`, `parsed`, `bound`, `key`, `way` (a key in a key), `wanted`.
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
