//! What was seen inside the service while a call ran; made by a driver, and none without one.

use serde::{Deserialize, Serialize};

use super::{Hint, ReadInput};

/// A place in the service's code (a line, one side of a branch) by dense number: one per name, in the order of first
/// sight, the same for a whole run however often the service is started anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// Exceptions in the service's code, first to last.
    pub exceptions: Vec<Exception>,
    /// What was done with tracked values, each once in a run of the service.
    pub hints: Vec<Hint>,
    /// Inputs that the service read.
    pub inputs: Vec<ReadInput>,
}

impl Feedback {
    /// The statement at which its work was stopped because it took too long; none when it was not.
    pub fn stopped_at(&self) -> Option<&str> {
        self.exceptions.iter().find(|it| it.kind == ExceptionKind::Stopped)?.statement.as_deref()
    }

    /// The statement that the call failed at: that of the first exception that left the service's code, for those after it
    /// wrap it; else of the last one that it caught; none without an exception. What ran last would not do: it may have
    /// written the answer.
    pub fn failing_statement(&self) -> Option<&str> {
        let all = |kind: ExceptionKind| {
            self.exceptions.iter().filter(move |it| it.kind == kind).filter_map(|it| it.statement.as_deref())
        };
        all(ExceptionKind::Uncaught).next().or_else(|| all(ExceptionKind::Caught).next_back())
    }

    /// Whether the call made the service try to end its process.
    pub fn tried_to_exit(&self) -> bool {
        self.exceptions.iter().any(|exception| exception.kind == ExceptionKind::Exit)
    }
}

/// What became of an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExceptionKind {
    /// It left the service's code.
    Uncaught,
    /// The service's own code caught it.
    Caught,
    /// It stands for an attempt to end the process (`System.exit` and the like), which was stopped.
    Exit,
    /// It stands for work that was stopped on our behalf, because nobody waited for it any more.
    Stopped,
}

/// An exception in the service's code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exception {
    /// Type with its package.
    pub type_name: String,
    /// Its message, possibly cut.
    pub message: String,
    /// The statement that ran last before it: `com.acme.Foo:42`.
    pub statement: Option<String>,
    /// Its stack, innermost frame first, possibly cut.
    pub trace: Vec<String>,
    /// What became of it.
    pub kind: ExceptionKind,
}

#[cfg(test)]
mod tests {
    use super::{Exception, ExceptionKind, Feedback};

    fn exception(kind: ExceptionKind, line: u32) -> Exception {
        let statement = Some(format!("a.B:{line}"));
        Exception { type_name: "a.E".to_owned(), message: String::new(), statement, trace: Vec::new(), kind }
    }

    #[test]
    fn a_call_fails_at_what_left_the_service_rather_than_at_what_it_caught() {
        let failing = |exceptions: Vec<Exception>| {
            let feedback = Feedback { exceptions, last_statement: Some("a.B:9".to_owned()), ..Feedback::default() };
            feedback.failing_statement().map(str::to_owned)
        };
        let uncaught = |line| exception(ExceptionKind::Uncaught, line);
        let caught = |line| exception(ExceptionKind::Caught, line);
        assert_eq!(failing(vec![caught(1), uncaught(2), uncaught(5), caught(3)]).as_deref(), Some("a.B:2"));
        assert_eq!(failing(vec![caught(1), caught(3), exception(ExceptionKind::Exit, 4)]).as_deref(), Some("a.B:3"));
        assert_eq!(failing(Vec::new()), None);
    }

    #[test]
    fn where_work_was_stopped_is_no_fault_of_its_own() {
        let exceptions = vec![exception(ExceptionKind::Stopped, 7)];
        let feedback = Feedback { exceptions, ..Feedback::default() };
        assert_eq!((feedback.stopped_at(), feedback.failing_statement()), (Some("a.B:7"), None));
    }
}
