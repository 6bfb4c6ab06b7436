//! The core's side of a connection to one driver.

use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use crate::codec;
use crate::connect::{Token, Wire};
use crate::error::Error;
use crate::frame::{MAX_FRAME, Waiting};
use crate::message::{
    CoreHello, DriverHello, Feedback, Refusal, Reply, Request, Routes, StartAction, StartTest, Units, UnitsFrom,
};

/// How long the core waits for a driver.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For the hello, and to get a connection.
    pub hello: Duration,
    /// For a reply. A service that pauses to collect garbage answers late, a stopped one never.
    pub reply: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { hello: Duration::from_secs(5), reply: Duration::from_secs(20) }
    }
}

/// A connected driver. After any error but [`Error::Refused`] the connection is of no use and says [`Error::Closed`].
#[derive(Debug)]
pub struct DriverConnection {
    wire: Wire,
    limits: Limits,
    hello: DriverHello,
    outgoing: Vec<u8>,
    broken: bool,
}

/// Name and release of this end, for messages.
const CORE: &str = concat!("restive ", env!("CARGO_PKG_VERSION"));

fn core_hello(token: &Token) -> Vec<u8> {
    let mut out = Vec::new();
    codec::append_request(&mut out, &Request::Hello(CoreHello { token: token.text().to_owned(), core: CORE.to_owned() }));
    out
}

fn driver_hello(wire: &mut Wire, token: &Token, limits: Limits) -> Result<DriverHello, Error> {
    match wire.read_hello(limits.hello, codec::read_reply)? {
        Reply::Hello(hello) if token.is(&hello.token) => Ok(hello),
        Reply::Hello(_) => Err(Error::WrongToken),
        Reply::Refused(refusal) => Err(refusal.into()),
        other => Err(Error::Unexpected { found: other.name(), wanted: "hello of the driver" }),
    }
}

impl DriverConnection {
    /// Calls a driver that listens at `address` (`host:port`).
    pub fn call(address: &str, token: &Token, limits: Limits) -> Result<Self, Error> {
        let mut wire = Wire::dial(address, limits.hello)?;
        wire.send(&core_hello(token))?;
        let hello = driver_hello(&mut wire, token, limits)?;
        Ok(Self { wire, limits, hello, outgoing: Vec::new(), broken: false })
    }

    /// Takes a driver's call. A caller that is turned away is told why.
    pub fn accept(stream: TcpStream, token: &Token, limits: Limits) -> Result<Self, Error> {
        let mut wire = Wire::new(stream, limits.hello)?;
        match driver_hello(&mut wire, token, limits) {
            Ok(hello) => {
                wire.send(&core_hello(token))?;
                Ok(Self { wire, limits, hello, outgoing: Vec::new(), broken: false })
            }
            Err(error) => {
                let mut out = Vec::new();
                codec::append_refusal(&mut out, &Refusal::from(&error));
                // The caller may be gone; the reason for turning it away is what counts.
                let _unheard = wire.send(&out);
                Err(error)
            }
        }
    }

    /// What the driver said about itself.
    pub fn hello(&self) -> &DriverHello {
        &self.hello
    }

    /// Whether the driver said it has the `capability` (see [`crate::message::capability`]).
    pub fn is_capable(&self, capability: &str) -> bool {
        self.hello.capabilities.iter().any(|own| own == capability)
    }

    /// Sends all `requests` in one piece and gives their replies, in order: one round trip.
    ///
    /// # Errors
    ///
    /// A refused request is a [`Reply::Refused`] in its place, not an error.
    pub fn exchange(&mut self, requests: &[Request]) -> Result<Vec<Reply>, Error> {
        if self.broken {
            return Err(Error::Closed);
        }
        self.outgoing.clear();
        for request in requests {
            codec::append_request(&mut self.outgoing, request);
        }
        let sent = self.wire.send(&self.outgoing).and_then(|()| self.wire.look_out());
        let replies = sent.and_then(|()| requests.iter().map(|_| self.receive()).collect());
        if replies.is_err() {
            self.give_up();
        }
        replies
    }

    /// Ends the connection: replies that are still on the way would be taken for others.
    fn give_up(&mut self) {
        self.broken = true;
        // It may be closed already.
        let _closed = self.wire.stream.shutdown(Shutdown::Both);
    }

    /// The next reply; notices are passed over.
    fn receive(&mut self) -> Result<Reply, Error> {
        let waiting = Waiting { first: Some(self.limits.reply), rest: self.limits.reply };
        loop {
            let frame = self.wire.reader.next(&mut self.wire.stream, MAX_FRAME, waiting)?;
            if (codec::op::FIRST_NOTICE..=codec::op::LAST_NOTICE).contains(&frame.op) {
                continue;
            }
            let reply = codec::read_reply(frame)?;
            if let Reply::Refused(refusal) = &reply {
                let error = Error::from(refusal.clone());
                // The peer ends the connection after such a refusal.
                if !error.code().is_recoverable() {
                    return Err(error);
                }
            }
            return Ok(reply);
        }
    }

    fn ask<T>(&mut self, request: Request, wanted: &'static str, pick: impl FnOnce(Reply) -> Option<T>) -> Result<T, Error> {
        let reply = self.exchange(&[request])?.pop().ok_or(Error::Closed)?;
        if let Reply::Refused(refusal) = reply {
            return Err(refusal.into());
        }
        let found = reply.name();
        pick(reply).ok_or_else(|| self.give_up_on(found, wanted))
    }

    /// The driver answered something else: its answers can no longer be trusted.
    fn give_up_on(&mut self, found: &'static str, wanted: &'static str) -> Error {
        self.give_up();
        Error::Unexpected { found, wanted }
    }

    fn ask_done(&mut self, request: Request) -> Result<(), Error> {
        self.ask(request, "done", |reply| matches!(reply, Reply::Done).then_some(()))
    }

    fn ask_feedback(&mut self, request: Request) -> Result<Feedback, Error> {
        self.ask(request, "feedback", |reply| match reply {
            Reply::Feedback(feedback) => Some(*feedback),
            _ => None,
        })
    }

    /// Starts a test; gives what was reached since the last action, which no action of a test is credited with.
    pub fn start_test(&mut self, test: StartTest) -> Result<Feedback, Error> {
        self.ask_feedback(Request::StartTest(test))
    }

    /// Starts an action. To be done when it returns: the service's work from then on belongs to the action.
    pub fn start_action(&mut self, action: StartAction) -> Result<(), Error> {
        self.ask_done(Request::StartAction(action))
    }

    /// Ends the action; gives what it reached.
    pub fn end_action(&mut self) -> Result<Feedback, Error> {
        self.ask_feedback(Request::EndAction)
    }

    /// Ends the action and starts the next one of the same test, in one round trip.
    pub fn end_and_start_action(&mut self, next: StartAction) -> Result<Feedback, Error> {
        let replies = self.exchange(&[Request::EndAction, Request::StartAction(next)])?;
        let mut replies = replies.into_iter();
        match (replies.next(), replies.next()) {
            (Some(Reply::Feedback(feedback)), Some(Reply::Done)) => Ok(*feedback),
            (Some(Reply::Refused(refusal)), _) | (_, Some(Reply::Refused(refusal))) => Err(refusal.into()),
            (first, _) => {
                let found = first.as_ref().map_or("nothing", Reply::name);
                Err(self.give_up_on(found, "feedback and done"))
            }
        }
    }

    /// Makes the driver forget what was reached. Ids and names stay.
    pub fn reset(&mut self) -> Result<(), Error> {
        self.ask_done(Request::Reset)
    }

    /// Asks what of the service is measured.
    pub fn units(&mut self, from: UnitsFrom) -> Result<Units, Error> {
        self.ask(Request::Units(from), "units", |reply| match reply {
            Reply::Units(units) => Some(units),
            _ => None,
        })
    }

    /// Asks which routes frameworks have registered; a driver of an earlier version refuses.
    pub fn routes(&mut self) -> Result<Routes, Error> {
        self.ask(Request::Routes, "routes", |reply| match reply {
            Reply::Routes(routes) => Some(routes),
            _ => None,
        })
    }

    /// Ends the work of the current action at its next probe.
    pub fn kill(&mut self) -> Result<(), Error> {
        self.ask_done(Request::Kill)
    }

    /// Ends the connection. The service goes on.
    pub fn shutdown(mut self) -> Result<(), Error> {
        self.ask_done(Request::Shutdown)
    }
}
