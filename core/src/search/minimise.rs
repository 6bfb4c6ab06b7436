//! After the search: few, short, repeatable tests (`search.md` 7).
//!
//! [`solve`] gives every fault a short test of its own, adds a small set of tests for everything else that was covered,
//! makes them plain, and executes the finished set in several orders, so that tests that only pass after certain others
//! show, before it is written.

use std::time::Duration;

use crate::action::{ActionResult, Request};

use super::evaluator::{Evaluator, Halt};
use super::{FreshText, Individual, Problem, SearchState, Solution, SolvedTest};

mod draft;
mod select;
mod simplify;
mod verify;

use draft::Draft;
use simplify::Simplifier;
use verify::verify;

/// Executions with a call that got no answer in time, where the search got one: a service may end up keeping callers
/// waiting, and each of them costs as long as a thousand others. After so many nothing is made plainer any more, and
/// tests that may go the same way are given up.
const MAX_LATE: usize = 3;

/// The same for all executions that wait for making tests plainer, those of tests included that wait in vain anyway.
const MAX_WAITS: usize = 6;

/// Ends of the service after which nothing is tried or verified any more: each costs a start.
const MAX_DEATHS: usize = 6;

/// What making a solution may cost.
#[derive(Debug, Clone, Copy)]
pub struct SolveLimits {
    /// Calls for making tests plainer; leaving out what a fault does not need and executing the finished set come on
    /// top.
    pub calls: u64,
    /// Time after which tests are left as they are; none in a run with a call budget.
    pub simplify_until: Option<Duration>,
    /// Time after which the finished set is not executed any further; none in a run with a call budget.
    pub verify_until: Option<Duration>,
    /// The same where tests fell for what others left behind in the service; not before the other.
    pub settle_until: Option<Duration>,
    /// Time after which nothing is executed any more even in a run with a call budget, whose outcome then depends on the
    /// clock: the service has become much slower than it was during the search. Half of it is for making tests plainer;
    /// a few starts of the service come on top. None for no such time.
    pub patience: Option<Duration>,
}

impl SolveLimits {
    /// Limits of a run with a call budget: `calls` for making tests plainer, and no clock.
    pub fn of_calls(calls: u64) -> Self {
        Self { calls, simplify_until: None, verify_until: None, settle_until: None, patience: None }
    }

    /// Limits of a run with a time budget: from `start`, both together may take `time`, the larger part for verifying, and
    /// as much again where tests get in each other's way.
    pub fn of_time(start: Duration, time: Duration) -> Self {
        Self {
            calls: u64::MAX,
            simplify_until: Some(start + time / 4),
            verify_until: Some(start + time),
            settle_until: Some(start + time * 2),
            patience: None,
        }
    }

    /// The limits for verifying that begins at `now`: what making tests plainer took too long comes on top, for a call that
    /// keeps callers waiting must not cost all tests.
    fn begun_at(mut self, now: Duration) -> Self {
        let late = self.simplify_until.map_or(Duration::ZERO, |until| now.saturating_sub(until));
        for until in [&mut self.verify_until, &mut self.settle_until].into_iter().flatten() {
            *until += late;
        }
        self
    }
}

/// The solution of a finished search; a `halt` of the search leaves out everything that needs further calls.
pub fn solve(
    problem: &Problem,
    state: &mut SearchState,
    evaluator: &mut dyn Evaluator,
    limits: SolveLimits,
    halt: Option<Halt>,
) -> Solution {
    let (drafts, n_deadly) = Simplifier::new(problem, state, evaluator, limits).drafts(halt);
    let drafts = sorted(problem, merged(drafts, state));
    let limits = limits.begun_at(evaluator.elapsed());
    let verified = match halt {
        Some(halt) => Err(halt),
        None => verify(problem, state, evaluator, drafts.clone(), limits),
    };
    let mut solution = verified.unwrap_or_else(|_| as_drafted(drafts));
    solution.deadly += n_deadly;
    solution
}

/// The tests with the answers they were drafted by, nothing executed again.
fn as_drafted(drafts: Vec<Draft>) -> Solution {
    let tests = drafts.into_iter().map(|mut draft| {
        draft.results.iter_mut().for_each(ActionResult::restore);
        let Draft { individual, targets, results, findings, .. } = draft;
        SolvedTest { individual, results, repeats: Vec::new(), targets, findings, fresh: Vec::new() }
    });
    Solution { tests: tests.filter(|test| !test.results.is_empty()).collect(), ..Solution::default() }
}

/// Tests that send the same, but for values that are others in each execution, and get the same statuses became one.
fn merged(drafts: Vec<Draft>, state: &SearchState) -> Vec<Draft> {
    let mut kept: Vec<Draft> = Vec::new();
    let mut exchanged: Vec<Vec<(Request, Option<u16>)>> = Vec::new();
    for draft in drafts {
        let fresh = state.taken.fresh_texts(&draft.individual.actions);
        let exchange = draft.results.iter().map(|result| (without_fresh(&result.request, &fresh), result.status())).collect();
        if let Some(idx) = exchanged.iter().position(|other| *other == exchange) {
            kept[idx].add_targets(draft.targets);
        } else {
            kept.push(draft);
            exchanged.push(exchange);
        }
    }
    kept
}

/// A request with a name in the place of each text that is another one in each execution.
fn without_fresh(request: &Request, fresh: &[FreshText]) -> Request {
    let mut request = request.clone();
    for (idx, FreshText { text, .. }) in fresh.iter().enumerate() {
        let name = format!("{{{idx}}}");
        request.url = request.url.replace(text, &name);
        request.headers.iter_mut().for_each(|(_, value)| *value = value.replace(text, &name));
        let body = request.body.as_deref().and_then(|body| str::from_utf8(body).ok()).map(|body| body.replace(text, &name));
        request.body = body.map(String::into_bytes).or(request.body);
    }
    request
}

/// By operation, then length, then what is sent.
fn sorted(problem: &Problem, mut drafts: Vec<Draft>) -> Vec<Draft> {
    let url_path = |individual: &Individual| {
        individual.actions.last().map(|action| problem.api.operation(action.operation_idx).url_path.clone())
    };
    drafts.sort_by_cached_key(|draft| {
        let sent = draft.results.iter().map(|result| &result.request);
        let sent: Vec<_> = sent.map(|request| (request.verb as u8, request.url.clone(), request.body.clone())).collect();
        (url_path(&draft.individual), sent.len(), sent)
    });
    drafts
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;
