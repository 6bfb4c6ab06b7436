//! WFC 101: an answer that does not match what the schema documents for its operation.
//!
//! Checked are, in this order: status, media type, headers, body. What counts:
//!
//! - A status that is not documented, neither by itself nor by its class nor by `default`. Refusals such as 401, 404,
//!   405 or 429 are no exception: a client has to expect what the service sends. Status 500 is: it is WFC 100 already.
//!   An operation that documents no answer at all promises nothing. Nor is the refusal of a request that was malformed on
//!   purpose one: it comes from the parsers in front of the operation. Of a call to a path that no operation has, nothing
//!   is compared.
//! - A body whose media type is not among the documented ones, has none, or is missing where JSON is documented. Where no
//!   media type is documented a body is no fault: many documents leave out the bodies of refusals.
//! - A required header that is missing, and a header whose value does not match its schema. Values are text: they are also
//!   tried as number, truth value and comma-separated list.
//! - A body that is not in the content coding it is said to be in. Bodies in codings that nobody here knows are not
//!   checked, and counted.
//! - A JSON body that is no JSON, or does not match its schema, formats included.
//!
//! For status 500 headers and body are checked only when it is documented by name or class, because a `default` answer
//! is hardly meant for crashes. Keys hold what the schema says and nothing of the body, so that one mistake is one
//! finding however many values show it.

mod body;
mod compiled;
mod headers;
mod steps;
mod validators;
mod violation;

pub use validators::Validators;

use crate::action::{ActionResult, Answer};
use crate::api::{Api, Operation, OperationIdx, Response, StatusRange, Verb};

use super::{Fault, FaultCode, Oracle, OracleContext};

/// Mismatches reported of one answer, at most.
const MAX_FAULTS: usize = 10;
/// Characters of a message, at most.
const MAX_MESSAGE: usize = 300;

/// Notices answers that the schema does not document.
#[derive(Debug, Clone, Copy)]
pub struct SchemaMismatch;

/// A mismatch before it is a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mismatch {
    /// What tells it from others, without values.
    pub(super) key: String,
    /// For people.
    pub(super) message: String,
}

impl Oracle for SchemaMismatch {
    fn check(&self, context: &OracleContext<'_>, validators: &mut Validators, result: &ActionResult) -> Vec<Fault> {
        let Some(answer) = result.answer().filter(|_| !context.is_astray) else { return Vec::new() };
        let operation_idx = result.request.operation_idx;
        let operation = context.api.operation(operation_idx);
        let mismatches = match operation.response_for(answer.status) {
            None if context.is_malformed && (400..500).contains(&answer.status) => Vec::new(),
            None => undocumented_status(operation, answer.status).into_iter().collect(),
            Some(response) if answer.status == 500 && response.status == StatusRange::Default => Vec::new(),
            Some(response) => {
                let place = ResponsePlace { api: context.api, operation_idx, response, verb: result.request.verb };
                place.check(validators, answer)
            }
        };
        let to_fault = |mismatch: Mismatch| Fault {
            code: FaultCode::SchemaMismatch,
            operation_idx,
            key: mismatch.key,
            message: shortened(&mismatch.message),
            statement: None,
        };
        mismatches.into_iter().take(MAX_FAULTS).map(to_fault).collect()
    }
}

/// The documented answer that an answer is compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResponsePlace<'a> {
    pub(super) api: &'a Api,
    pub(super) operation_idx: OperationIdx,
    pub(super) response: &'a Response,
    pub(super) verb: Verb,
}

impl ResponsePlace<'_> {
    fn check(&self, validators: &mut Validators, answer: &Answer) -> Vec<Mismatch> {
        let mut mismatches = headers::check(self, validators, answer);
        // RFC 9110 6.4.1: these never have content, whatever their fields say.
        let has_no_content = self.verb == Verb::Head || matches!(answer.status, 100..=199 | 204 | 205 | 304);
        if !has_no_content {
            mismatches.extend(body::check(self, validators, answer));
        }
        // One key per status: a client reads the answers of different statuses apart.
        for mismatch in &mut mismatches {
            mismatch.key = format!("status {}: {}", answer.status, mismatch.key);
            mismatch.message = format!("status {}: {}", answer.status, mismatch.message);
        }
        mismatches
    }
}

fn undocumented_status(operation: &Operation, status: u16) -> Option<Mismatch> {
    if operation.responses.is_empty() || status == 500 {
        return None;
    }
    let mut documented: Vec<String> = operation.responses.iter().map(|response| range_name(response.status)).collect();
    documented.sort();
    let message = format!("status {status} is not documented, only {}", documented.join(", "));
    Some(Mismatch { key: format!("status {status}"), message })
}

fn range_name(range: StatusRange) -> String {
    match range {
        StatusRange::Code(code) => code.to_string(),
        StatusRange::Class(digit) => format!("{digit}XX"),
        StatusRange::Default => "default".to_owned(),
    }
}

/// `message` cut at a character boundary.
fn shortened(message: &str) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests;
