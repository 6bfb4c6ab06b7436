//! A test case under evolution, and what its evaluation gave.

use std::time::Duration;

use crate::action::{Action, ActionResult};

use super::TargetId;

/// Ordered calls with their genes.
#[derive(Debug, Clone, Default)]
pub struct Individual {
    /// The calls, first to last.
    pub actions: Vec<Action>,
}

/// An individual with its outcomes and its closeness to targets.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// What was evaluated.
    pub individual: Individual,
    /// One result per action that was sent, in order; shorter than the actions when the run broke off.
    pub results: Vec<ActionResult>,
    /// Closeness in (0, 1] per reached target, ordered by id, 1 = covered; unreached targets are left out.
    pub closeness: Vec<(TargetId, f64)>,
    /// Time spent.
    pub elapsed: Duration,
}
