//! The simplest HTTP client there is: one request written, one answer read, over one plain connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A recorded request.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Request line and header fields, ending in an empty line, as bytes.
    pub head: Vec<u8>,
    /// Body bytes.
    pub body: Vec<u8>,
    /// Whether the answer has no body whatever its header says.
    pub is_head: bool,
}

/// Sends all requests one after the other over one connection (a new one when the service closes it) and returns how
/// long that took and how many connections it needed.
pub fn replay(address: &str, requests: &[Recorded]) -> Result<(Duration, usize)> {
    let began = Instant::now();
    let mut connections = 0;
    let mut connection = None;
    for request in requests {
        let mut attempts = 0;
        loop {
            if connection.is_none() {
                connections += 1;
                connection = Some(Connection::open(address)?);
            }
            let exchanged = connection.as_mut().map_or_else(|| bail!("no connection"), |open| open.exchange(request));
            match exchanged {
                Ok(true) => {}
                Ok(false) => connection = None,
                Err(error) => {
                    connection = None;
                    attempts += 1;
                    if attempts < 3 {
                        continue;
                    }
                    return Err(error.context("the service does not answer the plain client"));
                }
            }
            break;
        }
    }
    Ok((began.elapsed(), connections))
}

struct Connection {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Connection {
    fn open(address: &str) -> Result<Self> {
        let writer = TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
        writer.set_nodelay(true)?;
        writer.set_read_timeout(Some(Duration::from_secs(20)))?;
        Ok(Self { reader: BufReader::with_capacity(64 * 1024, writer.try_clone()?), writer })
    }

    /// Sends one request and reads its answer; says whether the connection can be used again.
    fn exchange(&mut self, request: &Recorded) -> Result<bool> {
        let mut bytes = Vec::with_capacity(request.head.len() + request.body.len());
        bytes.extend_from_slice(&request.head);
        bytes.extend_from_slice(&request.body);
        self.writer.write_all(&bytes)?;
        loop {
            let head = self.read_head()?;
            if head.status != 100 {
                return self.read_body(&head, request.is_head);
            }
        }
    }

    fn read_head(&mut self) -> Result<Head> {
        let mut line = String::new();
        if self.reader.read_line(&mut line)? == 0 {
            bail!("connection closed");
        }
        let status = line.split_whitespace().nth(1).and_then(|code| code.parse().ok()).context("no status line")?;
        let mut head = Head { status, length: None, is_chunked: false, closes: false };
        loop {
            let mut bytes = Vec::new();
            self.reader.read_until(b'\n', &mut bytes)?;
            let field = String::from_utf8_lossy(&bytes).trim().to_ascii_lowercase();
            let Some((name, value)) = field.split_once(':') else { return Ok(head) };
            match name {
                "content-length" => head.length = value.trim().parse().ok(),
                "transfer-encoding" => head.is_chunked = value.contains("chunked"),
                "connection" => head.closes = value.contains("close"),
                _ => {}
            }
        }
    }

    fn read_body(&mut self, head: &Head, is_head: bool) -> Result<bool> {
        if is_head || head.status == 204 || head.status == 304 {
            return Ok(!head.closes);
        }
        if head.is_chunked {
            self.read_chunks()?;
            return Ok(!head.closes);
        }
        if let Some(length) = head.length {
            std::io::copy(&mut self.reader.by_ref().take(length), &mut std::io::sink())?;
            return Ok(!head.closes);
        }
        std::io::copy(&mut self.reader, &mut std::io::sink())?;
        Ok(false)
    }

    fn read_chunks(&mut self) -> Result<()> {
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line)?;
            let size = line.trim().split(';').next().unwrap_or_default();
            let size = u64::from_str_radix(size, 16).context("a chunk without a size")?;
            std::io::copy(&mut self.reader.by_ref().take(size), &mut std::io::sink())?;
            let mut end = String::new();
            self.reader.read_line(&mut end)?;
            if size == 0 {
                return Ok(());
            }
        }
    }
}

struct Head {
    status: u16,
    length: Option<u64>,
    is_chunked: bool,
    closes: bool,
}
