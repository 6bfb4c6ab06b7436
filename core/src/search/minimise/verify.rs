//! Executes the finished tests until those that are left give the same statuses in every order.
//!
//! What a test leaves behind in the service, where no reset reaches, may change what others get. So a test that once
//! gives something else is dropped, also where that may be due only to another one that was. Users execute tests as they
//! are written, by chance, alone and again and again, on a fresh service and on a used one, and so do the passes. Some of
//! them look for what chance seldom meets: a test that cannot be repeated at once may be saved by another one that clears
//! away between the two, in one order after the other; one that needs something to be there finds it nearly always after
//! others made it, so that those that change nothing have a fresh service to themselves once; and one that wants little to
//! be there does not find much where others clear away as often, so that these come last once.
//!
//! Where a test fell for the state of the service there may be more of its kind: then rounds have more passes in orders
//! by chance, and go on until some more of them have brought nothing new.
//!
//! A start takes longer than all passes of a round together, so that further rounds are made only where the set differs
//! in a way that may concern the rest, or a test fell.
//!
//! Each test that is kept held once on a service that was started anew and changed by none but such tests, see [`proof`],
//! unless the service cannot be had so, or is reset before each test and none fell for what others did. What lacks that
//! when time is over gets it on top of the time, [`LAST_PASSES`] times at most, or is left out: it would fail for whoever
//! starts the service and executes the tests. So is what had no time to settle, see [`settled`].

mod afresh;
mod alone;
mod candidate;
mod changes;
mod instead;
mod order;
mod proof;
mod room;
mod settled;

use std::time::Duration;

use crate::api::OperationIdx;
use crate::search::evaluator::{Evaluator, Halt};
use crate::search::{Evaluation, Problem, SearchState, Solution, SolvedTest, TargetId, TargetKind, TestGroup};

use super::draft::Draft;
use super::simplify::Simplifier;
use super::{MAX_DEATHS, MAX_LATE, SolveLimits};
use afresh::{LAST_PASSES, Lives, doubt, proven};
use alone::GivenUp;
use candidate::Candidate;
use order::{MAX_ROUNDS, Order, Pass, positions, round};
use proof::Moment;
use settled::Falls;

/// Executions in a row, that of the search included, that must agree.
const AGREEING: usize = 3;
/// Executions in a row that must agree where time or passes are used up.
const AGREEING_AT_LEAST: usize = 2;
/// Passes that must bring nothing new at the end, where tests fell for what others did.
const CLEAN_PASSES: usize = 6;

/// Executes all tests in several orders and keeps those whose statuses do not differ.
///
/// What was taken out of a test is put back before the test is given up, and shorter tests take the place of one that is.
/// When time is over, what agreed so far is kept, and tests that were not executed again are left out.
pub(super) fn verify(
    problem: &Problem,
    state: &mut SearchState,
    evaluator: &mut dyn Evaluator,
    drafts: Vec<Draft>,
    limits: SolveLimits,
) -> Result<Solution, Halt> {
    let mut verification = Verification {
        problem,
        state,
        evaluator,
        until: limits.verify_until,
        settle_until: limits.settle_until,
        patience: limits.patience,
        calls_left: limits.calls,
        candidates: drafts.into_iter().map(Candidate::new).collect(),
        solution: Solution::default(),
        since_change: 0,
        since_fall: 0,
        n_late: 0,
        n_deaths: 0,
        n_executions: 0,
        answering: Duration::ZERO,
        n_rounds: 0,
        is_cut_short: false,
        is_last_round: false,
        falls: Falls::default(),
        unproven: Vec::new(),
        given_up: Vec::new(),
        longest_pass: Duration::ZERO,
        lives: Lives { n_begun: 0, is_fresh: false, is_spoiled: false, is_wanted: true },
    };
    verification.lives.is_wanted = !verification.evaluator.resets();
    while verification.n_rounds < MAX_ROUNDS && verification.round()? {}
    verification.leave_out_unsettled();
    verification.last_round()?;
    for last in 0..LAST_PASSES {
        verification.last_pass(last)?;
    }
    Ok(verification.finish())
}

struct Verification<'a, 'b> {
    problem: &'a Problem<'b>,
    state: &'a mut SearchState,
    evaluator: &'a mut dyn Evaluator,
    until: Option<Duration>,
    /// The same once tests fell for what others did.
    settle_until: Option<Duration>,
    patience: Option<Duration>,
    /// Calls that may be made to complete tests.
    calls_left: u64,
    candidates: Vec<Candidate>,
    solution: Solution,
    /// Passes since the set of tests last changed in a way that concerns the others.
    since_change: usize,
    /// Passes since a test last gave something else than before.
    since_fall: usize,
    /// Executions with a call that got no answer in time, where the one before had one.
    n_late: usize,
    /// Executions in which the service ended.
    n_deaths: usize,
    /// Executions of tests.
    n_executions: u64,
    /// What those took that did not wait in vain.
    answering: Duration,
    /// Rounds of passes that began.
    n_rounds: usize,
    /// Whether time was over before they all agreed.
    is_cut_short: bool,
    /// Whether no other round follows.
    is_last_round: bool,
    falls: Falls,
    /// Tests that are left out for lack of time.
    unproven: Vec<Candidate>,
    /// What was given up of those that fell.
    given_up: Vec<GivenUp>,
    longest_pass: Duration,
    lives: Lives,
}

impl Verification<'_, '_> {
    /// Makes the passes of a round; says whether another one is wanted, and there is time for it.
    fn round(&mut self) -> Result<bool, Halt> {
        let passes = round(self.n_rounds, self.depends_on_state());
        self.n_rounds += 1;
        for pass in passes {
            if !self.pass(*pass)? {
                self.is_cut_short = true;
                return Ok(false);
            }
        }
        Ok(!self.is_settled())
    }

    /// Executes all tests once; says whether there was time for it.
    fn pass(&mut self, pass: Pass) -> Result<bool, Halt> {
        let positions = self.positions(pass);
        if self.has_time() && pass.is_fresh && self.has_time_to_start() {
            self.renew();
        }
        let began = self.evaluator.elapsed();
        let mut is_complete = true;
        for idx in positions {
            if !self.has_time() || self.n_deaths >= MAX_DEATHS {
                is_complete = false;
                break;
            }
            let is_proof_wanted = self.lives.is_fresh && self.lives.is_wanted;
            let candidate = &mut self.candidates[idx];
            if self.n_late >= MAX_LATE && candidate.may_be_late() {
                candidate.give_up();
                continue;
            }
            if candidate.has_fallen() || candidate.has_waited_enough(pass.order, is_proof_wanted) {
                continue;
            }
            self.execute(idx)?;
        }
        self.longest_pass = self.longest_pass.max(self.evaluator.elapsed().saturating_sub(began));
        self.since_change += 1;
        self.since_fall += 1;
        self.count_pass(pass.order);
        let n_executed = self.candidates.len();
        let n_fallen = self.n_fallen();
        self.drop_fallen(is_complete);
        if self.solution.executions == 1 {
            self.make_room(n_executed, n_fallen);
        }
        Ok(is_complete)
    }

    /// Executes a test once.
    fn execute(&mut self, idx: usize) -> Result<(), Halt> {
        let mut individual = self.candidates[idx].individual().clone();
        if !self.evaluator.resets() {
            individual = self.state.vary_taken(self.problem.api, individual);
        }
        let began = self.evaluator.elapsed();
        let run = self.evaluator.evaluate(individual, &mut self.state.targets)?;
        self.n_executions += 1;
        if !run.timed_out() {
            self.answering += self.evaluator.elapsed().saturating_sub(began);
        }
        if !run.deaths.is_empty() {
            self.note_death(&run, idx);
            return Ok(());
        }
        let (life, execution) = (self.lives.n_begun, self.n_executions);
        let moment = (self.lives.is_fresh && !self.lives.is_spoiled).then_some(Moment { life, execution });
        let candidate = &mut self.candidates[idx];
        self.solution.tried.extend(candidate.drafted_findings().iter().chain(&run.findings));
        self.n_late += usize::from(run.timed_out() && !candidate.has_timed_out());
        candidate.note(run, moment);
        if candidate.has_fallen() && self.lives.is_fresh && self.lives.is_wanted {
            self.drop_alike(idx);
        }
        Ok(())
    }

    /// The positions of the candidates in the order of that pass.
    fn positions(&mut self, pass: Pass) -> Vec<usize> {
        let mut positions = positions(&self.candidates, pass.order, &mut self.state.random);
        if self.solution.executions == 0 && self.until.is_some() {
            // There may be no time for all: each is executed once, faults go first, and what waits must not keep the rest
            // from being executed.
            positions.dedup();
            let is_fault = |candidate: &Candidate| candidate.group() == TestGroup::Faults;
            positions.sort_by_key(|idx| (self.candidates[*idx].has_timed_out(), !is_fault(&self.candidates[*idx])));
        }
        if self.lives.is_wanted && pass.is_fresh && pass.order != Order::Written {
            // Those that others kept from showing anything on a fresh service come before these.
            positions.sort_by_key(|idx| self.candidates[*idx].is_proven());
        }
        positions
    }

    fn has_time(&self) -> bool {
        let limits = [self.until(), self.patience].into_iter().flatten();
        limits.min().is_none_or(|limit| self.evaluator.elapsed() < limit)
    }

    /// When time for verifying is over; the last round has some for itself.
    fn until(&self) -> Option<Duration> {
        match (self.until, self.settle_until) {
            (Some(until), Some(settled)) if self.depends_on_state() && !self.is_last_round => Some((until + settled) / 2),
            (_, settled) if self.depends_on_state() => settled,
            (until, _) => until,
        }
    }

    /// Gives up the test that the service ended in, when that is to blame, and others that would end it as well.
    fn note_death(&mut self, run: &Evaluation, idx: usize) {
        self.n_deaths += 1;
        // It was started again.
        self.lives.n_begun += usize::from(self.lives.is_fresh);
        self.lives.is_spoiled = false;
        self.state.note_deaths(run);
        let deaths = &self.state.deaths;
        for (other, candidate) in self.candidates.iter_mut().enumerate() {
            let calls = |culprit: &OperationIdx| candidate.individual().calls(*culprit);
            let ends_service = run.deaths.iter().any(|culprit| calls(culprit) && (other == idx || deaths.is_deadly(*culprit)));
            if ends_service && !candidate.has_fallen() {
                candidate.give_up_as_deadly();
            }
        }
    }

    /// Drops tests that do not hold, or puts back what the search found where there is time for that.
    fn drop_fallen(&mut self, has_time: bool) {
        let has_room = has_time && self.n_rounds < MAX_ROUNDS && !self.is_last_round;
        // Those of a test that is put back are verified with it: when that falls too, it is late for them.
        self.doubt_after_fallen();
        let n_fallen = self.n_fallen();
        if has_room {
            self.complete_fallen();
        }
        let spares = if has_room { self.spares() } else { Vec::new() };
        let mut concerns_others = !spares.is_empty() || self.n_fallen() < n_fallen;
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.has_fallen()) {
            concerns_others |= candidate.is_deadly() || candidate.may_have_changed_service();
            concerns_others |= has_time && !self.is_last_round && candidate.restore();
        }
        let (held, fallen): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.candidates).into_iter().partition(|candidate| !candidate.has_fallen());
        self.candidates = held;
        self.candidates.extend(spares.into_iter().map(Candidate::spare));
        self.solution.deadly += fallen.iter().filter(|candidate| candidate.is_deadly()).count();
        self.count_unstable(fallen.iter().filter(|candidate| !candidate.is_deadly()));
        self.note_given_up(fallen.iter());
        if fallen.iter().any(|candidate| candidate.change().is_some()) {
            self.since_fall = 0;
            // A reset between tests does not reach what made it fall, and only a start may.
            self.lives.is_wanted |= self.evaluator.resets();
        }
        // What others got they get as well without calls that changed nothing.
        if concerns_others {
            self.since_change = 0;
        }
    }

    fn n_fallen(&self) -> usize {
        self.candidates.iter().filter(|candidate| candidate.has_fallen()).count()
    }

    /// Counts tests that do not hold; those that only stood in for others were counted as these.
    fn count_unstable<'c>(&mut self, fallen: impl Iterator<Item = &'c Candidate>) {
        for candidate in fallen.filter(|candidate| !candidate.is_spare()) {
            self.solution.unstable += 1;
            if let Some(change) = candidate.change() {
                *self.solution.changes.entry(change).or_default() += 1;
            }
        }
    }

    /// Whether `target` is wanted for itself and no test holds that is there for it.
    fn is_lost(&self, target: TargetId) -> bool {
        let is_goal = self.state.targets.kind(target) != TargetKind::Shape;
        let mut held = self.candidates.iter().filter(|candidate| !candidate.has_fallen());
        is_goal && held.all(|candidate| candidate.targets().binary_search(&target).is_err())
    }

    /// Whether tests got something else because of what others did.
    fn depends_on_state(&self) -> bool {
        self.solution.unstable > 0
    }

    /// Whether nothing more needs to be executed at the end of a round: all agree, the set did not change in both executions
    /// in the order of the suites and one in another order before them, and where tests fell for what others did, none did
    /// for longer.
    fn is_settled(&self) -> bool {
        self.since_change >= AGREEING
            && (!self.depends_on_state() || self.since_fall >= CLEAN_PASSES)
            && self.candidates.iter().all(|candidate| candidate.agreeing() >= AGREEING)
            && (!self.lives.is_wanted || !self.has_time_to_start() || self.candidates.iter().all(Candidate::is_proven))
    }

    fn finish(mut self) -> Solution {
        let candidates = std::mem::take(&mut self.candidates);
        let (agreed, untried): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|candidate| candidate.agreeing() >= AGREEING_AT_LEAST);
        let (changed, untried): (Vec<_>, Vec<_>) = untried.into_iter().partition(Candidate::is_tried);
        self.count_unstable(changed.iter());
        self.solution.untried = untried.iter().filter(|candidate| !candidate.is_spare()).count();
        let mut agreed = agreed;
        if self.lives.is_wanted {
            doubt(&mut changed.iter().chain(&untried).map(Candidate::proof), &mut agreed);
            let (held, unproven) = proven(agreed);
            agreed = held;
            self.unproven.extend(unproven);
        }
        self.solution.unproven = self.unproven.iter().filter(|candidate| !candidate.is_spare()).count();
        self.solution.tests = without_needless(agreed).into_iter().filter_map(Candidate::solved).collect();
        if !self.evaluator.resets() {
            self.solution.tests.iter_mut().for_each(|test| note_fresh(test, self.state));
        }
        let kept = self.solution.tests.iter().flat_map(|test| test.findings.iter().copied());
        let left_out = self.unproven.iter().filter(|candidate| candidate.is_tried()).flat_map(Candidate::findings);
        self.solution.shown = kept.chain(left_out).collect();
        self.note_given_up(changed.iter());
        let shown = std::mem::take(&mut self.solution.shown);
        self.solution.alone = self.show_alone(&shown);
        self.solution.shown = shown.into_iter().chain(self.solution.alone.keys().copied()).collect();
        self.solution
    }
}

/// Notes the texts that were others in each execution of a test.
fn note_fresh(test: &mut SolvedTest, state: &SearchState) {
    let mut fresh = state.taken.fresh_texts(&test.individual.actions);
    let earlier = || test.repeats.iter().flatten().map(|result| &result.request);
    let is_in = |text: &str, sent: &[u8]| sent.windows(text.len()).any(|window| window == text.as_bytes());
    fresh.retain(|it| {
        !test.repeats.is_empty()
            && earlier().all(|request| {
                !request.url.contains(&it.text) && !request.body.as_deref().is_some_and(|body| is_in(&it.text, body))
            })
    });
    test.fresh = fresh;
}

/// The tests without those that stand in for others which hold after all, unless the rest may need what they do.
fn without_needless(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    for idx in (0..candidates.len()).rev() {
        let spare = &candidates[idx];
        let others = || candidates.iter().enumerate().filter(|(other, _)| *other != idx);
        let is_served = |target: &TargetId| others().any(|(_, other)| other.targets().binary_search(target).is_ok());
        if spare.is_spare() && !spare.may_have_changed_service() && spare.targets().iter().all(is_served) {
            candidates.remove(idx);
        }
    }
    candidates
}

#[cfg(test)]
mod tests;
