//! Fetches a document from a server.

use std::time::Duration;

use url::Url;

use super::{Access, LIMIT_BYTES, Origin};
use crate::failure::{Failure, FailureKind};
use crate::openapi::Error;

/// Time after which an unfinished download is given up.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// Redirects that are followed, all on the same host.
const MOST_REDIRECTS: usize = 5;

/// Downloads on a thread of its own, so that it works wherever the caller runs; also gives where redirects led to.
pub(super) fn fetch(url: &Url, access: &Access) -> Result<(Vec<u8>, Url), Error> {
    let shown = Origin::Url(url.clone()).to_string();
    let failed = |reason: String| Error::Fetch { url: shown.clone(), reason };
    std::thread::scope(|scope| {
        let download = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map_err(|error| failed(error.to_string()))?.block_on(download(url, &shown, access))
        });
        download.join().unwrap_or_else(|_| Err(failed("the download broke off".to_owned())))
    })
}

async fn download(url: &Url, shown: &str, access: &Access) -> Result<(Vec<u8>, Url), Error> {
    let client = client(url, access).map_err(|error| Error::Fetch { url: shown.to_owned(), reason: chain(&error) })?;
    let accepted = "application/json, application/yaml;q=0.9, */*;q=0.5";
    let sent = client.get(url.clone()).header("accept", accepted).headers(access.fields_for(url)).send().await;
    let mut answer = sent.map_err(|error| unanswered(&error, shown))?;
    if !answer.status().is_success() {
        return Err(Error::Status { url: shown.to_owned(), status: answer.status().as_u16() });
    }
    let mut place = answer.url().clone();
    if place.origin() == url.origin() {
        // reqwest takes them off the address and makes a header of them.
        let _ = place.set_username(url.username());
        let _ = place.set_password(url.password());
    }
    let mut bytes = Vec::new();
    loop {
        let chunk = answer.chunk().await;
        let Some(chunk) = chunk.map_err(|error| broken_off(&error, bytes.len(), shown))? else { return Ok((bytes, place)) };
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > LIMIT_BYTES {
            return Err(Error::TooLarge { origin: shown.to_owned(), limit_bytes: LIMIT_BYTES });
        }
    }
}

fn client(url: &Url, access: &Access) -> reqwest::Result<reqwest::Client> {
    // Fails when a provider is installed already, which serves as well.
    let _ = rustls::crypto::CryptoProvider::install_default(rustls::crypto::ring::default_provider());
    // What one server is sent, another port of its host is not.
    let has_fields = !access.fields_for(url).is_empty();
    let redirects = reqwest::redirect::Policy::custom(move |attempt| {
        let (from, to) = (attempt.previous().last(), attempt.url());
        let is_same_host = from.is_some_and(|from| from.host() == to.host() && (!has_fields || from.origin() == to.origin()));
        if is_same_host && attempt.previous().len() < MOST_REDIRECTS { attempt.follow() } else { attempt.stop() }
    });
    // A machine without any certificates can still fetch what is not encrypted.
    let accepts_any = access.any_certificate || url.scheme() != "https";
    let builder = reqwest::Client::builder().timeout(TIME_LIMIT).no_proxy().redirect(redirects);
    builder.tls_danger_accept_invalid_certs(accepts_any).build()
}

/// Why no answer came to a request.
fn unanswered(error: &reqwest::Error, shown: &str) -> Error {
    let failure = Failure::before_answer(error);
    let url = shown.to_owned();
    match failure.kind {
        FailureKind::Refused => Error::Refused { url },
        FailureKind::Tls => Error::Tls { url, reason: failure.reason },
        FailureKind::TimedOut => Error::Fetch { url, reason: format!("no answer within {} s", TIME_LIMIT.as_secs()) },
        _ => Error::Fetch { url, reason: failure.reason },
    }
}

fn broken_off(error: &reqwest::Error, received: usize, shown: &str) -> Error {
    Error::Fetch { url: shown.to_owned(), reason: Failure::within_body(error, received).reason }
}

/// The error and its causes, from the outside in.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
