//! A proxy on loopback that passes bytes through as they come and counts answers by watching them.
//!
//! Every tool pays the same small price for it: one more hop over loopback and a look at the header of each request.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Result;

use super::http_stream::{Direction, HttpStream};
use super::tally::Tally;

/// Verb and path of the requests of one connection that have no answer yet, in order.
type Waiting = Mutex<VecDeque<(String, String)>>;

/// The proxy; its threads last as long as the program.
pub struct CountingProxy {
    port: u16,
    tally: Arc<Mutex<Tally>>,
    connections: Arc<AtomicU64>,
}

impl CountingProxy {
    /// Starts a proxy on a free port for the service on that port.
    pub fn start(service: u16, tally: Tally) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let (tally, connections) = (Arc::new(Mutex::new(tally)), Arc::new(AtomicU64::new(0)));
        let proxy = Self { port, tally: Arc::clone(&tally), connections: Arc::clone(&connections) };
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::Relaxed);
                if let Err(error) = join(client, service, Arc::clone(&tally)) {
                    eprintln!("the proxy lost a connection: {error}");
                }
            }
        });
        Ok(proxy)
    }

    /// Its base URL, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What was counted so far.
    pub fn tally(&self) -> Tally {
        open(&self.tally).clone()
    }

    /// Connections that clients opened so far.
    pub fn connections(&self) -> u64 {
        self.connections.load(Ordering::Relaxed)
    }
}

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Joins a client with a new connection to the service, one thread for each direction.
fn join(client: TcpStream, service: u16, tally: Arc<Mutex<Tally>>) -> std::io::Result<()> {
    let server = TcpStream::connect(("127.0.0.1", service))?;
    for stream in [&client, &server] {
        stream.set_nodelay(true)?;
    }
    let waiting = Arc::new(Waiting::default());
    let (requests, answers) = ((client.try_clone()?, server.try_clone()?), (server, client));
    let asked = Arc::clone(&waiting);
    thread::spawn(move || {
        pass(requests, Direction::Requests, |line| {
            let mut words = line.split(' ').map(str::to_owned);
            open(&asked).push_back((words.next().unwrap_or_default(), words.next().unwrap_or_default()));
            true
        });
    });
    thread::spawn(move || {
        pass(answers, Direction::Answers, |line| answered(line, &waiting, &tally));
    });
    Ok(())
}

/// Counts an answer; says whether it can have a body.
fn answered(line: &str, waiting: &Waiting, tally: &Mutex<Tally>) -> bool {
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    if (100..200).contains(&status) {
        return false;
    }
    let Some((verb, path)) = open(waiting).pop_front() else { return true };
    open(tally).count(&verb, &path, status);
    verb != "HEAD" && status != 204 && status != 304
}

/// Passes bytes on until either side ends.
fn pass((mut from, mut to): (TcpStream, TcpStream), direction: Direction, mut message: impl FnMut(&str) -> bool) {
    let mut watcher = HttpStream::new(direction);
    let mut buffer = vec![0; 1 << 16];
    while let Ok(n_read) = from.read(&mut buffer)
        && n_read > 0
    {
        // A request is noted before the service can answer it; an answer is passed on before it is looked at.
        if direction == Direction::Requests {
            watcher.feed(&buffer[..n_read], &mut message);
        }
        if to.write_all(&buffer[..n_read]).is_err() {
            break;
        }
        if direction == Direction::Answers {
            watcher.feed(&buffer[..n_read], &mut message);
        }
    }
    // The other side may be gone already.
    let _ = to.shutdown(Shutdown::Write);
    let _ = from.shutdown(Shutdown::Read);
}
