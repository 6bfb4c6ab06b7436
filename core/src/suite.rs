//! Written tests: a language-neutral model made from a finished solution, and one writer per target framework.
//!
//! [`TestSuite::from_solution`] makes the model, [`write()`] its files. Nothing here runs a test or calls the service.

mod build;
mod error;
mod expectation;
mod junit;
mod linked;
mod model;
mod naming;
mod output;
mod place;
mod pytest;
#[cfg(test)]
mod sample;
mod surroundings;
#[cfg(test)]
mod tests;
mod text;
mod writer;

pub use build::SuiteSource;
pub use error::Error;
pub use model::{
    BodyCheck, Capture, CheckKind, Escape, Piece, SuiteReset, SuiteUser, TestBody, TestCall, TestCase, TestKind, TestSuite,
};
pub use output::{WrittenFile, write};
pub use place::WrittenTest;
pub use writer::{SuiteFile, SuiteWriter, WRITERS};
