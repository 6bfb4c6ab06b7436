//! Rules that notice wrong behaviour, and the findings they make.
//!
//! [`check`] asks every [`Oracle`] about one answer; [`Findings`] keeps one finding per fault. A new rule is one file
//! and one entry in [`ORACLES`].

mod connection_dropped;
mod exit_attempt;
mod finding;
mod findings;
mod schema_mismatch;
mod status_500;
mod sut_death;
mod time_out;

pub use connection_dropped::ConnectionDropped;
pub use exit_attempt::ExitAttempt;
pub use finding::{Confirmation, Fault, FaultCode, Finding};
pub use findings::Findings;
pub use schema_mismatch::{SchemaMismatch, Validators};
pub use status_500::Status500;
pub use sut_death::SutDeath;
pub use time_out::TimeOut;

use crate::action::ActionResult;
use crate::api::Api;
use crate::search::{Death, Feedback};

/// What an oracle knows besides the result.
#[derive(Debug, Clone, Copy)]
pub struct OracleContext<'a> {
    /// The service's interface.
    pub api: &'a Api,
    /// How the service ended, when that showed during this call.
    pub sut_death: Option<&'a Death>,
    /// Whether the request was made wrong around its values, so that any refusal is in order.
    pub is_malformed: bool,
    /// Whether the request went where no operation is, so that no answer of it is documented.
    pub is_astray: bool,
    /// What the call did inside the service, when a driver tells.
    pub feedback: Option<&'a Feedback>,
}

/// A rule that notices one kind of fault.
pub trait Oracle: Sync {
    /// The faults that `result` shows, none when it is fine; equal faults have equal keys.
    fn check(&self, context: &OracleContext<'_>, validators: &mut Validators, result: &ActionResult) -> Vec<Fault>;
}

/// All oracles, in the order of their reports.
pub const ORACLES: &[&dyn Oracle] = &[&Status500, &SchemaMismatch, &SutDeath, &TimeOut, &ConnectionDropped, &ExitAttempt];

/// The faults that `result` shows to any oracle.
pub fn check(context: &OracleContext<'_>, validators: &mut Validators, result: &ActionResult) -> Vec<Fault> {
    ORACLES.iter().flat_map(|oracle| oracle.check(context, validators, result)).collect()
}

#[cfg(test)]
mod tests;
