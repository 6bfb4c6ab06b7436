//! What shows of whether a service lives. What it says is no matter, for a call before may have told it to answer with
//! nonsense, or with a status that only announces an answer (RFC 9110, 15.2), for which a client waits in vain.

use crate::action::{Answer, Request};

use super::{Failure, FailureKind};

/// What a service is asked to see whether it lives.
#[derive(Debug, Clone, Copy)]
pub enum Question<'a> {
    /// A GET of this path below the base URL, with its query.
    Get(&'a str),
    /// The same as in this call, without credentials.
    Again(&'a Request),
}

/// What shows of whether a service lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pulse {
    /// It says something.
    Speaks,
    /// It takes a connection and closes it without a word.
    Closes,
    /// Nothing is heard of it.
    Silent,
}

impl Pulse {
    /// What the end of an exchange shows.
    pub(super) fn of(received: Result<Answer, Failure>) -> Self {
        let Err(failure) = received else { return Self::Speaks };
        match failure.kind {
            FailureKind::Broken | FailureKind::TooLarge => Self::Speaks,
            FailureKind::Closed => Self::Closes,
            _ => Self::Silent,
        }
    }
}
