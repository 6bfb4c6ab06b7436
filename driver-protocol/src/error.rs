//! What can go wrong between the core and a driver.

use std::io;
use std::time::Duration;

use crate::version::Version;

/// A failure of the protocol or its transport.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The network failed.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was being done, a verb phrase.
        doing: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// The peer closed the connection between two messages.
    #[error("connection closed by the peer")]
    Closed,
    /// The connection ended inside a message.
    #[error("connection lost after {received} of {wanted} bytes of a message")]
    Lost {
        /// Bytes of the message that came.
        received: usize,
        /// Bytes it announced, or 4 when not even its length came.
        wanted: usize,
    },
    /// The peer did not answer in time.
    #[error("no complete message within {} s", .limit.as_secs_f64())]
    TimedOut {
        /// The time limit.
        limit: Duration,
    },
    /// A message is longer than allowed, or has no bytes at all.
    #[error("found a message of {length} bytes, wanted 1 to {limit}")]
    BadLength {
        /// Bytes announced.
        length: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The bytes of a message are not what its operation demands.
    #[error("message of operation 0x{op:02x} is malformed: {reason}")]
    Malformed {
        /// Operation byte.
        op: u8,
        /// Why, as a lower-case fragment.
        reason: String,
    },
    /// An operation byte nobody knows.
    #[error("operation 0x{op:02x} is unknown")]
    UnknownOperation {
        /// Operation byte.
        op: u8,
    },
    /// The peer does not speak this protocol at all.
    #[error("the peer does not speak the driver protocol")]
    NotTheProtocol,
    /// The peer speaks a version that cannot be understood.
    #[error("found protocol version {theirs}, wanted {ours}: restive and its driver are of different releases")]
    Version {
        /// What the peer speaks.
        theirs: Version,
        /// What this side speaks.
        ours: Version,
    },
    /// The peer does not know the token.
    #[error("the peer has a wrong token")]
    WrongToken,
    /// The peer refused a request.
    #[error("the peer refused: {text} ({code})")]
    Refused {
        /// Kind of refusal.
        code: ErrorCode,
        /// The peer's words.
        text: String,
    },
    /// A valid message that does not belong here.
    #[error("found {found}, wanted {wanted}")]
    Unexpected {
        /// Message that came.
        found: &'static str,
        /// Message that should have come.
        wanted: &'static str,
    },
}

impl Error {
    /// The next step for a user, where there is one.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Version { .. } => Some("start the service with the agent that belongs to this restive"),
            Self::WrongToken => {
                Some("give the driver the token of this run; a left-over process of an earlier run may be calling")
            }
            Self::NotTheProtocol => Some("something else uses this port; choose another"),
            Self::Closed | Self::Lost { .. } => Some("look at the output of the service: its process may have died"),
            Self::TimedOut { .. } => Some("the service's process may be stopped or out of memory"),
            _ => None,
        }
    }

    /// The code that tells a peer about this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::BadLength { .. } => ErrorCode::TOO_LONG,
            Self::UnknownOperation { .. } => ErrorCode::UNKNOWN_OPERATION,
            Self::NotTheProtocol | Self::Version { .. } => ErrorCode::VERSION,
            Self::WrongToken => ErrorCode::TOKEN,
            Self::Unexpected { .. } => ErrorCode::NOT_NOW,
            Self::Refused { code, .. } => *code,
            Self::TimedOut { .. } => ErrorCode::TIMED_OUT,
            Self::Malformed { .. } | Self::Io { .. } | Self::Closed | Self::Lost { .. } => ErrorCode::MALFORMED,
        }
    }
}

/// Kind of a refusal. The list is open: a code that is not known here is handled as [`ErrorCode::FAILED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCode(pub u32);

impl ErrorCode {
    /// The request was understood and failed.
    pub const FAILED: Self = Self(0);
    /// The bytes make no sense; the connection ends.
    pub const MALFORMED: Self = Self(1);
    /// The operation is not known; the connection goes on.
    pub const UNKNOWN_OPERATION: Self = Self(2);
    /// The message is too long; the connection ends.
    pub const TOO_LONG: Self = Self(3);
    /// Another version, or not this protocol; the connection ends.
    pub const VERSION: Self = Self(4);
    /// Wrong token; the connection ends.
    pub const TOKEN: Self = Self(5);
    /// A known operation at a moment that does not allow it; the connection goes on.
    pub const NOT_NOW: Self = Self(6);
    /// Another client is served already; the connection ends.
    pub const BUSY: Self = Self(7);
    /// The rest of a message did not come in time; the connection ends.
    pub const TIMED_OUT: Self = Self(8);

    /// Whether the connection is of use after such an error.
    pub fn is_recoverable(self) -> bool {
        !matches!(self, Self::MALFORMED | Self::TOO_LONG | Self::VERSION | Self::TOKEN | Self::BUSY | Self::TIMED_OUT)
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match *self {
            Self::MALFORMED => "malformed",
            Self::UNKNOWN_OPERATION => "unknown operation",
            Self::TOO_LONG => "too long",
            Self::VERSION => "version",
            Self::TOKEN => "token",
            Self::NOT_NOW => "not now",
            Self::BUSY => "busy",
            Self::TIMED_OUT => "timed out",
            _ => "failed",
        })
    }
}
