//! In which order each pass executes the tests, and on which service.

use crate::random::Random;

use super::Candidate;
#[cfg(doc)]
use super::changes::Changes;

/// Rounds at most.
pub(super) const MAX_ROUNDS: usize = 5;

/// Passes of every round, and none but these where no test fell for the state of the service: two in other orders, then two
/// in that of the suites. What joins later, in the place of what fell, goes through all of them, too.
const SHORT_ROUND: [Pass; 4] =
    [Pass::used(Order::Doubled), Pass::fresh(Order::Shuffled), Pass::fresh(Order::Written), Pass::used(Order::Written)];
/// The same at first, where nothing is known of the tests.
const FIRST_ROUND: [Pass; 4] = [SHORT_ROUND[0], Pass::fresh(Order::ReadersFirst), SHORT_ROUND[2], SHORT_ROUND[3]];
/// The same where tests fell for the state of the service: of their kind are some that few orders show.
const LONG_ROUND: [Pass; 7] = [
    SHORT_ROUND[0],
    SHORT_ROUND[1],
    Pass::used(Order::Shuffled),
    Pass::used(Order::MakersFirst),
    Pass::fresh(Order::FewestChangesFirst),
    SHORT_ROUND[2],
    SHORT_ROUND[3],
];

/// Passes that are made last, where time was over before all tests agreed.
pub(super) const LAST_ROUND: [Pass; 4] = [
    Pass::fresh(Order::Shuffled),
    Pass::used(Order::MakersFirst),
    Pass::fresh(Order::FewestChangesFirst),
    Pass::used(Order::Written),
];

/// Executes all tests once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pass {
    pub order: Order,
    /// Whether it wants the service fresh; the others begin with what the one before left behind.
    pub is_fresh: bool,
}

impl Pass {
    const fn fresh(order: Order) -> Self {
        Self { order, is_fresh: true }
    }

    const fn used(order: Order) -> Self {
        Self { order, is_fresh: false }
    }
}

/// In which order a pass executes the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Every other test first, each twice in a row.
    Doubled,
    /// By chance, those that make something and clear nothing away before those that change nothing, and those that clear away
    /// last: what others leave behind is more and more, as it seldom is by chance.
    MakersFirst,
    /// First those that seem to change nothing, then the others, those with fewer and less sure [`Changes`] before those with
    /// more; from the last to the first.
    ReadersFirst,
    /// By chance, those with fewer and less sure [`Changes`] before the others: what needs something to be there that nearly
    /// every other test makes has little chance to come first.
    FewestChangesFirst,
    /// By chance.
    Shuffled,
    /// As the suites do.
    Written,
}

/// The passes of the round with that number, counted from 0.
pub(super) fn round(number: usize, depends_on_state: bool) -> &'static [Pass] {
    match number {
        0 => &FIRST_ROUND,
        _ if depends_on_state => &LONG_ROUND,
        _ => &SHORT_ROUND,
    }
}

/// The positions of the candidates in that order.
pub(super) fn positions(candidates: &[Candidate], order: Order, random: &mut Random) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..candidates.len()).collect();
    positions.sort_by_key(|idx| candidates[*idx].group());
    match order {
        Order::Written => {}
        Order::Shuffled => random.shuffle(&mut positions),
        Order::MakersFirst => {
            random.shuffle(&mut positions);
            positions.sort_by_key(|idx| candidates[*idx].changes().filling());
        }
        Order::FewestChangesFirst => {
            random.shuffle(&mut positions);
            positions.sort_by_key(|idx| candidates[*idx].changes());
        }
        Order::ReadersFirst => {
            positions.reverse();
            positions.sort_by_key(|idx| (candidates[*idx].may_have_changed_service(), candidates[*idx].changes()));
        }
        Order::Doubled => {
            let interleaved = positions.iter().skip(1).step_by(2).chain(positions.iter().step_by(2));
            positions = interleaved.flat_map(|idx| [*idx; 2]).collect();
        }
    }
    positions
}
