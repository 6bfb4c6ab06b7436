//! Fetches documents of interfaces, a protected one with what calls of its service are sent with.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::{Host, Url};

use crate::action;
use crate::api::Api;
use crate::cli::{CliError, Interrupt};
use crate::exec::{HttpSettings, Stop, Users};
use crate::openapi::{self, Access, Route};

/// How often the wait for a document looks whether it should end early.
const GLANCE: Duration = Duration::from_millis(20);

/// Asks for documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fetcher<'a> {
    /// How the service is called.
    pub(super) http: &'a HttpSettings,
    /// Any URL of the service, where it is known.
    pub(super) server: Option<&'a str>,
    /// Whose fixed header fields are tried where a document is refused.
    pub(super) users: &'a Users,
    /// Ends all waits.
    pub(super) stop: &'a Stop,
}

impl Fetcher<'_> {
    /// The document at `location`, with operations for those of `routes` that it lacks; the outer error is the user's wish to
    /// stop.
    ///
    /// The service is sent the header fields of the settings; where it answers 401 or 403, those of each user after another,
    /// too. Nobody else gets any.
    pub(super) fn fetch(&self, location: &str, routes: &[Route]) -> Result<Result<Api, openapi::Error>, CliError> {
        let server = self.server(location);
        let access = |user: &[(String, String)]| Access {
            any_certificate: self.http.insecure,
            fields: server.clone().map(|server| (server, fields(&self.http.headers, user))),
        };
        let mut loaded = self.load(location, access(&[]), routes)?;
        let users = self.users.fixed_headers().filter(|user| server.is_some() && !user.is_empty());
        for user in users {
            if !loaded.as_ref().is_err_and(openapi::Error::is_refusal) {
                break;
            }
            let again = self.load(location, access(user), routes)?;
            loaded = again.or(loaded);
        }
        Ok(loaded)
    }

    /// The header fields of the settings, and in their place those that the first user who has any has without a login: without
    /// them a service may refuse what it does not have as it refuses what it has.
    pub(super) fn usual_headers(&self) -> Vec<(String, String)> {
        let user = self.users.fixed_headers().find(|user| !user.is_empty()).unwrap_or_default();
        let is_replaced = |name: &str| user.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        let settings = self.http.headers.iter().filter(|(name, _)| !is_replaced(name));
        settings.chain(user).cloned().collect()
    }

    /// The service, where the document is asked of it: of a document on this machine it is supposed.
    fn server(&self, location: &str) -> Option<Url> {
        let url = Url::parse(location).ok()?;
        let is_loopback = match url.host()? {
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
            Host::Domain(name) => name == "localhost",
        };
        let server = self.server.and_then(|server| Url::parse(server).ok());
        server.or_else(|| is_loopback.then_some(url))
    }

    /// A server may take its time, and large documents take some: the wish to stop must not wait for them.
    fn load(&self, location: &str, access: Access, routes: &[Route]) -> Result<Result<Api, openapi::Error>, CliError> {
        let (location, routes) = (location.to_owned(), routes.to_vec());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || drop(sender.send(openapi::load_with(&location, &access, &routes).map(action::settle))));
        loop {
            match receiver.recv_timeout(GLANCE) {
                Err(RecvTimeoutError::Timeout) if !self.stop.is_requested() => {}
                Err(RecvTimeoutError::Timeout) => return Err(Interrupt::stopped_early()),
                // A panic over there has been reported and is a bug here as well.
                Err(RecvTimeoutError::Disconnected) => panic!("the schema could not be loaded"),
                Ok(loaded) => return Ok(loaded),
            }
        }
    }
}

/// The fields of the settings, and in their place those of a user; what cannot be sent is told where calls are made.
fn fields(settings: &[(String, String)], user: &[(String, String)]) -> HeaderMap {
    let mut fields = HeaderMap::new();
    for (name, value) in settings.iter().chain(user) {
        let (name, value) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value.as_bytes()));
        if let (Ok(name), Ok(mut value)) = (name, value) {
            value.set_sensitive(true);
            fields.insert(name, value);
        }
    }
    fields
}
