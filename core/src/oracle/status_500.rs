//! WFC 100: the answer has status 500.

use crate::action::ActionResult;

use super::{Fault, FaultCode, Oracle, OracleContext, Validators};

/// Notices answers with status 500: one fault per operation. Other 5xx are for [`super::SchemaMismatch`].
#[derive(Debug, Clone, Copy)]
pub struct Status500;

impl Oracle for Status500 {
    fn check(&self, _: &OracleContext<'_>, _: &mut Validators, result: &ActionResult) -> Vec<Fault> {
        if result.status() != Some(500) {
            return Vec::new();
        }
        vec![Fault {
            code: FaultCode::Status500,
            operation_idx: result.request.operation_idx,
            key: "status 500".to_owned(),
            message: "status 500 (internal server error)".to_owned(),
        }]
    }
}
