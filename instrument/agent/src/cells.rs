//! How probes are read and emptied: two arrays and a few fields of the runtime class.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use restive_driver_protocol::{Raised, Routes};
use restive_rewrite::TargetKind;
use restive_runtime::{Cells, CellsError, Seen};

use crate::classes::Classes;
use crate::jvm::{Field, Heap, SLOTS};
use crate::merged::{Fresh, Merged};
use crate::{raised, told};

/// How long the service is watched for threads that work for no action. Longer than what the runtime class takes for tidying
/// up after an answer (30 ms) and a second look (20 ms later).
const WATCHED: Duration = Duration::from_millis(150);

/// Actions in a row for which only background threads did anything, after which the service is watched once more: one of them
/// may serve requests, and was still at work when it was watched.
const DOUBTS: u32 = 2;
/// How often it is watched in a session because of that, at most.
const LOOKS: u32 = 4;
/// How long after a look that found someone comes the next one: a thread may still be at work on its start, or on an answer
/// that nobody waits for.
const PAUSE: Duration = Duration::from_millis(300);
/// Looks at the start of a session, at most.
const FIRST_LOOKS: u32 = 6;

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
    /// Whether only background threads did anything for the last action.
    is_noise_only: bool,
    doubts: u32,
    looks: u32,
    /// How many constraints of bean validation have been given their targets.
    constraints: i32,
    /// How many values are tracked.
    n_tracked: usize,
}

impl JvmCells {
    /// Cells in `heap`.
    pub fn new(heap: Heap, classes: Arc<Classes>) -> Self {
        Self {
            heap,
            classes,
            kinds: Vec::new(),
            merged: Merged::default(),
            killing: false,
            is_disturbed: false,
            is_noise_only: false,
            doubts: 0,
            looks: 0,
            constraints: 0,
            n_tracked: 0,
        }
    }

    /// Ids whose marks would keep probes from writing the cells of `ids` again.
    ///
    /// A switch that came to a case before skips the distances to its other cases, a call's mark speaks for both its targets,
    /// and so does that of a jump. The marks of covered targets may be emptied as well: nobody asks for these twice.
    fn marked(&self, ids: Range<usize>) -> Range<usize> {
        let is = |id: usize, kind: TargetKind| self.kinds.get(id).copied().flatten() == Some(kind);
        let (mut start, mut end) = (ids.start, ids.end);
        while start > 0 && is(start, TargetKind::Switch) && is(start - 1, TargetKind::Switch) {
            start -= 1;
        }
        // The mark of a jump is that of its first side.
        let is_second = is(start, TargetKind::Branch) && start > 0 && is(start - 1, TargetKind::Branch);
        if start > 0 && (is(start, TargetKind::Throws) || is_second) {
            start -= 1;
        }
        while end > 0 && is(end - 1, TargetKind::Switch) && is(end, TargetKind::Switch) {
            end += 1;
        }
        start..end
    }

    /// Gives targets to constraints that were seen for the first time.
    fn learn_constraints(&mut self) -> Result<(), CellsError> {
        let known = self.constraints;
        self.constraints = self.heap.read(Field::Constraints)?;
        for idx in known..self.constraints {
            if let Some(id) = self.classes.constraint(&self.heap.constraint(idx)?) {
                self.heap.name_constraint(idx, id)?;
            }
        }
        Ok(())
    }

    /// Finds out which threads work while no action runs, and gives their number; an action may begin then.
    fn watch(&mut self) -> Result<i32, CellsError> {
        self.doubts = 0;
        self.heap.idle()?;
        std::thread::sleep(WATCHED);
        let classes = &self.classes;
        self.heap.note_sleepers(|class| classes.is_own(class))?;
        self.heap.begin()?;
        let found = self.heap.read(Field::Backgrounds)?;
        self.is_disturbed = found > 0;
        Ok(found)
    }

    /// The line that a thread which works for the action executed last, as far as such threads are told from others.
    fn last_own(&self) -> Result<Option<u32>, CellsError> {
        if self.is_disturbed { self.heap.read(Field::LastOwn).map(line) } else { Ok(None) }
    }

    /// What was thrown; `without_noise` leaves out what background threads threw.
    fn raised(&mut self, without_noise: bool) -> Result<Vec<Raised>, CellsError> {
        let attempts = self.heap.read(Field::Exits)?;
        let status = self.heap.read(Field::ExitCode)?;
        let mut raised = Vec::new();
        for thrown in self.heap.thrown(without_noise)? {
            if thrown.is_periodic() {
                // However long it was at rest when threads were watched.
                self.heap.note_background(thrown.slot)?;
                self.is_disturbed = true;
            } else {
                raised.push(raised::describe(thrown, status, attempts, &self.classes));
            }
        }
        Ok(raised)
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
        let mut found = self.watch()?;
        for _ in 1..FIRST_LOOKS {
            if found == 0 {
                break;
            }
            std::thread::sleep(PAUSE);
            let before = std::mem::replace(&mut found, self.watch()?);
            if found >= before {
                break;
            }
        }
        self.looks = 0;
        Ok(())
    }

    fn survey(&mut self) -> Result<(), CellsError> {
        self.heap.loaded_classes(|name, booted| self.classes.found(name, booted))
    }

    fn routes(&mut self) -> Result<Routes, CellsError> {
        let mut routes = self.heap.routes(|class| self.classes.is_own(class))?;
        // What frameworks register for themselves is not of the service: pages of errors, documents, measurements.
        routes.routes.retain(|route| match route.handler.rsplit_once('.') {
            _ if route.handler.is_empty() => true,
            Some((class, _)) => self.classes.is_own(class) || self.classes.is_own(&route.handler),
            None => self.classes.is_own(&route.handler),
        });
        Ok(routes)
    }

    fn track(&mut self, values: &[String]) -> Result<(), CellsError> {
        let before = std::mem::replace(&mut self.n_tracked, values.len());
        if before + self.n_tracked > 0 { self.heap.track(values) } else { Ok(()) }
    }

    fn start_action(&mut self) -> Result<(), CellsError> {
        if self.classes.tells_inputs() {
            self.heap.watch_inputs()?;
        }
        self.learn_constraints()?;
        if self.doubts >= DOUBTS && self.looks < LOOKS && !self.killing {
            self.looks += 1;
            return self.watch().map(drop);
        }
        if std::mem::take(&mut self.killing) || self.is_disturbed || self.heap.read(Field::Thrown)? > 0 {
            return self.heap.begin();
        }
        self.heap.write(Field::Last, -1)
    }

    fn end_action(&mut self) -> Result<Seen, CellsError> {
        let own = self.last_own()?;
        // Where no other thread is known to have run, those that count as background did the work.
        let last_statement = if own.is_some() { own } else { self.heap.read(Field::Last).map(line)? };
        self.is_noise_only = self.is_disturbed && own.is_none() && last_statement.is_some();
        // Work that was stopped did not come to the end of a method, by which threads are told.
        self.doubts = if self.is_noise_only && !self.killing { self.doubts + 1 } else { 0 };
        let thrown = usize::try_from(self.heap.read(Field::Thrown)?).unwrap_or(0);
        let mut raised = Vec::new();
        if thrown > 0 || self.killing {
            raised = self.raised(own.is_some())?;
            self.heap.forget_thrown()?;
        }
        let (hints, n_untold) = if self.n_tracked > 0 { self.heap.take_hints()? } else { (Vec::new(), 0) };
        let (read, n_unread) = self.heap.take_inputs()?;
        let expansions = told::expansions(&read, |name| self.heap.input_schema(name))?;
        let n_thrown_more = u32::try_from(thrown.saturating_sub(SLOTS)).unwrap_or(u32::MAX);
        let dropped = n_thrown_more.saturating_add(n_untold).saturating_add(n_unread);
        Ok(Seen { last_statement, raised, hints, expansions, dropped })
    }

    fn kill(&mut self) -> Result<(), CellsError> {
        self.killing = true;
        let classes = &self.classes;
        self.heap.kill(|class| classes.is_own(class))
    }

    fn read_noise(&mut self, noise: &mut Vec<u8>, count: usize) -> Result<(), CellsError> {
        noise.clear();
        if self.is_disturbed && !self.is_noise_only {
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
