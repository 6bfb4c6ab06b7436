//! What operations take of a budget of time: calls that take ten times as long as usual ones would use up most of it, and
//! leave little for operations in which as much may be found.
//!
//! With a budget of calls each call costs the same, whatever it takes, so that no clock decides anything.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::api::OperationIdx;

/// How many times as long as those of the median operation the calls of one take that is slow.
const SLOW: f64 = 10.0;

/// What the calls of an operation took, with those that got no answer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// How many they are.
    pub calls: u64,
    /// How long they took together.
    pub time: Duration,
}

impl Cost {
    /// Mean time of a call in seconds, 0 when there was none.
    pub fn mean(&self) -> f64 {
        self.time.as_secs_f64() / self.calls.max(1) as f64
    }

    fn add(&mut self, time: Duration) {
        self.calls += 1;
        self.time += time;
    }
}

/// What the operations cost so far.
#[derive(Debug, Clone)]
pub struct Costs {
    share: f64,
    /// All calls together.
    time: Duration,
    by_operation: BTreeMap<OperationIdx, Cost>,
    /// Mean time in seconds above which calls are slow.
    slow_from: f64,
    n_slow: usize,
    held_back: BTreeSet<OperationIdx>,
    /// Room to work in.
    means: Vec<f64>,
}

impl Costs {
    /// Nothing so far. All slow operations together may take `share` of the time, in [0, 1], and each its equal share; with
    /// 1 there is no bound.
    pub fn new(share: f64) -> Self {
        Self {
            share,
            time: Duration::ZERO,
            by_operation: BTreeMap::new(),
            slow_from: f64::INFINITY,
            n_slow: 0,
            held_back: BTreeSet::new(),
            means: Vec::new(),
        }
    }

    /// Takes in calls, each with the time that it took.
    pub fn note(&mut self, calls: impl IntoIterator<Item = (OperationIdx, Duration)>) {
        for (operation_idx, time) in calls {
            self.time += time;
            self.by_operation.entry(operation_idx).or_default().add(time);
        }
        self.means.clear();
        self.means.extend(self.by_operation.values().map(Cost::mean));
        let middle = self.means.len().saturating_sub(1) / 2;
        if middle < self.means.len() {
            self.slow_from = SLOW * *self.means.select_nth_unstable_by(middle, f64::total_cmp).1;
        }
        self.n_slow = self.means.iter().filter(|mean| **mean > self.slow_from).count();
    }

    /// Whether an operation is slow and has had its share of the time.
    pub fn is_over(&self, operation_idx: OperationIdx) -> bool {
        let Some(cost) = self.by_operation.get(&operation_idx).filter(|cost| self.is_slow(cost)) else { return false };
        let equal = 1.0 / self.by_operation.len() as f64;
        let share = (self.share / self.n_slow as f64).max(equal);
        self.share < 1.0 && cost.time.as_secs_f64() > share * self.time.as_secs_f64()
    }

    fn is_slow(&self, cost: &Cost) -> bool {
        cost.mean() > self.slow_from
    }

    /// Notes that a call of an operation was left out.
    pub fn note_held_back(&mut self, operation_idx: OperationIdx) {
        self.held_back.insert(operation_idx);
    }

    /// The operations that are slow and were held back, each with what it cost.
    pub fn held_back(&self) -> impl Iterator<Item = (OperationIdx, Cost)> {
        let costs = self.held_back.iter().filter_map(|idx| Some((*idx, *self.by_operation.get(idx)?)));
        costs.filter(|(_, cost)| self.is_slow(cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW_ONE: OperationIdx = OperationIdx(0);
    const QUICK_ONE: OperationIdx = OperationIdx(7);
    const MILLISECOND: Duration = Duration::from_millis(1);

    /// Costs of eight operations that were called `n_calls` times each: those before `n_slow` took 100 ms, the others 1 ms.
    fn costs(n_slow: u32, n_calls: usize) -> Costs {
        let mut costs = Costs::new(0.25);
        let round = (0..8).map(|idx| (OperationIdx(idx), if idx < n_slow { 100 * MILLISECOND } else { MILLISECOND }));
        for _ in 0..n_calls {
            costs.note(round.clone());
        }
        costs
    }

    /// The calls of a quick operation that have to be made until `operation_idx` may be called again.
    fn quick_calls_until_ready(costs: &mut Costs, operation_idx: OperationIdx) -> usize {
        let waits = |costs: &mut Costs| costs.is_over(operation_idx).then(|| costs.note([(QUICK_ONE, MILLISECOND)]));
        std::iter::from_fn(|| waits(costs)).count()
    }

    #[test]
    fn a_slow_operation_gets_its_share_of_the_time() {
        let mut costs = costs(1, 1);
        assert!(!costs.is_over(QUICK_ONE));
        // 100 ms are a fourth of 400 ms, of which 107 have passed.
        assert_eq!(quick_calls_until_ready(&mut costs, SLOW_ONE), 293);
        costs.note([(SLOW_ONE, 100 * MILLISECOND)]);
        assert_eq!(quick_calls_until_ready(&mut costs, SLOW_ONE), 300);
    }

    #[test]
    fn several_slow_ones_share_it_and_none_gets_less_than_all_would_equally() {
        // An eighth each, of which 206 ms have passed.
        let mut two = costs(2, 1);
        assert_eq!(quick_calls_until_ready(&mut two, SLOW_ONE), 594);
        // As much each, though a fourth is meant for all of them: of 404 ms.
        let mut four = costs(4, 1);
        assert_eq!(quick_calls_until_ready(&mut four, SLOW_ONE), 396);
    }

    #[test]
    fn operations_of_one_kind_are_never_over() {
        for n_slow in [0, 5, 8] {
            let costs = costs(n_slow, 20);
            assert!((0..8).all(|idx| !costs.is_over(OperationIdx(idx))));
        }
        let mut unbound = Costs::new(1.0);
        unbound.note((0..8).map(|idx| (OperationIdx(idx), MILLISECOND * if idx < 2 { 1000 } else { 1 })));
        assert!(!unbound.is_over(SLOW_ONE));
        let mut alone = Costs::new(0.25);
        alone.note([(SLOW_ONE, Duration::from_secs(1))]);
        assert!(!alone.is_over(SLOW_ONE));
        assert!(!alone.is_over(QUICK_ONE), "nothing is known of it");
    }

    #[test]
    fn only_what_was_not_called_and_is_slow_was_held_back() {
        let mut costs = costs(2, 1);
        costs.note_held_back(SLOW_ONE);
        costs.note_held_back(QUICK_ONE);
        let held_back: Vec<_> = costs.held_back().collect();
        assert_eq!(held_back, [(SLOW_ONE, Cost { calls: 1, time: 100 * MILLISECOND })]);
    }
}
