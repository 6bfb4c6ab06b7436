//! Waits until a started service can be called.

use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use reqwest::Method;

use crate::exec::client::{Call, CallTarget};
use crate::exec::{Client, Error, HttpSettings, Ready, Stop, SutSettings};

use super::output::Output;
use super::process::Group;

/// How long to wait between two looks.
const GLANCE: Duration = Duration::from_millis(20);
/// How long one look may take.
const LOOK_LIMIT: Duration = Duration::from_secs(2);

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
        let start = Instant::now();
        loop {
            if let Some(ending) = group.ending() {
                output.finish();
                return Err(Error::DiedAtStart { status: ending.to_string(), output: output.last_lines() });
            }
            if self.is_met(output) {
                return Ok(());
            }
            if start.elapsed() >= self.settings.start_limit {
                let limit = self.settings.start_limit;
                return Err(Error::NotReady { wanted: self.wanted(), limit, output: output.last_lines() });
            }
            if !self.stop.sleep(GLANCE) {
                return Err(Error::Interrupted);
            }
        }
    }

    fn is_met(&self, output: &Output) -> bool {
        match &self.settings.ready {
            Ready::Port => {
                let address = self.client.host_and_port().to_socket_addrs();
                address.is_ok_and(|mut found| found.any(|one| TcpStream::connect_timeout(&one, LOOK_LIMIT).is_ok()))
            }
            Ready::LogLine(_) => output.is_ready(),
            Ready::HttpPath(url_path) => self.answers(url_path),
        }
    }

    fn answers(&self, url_path: &str) -> bool {
        let target = if url_path.starts_with('/') { url_path.to_owned() } else { format!("/{url_path}") };
        let target = CallTarget::Below(&target);
        let call = Call { method: Method::GET, target, headers: Vec::new(), body: None, limit: LOOK_LIMIT };
        self.client.fetch(&call).is_ok_and(|answer| answer.status < 500)
    }

    fn wanted(&self) -> String {
        match &self.settings.ready {
            Ready::Port => format!("a connection to port {}", self.client.host_and_port().1),
            Ready::LogLine(text) => format!("an output line with `{text}`"),
            Ready::HttpPath(url_path) => format!("an answer below status 500 from `{url_path}`"),
        }
    }
}
