//! How probes are read and emptied: two arrays and a few fields of the runtime class.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use restive_driver_protocol::{Raised, Route, Routes};
use restive_rewrite::TargetKind;
use restive_rewrite::cell::{MARK_COVERED, MARK_RETURNED};
use restive_runtime::{Catalogue, Cells, CellsError, Seen};

use crate::classes::Classes;
use crate::jvm::{Field, Heap, SLOTS};
use crate::merged::{Fresh, Merged};
use crate::processor_time::ProcessorTime;
use crate::trace::Traces;
use crate::{others, raised, told};

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

/// How long calls that have not returned are waited for, in processor time: the answer was sent by one of them, and what stands
/// behind it still runs.
const RETURNING: Duration = Duration::from_millis(10);
/// The same where something was thrown, and none of them is at the line that was executed last: they rather threw.
const THROWING: Duration = Duration::from_millis(1);
/// How often a call is waited for in vain before it is taken for one that throws, or takes long.
const PATIENCE: u8 = 3;

/// The cells of a JVM, seen from the serving thread.
#[derive(Debug)]
pub(crate) struct JvmCells {
    heap: Heap,
    classes: Arc<Classes>,
    kinds: Vec<Option<TargetKind>>,
    merged: Merged,
    traces: Traces,
    /// How often calls were waited for in vain.
    unreturned: BTreeMap<usize, u8>,
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
    loaded: Loaded,
}

/// What is known of the classes that are loaded, shown to the agent or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loaded {
    /// Nobody has asked.
    Unknown,
    /// All were looked at, and the JVM tells of others.
    Told,
}

impl JvmCells {
    /// Cells in `heap`.
    pub fn new(heap: Heap, classes: Arc<Classes>) -> Self {
        Self {
            heap,
            classes,
            kinds: Vec::new(),
            merged: Merged::default(),
            traces: Traces::default(),
            unreturned: BTreeMap::new(),
            killing: false,
            is_disturbed: false,
            is_noise_only: false,
            doubts: 0,
            looks: 0,
            constraints: 0,
            n_tracked: 0,
            loaded: Loaded::Unknown,
        }
    }

    /// Ids whose marks would keep probes from writing the cells of `ids` again.
    ///
    /// A switch that came to a case before skips the distances to its other cases, a call's mark speaks for both its targets,
    /// and either side of a jump may keep quiet about the other one. The marks of covered targets may be emptied as well: nobody
    /// asks for these twice.
    fn marked(&self, ids: Range<usize>) -> Range<usize> {
        let is = |id: usize, kind: TargetKind| self.kinds.get(id).copied().flatten() == Some(kind);
        let (mut start, mut end) = (ids.start, ids.end);
        while start > 0 && is(start, TargetKind::Switch) && is(start - 1, TargetKind::Switch) {
            start -= 1;
        }
        // Whether a side is the first or the second of its jump its number does not tell.
        let is_second = is(start, TargetKind::Branch) && start > 0 && is(start - 1, TargetKind::Branch);
        if start > 0 && (is(start, TargetKind::Throws) || is_second) {
            start -= 1;
        }
        while end > 0 && is(end - 1, TargetKind::Switch) && is(end, TargetKind::Switch) {
            end += 1;
        }
        if end > 0 && is(end - 1, TargetKind::Branch) && is(end, TargetKind::Branch) {
            end += 1;
        }
        start..end
    }

    /// Waits until the calls have returned that still run when the answer is there.
    ///
    /// Those that throw, or take long, are waited for in vain [`PATIENCE`] times.
    fn await_returns(&mut self) -> Result<(), CellsError> {
        let count = Catalogue::targets(&*self.classes) as usize;
        self.heap.read_marks(&mut self.merged.buffers(count).marks)?;
        if self.awaited().next().is_none() {
            return Ok(());
        }
        let threw = self.heap.read(Field::Thrown)? > 0;
        let waited = ProcessorTime::begin();
        while waited.elapsed() < THROWING || (waited.elapsed() < RETURNING && (!threw || self.is_last_awaited()?)) {
            std::thread::yield_now();
            self.heap.read_marks(&mut self.merged.buffers(count).marks)?;
            if self.awaited().next().is_none() {
                return Ok(());
            }
        }
        for id in self.merged.open_calls() {
            let in_vain = self.unreturned.entry(id).or_default();
            *in_vain = in_vain.saturating_add(1).min(PATIENCE);
        }
        Ok(())
    }

    /// Calls that run and may return soon.
    fn awaited(&self) -> impl Iterator<Item = usize> + '_ {
        self.merged.open_calls().filter(|id| self.unreturned.get(id).is_none_or(|in_vain| *in_vain < PATIENCE))
    }

    /// Whether one of these is what was executed last, so that it rather runs than threw.
    fn is_last_awaited(&self) -> Result<bool, CellsError> {
        let Some(last) = line(self.heap.read(Field::Last)?) else { return Ok(false) };
        Ok(self.awaited().any(|id| u32::try_from(id).is_ok_and(|id| self.classes.are_together(id, last))))
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

    /// How many lines have been executed, and calls have returned.
    fn n_lines(&mut self) -> Result<usize, CellsError> {
        let count = Catalogue::targets(&*self.classes) as usize;
        let mut marks = vec![0; count];
        self.heap.read_marks(&mut marks)?;
        Ok(marks.into_iter().filter(|mark| *mark == MARK_COVERED || *mark == MARK_RETURNED).count())
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
        self.traces.make_room();
        for thrown in self.heap.thrown(without_noise, |number| self.traces.knows(number))? {
            let trace = self.traces.of(&thrown.stack, &self.classes);
            if trace.is_periodic && thrown.slot < SLOTS {
                // However long it was at rest when threads were watched.
                self.heap.note_background(thrown.slot)?;
                self.is_disturbed = true;
            } else {
                raised.push(raised::describe(thrown, trace, status, attempts));
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
    fn read(&mut self, count: usize) -> Result<&[i32], CellsError> {
        self.classes.append_kinds(&mut self.kinds, count);
        let Fresh { cells, marks } = self.merged.buffers(count);
        // Marks first: a case that is covered between the two reads is in its cell.
        self.heap.read_marks(marks)?;
        self.heap.read_cells(cells)?;
        Ok(self.merged.update())
    }

    fn forget(&mut self, ids: Range<u32>) -> Result<(), CellsError> {
        let ids = ids.start as usize..ids.end as usize;
        self.heap.clear_cells(ids.clone())?;
        self.heap.clear_marks(self.marked(ids))
    }

    fn settle(&mut self) -> Result<(), CellsError> {
        let (mut reached, mut found) = (self.n_lines()?, self.watch()?);
        for _ in 1..FIRST_LOOKS {
            // A port may be open before the service has done all that it does first, and what it does may come to no probe for
            // a while, or not be given a processor.
            let before = std::mem::replace(&mut reached, self.n_lines()?);
            let is_starting = reached > before || self.heap.is_first_at_work()?;
            if found == 0 && !is_starting {
                break;
            }
            std::thread::sleep(PAUSE);
            let before = std::mem::replace(&mut found, self.watch()?);
            if found >= before && !is_starting {
                break;
            }
        }
        self.looks = 0;
        Ok(())
    }

    fn survey(&mut self) -> Result<(), CellsError> {
        if self.loaded == Loaded::Told {
            return Ok(());
        }
        // First, so that none is loaded in between.
        self.heap.watch_loading()?;
        self.heap.loaded_classes(|name, loader| self.classes.found(name, loader))?;
        self.loaded = Loaded::Told;
        Ok(())
    }

    fn routes(&mut self) -> Result<Routes, CellsError> {
        let mut told = self.heap.routes(|class| self.classes.is_own(class))?;
        // What frameworks register for themselves is not of the service: pages of errors, documents, measurements.
        let is_own = |route: &mut Route| match route.handler.rsplit_once('.') {
            _ if route.handler.is_empty() => true,
            Some((class, _)) => self.classes.is_own(class) || self.classes.is_own(&route.handler),
            None => self.classes.is_own(&route.handler),
        };
        told.routes.routes.retain_mut(is_own);
        let mut routes = told.below_contexts();
        if routes.routes.is_empty() {
            // Those of resources, too, which are looked for among these classes alone.
            let all = self.heap.routes(|class| self.classes.may_serve(class))?.routes;
            routes.notes.extend(others::note(&all.routes));
            routes.others = others::packages(&all.routes);
        }
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
        // From now on the JVM is kept from being ended.
        self.heap.write(Field::AtWork, 1)?;
        if std::mem::take(&mut self.killing) || self.is_disturbed || self.heap.read(Field::Thrown)? > 0 {
            return self.heap.begin();
        }
        self.heap.write(Field::Last, -1)
    }

    fn end_action(&mut self) -> Result<Seen, CellsError> {
        if !self.killing {
            self.await_returns()?;
        }
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
