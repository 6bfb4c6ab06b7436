//! What a run gave, as files and for the console; everything is made from [`Run`].

mod run;
mod secret;
mod style;

pub use run::{CurvePoint, EndedBy, Run, RunStatistics, Setting, SuiteFile, TestPlace};
pub use secret::{Mask, is_secret_name};
pub use style::{Style, count, grouped, printable, shortened};
