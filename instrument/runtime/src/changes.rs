//! Which cells grew since they were last sent.

use std::ops::Range;

use restive_driver_protocol::{COVERED, Change, UNREACHED};

/// Cells compared as one piece; most pieces did not change, and equality of a piece is fast.
const PIECE: usize = 64;

/// What was sent of each cell in the current test, and the buffer to read the next state into.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    sent: Vec<i32>,
    read: Vec<i32>,
}

impl Changes {
    /// The buffer for the cells of `count` targets, to be filled before [`Self::collect`].
    pub fn buffer(&mut self, count: usize) -> &mut [i32] {
        self.sent.resize(count.max(self.sent.len()), UNREACHED);
        self.read.resize(count, UNREACHED);
        &mut self.read
    }

    /// Puts the cells that grew into `changed`, by ascending id, and takes them as sent.
    pub fn collect(&mut self, changed: &mut Vec<Change>) {
        changed.clear();
        let pieces = self.read.chunks(PIECE).zip(self.sent.chunks_mut(PIECE));
        for (piece, (read, sent)) in pieces.enumerate() {
            let sent = &mut sent[..read.len()];
            if read == &*sent {
                continue;
            }
            for (idx, (&cell, sent)) in read.iter().zip(sent).enumerate() {
                if cell > *sent {
                    *sent = cell;
                    let id = u32::try_from(piece * PIECE + idx).expect("ids have 32 bits");
                    changed.push(Change { id, cell });
                }
            }
        }
    }

    /// Takes nothing as sent.
    pub fn forget_all(&mut self) {
        self.sent.fill(UNREACHED);
    }

    /// Takes these targets as sent, and as not covered.
    pub fn uncover(&mut self, ids: &[u32]) {
        for id in ids {
            self.sent[*id as usize] = COVERED - 1;
        }
    }

    /// Takes only covered targets as sent, and gives the ids of the others whose cell is not empty, as ranges.
    pub fn forget_uncovered(&mut self) -> Vec<Range<u32>> {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for (id, sent) in (0..).zip(&mut self.sent) {
            if *sent == UNREACHED || *sent == COVERED {
                continue;
            }
            *sent = UNREACHED;
            match ranges.last_mut() {
                Some(last) if last.end == id => last.end += 1,
                _ => ranges.push(id..id + 1),
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(changes: &mut Changes, cells: &[i32]) -> Vec<(u32, i32)> {
        changes.buffer(cells.len()).copy_from_slice(cells);
        let mut grown = Vec::new();
        changes.collect(&mut grown);
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
}
