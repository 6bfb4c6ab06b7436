//! What was seen inside the service while a call ran; made by a driver, and none without one.

/// A place in the service's code (a line, one side of a branch) by dense number: one per name, in the order of first
/// sight, the same for a whole run however often the service is started anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeId(pub u32);

/// What a call did inside the service.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Feedback {
    /// Names of places that were never named before, such as `branch:com.acme.Foo:42:0:then`. The first has the id after
    /// the last one of all feedback before.
    pub names: Vec<String>,
    /// Places that the test came nearer to by this call, with closeness in (0, 1], 1 = reached; in any order.
    pub reached: Vec<(CodeId, f64)>,
    /// The statement of the service that ran last for this call: `com.acme.Foo:42`.
    pub last_statement: Option<String>,
    /// Exceptions that left the service's code, first to last.
    pub exceptions: Vec<Exception>,
}

impl Feedback {
    /// The statement that the call failed at: that of its last exception, else the one that ran last.
    pub fn failing_statement(&self) -> Option<&str> {
        let thrown = self.exceptions.iter().rev().find_map(|exception| exception.statement.as_deref());
        thrown.or(self.last_statement.as_deref())
    }
}

/// An exception that left the service's code, or an attempt of the service to end its process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// Type with its package.
    pub type_name: String,
    /// Its message, possibly cut.
    pub message: String,
    /// The statement that ran last before it: `com.acme.Foo:42`.
    pub statement: Option<String>,
    /// Its stack, innermost frame first, possibly cut.
    pub trace: Vec<String>,
    /// Whether it stands for an attempt to end the process (`System.exit` and the like), which was stopped.
    pub is_exit: bool,
}
