//! The evaluator of the search: an individual is executed call by call, then its answers are judged and its targets
//! scored.

mod execute;
mod judge;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::api::{Api, OperationIdx};
use crate::oracle::Findings;
use crate::search::{Evaluator, Executor, Judge};

use super::{Service, Sut};
use execute::RestExecutor;
use judge::RestJudge;

/// Executes individuals against a service and counts what happens.
#[derive(Debug)]
pub struct RestEvaluator<'a> {
    executor: RestExecutor<'a>,
    judge: RestJudge<'a>,
    started: Instant,
}

impl<'a> RestEvaluator<'a> {
    /// An evaluator whose clock starts now.
    pub fn new(api: &'a Api, service: Service) -> Self {
        Self { executor: RestExecutor::new(api, service), judge: RestJudge::new(api), started: Instant::now() }
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
        self.started.elapsed()
    }

    fn renewal_time(&self) -> Option<Duration> {
        self.executor.service.sut.as_ref().map(Sut::start_time)
    }

    fn renew(&mut self) -> bool {
        self.executor.service.renew()
    }
}
