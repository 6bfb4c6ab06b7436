//! Written tests: a language-neutral model made from a finished solution, and one writer per target framework.

mod model;

pub use model::{
    BodyCheck, Capture, CheckKind, Escape, Piece, ResetCall, SuiteUser, TestBody, TestCall, TestCase, TestKind, TestSuite,
};
