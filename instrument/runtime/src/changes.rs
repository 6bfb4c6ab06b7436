//! Which cells grew since they were last sent.

use std::ops::Range;

use restive_driver_protocol::{COVERED, Change, UNREACHED};

/// Cells looked at as one piece; most pieces have none that grew.
const PIECE: usize = 64;

/// What was sent of each cell in the current test.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    sent: Vec<i32>,
    /// Whether a piece has a target that was sent as reached and not as covered.
    open: Vec<bool>,
}

impl Changes {
    /// Puts those of `cells` that grew into `changed`, by ascending id, and takes them as sent.
    pub fn collect(&mut self, cells: &[i32], changed: &mut Vec<Change>) {
        changed.clear();
        self.sent.resize(cells.len().max(self.sent.len()), UNREACHED);
        self.open.resize(self.sent.len().div_ceil(PIECE), false);
        let pieces = cells.chunks(PIECE).zip(self.sent.chunks_mut(PIECE)).zip(&mut self.open);
        for (piece, ((cells, sent), open)) in pieces.enumerate() {
            let sent = &mut sent[..cells.len()];
            // Counted and not sought, so that they are compared by the dozen.
            let n_grown = cells.iter().zip(&*sent).filter(|(cell, sent)| cell > sent).count();
            if n_grown == 0 {
                continue;
            }
            for (idx, (&cell, sent)) in cells.iter().zip(sent).enumerate() {
                if cell > *sent {
                    *sent = cell;
                    *open |= cell != COVERED;
                    let id = u32::try_from(piece * PIECE + idx).expect("ids have 32 bits");
                    changed.push(Change { id, cell });
                }
            }
        }
    }

    /// Takes nothing as sent.
    pub fn forget_all(&mut self) {
        self.sent.fill(UNREACHED);
        self.open.fill(false);
    }

    /// Takes these targets as sent, and as not covered.
    pub fn uncover(&mut self, ids: &[u32]) {
        for id in ids {
            let id = *id as usize;
            self.sent[id] = COVERED - 1;
            self.open[id / PIECE] = true;
        }
    }

    /// Takes only covered targets as sent, and gives the ids of the others whose cell is not empty, as ranges.
    pub fn forget_uncovered(&mut self) -> Vec<Range<u32>> {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        let pieces = (0u32..).step_by(PIECE).zip(self.sent.chunks_mut(PIECE)).zip(&mut self.open);
        for ((first, sent), open) in pieces {
            if !std::mem::take(open) {
                continue;
            }
            for (id, sent) in (first..).zip(sent).filter(|(_, sent)| !matches!(**sent, UNREACHED | COVERED)) {
                *sent = UNREACHED;
                match ranges.last_mut() {
                    Some(last) if last.end == id => last.end += 1,
                    _ => ranges.push(id..id + 1),
                }
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn collected(changes: &mut Changes, cells: &[i32]) -> Vec<(u32, i32)> {
        let mut grown = Vec::new();
        changes.collect(cells, &mut grown);
        grown.iter().map(|change| (change.id, change.cell)).collect()
    }

    #[test]
    fn only_cells_that_grew_are_changes() {
        let mut changes = Changes::default();
        assert_eq!(collected(&mut changes, &[0, 5, COVERED]), [(1, 5), (2, COVERED)]);
        assert_eq!(collected(&mut changes, &[0, 4, COVERED]), []);
        assert_eq!(collected(&mut changes, &[1, 6, COVERED, 9]), [(0, 1), (1, 6), (3, 9)]);
    }

    #[test]
    fn changes_beyond_the_first_piece_keep_their_ids() {
        let mut cells = vec![0; 3 * PIECE + 5];
        cells[PIECE] = 1;
        cells[3 * PIECE + 4] = 2;
        assert_eq!(collected(&mut Changes::default(), &cells), [(64, 1), (196, 2)]);
    }

    #[test]
    fn covered_targets_stay_sent_and_the_rest_is_forgotten_in_ranges() {
        let mut changes = Changes::default();
        collected(&mut changes, &[1, 2, COVERED, 3, 0, 4]);
        assert_eq!(changes.forget_uncovered(), [0..2, 3..4, 5..6]);
        assert_eq!(collected(&mut changes, &[1, 0, COVERED, 3, 0, 0]), [(0, 1), (3, 3)]);
        changes.uncover(&[2]);
        assert_eq!(changes.forget_uncovered(), [0..1, 2..4]);
        assert_eq!(collected(&mut changes, &[0, 0, COVERED, 0, 0, 0]), [(2, COVERED)]);
        changes.forget_all();
        assert_eq!(collected(&mut changes, &[0, 0, COVERED]), [(2, COVERED)]);
    }

    /// What is done with the changes.
    #[derive(Debug, Clone)]
    enum Step {
        /// These cells grow by so much, and are collected.
        Grow(Vec<(usize, i32)>),
        Uncover(usize),
        ForgetUncovered,
        ForgetAll,
    }

    fn step() -> impl Strategy<Value = Step> {
        let growth = (0..N_CELLS, prop_oneof![Just(COVERED), 1..9i32]);
        prop_oneof![
            4 => vec(growth, 0..20).prop_map(Step::Grow),
            1 => (0..N_CELLS).prop_map(Step::Uncover),
            2 => Just(Step::ForgetUncovered),
            1 => Just(Step::ForgetAll),
        ]
    }

    const N_CELLS: usize = 2 * PIECE + 7;

    proptest! {
        #[test]
        fn pieces_are_told_and_forgotten_as_the_whole_would_be(steps in vec(step(), 1..20)) {
            let (mut changes, mut cells, mut sent) = (Changes::default(), [0; N_CELLS], [0; N_CELLS]);
            collected(&mut changes, &cells);
            for step in steps {
                match step {
                    Step::Grow(growths) => {
                        for (id, by) in growths {
                            cells[id] = i32::saturating_add(cells[id], by);
                        }
                        let grown = (0u32..).zip(cells).zip(sent).filter(|((_, cell), sent)| cell > sent).map(|(grown, _)| grown);
                        prop_assert_eq!(collected(&mut changes, &cells), grown.collect::<Vec<_>>());
                        sent = std::array::from_fn(|id| sent[id].max(cells[id]));
                    }
                    Step::Uncover(id) => {
                        changes.uncover(&[u32::try_from(id).expect("is small")]);
                        sent[id] = COVERED - 1;
                    }
                    Step::ForgetUncovered => {
                        let forgotten: Vec<usize> = changes.forget_uncovered().into_iter().flatten().map(|id| id as usize).collect();
                        let open: Vec<usize> = (0..N_CELLS).filter(|id| !matches!(sent[*id], UNREACHED | COVERED)).collect();
                        prop_assert_eq!(&forgotten, &open);
                        for id in forgotten {
                            (cells[id], sent[id]) = (0, 0);
                        }
                    }
                    Step::ForgetAll => {
                        changes.forget_all();
                        (cells, sent) = ([0; N_CELLS], [0; N_CELLS]);
                    }
                }
            }
        }
    }
}
