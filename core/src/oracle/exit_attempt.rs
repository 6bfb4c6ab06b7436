//! 904: the service tried to end its own process while it worked for a call.

use crate::action::ActionResult;
use crate::search::{ExceptionKind, Feedback};

use super::{Fault, FaultCode, Oracle, OracleContext, Validators};

/// Notices attempts to end the process, which a driver stops: one fault per operation and statement.
#[derive(Debug, Clone, Copy)]
pub struct ExitAttempt;

impl Oracle for ExitAttempt {
    fn check(&self, context: &OracleContext<'_>, _: &mut Validators, result: &ActionResult) -> Vec<Fault> {
        let exceptions = context.feedback.map_or(&[][..], |feedback: &Feedback| &feedback.exceptions);
        let attempts = exceptions.iter().filter(|exception| exception.kind == ExceptionKind::Exit);
        let fault = |statement: Option<&str>| {
            let place = statement.unwrap_or("an unknown statement");
            Fault {
                code: FaultCode::ExitAttempt,
                operation_idx: result.request.operation_idx,
                key: format!("exit at {place}"),
                message: format!("the service tried to end its process at {place}"),
                statement: statement.map(str::to_owned),
            }
        };
        attempts.map(|exception| fault(exception.statement.as_deref())).collect()
    }
}
