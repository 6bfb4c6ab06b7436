//! A service that a `restive sut serve` keeps: where it listens, and how it is asked for.
//!
//! The interface is that of [`crate::keeper`].

use std::time::Duration;

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use serde_json::Value;
use url::Url;

use crate::action::Answer;

use super::client::{Call, CallTarget};
use super::{Client, Error, HttpSettings, Stop};

/// How long a keeper may take to say how its service is.
const LIMIT: Duration = Duration::from_secs(10);
/// Bytes of what it says.
const MAX_BYTES: usize = 1 << 20;

/// A service that a `restive sut serve` keeps.
#[derive(Debug)]
pub struct Kept {
    url: Url,
    token: HeaderValue,
}

impl Kept {
    /// The service of the keeper at `url`, which knows callers by `token`.
    ///
    /// # Errors
    /// [`Error::Keeper`] when the URL is none or the token cannot be sent.
    pub fn new(url: &str, token: &str) -> Result<Self, Error> {
        let refused = |reason: String| Error::Keeper { url: url.to_owned(), reason };
        let parsed = Url::parse(url.trim_end_matches('/')).map_err(|error| refused(error.to_string()))?;
        let token = HeaderValue::try_from(format!("Bearer {token}"));
        let mut token = token.map_err(|_| refused("its token has control characters".to_owned()))?;
        token.set_sensitive(true);
        Ok(Self { url: parsed, token })
    }

    /// Where it listens; the path below which tests for `written` call stays, unless the keeper names one.
    ///
    /// # Errors
    /// [`Error::Keeper`] when the keeper cannot be asked, refuses the token, or answers something else.
    pub fn base_url(&self, written: &str) -> Result<String, Error> {
        let refused = |reason: String| Error::Keeper { url: self.url.to_string(), reason };
        let settings = HttpSettings {
            base_url: Some(self.url.to_string()),
            time_limit: LIMIT,
            max_body_bytes: MAX_BYTES,
            max_rate: None,
            headers: Vec::new(),
            insecure: false,
        };
        let answer = self.ask(&Client::new(&settings, &Stop::default())?, &Method::GET, "status", LIMIT).map_err(refused)?;
        let status: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let served = status.as_ref().and_then(|status| status["base_url"].as_str()).and_then(|url| Url::parse(url).ok());
        let served = served.ok_or_else(|| refused("it does not say where its service listens".to_owned()))?;
        let path = Url::parse(written).map(|url| url.path().to_owned()).unwrap_or_default();
        let is_bare = served.path() == "/";
        let served = served.as_str().trim_end_matches('/');
        Ok(if is_bare { format!("{served}{}", path.trim_end_matches('/')) } else { served.to_owned() })
    }

    /// Has it reset, by a restart where the keeper knows no other way.
    ///
    /// # Errors
    /// Why it was not, as a lower-case fragment.
    pub(super) fn reset(&self, client: &Client, limit: Duration) -> Result<(), String> {
        self.ask(client, &Method::POST, "reset", limit).map(drop)
    }

    fn ask(&self, client: &Client, method: &Method, wish: &str, limit: Duration) -> Result<Answer, String> {
        let mut url = self.url.clone();
        url.set_path(&format!("{}/{wish}", self.url.path().trim_end_matches('/')));
        let headers = vec![(AUTHORIZATION, self.token.clone())];
        let call = Call { method: method.clone(), target: CallTarget::Elsewhere(&url), headers, body: None, limit };
        match client.fetch(&call) {
            Ok(answer) if matches!(answer.status, 200..=299) => Ok(answer),
            Ok(answer) => Err(format!("status {}, wanted 2xx", answer.status)),
            Err(failure) => Err(failure.reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kept;
    use crate::exec::test_server::answering;

    fn keeper(body: &'static str) -> u16 {
        answering(move |request| {
            let is_known =
                request.starts_with("GET /status ") && request.to_lowercase().contains("authorization: bearer s3cret");
            (if is_known { "200 OK" } else { "401 Unauthorized" }.to_owned(), body.to_owned())
        })
    }

    fn base_url(port: u16, token: &str, written: &str) -> Result<String, String> {
        let kept = Kept::new(&format!("http://127.0.0.1:{port}/"), token);
        kept.and_then(|kept| kept.base_url(written)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_keeper_says_where_its_service_listens() {
        let bare = keeper(r#"{"base_url": "http://127.0.0.1:81"}"#);
        let found = |port: u16, written: &str| base_url(port, "s3cret", written);
        assert_eq!(found(bare, "http://127.0.0.1:1/api/"), Ok("http://127.0.0.1:81/api".to_owned()));
        assert_eq!(found(bare, "http://127.0.0.1:1"), Ok("http://127.0.0.1:81".to_owned()));
        let with_path = keeper(r#"{"base_url": "http://127.0.0.1:81/v2/"}"#);
        assert_eq!(found(with_path, "http://127.0.0.1:1/api"), Ok("http://127.0.0.1:81/v2".to_owned()));
    }

    #[test]
    fn a_keeper_that_says_nothing_of_use_is_named() {
        let told = |port: u16, token: &str| base_url(port, token, "").expect_err("nothing is said");
        assert!(told(keeper("{}"), "other").ends_with("/`: status 401, wanted 2xx"));
        assert!(told(keeper("[]"), "s3cret").ends_with("it does not say where its service listens"));
        assert!(told(1, "s3cret").starts_with("cannot ask the `restive sut serve` at `http://127.0.0.1:1/`: "));
        assert!(Kept::new("nowhere", "s3cret").is_err() && Kept::new("http://127.0.0.1:1", "a\nb").is_err());
    }
}
