//! Calls of a service that is not encrypted: an own connection, read and written in this thread.
//!
//! The HTTP library's client is made for many connections at once: pool, tasks, timers and a look at all sockets between
//! any two steps cost more processor time than the exchange itself, which a service on the same machine then lacks; and
//! its sockets cannot be told to acknowledge what has arrived. Here a call is one write, and one read that waits for each
//! piece of the answer. What is sent is the same to the byte.

mod addresses;
mod losses;
mod open;
mod socket;

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::header::{ACCEPT, HOST, HeaderValue, USER_AGENT};

use crate::action::Answer;
use crate::exec::Stop;

use super::base::BaseUrl;
use super::connections::Connections;
use super::{Failure, FailureKind, Limits, Pulse, answer, wire};
use addresses::Addresses;
use losses::Losses;
use open::{Content, Open};

/// How often a call looks whether it should end early.
const GLANCE: Duration = Duration::from_millis(50);
/// How long the rest of an answer is waited for that is asked for as a sign of life.
const REST: Duration = Duration::from_millis(200);

/// Calls one server, over one kept-alive connection.
#[derive(Debug)]
pub(super) struct Direct {
    addresses: Addresses,
    host_field: HeaderValue,
    open: RefCell<Option<Open>>,
    /// Status of the last answer, while its connection is open; 0 before the first.
    last_status: Cell<u16>,
    losses: Losses,
    connections: Connections,
}

impl Direct {
    /// For the server of `base`, when it is not encrypted.
    pub(super) fn new(base: &BaseUrl, connections: &Connections) -> Option<Self> {
        let addresses = Addresses::of(base).filter(|_| !base.is_https())?;
        let host = base.host();
        let host_field = base.url().port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let host_field = HeaderValue::try_from(host_field).ok()?;
        let (open, last_status) = (RefCell::new(None), Cell::new(0));
        let losses = Losses::default();
        Some(Self { addresses, host_field, open, last_status, losses, connections: connections.clone() })
    }

    /// Sends `request` and reads the answer, until the limits are reached or stopping is asked for; calls `meanwhile` as
    /// soon as the request is on its way, or cannot be.
    pub(super) fn run(
        &self,
        request: reqwest::Request,
        limits: Limits,
        stop: &Stop,
        meanwhile: &mut dyn FnMut(),
    ) -> Result<Answer, Failure> {
        let end = Instant::now() + limits.time;
        let has_body = has_body(&request);
        let (request, mut open) = match self.begin(request, end, stop) {
            Ok(begun) => begun,
            Err(failure) => {
                meanwhile();
                return Err(failure);
            }
        };
        let sending = open.send(request);
        let received = open.run(answer::receive_directly(sending, limits.body_bytes), end, stop, meanwhile);
        // After a failure nobody knows what comes next on the connection.
        match &received {
            Ok(answer) => self.keep_after(answer, has_body, open),
            // It was closed since the last call.
            Err(failure) if failure.kind == FailureKind::Closed => self.keep(None),
            Err(failure) => {
                if failure.kind == FailureKind::TimedOut {
                    self.losses.waited();
                }
                self.last_status.set(0);
            }
        }
        received
    }

    /// What shows of whether the service lives when it gets `request` on a connection of its own. One on which it has answered
    /// is kept for the next call: a thread of the service that a call has blocked for good may have other connections to
    /// serve, and calls on these would wait as well.
    pub(super) fn pulse(&self, request: reqwest::Request, limits: Limits, stop: &Stop) -> Pulse {
        self.hang_up();
        let end = Instant::now() + limits.time;
        let has_body = has_body(&request);
        let (request, mut open) = match self.begin(request, end, stop) {
            Ok(begun) => begun,
            Err(failure) => return Pulse::of(Err(failure)),
        };
        let control = open.control();
        let mut answer = pin!(answer::receive_directly(open.send(request), limits.body_bytes));
        // The rest of what has begun is not waited for as long: whatever it is, something is heard.
        let mut heard = None;
        let soon = poll_fn(|context| match answer.as_mut().poll(context) {
            Poll::Pending if control.has_begun() && heard.get_or_insert_with(Instant::now).elapsed() >= REST => {
                Poll::Ready(Err(Failure::timed_out()))
            }
            next => next,
        });
        match open.run(soon, end, stop, &mut || {}) {
            Ok(answer) => {
                self.keep_after(&answer, has_body, open);
                Pulse::Speaks
            }
            Err(_) if control.has_begun() => Pulse::Speaks,
            Err(failure) => Pulse::of(Err(failure)),
        }
    }

    /// The request that had no answer was received.
    pub(super) fn note_received(&self) {
        self.losses.withdraw();
    }

    /// Closes the kept connection, which is then not one that the service closed.
    pub(super) fn hang_up(&self) {
        self.last_status.set(0);
        self.open.replace(None);
    }

    /// Keeps the connection on which `answer` came, to a request with a body or without, where it can be used again.
    fn keep_after(&self, answer: &Answer, has_body: bool, mut open: Open) {
        open.step();
        let is_given_up = self.losses.answered(has_body, answer.status);
        if is_given_up {
            self.connections.note_given_up();
        }
        // A connection on which the rest of a long body may still come is given up by this side, too.
        self.last_status.set(if answer.truncated || is_given_up { 0 } else { answer.status });
        self.keep(Some(open).filter(|open| !open.is_over() && !is_given_up));
    }

    /// Keeps the connection for the next call; with none, notes that the service closed it.
    fn keep(&self, open: Option<Open>) {
        if open.is_none() && self.last_status.get() != 0 {
            self.connections.note_closed(self.last_status.take());
        }
        self.open.replace(open);
    }

    /// `request` as it is sent, and the connection for it.
    fn begin(&self, request: reqwest::Request, end: Instant, stop: &Stop) -> Result<(hyper::Request<Content>, Open), Failure> {
        let request = self.outgoing(request)?;
        Ok((request, self.connection(end, stop)?))
    }

    /// The request with the fields that the HTTP library's client adds, in its order.
    fn outgoing(&self, mut request: reqwest::Request) -> Result<hyper::Request<Content>, Failure> {
        let target = &request.url()[url::Position::BeforePath..url::Position::AfterQuery];
        let target: hyper::Uri = target.parse().map_err(|error| Failure::unsendable(format!("{error}")))?;
        let content = request.body().and_then(reqwest::Body::as_bytes).map(Bytes::copy_from_slice);
        let mut made = hyper::Request::new(Content(content));
        *made.method_mut() = request.method().clone();
        *made.uri_mut() = target;
        let headers = made.headers_mut();
        std::mem::swap(headers, request.headers_mut());
        headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
        headers.entry(USER_AGENT).or_insert(HeaderValue::from_static(wire::USER_AGENT));
        headers.entry(HOST).or_insert_with(|| self.host_field.clone());
        Ok(made)
    }

    /// The connection of the last call if it can be used again, else a new one.
    fn connection(&self, end: Instant, stop: &Stop) -> Result<Open, Failure> {
        if let Some(open) = self.open.take() {
            match open.still() {
                Some(open) => return Ok(open),
                None => self.keep(None),
            }
        }
        let mut open = Open::new(self.stream(end, stop)?)?;
        self.last_status.set(0);
        self.losses.begin();
        self.connections.note();
        open.step();
        Ok(open)
    }

    /// Connects to the first address that takes it. Each gets an equal part of the time that is left: one that cannot be
    /// reached says nothing at all.
    fn stream(&self, end: Instant, stop: &Stop) -> Result<TcpStream, Failure> {
        let addresses = self.addresses.get(end, stop)?;
        let mut refusal = None;
        for (idx, address) in addresses.iter().enumerate() {
            let now = Instant::now();
            let n_left = u32::try_from(addresses.len() - idx).unwrap_or(u32::MAX);
            match stream_to(*address, now + end.saturating_duration_since(now) / n_left, stop) {
                Ok(stream) => {
                    self.addresses.prefer(*address);
                    return Ok(stream);
                }
                Err(failure) => refusal = Some(failure),
            }
        }
        self.addresses.forget();
        Err(refusal.unwrap_or_else(Failure::no_address))
    }
}

fn has_body(request: &reqwest::Request) -> bool {
    request.body().and_then(reqwest::Body::as_bytes).is_some_and(|body| !body.is_empty())
}

/// Connects to `address`; a server that is too busy to accept is tried again until `end`.
fn stream_to(address: SocketAddr, end: Instant, stop: &Stop) -> Result<TcpStream, Failure> {
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if stop.is_requested() {
            return Err(Failure::stopped());
        }
        if left.is_zero() {
            return Err(Failure::timed_out());
        }
        match TcpStream::connect_timeout(&address, left.min(GLANCE)) {
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
            connected => return connected.map_err(|error| Failure::connecting(&error)),
        }
    }
}

#[cfg(test)]
mod tests;
