//! After the search: few, short, repeatable tests (`search.md` 7).
//!
//! [`solve`] selects a small set of kept individuals that covers every covered target, makes each as plain as its
//! targets allow, and executes the whole set in several orders, so that tests that only pass after certain others show,
//! before it is written.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::action::ActionResult;

use super::archive::{Archive, Kept};
use super::evaluator::{Evaluator, Halt};
use super::{Individual, Problem, SearchState, Solution, SolvedTest, TargetId};

mod simplify;
mod verify;

use verify::verify;

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
    match verify(problem, state, evaluator, tests) {
        Ok(solution) => Solution { tried, ..solution },
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

/// What [`sorted`] sorts by: path of the last operation, number of calls, what is sent.
type SentKey = (Option<String>, usize, Vec<(u8, String, Option<Vec<u8>>)>);

fn sent_key(problem: &Problem, individual: &Individual, results: &[ActionResult]) -> SentKey {
    let last = individual.actions.last().map(|action| problem.api.operation(action.operation_idx).url_path.clone());
    let sent = results
        .iter()
        .map(|result| (result.request.verb as u8, result.request.url.clone(), result.request.body.clone()))
        .collect();
    (last, results.len(), sent)
}

/// By operation, then length, then what is sent.
fn sorted(problem: &Problem, mut solution: Solution) -> Solution {
    solution.tests.sort_by_cached_key(|test| sent_key(problem, &test.individual, &test.results));
    solution
}
