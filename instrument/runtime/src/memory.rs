//! Cells in plain memory, for tests and for services that are written in Rust.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use restive_driver_protocol::{Expansion, Hint, UNREACHED};

use crate::{Catalogue, Cells, CellsError, Seen};

/// Targets with their names and cells; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    targets: Arc<Targets>,
    /// The cells as they were read last.
    read: Vec<i32>,
}

#[derive(Debug, Default)]
struct Targets {
    names: Mutex<Vec<String>>,
    cells: Vec<AtomicI32>,
    /// Id of the last line plus 1, 0 for none.
    last: AtomicU32,
    killing: AtomicBool,
    tracking: Mutex<Tracking>,
    inputs: Mutex<Vec<Expansion>>,
}

/// Values in play and what was done with them.
#[derive(Debug, Default)]
struct Tracking {
    values: Vec<String>,
    hints: Vec<Hint>,
}

/// Hints, and inputs, of an action that are kept.
const HINTS: usize = 64;

impl Memory {
    /// No targets yet, and room for `capacity`.
    pub fn with_capacity(capacity: usize) -> Self {
        let cells = (0..capacity).map(|_| AtomicI32::new(UNREACHED)).collect();
        Self { targets: Arc::new(Targets { cells, ..Targets::default() }), read: Vec::new() }
    }

    /// Adds a target; gives its id.
    ///
    /// # Panics
    ///
    /// When there is no room.
    pub fn add(&self, name: &str) -> u32 {
        let mut names = self.targets.names.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(names.len() < self.targets.cells.len(), "room for {} targets", self.targets.cells.len());
        names.push(name.to_owned());
        u32::try_from(names.len() - 1).expect("ids have 32 bits")
    }

    /// What a probe does: makes the cell of `id` at least `cell`.
    pub fn raise(&self, id: u32, cell: i32) {
        self.targets.cells[id as usize].fetch_max(cell, Ordering::Relaxed);
    }

    /// What a line probe does: covers `id` and notes it as executed last.
    pub fn line(&self, id: u32) {
        self.raise(id, restive_driver_protocol::COVERED);
        self.targets.last.store(id + 1, Ordering::Relaxed);
    }

    /// What a hook does: tells what is done with `value`, where that is tracked.
    pub fn meet(&self, value: &str, usage: &str, operand: &str) {
        let mut tracking = self.targets.tracking.lock().unwrap_or_else(PoisonError::into_inner);
        if tracking.values.iter().any(|tracked| tracked == value) && tracking.hints.len() < HINTS {
            let [tracked, usage, operand] = [value, usage, operand].map(str::to_owned);
            tracking.hints.push(Hint { tracked, usage, operand });
        }
    }

    /// What a hook does: tells that an input is read.
    pub fn read_input(&self, place: &str, name: &str, schema: &str) {
        let mut inputs = self.targets.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        let [place, name, schema] = [place, name, schema].map(str::to_owned);
        let input = Expansion { place, name, schema };
        if !inputs.contains(&input) && inputs.len() < HINTS {
            inputs.push(input);
        }
    }

    /// Whether probes are to end the work they come to.
    pub fn is_killing(&self) -> bool {
        self.targets.killing.load(Ordering::Relaxed)
    }
}

impl Catalogue for Memory {
    fn targets(&self) -> u32 {
        u32::try_from(self.targets.names.lock().unwrap_or_else(PoisonError::into_inner).len()).expect("ids have 32 bits")
    }

    fn name(&self, id: u32) -> String {
        self.targets.names.lock().unwrap_or_else(PoisonError::into_inner)[id as usize].clone()
    }
}

impl Cells for Memory {
    fn read(&mut self, count: usize) -> Result<&[i32], CellsError> {
        self.read.clear();
        self.read.extend(self.targets.cells.iter().take(count).map(|cell| cell.load(Ordering::Relaxed)));
        Ok(&self.read)
    }

    fn forget(&mut self, ids: Range<u32>) -> Result<(), CellsError> {
        let cells = self.targets.cells.get(ids.start as usize..ids.end as usize);
        for cell in cells.ok_or_else(|| CellsError(format!("no targets {ids:?}")))? {
            cell.store(UNREACHED, Ordering::Relaxed);
        }
        Ok(())
    }

    fn track(&mut self, values: &[String]) -> Result<(), CellsError> {
        let mut tracking = self.targets.tracking.lock().unwrap_or_else(PoisonError::into_inner);
        *tracking = Tracking { values: values.to_vec(), hints: Vec::new() };
        Ok(())
    }

    fn start_action(&mut self) -> Result<(), CellsError> {
        self.targets.last.store(0, Ordering::Relaxed);
        self.targets.killing.store(false, Ordering::Relaxed);
        self.targets.inputs.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    fn end_action(&mut self) -> Result<Seen, CellsError> {
        let hints = std::mem::take(&mut *self.targets.tracking.lock().unwrap_or_else(PoisonError::into_inner)).hints;
        let expansions = std::mem::take(&mut *self.targets.inputs.lock().unwrap_or_else(PoisonError::into_inner));
        let last_statement = self.targets.last.load(Ordering::Relaxed).checked_sub(1);
        Ok(Seen { last_statement, hints, expansions, ..Seen::default() })
    }

    fn kill(&mut self) -> Result<(), CellsError> {
        self.targets.killing.store(true, Ordering::Relaxed);
        Ok(())
    }
}
