//! Drafting tests and making them as plain as their targets allow: fewer calls here, values in [`plain`].

use std::collections::BTreeSet;
use std::time::Duration;

use crate::action::ActionResult;
use crate::api::OperationIdx;
use crate::search::evaluator::{Evaluator, Halt};
use crate::search::{Evaluation, Individual, Problem, SearchState, TargetId, TargetKind};

use super::draft::Draft;
use super::select::{next_fault, select};
use super::{MAX_DEATHS, MAX_LATE, MAX_WAITS, SolveLimits};
use plain::Detail;

mod code;
mod deadly;
mod plain;
mod waiting;

/// Trials for one test and one way of making it plainer, at most.
const MAX_TRIALS: usize = 60;
/// Rounds in which what trials happened to cover gets tests too; after those nothing is tried any more.
const MAX_ROUNDS: usize = 4;

/// Drafts tests and tries changes on them, of which it keeps those that lose no target.
pub(super) struct Simplifier<'a, 'b> {
    problem: &'a Problem<'b>,
    state: &'a mut SearchState,
    evaluator: &'a mut dyn Evaluator,
    limits: SolveLimits,
    /// Calls made so far, those for shortening the tests of faults left out.
    calls: u64,
    /// Calls after which nothing more is tried.
    max_calls: u64,
    /// Time when it began.
    began: Duration,
    /// Time after which nothing more is tried.
    until: Option<Duration>,
    /// Trials with a call that got no answer in time, where there was one before.
    n_late: usize,
    /// Executions with a call that got no answer in time.
    n_waits: usize,
    /// Trials in which the service ended.
    n_deaths: usize,
    /// What no test is there for: the service ends before it is covered, or another test waits for it in vain.
    passed_over: BTreeSet<TargetId>,
    /// Tests that were left out for that.
    n_deadly: usize,
    /// Whether nothing may be tried, come what may.
    closed: bool,
}

impl<'a, 'b> Simplifier<'a, 'b> {
    /// A simplifier within `limits`.
    pub fn new(
        problem: &'a Problem<'b>,
        state: &'a mut SearchState,
        evaluator: &'a mut dyn Evaluator,
        limits: SolveLimits,
    ) -> Self {
        let (began, max_calls, until) = (evaluator.elapsed(), limits.calls, limits.simplify_until);
        Self {
            problem,
            state,
            evaluator,
            limits,
            calls: 0,
            max_calls,
            began,
            until,
            n_late: 0,
            n_waits: 0,
            n_deaths: 0,
            passed_over: BTreeSet::new(),
            n_deadly: 0,
            closed: false,
        }
    }

    /// Tests for everything that was covered: one per fault, without a call that it does not need, then as few as
    /// possible for the rest; all as plain as the limits allow, and as they were found after a `halt`. With the number of
    /// tests that were left out because the service ends when they are executed.
    pub fn drafts(mut self, halt: Option<Halt>) -> (Vec<Draft>, usize) {
        self.closed = halt.is_some();
        let mut drafts: Vec<Draft> = Vec::new();
        for round in 0.. {
            self.closed |= round >= MAX_ROUNDS;
            let done = drafts.len();
            self.draft_faults(&mut drafts);
            self.draft_others(&mut drafts);
            if drafts.len() == done {
                break;
            }
        }
        (drafts, self.n_deadly)
    }

    fn draft_faults(&mut self, drafts: &mut Vec<Draft>) {
        let done = drafts.len();
        // Half of what may be spent stays for the other tests.
        self.max_calls = self.limits.calls / 2;
        self.until = self.limits.simplify_until.map(|until| self.began + until.saturating_sub(self.began) / 2);
        while let Some(mut draft) = next_fault(&self.state.archive, &self.state.targets, drafts, &self.passed_over) {
            if !self.spare(&mut draft) {
                continue;
            }
            self.complete(&mut draft);
            self.shorten_fault(&mut draft);
            self.make_plain(&mut draft, Detail::Whole);
            if draft.individual.actions.len() == 1 {
                // As short as can be for whatever it shows, it serves all its faults.
                let is_fault = |target: &TargetId| self.state.targets.kind(*target) == TargetKind::Fault;
                draft.add_targets(draft.covered.clone().into_iter().filter(is_fault));
            }
            drafts.push(draft);
        }
        for draft in &mut drafts[done..] {
            self.make_plain(draft, Detail::Parts);
        }
        // What they cover besides needs no other test.
        for idx in done..drafts.len() {
            let (earlier, later) = drafts.split_at_mut(idx);
            let is_new = |target: &TargetId| earlier.iter().all(|other| !other.targets.contains(target));
            let covered = later[0].covered.clone();
            later[0].add_targets(covered.into_iter().filter(is_new));
        }
        self.max_calls = self.limits.calls;
        self.until = self.limits.simplify_until;
    }

    fn draft_others(&mut self, drafts: &mut Vec<Draft>) {
        let served: BTreeSet<TargetId> = drafts.iter().flat_map(|draft| draft.targets.iter().copied()).collect();
        let can_show = |target: &TargetId| {
            !served.contains(target)
                && !self.passed_over.contains(target)
                && self.state.targets.kind(*target) != TargetKind::Death
        };
        let open = self.state.archive.covered().filter(can_show).collect();
        let mut selected = select(&self.state.archive, open);
        selected.retain_mut(|draft| self.spare(draft));
        let selected = self.without_waits(selected, drafts);
        let mut others = self.recounted(selected);
        for draft in &mut others {
            self.complete(draft);
            self.shorten(draft);
        }
        for detail in [Detail::Whole, Detail::Parts] {
            for draft in &mut others {
                self.make_plain(draft, detail);
            }
        }
        drafts.extend(others);
    }

    fn is_used_up(&self) -> bool {
        // Half of the patience stays for verifying.
        let patience = self.limits.patience.map(|patience| self.began + patience.saturating_sub(self.began) / 2);
        let limits = [self.until, patience].into_iter().flatten();
        let is_late = limits.min().is_some_and(|limit| self.evaluator.elapsed() >= limit);
        let is_ill = self.n_late >= MAX_LATE || self.n_waits >= MAX_WAITS || self.n_deaths >= MAX_DEATHS;
        self.closed || self.calls >= self.max_calls || is_late || is_ill
    }

    /// Executes `individual` at the cost of the limits; none when that was not possible.
    fn execute(&mut self, individual: Individual) -> Option<Evaluation> {
        let resets = self.evaluator.resets();
        let individual = if resets { individual } else { self.state.vary_taken(self.problem.api, individual) };
        let evaluation = self.evaluator.evaluate(individual, &mut self.state.targets).ok()?;
        self.calls += evaluation.results.len() as u64;
        self.n_waits += usize::from(evaluation.timed_out());
        self.n_deaths += evaluation.deaths.len();
        self.state.note_deaths(&evaluation);
        Some(evaluation)
    }

    /// Takes `candidate` when it still covers the targets.
    fn attempt(&mut self, trial: &mut Trial, candidate: Individual) -> bool {
        // What was made in earlier executions is there, but not in a service that is started anew.
        let n_foreign = |individual: &Individual| self.state.accounts.n_foreign(&individual.actions);
        let before = &trial.draft.individual;
        let n_left_behind = |individual: &Individual| self.state.n_left_behind(self.problem, individual);
        let is_foreign = n_foreign(&candidate) > n_foreign(before)
            || self.state.taken.is_left_behind(&before.actions, &candidate.actions)
            || trial.is_whole && n_left_behind(&candidate) > n_left_behind(before);
        if trial.left == 0 || is_foreign || self.is_used_up() {
            return false;
        }
        trial.left -= 1;
        let Some(evaluation) = self.execute(candidate) else { return false };
        self.n_late += usize::from(evaluation.timed_out() && !trial.draft.waits());
        let is_new = |(target, closeness): &(TargetId, f64)| *closeness >= 1.0 && !self.state.archive.is_covered(*target);
        if evaluation.closeness.iter().any(is_new) {
            self.state.archive.offer(evaluation.clone(), 1, &self.state.targets);
        }
        if !evaluation.covers(&trial.draft.targets) || !evaluation.deaths.is_empty() {
            return false;
        }
        trial.draft.take(evaluation);
        true
    }

    /// Has the test make the accounts that it logs in to: those of the search are in no service that is started anew.
    fn complete(&mut self, draft: &mut Draft) {
        if let Some(candidate) = self.state.with_accounts(self.problem, &draft.individual) {
            self.attempt(&mut Trial::new(draft), candidate);
        }
    }

    /// Calls that it made, and how often the service ended.
    pub fn costs(&self) -> (u64, usize) {
        (self.calls, self.n_deaths)
    }

    /// A test for those of `targets` that `individual`, which gave `results`, shows behind calls of earlier tests that it hangs
    /// on, as few of them as that takes; none where it shows none of them so.
    pub fn with_past(
        &mut self,
        (mut individual, results): (Individual, &[ActionResult]),
        targets: &[TargetId],
    ) -> Option<Draft> {
        individual.remove_dead_links(results);
        let mut tried = Vec::new();
        for with_removals in [false, true] {
            let completed = self.state.with_past(self.problem, (&individual, results), with_removals)?;
            let calls: Vec<OperationIdx> = completed.actions.iter().map(|action| action.operation_idx).collect();
            if calls == tried {
                return None;
            }
            tried = calls;
            let evaluation = if self.is_used_up() { None } else { self.execute(completed) }?;
            if let Some(mut draft) = Draft::of(evaluation, targets.to_vec()) {
                self.drop_actions(&mut Trial { is_whole: true, ..Trial::new(&mut draft) });
                draft.original = None;
                return Some(draft);
            }
        }
        None
    }

    /// Takes out every call without which the fault still shows.
    fn shorten_fault(&mut self, draft: &mut Draft) {
        // However many faults there are, each gets a short test.
        let (calls, max_calls) = (self.calls, self.max_calls);
        self.max_calls = u64::MAX;
        let mut trial = Trial::new(draft);
        let n_actions = trial.draft.individual.actions.len();
        // Most faults show at one call alone, or with what it is linked to.
        for action_idx in (0..n_actions).rev() {
            let candidate = self.with_needed(&trial.draft.individual, action_idx);
            if candidate.actions.len() < n_actions && self.attempt(&mut trial, candidate) {
                break;
            }
        }
        while self.drop_actions(&mut trial) {}
        (self.calls, self.max_calls) = (calls, max_calls);
    }

    /// Takes out calls that the targets do not need.
    fn shorten(&mut self, draft: &mut Draft) {
        let mut trial = Trial::new(draft);
        let n_actions = trial.draft.individual.actions.len();
        // Most tests are there for their last call, so that one with what it is linked to is tried first.
        let candidate = self.with_needed(&trial.draft.individual, n_actions.saturating_sub(1));
        if candidate.actions.len() < n_actions {
            self.attempt(&mut trial, candidate);
        }
        self.drop_actions(&mut trial);
    }

    /// Tries to take out each call once; says whether one went and another look may be worth it.
    fn drop_actions(&mut self, trial: &mut Trial) -> bool {
        let before = trial.draft.individual.actions.len();
        let mut action_idx = 0;
        while trial.draft.individual.actions.len() > 1 && action_idx < trial.draft.individual.actions.len() {
            let mut candidate = trial.draft.individual.clone();
            candidate.remove(action_idx);
            // After a removal the next action stands at the same position.
            if !self.attempt(trial, candidate) {
                action_idx += 1;
            }
        }
        let after = trial.draft.individual.actions.len();
        after < before && after > 1
    }

    /// The action at `action_idx` with all that it is linked to and with the accounts that it logs in to, directly or through
    /// others.
    fn with_needed(&self, individual: &Individual, action_idx: usize) -> Individual {
        let actions = &individual.actions;
        let mut needed = vec![false; actions.len()];
        if let Some(last) = needed.get_mut(action_idx) {
            *last = true;
        }
        for action_idx in (0..needed.len()).rev().filter(|idx| *idx <= action_idx) {
            if needed[action_idx] {
                let links = actions[action_idx].links.iter().map(|link| link.from_action);
                for earlier in links.chain(self.state.accounts.made_at(actions, action_idx)) {
                    needed[earlier] = true;
                }
            }
        }
        let mut reduced = individual.clone();
        for action_idx in (0..needed.len()).rev().filter(|idx| !needed[*idx]) {
            reduced.remove(action_idx);
        }
        reduced
    }
}

/// One test being made plainer in one way.
struct Trial<'t> {
    draft: &'t mut Draft,
    left: usize,
    /// Whether it has to go on making what it names.
    is_whole: bool,
}

impl<'t> Trial<'t> {
    fn new(draft: &'t mut Draft) -> Self {
        Self { draft, left: MAX_TRIALS, is_whole: false }
    }
}
