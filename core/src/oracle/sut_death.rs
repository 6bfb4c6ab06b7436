//! 901: the service died.

use crate::action::ActionResult;

use super::{Fault, FaultCode, Oracle, OracleContext, Validators};

/// Notices that the process of the service ended: one fault per operation that is charged with it.
#[derive(Debug, Clone, Copy)]
pub struct SutDeath;

impl Oracle for SutDeath {
    fn check(&self, context: &OracleContext<'_>, _: &mut Validators, result: &ActionResult) -> Vec<Fault> {
        let Some(death) = context.sut_death else { return Vec::new() };
        let is_seen_elsewhere = death.culprit != result.request.operation_idx;
        vec![Fault {
            code: FaultCode::SutDeath,
            operation_idx: death.culprit,
            key: "death".to_owned(),
            message: format!(
                "the service ended {}{}",
                death.how,
                if is_seen_elsewhere { "; it showed in a later call" } else { "" }
            ),
            statement: None,
        }]
    }
}
