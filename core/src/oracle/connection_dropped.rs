//! 903: the service broke the connection off before a complete answer, and lives.

use crate::action::{ActionResult, Outcome};

use super::{Fault, FaultCode, Oracle, OracleContext, Validators};

/// Notices connections that are closed without an answer or in the middle of one, and answers that are not HTTP: one
/// fault per operation. A death explains itself and is not told twice.
///
/// A kept-alive connection that was closed while idle is none: the client tries such a call once more on a fresh one.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionDropped;

impl Oracle for ConnectionDropped {
    fn check(&self, context: &OracleContext<'_>, _: &mut Validators, result: &ActionResult) -> Vec<Fault> {
        let Outcome::Disconnected(reason) = &result.outcome else { return Vec::new() };
        if context.sut_death.is_some() {
            return Vec::new();
        }
        vec![Fault {
            code: FaultCode::ConnectionDropped,
            operation_idx: result.request.operation_idx,
            key: "dropped".to_owned(),
            message: reason.clone(),
            statement: None,
        }]
    }
}
