//! The evolutionary core: MIO over individuals, knowing neither HTTP nor files nor the clock.
//!
//! [`mio::run`] is the entry; it works on a [`SearchState`] (what changes) for a [`Problem`] (what does not) through an
//! [`Evaluator`]. [`minimise::solve`] then makes the [`Solution`].

mod access;
pub mod archive;
mod bonds;
mod deaths;
mod demands;
mod evaluator;
mod expansions;
mod feedback;
mod fill;
mod hint;
mod hint_log;
mod impact;
mod individual;
mod input;
mod marking;
pub mod minimise;
pub mod mio;
mod mutator;
mod odds;
mod own_values;
mod pool;
mod probe;
mod problem;
mod repeats;
mod resource;
mod sampler;
mod schedule;
mod settings;
mod shape;
mod slope;
mod solution;
mod specialisations;
mod standing;
mod state;
mod target;
mod touched;
mod tracking;
mod usable;
mod waits;

pub use deaths::{Death, Deaths, Proof};
pub use evaluator::{Evaluator, Executor, Halt, Judge};
pub use expansions::{ExpansionCounts, Expansions};
pub use feedback::{CodeId, Exception, ExceptionKind, Feedback};
pub use hint::{Hint, Usage};
pub use hint_log::{HintLog, Logged, LoggedHint};
pub use impact::{GeneKey, ImpactTable, Tries};
pub use individual::{Evaluation, ExecutedCall, Execution, Individual, Verdict};
pub use input::{ReadInput, ReadPlace};
pub use marking::{Marker, Marking};
pub(crate) use mutator::{gene_key_of, genes_of};
pub use odds::{OddsKind, PickOdds, SearchOdds};
pub use problem::Problem;
pub use schedule::Schedule;
pub use settings::{Budget, SearchSettings};
pub use solution::{Change, Solution, SolvedTest, TestGroup};
pub use specialisations::{HintCounts, Specialisations};
pub use standing::{Moment, Origin, Standing};
pub use state::SearchState;
pub use target::{TargetId, TargetKind, Targets};
pub use touched::{Changed, Touched};
pub use tracking::{Tracking, tracked_values};
pub use waits::Waits;
