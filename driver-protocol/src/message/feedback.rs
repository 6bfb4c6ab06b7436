//! What an action reached and what was seen while it ran.

use serde::{Deserialize, Serialize};

use super::Names;

/// What was reached and seen since the last feedback.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Feedback {
    /// Targets that came nearer, by ascending id. They travel ahead of the rest, as a block of integers.
    #[serde(skip)]
    pub changed: Vec<Change>,
    /// What this feedback is about.
    pub origin: Origin,
    /// [`StartAction::index`](super::StartAction::index) of the action that ended; 0 when there is none.
    pub action: u32,
    /// Names of ids that were not named before. A target is never in `changed` before it is named.
    pub names: Names,
    /// Ids in `changed` that were also reached while no action ran, so that the action may have nothing to do with them.
    pub background: Vec<u32>,
    /// The line target whose statement of the service was executed last for this action.
    pub last_statement: Option<u32>,
    /// What was done with tracked values.
    pub hints: Vec<Hint>,
    /// Inputs the service read that may be missing in its schema.
    pub expansions: Vec<Expansion>,
    /// Exceptions that left the service's code or came to a handler of it.
    pub exceptions: Vec<Raised>,
    /// Statements sent to databases.
    pub statements: Vec<DatabaseStatement>,
    /// Hints, expansions, exceptions and statements left out because there were too many.
    pub dropped: u32,
}

/// A target that came nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its id.
    pub id: u32,
    /// How near, see [`crate::cell`].
    pub cell: i32,
}

/// What a feedback is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// All before the first test: the service's start.
    #[default]
    Boot,
    /// The time between two tests: work of the service's own.
    Between,
    /// An action.
    Action,
}

/// Something was done with a tracked value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hint {
    /// The value, of [`StartAction::track`](super::StartAction::track).
    pub tracked: String,
    /// What was done: `equals`, `equals_ignore_case`, `starts_with`, `ends_with`, `contains`, `matches`, `find`, `boolean`,
    /// `integer`, `number`, `date`, `time`, `date_time`, `instant`, `zoned_date_time`, `offset_date_time`, `year`,
    /// `year_month`, `duration`, `uuid`, `uri`, `url`, `base64`, `currency`. An open list.
    pub usage: String,
    /// The other operand (constant, pattern, format), empty when there is none.
    pub operand: String,
}

/// The service read an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// Where: `query`, `header`, `cookie`, `form`, `part`, `body`, `parsed`, `bound`, `key`. An open list.
    pub place: String,
    /// Name of the input, of a body that of the type it is read into.
    pub name: String,
    /// JSON schema of the input as text, empty when unknown or told before.
    pub schema: String,
}

/// An exception left the service's code, or the service wanted to end its process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// `uncaught`, `caught` (by the service itself), `exit`, `killed`. An open list.
    pub kind: String,
    /// Type of the exception.
    pub type_name: String,
    /// Its message, possibly cut.
    pub message: String,
    /// The line target that it was thrown in or below: the one that was executed last at that time.
    pub statement: Option<u32>,
    /// Its stack, innermost frame first, possibly cut; then causes, each as `caused by TYPE: MESSAGE` and frames.
    pub trace: Vec<String>,
}

/// A statement was sent to a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseStatement {
    /// Text of the statement, with placeholders as the service wrote it.
    pub text: String,
    /// Values of the placeholders.
    pub parameters: Vec<String>,
    /// What the database complained about, empty for nothing.
    pub failure: String,
    /// Time it took, in microseconds.
    pub micros: u64,
}
