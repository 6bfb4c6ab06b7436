//! The evolutionary core: MIO over individuals, knowing neither HTTP nor files nor the clock.

mod individual;
mod settings;
mod solution;
mod target;

pub use individual::{Evaluation, Individual};
pub use settings::{Budget, SearchSettings};
pub use solution::{Solution, SolvedTest};
pub use target::{TargetId, Targets};
