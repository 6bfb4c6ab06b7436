//! What a run gave, as files and for the console; everything is made from [`Run`].

mod run;

pub use run::{CurvePoint, EndedBy, Run, RunStatistics, Setting, SuiteFile, TestPlace};
