//! 902: no complete answer within the time limit.

use crate::action::{ActionResult, Outcome};
use crate::search::Feedback;

use super::{Fault, FaultCode, Oracle, OracleContext, Validators};

/// Notices calls without a complete answer in time: one fault per operation. A death explains itself and is not told
/// twice.
#[derive(Debug, Clone, Copy)]
pub struct TimeOut;

impl Oracle for TimeOut {
    fn check(&self, context: &OracleContext<'_>, _: &mut Validators, result: &ActionResult) -> Vec<Fault> {
        if !matches!(result.outcome, Outcome::TimedOut) || context.sut_death.is_some() {
            return Vec::new();
        }
        let statement = context.feedback.and_then(Feedback::stopped_at);
        let stopped = statement.map(|statement| format!("; it was at {statement} then"));
        vec![Fault {
            code: FaultCode::TimeOut,
            operation_idx: result.request.operation_idx,
            key: "time-out".to_owned(),
            message: format!("no complete answer within the time limit{}", stopped.unwrap_or_default()),
            statement: statement.map(str::to_owned),
        }]
    }
}
