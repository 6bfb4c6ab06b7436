//! A tiny HTTP server whose answers a test writes byte by byte: for services that behave as none should.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// What a client asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// HTTP verb.
    pub verb: String,
    /// Path and query as sent.
    pub path: String,
    /// Header fields as sent, one `Name: value` each.
    pub fields: Vec<String>,
    /// Body.
    pub body: Vec<u8>,
}

/// The server; its listener ends when dropped, calls in progress go on by themselves.
#[derive(Debug)]
pub struct ScriptedServer {
    port: u16,
    stop: Arc<AtomicBool>,
    calls: Arc<Mutex<Vec<Call>>>,
    thread: Option<JoinHandle<()>>,
}

impl ScriptedServer {
    /// Serves on a free port; each call runs `answer` on a thread of its own and then loses its connection.
    pub fn start(answer: impl Fn(&Call, &mut TcpStream) -> io::Result<()> + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let (stopped, log, answer) = (Arc::clone(&stop), Arc::clone(&calls), Arc::new(answer));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                // A client that goes away in the middle is what these tests are about.
                thread::spawn(move || stream.and_then(|stream| serve(stream, &log, &*answer)));
            }
        });
        Ok(Self { port, stop, calls, thread: Some(thread) })
    }

    /// Its base URL, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Every call so far, in order of arrival.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the listener up.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(
    mut stream: TcpStream,
    log: &Mutex<Vec<Call>>,
    answer: &(impl Fn(&Call, &mut TcpStream) -> io::Result<()> + ?Sized),
) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let (verb, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut call = Call { verb, path, fields: Vec::new(), body: Vec::new() };
    let mut length = 0;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? <= 2 {
            break;
        }
        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        call.fields.push(header.trim_end().to_owned());
    }
    reader.take(length).read_to_end(&mut call.body)?;
    log.lock().unwrap_or_else(PoisonError::into_inner).push(call.clone());
    answer(&call, &mut stream)
}

/// Writes a whole answer with a JSON body.
pub fn json(stream: &mut TcpStream, status: u16, body: &str) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status} Scripted\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// An OpenAPI document with one `GET` operation for each path, each answering a JSON object.
pub fn schema(paths: &[&str]) -> String {
    let answer = r#"{"get": {"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}}}}"#;
    let paths: BTreeMap<_, _> =
        paths.iter().map(|path| (path, serde_json::from_str::<serde_json::Value>(answer).ok())).collect();
    serde_json::json!({"openapi": "3.0.3", "info": {"title": "Scripted", "version": "1"}, "paths": paths}).to_string()
}
