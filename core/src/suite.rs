//! Written tests: a language-neutral model made from a finished solution, and one writer per target framework.

mod model;

pub use model::{BodyCheck, Capture, CheckKind, Piece, TestBody, TestCall, TestCase, TestKind, TestSuite};
