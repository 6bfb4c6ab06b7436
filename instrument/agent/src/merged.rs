//! Cells and marks of all targets as one array, kept up to date at the price of comparing.

use restive_rewrite::cell::{MARK_CALLED, merge};

/// Targets compared as one piece. Between two calls most pieces stay as they were.
const PIECE: usize = 64;

/// The arrays of the runtime class as they were last time, and what they say together.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    cells: Vec<i32>,
    marks: Vec<i16>,
    both: Vec<i32>,
    fresh: Fresh,
}

/// The arrays of the runtime class as they are now.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    /// `CELLS`.
    pub cells: Vec<i32>,
    /// `MARKS`.
    pub marks: Vec<i16>,
}

impl Merged {
    /// The buffers for the first `count` targets, to be filled before [`Self::update`].
    pub fn buffers(&mut self, count: usize) -> &mut Fresh {
        // The last mark may speak for a target that was not among the first ones until now.
        if let Some(last) = self.marks.last_mut().filter(|_| self.cells.len() < count) {
            *last = i16::MAX;
        }
        for cells in [&mut self.cells, &mut self.both, &mut self.fresh.cells] {
            cells.resize(count, 0);
        }
        for marks in [&mut self.marks, &mut self.fresh.marks] {
            marks.resize(count, 0);
        }
        &mut self.fresh
    }

    /// The calls that had not returned when the buffers were filled, where something changed.
    pub fn open_calls(&self) -> impl Iterator<Item = usize> + '_ {
        let pieces = self.fresh.marks.chunks(PIECE).zip(self.marks.chunks(PIECE)).enumerate();
        let changed = pieces.filter(|(_, (fresh, before))| fresh != before);
        changed.flat_map(|(piece, (fresh, _))| {
            let open = fresh.iter().enumerate().filter(|(_, mark)| **mark == MARK_CALLED);
            open.map(move |(idx, _)| piece * PIECE + idx)
        })
    }

    /// Takes the filled buffers in; gives what they say together.
    pub fn update(&mut self) -> &[i32] {
        let Fresh { cells, marks } = &self.fresh;
        for start in (0..cells.len()).step_by(PIECE) {
            let end = (start + PIECE).min(cells.len());
            // The mark of a call speaks for the target behind it as well.
            let before = start.saturating_sub(1);
            if cells[start..end] == self.cells[start..end] && marks[before..end] == self.marks[before..end] {
                continue;
            }
            let mut piece = [0; PIECE + 1];
            let piece = &mut piece[..end - before];
            piece.copy_from_slice(&cells[before..end]);
            merge(&marks[before..end], piece);
            self.both[start..end].copy_from_slice(&piece[start - before..]);
        }
        std::mem::swap(&mut self.cells, &mut self.fresh.cells);
        std::mem::swap(&mut self.marks, &mut self.fresh.marks);
        &self.both
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mark_speaks_for_a_target_that_comes_later() {
        let mut merged = Merged::default();
        for count in [1, 2, 1, 2] {
            merged.buffers(count).marks[0] = 2;
            let mut whole = vec![0; count];
            merge(&[2], &mut whole);
            assert_eq!(merged.update(), whole);
        }
    }

    #[test]
    fn calls_that_have_not_returned_are_open_while_something_changes() {
        let mut merged = Merged::default();
        let mut open = |marks: &[(usize, i16)]| {
            let fresh = merged.buffers(3 * PIECE);
            fresh.marks.fill(0);
            for (idx, mark) in marks {
                fresh.marks[*idx] = *mark;
            }
            let open: Vec<usize> = merged.open_calls().collect();
            merged.update();
            open
        };
        assert_eq!(open(&[(1, 2), (PIECE + 1, 2), (PIECE + 2, 3)]), [1, PIECE + 1]);
        assert_eq!(open(&[(1, 2), (PIECE + 1, 2), (PIECE + 2, 2)]), [PIECE + 1, PIECE + 2], "the first piece is as it was");
        assert!(open(&[(1, 3), (PIECE + 1, 3), (PIECE + 2, 3)]).is_empty());
    }

    proptest! {
        #[test]
        fn pieces_say_what_the_whole_says(
            states in vec((vec(prop_oneof![Just(0), Just(7), any::<i32>()], 0..300), vec(0i16..4, 300)), 1..6),
        ) {
            let (mut merged, mut count) = (Merged::default(), 0);
            for (cells, marks) in states {
                // Targets are only ever added.
                count = cells.len().max(count);
                let fresh = merged.buffers(count);
                fresh.cells.fill(0);
                fresh.cells[..cells.len()].copy_from_slice(&cells);
                fresh.marks.copy_from_slice(&marks[..count]);
                let mut whole = fresh.cells.clone();
                merge(&fresh.marks, &mut whole);
                prop_assert_eq!(merged.update(), whole);
            }
        }
    }
}
