//! The outcome of a search: the smallest set of tests that keeps all covered targets.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::{ActionResult, Request};
use crate::api::OperationIdx;

use super::{FreshText, Individual, TargetId};

/// What kept a test from being repeatable: the first call whose answer was another one, with its status before and after;
/// none for one without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The operation called.
    pub operation_idx: OperationIdx,
    /// Its status at first.
    pub before: Option<u16>,
    /// Its status at another time; the same where only what the test is there for did not show again.
    pub after: Option<u16>,
}

/// The tests a run keeps.
#[derive(Debug, Clone, Default)]
pub struct Solution {
    /// In a stable order: by operation, then length, then rendering.
    pub tests: Vec<SolvedTest>,
    /// Tests that were left out because their statuses differed between executions, or they did not show any more what
    /// they were there for.
    pub unstable: usize,
    /// The same tests by what differed.
    pub changes: BTreeMap<Change, usize>,
    /// Tests that were left out because there was no time to execute them again.
    pub untried: usize,
    /// Tests that were left out because there was no time to see that they hold on a service that was started anew, and
    /// changed by none but kept tests, or to see which others get in their way.
    pub unproven: usize,
    /// Tests that were left out because the service ends when they are executed.
    pub deadly: usize,
    /// How often the whole set, less what was dropped by then, was executed again; 0 after a halt.
    pub executions: usize,
    /// Positions of findings whose tests were executed again, and of others that showed meanwhile.
    pub tried: BTreeSet<usize>,
    /// Positions of findings that showed in every execution of a test that is kept, or is left out only as unproven, or as
    /// in `alone`.
    pub shown: BTreeSet<usize>,
    /// Positions of findings that no such test shows, but which showed again on a service that was just started, each with the
    /// requests.
    pub alone: BTreeMap<usize, Vec<Request>>,
}

/// What a test shows. Suites execute their tests by group, in this order, and within a group in that of the solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestGroup {
    /// A finding, or status 500.
    Faults,
    /// Refusals and the rest.
    Other,
    /// All calls succeed.
    Successes,
}

impl TestGroup {
    /// The group of a test by the statuses of its calls up to the first without an answer.
    pub fn of(statuses: &[u16], shows_finding: bool) -> Self {
        if shows_finding || statuses.contains(&500) {
            Self::Faults
        } else if !statuses.is_empty() && statuses.iter().all(|status| *status < 400) {
            Self::Successes
        } else {
            Self::Other
        }
    }
}

/// One kept test.
#[derive(Debug, Clone)]
pub struct SolvedTest {
    /// Its genes.
    pub individual: Individual,
    /// What its calls gave when it was last executed.
    pub results: Vec<ActionResult>,
    /// What they gave in earlier executions of the same calls, for telling stable parts from volatile ones.
    pub repeats: Vec<Vec<ActionResult>>,
    /// Targets it is kept for, ordered by id.
    pub targets: Vec<TargetId>,
    /// Positions in the list of findings that it shows, ordered.
    pub findings: Vec<usize>,
    /// Texts that are others in each execution, for the service takes them once and is not reset.
    pub fresh: Vec<FreshText>,
}
