//! The part of the results about operations.

use std::collections::BTreeMap;

use serde::Serialize;

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
    /// Inputs that the service demands and its document does not, `query currency`, `body /guest/name`: its refusals said that they
    /// were missing, and no call succeeded without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub demanded: Vec<String>,
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
    /// Calls that got no answer in time; 0 where the answers came, and took long.
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
