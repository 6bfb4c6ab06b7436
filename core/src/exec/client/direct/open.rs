//! One open connection: the HTTP library's state of it, moved on by hand.

use std::convert::Infallible;
use std::future::Future;
use std::net::TcpStream;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::client::conn::http1::{Builder, Connection, SendRequest};

use crate::exec::Stop;
use crate::exec::client::Failure;

use super::GLANCE;
use super::socket::{Control, Socket};

/// An open connection.
#[derive(Debug)]
pub(super) struct Open {
    sender: SendRequest<Content>,
    connection: Pin<Box<Connection<Socket, Content>>>,
    control: Rc<Control>,
    woken: Arc<Woken>,
    waker: Waker,
    is_over: bool,
}

/// Notes that something can go on.
#[derive(Debug, Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Open {
    /// The connection that `stream` is.
    pub(super) fn new(stream: TcpStream) -> Result<Self, Failure> {
        let (socket, control) = Socket::new(stream).map_err(|error| Failure::connecting(&error))?;
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(Arc::clone(&woken));
        let shaking = Builder::new().handshake(socket);
        // HTTP/1 has no handshake on the wire, so that it is over at once.
        let Poll::Ready(made) = pin!(shaking).poll(&mut Context::from_waker(&waker)) else {
            return Err(Failure::unsendable("the HTTP library waits before anything was sent".to_owned()));
        };
        let (sender, connection) = made.map_err(|error| Failure::exchanging(&error))?;
        Ok(Self { sender, connection: Box::pin(connection), control, woken, waker, is_over: false })
    }

    /// Sends `request` as soon as the connection moves on.
    pub(super) fn send(
        &mut self,
        request: hyper::Request<Content>,
    ) -> impl Future<Output = hyper::Result<hyper::Response<Incoming>>> + use<> {
        self.sender.send_request(request)
    }

    /// What says whether something of an answer has come.
    pub(super) fn control(&self) -> Rc<Control> {
        Rc::clone(&self.control)
    }

    /// Whether it is closed.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// This connection, unless it was closed since the last call.
    pub(super) fn still(mut self) -> Option<Self> {
        self.control.look();
        self.step();
        let is_usable = !self.is_over && self.sender.is_ready();
        is_usable.then_some(self)
    }

    /// Does what can be done without waiting.
    pub(super) fn step(&mut self) {
        if !self.is_over {
            // An error is told to the request that it concerns, if there is one.
            self.is_over = self.connection.as_mut().poll(&mut Context::from_waker(&self.waker)).is_ready();
        }
    }

    /// Runs `work`, which uses this connection, until `end`.
    pub(super) fn run<T>(
        &mut self,
        work: impl Future<Output = Result<T, Failure>>,
        end: Instant,
        stop: &Stop,
        meanwhile: &mut dyn FnMut(),
    ) -> Result<T, Failure> {
        let mut work = pin!(work);
        let mut meanwhile = Some(meanwhile);
        loop {
            let done = self.advance(work.as_mut());
            // Nothing was read yet the first time: what could be written is on its way.
            if let Some(meanwhile) = meanwhile.take() {
                meanwhile();
            }
            if let Poll::Ready(done) = done {
                return done;
            }
            if stop.is_requested() {
                return Err(Failure::stopped());
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Failure::timed_out());
            }
            self.control.wait(left.min(GLANCE)).map_err(|error| Failure::connecting(&error))?;
        }
    }

    /// Lets the connection and `work` take turns until both wait for the other side.
    fn advance<T>(&mut self, mut work: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
        loop {
            self.woken.0.store(false, Ordering::Relaxed);
            self.step();
            if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(&self.waker)) {
                return Poll::Ready(done);
            }
            if !self.woken.0.load(Ordering::Relaxed) {
                return Poll::Pending;
            }
        }
    }
}

/// The body of a request, in one piece.
#[derive(Debug)]
pub(super) struct Content(pub(super) Option<Bytes>);

impl Body for Content {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}
