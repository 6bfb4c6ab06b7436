//! The evaluator of the search: an individual is executed call by call, then its answers are judged and its targets
//! scored.

mod execute;
mod forgotten;
mod judge;
mod memory;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::api::{Api, OperationIdx};
use crate::journal::{Event, Journal};
use crate::oracle::Findings;
use crate::search::{Evaluator, Executor, Judge};

use super::Service;
use execute::RestExecutor;
pub use forgotten::SentAgain;
use judge::RestJudge;
pub use memory::Remembered;

/// Executes individuals against a service and counts what happens.
#[derive(Debug)]
pub struct RestEvaluator<'a> {
    executor: RestExecutor<'a>,
    judge: RestJudge<'a>,
}

impl<'a> RestEvaluator<'a> {
    /// An evaluator of a run that begins now.
    pub fn new(api: &'a Api, service: Service) -> Self {
        Self::keeping(api, service, None)
    }

    /// The same that writes down in `journal` what it waits for, after it has repeated what is in there.
    pub fn keeping(api: &'a Api, service: Service, journal: Option<Journal>) -> Self {
        let mut executor = RestExecutor::new(api, service);
        executor.keep(journal);
        Self { executor, judge: RestJudge::new(api) }
    }

    /// The search is over, and tests are made next; one that is not `whole` is to be gone on with when the run is resumed.
    pub fn begin_tests(&mut self, is_whole: bool) {
        self.executor.begin_tests(is_whole);
    }

    /// Whether tests were made at this point of an earlier life of the run.
    pub fn comes_to_tests(&mut self) -> bool {
        self.executor.memory.comes_to_tests()
    }

    /// Goes on with the search after tests were made, which began at `moment` of its time: it is not charged for them.
    pub fn search_on(&mut self, moment: Duration) {
        self.executor.memory.leave_out_since(moment);
        let service = &mut self.executor.service;
        service.resets_tests = true;
        if let Some(sut) = &mut service.sut {
            sut.favour_quick_starts(false);
        }
        if let Some(driver) = &mut service.driver {
            driver.report_news();
        }
    }

    /// Has the clock of the run go `speed` times as fast as others, which is for tests of long runs.
    pub fn speed_up_clock(&mut self, speed: u32) {
        self.executor.memory.speed_up(speed);
    }

    /// Notes as a finding if the service needed more and more memory.
    pub fn judge_memory(&mut self) {
        if let Some(growth) = self.executor.watch.growth() {
            self.judge.note_growth(growth);
        }
    }

    /// How often the service was started anew so far.
    pub fn restarts(&self) -> u64 {
        self.executor.memory.restarts(&self.executor.service)
    }

    /// What a run that is resumed had of its journal.
    pub fn remembered(&self) -> Remembered {
        self.executor.memory.remembered()
    }

    /// Why not all of the run is written down, where something went wrong.
    pub fn journal_trouble(&self) -> Option<&str> {
        self.executor.memory.trouble()
    }

    /// Faults noticed so far.
    pub fn findings(&self) -> &Findings {
        &self.judge.findings
    }

    /// The same, for noting what was confirmed.
    pub fn findings_mut(&mut self) -> &mut Findings {
        &mut self.judge.findings
    }

    /// What was not compared with the schema: why, and how often.
    pub fn unchecked(&self) -> BTreeMap<String, u64> {
        self.judge.unchecked()
    }

    /// What acts on the service.
    pub fn service(&self) -> &Service {
        &self.executor.service
    }

    /// What acts on the service, for ending it.
    pub fn service_mut(&mut self) -> &mut Service {
        &mut self.executor.service
    }

    /// Status to count per operation called; 0 stands for no answer.
    pub fn statuses(&self) -> &BTreeMap<OperationIdx, BTreeMap<u16, u64>> {
        &self.judge.statuses
    }
}

impl Evaluator for RestEvaluator<'_> {
    fn halves(&mut self) -> (&mut dyn Executor, &mut dyn Judge) {
        (&mut self.executor, &mut self.judge)
    }

    fn elapsed(&self) -> Duration {
        self.executor.memory.clock()
    }

    fn renewal_time(&self) -> Option<Duration> {
        self.executor.memory.renewal_time(&self.executor.service)
    }

    fn resets(&self) -> bool {
        self.executor.service.resets()
    }

    fn renew(&mut self) -> bool {
        if let Some(was_renewed) = self.executor.remember_renewal() {
            return was_renewed;
        }
        let is_renewed = self.executor.service.renew();
        self.executor.note(Event::Renewal(is_renewed));
        is_renewed
    }
}
