//! What every driver that links Rust shares: which targets changed, feedback per action, and serving the driver protocol.
//!
//! A driver brings [`Cells`] (where its probes write) and a [`Catalogue`] (what its targets are called), records the units it
//! loads in an [`Inventory`], and hands all three to a [`Runtime`], which [`serve`](mod@serve) connects to a core.
//! Nothing here knows a JVM or any other language, and nothing runs inside the service but the thread that serves.
//!
//! Attribution: what was reached before the first test is *boot*; what was reached between an action's end and the start of
//! the next test is *between*, for work of an action may end late: what is covered there is told again of the next action that
//! comes to it. Ids seen there a third time are marked as background when an action reports them later, as are those that the
//! driver knows to be of other work than the action's ([`Cells::read_noise`]); the rest belongs to the action.

mod changes;
mod inventory;
pub mod memory;
mod runtime;
pub mod serve;
mod travelled;

pub use inventory::{Inventory, MeasuredUnit};
pub use runtime::Runtime;

use std::ops::Range;

use restive_driver_protocol::{Expansion, Hint, Raised, Routes};

/// Where probes write: one integer per target, as in [`restive_driver_protocol::cell`], ids dense from 0.
///
/// Probes only ever make a cell larger, at any time and from any thread; a value may be lost between `read` and `forget`.
pub trait Cells {
    /// The cells of the first `count` targets as they are now, by id.
    fn read(&mut self, count: usize) -> Result<&[i32], CellsError>;

    /// Sets the cells of `ids` to [`restive_driver_protocol::UNREACHED`].
    fn forget(&mut self, ids: Range<u32>) -> Result<(), CellsError>;

    /// The first test of a session is about to begin and no request is under way: a good time to see what runs anyway.
    fn settle(&mut self) -> Result<(), CellsError> {
        Ok(())
    }

    /// Units are about to be told by name: a good time to look for those that were loaded unseen.
    fn survey(&mut self) -> Result<(), CellsError> {
        Ok(())
    }

    /// What is done with these values while the next action runs is to be told; none: nothing is tracked.
    fn track(&mut self, _values: &[String]) -> Result<(), CellsError> {
        Ok(())
    }

    /// Work of the service belongs to an action from now on. Ends a kill.
    fn start_action(&mut self) -> Result<(), CellsError>;

    /// The action is over; gives what was seen besides targets.
    fn end_action(&mut self) -> Result<Seen, CellsError>;

    /// Makes the work of the current action end at its next probe.
    fn kill(&mut self) -> Result<(), CellsError>;

    /// What frameworks have registered; none where that is not known.
    fn routes(&mut self) -> Result<Routes, CellsError> {
        Ok(Routes::default())
    }

    /// For each id below `count` not 0 when work that belongs to no action reached it during the last one; empty for none.
    fn read_noise(&mut self, noise: &mut Vec<u8>, _count: usize) -> Result<(), CellsError> {
        noise.clear();
        Ok(())
    }
}

/// What targets are called. Other threads may add targets at any time.
pub trait Catalogue {
    /// Number of targets so far; never falls.
    fn targets(&self) -> u32;

    /// Name of the target `id`, which is below [`Self::targets`]; the same in every run of the service.
    fn name(&self, id: u32) -> String;
}

/// What an action left behind besides targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Line target that was executed last.
    pub last_statement: Option<u32>,
    /// Exceptions, attempts to end the process that were stopped, work that was stopped.
    pub raised: Vec<Raised>,
    /// What was done with tracked values.
    pub hints: Vec<Hint>,
    /// Inputs that were read.
    pub expansions: Vec<Expansion>,
    /// How many more exceptions, hints and inputs there were.
    pub dropped: u32,
}

/// Cells cannot be reached; the text is a lower-case fragment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot reach the cells: {0}")]
pub struct CellsError(pub String);
