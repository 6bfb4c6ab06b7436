//! Why a target was reached or not: what the search knew at its end, kept in `explain.json`, and the answers made from it.
//!
//! [`record()`] makes the [`Record`] of a run that ended, however it did; [`write()`] and [`read()`] are its file; [`ask`]
//! answers a question about it, and [`text()`] prints the answer. Nothing here runs while the search does.

mod answer;
mod build;
mod chosen;
mod file;
mod goal;
mod names;
mod overview;
mod page;
mod place;
mod question;
mod reason;
mod record;
#[cfg(test)]
mod sample;
mod shortfall;
mod text;

pub use answer::{
    Answer, CallAnswer, Candidate, Group, HintAnswer, InputAnswer, NearTarget, OperationAnswer, Overview, SpecialisedAnswer,
    TargetAnswer, TestAnswer,
};
pub use build::{Source, record};
pub use file::{EXPLAIN_FILE, read, write};
pub use question::{Unknown, ask};
pub use reason::Reason;
pub use record::{
    CallRecord, EffectRecord, ElsewhereRecord, FORMAT_VERSION, HintRecord, InputRecord, Kind, LeftOut, OperationRecord,
    OriginRecord, Record, SpecialisedRecord, TargetRecord, TestRecord,
};
pub use shortfall::{OpenOperation, OpenTarget, SeenHint, Shortfall, shortfall};
pub use text::text;
