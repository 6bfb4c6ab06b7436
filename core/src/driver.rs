//! The core's side of drivers: what measures the service from inside.
//!
//! A [`Driver`] waits for processes of the service to call, tells them where tests and actions begin, and turns what they
//! send into [`Feedback`] with ids that last for the whole run. Whatever goes wrong with one ends guidance by it, never
//! the run; a service that is started anew calls again. The protocol is described in `driver-protocol/SPEC.md`.

mod asked;
mod coverage;
mod door;
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

use restive_driver_protocol::message::{Routes, StartAction, StartTest, TestNumber};
use restive_driver_protocol::{DriverListener, Error, Request, Token};

use crate::search::{Feedback, Tracking};

use asked::Asked;
pub use coverage::{Counters, Coverage, Elsewhere, Extent, UnitCoverage};
use door::Door;
pub use door::Met;
pub use exchange::Exchange;
use exchange::Purpose;
pub use hint_traffic::HintTraffic;
use hint_traffic::Told;
pub use library_calls::LibraryCall;
pub use line_coverage::LineCoverage;
use peer::Peer;
use places::Places;
pub use repeat::Aside;

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

/// What becomes of inputs that the service reads and its schema does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnnamedInputs {
    /// The search is told of them.
    Told,
    /// They are passed over.
    PassedOver,
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

    /// The service has started: what it does until the first test is for restive's own preparation.
    fn prepare(&mut self) {
        let requests = self.test_requests();
        self.exchange(&requests);
        self.is_preparing = true;
    }

    /// Whether any driver is connected.
    pub fn is_connected(&self) -> bool {
        !self.peers.is_empty()
    }

    /// Whether the last action's end began a test, and nothing came in between.
    pub fn has_begun(&mut self) -> bool {
        // A process that a launcher started late calls late.
        let _turned_away = self.take_waiting();
        self.is_armed
    }

    /// Begins a test, unless the last action's end already did.
    pub fn begin(&mut self) {
        if self.has_begun() {
            return;
        }
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
        self.is_armed = next == Next::Test;
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
        let feedback = self.exchange(&requests);
        self.for_search(feedback)
    }

    /// Begins the action at that position of a test in which the one before it ended with a pause. Over there it is that of
    /// another test: so what ran in between belongs to no action.
    pub fn begin_action(&mut self, idx: usize) {
        let requests = [self.start_test(), self.start_action(idx)];
        self.exchange(&requests);
    }

    /// Ends the action that runs, of which everything was told in an earlier life of the run, and begins another test.
    pub fn end_unheard(&mut self) {
        if self.peers.is_empty() {
            return;
        }
        let mut requests = vec![Request::EndAction];
        requests.extend(self.test_requests());
        self.is_armed = true;
        let exchange = self.gather(&requests, Purpose::Again);
        self.take_in(exchange);
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
            all.bases.extend(routes.bases);
            all.lazy.extend(routes.lazy);
            all.others.extend(routes.others);
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
}

#[cfg(test)]
mod tests;
