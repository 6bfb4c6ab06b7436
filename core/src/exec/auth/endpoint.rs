//! Calls of login and user-creation endpoints, and the text that goes into them.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};

use crate::action::Answer;
use crate::exec::client::{Call, CallTarget};
use crate::exec::{Client, Error};

use super::specification::Endpoint;

/// Time limit of one login or creation: slow password hashes need more than a fuzzed call.
const LIMIT: Duration = Duration::from_secs(30);

/// Values that stand for placeholders, as placeholder and value.
pub(super) type Values = Vec<(String, String)>;

/// A call of an endpoint on behalf of a user.
pub(super) struct EndpointCall<'a> {
    pub(super) user: &'a str,
    pub(super) endpoint: &'a Endpoint,
    pub(super) method: &'a Method,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Option<String>,
}

impl EndpointCall<'_> {
    /// Sends the call.
    ///
    /// WFC says that an endpoint is "on the same server", which leaves open whether the path of the base URL belongs to
    /// it: it is tried without, then, when the server knows no such path, with it.
    pub(super) fn send(&self, client: &Client) -> Result<Answer, Error> {
        match self.endpoint {
            Endpoint::Elsewhere(url) => self.fetch(client, CallTarget::Elsewhere(url)),
            Endpoint::OnServer(target) => {
                let beside = self.fetch(client, CallTarget::OnServer(target))?;
                if matches!(beside.status, 404 | 405) && client.has_base_path() {
                    return self.fetch(client, CallTarget::Below(target));
                }
                Ok(beside)
            }
        }
    }

    /// The failure of this call with `reason`.
    pub(super) fn failed(&self, reason: impl Into<String>) -> Error {
        let url = match self.endpoint {
            Endpoint::OnServer(target) => target.split('?').next().unwrap_or_default().to_owned(),
            // User, password and query may be secrets.
            Endpoint::Elsewhere(url) => format!("{}{}", url.origin().ascii_serialization(), url.path()),
        };
        Error::Login { user: self.user.to_owned(), url, reason: reason.into() }
    }

    fn fetch(&self, client: &Client, target: CallTarget<'_>) -> Result<Answer, Error> {
        let call = Call {
            method: self.method.clone(),
            target,
            headers: self.headers.clone(),
            body: self.body.as_ref().map(|body| body.clone().into_bytes()),
            limit: LIMIT,
        };
        client.fetch(&call).map_err(|failure| self.failed(failure.reason))
    }
}

/// `text` with every placeholder replaced by its value.
pub(super) fn fill(text: &str, values: &Values) -> String {
    values.iter().fold(text.to_owned(), |text, (placeholder, value)| text.replace(placeholder.as_str(), value))
}
