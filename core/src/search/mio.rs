//! The many independent objective algorithm (MIO): Arcuri, "Test suite generation with the many independent
//! objective (MIO) algorithm", Information and Software Technology 104, 2018.
//!
//! ```text
//! while budget is left
//!     if initial calls are left, or the archive is empty, or with probability P
//!         individual = sample; evaluate; offer to the archive
//!     else
//!         target, individual = pick from the archive
//!         m times
//!             mutant = mutate(individual); evaluate; offer to the archive
//!             if mutant is not worse on target: individual = mutant
//! ```
//!
//! Differences from the source: targets are picked by kind. Without a driver half of the time a goal, a quarter a shape,
//! a quarter a covered one, since most shapes that are open then stay so for ever, and most new behaviour is found next
//! to known behaviour; with one mostly a place in the code, and for a while goals that were picked seldom. Values are
//! changed up to the call that came closest to the target; impact steers which gene is changed (`search.md` 5); what the
//! service was seen to do with a value is tried in the next evaluation but one, later while nothing comes of that;
//! numbers are moved a little to see what that matters to (`sounding.rs`), and followed where it does (`slope.rs`), two
//! at once where one alone does not get there (`joint_move.rs`); where nothing comes closer any more, the part of a text that
//! matters is looked for (`bisection.rs`); what broke most operations is sent to all others; what was
//! sent before is drawn anew a few times; and two climbs take turns, so that an individual of one is judged, and its next
//! mutant made, while the service works on one of the other, so that the archive is one evaluation behind.

mod climb;
mod leads;
mod made;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::bisection::Bisection;
use super::evaluator::{Evaluator, Halt, Judge, Meanwhile};
use super::impact::{GeneKey, changed_targets};
use super::kept::Kept;
use super::malformations::malformed;
use super::mutator::{Mutant, mutate};
use super::sampler::sample;
use super::schedule::Schedule;
use super::slope::next_slope;
use super::sounding::Soundings;
use super::standing::Moment;
use super::trials::Trial;
use super::{Budget, Evaluation, Execution, Individual, PickOdds, Problem, SearchState, TargetId, TargetKind, Verdict};
use climb::{Climb, is_not_worse};
use made::{Made, Mutation, Proposal, Sounded, Step};

/// Proposals in a row of nothing but calls that are not made any more, after which the search ends.
const MAX_EMPTY: usize = 1000;
/// How often something is drawn anew that was sent before: it may be all that there is, and the service may have changed.
const MAX_REDRAWN: usize = 4;
/// Climbs that take turns: one that is executed, and one that is judged and changed meanwhile.
const N_CLIMBS: usize = 2;

/// Runs until the budget is used up or the evaluator stops; `observe` is called after every evaluation.
///
/// Everything found is in `state`, however the run ended; the answer is none when the budget was used up.
pub fn run(
    problem: &Problem,
    state: &mut SearchState,
    evaluator: &mut dyn Evaluator,
    observe: &mut dyn FnMut(&SearchState, &Schedule),
) -> Option<Halt> {
    state.past.is_wanted = !evaluator.resets();
    let (climbs, (soundings, found, joined)) = ([const { None }; 2 * N_CLIMBS], <_>::default());
    let mut search =
        Search { problem, state, observe, climbs, soundings, found, joined, turn: 0, under_way: 0, executed: None, next: None };
    loop {
        search.state.elapsed = evaluator.elapsed();
        let (executor, judge) = evaluator.halves();
        if search.next.is_none() || search.spent() >= 1.0 {
            while search.work(judge) {}
        }
        if search.spent() >= 1.0 {
            return None;
        }
        let (Proposal { individual, step }, was_told) = search.take_next()?;
        search.under_way = cost(individual.actions.len());
        executor.survey(search.state.touched.is_undecided(&individual));
        let waits = individual.actions.len();
        let execution = executor.execute_before(individual, &mut Waiting { search: &mut search, judge, waits, was_told });
        // What there was no time for is done now; the search goes the same way.
        while search.work(judge) {}
        search.under_way = 0;
        match execution {
            Ok(execution) => search.executed = Some(Executed { execution, verdicts: Vec::new(), step }),
            Err(halt) => return Some(halt),
        }
        while search.may_lead_on() {
            search.work(judge);
        }
    }
}

/// What the budget counts for `n_calls` calls: an evaluation without one still costs, or a run of them would never end.
fn cost(n_calls: usize) -> u64 {
    n_calls.max(1) as u64
}

/// What was executed and is not learnt from yet.
struct Executed {
    execution: Execution,
    /// On its first calls.
    verdicts: Vec<Verdict>,
    step: Step,
}

struct Search<'a, 'b> {
    problem: &'a Problem<'b>,
    state: &'a mut SearchState,
    observe: &'a mut dyn FnMut(&SearchState, &Schedule),
    /// Those whose targets were picked, and behind them those along slopes that soundings found.
    climbs: [Option<Climb>; 2 * N_CLIMBS],
    soundings: Soundings,
    /// Climbs along slopes that soundings found, which wait for their turn.
    found: VecDeque<Climb>,
    /// Targets that two numbers were moved together for, and the one of them whose slope ended.
    joined: BTreeSet<(TargetId, GeneKey)>,
    /// Whose turn it is.
    turn: usize,
    /// Calls of the individual that is being executed.
    under_way: u64,
    executed: Option<Executed>,
    next: Option<Proposal>,
}

/// A search whose individual is being executed.
struct Waiting<'s, 'a, 'b> {
    search: &'s mut Search<'a, 'b>,
    judge: &'s mut dyn Judge,
    /// Times of waiting that are left.
    waits: usize,
    /// Whether that is what was to be executed next before.
    was_told: bool,
}

impl Meanwhile for Waiting<'_, '_, '_> {
    fn work(&mut self) {
        // It is spread over all times of waiting.
        for _ in 0..self.search.work_left().div_ceil(self.waits.max(1)) {
            self.search.work(self.judge);
        }
        self.waits = self.waits.saturating_sub(1);
    }

    fn was_told(&self) -> bool {
        self.was_told
    }

    fn next(&self) -> Option<&Individual> {
        self.search.next.as_ref().map(|next| &next.individual)
    }
}

impl Search<'_, '_> {
    /// Share of the budget used up, in [0, 1] and beyond, with that of the individual that is being executed.
    fn spent(&self) -> f64 {
        match self.problem.settings.budget {
            Budget::Calls(0) => 1.0,
            Budget::Calls(calls) => (self.state.calls + self.under_way) as f64 / calls as f64,
            Budget::Time(limit) if limit.is_zero() => 1.0,
            Budget::Time(limit) => self.state.elapsed.as_secs_f64() / limit.as_secs_f64(),
        }
    }

    /// What to execute next, none when the budget is used up.
    fn propose(&mut self) -> Option<Proposal> {
        let spent = self.spent();
        if spent >= 1.0 {
            return None;
        }
        let schedule = Schedule::at(self.problem.settings, spent);
        self.state.marker.set_p(schedule.p_marking);
        if let Some(individual) = malformed(self.problem, self.state) {
            return Some(self.proposal(individual, schedule, Made::Sampled));
        }
        let tried = self.state.specialisations.trials.next();
        if let Some(proposal) = tried.and_then(|trial| self.propose_trial(trial, schedule)) {
            return Some(proposal);
        }
        let may_sound = self.soundings.have_room(self.state.calls);
        if let Some((base, Mutant { individual, moved, .. }, revision)) = may_sound.then(|| self.soundings.next()).flatten() {
            self.state.repeats.note(self.problem.api, &individual);
            let individual = self.renewed(individual, moved.iter().map(|moved| moved.spot.key));
            return Some(self.proposal(individual, schedule, Made::Sounded(Sounded { base, moved, revision })));
        }
        let climb_idx = self.next_climb(may_sound, &schedule);
        let (individual, made) = match &mut self.climbs[climb_idx] {
            None => (unlike_earlier(self.problem, self.state, sample, |it| it), Made::Sampled),
            Some(climb) => {
                let Mutant { individual, genes, moved } =
                    climb.follow(may_sound.then_some(&mut self.joined)).unwrap_or_else(|| {
                        climb.left = climb.left.saturating_sub(1);
                        let mutant =
                            |problem: &Problem, state: &mut SearchState| mutate(problem, state, &climb.current, climb.target);
                        unlike_earlier(self.problem, self.state, mutant, |it| &it.individual)
                    });
                let fixed = genes.iter().copied().chain(moved.iter().map(|moved| moved.spot.key));
                (self.renewed(individual, fixed), Made::Mutated(Mutation { climb_idx, genes, moved }))
            }
        };
        Some(self.proposal(individual, schedule, made))
    }

    fn proposal(&self, mut individual: Individual, schedule: Schedule, made: Made) -> Proposal {
        self.fit_budget(&mut individual);
        Proposal { individual, step: Step { schedule, made } }
    }

    /// With other values in the place of those that are taken since it was executed, but for those of `fixed`.
    fn renewed(&mut self, mut individual: Individual, fixed: impl Iterator<Item = GeneKey>) -> Individual {
        self.state.renew_taken(self.problem, &mut individual.actions, &fixed.collect::<Vec<_>>());
        individual
    }

    /// What the trial that was just learned from led to; what is known to be next waits for it.
    fn propose_of_led(&mut self) -> Option<Proposal> {
        let trial = self.state.specialisations.trials.next_of_led()?;
        self.propose_trial(trial, Schedule::at(self.problem.settings, self.spent()))
    }

    /// A trial, unless the same was sent before.
    fn propose_trial(&mut self, trial: Trial, schedule: Schedule) -> Option<Proposal> {
        if self.state.repeats.note(self.problem.api, &trial.individual) {
            return None;
        }
        let Trial { individual, narrowed, is_exact } = trial;
        let individual = if is_exact { individual } else { self.renewed(individual, narrowed.iter().map(|spot| spot.key)) };
        Some(self.proposal(individual, schedule, Made::Hinted(narrowed)))
    }

    /// What is executed next, less what is not called any more, and whether it is just what was known to be next; none when
    /// the budget is used up or nothing is left to call.
    fn take_next(&mut self) -> Option<(Proposal, bool)> {
        for _ in 0..MAX_EMPTY {
            let led = self.propose_of_led();
            let was_known = led.is_none() && self.next.is_some();
            let mut proposal = led.or_else(|| self.next.take()).or_else(|| self.propose())?;
            let is_less = self.fit_budget(&mut proposal.individual) | self.state.leave_out(&mut proposal.individual);
            if !is_less || !proposal.individual.actions.is_empty() {
                return Some((proposal, was_known && !is_less));
            }
            if let Made::Mutated(mutation) = proposal.step.made {
                self.climbs[mutation.climb_idx] = None;
            }
        }
        None
    }

    /// A target from the archive, none when an individual shall be sampled instead.
    fn start_climb(&mut self, schedule: &Schedule) -> Option<Climb> {
        let fresh = !self.state.first_calls.is_empty() || self.state.archive.is_empty();
        if fresh || self.state.random.chance(schedule.p_random) {
            return None;
        }
        let odds = PickOdds::new(&self.problem.settings.odds, self.state.archive.has_open_code());
        let (target, current) = self.state.archive.pick(odds, &mut self.state.random)?;
        self.state.archive.shrink(schedule.population);
        let stalled = self.state.archive.stalled(target).cloned();
        let bisection = stalled.as_ref().and_then(|closest| Bisection::new(closest, target));
        let current = stalled.filter(|_| bisection.is_some()).unwrap_or(current);
        Some(Climb { target, current, left: schedule.mutations, slope: None, bisection, joint_move: None })
    }

    /// Leaves out calls that the budget does not allow; says whether there were any.
    fn fit_budget(&self, individual: &mut Individual) -> bool {
        let n_calls = individual.actions.len();
        if let Budget::Calls(calls) = self.problem.settings.budget {
            let left = calls.saturating_sub(self.state.calls + self.under_way);
            individual.actions.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        }
        individual.actions.len() < n_calls
    }

    /// Does one piece of what can be done while the service works: judges a call, learns from what was judged, or
    /// proposes what is next; says whether there was anything to do.
    fn work(&mut self, judge: &mut dyn Judge) -> bool {
        match self.executed.take() {
            Some(mut executed) if executed.verdicts.len() < executed.execution.calls.len() => {
                let call_idx = executed.verdicts.len();
                executed.verdicts.push(judge.judge(&executed.execution, call_idx, &mut self.state.targets));
                self.executed = Some(executed);
                true
            }
            Some(executed) => {
                self.learn(executed);
                true
            }
            None if self.next.is_none() => {
                self.next = self.propose();
                self.next.is_some()
            }
            None => false,
        }
    }

    /// Whether what was executed, and is not learned from yet, is a trial of a hint that may lead to what is executed next.
    fn may_lead_on(&self) -> bool {
        let is_trial = self.executed.as_ref().is_some_and(|it| matches!(it.step.made, Made::Hinted(Some(_))));
        is_trial && self.state.specialisations.trials.are_few()
    }

    /// Pieces of work that are left.
    fn work_left(&self) -> usize {
        let to_learn = self.executed.as_ref().map_or(0, |it| it.execution.calls.len() - it.verdicts.len() + 1);
        to_learn + usize::from(self.next.is_none())
    }

    fn learn(&mut self, executed: Executed) {
        let Executed { execution, verdicts, step: Step { schedule, made } } = executed;
        let favoured = self.state.touched.learn(&execution, &verdicts, &self.state.targets);
        let evaluation = Evaluation::new(execution, verdicts);
        let before = self.state.calls;
        self.account(&evaluation);
        let origin = made.origin();
        self.state.archive.now = Moment { calls: self.state.calls, origin };
        let (kept, offered) = self.state.archive.offer(evaluation, schedule.population, &self.state.targets);
        self.state.archive.favour(&favoured);
        let has_gained = offered.covered + offered.improved > 0;
        if let Made::Hinted(narrowed) = &made {
            self.state.specialisations.trials.weigh(narrowed.as_ref(), offered);
        }
        let is_led = self.is_led(&made);
        if is_led {
            self.soundings.took(self.state.calls - before);
        }
        (self.observe)(self.state, &schedule);
        self.sound(&kept, &made, has_gained);
        match made {
            Made::Sampled | Made::Hinted(_) => {}
            Made::Sounded(sounded) => self.follow_what_changed(sounded, &kept),
            Made::Mutated(mutation) => self.climb(mutation, kept, schedule.focused, is_led),
        }
    }

    fn account(&mut self, evaluation: &Evaluation) {
        self.state.calls += cost(evaluation.results.len());
        self.state.evaluations += 1;
        self.state.learn(self.problem, evaluation);
    }

    /// Goes on from `mutant`, which `mutation` made, where that is not worse.
    fn climb(&mut self, mutation: Mutation, mutant: Arc<Kept>, focused: bool, is_led: bool) {
        let Mutation { climb_idx, genes, moved } = mutation;
        let Some(Climb { target, current, left, slope, mut bisection, mut joint_move }) = self.climbs[climb_idx].take() else {
            return;
        };
        let has_gained = mutant.closeness_to(target) > current.closeness_to(target);
        self.state.impact.record_kind(target, genes.is_empty(), has_gained);
        if !genes.is_empty() {
            let mut changed = changed_targets(&current.closeness, &mutant.closeness);
            changed.retain(|target| !self.state.archive.is_covered(*target));
            self.state.impact.record(&genes, &changed);
        }
        if let Some(moved) = &moved {
            self.follow_what_improved(target, moved, &current, &mutant);
        }
        if self.state.archive.is_covered(target) && current.closeness_to(target) < 1.0 {
            let last = if mutant.closeness_to(target) >= 1.0 { &genes[..] } else { &[] };
            if !last.is_empty() && is_led {
                self.soundings.led_somewhere();
            }
            self.state.impact.forget(target, last);
            return;
        }
        let is_code = self.state.targets.kind(target) == TargetKind::Code;
        let distances = [&current, &mutant].map(|kept| kept.distance_to(target));
        let found = bisection.as_mut().filter(|_| slope.is_none()).and_then(|bisection| bisection.learn(distances));
        let slope = found.or_else(|| next_slope(slope, moved.filter(|_| is_code), distances));
        if let Some(joint_move) = &mut joint_move {
            joint_move.learn(mutant.distance_to(target));
        }
        let current = if is_not_worse(&mutant, &current, target, focused) { mutant } else { current };
        let climb = Climb { target, current, left, slope, bisection, joint_move };
        if left > 0 || climb.is_led() {
            self.climbs[climb_idx] = Some(climb);
        }
    }
}

/// What `draw` gives, drawn anew a few times where its individual was sent before.
fn unlike_earlier<T>(
    problem: &Problem,
    state: &mut SearchState,
    draw: impl Fn(&Problem, &mut SearchState) -> T,
    individual: impl Fn(&T) -> &Individual,
) -> T {
    let mut drawn = draw(problem, state);
    for _ in 0..MAX_REDRAWN {
        if !state.repeats.note(problem.api, individual(&drawn)) {
            break;
        }
        drawn = draw(problem, state);
    }
    drawn
}

#[cfg(test)]
mod tests;
