//! The part of the results about kept tests.

use serde::Serialize;

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
    /// First [`MAX_BODY`](super::MAX_BODY) characters of the answer's body.
    pub body: String,
    /// First [`MAX_BODY`](super::MAX_BODY) characters of the request's body, when one was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_body: Option<String>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}
