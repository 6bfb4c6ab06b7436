//! A keeper of real processes, called over HTTP.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

use reqwest::Method;
use restive_driver_protocol::Token;
use serde_json::Value;
use tempfile::TempDir;

use super::*;
use crate::exec::{AuthSettings, Client, HttpSettings, Ready, ResetSettings, Resetter, Stop, Sut, SutSettings, Users};

const TOKEN: &str = "t0ken";
const SERVE: &str = "exec python3 -u -m http.server --bind=127.0.0.1 {port}";

/// A keeper that runs in a thread of its own.
struct Kept {
    port: u16,
    service_port: u16,
    stop: Stop,
    thread: thread::JoinHandle<Vec<Event>>,
    _folder: TempDir,
}

fn settings(base_url: &str) -> HttpSettings {
    HttpSettings {
        base_url: Some(base_url.to_owned()),
        time_limit: Duration::from_secs(20),
        max_body_bytes: 10_000,
        max_rate: None,
        headers: Vec::new(),
        insecure: false,
    }
}

/// Keeps a service that a shell starts by `script`.
fn keep(script: &str, reset: Reset, restarts_on_death: bool) -> Kept {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().to_owned();
    let sut = SutSettings {
        command: ["sh", "-c", script].map(str::to_owned).to_vec(),
        env: Vec::new(),
        working_directory: Some(logs.clone()),
        port: None,
        ready: Ready::Port,
        start_limit: Duration::from_secs(30),
        max_log_bytes: 10_000,
        notice_port: false,
        fresh_folder: false,
    };
    let stop = Stop::default();
    let (sender, ports) = mpsc::channel();
    let stopped = stop.clone();
    let thread = thread::spawn(move || {
        let sut = Sut::start(&sut, None, &logs, &stopped).expect("the service starts");
        let client = Client::new(&settings(sut.base_url()), &stopped).expect("valid settings");
        let users = Users::load(&AuthSettings::default(), 0).expect("no users");
        let resetting = ResetSettings { reset: reset.clone(), limit: Duration::from_secs(10) };
        let resetter = Resetter::new(&resetting, &client).expect("a valid reset");
        let service_port = sut.port();
        let service = Service { sut: Some(sut), resetter, ..Service::new(client, users, stopped) };
        let keeper = Keeper::new(service, &reset, restarts_on_death);
        let (orders, received) = mpsc::channel();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let listening = listen(listener, Token::new(TOKEN), orders, keeper.status()).expect("it listens");
        sender.send((listening.address.port(), service_port)).expect("the test waits");
        let mut events = Vec::new();
        keeper.run(&received, &mut |event| events.push(event.clone()));
        listening.end();
        events
    });
    let (port, service_port) = ports.recv().expect("the keeper runs");
    Kept { port, service_port, stop, thread, _folder: folder }
}

impl Kept {
    /// The status of a call with that token, and what it says.
    fn call(&self, method: &Method, path: &str, fields: &[(&str, &str)]) -> (u16, Value) {
        let settings = HttpSettings {
            headers: fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ..settings(&format!("http://127.0.0.1:{}", self.port))
        };
        let client = Client::new(&settings, &Stop::default()).expect("valid settings");
        let call = crate::exec::Call {
            method: method.clone(),
            target: crate::exec::CallTarget::Below(path),
            headers: Vec::new(),
            body: None,
            limit: Duration::from_secs(30),
        };
        let answer = client.fetch(&call).unwrap_or_else(|failure| panic!("{method} {path}: {}", failure.reason));
        (answer.status, answer.json().cloned().unwrap_or_default())
    }

    fn known(&self, method: &Method, path: &str) -> (u16, Value) {
        self.call(method, path, &[("Authorization", &format!("Bearer {TOKEN}"))])
    }

    fn status(&self) -> Value {
        self.known(&Method::GET, "/status").1
    }

    fn end(self) -> Vec<Event> {
        self.stop.request();
        self.thread.join().expect("the keeper ends")
    }
}

#[test]
fn only_who_has_the_token_and_names_this_machine_is_heard() {
    let kept = keep(SERVE, Reset::Never, false);
    let bearer = format!("Bearer {TOKEN}");
    for (method, path) in [(Method::GET, "/status"), (Method::POST, "/restart"), (Method::GET, "/nothing")] {
        for fields in [&[][..], &[("Authorization", "Bearer other")], &[("Authorization", TOKEN)]] {
            let (status, said) = kept.call(&method, path, fields);
            assert!(status == 401 && said["error"].is_string() && said["hint"].is_string(), "{path}: {status} {said}");
        }
        let (status, said) = kept.call(&method, path, &[("Authorization", &bearer), ("Host", "evil.example")]);
        assert!(status == 403 && said["error"].is_string(), "{path}: {status} {said}");
    }
    let missing = kept.known(&Method::GET, "/nothing");
    assert!(missing.0 == 404 && missing.1["hint"].is_string(), "{missing:?}");
    for (method, path) in [(Method::POST, "/status"), (Method::GET, "/restart"), (Method::DELETE, "/stop")] {
        let (status, said) = kept.known(&method, path);
        assert!(status == 405 && said["error"].is_string(), "{method} {path}: {status} {said}");
    }
    let status = kept.status();
    assert_eq!((&status["state"], &status["restarts"]), (&Value::from("up"), &Value::from(0)));
    assert_eq!(kept.end(), []);
}

#[test]
fn a_service_is_restarted_on_its_port_and_ended() {
    let kept = keep(SERVE, Reset::Never, false);
    let before = kept.status();
    assert_eq!(before["port"], kept.service_port);
    let (status, done) = kept.known(&Method::POST, "/restart");
    assert!(status == 200 && done["done"] == "restart" && done["seconds"].is_number(), "{status} {done}");
    // Nothing else brings it back.
    assert_eq!(kept.known(&Method::POST, "/reset").1["done"], "restart");
    let after = kept.status();
    assert_eq!((&after["restarts"], &after["port"], &after["state"]), (&Value::from(2), &before["port"], &Value::from("up")));
    assert_ne!(after["pid"], before["pid"]);
    let (status, done) = kept.known(&Method::POST, "/stop");
    assert!(status == 200 && done["done"] == "stop", "{status} {done}");
    let events = kept.thread.join().expect("the keeper ends by itself");
    assert!(TcpStream::connect(("127.0.0.1", kept.service_port)).is_err());
    let done = |event: &Event| if let Event::Done(done) = event { Some(done.done) } else { None };
    assert_eq!(events.iter().filter_map(done).collect::<Vec<_>>(), ["restart", "restart", "stop"]);
}

/// Ends by a signal at the first call.
const SIGNALLED: &str = "echo so long; exec python3 -c \"
import http.server, os, signal
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        os.kill(os.getpid(), signal.SIGKILL)
http.server.HTTPServer(('127.0.0.1', {port}), Handler).serve_forever()
\"";

#[test]
fn a_service_that_ended_is_told_and_comes_back_when_it_is_wanted() {
    let kept = keep(SIGNALLED, Reset::Command(vec!["true".to_owned()]), false);
    let client = Client::new(&settings(&format!("http://127.0.0.1:{}", kept.service_port)), &Stop::default()).expect("valid");
    let _ends = client.probe();
    let is_down = || kept.status()["state"] == "down";
    assert!((0..500).any(|_| is_down() || !Stop::default().sleep(Duration::from_millis(20))), "{}", kept.status());
    let status = kept.status();
    assert_eq!(
        (&status["deaths"], &status["pid"], &status["reset_by"]),
        (&Value::from(1), &Value::Null, &Value::from("command"))
    );
    let told = status["last_end"].as_str().unwrap_or_default().to_owned();
    assert!(told.contains("signal") && status["last_output"].to_string().contains("so long"), "{status}");
    assert!(TcpStream::connect(("127.0.0.1", kept.service_port)).is_err());
    assert_eq!(kept.known(&Method::POST, "/reset").1["done"], "restart");
    assert!(TcpStream::connect(("127.0.0.1", kept.service_port)).is_ok());
    let events = kept.end();
    assert!(matches!(&events[..], [Event::Died(_), Event::Done(Done { done: "restart", .. }), ..]), "{events:?}");
}

/// Ends at the first call.
const MORTAL: &str = "exec python3 -c \"
import http.server, os
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        os._exit(7)
http.server.HTTPServer(('127.0.0.1', {port}), Handler).serve_forever()
\"";

#[test]
fn a_service_that_ends_again_and_again_is_given_up() {
    let kept = keep(MORTAL, Reset::Never, true);
    let client = Client::new(&settings(&format!("http://127.0.0.1:{}", kept.service_port)), &Stop::default()).expect("valid");
    let is_given_up = || {
        let status = kept.status();
        if status["state"] == "up" {
            let _ends = client.probe();
        }
        status["deaths"] == 3 && status["state"] == "down"
    };
    assert!((0..1000).any(|_| is_given_up() || !Stop::default().sleep(Duration::from_millis(20))), "{}", kept.status());
    let last_end = kept.status()["last_end"].clone();
    assert_eq!(last_end, "with exit status 7");
    let events = kept.end();
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Died(_))).count(), 3, "{events:?}");
    assert_eq!(events.last(), Some(&Event::GivenUp));
}
