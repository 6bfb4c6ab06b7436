//! Whether a service wants TLS.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use url::Url;

use super::{Client, Error, HttpSettings, Stop};

/// How long a look without TLS may take.
const PLAIN_LIMIT: Duration = Duration::from_secs(2);
/// The same with TLS, which a JVM that has just started, on a machine that is busy, takes seconds to get ready for.
const TLS_LIMIT: Duration = Duration::from_secs(15);

/// How long a look at what a service makes of a broken record may take.
const BROKEN_LIMIT: Duration = Duration::from_secs(2);
/// A record of TLS (RFC 8446 5.1) that no side can use, and two ends of lines.
const BROKEN_RECORD: &[u8] = b"\x16\x03\x01\x00\x04\r\n\r\n";
/// The type of a record that holds an alert, which is how TLS answers one that is broken.
const ALERT: u8 = 0x15;

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
    Ok(is_refused && !answers_plainly(http_url) && status(format!("https://{place}"), TLS_LIMIT)?.is_some())
}

/// Whether it answers a broken record of TLS with anything but an alert. One that reads lines, and answers one caller after
/// another, would wait for the end of a line of a whole one, and nobody else would be served meanwhile.
fn answers_plainly(http_url: &str) -> bool {
    first_answered(http_url).is_some_and(|byte| byte != ALERT)
}

/// The first byte of the answer to a broken record, if there is one.
fn first_answered(http_url: &str) -> Option<u8> {
    let address = Url::parse(http_url).ok()?.socket_addrs(|| None).ok()?.into_iter().next()?;
    let mut stream = TcpStream::connect_timeout(&address, BROKEN_LIMIT).ok()?;
    stream.set_read_timeout(Some(BROKEN_LIMIT)).ok()?;
    stream.write_all(BROKEN_RECORD).ok()?;
    let mut byte = [0];
    stream.read_exact(&mut byte).ok()?;
    Some(byte[0])
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read, Write};

    use super::{Stop, answers_plainly, wants_tls};
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
        assert!(!answers_plainly(&format!("http://127.0.0.1:{}", encrypted("HTTP/1.1 200 \r\n\r\n"))));
    }

    #[test]
    fn one_that_waits_for_the_end_of_a_line_is_given_one() {
        // A whole record has none for sure.
        let lines = server(|stream, _| {
            let mut reader = BufReader::new(stream);
            let mut line = Vec::new();
            drop(reader.read_until(b'\n', &mut line));
            drop(reader.into_inner().write_all(b"HTTP/1.1 400 \r\nconnection: close\r\ncontent-length: 0\r\n\r\n"));
        });
        assert!(answers_plainly(&format!("http://127.0.0.1:{lines}")));
    }
}
