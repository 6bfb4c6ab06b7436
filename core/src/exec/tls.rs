//! Whether a service wants TLS.

use std::time::Duration;

use super::{Client, Error, HttpSettings, Stop};

/// How long a look without TLS may take.
const PLAIN_LIMIT: Duration = Duration::from_secs(2);
/// The same with TLS, which a JVM that has just started, on a machine that is busy, takes seconds to get ready for.
const TLS_LIMIT: Duration = Duration::from_secs(15);

/// The status by which connectors refuse what is not encrypted.
pub const BAD_REQUEST: u16 = 400;

/// Whether a service at an `http` URL refuses a GET of `/` with 400, or does not answer it, and answers that with TLS.
///
/// # Errors
/// When the URL is unusable, or TLS cannot be set up.
pub fn wants_tls(http_url: &str, stop: &Stop) -> Result<bool, Error> {
    let Some(place) = http_url.strip_prefix("http://") else { return Ok(false) };
    let status = |base_url: String, limit: Duration| {
        let http = HttpSettings {
            base_url: Some(base_url),
            time_limit: limit,
            max_body_bytes: 0,
            max_rate: None,
            headers: Vec::new(),
            // Whose certificate it is is a question for the calls that matter.
            insecure: true,
        };
        Ok(Client::new(&http, stop)?.status_of("/", limit))
    };
    let is_refused = matches!(status(http_url.to_owned(), PLAIN_LIMIT)?, None | Some(BAD_REQUEST));
    Ok(is_refused && status(format!("https://{place}"), TLS_LIMIT)?.is_some())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::{Stop, wants_tls};
    use crate::exec::test_server::{encrypted, server};

    #[test]
    fn a_service_wants_tls_that_answers_nothing_else() {
        let wants = |port: u16| wants_tls(&format!("http://127.0.0.1:{port}"), &Stop::default()).expect("a usable URL");
        assert!(wants(encrypted("HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n")));
        // It takes whatever comes for a request.
        let plain = |answer: &'static str| {
            server(move |mut stream, _| drop(stream.read(&mut [0; 4096]).and_then(|_| stream.write_all(answer.as_bytes()))))
        };
        assert!(!wants(plain("HTTP/1.1 404 \r\ncontent-length: 0\r\n\r\n")));
        assert!(!wants(plain("HTTP/1.1 400 \r\ncontent-length: 0\r\n\r\n")), "it does not speak TLS either");
    }
}
