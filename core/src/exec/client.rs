//! Sends calls to the service and reads its answers within limits of time and size.
//!
//! [`Client::send`] is the entry point: blocking outside, one kept-alive connection inside: our own to a service that
//! is not encrypted ([`Direct`]), else one of the HTTP library in a current-thread runtime ([`Blocking`]). Only the server of
//! the base URL is ever called (and, for a login that its auth file places elsewhere, that endpoint); redirects are answers
//! like any other. What an answer means is the oracles' business.

mod answer;
mod base;
mod blocking;
mod coding;
mod connections;
mod direct;
mod pulse;
mod retry_after;
mod wire;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};
use url::Url;

use crate::action::{ActionResult, Answer, Outcome, Request};

use super::credentials::header_field;
use super::rate::Rate;
use super::{Credentials, Error, HttpSettings, Stop};
use base::BaseUrl;
use blocking::Blocking;
use connections::Connections;
use direct::Direct;

pub use pulse::{Pulse, Question};

pub(crate) use crate::failure::{Failure, FailureKind};

/// A `Retry-After` above this is not waited for: the 429 counts as the answer.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(30);

/// A call is sent again that often, at most, when the service asks for patience.
const MAX_RESENDS: usize = 3;

/// Sends calls to one service.
#[derive(Debug)]
pub struct Client {
    // For services that are not encrypted.
    direct: Option<Direct>,
    blocking: Blocking,
    http: reqwest::Client,
    // Made on first use: few runs have a login on another server.
    elsewhere: OnceCell<reqwest::Client>,
    base: BaseUrl,
    headers: Vec<(HeaderName, HeaderValue)>,
    time_limit: Duration,
    max_body_bytes: usize,
    insecure: bool,
    rate: Mutex<Rate>,
    connections: Connections,
    stop: Stop,
}

/// A call outside the search: probe, login, reset.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// HTTP method.
    pub(crate) method: Method,
    /// Where it goes.
    pub(crate) target: CallTarget<'a>,
    /// Header fields besides those of the settings.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// Body bytes.
    pub(crate) body: Option<Vec<u8>>,
    /// Time limit.
    pub(crate) limit: Duration,
}

/// Where a call goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CallTarget<'a> {
    /// Path and query below the base URL.
    Below(&'a str),
    /// Path and query on the server of the base URL, beside its path.
    OnServer(&'a str),
    /// Any URL: only for what the user's auth file names.
    Elsewhere(&'a Url),
}

/// Makes a request, anew for each time it is sent.
type Make<'a> = dyn Fn() -> Result<reqwest::Request, String> + 'a;

/// How much of an answer is waited for.
#[derive(Debug, Clone, Copy)]
struct Limits {
    time: Duration,
    body_bytes: usize,
}

impl Client {
    /// A client for the base URL of `settings`; its waits end early when `stop` is requested.
    ///
    /// # Errors
    /// When the base URL is missing or unusable, a header field cannot be sent, or TLS cannot be set up.
    pub fn new(settings: &HttpSettings, stop: &Stop) -> Result<Self, Error> {
        let base = BaseUrl::parse(settings.base_url.as_deref().ok_or(Error::NoBaseUrl)?)?;
        let headers = settings.headers.iter().map(|(name, value)| header_field(name, value)).collect::<Result<_, _>>()?;
        let connections = Connections::default();
        // Without TLS there is nothing to verify, and machines without certificates can still test `http` services.
        let verify = base.is_https() && !settings.insecure;
        Ok(Self {
            direct: Direct::new(&base, &connections),
            blocking: Blocking::new()?,
            http: wire::client(verify, &connections)?,
            elsewhere: OnceCell::new(),
            base,
            headers,
            time_limit: settings.time_limit,
            max_body_bytes: settings.max_body_bytes,
            insecure: settings.insecure,
            rate: Mutex::new(Rate::new(settings.max_rate)),
            connections,
            stop: stop.clone(),
        })
    }

    /// Sends `request` with `credentials` and waits for its outcome; `meanwhile` is called when it is on its way.
    ///
    /// A 429 with a bearable `Retry-After` is sent again after that time; a kept-alive connection that turns out to be
    /// closed is replaced once without notice. The elapsed time is that of the last sending.
    pub fn send(&self, request: &Request, credentials: Option<&Credentials>, meanwhile: &mut dyn FnMut()) -> ActionResult {
        let make = || wire::request(&self.base, &self.headers, request, credentials);
        let (received, elapsed) = self.exchange(&make, meanwhile);
        let outcome = match received {
            Ok(answer) => Outcome::Answered(answer),
            Err(failure) => match failure.kind {
                FailureKind::TimedOut => Outcome::TimedOut,
                FailureKind::Unsendable => Outcome::Unsent(failure.reason),
                FailureKind::Closed | FailureKind::Broken => Outcome::Disconnected(failure.reason),
                _ => Outcome::Failed(failure.reason),
            },
        };
        ActionResult { request: request.clone(), outcome, elapsed }
    }

    /// Checks that something answers HTTP at the base URL; any status will do, and is told. None where the answer began
    /// and did not end: one that only announces another (RFC 9110, 15.2) is one, too.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::NameNotFound`], [`Error::Tls`], [`Error::TimedOut`] or [`Error::NoAnswer`].
    pub fn probe(&self) -> Result<Option<u16>, Error> {
        match self.look_at("/", self.time_limit) {
            Ok(answer) => Ok(Some(answer.status)),
            Err(failure)
                if failure.kind == FailureKind::TimedOut
                    && self.pulse(Question::Get("/"), self.time_limit) == Pulse::Speaks =>
            {
                Ok(None)
            }
            Err(failure) => Err(self.unreachable(failure)),
        }
    }

    /// What shows within `limit`, at most the time limit of calls, of whether the service lives, when it is asked this. The
    /// next call goes where it was answered.
    pub fn pulse(&self, question: Question<'_>, limit: Duration) -> Pulse {
        let limit = limit.min(self.time_limit);
        let make = || match question {
            Question::Get(target) => self.outside_request(&get(target, limit)),
            Question::Again(request) => wire::request(&self.base, &self.headers, request, None),
        };
        let Some(direct) = &self.direct else { return Pulse::of(self.look(&make, limit)) };
        let limits = Limits { time: limit, body_bytes: self.max_body_bytes };
        make().map_or(Pulse::Silent, |request| direct.pulse(request, limits, &self.stop))
    }

    fn look(&self, make: &Make<'_>, limit: Duration) -> Result<Answer, Failure> {
        // The head is enough: a body without end would only cost time.
        self.once(make, Limits { time: limit, body_bytes: 0 }, &mut || {})
    }

    /// The head of what a GET of `target`, a path below the base URL, is answered.
    fn look_at(&self, target: &str, limit: Duration) -> Result<Answer, Failure> {
        self.look(&|| self.outside_request(&get(target, limit)), limit)
    }

    /// Connections opened so far, those for probes, logins and resets included.
    pub fn connections_opened(&self) -> u64 {
        self.connections.opened()
    }

    /// Connections that the service closed after a complete answer so far, by the status of that. Over TLS only
    /// those are known of which the answer says so.
    pub fn connections_closed(&self) -> BTreeMap<u16, u64> {
        self.connections.closed()
    }

    /// Has the next call open a connection of its own: the service was ended, and with it what was open.
    pub fn hang_up(&self) {
        if let Some(direct) = &self.direct {
            direct.hang_up();
        }
    }

    /// The call that had no answer in time was received: the service worked on it.
    pub(super) fn note_received(&self) {
        if let Some(direct) = &self.direct {
            direct.note_received();
        }
    }

    /// Connections that were given up so far after an answer that refused a body: the service has lost the request behind one.
    pub fn connections_given_up(&self) -> u64 {
        self.connections.given_up()
    }

    /// The base URL without a trailing slash.
    pub fn base_url(&self) -> &str {
        self.base.as_str()
    }

    /// Host and port of the base URL.
    pub fn host_and_port(&self) -> (&str, u16) {
        (self.base.host(), self.base.port())
    }

    /// Whether any certificate is accepted.
    pub fn is_insecure(&self) -> bool {
        self.insecure
    }

    /// Whether the base URL has a path, so that "on the server" and "below the base URL" differ.
    pub(crate) fn has_base_path(&self) -> bool {
        self.base.has_path()
    }

    /// The status of a GET of `url_path` below the base URL; none when nothing of HTTP comes back within `limit`.
    pub fn status_of(&self, url_path: &str, limit: Duration) -> Option<u16> {
        self.look_at(url_path, limit).ok().map(|answer| answer.status)
    }

    /// Whether `url` is on the server of the base URL.
    pub(crate) fn is_own(&self, url: &Url) -> bool {
        self.base.allows(url)
    }

    /// Sends a call outside the search.
    pub(crate) fn fetch(&self, call: &Call<'_>) -> Result<Answer, Failure> {
        let limits = Limits { time: call.limit, body_bytes: self.max_body_bytes };
        self.once(&|| self.outside_request(call), limits, &mut || {})
    }

    /// Sends what `make` makes, again when the service asks to come back later.
    fn exchange(&self, make: &Make<'_>, meanwhile: &mut dyn FnMut()) -> (Result<Answer, Failure>, Duration) {
        let limits = Limits { time: self.time_limit, body_bytes: self.max_body_bytes };
        let mut resends = 0;
        loop {
            self.stop.sleep(self.rate.lock().expect("no thread panics while it holds the rate").take(Instant::now()));
            let start = Instant::now();
            let received = self.once(make, limits, meanwhile);
            let elapsed = start.elapsed();
            let Some(wait) = asked_wait(&received).filter(|_| resends < MAX_RESENDS) else { return (received, elapsed) };
            if !self.stop.sleep(wait) {
                return (received, elapsed);
            }
            resends += 1;
        }
    }

    /// Sends what `make` makes, once more when a kept-alive connection was closed before any answer.
    fn once(&self, make: &Make<'_>, limits: Limits, meanwhile: &mut dyn FnMut()) -> Result<Answer, Failure> {
        let opened = self.connections.opened();
        let first = self.attempt(make, limits, meanwhile);
        let was_reused = opened > 0 && self.connections.opened() == opened;
        match first {
            Err(closed) if closed.kind == FailureKind::Closed && was_reused => {
                let second = self.attempt(make, limits, meanwhile);
                // Nobody left to connect to: what ended the service is the request that broke the connection.
                let is_gone = second.as_ref().is_err_and(|failure| failure.kind == FailureKind::Refused);
                if is_gone { Err(closed) } else { second }
            }
            first => first,
        }
    }

    fn attempt(&self, make: &Make<'_>, limits: Limits, meanwhile: &mut dyn FnMut()) -> Result<Answer, Failure> {
        let request = make().map_err(Failure::unsendable)?;
        let is_own = self.base.allows(request.url());
        if let Some(direct) = self.direct.as_ref().filter(|_| is_own) {
            return direct.run(request, limits, &self.stop, meanwhile);
        }
        let http = if is_own { &self.http } else { self.elsewhere()? };
        let received = answer::receive(http, request, limits.body_bytes);
        let received = self.blocking.run(limits.time, &self.stop, received, meanwhile);
        if let Some(answer) = received.as_ref().ok().filter(|answer| answer.says_close()) {
            self.connections.note_closed(answer.status);
        }
        received
    }

    fn outside_request(&self, call: &Call<'_>) -> Result<reqwest::Request, String> {
        let (url, own_headers) = match call.target {
            CallTarget::Below(target) => (self.base.below(target)?, self.headers.as_slice()),
            CallTarget::OnServer(target) => (self.base.on_server(target)?, self.headers.as_slice()),
            CallTarget::Elsewhere(url) => (url.clone(), [].as_slice()),
        };
        Ok(wire::outside_request(call, url, own_headers))
    }

    fn elsewhere(&self) -> Result<&reqwest::Client, Failure> {
        if self.elsewhere.get().is_none() {
            let client = wire::client(!self.insecure, &self.connections);
            let client = client.map_err(|error| Failure::unsendable(error.to_string()))?;
            return Ok(self.elsewhere.get_or_init(|| client));
        }
        Ok(self.elsewhere.get().expect("the client was made before"))
    }

    fn unreachable(&self, failure: Failure) -> Error {
        let url = self.base.as_str().to_owned();
        match failure.kind {
            FailureKind::Refused => Error::Refused(url),
            FailureKind::NameNotFound => Error::NameNotFound(self.base.host().to_owned()),
            FailureKind::Tls => Error::Tls { url, reason: failure.reason },
            FailureKind::TimedOut => Error::TimedOut { url, limit: self.time_limit },
            _ => Error::NoAnswer { url, reason: failure.reason },
        }
    }
}

/// A GET of `target`, below the base URL.
fn get(target: &str, limit: Duration) -> Call<'_> {
    Call { method: Method::GET, target: CallTarget::Below(target), headers: Vec::new(), body: None, limit }
}

/// How long the service asks to wait before the same call is sent again; none when the answer counts.
fn asked_wait(received: &Result<Answer, Failure>) -> Option<Duration> {
    let answer = received.as_ref().ok().filter(|answer| answer.status == 429)?;
    retry_after::parse(answer.header("retry-after")?, SystemTime::now()).filter(|wait| *wait <= MAX_RETRY_AFTER)
}

#[cfg(test)]
mod tests;
