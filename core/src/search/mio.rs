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
//! Differences from the source: targets are picked by kind, half of the time a goal, a quarter a shape, a quarter a
//! covered one, since without feedback from inside the service most shapes that are open stay so for ever, and most
//! new behaviour is found next to known behaviour; and impact steers which gene is changed (`search.md` 5).

use std::sync::Arc;

use super::archive::{Kept, PickOdds};
use super::evaluator::{Evaluator, Halt};
use super::impact::changed_targets;
use super::mutator::mutate;
use super::sampler::sample;
use super::schedule::Schedule;
use super::{Budget, Evaluation, Individual, Problem, SearchState, TargetId};

/// How often which kind of target is picked; a covered one in the remaining cases.
const PICK_ODDS: PickOdds = PickOdds { goal: 0.5, shape: 0.25 };

/// Runs until the budget is used up or the evaluator stops; `observe` is called after every evaluation.
///
/// Everything found is in `state`, however the run ended; the answer is none when the budget was used up.
pub fn run(
    problem: &Problem,
    state: &mut SearchState,
    evaluator: &mut dyn Evaluator,
    observe: &mut dyn FnMut(&SearchState, &Schedule),
) -> Option<Halt> {
    let mut search = Search { problem, state, evaluator, observe };
    while search.spent() < 1.0 {
        if let Err(halt) = search.step() {
            return Some(halt);
        }
    }
    None
}

struct Search<'a, 'b> {
    problem: &'a Problem<'b>,
    state: &'a mut SearchState,
    evaluator: &'a mut dyn Evaluator,
    observe: &'a mut dyn FnMut(&SearchState, &Schedule),
}

impl Search<'_, '_> {
    /// Share of the budget used up, in [0, 1] and beyond.
    fn spent(&self) -> f64 {
        match self.problem.settings.budget {
            Budget::Calls(0) => 1.0,
            Budget::Calls(calls) => self.state.calls as f64 / calls as f64,
            Budget::Time(limit) if limit.is_zero() => 1.0,
            Budget::Time(limit) => self.evaluator.elapsed().as_secs_f64() / limit.as_secs_f64(),
        }
    }

    fn step(&mut self) -> Result<(), Halt> {
        let schedule = Schedule::at(self.problem.settings, self.spent());
        let fresh = !self.state.first_calls.is_empty() || self.state.archive.is_empty();
        if fresh || self.state.random.chance(schedule.p_random) {
            let individual = sample(self.problem, self.state);
            self.evaluate(individual, &schedule)?;
            return Ok(());
        }
        let Some((target, mut current)) = self.state.archive.pick(PICK_ODDS, &mut self.state.random) else {
            let individual = sample(self.problem, self.state);
            self.evaluate(individual, &schedule)?;
            return Ok(());
        };
        self.state.archive.shrink(schedule.population);
        for _ in 0..schedule.mutations {
            if self.spent() >= 1.0 {
                break;
            }
            let mutant = mutate(self.problem, self.state, &current.individual, target);
            let kept = self.evaluate(mutant.individual, &schedule)?;
            let has_gained = kept.closeness_to(target) > current.closeness_to(target);
            self.state.impact.record_kind(target, mutant.genes.is_empty(), has_gained);
            if !mutant.genes.is_empty() {
                let mut changed = changed_targets(&current.closeness, &kept.closeness);
                changed.retain(|target| !self.state.archive.is_covered(*target));
                self.state.impact.record(&mutant.genes, &changed);
            }
            if self.state.archive.is_covered(target) && current.closeness_to(target) < 1.0 {
                self.state.impact.forget(target);
                break;
            }
            if is_not_worse(&kept, &current, target, schedule.focused) {
                current = kept;
            }
        }
        Ok(())
    }

    /// Evaluates as many actions as the budget allows and offers the result to the archive.
    fn evaluate(&mut self, mut individual: Individual, schedule: &Schedule) -> Result<Arc<Kept>, Halt> {
        if let Budget::Calls(calls) = self.problem.settings.budget {
            let left = calls.saturating_sub(self.state.calls);
            individual.actions.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        }
        let evaluation = self.evaluator.evaluate(individual, &mut self.state.targets)?;
        self.account(&evaluation);
        let (kept, _) = self.state.archive.offer(evaluation, schedule.population, &self.state.targets);
        (self.observe)(self.state, schedule);
        Ok(kept)
    }

    fn account(&mut self, evaluation: &Evaluation) {
        // An evaluation without a call still costs, or a run of them would never end.
        self.state.calls += evaluation.results.len().max(1) as u64;
        self.state.evaluations += 1;
        self.state.elapsed = self.evaluator.elapsed();
        self.state.learn(self.problem, evaluation);
    }
}

/// Whether the search goes on from `mutant`; in the focused phase a longer one must come closer to be worth its calls.
fn is_not_worse(mutant: &Kept, current: &Kept, target: TargetId, focused: bool) -> bool {
    let (new, old) = (mutant.closeness_to(target), current.closeness_to(target));
    let is_longer = mutant.individual.actions.len() > current.individual.actions.len();
    new > old || (new >= old && !(focused && is_longer))
}

#[cfg(test)]
mod tests;
