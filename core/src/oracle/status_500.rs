//! WFC 100: the answer has status 500.

use crate::action::ActionResult;
use crate::search::Feedback;

use super::{Fault, FaultCode, Oracle, OracleContext, Validators};

/// Notices answers with status 500: one fault per operation and, where a driver tells, per statement of the service that
/// failed. Other 5xx are for [`super::SchemaMismatch`], and what follows from an exit that a driver stopped is none of the
/// service's answers but [`super::ExitAttempt`]'s.
#[derive(Debug, Clone, Copy)]
pub struct Status500;

impl Oracle for Status500 {
    fn check(&self, context: &OracleContext<'_>, _: &mut Validators, result: &ActionResult) -> Vec<Fault> {
        if result.status() != Some(500) || context.feedback.is_some_and(Feedback::tried_to_exit) {
            return Vec::new();
        }
        let statement = context.feedback.and_then(Feedback::failing_statement);
        vec![Fault {
            code: FaultCode::Status500,
            operation_idx: result.request.operation_idx,
            key: statement.map_or_else(|| "status 500".to_owned(), |statement| format!("status 500 at {statement}")),
            message: statement.map_or_else(
                || "status 500 (internal server error)".to_owned(),
                |statement| format!("status 500 (internal server error) at {statement}"),
            ),
            statement: statement.map(str::to_owned),
        }]
    }
}
