//! What core and driver say to each other.
//!
//! Lists whose members are texts ([`Hint::usage`], [`Expansion::place`], [`Raised::kind`], capabilities) are open: who does
//! not know a member ignores it. Fields are only ever added at the end of a message.

mod feedback;
mod hello;
mod names;
mod routes;
mod units;

pub use feedback::{Change, DatabaseStatement, Expansion, Feedback, Hint, Origin, Raised};
pub use hello::{CoreHello, DriverHello, capability};
pub use names::Names;
pub use routes::{Route, Routes};
use serde::{Deserialize, Serialize};
pub use units::{Group, SkippedUnit, Unit, Units, UnitsFrom};

use crate::error::{Error, ErrorCode};

/// What the core asks of a driver. Each has exactly one [`Reply`].
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Who the core is; answered by [`Reply::Hello`] when the core called, by nothing when the driver did.
    Hello(CoreHello),
    /// A test begins; answered by [`Reply::Feedback`] on what was reached since the last action.
    StartTest(StartTest),
    /// An action begins; answered by [`Reply::Done`].
    StartAction(StartAction),
    /// The action's answer is there; answered by [`Reply::Feedback`].
    EndAction,
    /// Forget what was reached; answered by [`Reply::Done`].
    Reset,
    /// What of the service is measured; answered by [`Reply::Units`].
    Units(UnitsFrom),
    /// What frameworks have registered; answered by [`Reply::Routes`]. Since version 1.2.
    Routes,
    /// End the work of the current action at its next probe; answered by [`Reply::Done`].
    Kill,
    /// Stop measuring and end the connection; answered by [`Reply::Done`]. The service goes on.
    Shutdown,
}

/// What a driver answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Who the driver is.
    Hello(DriverHello),
    /// The request was carried out.
    Done,
    /// What was reached and seen. Boxed for its size.
    Feedback(Box<Feedback>),
    /// What of the service is measured.
    Units(Units),
    /// What frameworks have registered.
    Routes(Routes),
    /// The request was not carried out.
    Refused(Refusal),
}

impl Request {
    /// Name of the message, for errors.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello(_) => "hello of the core",
            Self::StartTest(_) => "start test",
            Self::StartAction(_) => "start action",
            Self::EndAction => "end action",
            Self::Reset => "reset",
            Self::Units(_) => "units",
            Self::Routes => "routes",
            Self::Kill => "kill",
            Self::Shutdown => "shutdown",
        }
    }
}

impl Reply {
    /// Name of the message, for errors.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello(_) => "hello of the driver",
            Self::Done => "done",
            Self::Feedback(_) => "feedback",
            Self::Units(_) => "units",
            Self::Routes(_) => "routes",
            Self::Refused(_) => "refusal",
        }
    }
}

/// Number of a test, given by the core, unique in a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestNumber(pub u64);

/// A test begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartTest {
    /// Its number.
    pub number: TestNumber,
    /// What its feedback is about.
    pub report: Report,
}

/// Which targets the feedback of a test names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// Those that were not covered when the test began: covered ones cost the service next to nothing.
    Uncovered,
    /// All: every cell is forgotten first, so the feedback is complete for this test, at the price of time in the service.
    All,
}

/// An action begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartAction {
    /// Position in the test, 0 for the first.
    pub index: u32,
    /// Values whose use is reported as [`Hint`]s while the action runs.
    pub track: Vec<String>,
}

/// A request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Kind, see [`ErrorCode`].
    pub code: u32,
    /// Why, a lower-case fragment for people.
    pub text: String,
}

impl From<&Error> for Refusal {
    fn from(error: &Error) -> Self {
        Self { code: error.code().0, text: error.to_string() }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused { code: ErrorCode(refusal.code), text: refusal.text }
    }
}
