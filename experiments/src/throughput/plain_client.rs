//! The simplest HTTP client there is: one request written, one answer read, over one plain connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::TIME_LIMIT;
use super::ids::{self, Id, Renaming};

/// A recorded request.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Request line and header fields, ending in an empty line, as bytes.
    pub head: Vec<u8>,
    /// Body bytes.
    pub body: Vec<u8>,
    /// Whether the answer has no body whatever its header says.
    pub is_head: bool,
    /// The ids in the answer that it got.
    pub ids: Vec<Id>,
}

/// What a replay took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Replay {
    /// From the first byte of each request to the last of its answer, connecting included, summed up.
    pub elapsed: Duration,
    /// Connections that it needed.
    pub connections: usize,
    /// Answers with as many ids as the recorded ones.
    pub alike: usize,
}

/// Sends all requests one after the other over one connection (a new one when the service closes it).
///
/// Ids that the service made up when the requests were recorded are replaced by those it gives now. What that costs is
/// not counted: a client that means the same requests knows its ids.
pub fn replay(address: SocketAddr, requests: &[Recorded]) -> Result<Replay> {
    let mut replay = Replay::default();
    let mut renaming = Renaming::default();
    let mut connection = None;
    for recorded in requests {
        let mut bytes = [recorded.head.as_slice(), recorded.body.as_slice()].concat();
        renaming.apply(&mut bytes);
        let answer = replay.send(address, &mut connection, &bytes, recorded.is_head)?;
        let ids = ids::find(&answer);
        replay.alike += usize::from(ids.len() == recorded.ids.len());
        renaming.learn(&recorded.ids, &ids);
    }
    Ok(replay)
}

impl Replay {
    /// Sends one request and returns its answer; a broken connection is replaced.
    fn send(
        &mut self,
        address: SocketAddr,
        connection: &mut Option<Connection>,
        bytes: &[u8],
        is_head: bool,
    ) -> Result<Vec<u8>> {
        loop {
            let was_kept = connection.is_some();
            let began = Instant::now();
            let open = if let Some(open) = connection {
                open
            } else {
                self.connections += 1;
                connection.insert(Connection::open(address)?)
            };
            let exchanged = open.exchange(bytes, is_head);
            self.elapsed += began.elapsed();
            match exchanged {
                Ok(true) => return Ok(std::mem::take(&mut open.answer)),
                Ok(false) => return Ok(connection.take().map(|closed| closed.answer).unwrap_or_default()),
                // A kept-alive connection may have been closed meanwhile; a fresh one is broken on purpose.
                Err(_) => *connection = None,
            }
            if !was_kept || began.elapsed() >= TIME_LIMIT {
                return Ok(Vec::new());
            }
        }
    }
}

struct Connection {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
    /// Header fields and body of the last answer.
    answer: Vec<u8>,
}

impl Connection {
    fn open(address: SocketAddr) -> Result<Self> {
        let writer = TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
        writer.set_nodelay(true)?;
        writer.set_read_timeout(Some(TIME_LIMIT))?;
        let reader = BufReader::with_capacity(64 * 1024, writer.try_clone()?);
        Ok(Self { reader, writer, answer: Vec::new() })
    }

    /// Sends one request and reads its answer; says whether the connection can be used again.
    fn exchange(&mut self, bytes: &[u8], is_head: bool) -> Result<bool> {
        self.answer.clear();
        self.writer.write_all(bytes)?;
        loop {
            let head = self.read_head()?;
            if head.status != 100 {
                return self.read_body(&head, is_head);
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
            self.answer.extend_from_slice(&bytes);
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
            self.reader.by_ref().take(length).read_to_end(&mut self.answer)?;
            return Ok(!head.closes);
        }
        self.reader.read_to_end(&mut self.answer)?;
        Ok(false)
    }

    fn read_chunks(&mut self) -> Result<()> {
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line)?;
            let size = line.trim().split(';').next().unwrap_or_default();
            let size = u64::from_str_radix(size, 16).context("a chunk without a size")?;
            self.reader.by_ref().take(size).read_to_end(&mut self.answer)?;
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
