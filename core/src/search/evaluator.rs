//! What the search needs of the world: to have an individual executed.

use std::time::Duration;

use super::{Evaluation, Individual, Targets};

/// Why nothing more can be evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The user stopped the run.
    Interrupted,
    /// The service could not be brought back.
    SutLost,
}

/// Executes individuals; the REST one sends calls, those of the tests compute.
pub trait Evaluator {
    /// Executes `individual`: results, and closeness to targets, whose names are interned in `targets`.
    ///
    /// # Errors
    /// A [`Halt`] when nothing was executed; what was executed before it comes back as a shorter evaluation.
    fn evaluate(&mut self, individual: Individual, targets: &mut Targets) -> Result<Evaluation, Halt>;

    /// Time since the run began; decides nothing in a run with a call budget.
    fn elapsed(&self) -> Duration;

    /// Brings the world to where it is when it starts, if that is possible: says whether it was.
    fn renew(&mut self) -> bool {
        false
    }
}
