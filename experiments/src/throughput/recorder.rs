//! A proxy on loopback that keeps the bytes of every request, and the identifiers in every answer.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};

use super::ids::{self, Id};
use super::plain_client::Recorded;

/// What went over one connection.
type Traffic = Arc<Mutex<Conversation>>;

/// One connection: a request is sent when the answer to the one before it is complete.
#[derive(Default)]
struct Conversation {
    /// Bytes sent to the service.
    sent: Vec<u8>,
    /// Bytes of the answer under way, none before its first.
    answer: Vec<u8>,
    /// The ids in each complete answer.
    ids: Vec<Vec<Id>>,
}

impl Conversation {
    fn ask(&mut self, bytes: &[u8]) {
        self.finish();
        self.sent.extend_from_slice(bytes);
    }

    /// Looks at the answer under way, which is complete.
    fn finish(&mut self) {
        if !self.answer.is_empty() {
            self.ids.push(ids::find(&self.answer));
            self.answer.clear();
        }
    }

    fn recorded(&mut self) -> Vec<Recorded> {
        self.finish();
        let mut requests = split(&self.sent);
        for (request, ids) in requests.iter_mut().zip(&self.ids) {
            request.ids.clone_from(ids);
        }
        requests
    }
}

/// The proxy; its thread lasts as long as the program.
pub struct Recorder {
    port: u16,
    connections: Connections,
}

/// What went over all connections, in the order in which they were opened.
type Connections = Arc<Mutex<Vec<Traffic>>>;

impl Recorder {
    /// Starts a proxy on a free port for the service on that port.
    ///
    /// One thread does it all: each wait for another one would cost more than the bytes do.
    pub fn start(service: u16) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let connections = Connections::default();
        let all = Arc::clone(&connections);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        thread::spawn(move || {
            if let Err(error) = runtime.block_on(accept(listener, service, &all)) {
                eprintln!("the proxy ended: {error}");
            }
        });
        Ok(Self { port, connections })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// Its base URL, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// All requests so far, connection by connection.
    pub fn requests(&self) -> Vec<Recorded> {
        open(&self.connections).iter().flat_map(|traffic| open(traffic).recorded()).collect()
    }
}

fn open<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, service: u16, all: &Connections) -> Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let (client, _) = listener.accept().await?;
        let traffic = Traffic::default();
        open(all).push(Arc::clone(&traffic));
        tokio::spawn(async move {
            if let Err(error) = join(client, service, &traffic).await {
                eprintln!("the proxy lost a connection: {error}");
            }
        });
    }
}

/// Joins a client to the service until one of them ends; what goes to and fro is looked at.
async fn join(mut client: TcpStream, service: u16, traffic: &Traffic) -> Result<()> {
    let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, service)).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    tokio::select! {
        () = pass(from_client, to_server, |bytes| open(traffic).ask(bytes)) => {}
        () = pass(from_server, to_client, |bytes| open(traffic).answer.extend_from_slice(bytes)) => {}
    }
    Ok(())
}

async fn pass(mut from: ReadHalf<'_>, mut to: WriteHalf<'_>, keep: impl Fn(&[u8])) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(n @ 1..) = from.read(&mut buffer).await {
        let is_gone = to.write_all(&buffer[..n]).await.is_err();
        // Looked at when it is on its way, which costs nobody time.
        keep(&buffer[..n]);
        if is_gone {
            break;
        }
    }
}

/// The requests in the bytes of a connection; every body has a `Content-Length`.
fn split(mut bytes: &[u8]) -> Vec<Recorded> {
    let mut requests = Vec::new();
    while let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
        let (head, rest) = bytes.split_at(end + 4);
        let text = String::from_utf8_lossy(head).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok()).unwrap_or(0);
        if rest.len() < length {
            break;
        }
        let (body, rest) = rest.split_at(length);
        let is_head = head.starts_with(b"HEAD ");
        requests.push(Recorded { head: head.to_vec(), body: body.to_vec(), is_head, ids: Vec::new() });
        bytes = rest;
    }
    requests
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn requests_are_told_apart_by_their_lengths() {
        let requests = split(
            b"GET /a HTTP/1.1\r\nhost: x\r\n\r\nPOST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcHEAD /c HTTP/1.1\r\n\r\n",
        );
        let bodies: Vec<_> = requests.iter().map(|request| (request.body.as_slice(), request.is_head)).collect();
        assert_eq!(bodies, [(&b""[..], false), (&b"abc"[..], false), (&b""[..], true)]);
    }
}
