//! How probes are read and emptied: two arrays and a few fields of the runtime class.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use restive_driver_protocol::Raised;
use restive_rewrite::TargetKind;
use restive_runtime::{Cells, CellsError, Seen};

use crate::classes::Classes;
use crate::jvm::{Field, Heap, SLOTS};
use crate::merged::{Fresh, Merged};
use crate::raised;

/// How long the service is watched for threads that work for no action. Longer than what the runtime class takes for tidying
/// up after an answer (30 ms) and a second look (20 ms later).
const WATCHED: Duration = Duration::from_millis(150);

/// The cells of a JVM, seen from the serving thread.
#[derive(Debug)]
pub(crate) struct JvmCells {
    heap: Heap,
    classes: Arc<Classes>,
    kinds: Vec<Option<TargetKind>>,
    merged: Merged,
    killing: bool,
    /// Whether there are background threads.
    is_disturbed: bool,
}

impl JvmCells {
    /// Cells in `heap`.
    pub fn new(heap: Heap, classes: Arc<Classes>) -> Self {
        Self { heap, classes, kinds: Vec::new(), merged: Merged::default(), killing: false, is_disturbed: false }
    }

    /// Ids whose marks would keep probes from writing the cells of `ids` again.
    ///
    /// A switch that came to a case before skips the distances to its other cases, and a call's mark speaks for both its
    /// targets. The marks of covered targets may be emptied as well: nobody asks for these twice.
    fn marked(&self, ids: Range<usize>) -> Range<usize> {
        let is = |id: usize, kind: TargetKind| self.kinds.get(id).copied().flatten() == Some(kind);
        let (mut start, mut end) = (ids.start, ids.end);
        while start > 0 && is(start, TargetKind::Switch) && is(start - 1, TargetKind::Switch) {
            start -= 1;
        }
        if start > 0 && is(start, TargetKind::Throws) {
            start -= 1;
        }
        while end > 0 && is(end - 1, TargetKind::Switch) && is(end, TargetKind::Switch) {
            end += 1;
        }
        start..end
    }

    /// Where no other thread is known to run, the last statement of any is the one.
    fn last_statement(&self) -> Result<Option<u32>, CellsError> {
        let own = if self.is_disturbed { line(self.heap.read(Field::LastOwn)?) } else { None };
        if own.is_some() { Ok(own) } else { self.heap.read(Field::Last).map(line) }
    }

    /// What was thrown.
    fn raised(&self) -> Result<Vec<Raised>, CellsError> {
        let attempts = self.heap.read(Field::Exits)?;
        let status = self.heap.read(Field::ExitCode)?;
        let thrown = self.heap.thrown()?;
        Ok(thrown.into_iter().map(|thrown| raised::describe(thrown, status, attempts, &self.classes)).collect())
    }
}

/// The line target in a field of the runtime class, which has -1 for none.
pub(crate) fn line(id: i32) -> Option<u32> {
    u32::try_from(id).ok()
}

impl Cells for JvmCells {
    fn read(&mut self, cells: &mut [i32]) -> Result<(), CellsError> {
        self.classes.append_kinds(&mut self.kinds, cells.len());
        let Fresh { cells: fresh, marks } = self.merged.buffers(cells.len());
        // Marks first: a case that is covered between the two reads is in its cell.
        self.heap.read_marks(marks)?;
        self.heap.read_cells(fresh)?;
        cells.copy_from_slice(self.merged.update());
        Ok(())
    }

    fn forget(&mut self, ids: Range<u32>) -> Result<(), CellsError> {
        let ids = ids.start as usize..ids.end as usize;
        self.heap.clear_cells(ids.clone())?;
        self.heap.clear_marks(self.marked(ids))
    }

    fn settle(&mut self) -> Result<(), CellsError> {
        self.heap.idle()?;
        std::thread::sleep(WATCHED);
        self.heap.begin()?;
        self.is_disturbed = self.heap.read(Field::Backgrounds)? > 0;
        Ok(())
    }

    fn start_action(&mut self) -> Result<(), CellsError> {
        if std::mem::take(&mut self.killing) || self.is_disturbed || self.heap.read(Field::Thrown)? > 0 {
            return self.heap.begin();
        }
        self.heap.write(Field::Last, -1)
    }

    fn end_action(&mut self) -> Result<Seen, CellsError> {
        let last_statement = self.last_statement()?;
        let thrown = usize::try_from(self.heap.read(Field::Thrown)?).unwrap_or(0);
        let mut raised = Vec::new();
        if thrown > 0 || self.killing {
            raised = self.raised()?;
            self.heap.forget_thrown()?;
        }
        let dropped = u32::try_from(thrown.saturating_sub(SLOTS)).unwrap_or(u32::MAX);
        Ok(Seen { last_statement, raised, dropped })
    }

    fn kill(&mut self) -> Result<(), CellsError> {
        self.killing = true;
        let classes = &self.classes;
        self.heap.kill(|class| classes.is_own(class))
    }

    fn read_noise(&mut self, noise: &mut Vec<u8>, count: usize) -> Result<(), CellsError> {
        noise.clear();
        if self.is_disturbed {
            noise.resize(count, 0);
            self.heap.read_noise(noise)?;
            let round = u8::try_from(self.heap.read(Field::Round)?).unwrap_or(0);
            for mark in noise {
                *mark = u8::from(*mark == round);
            }
        }
        Ok(())
    }
}
