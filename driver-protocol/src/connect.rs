//! Who calls whom, and the hello.
//!
//! The side that connects speaks first. Usually that is the driver: launcher, build tool and service may all be started with
//! it, each calls the core, and the core keeps the ones that load units of the service. A service that someone else starts
//! listens instead, and the core calls.

use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::connection::{DriverConnection, Limits};
use crate::error::Error;
use crate::frame::{FrameReader, MAX_HELLO, Waiting};

/// Secret of a run, which keeps other local processes out.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A token made of unpredictable text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, to be sent or put into a driver's options.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether `other` is this token; takes equally long for each wrong one of the same length.
    pub fn is(&self, other: &str) -> bool {
        let different = self.0.bytes().zip(other.bytes()).fold(0, |different, (left, right)| different | (left ^ right));
        self.0.len() == other.len() && different == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token(..)")
    }
}

/// How long an answer is looked for before its reader sleeps. To wake a thread on a processor that idles takes longer, above
/// all in a virtual machine, than a driver needs for an answer to most requests.
const MOMENT: Duration = Duration::from_micros(100);

/// A connected stream and what was read of it so far.
#[derive(Debug)]
pub(crate) struct Wire {
    pub stream: TcpStream,
    pub reader: FrameReader,
}

impl Wire {
    /// Takes over a connected stream: no delay, and no write waits longer than `limit`.
    pub fn new(stream: TcpStream, limit: Duration) -> Result<Self, Error> {
        let set_up = stream.set_nonblocking(false).and_then(|()| stream.set_nodelay(true));
        set_up
            .and_then(|()| stream.set_write_timeout(Some(limit)))
            .map_err(|source| Error::Io { doing: "set up the connection", source })?;
        Ok(Self { stream, reader: FrameReader::default() })
    }

    /// Connects to `address` (`host:port`), trying each address of the host.
    pub fn dial(address: &str, limit: Duration) -> Result<Self, Error> {
        let io = |source| Error::Io { doing: "connect to the peer", source };
        let mut last = std::io::Error::new(ErrorKind::NotFound, format!("no address for `{address}`"));
        for candidate in address.to_socket_addrs().map_err(io)? {
            match TcpStream::connect_timeout(&candidate, limit) {
                Ok(stream) => return Self::new(stream, limit),
                Err(error) => last = error,
            }
        }
        Err(io(last))
    }

    /// Sends all of `bytes`.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.stream.write_all(bytes).map_err(|source| match source.kind() {
            ErrorKind::BrokenPipe | std::io::ErrorKind::ConnectionReset => Error::Closed,
            _ => Error::Io { doing: "write to the peer", source },
        })
    }

    /// Looks for an answer for a [`MOMENT`], letting other threads go first; whoever reads then waits on, or is told of errors.
    pub fn look_out(&self) -> Result<(), Error> {
        let io = |source| Error::Io { doing: "look for an answer", source };
        self.stream.set_nonblocking(true).map_err(io)?;
        let begun = Instant::now();
        while matches!(self.stream.peek(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
            && begun.elapsed() < MOMENT
        {
            thread::yield_now();
        }
        self.stream.set_nonblocking(false).map_err(io)
    }

    /// Reads the frame of a hello by `read`.
    pub fn read_hello<T>(
        &mut self,
        limit: Duration,
        read: impl FnOnce(crate::frame::Frame<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let frame = self.reader.next(&mut self.stream, MAX_HELLO, Waiting { first: Some(limit), rest: limit })?;
        read(frame).map_err(|error| match error {
            // Whoever sends something else first does not know this protocol.
            Error::UnknownOperation { .. } => Error::NotTheProtocol,
            error => error,
        })
    }
}

/// Hellos that may be under way at once; more callers wait.
const HANDSHAKES: usize = 16;

/// The core's open door for drivers.
#[derive(Debug)]
pub struct DriverListener {
    address: SocketAddr,
    accepted: Receiver<Result<DriverConnection, Error>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl DriverListener {
    /// Listens on a free port of the loopback interface.
    pub fn bind(token: Token) -> Result<Self, Error> {
        Self::bind_to((Ipv4Addr::LOCALHOST, 0).into(), token, Limits::default())
    }

    /// Listens on `address`, for services in a container.
    pub fn bind_to(address: SocketAddr, token: Token, limits: Limits) -> Result<Self, Error> {
        let io = |source| Error::Io { doing: "listen for drivers", source };
        let listener = TcpListener::bind(address).map_err(io)?;
        let address = listener.local_addr().map_err(io)?;
        let (send, accepted) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::Builder::new().name("restive-drivers".to_owned());
        let thread = thread.spawn(move || accept_until(&listener, &stopped, &token, limits, &send)).map_err(io)?;
        Ok(Self { address, accepted, stop, thread: Some(thread) })
    }

    /// Where drivers connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The next driver that said a valid hello; `None` when there is none within `limit`.
    ///
    /// # Errors
    ///
    /// Why a caller was turned away. The door stays open.
    pub fn next(&self, limit: Duration) -> Result<Option<DriverConnection>, Error> {
        match self.accepted.recv_timeout(limit) {
            Ok(connection) => connection.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Error::Closed),
        }
    }
}

impl Drop for DriverListener {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let own = if self.address.ip().is_unspecified() {
            SocketAddr::from((Ipv4Addr::LOCALHOST, self.address.port()))
        } else {
            self.address
        };
        // A call of our own ends the wait for the next caller.
        let woken = TcpStream::connect_timeout(&own, Duration::from_secs(1)).is_ok();
        if let Some(thread) = self.thread.take().filter(|_| woken) {
            let _ended = thread.join();
        }
    }
}

/// Serves the door; each hello in a thread of its own, so that a silent caller keeps no one waiting.
fn accept_until(
    listener: &TcpListener,
    stop: &AtomicBool,
    token: &Token,
    limits: Limits,
    accepted: &Sender<Result<DriverConnection, Error>>,
) {
    let mut handshakes: Vec<JoinHandle<()>> = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let Ok((stream, _caller)) = listener.accept() else {
            // Out of file descriptors, or the caller is gone already.
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        if stop.load(Ordering::SeqCst) {
            return;
        }
        handshakes.retain(|handshake| !handshake.is_finished());
        let waited = Instant::now();
        while handshakes.len() >= HANDSHAKES && waited.elapsed() < limits.hello {
            thread::sleep(Duration::from_millis(5));
            handshakes.retain(|handshake| !handshake.is_finished());
        }
        let (token, accepted) = (token.clone(), accepted.clone());
        let handshake = thread::Builder::new().name("restive-hello".to_owned()).spawn(move || {
            // Nobody asks for drivers any more when this fails.
            let _unheard = accepted.send(DriverConnection::accept(stream, &token, limits));
        });
        handshakes.extend(handshake);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_compared_whole_and_never_shown() {
        let token = Token::new("secret");
        assert!(token.is("secret"));
        assert!(!token.is("secre") && !token.is("secret1") && !token.is("Secret") && !token.is(""));
        assert_eq!(format!("{token:?}"), "Token(..)");
    }
}
