//! The driver's side of a connection: hello, then requests one by one.

use std::net::TcpStream;
use std::time::Duration;

use crate::codec;
use crate::connect::{Token, Wire};
use crate::error::{Error, ErrorCode};
use crate::frame::{MAX_FRAME, Waiting};
use crate::message::{DriverHello, Feedback, Refusal, Reply, Request, Routes, Units};

/// Carries out requests.
pub trait Handler {
    /// Carries out one request. [`Request::Hello`] never comes here.
    fn answer(&mut self, request: Request) -> Answer<'_>;
}

/// How a request went.
#[derive(Debug)]
pub enum Answer<'a> {
    /// Carried out.
    Done,
    /// What was reached.
    Feedback(&'a Feedback),
    /// What is measured.
    Units(Units),
    /// What frameworks have registered.
    Routes(Routes),
    /// Not carried out.
    Refused(Refusal),
}

impl Answer<'_> {
    /// A refusal of `code` because of `text`, a lower-case fragment.
    pub fn refused(code: ErrorCode, text: impl Into<String>) -> Self {
        Self::Refused(Refusal { code: code.0, text: text.into() })
    }
}

/// How long a driver waits for hellos and for the rest of a message; it waits for ever for a request.
#[derive(Clone, Copy, Debug)]
pub struct Patience(pub Duration);

impl Default for Patience {
    fn default() -> Self {
        Self(Duration::from_secs(10))
    }
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The core asked for it.
    Shutdown,
    /// The core is gone.
    Gone,
}

/// A connection to a core that has the token.
#[derive(Debug)]
pub struct Session {
    wire: Wire,
    patience: Patience,
    outgoing: Vec<u8>,
}

fn hello_bytes(hello: DriverHello) -> Vec<u8> {
    let mut out = Vec::new();
    codec::append_reply(&mut out, &Reply::Hello(hello));
    out
}

fn core_hello(wire: &mut Wire, token: &Token, patience: Patience) -> Result<(), Error> {
    match wire.read_hello(patience.0, codec::read_request)? {
        Request::Hello(hello) if token.is(&hello.token) => Ok(()),
        Request::Hello(_) => Err(Error::WrongToken),
        other => Err(Error::Unexpected { found: other.name(), wanted: "hello of the core" }),
    }
}

impl Session {
    /// Calls the core that listens at `address` (`host:port`). The token in `hello` is the one the core must have too.
    pub fn connect(address: &str, hello: DriverHello, patience: Patience) -> Result<Self, Error> {
        let token = Token::new(hello.token.clone());
        let mut wire = Wire::dial(address, patience.0)?;
        wire.send(&hello_bytes(hello))?;
        core_hello(&mut wire, &token, patience)?;
        Ok(Self { wire, patience, outgoing: Vec::new() })
    }

    /// Takes the call of a core. A caller that is turned away is told why.
    pub fn accept(stream: TcpStream, hello: DriverHello, patience: Patience) -> Result<Self, Error> {
        let token = Token::new(hello.token.clone());
        let mut wire = Wire::new(stream, patience.0)?;
        if let Err(error) = core_hello(&mut wire, &token, patience) {
            let mut out = Vec::new();
            codec::append_refusal(&mut out, &Refusal::from(&error));
            // The caller may be gone; the reason for turning it away is what counts.
            let _unheard = wire.send(&out);
            return Err(error);
        }
        wire.send(&hello_bytes(hello))?;
        Ok(Self { wire, patience, outgoing: Vec::new() })
    }

    /// Lets `handler` answer requests until the core shuts down or is gone.
    ///
    /// # Errors
    ///
    /// What the core said made no sense; it was told so, and the connection is closed.
    pub fn serve(mut self, handler: &mut impl Handler) -> Result<End, Error> {
        let waiting = Waiting { first: None, rest: self.patience.0 };
        loop {
            // Requests that came together are answered together.
            if !self.wire.reader.has_more() && !self.outgoing.is_empty() {
                match self.wire.send(&self.outgoing) {
                    Err(Error::Closed) => return Ok(End::Gone),
                    sent => sent?,
                }
                self.outgoing.clear();
            }
            let frame = self.wire.reader.next(&mut self.wire.stream, MAX_FRAME, waiting);
            match frame.and_then(codec::read_request) {
                Ok(Request::Shutdown) => {
                    handler.answer(Request::Shutdown);
                    codec::append_done(&mut self.outgoing);
                    self.wire.send(&self.outgoing)?;
                    return Ok(End::Shutdown);
                }
                Ok(request) => {
                    if let Some(error) = answer(handler, request, &mut self.outgoing) {
                        // The core may be gone; the error is what counts.
                        let _unheard = self.wire.send(&self.outgoing);
                        return Err(error);
                    }
                }
                Err(Error::Closed) => return Ok(End::Gone),
                Err(error) => self.refuse(error)?,
            }
        }
    }

    /// Tells the core about an error, and ends the session when it cannot go on.
    fn refuse(&mut self, error: Error) -> Result<(), Error> {
        codec::append_refusal(&mut self.outgoing, &Refusal::from(&error));
        if error.code().is_recoverable() {
            return Ok(());
        }
        // The core may be gone; the error is what counts.
        let _unheard = self.wire.send(&self.outgoing);
        Err(error)
    }
}

/// Appends the answer to one request; gives the error when the handler ends the session by its refusal.
fn answer(handler: &mut impl Handler, request: Request, out: &mut Vec<u8>) -> Option<Error> {
    let start = out.len();
    if matches!(request, Request::Hello(_)) {
        let refusal = Refusal { code: ErrorCode::NOT_NOW.0, text: "found a second hello, wanted a request".to_owned() };
        codec::append_refusal(out, &refusal);
        return None;
    }
    match handler.answer(request) {
        Answer::Done => codec::append_done(out),
        Answer::Feedback(feedback) => codec::append_feedback_frame(out, feedback),
        Answer::Units(units) => codec::append_reply(out, &Reply::Units(units)),
        Answer::Routes(routes) => codec::append_reply(out, &Reply::Routes(routes)),
        Answer::Refused(refusal) => {
            codec::append_refusal(out, &refusal);
            let error = Error::from(refusal);
            return (!error.code().is_recoverable()).then_some(error);
        }
    }
    // The core would end the connection because of one that fits in no frame.
    if out.len() - start > MAX_FRAME {
        let text = format!("the answer has {} bytes, allowed are {MAX_FRAME}", out.len() - start);
        out.truncate(start);
        codec::append_refusal(out, &Refusal { code: ErrorCode::FAILED.0, text });
    }
    None
}
