//! In which order each pass executes the tests, and on which service.

use crate::random::Random;

use super::Candidate;

/// Passes of a round.
pub(super) const ROUND: usize = 4;

/// In which order a pass executes the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Every other test first, each twice in a row.
    Doubled,
    /// First those that seem to change nothing, then the others; both from the last to the first.
    ReadersFirst,
    /// By chance.
    Shuffled,
    /// As the suites do.
    Written,
}

/// The passes of each round: two in other orders, then two in that of the suites. What joins later, in the place of what
/// fell, goes through all of them, too.
pub(super) fn order_of(pass: usize) -> Order {
    match pass % ROUND {
        0 => Order::Doubled,
        1 if pass < ROUND => Order::ReadersFirst,
        1 => Order::Shuffled,
        _ => Order::Written,
    }
}

/// Whether a pass wants the service fresh; the others begin with what the one before left behind.
pub(super) fn is_fresh(pass: usize) -> bool {
    matches!(pass % ROUND, 1 | 2)
}

/// Whether a pass is the last one of a round.
pub(super) fn ends_round(pass: usize) -> bool {
    pass % ROUND == ROUND - 1
}

/// The positions of the candidates in that order.
pub(super) fn positions(candidates: &[Candidate], order: Order, random: &mut Random) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..candidates.len()).collect();
    positions.sort_by_key(|idx| candidates[*idx].group());
    match order {
        Order::Written => {}
        Order::Shuffled => random.shuffle(&mut positions),
        Order::ReadersFirst => {
            positions.reverse();
            positions.sort_by_key(|idx| candidates[*idx].may_have_changed_service());
        }
        Order::Doubled => {
            let interleaved = positions.iter().skip(1).step_by(2).chain(positions.iter().step_by(2));
            positions = interleaved.flat_map(|idx| [*idx; 2]).collect();
        }
    }
    positions
}
