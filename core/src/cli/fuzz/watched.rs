//! What is shown while tests are made: on a service that takes seconds to start, that may take longer than the search.

use std::time::Duration;

use crate::cli::Progress;
use crate::report::count;
use crate::search::{Evaluation, Evaluator, Executor, Halt, Individual, Judge, Targets};

/// What is done after the search, as it is shown.
pub(super) const MAKING: &str = "minimising and confirming tests";

/// An evaluator of which `progress` shows how often it executed tests, and started the service anew for them.
pub(super) struct Watched<'a> {
    evaluator: &'a mut dyn Evaluator,
    progress: &'a mut Progress,
    executions: u64,
    starts: u64,
}

impl<'a> Watched<'a> {
    /// Nothing was executed so far.
    pub(super) fn new(evaluator: &'a mut dyn Evaluator, progress: &'a mut Progress) -> Self {
        Self { evaluator, progress, executions: 0, starts: 0 }
    }

    fn show(&mut self) {
        let (executions, starts) = (self.executions, self.starts);
        self.progress.work(|| describe(executions, starts));
    }
}

/// `minimising and confirming tests: 312 executions, the service started anew 3 times`.
fn describe(executions: u64, starts: u64) -> String {
    let executions = count(executions, "execution", "executions");
    let starts =
        if starts > 0 { format!(", the service started anew {}", count(starts, "time", "times")) } else { String::new() };
    format!("{MAKING}: {executions}{starts}")
}

impl Evaluator for Watched<'_> {
    fn halves(&mut self) -> (&mut dyn Executor, &mut dyn Judge) {
        self.evaluator.halves()
    }

    fn evaluate(&mut self, individual: Individual, targets: &mut Targets) -> Result<Evaluation, Halt> {
        let evaluation = self.evaluator.evaluate(individual, targets)?;
        self.executions += 1;
        self.show();
        Ok(evaluation)
    }

    fn elapsed(&self) -> Duration {
        self.evaluator.elapsed()
    }

    fn renewal_time(&self) -> Option<Duration> {
        self.evaluator.renewal_time()
    }

    fn resets(&self) -> bool {
        self.evaluator.resets()
    }

    fn renew(&mut self) -> bool {
        let is_renewed = self.evaluator.renew();
        self.starts += u64::from(is_renewed);
        self.show();
        is_renewed
    }
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn a_line_says_how_often_tests_were_executed_and_the_service_was_started() {
        assert_eq!(describe(1, 0), "minimising and confirming tests: 1 execution");
        let started = "minimising and confirming tests: 1,312 executions, the service started anew 1 time";
        assert_eq!(describe(1312, 1), started);
    }
}
