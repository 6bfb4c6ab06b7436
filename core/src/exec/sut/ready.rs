//! Waits until a started service can be called.

use std::net::{Ipv4Addr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use reqwest::Method;

use crate::exec::client::{Call, CallTarget};
use crate::exec::{Client, Error, HttpSettings, Ready, Stop, SutSettings};

use super::family::Family;
use super::listening;
use super::output::Output;
use super::process::Group;

/// How long to wait between two looks.
const GLANCE: Duration = Duration::from_millis(20);
/// How long to wait between two looks at every socket of a process.
const PORT_GLANCE: Duration = Duration::from_millis(100);
/// How long another port must be open before the expected one is given up: services open several, one after another.
const OTHER_PORT_GRACE: Duration = Duration::from_secs(2);
/// How long one look may take.
const LOOK_LIMIT: Duration = Duration::from_secs(2);
/// The same of one at a service that deploys its applications.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// How long applications that answer nothing are waited for: their path may be another than their name says.
const DEPLOY_LIMIT: Duration = Duration::from_secs(10);

/// The condition that is waited for.
pub(super) struct Readiness<'a> {
    settings: &'a SutSettings,
    client: Client,
    stop: &'a Stop,
}

impl<'a> Readiness<'a> {
    /// The condition of `settings` for a service at `base_url`.
    pub(super) fn new(settings: &'a SutSettings, base_url: &str, stop: &'a Stop) -> Result<Self, Error> {
        let http = HttpSettings {
            base_url: Some(base_url.to_owned()),
            time_limit: LOOK_LIMIT,
            max_body_bytes: 0,
            max_rate: None,
            headers: Vec::new(),
            // Certificates are checked by the calls that matter.
            insecure: true,
        };
        Ok(Self { settings, client: Client::new(&http, stop)?, stop })
    }

    /// Waits until the service of `group` is ready.
    pub(super) fn wait(&self, group: &Group, output: &Output) -> Result<(), Error> {
        self.look(GLANCE, group, output, || self.is_met(output).then_some(()))
    }

    /// Waits until the service of `group` listens and says where: on the `expected` port, or while that stays closed on others
    /// that answer HTTP, the likeliest first.
    pub(super) fn wait_for_port(
        &self,
        expected: u16,
        (group, family): (&Group, &Family),
        output: &Output,
    ) -> Result<Vec<u16>, Error> {
        let mut others_since: Option<Instant> = None;
        let (mut looks, mut speakers) = (listening::Looks::default(), listening::Speakers::default());
        self.look(PORT_GLANCE, group, output, || {
            let ports = looks.ports(family);
            let is_asked = cfg!(target_os = "linux");
            if ports.contains(&expected) || (!is_asked && connects(expected)) {
                return Some(vec![expected]);
            }
            let mut speaking = speakers.of(&ports, Instant::now(), listening::speaks_http);
            let likeliest = listening::likeliest(&speaking);
            others_since = likeliest.and(others_since.or_else(|| Some(Instant::now())));
            let chosen = likeliest.filter(|_| others_since.is_some_and(|since| since.elapsed() >= OTHER_PORT_GRACE))?;
            speaking.remove(&chosen);
            Some([chosen].into_iter().chain(speaking).collect())
        })
    }

    /// Waits until the base URL accepts a connection, the process ends, or `grace` is over.
    pub(super) fn wait_for_connection(&self, grace: Duration, group: &Group) {
        let (start, grace) = (Instant::now(), grace.min(self.settings.start_limit));
        while !self.accepts() && group.ending().is_none() && start.elapsed() < grace && self.stop.sleep(GLANCE) {}
    }

    /// Waits until a connection to the base URL is answered or closed, the process ends, or the time for its start is over.
    pub(super) fn wait_for_answer(&self, group: &Group) {
        let start = Instant::now();
        loop {
            let look = Instant::now();
            let limit = self.settings.start_limit.saturating_sub(start.elapsed()).min(ANSWER_LIMIT);
            let is_answered = self.client.status_of("/", limit).is_some() || look.elapsed() < limit;
            if is_answered || group.ending().is_some() || !self.stop.sleep(GLANCE) {
                return;
            }
        }
    }

    /// Waits until there is something at each of `contexts`, the process ends, or applications take too long; gives those where
    /// nothing was.
    pub(super) fn wait_for_contexts(&self, contexts: &[String], group: &Group) -> Vec<String> {
        let start = Instant::now();
        // What answers otherwise, with TLS for one, says nothing of where it has what.
        let is_missing = |context: &String| self.client.status_of(context, LOOK_LIMIT).is_some_and(|it| it == 404 || it == 503);
        let mut missing = contexts.to_vec();
        loop {
            missing.retain(is_missing);
            let is_over = start.elapsed() >= DEPLOY_LIMIT || group.ending().is_some();
            if missing.is_empty() || is_over || !self.stop.sleep(PORT_GLANCE) {
                return missing;
            }
        }
    }

    /// Calls `found` now and then until it gives something, the process ends, or time is over.
    fn look<T>(
        &self,
        glance: Duration,
        group: &Group,
        output: &Output,
        mut found: impl FnMut() -> Option<T>,
    ) -> Result<T, Error> {
        let start = Instant::now();
        loop {
            if let Some(ending) = group.ending() {
                output.finish();
                return Err(Error::DiedAtStart { status: ending.to_string(), output: output.last_lines() });
            }
            if let Some(found) = found() {
                return Ok(found);
            }
            if start.elapsed() >= self.settings.start_limit {
                let limit = self.settings.start_limit;
                return Err(Error::NotReady { wanted: self.wanted(), limit, output: output.last_lines() });
            }
            if !self.stop.sleep(glance) {
                return Err(Error::Interrupted);
            }
        }
    }

    fn is_met(&self, output: &Output) -> bool {
        match &self.settings.ready {
            Ready::Port => self.accepts(),
            Ready::LogLine(_) => output.is_ready(),
            Ready::HttpPath(url_path) => self.answers(url_path),
        }
    }

    /// Whether a connection to the base URL can be opened.
    fn accepts(&self) -> bool {
        let address = self.client.host_and_port().to_socket_addrs();
        address.is_ok_and(|mut found| found.any(|one| TcpStream::connect_timeout(&one, LOOK_LIMIT).is_ok()))
    }

    fn answers(&self, url_path: &str) -> bool {
        let target = if url_path.starts_with('/') { url_path.to_owned() } else { format!("/{url_path}") };
        let target = CallTarget::Below(&target);
        let call = Call { method: Method::GET, target, headers: Vec::new(), body: None, limit: LOOK_LIMIT };
        self.client.fetch(&call).is_ok_and(|answer| answer.status < 500)
    }

    fn wanted(&self) -> String {
        match &self.settings.ready {
            Ready::Port if self.settings.notice_port => "a port of its process that answers HTTP".to_owned(),
            Ready::Port => format!("a connection to port {}", self.client.host_and_port().1),
            Ready::LogLine(text) => format!("an output line with `{text}`"),
            Ready::HttpPath(url_path) => format!("an answer below status 500 from `{url_path}`"),
        }
    }
}

/// Whether something on this machine accepts connections to `port`.
fn connects(port: u16) -> bool {
    TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), LOOK_LIMIT).is_ok()
}
