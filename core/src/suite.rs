//! Written tests: a language-neutral model made from a finished solution, and one writer per target framework.
//!
//! [`TestSuite::from_solution`] makes the model, [`write()`] its files; [`save()`] and [`load()`] keep the model itself.
//! [`differences`] and [`CapturedValues`] are for whoever runs a test. Nothing here does, or calls the service.

mod build;
mod captured;
mod chance;
mod covers;
mod curl;
mod error;
mod expectation;
mod fresh;
mod http;
mod javascript;
mod judge;
mod junit;
mod kotlin;
mod layout;
mod linked;
mod model;
mod naming;
mod output;
mod place;
mod pytest;
mod rust;
#[cfg(test)]
mod sample;
mod saved;
mod shape;
mod surroundings;
#[cfg(test)]
mod tests;
mod text;
mod writer;

pub use build::SuiteSource;
pub use captured::CapturedValues;
pub use error::Error;
pub use judge::{AnswerPart, Difference, differences};
pub use model::{
    BodyCheck, Capture, CheckKind, Escape, FieldCheck, FreshValue, Piece, SuiteReset, SuiteUser, TestBody, TestCall, TestCase,
    TestKind, TestSuite,
};
pub(crate) use naming::fold;
pub use output::{WrittenFile, replaced, write};
pub use place::WrittenTest;
pub use saved::{TESTS_FILE, load, save};
pub use shape::Shape;
pub use writer::{SuiteFile, SuiteWriter, WRITERS, in_written_order};
