//! A test with all that its executions gave.

use crate::action::{Action, ActionResult, Outcome};
use crate::api::OperationIdx;
use crate::search::{Change, Evaluation, Individual, SolvedTest, TargetId, TestGroup};

use super::changes::{Changes, may_change_something};
use super::proof::{Moment, Proof};
use super::settled::Fall;
use super::{AGREEING, Draft, Order, Simplifier};

/// Bytes of answers that are kept of one test; past them its oldest executions go.
const MAX_BYTES: usize = 512 * 1024;
/// Executions that are kept whatever their size.
const MIN_RUNS: usize = 3;

/// A test that is being verified.
#[derive(Debug)]
pub(super) struct Candidate {
    draft: Draft,
    /// What it was drafted for and does not show, though it shows the rest, ordered.
    missed: Vec<TargetId>,
    /// The latest executions since the draft, the last one last.
    runs: Vec<Evaluation>,
    /// How many of the latest executions, that of the draft included, gave the same statuses.
    agreeing: usize,
    has_fallen: bool,
    /// What differed when it last did.
    change: Option<Change>,
    /// Whether the service ended when it was executed.
    is_deadly: bool,
    origin: Origin,
    /// Whether a call of it may have changed something in the service since that was started.
    has_changed_service: bool,
    proof: Proof,
}

/// How a test came to be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It was drafted.
    Drafted,
    /// What was taken out of it when it was drafted was put back, because it fell without.
    Restored,
    /// It took the place of the same without what it hangs on, which fell.
    Completed,
    /// It stands in for one that fell.
    Spare,
}

impl Candidate {
    /// The test of `draft`, which counts as executed once.
    pub fn new(draft: Draft) -> Self {
        Self {
            draft,
            missed: Vec::new(),
            runs: Vec::new(),
            agreeing: 1,
            has_fallen: false,
            change: None,
            is_deadly: false,
            origin: Origin::Drafted,
            has_changed_service: false,
            proof: Proof::default(),
        }
    }

    /// A test that takes the place of one that fell.
    pub fn spare(draft: Draft) -> Self {
        Self { origin: Origin::Spare, ..Self::new(draft) }
    }

    /// Whether it takes the place of one that fell.
    pub fn is_spare(&self) -> bool {
        self.origin == Origin::Spare
    }

    /// Whether others that take its place were looked for, or none are.
    pub fn has_spares(&self) -> bool {
        self.origin != Origin::Drafted
    }

    /// What it may show behind calls that it hangs on: everything that it was there for where it fell, and not for what it did
    /// itself, else what it does not show alone.
    pub fn to_complete(&self) -> &[TargetId] {
        let is_first = !matches!(self.origin, Origin::Completed | Origin::Spare);
        match self.has_fallen {
            _ if !is_first || self.is_deadly || self.has_timed_out() => &[],
            true => &self.draft.targets,
            false => &self.missed,
        }
    }

    /// The same behind what it hangs on, where that shows some of `targets`.
    pub fn completed(&self, simplifier: &mut Simplifier, targets: &[TargetId]) -> Option<Draft> {
        simplifier.with_past((self.individual().clone(), self.expected()), targets)
    }

    /// Gives up what it does not show.
    pub fn forget_missed(&mut self) {
        self.missed.clear();
    }

    /// Becomes `draft`, which does what it did behind what it hangs on.
    pub fn complete(&mut self, draft: Draft) {
        *self = Self { origin: Origin::Completed, ..Self::new(draft) };
    }

    /// What it gave at first.
    pub fn expected(&self) -> &[ActionResult] {
        let first = Some(&self.draft.results).filter(|results| !results.is_empty());
        first.or_else(|| Some(&self.runs.first()?.results)).map_or(&[], Vec::as_slice)
    }

    /// Calls that it had before any was taken out of it.
    pub fn n_original(&self) -> usize {
        self.draft.original.as_ref().unwrap_or(&self.draft.individual).actions.len()
    }

    /// Whether it sends the same requests as `draft`.
    pub fn sends_same_as(&self, draft: &Draft) -> bool {
        self.results().iter().map(|result| &result.request).eq(draft.results.iter().map(|result| &result.request))
    }

    /// What it is there for, ordered.
    pub fn targets(&self) -> &[TargetId] {
        &self.draft.targets
    }

    /// What is executed.
    pub fn individual(&self) -> &Individual {
        &self.draft.individual
    }

    /// Positions of the findings that it was drafted with.
    pub fn drafted_findings(&self) -> &[usize] {
        &self.draft.findings
    }

    /// How many of the latest executions, that of the draft included, gave the same statuses.
    pub fn agreeing(&self) -> usize {
        self.agreeing
    }

    /// Whether it was executed since it was drafted.
    pub fn is_tried(&self) -> bool {
        !self.runs.is_empty()
    }

    /// Whether it differed from execution to execution, or does not show any more what it is there for.
    pub fn has_fallen(&self) -> bool {
        self.has_fallen
    }

    /// Whether a call of it gets no answer in time.
    pub fn has_timed_out(&self) -> bool {
        self.results().iter().any(|result| matches!(result.outcome, Outcome::TimedOut))
    }

    /// Whether it waits in vain and was executed as often as its time limits are worth in a pass of that order: once in
    /// any, then in that of the suites until enough agree, and once on a fresh service where that is `wanted`.
    pub fn has_waited_enough(&self, order: Order, wanted: bool) -> bool {
        let agrees = order != Order::Written || self.agreeing >= AGREEING;
        self.has_timed_out() && self.is_tried() && agrees && (!wanted || self.is_proven())
    }

    /// Whether it held on a service that was started anew and changed by none but tests that hold.
    pub fn is_proven(&self) -> bool {
        self.proof.is_given()
    }

    /// Takes back what it may have got only because of `dropped`.
    pub fn doubt(&mut self, dropped: &Proof) {
        self.proof.without(dropped);
    }

    /// Whether it expects one of the two answers that a test got which fell, of the same operation; or asks where no operation
    /// is, like that one: what others leave there may answer in any way.
    pub fn may_fall_as(&self, fall: &Fall) -> bool {
        let Change { operation_idx, before, after } = fall.change;
        let mut calls = self.individual().actions.iter().zip(self.results());
        calls.any(|(action, result)| match (fall.leads_astray, action.leads_astray()) {
            (true, is_alike) => is_alike,
            (false, true) => false,
            (false, false) => action.operation_idx == operation_idx && [before, after].contains(&result.status()),
        })
    }

    /// Whether a call of that operation asks where no operation is, so that what answers is what other tests left there.
    pub fn leads_astray(&self, operation_idx: OperationIdx) -> bool {
        self.individual().actions.iter().any(|action| action.operation_idx == operation_idx && action.leads_astray())
    }

    /// When it was executed on a fresh service.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// The service was started anew, and knows nothing of its calls.
    pub fn begin_life(&mut self) {
        self.has_changed_service = false;
    }

    /// Whether a call of it may change something, as far as its latest execution tells.
    pub fn may_change_service(&self) -> bool {
        self.results().iter().any(may_change_something)
    }

    /// Calls of its latest execution that succeeded in what may change something.
    pub fn changes(&self) -> Changes {
        Changes::of(self.results())
    }

    /// Whether others may have got something else because of it since the service was started.
    pub fn may_have_changed_service(&self) -> bool {
        self.has_changed_service
    }

    /// Whether it may wait in vain on a service that has come to keep callers waiting: it did before, or asks where no
    /// operation is, so that what answers is what other tests left there.
    pub fn may_be_late(&self) -> bool {
        self.has_timed_out() || self.individual().actions.iter().any(Action::leads_astray)
    }

    /// Counts as one that does not hold, and is not restored.
    pub fn give_up(&mut self) {
        self.has_fallen = true;
        self.draft.original = None;
    }

    /// The same because the service ends when it is executed.
    pub fn give_up_as_deadly(&mut self) {
        self.give_up();
        self.is_deadly = true;
    }

    /// Whether the service ends when it is executed.
    pub fn is_deadly(&self) -> bool {
        self.is_deadly
    }

    /// What differed when it last did.
    pub fn change(&self) -> Option<Change> {
        self.change
    }

    /// The group it is written in.
    pub fn group(&self) -> TestGroup {
        let statuses: Vec<u16> = statuses(self.results()).into_iter().map_while(|status| status).collect();
        TestGroup::of(&statuses, !self.findings().is_empty())
    }

    /// Takes in an execution, of a `moment` in a life of the service that began afresh: it must give what the one before
    /// gave, but for that of the draft, which took place in the middle of a search.
    pub fn note(&mut self, run: Evaluation, moment: Option<Moment>) {
        let may_have_changed = run.results.iter().any(may_change_something);
        self.has_changed_service |= may_have_changed;
        if let Some(moment) = moment {
            self.proof.note(moment, may_have_changed);
        }
        let expected = Some(self.results()).filter(|results| !results.is_empty());
        let change = expected.and_then(|expected| change(expected, &run.results));
        let is_same = change.is_none();
        self.agreeing = if is_same { self.agreeing + 1 } else { 1 };
        let is_first = self.runs.is_empty();
        self.has_fallen = !(is_same || is_first) || !self.draft.targets.iter().any(|target| run.covers(&[*target]));
        if is_first && !self.has_fallen {
            self.missed.extend(self.draft.targets.extract_if(.., |target| !run.covers(&[*target])));
        }
        if self.has_fallen || !is_same {
            // Without a difference it is there for something that its last call did not show.
            let last = run.results.last().map(|result| (result.request.operation_idx, result.status()));
            self.change =
                change.or(last.map(|(operation_idx, status)| Change { operation_idx, before: status, after: status }));
        }
        self.runs.push(run);
        while self.runs.len() > MIN_RUNS && self.runs.iter().map(n_bytes).sum::<usize>() > MAX_BYTES {
            self.runs.remove(0);
        }
    }

    /// Whether it sends the same calls as `fallen` up to the one that then gave something else, and expects of them what
    /// that expected.
    pub fn begins_as(&self, fallen: &Candidate) -> bool {
        let (expected, found) = (fallen.before(), fallen.results());
        let Some(position) = differing(expected, found) else { return false };
        let Some(beginning) = self.results().get(..=position) else { return false };
        let is_same =
            |(own, other): (&ActionResult, &ActionResult)| own.request == other.request && own.status() == other.status();
        expected.len() > position && beginning.iter().zip(expected).all(is_same)
    }

    /// Falls as `other` did.
    pub fn fall_with(&mut self, change: Option<Change>) {
        (self.has_fallen, self.change) = (true, change);
    }

    /// Goes back to the test that the search found, when calls were taken out of it.
    pub fn restore(&mut self) -> bool {
        let Some(original) = self.draft.original.take() else { return false };
        self.draft.individual = original;
        self.draft.results = Vec::new();
        self.runs = Vec::new();
        (self.agreeing, self.has_fallen, self.origin) = (0, false, Origin::Restored);
        self.proof = Proof::default();
        true
    }

    /// The finished test; none when it was never executed.
    pub fn solved(mut self) -> Option<SolvedTest> {
        let findings = self.findings();
        let last = self.runs.pop()?;
        let mut repeats: Vec<_> = self.runs.into_iter().map(|run| run.results).collect();
        if repeats.is_empty() && statuses(&self.draft.results) == statuses(&last.results) {
            let mut results = self.draft.results;
            results.iter_mut().for_each(ActionResult::restore);
            repeats.push(results);
        }
        let targets = self.draft.targets.into_iter().filter(|target| last.covers(&[*target])).collect();
        let (individual, results) = (last.individual, last.results);
        Some(SolvedTest { individual, results, repeats, targets, findings, fresh: Vec::new() })
    }

    /// What its latest execution gave.
    fn results(&self) -> &[ActionResult] {
        self.runs.last().map_or(&self.draft.results, |run| &run.results)
    }

    /// What its execution before that gave.
    fn before(&self) -> &[ActionResult] {
        self.runs.iter().rev().nth(1).map_or(&self.draft.results, |run| &run.results)
    }

    /// Positions of the findings that every execution showed.
    pub fn findings(&self) -> Vec<usize> {
        let Some((last, others)) = self.runs.split_last() else { return self.draft.findings.clone() };
        let is_shown = |finding: &usize| others.iter().all(|run| run.findings.contains(finding));
        last.findings.iter().copied().filter(is_shown).collect()
    }
}

/// Bytes of all answers.
fn n_bytes(run: &Evaluation) -> usize {
    run.results.iter().filter_map(ActionResult::answer).map(|answer| answer.body.len()).sum()
}

/// The first call with another status; one that is there in one of the two only counts as another.
fn change(before: &[ActionResult], after: &[ActionResult]) -> Option<Change> {
    let position = differing(before, after)?;
    let operation_idx = before.get(position).or_else(|| after.get(position))?.request.operation_idx;
    let status = |results: &[ActionResult]| results.get(position).and_then(ActionResult::status);
    Some(Change { operation_idx, before: status(before), after: status(after) })
}

/// The position of the first call with another status.
fn differing(before: &[ActionResult], after: &[ActionResult]) -> Option<usize> {
    let (first, second) = (statuses(before), statuses(after));
    (0..first.len().max(second.len())).find(|idx| first.get(*idx) != second.get(*idx))
}

/// Status per call; none for one without an answer.
fn statuses(results: &[ActionResult]) -> Vec<Option<u16>> {
    results.iter().map(ActionResult::status).collect()
}
