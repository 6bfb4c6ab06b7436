//! Judges answers and scores targets.

use std::collections::{BTreeMap, VecDeque};

use crate::action::{Action, ActionResult, CallViolation, Link, Request};
use crate::api::{Api, OperationIdx};
use crate::exec::reached::{AnswerKinds, Call, Reached, note_call};
use crate::oracle::{self, Fault, FaultCode, Findings, OracleContext, Validators};
use crate::search::{Evaluation, ExecutedCall, Execution, Judge, TargetKind, Targets};

/// Requests named by the finding of a death.
const LAST_REQUESTS: usize = 10;

/// Judges executions and counts what happened.
#[derive(Debug)]
pub(super) struct RestJudge<'a> {
    api: &'a Api,
    validators: Validators,
    pub(super) findings: Findings,
    kinds: AnswerKinds,
    pub(super) statuses: BTreeMap<OperationIdx, BTreeMap<u16, u64>>,
    recent: VecDeque<Request>,
}

/// What one evaluation gathers.
struct Round<'t> {
    targets: &'t mut Targets,
    reached: Reached,
    results: Vec<ActionResult>,
    findings: Vec<usize>,
}

impl<'a> RestJudge<'a> {
    /// A judge that has seen nothing.
    pub(super) fn new(api: &'a Api) -> Self {
        Self {
            api,
            validators: Validators::default(),
            findings: Findings::default(),
            kinds: AnswerKinds::default(),
            statuses: BTreeMap::new(),
            recent: VecDeque::new(),
        }
    }

    /// What was not compared with the schema: why, and how often.
    pub(super) fn unchecked(&self) -> BTreeMap<String, u64> {
        self.validators.unchecked()
    }

    /// Judges one call.
    fn step(&mut self, action: &Action, actions: &[Action], call: ExecutedCall, round: &mut Round<'_>) {
        let ExecutedCall { result, links, sut_death } = call;
        let is_astray = action.leads_astray();
        self.count(&result, is_astray);
        let before = self.succeeded_before(action, actions, &round.results);
        let scored = Call { api: self.api, action, links: &links, result: &result, before: &before };
        note_call(scored, &mut self.kinds, round.targets, &mut round.reached);
        let is_malformed = action.violation.as_ref().and_then(CallViolation::malformation).is_some();
        let context = OracleContext { api: self.api, sut_death: sut_death.as_deref(), is_malformed, is_astray };
        let faults = oracle::check(&context, &mut self.validators, &result);
        round.results.push(result);
        self.record(faults, round);
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

    fn count(&mut self, result: &ActionResult, is_astray: bool) {
        if !is_astray {
            let statuses = self.statuses.entry(result.request.operation_idx).or_default();
            *statuses.entry(result.status().unwrap_or(0)).or_default() += 1;
        }
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

impl Judge for RestJudge<'_> {
    fn judge(&mut self, execution: Execution, targets: &mut Targets) -> Evaluation {
        let Execution { individual, calls, elapsed } = execution;
        let mut round = Round { targets, reached: Reached::default(), results: Vec::new(), findings: Vec::new() };
        for (action, call) in individual.actions.iter().zip(calls) {
            self.step(action, &individual.actions, call, &mut round);
        }
        let Round { reached, results, mut findings, .. } = round;
        findings.sort_unstable();
        Evaluation { individual, results, closeness: reached.into_closeness(), findings, elapsed }
    }
}
