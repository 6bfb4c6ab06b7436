//! From our requests to those of the HTTP library, and the library's set-up.

use reqwest::Method;
use reqwest::header::{
    CONNECTION, CONTENT_LENGTH, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING, UPGRADE,
};
use url::Url;

use crate::action::Request;
use crate::api::Verb;
use crate::exec::credentials::header_field;
use crate::exec::{Credentials, Error};

use super::Call;
use super::base::BaseUrl;
use super::connections::Connections;

/// Fields that say where a message ends and which connection it is on; a wrong one would break the exchange itself, so
/// that the HTTP library's own are sent.
const FRAMING: [HeaderName; 5] = [CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING, UPGRADE];

/// What restive calls itself in requests.
pub(crate) const USER_AGENT: &str = concat!("restive/", env!("CARGO_PKG_VERSION"));

/// An HTTP client that follows nothing, decodes nothing and asks no proxy.
///
/// # Errors
/// When the system's certificates are needed and cannot be loaded.
pub(crate) fn client(verify_certificates: bool, connections: &Connections) -> Result<reqwest::Client, Error> {
    // A second client finds the provider installed; both are the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .no_proxy()
        .http1_only()
        .pool_max_idle_per_host(1)
        .tls_danger_accept_invalid_certs(!verify_certificates)
        .user_agent(USER_AGENT)
        .connector_layer(connections.clone())
        .build()
        .map_err(|error| Error::ClientSetup(innermost(&error)))
}

/// `request` below `base`, with the fields of the settings, then of the credentials, in place of its own.
pub(crate) fn request(
    base: &BaseUrl,
    own_headers: &[(HeaderName, HeaderValue)],
    request: &Request,
    credentials: Option<&Credentials>,
) -> Result<reqwest::Request, String> {
    let mut url = base.below(&request.url)?;
    let mut headers = HeaderMap::with_capacity(request.headers.len() + own_headers.len() + 4);
    for (name, value) in &request.headers {
        let (name, value) = header_field(name, value).map_err(|error| error.to_string())?;
        if !FRAMING.contains(&name) {
            headers.append(name, value);
        }
    }
    for (name, value) in own_headers {
        headers.insert(name, value.clone());
    }
    if let Some(credentials) = credentials {
        add_credentials(credentials, &mut url, &mut headers);
    }
    let mut made = reqwest::Request::new(method(request.verb), url);
    *made.headers_mut() = headers;
    set_body(&mut made, request.body.as_deref());
    Ok(made)
}

/// Adds `body` to a request, and says in its absence that there is none where the method gives content a meaning
/// (RFC 9110 8.6): some servers wait for it otherwise, or refuse the request with 411.
fn set_body(made: &mut reqwest::Request, body: Option<&[u8]>) {
    match body {
        Some(body) if !body.is_empty() => *made.body_mut() = Some(reqwest::Body::from(body.to_vec())),
        // The HTTP library takes an empty body for none and then says nothing by itself.
        _ if matches!(*made.method(), Method::POST | Method::PUT | Method::PATCH) => {
            made.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        _ => {}
    }
}

/// A call outside the search.
pub(crate) fn outside_request(call: &Call<'_>, url: Url, own_headers: &[(HeaderName, HeaderValue)]) -> reqwest::Request {
    let mut made = reqwest::Request::new(call.method.clone(), url);
    for (name, value) in own_headers.iter().chain(&call.headers) {
        made.headers_mut().insert(name, value.clone());
    }
    set_body(&mut made, call.body.as_deref());
    made
}

fn add_credentials(credentials: &Credentials, url: &mut Url, headers: &mut HeaderMap) {
    for (name, value) in credentials.headers() {
        match headers.get(name) {
            Some(cookies) if name == COOKIE => {
                let joined = [cookies.as_bytes(), b"; ", value.as_bytes()].concat();
                // Two field values joined by printable characters are a field value.
                headers.insert(name, HeaderValue::from_bytes(&joined).expect("cookies join to a valid field"));
            }
            _ => drop(headers.insert(name, value.clone())),
        }
    }
    if !credentials.query().is_empty() {
        url.query_pairs_mut().extend_pairs(credentials.query());
    }
}

fn method(verb: Verb) -> Method {
    match verb {
        Verb::Get => Method::GET,
        Verb::Put => Method::PUT,
        Verb::Post => Method::POST,
        Verb::Delete => Method::DELETE,
        Verb::Options => Method::OPTIONS,
        Verb::Head => Method::HEAD,
        Verb::Patch => Method::PATCH,
        Verb::Trace => Method::TRACE,
    }
}

fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
