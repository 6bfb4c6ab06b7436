//! What is kept and shown while a search runs: the curve, and the progress line.

use std::sync::Arc;

use crate::driver::Counters;
use crate::report::CurvePoint;
use crate::search::{Schedule, SearchState};

/// Points of the curve, at most; when it is full every second one goes and the steps double.
const MAX_POINTS: usize = 400;

/// The progress of a search as points at growing distances.
#[derive(Debug, Clone)]
pub struct Curve {
    points: Vec<CurvePoint>,
    /// Calls between two points.
    step: u64,
    /// What drivers count, when there are any.
    counters: Option<Arc<Counters>>,
}

impl Curve {
    /// A curve without points.
    pub fn new(counters: Option<Arc<Counters>>) -> Self {
        Self { points: Vec::new(), step: 1, counters }
    }

    /// Adds a point when enough calls were made since the last one.
    pub fn note(&mut self, state: &SearchState) {
        if self.points.last().is_some_and(|last| state.calls < last.calls + self.step) {
            return;
        }
        self.points.push(self.point(state));
        if self.points.len() > MAX_POINTS {
            let mut keep = false;
            self.points.retain(|_| {
                keep = !keep;
                keep
            });
            self.step *= 2;
        }
    }

    /// All points, the last one at the very end.
    pub fn finish(mut self, state: &SearchState) -> Vec<CurvePoint> {
        if self.points.last().is_none_or(|last| last.calls < state.calls) {
            self.points.push(self.point(state));
        }
        self.points
    }

    fn point(&self, state: &SearchState) -> CurvePoint {
        CurvePoint {
            calls: state.calls,
            seconds: state.elapsed.as_secs_f64(),
            targets: state.archive.n_covered(),
            lines: self.counters.as_ref().map_or(0, |counters| counters.lines()),
            branches: self.counters.as_ref().map_or(0, |counters| counters.branches()),
            findings: state.n_findings,
        }
    }
}

/// Name of the phase the search is in.
pub fn phase(schedule: &Schedule, state: &SearchState) -> &'static str {
    if !state.first_calls.is_empty() {
        "first calls"
    } else if schedule.focused {
        "focused"
    } else {
        "exploring"
    }
}
