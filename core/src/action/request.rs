//! What is sent: the phenotype of an action.

use serde::{Deserialize, Serialize};

use crate::api::{OperationIdx, Verb};

use super::UserIdx;

/// One HTTP request below the base URL; credentials are added by the executor.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    /// The operation it calls.
    pub operation_idx: OperationIdx,
    /// HTTP verb.
    pub verb: Verb,
    /// Path below the base URL, percent-encoded, with the query string; starts with `/`.
    pub url: String,
    /// Header fields in sending order, `Content-Type` included; names as documented, values without control characters.
    pub headers: Vec<(String, String)>,
    /// Body bytes.
    pub body: Option<Vec<u8>>,
    /// Whose credentials are sent.
    pub user: Option<UserIdx>,
}
