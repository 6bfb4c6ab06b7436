//! A hand-written HTTP server for tests: it can misbehave in every way.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::{Client, HttpSettings, Stop};

/// Serves every connection with `serve`, which gets the stream and the connection's number from 0; returns the port.
pub(crate) fn server(serve: impl Fn(TcpStream, usize) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("a bound address").port();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            let serve = Arc::clone(&serve);
            thread::spawn(move || serve(stream, number));
        }
    });
    port
}

/// Calls below `base_url`, each for five seconds at most.
pub(crate) fn client_of(base_url: String) -> Client {
    client_within(base_url, Duration::from_secs(5))
}

/// The same, each within `time_limit`.
pub(crate) fn client_within(base_url: String, time_limit: Duration) -> Client {
    let settings = HttpSettings {
        base_url: Some(base_url),
        time_limit,
        max_body_bytes: 10_000,
        max_rate: None,
        headers: Vec::new(),
        insecure: false,
    };
    Client::new(&settings, &Stop::default()).expect("valid settings")
}

/// Reads one request and returns its head and body; empty when the other side is gone.
pub(crate) fn read_request(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(end) = text.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&text[..end]).to_lowercase();
            let length =
                head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().expect("a length"));
            if text.len() >= end + 4 + length {
                return String::from_utf8_lossy(&text).into_owned();
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return String::new(),
            Ok(n) => text.extend_from_slice(&buffer[..n]),
        }
    }
}

/// Answers every request on the connection with the same bytes.
pub(crate) fn always(answer: &'static str) -> impl Fn(TcpStream, usize) {
    move |mut stream, _| while !read_request(&mut stream).is_empty() && stream.write_all(answer.as_bytes()).is_ok() {}
}

/// Serves every request with `answer`, which gets its text and gives head and body without `content-length`.
pub(crate) fn answering(answer: impl Fn(&str) -> (String, String) + Send + Sync + 'static) -> u16 {
    server(move |mut stream, _| {
        loop {
            let request = read_request(&mut stream);
            if request.is_empty() {
                return;
            }
            let (head, body) = answer(&request);
            let text = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            if stream.write_all(text.as_bytes()).is_err() {
                return;
            }
        }
    })
}

/// Serves one answer to all requests on every encrypted connection, with a certificate that nobody signed.
pub(crate) fn encrypted(answer: &'static str) -> u16 {
    let own = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).expect("a certificate");
    let key = rustls::pki_types::PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()).into();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![own.cert.der().clone()], key));
    let config = Arc::new(config.expect("a usable certificate"));
    server(move |mut stream, _| {
        let mut connection = rustls::ServerConnection::new(Arc::clone(&config)).expect("a valid configuration");
        let mut channel = rustls::Stream::new(&mut connection, &mut stream);
        while channel.read(&mut [0; 4096]).is_ok_and(|n| n > 0) && channel.write_all(answer.as_bytes()).is_ok() {}
    })
}
