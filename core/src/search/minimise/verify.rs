//! Executes the finished tests until those that are left give the same statuses in every order tried.
//!
//! What a test leaves behind in the service may change what others get, so a test is only as good as the tests around
//! it: after some are dropped, the rest has to agree anew without them.

use crate::action::ActionResult;
use crate::search::evaluator::{Evaluator, Halt};
use crate::search::{Evaluation, Individual, Problem, SearchState, Solution, SolvedTest, TargetId, TestGroup};

use super::sent_key;

/// Passes without a drop that must follow each other.
const AGREEING: usize = 3;

/// Passes in all, at most: the last is one in the order of the suites.
const MAX_PASSES: usize = 8;

/// A test with all that its executions gave.
struct Candidate {
    individual: Individual,
    targets: Vec<TargetId>,
    runs: Vec<Evaluation>,
}

impl Candidate {
    /// Whether the last `n_passes` executions gave the same statuses.
    fn is_stable(&self, n_passes: usize) -> bool {
        let last = self.runs.last().map(statuses);
        self.runs.iter().rev().take(n_passes).all(|run| Some(statuses(run)) == last)
    }

    /// Positions of the findings that every execution showed.
    fn findings(&self) -> Vec<usize> {
        let Some((last, others)) = self.runs.split_last() else { return Vec::new() };
        let is_shown = |finding: &usize| others.iter().all(|run| run.findings.contains(finding));
        last.findings.iter().copied().filter(is_shown).collect()
    }

    fn group(&self) -> TestGroup {
        let statuses: Vec<u16> = self.runs.last().into_iter().flat_map(statuses).map_while(|status| status).collect();
        TestGroup::of(&statuses, !self.findings().is_empty())
    }

    /// Executions before tests were dropped count only where they gave what the last one gave.
    fn solved(mut self) -> Option<SolvedTest> {
        let findings = self.findings();
        let last = self.runs.pop()?;
        let agreed = self.runs.into_iter().filter(|run| statuses(run) == statuses(&last));
        let repeats = agreed.map(|run| run.results).collect();
        Some(SolvedTest { individual: self.individual, results: last.results, repeats, targets: self.targets, findings })
    }
}

/// Executes all tests in several orders and keeps those whose statuses do not differ since a test was last dropped.
pub(super) fn verify(
    problem: &Problem,
    state: &mut SearchState,
    evaluator: &mut dyn Evaluator,
    tests: Vec<(Individual, Vec<TargetId>)>,
) -> Result<Solution, Halt> {
    let mut candidates: Vec<Candidate> =
        tests.into_iter().map(|(individual, targets)| Candidate { individual, targets, runs: Vec::new() }).collect();
    let mut solution = Solution::default();
    let mut since_drop = 0;
    while solution.executions < MAX_PASSES {
        let pass = solution.executions;
        for idx in order(&candidates, pass) {
            let run = evaluator.evaluate(candidates[idx].individual.clone(), &mut state.targets)?;
            solution.shown.extend(run.findings.iter().copied());
            candidates[idx].runs.push(run);
        }
        solution.executions += 1;
        if pass == 0 {
            candidates.sort_by_cached_key(|candidate| {
                sent_key(problem, &candidate.individual, candidate.runs.first().map_or(&[], |run| run.results.as_slice()))
            });
        }
        since_drop += 1;
        let before = candidates.len();
        candidates.retain(|candidate| candidate.is_stable(since_drop));
        if candidates.len() < before {
            solution.unstable += before - candidates.len();
            since_drop = 0;
        }
        if since_drop >= AGREEING && is_suite_order(pass) {
            break;
        }
    }
    solution.tests = candidates.into_iter().filter_map(Candidate::solved).collect();
    Ok(solution)
}

/// Whether a pass executes the tests as the suites will; results of the last pass are what the suites expect.
fn is_suite_order(pass: usize) -> bool {
    pass % 2 == 1
}

/// The order of one pass: as selected, as in the suites, and between those in reverse or with every other test first.
fn order(candidates: &[Candidate], pass: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    if pass == 0 {
        return order;
    }
    order.sort_by_key(|idx| candidates[*idx].group());
    match pass {
        _ if is_suite_order(pass) => {}
        2 => order.reverse(),
        _ => order = order.iter().skip(1).step_by(2).chain(order.iter().step_by(2)).copied().collect(),
    }
    order
}

/// Status per call; none for one without an answer.
fn statuses(run: &Evaluation) -> Vec<Option<u16>> {
    run.results.iter().map(ActionResult::status).collect()
}

#[cfg(test)]
mod tests;
