//! A service that is kept for others: watched, and restarted, reset or ended as they ask over HTTP.
//!
//! [`Keeper::run`] is the entry point; it stays in its thread, and [`listen`] answers calls in another one, so that the
//! status is told also while the service starts. Orders are carried out one after the other.

mod interface;

pub use interface::{Listening, listen};

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::oneshot;

use crate::exec::{Error, Reset, Service};

/// How often the keeper looks whether the service still runs.
const GLANCE: Duration = Duration::from_millis(100);
/// A service that ends sooner after its start than that has not really run.
const SHORT_LIFE: Duration = Duration::from_secs(10);
/// Such ends in a row after which a service is not started anew by itself any more.
const MAX_SHORT_LIVES: u32 = 3;
/// Lines of output that are told of a service that ended.
const MAX_OUTPUT: usize = 10;

/// What somebody wants of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// That it is started anew.
    Restart,
    /// That it is brought back to its first state.
    Reset,
    /// That it is ended, and its keeper with it.
    Stop,
}

/// A wish, and where to say what became of it.
#[derive(Debug)]
pub struct Order {
    wish: Wish,
    reply: oneshot::Sender<Result<Done, Failed>>,
}

/// A wish that was carried out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Done {
    /// What was done: `restart`, `reset` or `stop`; a reset by which the service was started anew is a `restart`.
    pub done: &'static str,
    /// How long that took.
    pub seconds: f64,
}

/// A wish that could not be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// What went wrong.
    pub error: String,
    /// The next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// How the service is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Whether it runs, is on its way, or has ended.
    pub state: State,
    /// Its base URL.
    pub base_url: String,
    /// The port that it listens on.
    pub port: u16,
    /// Its process; none when it does not run.
    pub pid: Option<i32>,
    /// How it is brought back to its first state: `http`, `command` or `restart`.
    pub reset_by: &'static str,
    /// How often it was started anew.
    pub restarts: u64,
    /// How often it ended without being told to.
    pub deaths: u64,
    /// How it ended the last time without being told to.
    pub last_end: Option<String>,
    /// What it printed last before that, oldest line first.
    pub last_output: Vec<String>,
}

/// Whether a service can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its process runs.
    Up,
    /// It is being started or reset.
    Busy,
    /// It has ended.
    Down,
}

/// The status as both threads see it.
#[derive(Debug, Clone)]
pub struct SharedStatus(Arc<Mutex<Status>>);

impl SharedStatus {
    /// The status now.
    pub fn now(&self) -> Status {
        self.open().clone()
    }

    fn open(&self) -> MutexGuard<'_, Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a keeper tells whoever watches it.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A wish was carried out.
    Done(Done),
    /// A wish, or a restart by itself, failed.
    Failed(Failed),
    /// The service ended without being told to, in that way.
    Died(String),
    /// It ends as soon as it is started, and is not started by itself any more.
    GivenUp,
}

/// Keeps one service.
#[derive(Debug)]
pub struct Keeper {
    service: Service,
    status: SharedStatus,
    restarts_on_death: bool,
    started: Instant,
    short_lives: u32,
    /// Whether the end of the process that runs, or ran last, is known or was wanted.
    is_told: bool,
}

impl Keeper {
    /// A keeper of `service`, which runs, is ours to start, and is reset by `reset`; where that is never a reset starts it
    /// anew. When it `restarts_on_death`, a service that ends is started anew by itself.
    ///
    /// # Panics
    /// When the service is not ours to start.
    pub fn new(service: Service, reset: &Reset, restarts_on_death: bool) -> Self {
        let sut = service.sut.as_ref().expect("the service is ours to start");
        let reset_by = match reset {
            Reset::Http { .. } => "http",
            Reset::Command(_) => "command",
            Reset::Restart | Reset::Never => "restart",
        };
        let status = Status {
            state: State::Up,
            base_url: service.client.base_url().to_owned(),
            port: sut.port(),
            pid: Some(sut.id()),
            reset_by,
            restarts: 0,
            deaths: 0,
            last_end: None,
            last_output: Vec::new(),
        };
        let status = SharedStatus(Arc::new(Mutex::new(status)));
        Self { service, status, restarts_on_death, started: Instant::now(), short_lives: 0, is_told: false }
    }

    /// The status, for the other thread.
    pub fn status(&self) -> SharedStatus {
        self.status.clone()
    }

    /// Carries out `orders` and watches the service until somebody wishes its end, with a signal or an order; then it has
    /// ended. What happens is told by `tell`.
    pub fn run(mut self, orders: &Receiver<Order>, tell: &mut dyn FnMut(&Event)) {
        while !self.service.stop.is_requested() {
            match orders.recv_timeout(GLANCE) {
                Ok(order) => {
                    // It may have ended since the last look, and is then not to be called.
                    self.look(tell);
                    if self.carry_out(order, tell) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.look(tell),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.service.end();
    }

    /// Carries out one order; says whether it was the last one.
    fn carry_out(&mut self, order: Order, tell: &mut dyn FnMut(&Event)) -> bool {
        let began = Instant::now();
        self.status.open().state = State::Busy;
        let result = match order.wish {
            Wish::Restart => self.restart().map(|()| "restart"),
            Wish::Reset => self.reset(),
            Wish::Stop => {
                self.service.end();
                Ok("stop")
            }
        };
        self.take_stock();
        // A thousandth is as exact as anybody needs it.
        let seconds = (began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        let result = result.map(|done| Done { done, seconds }).map_err(|error| failed(&error));
        tell(&match result.clone() {
            Ok(done) => Event::Done(done),
            Err(failed) => Event::Failed(failed),
        });
        // Who asked may be gone by now.
        let _ = order.reply.send(result);
        order.wish == Wish::Stop
    }

    fn restart(&mut self) -> Result<(), Error> {
        let sut = self.service.sut.as_mut().expect("the service is ours to start");
        // Why a start failed is told by its error.
        self.is_told = true;
        sut.restart()?;
        sut.await_listening();
        self.is_told = false;
        self.started = Instant::now();
        Ok(())
    }

    /// Resets a service that runs; one that has ended, or has no other way back, is started anew.
    fn reset(&mut self) -> Result<&'static str, Error> {
        let is_alive = self.service.sut.as_ref().is_some_and(crate::exec::Sut::is_alive);
        if !is_alive || !self.service.resets() {
            return self.restart().map(|()| "restart");
        }
        let restarts = self.service.restarts();
        self.service.try_reset()?;
        let is_reset = self.service.restarts() == restarts;
        if !is_reset {
            self.started = Instant::now();
        }
        Ok(if is_reset { "reset" } else { "restart" })
    }

    /// Notices that the service has ended, and starts it anew where that is wanted.
    fn look(&mut self, tell: &mut dyn FnMut(&Event)) {
        let sut = self.service.sut.as_ref().expect("the service is ours to start");
        let Some(how) = sut.ending().filter(|_| !self.is_told) else { return };
        self.is_told = true;
        let lines = sut.last_output();
        {
            let mut status = self.status.open();
            status.deaths += 1;
            status.last_end = Some(how.clone());
            status.last_output = lines[lines.len().saturating_sub(MAX_OUTPUT)..].to_vec();
        }
        self.take_stock();
        tell(&Event::Died(how));
        if self.restarts_on_death {
            self.start_again(tell);
        }
    }

    /// Starts the service anew until it runs, or has ended soon after its start too often.
    fn start_again(&mut self, tell: &mut dyn FnMut(&Event)) {
        self.short_lives = if self.started.elapsed() < SHORT_LIFE { self.short_lives + 1 } else { 1 };
        while self.short_lives < MAX_SHORT_LIVES {
            self.status.open().state = State::Busy;
            let began = Instant::now();
            let result = self.restart();
            self.take_stock();
            match result {
                Ok(()) => {
                    let seconds = began.elapsed().as_secs_f64();
                    return tell(&Event::Done(Done { done: "restart", seconds }));
                }
                Err(Error::Interrupted) => return,
                Err(error) => tell(&Event::Failed(failed(&error))),
            }
            self.short_lives += 1;
        }
        self.restarts_on_death = false;
        tell(&Event::GivenUp);
    }

    /// Writes into the status how the service is now.
    fn take_stock(&mut self) {
        let sut = self.service.sut.as_ref().expect("the service is ours to start");
        let mut status = self.status.open();
        status.state = if sut.is_alive() { State::Up } else { State::Down };
        status.pid = sut.is_alive().then(|| sut.id());
        status.restarts = sut.restarts();
        status.port = sut.port();
    }
}

fn failed(error: &Error) -> Failed {
    Failed { error: error.to_string(), hint: error.hint().map(str::to_owned) }
}

#[cfg(test)]
mod tests;
