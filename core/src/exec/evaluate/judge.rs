//! Judges answers and scores targets.

use std::collections::{BTreeMap, VecDeque};

use crate::action::{Action, ActionResult, CallViolation, Link, Request};
use crate::api::{Api, OperationIdx};
use crate::exec::growth::MemoryGrowth;
use crate::exec::reached::{AnswerKinds, Call, Reached, note_call};
use crate::oracle::{self, Fault, FaultCode, Findings, OracleContext, Validators};
use crate::search::{ExecutedCall, Execution, Feedback, Judge, TargetId, TargetKind, Targets, Verdict};

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
    /// Targets of places in the code by their ids, and whether closeness to them leads anywhere.
    code: Vec<(TargetId, bool)>,
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
            code: Vec::new(),
        }
    }

    /// What was not compared with the schema: why, and how often.
    pub(super) fn unchecked(&self) -> BTreeMap<String, u64> {
        self.validators.unchecked()
    }

    /// Ids of the operations that succeeded earlier on what `action` is linked to, each once.
    fn succeeded_before(&self, action: &Action, actions: &[Action], calls: &[ExecutedCall]) -> Vec<&'a str> {
        let mut before = Vec::new();
        for (earlier, call) in actions.iter().zip(calls) {
            let shares = |link: &Link| earlier.links.iter().any(|other| other.from_action == link.from_action);
            let id = self.api.operation(earlier.operation_idx).id.as_str();
            let is_success = call.result.status().is_some_and(|status| (200..300).contains(&status));
            if is_success && !before.contains(&id) && action.links.iter().any(shares) {
                before.push(id);
            }
        }
        before
    }

    /// Targets in the code that the call of `feedback` reached.
    fn reached_code(&mut self, feedback: &Feedback, targets: &mut Targets) -> Vec<(TargetId, f64)> {
        self.number(&feedback.names, targets);
        let reached = feedback.reached.iter().map(|(code, closeness)| (self.code[code.0 as usize], *closeness));
        let worth = reached.filter(|((_, has_distance), closeness)| {
            let is_told = *has_distance || !is_untold(*closeness);
            is_told && *closeness > NO_GRADIENT
        });
        worth.map(|((target, _), closeness)| (target, closeness)).collect()
    }

    /// Gives places that a call was the first to name their targets, in the order of their names: a service that goes through
    /// a set without order comes to them in another one each time it is started.
    fn number(&mut self, names: &[String], targets: &mut Targets) {
        let first = self.code.len();
        let mut by_name: Vec<(&String, usize)> = names.iter().zip(first..).collect();
        by_name.sort_unstable();
        self.code.resize(first + names.len(), (TargetId(u32::MAX), false));
        for (name, idx) in by_name {
            // A call that returned is no nearer to throwing than another one, nor the other way round unless a driver knows.
            let is_call = ["returns:", "throws:"].iter().any(|kind| name.starts_with(kind));
            self.code[idx] = (targets.intern(TargetKind::Code, name), !is_call);
        }
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

    /// Notes that the service needs more and more memory. No call is to blame more than others: those that came last are
    /// told, and the operation that was called most.
    pub(super) fn note_growth(&mut self, growth: MemoryGrowth) {
        let calls = |idx: &OperationIdx| self.statuses[idx].values().sum::<u64>();
        let Some(operation_idx) = self.statuses.keys().copied().max_by_key(calls) else { return };
        let megabytes = |bytes: u64| bytes >> 20;
        let message = format!(
            "it grew from {} MB to {} MB within {} min and never fell back; no single operation is to blame",
            megabytes(growth.from_bytes),
            megabytes(growth.to_bytes),
            growth.time.as_secs() / 60,
        );
        let fault = Fault { code: FaultCode::MemoryGrowth, operation_idx, key: String::new(), message, statement: None };
        let recent = &mut self.recent;
        self.findings.record(fault, None, |_| recent.drain(..).collect());
    }

    /// Notes faults that the last of `calls` showed; gives their places in the list of findings.
    fn record(&mut self, faults: Vec<Fault>, calls: &[ExecutedCall]) -> Vec<usize> {
        let mut noted = Vec::with_capacity(faults.len());
        let feedback = calls.last().and_then(|call| call.feedback.as_ref());
        let proof = calls.last().and_then(|call| call.sut_death.as_ref()).map(|death| &death.proof);
        for fault in faults {
            let is_death = fault.code == FaultCode::SutDeath;
            let recent = &mut self.recent;
            let position = self.findings.record(fault, feedback, |code| match code {
                // A service may die of what an earlier test did.
                FaultCode::SutDeath => recent.drain(..).collect(),
                _ => calls.iter().map(|call| call.result.request.clone()).collect(),
            });
            if let Some(proof) = proof.filter(|_| is_death) {
                self.findings.note_proof(position, proof);
            }
            noted.push(position);
        }
        noted
    }
}

impl Judge for RestJudge<'_> {
    fn judge(&mut self, execution: &Execution, call_idx: usize, targets: &mut Targets) -> Verdict {
        let (calls, actions) = (&execution.calls[..=call_idx], &execution.individual.actions);
        let (action, ExecutedCall { result, links, sut_death, feedback }) = (&actions[call_idx], &calls[call_idx]);
        let is_astray = action.leads_astray();
        self.count(result, is_astray);
        let before = self.succeeded_before(action, actions, &calls[..call_idx]);
        let scored = Call { api: self.api, action, links, result, before: &before };
        let mut reached = Reached::default();
        note_call(scored, &mut self.kinds, targets, &mut reached);
        let is_malformed = action.violation.as_ref().and_then(CallViolation::malformation).is_some();
        let sut_death = sut_death.as_ref();
        let context = OracleContext { api: self.api, sut_death, is_malformed, is_astray, feedback: feedback.as_ref() };
        let faults = oracle::check(&context, &mut self.validators, result);
        for fault in &faults {
            let id = &self.api.operation(fault.operation_idx).id;
            let name = format!("fault:{}:{id}:{}", fault.code.number(), fault.key);
            let kind = if fault.code == FaultCode::SutDeath { TargetKind::Death } else { TargetKind::Fault };
            reached.note(targets.intern(kind, &name), 1.0);
        }
        let findings = self.record(faults, calls);
        let mut closeness = reached.into_closeness();
        if let Some(feedback) = feedback {
            closeness.extend(self.reached_code(feedback, targets));
        }
        Verdict { closeness, findings }
    }
}

/// What is that far may be anywhere: to climb there would be to guess. Above what the largest distance gives, and below any
/// that was measured.
const NO_GRADIENT: f64 = 1e-30;

/// Whether a closeness says of an outcome of a call only that the other one happened (`instrumentation.md` 2); what a driver
/// measured is never exactly that.
fn is_untold(closeness: f64) -> bool {
    (closeness - 0.5).abs() < 1e-9
}
