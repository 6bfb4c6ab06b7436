//! Everything that acts on the service, as one: calls with credentials, resets, and bringing it back when it is gone.

use std::time::Duration;

use crate::action::{ActionResult, Outcome, Request};
use crate::api::OperationIdx;
use crate::driver::Driver;

use super::client::Pulse;
use super::{Client, Error, Inquest, Resetter, Stop, Sut, Users};

/// How long to wait between two looks at whether a process that broke a connection has ended.
const GLANCE: Duration = Duration::from_millis(50);
/// Such looks.
const DEATH_GLANCES: u32 = 20;
/// Connections in a row that are taken and closed without a word, after which the process is taken for alive.
const LIVE_CLOSINGS: usize = 3;
/// Time that the work of a call that timed out gets for coming to its end.
const KILL_TIME: Duration = Duration::from_millis(50);
/// How long a driver of a service that was started anew may take to call; its process runs for a while already.
const DRIVER_LIMIT: Duration = Duration::from_secs(2);
/// Attempts to reach a service again before it counts as lost.
const MAX_REVIVALS: usize = 5;

/// What acts on the service.
#[derive(Debug)]
pub struct Service {
    /// Sends calls.
    pub client: Client,
    /// The process, when it is ours.
    pub sut: Option<Sut>,
    /// What measures it from inside, when something does.
    pub driver: Option<Driver>,
    /// Whose credentials are sent.
    pub users: Users,
    /// How the service is brought back to its first state.
    pub resetter: Resetter,
    /// Whether it is brought back before each test.
    pub resets_tests: bool,
    /// The user's wish to stop.
    pub stop: Stop,
    /// Calls in a row without an answer in time.
    pub time_outs: u32,
    /// What was called lately, for finding out what ended the service.
    pub inquest: Inquest,
}

/// What became of the service after a broken call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revival {
    /// It runs.
    Alive,
    /// It had ended that way and runs again.
    Restarted(End),
    /// It ended that way and does not start any more.
    Dead(End),
    /// It does not answer and is not ours to start.
    Lost,
}

/// How a service ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Its process ended that way, for example `with exit status 3`.
    Gone(String),
    /// It stopped to answer, and its process was ended.
    Hung(String),
}

impl Revival {
    /// How the service ended, when it did.
    pub fn death(&self) -> Option<&str> {
        match self {
            Self::Restarted(End::Gone(how) | End::Hung(how)) | Self::Dead(End::Gone(how) | End::Hung(how)) => Some(how),
            Self::Lost => Some("as far as can be seen from outside: it does not answer any more"),
            Self::Alive => None,
        }
    }
}

impl Service {
    /// One that runs already, is called by `client`, and is not reset.
    pub fn new(client: Client, users: Users, stop: Stop) -> Self {
        let (sut, driver, resetter, inquest) = (None, None, Resetter::never(), Inquest::default());
        Self { client, sut, driver, users, resetter, resets_tests: true, stop, time_outs: 0, inquest }
    }

    /// Sends `request` with its user's credentials; expired ones are renewed once. While the service works, `meanwhile`
    /// is called.
    pub fn send(&mut self, request: &Request, meanwhile: &mut dyn FnMut()) -> ActionResult {
        let result = self.send_once(request, meanwhile);
        let has_expired =
            request.user.zip(result.status()).is_some_and(|(user_idx, status)| self.users.has_expired(user_idx, status));
        let result = if has_expired { self.send_once(request, meanwhile) } else { result };
        self.inquest.note(&result, self.sut.is_some());
        let timed_out = matches!(result.outcome, Outcome::TimedOut);
        self.time_outs = if timed_out { self.time_outs + 1 } else { 0 };
        if let Some(driver) = self.driver.as_mut().filter(|_| timed_out) {
            driver.kill();
            // The next action's start takes it back, and a busy machine may let its threads wait.
            std::thread::sleep(KILL_TIME);
        }
        result
    }

    fn send_once(&mut self, request: &Request, meanwhile: &mut dyn FnMut()) -> ActionResult {
        let Some(user_idx) = request.user else { return self.client.send(request, None, meanwhile) };
        match self.users.credentials(user_idx, &self.client) {
            Ok(credentials) => self.client.send(request, Some(&credentials), meanwhile),
            Err(error) => {
                ActionResult { request: request.clone(), outcome: Outcome::Unsent(error.to_string()), elapsed: Duration::ZERO }
            }
        }
    }

    /// Ends the service when it is ours.
    pub fn end(&mut self) {
        if let Some(sut) = &mut self.sut {
            sut.end();
        }
    }

    /// Brings the service back to its first state where tests want that; failures are counted by the resetter.
    pub fn reset(&mut self) {
        // A test on a service that was not reset is still a test; the count is shown at the end.
        let _failed = self.try_reset();
    }

    /// The same for whoever wants to know why that failed.
    ///
    /// # Errors
    /// As [`Resetter::reset`].
    pub fn try_reset(&mut self) -> Result<(), Error> {
        if !self.resets() {
            return Ok(());
        }
        if let Some(driver) = &mut self.driver {
            driver.pause();
        }
        let restarts = self.restarts();
        let reset = self.resetter.reset(&self.client, self.sut.as_mut());
        if self.restarts() > restarts {
            self.greet();
        }
        reset
    }

    /// Whether it is brought back before each test.
    pub fn resets(&self) -> bool {
        self.resets_tests && self.resetter.is_active()
    }

    /// Gets to know a service that was started anew.
    fn greet(&mut self) {
        self.client.hang_up();
        if let Some(sut) = &self.sut {
            sut.await_listening();
        }
        self.inquest.forget_calls();
        self.users.forget();
        if let Some(driver) = &mut self.driver {
            let stop = &self.stop;
            driver.meet_again(DRIVER_LIMIT, &|| stop.is_requested());
        }
    }

    /// Brings the service to where it is when it starts, by starting it anew when it is ours and by its reset where
    /// tests do without; says whether one of them was done.
    pub fn renew(&mut self) -> bool {
        let restarts = self.restarts();
        let resets = !self.resets_tests && self.resetter.is_active();
        let is_reset = resets && self.resetter.reset(&self.client, self.sut.as_mut()).is_ok();
        let is_restarted = match &mut self.sut {
            Some(sut) if sut.restarts() == restarts => sut.restart().is_ok(),
            _ => false,
        };
        if let Some(driver) = &mut self.driver {
            driver.pause();
        }
        if self.restarts() > restarts {
            self.greet();
        }
        self.users.forget();
        self.time_outs = 0;
        is_reset || is_restarted
    }

    /// How often the service was started anew.
    pub fn restarts(&self) -> u64 {
        self.sut.as_ref().map_or(0, Sut::restarts)
    }

    /// Sees to it that the service is there for the next call: a dead or hanging one of ours is started anew, one
    /// that is not ours gets a few seconds. `called` is the operation that got no answer.
    pub fn revive(&mut self, called: OperationIdx) -> Revival {
        let has_timed_out = self.time_outs > 0;
        let Some(sut) = &mut self.sut else {
            if has_timed_out {
                self.inquest.settle(&self.client, &self.stop);
            }
            let is_there = has_timed_out || await_answer(&self.inquest, &self.client, &self.stop);
            return if is_there { Revival::Alive } else { Revival::Lost };
        };
        let gone = sut
            .ending()
            .or_else(|| if has_timed_out { None } else { ending_soon(sut, &self.inquest, &self.client, &self.stop) });
        let hang = if has_timed_out { self.inquest.hang(called, self.time_outs, &self.client, &self.stop) } else { None };
        // It may have ended while it was asked.
        let gone = gone.or_else(|| sut.ending()).map(End::Gone);
        let Some(end) = gone.or(hang.map(End::Hung)) else { return Revival::Alive };
        self.time_outs = 0;
        if self.start_again() { Revival::Restarted(end) } else { Revival::Dead(end) }
    }

    /// Starts a service of ours anew; says whether it runs then.
    pub(super) fn start_again(&mut self) -> bool {
        for _ in 0..MAX_REVIVALS {
            if self.stop.is_requested() {
                break;
            }
            if self.sut.as_mut().is_some_and(|sut| sut.restart().is_ok()) {
                self.greet();
                return true;
            }
        }
        false
    }
}

/// How a process ends that just broke a connection: its end may show a little later than its closed sockets.
fn ending_soon(sut: &Sut, inquest: &Inquest, client: &Client, stop: &Stop) -> Option<String> {
    // One that ends takes no new connections for long.
    let lives = (0..LIVE_CLOSINGS).find_map(|nth| match inquest.pulse(nth, client, Duration::MAX) {
        Pulse::Speaks => Some(true),
        Pulse::Silent => Some(false),
        Pulse::Closes => {
            stop.sleep(GLANCE);
            None
        }
    });
    if lives.unwrap_or(true) {
        return sut.ending();
    }
    (0..DEATH_GLANCES).find_map(|_| {
        stop.sleep(GLANCE);
        sut.ending()
    })
}

/// Whether a service answers again within a few tries.
fn await_answer(inquest: &Inquest, client: &Client, stop: &Stop) -> bool {
    for attempt in 0..MAX_REVIVALS {
        if inquest.pulse(attempt, client, Duration::MAX) == Pulse::Speaks {
            return true;
        }
        if !stop.sleep(Duration::from_millis(200 << attempt)) {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use crate::api::Verb;
    use crate::exec::client::{Call, CallTarget};
    use crate::exec::test_server::{always, client_of, client_within, read_request, server};
    use crate::exec::{AuthSettings, Ready, SutSettings};

    use super::*;

    /// A server that keeps connections.
    const SERVE: [&str; 6] = ["python3", "-m", "http.server", "--protocol=HTTP/1.1", "--bind=127.0.0.1", "{port}"];

    #[test]
    fn connections_that_end_with_a_service_that_is_started_anew_were_not_closed_by_it() {
        let settings = SutSettings {
            command: SERVE.map(str::to_owned).to_vec(),
            env: Vec::new(),
            working_directory: None,
            fresh_folder: false,
            port: None,
            ready: Ready::Port,
            start_limit: Duration::from_mins(1),
            max_log_bytes: 50_000,
            notice_port: false,
        };
        let folder = tempfile::tempdir().expect("a folder");
        let sut = Sut::start(&settings, None, folder.path(), &Stop::default()).expect("the server starts");
        let client = client_of(sut.base_url().to_owned());
        let users = Users::load(&AuthSettings::default(), 1).expect("nobody is a valid list of users");
        let mut service = Service { sut: Some(sut), ..Service::new(client, users, Stop::default()) };
        let call = |service: &Service| {
            let (target, limit) = (CallTarget::Below("/"), Duration::from_secs(20));
            let call = Call { method: reqwest::Method::GET, target, headers: Vec::new(), body: None, limit };
            assert!(service.client.fetch(&call).is_ok_and(|answer| answer.status == 200));
        };
        (0..3).for_each(|_| call(&service));
        assert!(service.renew());
        call(&service);
        assert_eq!(service.client.connections_opened(), 2, "it keeps them");
        assert!(service.client.connections_closed().is_empty(), "{:?}", service.client.connections_closed());
    }

    #[test]
    fn calls_behind_one_without_an_answer_go_where_a_service_of_somebody_else_shows_that_it_lives() {
        // All connections but one are served by threads that are blocked.
        let port = server(|mut stream, n| {
            while !read_request(&mut stream).is_empty() {
                if n != 2 {
                    std::thread::sleep(Duration::from_mins(10));
                }
                let _gone = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
            }
        });
        let client = client_within(format!("http://127.0.0.1:{port}"), Duration::from_millis(300));
        let users = Users::load(&AuthSettings::default(), 1).expect("nobody is a valid list of users");
        let mut service = Service::new(client, users, Stop::default());
        let (verb, url) = (Verb::Get, "/pets".to_owned());
        let request = Request { operation_idx: OperationIdx(0), verb, url, headers: Vec::new(), body: None, user: None };
        assert!(matches!(service.send(&request, &mut || {}).outcome, Outcome::TimedOut));
        assert_eq!(service.revive(OperationIdx(0)), Revival::Alive);
        for _ in 0..3 {
            assert_eq!(service.send(&request, &mut || {}).status(), Some(200));
        }
    }

    #[test]
    fn a_service_that_answers_with_nonsense_is_not_lost() {
        let client = client_of(format!("http://127.0.0.1:{}", server(always("no HTTP at all\r\n\r\n"))));
        assert!(await_answer(&Inquest::default(), &client, &Stop::default()));
    }
}
