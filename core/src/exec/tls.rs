//! Whether a service wants TLS.

use std::time::Duration;

use super::{Client, Error, HttpSettings, Stop};

/// How long a look may take.
const LOOK_LIMIT: Duration = Duration::from_secs(2);

/// The status by which connectors refuse what is not encrypted.
pub const BAD_REQUEST: u16 = 400;

/// Whether a service at an `http` URL refuses a GET of `/` with 400, or does not answer it, and answers that with TLS.
///
/// # Errors
/// When the URL is unusable, or TLS cannot be set up.
pub fn wants_tls(http_url: &str, stop: &Stop) -> Result<bool, Error> {
    let Some(place) = http_url.strip_prefix("http://") else { return Ok(false) };
    let status = |base_url: String| {
        let http = HttpSettings {
            base_url: Some(base_url),
            time_limit: LOOK_LIMIT,
            max_body_bytes: 0,
            max_rate: None,
            headers: Vec::new(),
            // Whose certificate it is is a question for the calls that matter.
            insecure: true,
        };
        Ok(Client::new(&http, stop)?.status_of("/", LOOK_LIMIT))
    };
    Ok(matches!(status(http_url.to_owned())?, None | Some(BAD_REQUEST)) && status(format!("https://{place}"))?.is_some())
}

#[cfg(test)]
mod tests {
    use super::{Stop, wants_tls};
    use crate::exec::test_server::{answering, encrypted};

    #[test]
    fn a_service_wants_tls_that_answers_nothing_else() {
        let wants = |port: u16| wants_tls(&format!("http://127.0.0.1:{port}"), &Stop::default()).expect("a usable URL");
        assert!(wants(encrypted("HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n")));
        let plain = |head: &'static str| answering(move |_| (head.to_owned(), String::new()));
        assert!(!wants(plain("404 Not Found")));
        assert!(!wants(plain("400 Bad Request")), "it does not speak TLS either");
    }
}
