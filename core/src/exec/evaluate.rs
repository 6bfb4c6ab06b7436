//! The evaluator of the search: an individual is executed call by call, its answers are judged, its targets scored.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use crate::action::{Action, ActionResult, CallViolation, Link, Outcome, Request, render};
use crate::api::{Api, OperationIdx};
use crate::oracle::{self, Fault, FaultCode, Findings, OracleContext, Validators};
use crate::search::{Evaluation, Evaluator, Halt, Individual, TargetKind, Targets};

use super::Service;
use super::reached::{AnswerKinds, Call, Reached, note_call};
use super::service::Revival;

/// Requests named by the finding of a death.
const LAST_REQUESTS: usize = 10;

/// Executes individuals against a service and counts what happens.
#[derive(Debug)]
pub struct RestEvaluator<'a> {
    api: &'a Api,
    service: Service,
    validators: Validators,
    findings: Findings,
    kinds: AnswerKinds,
    statuses: BTreeMap<OperationIdx, BTreeMap<u16, u64>>,
    started: Instant,
    recent: VecDeque<Request>,
    lost: bool,
}

/// What one evaluation gathers.
struct Round<'t> {
    targets: &'t mut Targets,
    reached: Reached,
    results: Vec<ActionResult>,
    findings: Vec<usize>,
}

impl<'a> RestEvaluator<'a> {
    /// An evaluator whose clock starts now.
    pub fn new(api: &'a Api, service: Service) -> Self {
        Self {
            api,
            service,
            validators: Validators::default(),
            findings: Findings::default(),
            kinds: AnswerKinds::default(),
            statuses: BTreeMap::new(),
            started: Instant::now(),
            recent: VecDeque::new(),
            lost: false,
        }
    }

    /// Faults noticed so far.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The same, for noting what was confirmed.
    pub fn findings_mut(&mut self) -> &mut Findings {
        &mut self.findings
    }

    /// What was not compared with the schema: why, and how often.
    pub fn unchecked(&self) -> BTreeMap<String, u64> {
        self.validators.unchecked()
    }

    /// What acts on the service.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// What acts on the service, for ending it.
    pub fn service_mut(&mut self) -> &mut Service {
        &mut self.service
    }

    /// Status to count per operation called; 0 stands for no answer.
    pub fn statuses(&self) -> &BTreeMap<OperationIdx, BTreeMap<u16, u64>> {
        &self.statuses
    }

    /// Executes one action; says whether the next one can follow.
    fn step(&mut self, action: &Action, actions: &[Action], round: &mut Round<'_>) -> bool {
        let (request, links) = self.request(action, &round.results);
        let result = self.service.send(&request);
        if result.answer().is_none() && self.service.stop.is_requested() {
            return false;
        }
        self.count(&result);
        let before = self.succeeded_before(action, actions, &round.results);
        let call = Call { api: self.api, action, links: &links, result: &result, before: &before };
        note_call(call, &mut self.kinds, round.targets, &mut round.reached);
        let revival = match result.outcome {
            Outcome::TimedOut | Outcome::Disconnected(_) | Outcome::Failed(_) => self.service.revive(),
            Outcome::Answered(_) | Outcome::Unsent(_) => Revival::Alive,
        };
        self.lost = matches!(revival, Revival::Lost | Revival::Dead(_));
        if self.lost && self.service.stop.is_requested() {
            // Nobody waited long enough to say what became of the service.
            return false;
        }
        let sut_death = revival.death();
        let is_malformed = action.violation.as_ref().and_then(CallViolation::malformation).is_some();
        let context = OracleContext { api: self.api, sut_death, is_malformed };
        let faults = oracle::check(&context, &mut self.validators, &result);
        round.results.push(result);
        self.record(faults, round);
        revival == Revival::Alive
    }

    /// Ids of the operations that succeeded earlier on what `action` is linked to, each once.
    fn succeeded_before(&self, action: &Action, actions: &[Action], results: &[ActionResult]) -> Vec<&'a str> {
        let mut before = Vec::new();
        for (earlier, result) in actions.iter().zip(results) {
            let shares = |link: &Link| earlier.links.iter().any(|other| other.from_action == link.from_action);
            let id = self.api.operation(earlier.operation_idx).id.as_str();
            let is_success = result.status().is_some_and(|status| (200..300).contains(&status));
            if is_success && !before.contains(&id) && action.links.iter().any(shares) {
                before.push(id);
            }
        }
        before
    }

    /// The request of `action`, and the positions of its links that found a value.
    fn request(&self, action: &Action, results: &[ActionResult]) -> (Request, Vec<usize>) {
        let mut links = Vec::new();
        let request = render(self.api, action, &mut |link| {
            let value = link.resolve(results)?;
            links.extend(action.links.iter().position(|other| other == link));
            Some(value)
        });
        (request, links)
    }

    fn count(&mut self, result: &ActionResult) {
        let statuses = self.statuses.entry(result.request.operation_idx).or_default();
        *statuses.entry(result.status().unwrap_or(0)).or_default() += 1;
        if self.recent.len() >= LAST_REQUESTS {
            self.recent.pop_front();
        }
        self.recent.push_back(result.request.clone());
    }

    fn record(&mut self, faults: Vec<Fault>, round: &mut Round<'_>) {
        for fault in faults {
            let id = &self.api.operation(fault.operation_idx).id;
            let name = format!("fault:{}:{id}:{}", fault.code.number(), fault.key);
            round.reached.note(round.targets.intern(TargetKind::Fault, &name), 1.0);
            // A service may die of what an earlier test did.
            let (recent, results) = (&mut self.recent, &round.results);
            let finding = self.findings.record(fault, |code| match code {
                // A service may die of what an earlier test did.
                FaultCode::SutDeath => recent.drain(..).collect(),
                _ => results.iter().map(|result| result.request.clone()).collect(),
            });
            if !round.findings.contains(&finding) {
                round.findings.push(finding);
            }
        }
    }
}

impl Evaluator for RestEvaluator<'_> {
    fn evaluate(&mut self, individual: Individual, targets: &mut Targets) -> Result<Evaluation, Halt> {
        if self.service.stop.is_requested() {
            return Err(Halt::Interrupted);
        }
        if self.lost {
            return Err(Halt::SutLost);
        }
        let began = Instant::now();
        self.service.reset();
        let mut round = Round { targets, reached: Reached::default(), results: Vec::new(), findings: Vec::new() };
        for action in &individual.actions {
            if !self.step(action, &individual.actions, &mut round) {
                break;
            }
        }
        if round.results.is_empty() && !individual.actions.is_empty() {
            return Err(Halt::Interrupted);
        }
        let Round { reached, results, mut findings, .. } = round;
        findings.sort_unstable();
        Ok(Evaluation { individual, results, closeness: reached.into_closeness(), findings, elapsed: began.elapsed() })
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn renew(&mut self) -> bool {
        self.service.renew()
    }
}
