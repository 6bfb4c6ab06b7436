//! After the search: few, short, repeatable tests (`search.md` 7).
//!
//! [`solve`] selects a small set of kept individuals that covers every covered target, makes each as plain as its
//! targets allow, and executes the whole set three times (the last time in reverse order, so that tests that only
//! pass after certain others show) before it is written.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::action::ActionResult;

use super::archive::{Archive, Kept};
use super::evaluator::{Evaluator, Halt};
use super::{Evaluation, Individual, Problem, SearchState, Solution, SolvedTest, TargetId};

mod simplify;

/// Executions of the finished set.
const PASSES: usize = 3;

/// What making a solution may cost.
#[derive(Debug, Clone, Copy)]
pub struct SolveLimits {
    /// Calls for making tests plainer; executing the finished set comes on top.
    pub calls: u64,
    /// Time after which tests are left as they are; none in a run with a call budget.
    pub until: Option<std::time::Duration>,
}

/// The solution of a finished search; a `halt` of the search leaves out everything that needs further calls.
pub fn solve(
    problem: &Problem,
    state: &mut SearchState,
    evaluator: &mut dyn Evaluator,
    limits: SolveLimits,
    halt: Option<Halt>,
) -> Solution {
    let selected = select(&state.archive);
    if halt.is_some() {
        return as_kept(problem, &selected);
    }
    let mut tests: Vec<_> = selected.iter().map(|(kept, targets)| (kept.individual.clone(), targets.clone())).collect();
    let mut simplifier = simplify::Simplifier::new(problem, state, evaluator, limits);
    simplifier.simplify(&mut tests);
    tests.extend(simplifier.into_late());
    let selected = select(&state.archive);
    let tried = selected.iter().flat_map(|(kept, _)| kept.findings.iter().copied()).collect();
    match verify(state, evaluator, tests) {
        Ok(solution) => sorted(problem, Solution { tried, ..solution }),
        Err(_) => as_kept(problem, &selected),
    }
}

/// A small set of kept individuals that together cover every covered target, each with the targets it is there for.
///
/// Greedy: most uncovered targets first, then fewer actions, then the order of the archive.
fn select(archive: &Archive) -> Vec<(Arc<Kept>, Vec<TargetId>)> {
    let mut candidates: Vec<(Arc<Kept>, Vec<TargetId>)> = Vec::new();
    let mut seen = BTreeSet::new();
    for target in archive.covered() {
        if let Some(kept) = archive.covering(target)
            && seen.insert(Arc::as_ptr(kept) as usize)
        {
            let covered = kept.closeness.iter().filter(|(_, closeness)| *closeness >= 1.0).map(|(id, _)| *id).collect();
            candidates.push((Arc::clone(kept), covered));
        }
    }
    let mut open: BTreeSet<TargetId> = archive.covered().collect();
    let mut selected = Vec::new();
    while !open.is_empty() {
        // Stale counts are upper bounds, so targets that went are dropped from every list only here.
        for (_, targets) in &mut candidates {
            targets.retain(|target| open.contains(target));
        }
        let best = candidates
            .iter()
            .enumerate()
            .max_by_key(|(idx, (kept, targets))| (targets.len(), usize::MAX - kept.individual.actions.len(), usize::MAX - idx))
            .map(|(idx, _)| idx);
        let Some(best) = best else { break };
        let (kept, targets) = candidates.swap_remove(best);
        if targets.is_empty() {
            break;
        }
        for target in &targets {
            open.remove(target);
        }
        selected.push((kept, targets));
    }
    selected
}

/// The selected tests with the answers of the search, nothing executed again.
fn as_kept(problem: &Problem, selected: &[(Arc<Kept>, Vec<TargetId>)]) -> Solution {
    let tests = selected.iter().map(|(kept, targets)| {
        let mut results = kept.results.clone();
        results.iter_mut().for_each(ActionResult::restore);
        SolvedTest {
            individual: kept.individual.clone(),
            results,
            repeats: Vec::new(),
            targets: targets.clone(),
            findings: kept.findings.clone(),
        }
    });
    let solution = Solution { tests: tests.filter(|test| !test.results.is_empty()).collect(), ..Solution::default() };
    sorted(problem, solution)
}

/// Executes all tests three times and keeps those whose statuses do not differ.
fn verify(
    state: &mut SearchState,
    evaluator: &mut dyn Evaluator,
    tests: Vec<(Individual, Vec<TargetId>)>,
) -> Result<Solution, Halt> {
    let mut executions: Vec<Vec<Evaluation>> = tests.iter().map(|_| Vec::with_capacity(PASSES)).collect();
    for pass in 0..PASSES {
        let forward: Vec<usize> = (0..tests.len()).collect();
        let order: Vec<usize> = if pass + 1 == PASSES { forward.into_iter().rev().collect() } else { forward };
        for idx in order {
            executions[idx].push(evaluator.evaluate(tests[idx].0.clone(), &mut state.targets)?);
        }
    }
    let shown = executions.iter().flatten().flat_map(|run| run.findings.iter().copied()).collect();
    let mut solution = Solution { executions: PASSES, shown, ..Solution::default() };
    for ((individual, targets), mut runs) in tests.into_iter().zip(executions) {
        let statuses = |run: &Evaluation| run.results.iter().map(ActionResult::status).collect::<Vec<_>>();
        let first = statuses(&runs[0]);
        if runs.iter().any(|run| statuses(run) != first) {
            solution.unstable += 1;
            continue;
        }
        let Some(last) = runs.pop() else { continue };
        // A finding belongs to the test only when every execution shows it.
        let findings =
            last.findings.iter().copied().filter(|finding| runs.iter().all(|run| run.findings.contains(finding))).collect();
        let repeats = runs.into_iter().map(|run| run.results).collect();
        solution.tests.push(SolvedTest { individual, results: last.results, repeats, targets, findings });
    }
    Ok(solution)
}

/// By first operation, then length, then what is sent.
fn sorted(problem: &Problem, mut solution: Solution) -> Solution {
    solution.tests.sort_by_cached_key(|test| {
        let last = test.individual.actions.last().map(|action| problem.api.operation(action.operation_idx).url_path.clone());
        let sent: Vec<(u8, String, Option<Vec<u8>>)> = test
            .results
            .iter()
            .map(|result| (result.request.verb as u8, result.request.url.clone(), result.request.body.clone()))
            .collect();
        (last, test.results.len(), sent)
    });
    solution
}
