//! Who speaks: the first message of each side.

use serde::{Deserialize, Serialize};

/// The core's first message. On the wire it begins with magic and version, see [`crate::version`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreHello {
    /// Secret of the run.
    pub token: String,
    /// Name and release of the core, for messages.
    pub core: String,
}

/// The driver's first message. On the wire it begins with magic and version, see [`crate::version`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriverHello {
    /// Secret of the run.
    pub token: String,
    /// What the service is written for: `jvm`, `rust`.
    pub language: String,
    /// Name and release of the driver, for messages.
    pub driver: String,
    /// Name and release of what the service runs on, for messages.
    pub runtime: String,
    /// Process identity.
    pub process: u32,
    /// What the process was started as (main class, module or program), empty when unknown.
    pub command: String,
    /// What the driver can do, of [`capability`].
    pub capabilities: Vec<String>,
    /// Units of the service under test that were loaded so far.
    pub units: u32,
    /// Prefixes of the names of units that belong to the service under test.
    pub include: Vec<String>,
}

/// Names of capabilities. The list is open.
pub mod capability {
    /// Line targets.
    pub const LINES: &str = "lines";
    /// Targets for both sides of branches and for the cases of switches.
    pub const BRANCHES: &str = "branches";
    /// `Feedback::last_statement` is filled in.
    pub const LAST_STATEMENT: &str = "last_statement";
    /// Kill ends the work of an action.
    pub const KILL: &str = "kill";
    /// Values of `StartAction::track` are looked for.
    pub const HINTS: &str = "hints";
    /// Inputs that the schema lacks are reported.
    pub const EXPANSIONS: &str = "expansions";
    /// Exceptions are reported.
    pub const EXCEPTIONS: &str = "exceptions";
    /// Attempts to end the process are stopped and reported.
    pub const EXIT: &str = "exit";
    /// Routes that frameworks have registered are told.
    pub const ROUTES: &str = "routes";
    /// Statements to databases are reported.
    pub const DATABASE: &str = "database";
}
