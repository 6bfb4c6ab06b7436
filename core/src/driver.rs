//! The core's side of drivers: what measures the service from inside.
//!
//! A [`Driver`] waits for processes of the service to call, tells them where tests and actions begin, and turns what they
//! send into [`Feedback`] with ids that last for the whole run. Whatever goes wrong with one ends guidance by it, never
//! the run; a service that is started anew calls again. The protocol is described in `driver-protocol/SPEC.md`.

mod coverage;
mod exchange;
mod hint_traffic;
mod library_calls;
mod line_coverage;
mod peer;
mod places;
mod repeat;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use restive_driver_protocol::message::{Report, Routes, StartAction, StartTest, TestNumber, Units};
use restive_driver_protocol::{DriverConnection, DriverListener, Error, Request, Token};

use crate::search::{Feedback, Tracking};

pub use coverage::{Counters, Coverage, Elsewhere, Extent, UnitCoverage};
pub use exchange::Exchange;
use exchange::Purpose;
pub use hint_traffic::HintTraffic;
use hint_traffic::Told;
pub use library_calls::LibraryCall;
pub use line_coverage::LineCoverage;
use peer::Peer;
use places::Places;
pub use repeat::Aside;

/// How long one look for callers lasts while a driver is waited for.
const GLANCE: Duration = Duration::from_millis(20);

/// What follows an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The action at that position of the same test.
    Action(usize),
    /// The first action of another test; nothing is called in between.
    Test,
    /// Something else first, for example a reset.
    Pause,
}

/// What became of waiting for drivers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Met {
    /// At least one measures the service.
    Measured,
    /// Drivers called, and none of the classes that were loaded is measured.
    NothingMeasured {
        /// Packages of others with the number of their classes, most first.
        loaded: Vec<(String, u32)>,
        /// Classes of the service that cannot be measured, each with the reason.
        skipped: Vec<(String, String)>,
    },
    /// None called.
    Nobody,
    /// Callers were turned away, or said that they cannot measure: the first reason, and the next step where there is one.
    Refused(String, Option<&'static str>),
}

/// The drivers of one service.
#[derive(Debug)]
pub struct Driver {
    door: Door,
    peers: Vec<Peer>,
    places: Places,
    coverage: Coverage,
    n_tests: u64,
    asked: Asked,
    /// Whether the first action of a test has begun on all peers.
    is_armed: bool,
    /// Whether what runs is work for restive itself: the schema, log-ins, looks at paths.
    is_preparing: bool,
    guides: bool,
    /// Values of the action that begins next; none where values are not tracked.
    track: Option<Vec<String>>,
    /// Which values are.
    tracking: Tracking,
    unnamed: UnnamedInputs,
    hint_traffic: HintTraffic,
    /// Hints of all sessions: a service that was started anew tells them again.
    told: Told,
    /// Classes that were told when they were last asked for.
    n_units: usize,
    /// What was exchanged since it was last asked for, from the beginning; none where nobody wants to know.
    kept: Option<Vec<Exchange>>,
}

/// What drivers are asked to tell of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Places that no test has covered.
    News,
    /// All places that each call reaches, whatever calls of its test before it did.
    Survey,
    /// All places that each test reaches.
    Tests,
}

impl Asked {
    fn report(self) -> Report {
        if self == Self::News { Report::Uncovered } else { Report::All }
    }
}

/// What becomes of inputs that the service reads and its schema does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnnamedInputs {
    /// The search is told of them.
    Told,
    /// They are passed over.
    PassedOver,
}

/// How drivers and the core find each other.
#[derive(Debug)]
enum Door {
    /// Drivers call.
    Open(DriverListener),
    /// The core calls the one that listens there.
    Call { address: String, token: Token },
}

impl Driver {
    /// Waits for drivers that know `token`; none has called yet.
    ///
    /// `guides` says whether the search learns what they see, or it is only counted.
    ///
    /// # Errors
    /// When no port of the loopback interface can be had.
    pub fn listen(token: Token, guides: bool) -> Result<Self, Error> {
        Ok(Self::new(Door::Open(DriverListener::bind(token)?), guides))
    }

    /// Will call the driver that listens at `address` (`host:port`).
    pub fn call(address: &str, token: Token, guides: bool) -> Self {
        Self::new(Door::Call { address: address.to_owned(), token }, guides)
    }

    fn new(door: Door, guides: bool) -> Self {
        Self {
            door,
            peers: Vec::new(),
            places: Places::default(),
            coverage: Coverage::default(),
            n_tests: 0,
            asked: Asked::News,
            is_armed: false,
            is_preparing: false,
            guides,
            track: guides.then(Vec::new),
            tracking: Tracking::Undisturbed,
            hint_traffic: HintTraffic::default(),
            told: Told::default(),
            n_units: 0,
            kept: Some(Vec::new()),
            unnamed: if guides { UnnamedInputs::Told } else { UnnamedInputs::PassedOver },
        }
    }

    /// The same with these values tracked; real ones unless said otherwise, where drivers guide the search.
    #[must_use]
    pub fn tracking(mut self, tracking: Tracking) -> Self {
        self.track = (tracking != Tracking::Off && self.guides).then(Vec::new);
        self.tracking = tracking;
        self
    }

    /// Which values of a call are to be tracked.
    pub fn followed(&self) -> Tracking {
        self.tracking
    }

    /// The same with inputs told that the service reads, or not; they are unless said otherwise, where drivers guide the search.
    #[must_use]
    pub fn expanding(mut self, expands: bool) -> Self {
        self.unnamed = if expands && self.guides { UnnamedInputs::Told } else { UnnamedInputs::PassedOver };
        self
    }

    /// Whether the search is told of inputs that the service reads.
    pub fn expands(&self) -> bool {
        self.unnamed == UnnamedInputs::Told && self.asked != Asked::Tests
    }

    /// Whether the search learns what drivers see.
    pub fn guides(&self) -> bool {
        self.guides
    }

    /// Whether a driver tells what the service does with values of a call.
    pub fn tracks(&self) -> bool {
        self.track.is_some() && self.asked != Asked::Tests && self.peers.iter().any(Peer::tells_hints)
    }

    /// Values of the action that begins next, to be tracked.
    pub fn track(&mut self, values: Vec<String>) {
        self.track = self.track.is_some().then_some(values);
    }

    /// Where drivers connect to; none when the core calls.
    pub fn address(&self) -> Option<SocketAddr> {
        match &self.door {
            Door::Open(listener) => Some(listener.address()),
            Door::Call { .. } => None,
        }
    }

    /// Takes in drivers that called, for up to `limit`, until one measures the service or `is_enough` says that nobody waits
    /// any more.
    pub fn meet(&mut self, limit: Duration, is_enough: &dyn Fn() -> bool) -> Met {
        let began = Instant::now();
        let mut refusal = None;
        loop {
            if let Err(error) = self.take_callers() {
                refusal = refusal.or(Some(error));
            }
            if self.peers.iter_mut().any(Peer::measures) {
                self.prepare();
                return Met::Measured;
            }
            if began.elapsed() >= limit || is_enough() {
                break;
            }
        }
        match refusal {
            _ if !self.peers.is_empty() => self.nothing_measured(),
            Some(error) => Met::Refused(error.to_string(), error.hint()),
            None => Met::Nobody,
        }
    }

    /// The service has started: what it does until the first test is for restive's own preparation.
    fn prepare(&mut self) {
        let requests = self.test_requests();
        self.exchange(&requests);
        self.is_preparing = true;
    }

    /// Forgets drivers of a service that was ended, and takes in those of the one started in its place.
    pub fn meet_again(&mut self, limit: Duration, is_enough: &dyn Fn() -> bool) {
        self.peers.clear();
        (self.is_armed, self.is_preparing) = (false, false);
        self.meet(limit, is_enough);
    }

    /// Whether any driver is connected.
    pub fn is_connected(&self) -> bool {
        !self.peers.is_empty()
    }

    /// From now on feedback names all places that a test reaches, also those reached before; costs time in the service.
    pub fn report_all(&mut self) {
        self.ask_for(Asked::Tests);
    }

    /// From now on feedback leaves out places that are covered, as at first.
    pub fn report_news(&mut self) {
        self.ask_for(Asked::News);
    }

    /// From now on feedback names all places that a call reaches, whatever reached them before, or only news again; the
    /// former costs time in the service.
    pub fn survey(&mut self, is_on: bool) {
        let wanted = if is_on { Asked::Survey } else { Asked::News };
        if self.asked != wanted && self.asked != Asked::Tests {
            self.ask_for(wanted);
        }
    }

    fn ask_for(&mut self, wanted: Asked) {
        self.asked = wanted;
        self.is_armed = false;
    }

    /// Begins a test, unless the last action's end already did.
    pub fn begin(&mut self) {
        if self.is_armed {
            return;
        }
        // A process that a launcher started late calls late.
        let _turned_away = self.take_waiting();
        self.is_armed = true;
        if std::mem::take(&mut self.is_preparing) {
            self.finish_preparing();
            return;
        }
        let requests = self.test_requests();
        self.exchange(&requests);
    }

    /// Begins the first test. What preparing reached is reached, and forgotten over there: calls of tests that reach it again
    /// are credited with it.
    fn finish_preparing(&mut self) {
        let asked = std::mem::replace(&mut self.asked, Asked::Tests);
        let mut requests = vec![Request::EndAction];
        requests.extend(self.test_requests());
        self.asked = asked;
        let exchange = self.gather(&requests, Purpose::Preparation);
        self.take_in(exchange);
    }

    /// Ends the action that runs; what it did is for the search, where drivers guide it.
    pub fn end(&mut self, next: Next) -> Option<Feedback> {
        if self.peers.is_empty() {
            return None;
        }
        let mut requests = vec![Request::EndAction];
        match next {
            Next::Action(idx) => {
                if self.asked == Asked::Survey {
                    requests.push(self.start_test());
                }
                requests.push(self.start_action(idx));
            }
            Next::Test => requests.extend(self.test_requests()),
            Next::Pause => {}
        }
        self.is_armed = next == Next::Test;
        let feedback = self.exchange(&requests);
        self.for_search(feedback)
    }

    /// What ran since [`begin`](Self::begin) or [`end`](Self::end) belongs to no action.
    pub fn pause(&mut self) {
        self.is_armed = false;
    }

    /// Ends the work of the running action at its next probe: nobody waits for it any more.
    pub fn kill(&mut self) {
        self.exchange(&[Request::Kill]);
    }

    /// What was reached so far, out of what there is.
    pub fn coverage(&mut self) -> Coverage {
        self.ask_units();
        self.coverage.set_library_calls(&self.places);
        self.coverage.set_lines(&self.places);
        if let Some(peer) = self.peers.first() {
            self.coverage.driver = peer.description();
        }
        self.coverage.clone()
    }

    /// What frameworks of the service have registered, whether a schema names it or not.
    pub fn routes(&mut self) -> Routes {
        let mut all = Routes::default();
        for routes in self.peers.iter_mut().filter_map(Peer::routes) {
            all.routes.extend(routes.routes);
            all.dropped = all.dropped.saturating_add(routes.dropped);
            all.notes.extend(routes.notes);
        }
        all.routes.sort();
        all.routes.dedup();
        all
    }

    /// Names of places that were reached, and by no call of a test first.
    pub fn elsewhere(&self) -> BTreeMap<String, Elsewhere> {
        self.coverage.elsewhere(&self.places)
    }

    /// There are so many classes of the service, whether they are ever loaded or not; 0 when nobody knows.
    pub fn note_on_disk(&mut self, classes: u64) {
        self.coverage.n_on_disk = Some(classes).filter(|classes| *classes > 0);
    }

    /// How much was reached, for who looks on.
    pub fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.coverage.counters)
    }

    fn test_requests(&mut self) -> Vec<Request> {
        vec![self.start_test(), self.start_action(0)]
    }

    fn start_test(&mut self) -> Request {
        self.n_tests += 1;
        Request::StartTest(StartTest { number: TestNumber(self.n_tests), report: self.asked.report() })
    }

    fn start_action(&mut self, idx: usize) -> Request {
        let track = self.track.as_mut().map(std::mem::take).unwrap_or_default();
        Request::StartAction(StartAction { index: u32::try_from(idx).unwrap_or(u32::MAX), track })
    }

    /// What hints cost on the wire.
    pub fn hint_traffic(&self) -> &HintTraffic {
        &self.hint_traffic
    }

    /// Takes in who has called, waiting a moment for one.
    fn take_callers(&mut self) -> Result<(), Error> {
        match &self.door {
            Door::Open(listener) => {
                if let Some(connection) = listener.next(GLANCE)? {
                    self.take(connection);
                }
                self.take_waiting()
            }
            Door::Call { address, token } if self.peers.is_empty() => {
                let connection = DriverConnection::call(address, token, restive_driver_protocol::Limits::default());
                if connection.is_err() {
                    std::thread::sleep(GLANCE);
                }
                self.take(connection?);
                Ok(())
            }
            Door::Call { .. } => {
                std::thread::sleep(GLANCE);
                Ok(())
            }
        }
    }

    /// Takes in who is waiting already.
    fn take_waiting(&mut self) -> Result<(), Error> {
        let mut first = Ok(());
        while let Door::Open(listener) = &self.door {
            match listener.next(Duration::ZERO) {
                Ok(Some(connection)) => self.take(connection),
                Ok(None) => break,
                Err(error) => first = first.and(Err(error)),
            }
        }
        first
    }

    fn take(&mut self, connection: DriverConnection) {
        self.is_armed = false;
        self.peers.push(Peer::new(connection));
    }

    fn nothing_measured(&mut self) -> Met {
        let all: Vec<Units> = self.peers.iter_mut().filter_map(|peer| peer.all_units().ok()).collect();
        let (mut loaded, mut skipped) = (Vec::new(), Vec::new());
        for units in all {
            loaded.extend(units.groups.into_iter().map(|group| (group.name, group.units)));
            skipped.extend(units.skips.into_iter().map(|skip| (skip.name, skip.reason)));
        }
        loaded.sort_by(|one: &(String, u32), other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        Met::NothingMeasured { loaded, skipped }
    }
}

#[cfg(test)]
mod tests;
