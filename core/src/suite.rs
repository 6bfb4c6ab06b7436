//! Written tests: a language-neutral model made from a finished solution, and one writer per target framework.
//!
//! [`TestSuite::from_solution`] makes the model, [`write()`] its files; [`save()`] and [`load()`] keep the model itself. Nothing here runs a test or calls the service.

mod build;
mod chance;
mod covers;
mod curl;
mod error;
mod expectation;
mod http;
mod javascript;
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
pub use error::Error;
pub use model::{
    BodyCheck, Capture, CheckKind, Escape, FieldCheck, Piece, SuiteReset, SuiteUser, TestBody, TestCall, TestCase, TestKind,
    TestSuite,
};
pub use output::{WrittenFile, replaced, write};
pub use place::WrittenTest;
pub use saved::{TESTS_FILE, load, save};
pub use shape::Shape;
pub use writer::{SuiteFile, SuiteWriter, WRITERS};
