//! Written projects pass three times out of three against a service, and send exactly what was recorded.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

use crate::suite::{WRITERS, sample, write};

/// Requests as they came: line, header fields and body.
type Seen = Arc<Mutex<Vec<(String, Vec<String>, Vec<u8>)>>>;

/// What the sample's service answers: status, header fields and body.
fn answer(line: &str) -> (u16, &'static str, &'static str) {
    const ORDER: &str = "Content-Type: application/json; charset=utf-8\r\nSet-Cookie: s=1\r\nLocation: /orders/17\r\nCache-Control:\t no-store, private \t\r\n";
    const FILE: &str = "Content-Type: application/json\r\nLocation: /files/a%20b%2Fc\r\nETag: \"x\"\r\nSet-Cookie: sid=old\r\nSet-Cookie: side=1\r\nset-cookie: sid=a%3D+b==; Path=/; HttpOnly\r\n";
    let order = r#"{"item":"book","quantity":2,"price":9.5,"total":1.2345678901234568e21,"id":17,"rate":0.12345678901234567,"count":9007199254740993,"history":[],"key":"123e4567-e89b-12d3-a456-426614174000","made":"2026-11-22T10:00:00.5Z","labels":["paid","new"],"counts":[10,2],"paid":null,
        "lines":[{"open":true,"0":"key that looks like a position"}]}"#;
    match line {
        "POST /api/orders HTTP/1.1" => (201, ORDER, order),
        "GET /api/orders/17 HTTP/1.1" => (500, "", ""),
        "POST /api/files HTTP/1.1" => {
            (201, FILE, r#"[{"size":3,"open":true,"next":"http://localhost/files/a%20b%2Fc/parts/7?of=/9"}]"#)
        }
        "GET /api/ping HTTP/1.1" => (200, "Content-Type: text/plain\r\n", "pong\n"),
        "PUT /api/files/a%20b%2Fc?open=true HTTP/1.1" | "POST /api/xml HTTP/1.1" | "POST /api/form HTTP/1.1" => (200, "", ""),
        "POST /api/move HTTP/1.1" => (302, "Location: /api/moved\r\nSet-Cookie: s=2\r\n", ""),
        "POST /api/reset HTTP/1.1" => (204, "", ""),
        "GET /api//ping?b=1&a=2&b=3 HTTP/1.1" | "DELETE /api/things HTTP/1.1" => (400, "", ""),
        "POST /api/users HTTP/1.1" => (201, "", ""),
        line if line.starts_with("GET /api/users/") => (200, "", ""),
        "PUT /api/blob HTTP/1.1" => (415, "", ""),
        "TRACE /api/ HTTP/1.1" => (405, "", ""),
        _ => (404, "", ""),
    }
}

/// Serves one connection until the client closes it.
fn serve(stream: TcpStream, seen: &Seen) -> std::io::Result<()> {
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match line.trim_end() {
                "" => break,
                field => head.push(field.to_owned()),
            }
        }
        let length = head.iter().find_map(|field| field.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body)?;
        let line = head.remove(0);
        if line.starts_with("POST /api/drop ") {
            return write!(writer, "HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nhalf");
        }
        let (status, fields, text) = answer(&line);
        seen.lock().expect("no panic in another thread").push((line, head, body));
        write!(writer, "HTTP/1.1 {status} X\r\n{fields}Content-Length: {}\r\n\r\n{text}", text.len())?;
    }
}

fn start() -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/api", listener.local_addr().expect("an address"));
    let seen = Seen::default();
    let shared = Arc::clone(&seen);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let seen = Arc::clone(&shared);
            thread::spawn(move || serve(stream, &seen));
        }
    });
    (url, seen)
}

#[test]
fn pytest_project_passes_and_sends_what_was_recorded() {
    passes_and_sends_what_was_recorded(
        "pytest",
        &["python3", "-c", "import pytest, requests"],
        &["python3", "-B", "-m", "pytest", "-q"],
        &["10 passed, 1 skipped"],
    );
}

#[test]
fn package_for_node_passes_and_sends_what_was_recorded() {
    passes_and_sends_what_was_recorded(
        "javascript",
        &["node", "--version"],
        &["node", "--test", "--test-reporter=tap"],
        &["# fail 0", "# skipped 1", "# tests 11"],
    );
}

#[test]
fn shell_scripts_pass_and_send_what_was_recorded() {
    passes_and_sends_what_was_recorded("curl", &["jq", "--version"], &["bash", "run.sh"], &["10 passed, 0 failed, 1 skipped"]);
}

/// The names of users that were made; each is asked for by the same name and mail, and of the kind of what the run had.
fn drawn_anew(seen: &[(String, Vec<String>, Vec<u8>)]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (idx, (_, _, body)) in seen.iter().enumerate().filter(|(_, (line, ..))| line == "POST /api/users HTTP/1.1") {
        let body: Value = serde_json::from_slice(body).expect("JSON");
        let [name, mail] = ["name", "mail"].map(|field| body[field].as_str().expect("a text").to_owned());
        let is_kind = |start: u8, end: u8, at: usize| (start..=end).contains(&name.as_bytes()[at]);
        assert!(name.len() == 8 && is_kind(b'G', b'Z', 0) && is_kind(b'g', b'z', 1) && is_kind(b'a', b'f', 7), "{name}");
        assert!(&name[3..5] == "-0" && mail.len() == 10 && mail.ends_with("@b.c") && mail != "kqzvtw@b.c", "{name} {mail}");
        assert_eq!(seen[idx + 1].0, format!("GET /api/users/{name}?mail={} HTTP/1.1", mail.replace('@', "%40")));
        names.insert(name);
    }
    names
}

/// Has the words of `run` executed three times in the folder of a form, each printing the texts of `wanted`; skipped
/// where those of `ready` do not work.
fn passes_and_sends_what_was_recorded(form: &str, ready: &[&str], run: &[&str], wanted: &[&str]) {
    let command = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    };
    if !command(ready).output().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: `{}` does not work here", ready.join(" "));
        assert!(std::env::var("CI").as_deref() != Ok("true"), "`{}` does not work here", ready.join(" "));
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(&sample::suite(), &WRITERS, folder.path()).expect("a writable folder");
    let (url, seen) = start();
    for _ in 0..3 {
        let mut tests = command(run);
        tests.current_dir(folder.path().join(form));
        let output = tests.env("RESTIVE_BASE_URL", &url).env("RESTIVE_AUTH_ALICE", "Authorization: Bearer t").output();
        let output = output.expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && wanted.iter().all(|wanted| text.contains(wanted)), "{text}");
    }
    let seen = seen.lock().expect("no panic in another thread");
    let request = |line: &str| seen.iter().find(|(found, ..)| found == line).expect("it was sent");
    let (_, fields, body) = request("PUT /api/files/a%20b%2Fc?open=true HTTP/1.1");
    assert_eq!(String::from_utf8_lossy(body), r#"{"file":"a b/c","size":3,"label":"no 3"}"#);
    // Names of header fields mean the same in any case.
    let cookies = ("Cookie", "theme=dark; sid=a%3D+b==");
    for (name, value) in [("If-Match", "\"x\""), ("Authorization", "Bearer t"), ("Content-Type", "application/json"), cookies] {
        let is_it = |field: &String| {
            field.split_once(": ").is_some_and(|(other, found)| other.eq_ignore_ascii_case(name) && found == value)
        };
        assert!(fields.iter().any(is_it), "{fields:?}");
    }
    assert_eq!(drawn_anew(&seen).len(), 3, "others each time");
    assert_eq!(request("PUT /api/blob HTTP/1.1").2, [0, 255, b'"', b'\\']);
    assert_eq!(request("POST /api/xml HTTP/1.1").2, b"<file><id>a b/c</id><next>a b/c 7</next></file>");
    let untyped = &request("DELETE /api/things HTTP/1.1").1;
    assert!(!untyped.iter().any(|field| field.starts_with("Content-Type")), "{untyped:?}");
    let twice =
        request("GET /api//ping?b=1&a=2&b=3 HTTP/1.1").1.iter().filter(|field| field.to_lowercase().starts_with("x-one: é"));
    assert_eq!(twice.count(), 2);
    assert!(!seen.iter().any(|(line, ..)| line.contains("/api/moved")), "redirects are not followed");
    let length = |line: &str| request(line).1.iter().find(|field| field.starts_with("Content-Length")).cloned();
    assert_eq!(length("POST /api/move HTTP/1.1").as_deref(), Some("Content-Length: 0"), "as the run says it");
    assert_eq!(length("TRACE /api/ HTTP/1.1"), None, "the run says nothing where content has no meaning");
    let names: Vec<&str> = seen.iter().flat_map(|(_, fields, _)| fields).filter_map(|field| field.split(':').next()).collect();
    let n_cookies = names.iter().filter(|name| name.eq_ignore_ascii_case("cookie")).count();
    assert!(n_cookies == 3 && !names.contains(&"Accept-Encoding"), "only those that a test sends");
    // Node says which connection it is on; that is no part of the request.
    assert!(form == "javascript" || !names.contains(&"Connection"));
}
