//! Why an HTTP exchange gave no answer: the client library's error chain, read once.
//!
//! [`Failure`] is the entry point, for calls of the service and for documents that are fetched alike.

use std::error::Error as _;
use std::io::ErrorKind;

use rustls::{CertificateError, Error as TlsError};

/// An exchange that gave no complete answer.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What happened.
    pub(crate) kind: FailureKind,
    /// The same for people, a lower-case fragment without addresses and values.
    pub(crate) reason: String,
}

/// What happened to an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// The time limit passed.
    TimedOut,
    /// The request could not be made from its parts.
    Unsendable,
    /// Nothing listens there.
    Refused,
    /// The host name has no address.
    NameNotFound,
    /// The handshake of an encrypted connection failed.
    Tls,
    /// The connection could not be opened for another reason.
    NotConnected,
    /// The connection was closed before the head of the answer was complete.
    Closed,
    /// What came back is not HTTP, or broke off.
    Broken,
    /// The head of the answer is larger than we read.
    TooLarge,
    /// The user asked to stop.
    Stopped,
}

impl Failure {
    /// The failure of an exchange that took too long.
    pub(crate) fn timed_out() -> Self {
        Self { kind: FailureKind::TimedOut, reason: "no complete answer within the time limit".to_owned() }
    }

    /// The failure of an exchange that nobody waits for any more.
    pub(crate) fn stopped() -> Self {
        Self { kind: FailureKind::Stopped, reason: "stopped while waiting for the answer".to_owned() }
    }

    /// The failure of a request that cannot be made.
    pub(crate) fn unsendable(reason: String) -> Self {
        Self { kind: FailureKind::Unsendable, reason }
    }

    /// The failure of looking up a host name.
    pub(crate) fn no_address() -> Self {
        Self { kind: FailureKind::NameNotFound, reason: "the host name has no address".to_owned() }
    }

    /// Reads `error`, which came up while a connection was opened.
    pub(crate) fn connecting(error: &std::io::Error) -> Self {
        let cause = Cause::of(Some(error));
        Self { kind: cause.connecting(), reason: cause.text }
    }

    /// Reads `error` of a connection of our own, which came up before the head of the answer was there.
    pub(crate) fn exchanging(error: &hyper::Error) -> Self {
        let cause = Cause::of(Some(error));
        let kind = if error.is_parse_too_large() { FailureKind::TooLarge } else { cause.exchanging() };
        Self::told(kind, cause)
    }

    /// Reads `error` of a connection of our own, which came up after `received` bytes of the body.
    pub(crate) fn exchanging_body(error: &hyper::Error, received: usize) -> Self {
        Self::broken_off(FailureKind::Broken, &Cause::of(Some(error)), received)
    }

    /// Reads `error`, which came up before the head of the answer was there.
    pub(crate) fn before_answer(error: &reqwest::Error) -> Self {
        let cause = Cause::of(error.source());
        let kind = if error.is_timeout() {
            FailureKind::TimedOut
        } else if error.is_dns() {
            FailureKind::NameNotFound
        } else if cause.tls {
            FailureKind::Tls
        } else if error.is_connect() {
            cause.connecting()
        } else if is_too_large(error) {
            FailureKind::TooLarge
        } else {
            cause.exchanging()
        };
        Self::told(kind, cause)
    }

    fn told(kind: FailureKind, cause: Cause) -> Self {
        let reason = match kind {
            FailureKind::Closed => "the connection was closed before an answer came".to_owned(),
            FailureKind::Broken => format!("the answer is not HTTP: {}", cause.text),
            FailureKind::TooLarge => "the head of the answer is larger than restive reads".to_owned(),
            FailureKind::NameNotFound => "the host name has no address".to_owned(),
            _ => cause.text,
        };
        Self { kind, reason }
    }

    /// Reads `error`, which came up after `received` bytes of the body.
    pub(crate) fn within_body(error: &reqwest::Error, received: usize) -> Self {
        let kind = if error.is_timeout() { FailureKind::TimedOut } else { FailureKind::Broken };
        Self::broken_off(kind, &Cause::of(error.source()), received)
    }

    fn broken_off(kind: FailureKind, cause: &Cause, received: usize) -> Self {
        Self { kind, reason: format!("the answer broke off after {received} bytes of its body: {}", cause.text) }
    }
}

/// What an error chain tells.
#[derive(Default)]
struct Cause {
    /// The innermost message.
    text: String,
    /// Whether the other side closed the connection.
    closed: bool,
    /// Whether the HTTP library complained, or the connection failed under it.
    http: bool,
    /// Whether encryption failed; then the text tells why.
    tls: bool,
    /// The innermost system error.
    io: Option<ErrorKind>,
}

impl Cause {
    /// Reads the chain that starts with `error`.
    fn of(error: Option<&(dyn std::error::Error + 'static)>) -> Self {
        let mut found = Self { text: "unknown failure".to_owned(), ..Self::default() };
        let mut source = error;
        while let Some(cause) = source {
            found.text = cause.to_string();
            if let Some(http) = cause.downcast_ref::<hyper::Error>() {
                found.http = true;
                found.closed |= http.is_incomplete_message() || http.is_canceled() || http.is_closed();
            }
            if let Some(io) = cause.downcast_ref::<std::io::Error>() {
                found.http = true;
                found.read_io(io);
            }
            if let Some(tls) = cause.downcast_ref() {
                found.read_tls(tls);
                break;
            }
            source = cause.source();
        }
        found
    }

    /// Reads a system error and those it wraps: `source` leaves the wrapped ones out.
    fn read_io(&mut self, io: &std::io::Error) {
        let mut wrapper = Some(io);
        while let Some(io) = wrapper {
            self.io = Some(io.kind());
            self.closed |= is_closing(io.kind());
            if let Some(tls) = io.get_ref().and_then(|inner| inner.downcast_ref()) {
                self.read_tls(tls);
            }
            wrapper = io.get_ref().and_then(|inner| inner.downcast_ref());
        }
    }

    fn read_tls(&mut self, error: &TlsError) {
        self.tls = true;
        self.text = tls_reason(error);
    }

    /// What happened when a connection was there.
    fn exchanging(&self) -> FailureKind {
        if self.closed {
            FailureKind::Closed
        } else if self.http {
            FailureKind::Broken
        } else {
            FailureKind::Unsendable
        }
    }

    /// What happened when there was none yet.
    fn connecting(&self) -> FailureKind {
        match self.io {
            Some(ErrorKind::ConnectionRefused) => FailureKind::Refused,
            // A plain-text server closes when it is greeted with a handshake.
            Some(ErrorKind::UnexpectedEof) => FailureKind::Tls,
            Some(ErrorKind::TimedOut) => FailureKind::TimedOut,
            _ => FailureKind::NotConnected,
        }
    }
}

/// Why an encrypted connection did not come about, for people.
fn tls_reason(error: &TlsError) -> String {
    use CertificateError::{Expired, ExpiredContext, NotValidForName, NotValidForNameContext, Other, UnknownIssuer};
    match error {
        TlsError::InvalidMessage(_) => "what answers there does not speak TLS".to_owned(),
        TlsError::InvalidCertificate(certificate) => match certificate {
            UnknownIssuer => "nobody that this machine trusts signed its certificate".to_owned(),
            // Most often one that signed itself as an authority (`CaUsedAsEndEntity`).
            Other(other) => format!("its certificate is not trusted ({other})"),
            Expired | ExpiredContext { .. } => "its certificate has expired".to_owned(),
            NotValidForName | NotValidForNameContext { .. } => "its certificate is for another host name".to_owned(),
            _ => error.to_string(),
        },
        _ => error.to_string(),
    }
}

/// Whether the head of the answer is larger than the HTTP library reads.
fn is_too_large(error: &reqwest::Error) -> bool {
    let mut source = error.source();
    while let Some(cause) = source {
        if cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse_too_large) {
            return true;
        }
        source = cause.source();
    }
    false
}

/// Whether a system error means that the other side is gone.
fn is_closing(kind: ErrorKind) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
    matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use rustls::{CertificateError, Error, InvalidMessage};

    use super::tls_reason;

    #[test]
    fn encryption_that_fails_is_told_in_words() {
        let of = |error: CertificateError| tls_reason(&Error::InvalidCertificate(error));
        assert!(of(CertificateError::UnknownIssuer).contains("trusts"));
        assert!(of(CertificateError::Expired).contains("expired"));
        assert!(of(CertificateError::NotValidForName).contains("another host name"));
        assert!(tls_reason(&Error::InvalidMessage(InvalidMessage::InvalidContentType)).contains("does not speak TLS"));
    }
}
