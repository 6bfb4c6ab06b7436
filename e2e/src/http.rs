//! A minimal HTTP client for readiness checks and the like: one connection per call, short time limit, loopback only.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result};

const LIMIT: Duration = Duration::from_secs(5);

/// What a service answered.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The body as it came.
    pub body: Vec<u8>,
}

/// `GET` of a path on a port of loopback.
pub fn get(port: u16, path: &str) -> Result<Answer> {
    call(port, "GET", path)
}

/// A call without a body on a port of loopback.
pub fn call(port: u16, verb: &str, path: &str) -> Result<Answer> {
    call_with(port, verb, path, &[])
}

/// The same with further header fields, `Name: value` each.
pub fn call_with(port: u16, verb: &str, path: &str, fields: &[&str]) -> Result<Answer> {
    let mut stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), LIMIT)?;
    stream.set_read_timeout(Some(LIMIT))?;
    // Answers to HTTP 1.0 end with the connection and are not sent in chunks.
    let own = format!("{verb} {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0");
    let request = [&[own.as_str()], fields, &["\r\n"]].concat().join("\r\n");
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").context("no end of the header")?;
    let header = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = header.split(' ').nth(1).and_then(|status| status.parse().ok()).context("no status")?;
    Ok(Answer { status, body: bytes.split_off(end + 4) })
}
