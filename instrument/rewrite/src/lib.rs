//! Puts the probes of restive into JVM class files: class bytes and a plan in, class bytes and a probe table out.
//!
//! Entry point: [`rewrite`]. Which classes are worth it is the business of the caller, as is the JVM; nothing here does I/O.
//! What the probes report to are a few Java classes, see [`runtime`]; which library calls are measured, see
//! [`replacements`]; how its cells are read, see [`cell`]. Apart from all that, [`keep_alive`] changes a few methods of HTTP
//! servers so that they keep connections open.
//!
//! ```
//! use restive_rewrite::{Outcome, Plan, TargetTable, rewrite};
//!
//! let plan = Plan::all("java/lang/RestiveProbes");
//! let mut targets = TargetTable::with_capacity(1 << 18);
//! match rewrite(b"no class file", &plan, &mut targets) {
//!     Outcome::Rewritten(rewritten) => println!("{} has {} new targets", rewritten.class_name, rewritten.new_targets.len()),
//!     Outcome::Unchanged(unchanged) => println!("left as it was: {}", unchanged.reason),
//! }
//! assert_eq!(targets.len(), 0);
//! ```

pub mod cell;
mod class;
mod constraints;
mod coverable;
mod emit;
mod generated;
mod hash;
mod inputs;
mod keep_alive;
mod members;
mod method;
mod monitors;
mod outcome;
mod pass;
mod plan;
mod probes;
mod references;
mod relocation;
mod replacement;
pub mod runtime;
mod source_map;
mod target;
mod track;
mod usage;

pub use class::rewrite;
pub use constraints::{CONSTRAINT_CLASSES, observe_constraints};
pub use inputs::{InputPlace, watch_inputs};
pub use keep_alive::{Change, KeepAlive, keep_alive, keep_alive_rows};
pub use outcome::{Degraded, Level, Outcome, Reason, Rewritten, Unchanged};
pub use plan::Plan;
pub use replacement::{OutcomeKind, Receiver, Replacement, ReplacementFamily, replacements};
pub use target::{TargetKind, TargetTable};
pub use track::track;
pub use usage::{PART, PART_PREFIX, Usage};
