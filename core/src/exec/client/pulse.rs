//! Looks whether a service lives, below HTTP: what it says is no matter, for a call before may have told it to answer with
//! nonsense, or with a status that only announces an answer (RFC 9110, 15.2), for which a client waits in vain.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use url::{Position, Url};

use crate::exec::Stop;

use super::{Failure, FailureKind};

/// How often a look sees whether it should end early.
const GLANCE: Duration = Duration::from_millis(50);

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
    /// What shows within `limit` on a connection of its own, not encrypted, when `url` is asked for.
    pub(super) fn of(url: &Url, limit: Duration, stop: &Stop) -> Self {
        let end = Instant::now() + limit;
        let addresses = url.socket_addrs(|| None).unwrap_or_default();
        let opened = addresses.iter().find_map(|address| TcpStream::connect_timeout(address, limit).ok());
        let Some(mut stream) = opened else { return Self::Silent };
        let (target, host) = (&url[Position::BeforePath..Position::AfterQuery], url.authority());
        let head = format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        if stream.write_all(head.as_bytes()).is_err() {
            return Self::Closes;
        }
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || stop.is_requested() {
                return Self::Silent;
            }
            if let Some(pulse) = heard(&mut stream, left.min(GLANCE)) {
                return pulse;
            }
        }
    }

    /// What the end of an exchange shows.
    pub(super) fn from_failure(failure: &Failure) -> Self {
        match failure.kind {
            FailureKind::Broken | FailureKind::TooLarge => Self::Speaks,
            FailureKind::Closed => Self::Closes,
            _ => Self::Silent,
        }
    }
}

/// What is heard within `limit`, which is not zero; none when nothing is.
fn heard(stream: &mut TcpStream, limit: Duration) -> Option<Pulse> {
    let read = stream.set_read_timeout(Some(limit)).and_then(|()| stream.read(&mut [0]));
    match read {
        Ok(0) => Some(Pulse::Closes),
        Ok(_) => Some(Pulse::Speaks),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => None,
        Err(_) => Some(Pulse::Closes),
    }
}
