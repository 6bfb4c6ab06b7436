//! 901: the service died during the call.

use crate::action::ActionResult;

use super::{Fault, FaultCode, Oracle, OracleContext, Validators};

/// Notices that the process of the service ended: one fault per operation whose call it ended with.
#[derive(Debug, Clone, Copy)]
pub struct SutDeath;

impl Oracle for SutDeath {
    fn check(&self, context: &OracleContext<'_>, _: &mut Validators, result: &ActionResult) -> Vec<Fault> {
        let Some(ending) = context.sut_death else { return Vec::new() };
        vec![Fault {
            code: FaultCode::SutDeath,
            operation_idx: result.request.operation_idx,
            key: "death".to_owned(),
            message: format!("the service ended {ending}"),
        }]
    }
}
