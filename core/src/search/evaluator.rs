//! What the search needs of the world: to have individuals executed, and to be told what the outcome is worth.
//!
//! The two are apart so that one execution is judged while the service works on the next.

use std::time::Duration;

use super::{Evaluation, Execution, Individual, Targets, Verdict};

/// Why nothing more can be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The user stopped the run.
    Interrupted,
    /// The service could not be brought back.
    SutLost,
}

/// What can be done while an executor waits for the service.
pub trait Meanwhile {
    /// Does a part of it.
    fn work(&mut self);

    /// Whether what is executed is just what [`next`](Self::next) told during the execution before, if that told anything.
    fn was_told(&self) -> bool;

    /// What is executed next, where that is known by now; something else may be after all.
    fn next(&self) -> Option<&Individual>;
}

/// Executes individuals: the REST one sends calls and waits for their answers, those of the tests compute.
pub trait Executor {
    /// Executes `individual`; `meanwhile` may be called in time that would be spent waiting, any number of times.
    ///
    /// # Errors
    /// A [`Halt`] when nothing was executed; what was executed before it comes back as a shorter execution.
    fn execute(&mut self, individual: Individual, meanwhile: &mut dyn FnMut()) -> Result<Execution, Halt>;

    /// The same where it may be known what is executed next, which can then be prepared for.
    ///
    /// # Errors
    /// As [`Self::execute`].
    fn execute_before(&mut self, individual: Individual, meanwhile: &mut dyn Meanwhile) -> Result<Execution, Halt> {
        self.execute(individual, &mut || meanwhile.work())
    }

    /// From now on executions tell of each call all places in the code that it reached, or only news again, which costs
    /// less.
    fn survey(&mut self, _is_on: bool) {}
}

/// Tells what executions are worth; computes, and waits for nothing.
pub trait Judge {
    /// What the call at `call_idx` of `execution` is worth after those before it; names of targets are interned in
    /// `targets`. Each call is judged once, in order.
    fn judge(&mut self, execution: &Execution, call_idx: usize, targets: &mut Targets) -> Verdict;
}

/// Executes individuals and tells what they are worth.
pub trait Evaluator {
    /// The two halves, which can work at the same time.
    fn halves(&mut self) -> (&mut dyn Executor, &mut dyn Judge);

    /// Executes `individual`, then judges it.
    ///
    /// # Errors
    /// As [`Executor::execute`].
    fn evaluate(&mut self, individual: Individual, targets: &mut Targets) -> Result<Evaluation, Halt> {
        let (executor, judge) = self.halves();
        let execution = executor.execute(individual, &mut || {})?;
        let verdicts = (0..execution.calls.len()).map(|idx| judge.judge(&execution, idx, targets)).collect();
        Ok(Evaluation::new(execution, verdicts))
    }

    /// Time since the run began; decides nothing in a run with a call budget.
    fn elapsed(&self) -> Duration;

    /// How long [`Self::renew`] may take, by what it took before; none where that is not known.
    fn renewal_time(&self) -> Option<Duration> {
        None
    }

    /// Whether the world is brought back to where it is when it starts before each execution.
    fn resets(&self) -> bool {
        false
    }

    /// Brings the world to where it is when it starts, if that is possible: says whether it was.
    fn renew(&mut self) -> bool {
        false
    }
}
