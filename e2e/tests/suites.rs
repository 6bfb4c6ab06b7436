//! Written suites send what the run sent, to the last header field: the service answers what it was sent.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use restive_e2e::process::{Service, free_port};
use restive_e2e::scripted::{Call, ScriptedServer, json};
use restive_e2e::suites::{Frame, all_pass_three_times, pass_three_times};
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use restive_e2e::{FoundFault, Restive};
use serde_json::{Value, json};

/// Fields of the client itself and of its connection.
const OWN_FIELDS: [&str; 3] = ["connection:", "host:", "user-agent:"];

/// `{"packed":true}` as gzip.
const PACKED: [u8; 35] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 42, 72, 76, 206, 78, 77, 81, 178, 42, 41, 42, 77, 173, 5, 0, 137, 224, 181, 220,
    15, 0, 0, 0,
];

/// Answers the request itself, which is then what the suites expect; a redirect with a cookie below `/moved`, nothing or
/// half an answer below `/drop`, the same coded body below `/packed`.
fn mirror(call: &Call, stream: &mut TcpStream) -> io::Result<()> {
    match &*call.path {
        path if path.starts_with("/drop/at-once") => return Ok(()),
        path if path.starts_with("/drop/halfway") => return write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
        path if path.starts_with("/packed") => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nConnection: close";
            write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n", PACKED.len())?;
            return stream.write_all(&PACKED);
        }
        _ => {}
    }
    let mut fields: Vec<String> = call
        .fields
        .iter()
        .filter_map(|field| field.split_once(':'))
        .map(|(name, value)| format!("{}: {}", name.to_ascii_lowercase(), value.trim()))
        .filter(|field| !OWN_FIELDS.iter().any(|own| field.starts_with(own)))
        .collect();
    fields.sort();
    let seen = json!({ "target": call.path, "fields": fields, "body": String::from_utf8_lossy(&call.body) }).to_string();
    if !call.path.starts_with("/moved") {
        return json(stream, 200, &seen);
    }
    let head = "HTTP/1.1 302 Found\r\nLocation: /followed\r\nSet-Cookie: a=b; Path=/\r\nContent-Type: application/json";
    write!(stream, "{head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{seen}", seen.len())
}

/// Operations whose requests have no body, an optional one, one of each usual type, and parameters in all places.
fn schema() -> Value {
    let answer = json!({ "200": { "description": "ok" }, "302": { "description": "moved" } });
    let fields = json!({ "type": "object", "required": ["name"],
        "properties": { "name": { "type": "string" }, "count": { "type": "integer" } } });
    let with_body = |media_type: &str, required: bool| json!({ "requestBody": { "required": required, "content": { media_type: { "schema": fields } } }, "responses": answer });
    let parameter = |place: &str, name: &str| json!({ "in": place, "name": name, "schema": { "type": "string" } });
    let parameters = json!([parameter("query", "q"), parameter("header", "X-Trace"), parameter("cookie", "lang")]);
    let without_body = json!({ "parameters": parameters, "responses": answer });
    let packed = json!({ "type": "object", "required": ["packed"], "properties": { "packed": { "type": "boolean" } } });
    let packed = json!({ "200": { "description": "ok", "content": { "application/json": { "schema": packed } } } });
    let paths = json!({
        "/packed": { "get": { "parameters": [parameter("header", "Accept-Encoding")], "responses": packed } },
        "/bare": { "get": without_body, "post": without_body, "put": without_body, "patch": without_body, "delete": without_body },
        "/drop/at-once": { "get": without_body, "post": with_body("application/json", false) },
        "/drop/halfway": { "get": without_body },
        "/moved": { "get": without_body, "post": with_body("application/json", false) },
        "/form": { "post": with_body("application/x-www-form-urlencoded", false), "put": with_body("application/x-www-form-urlencoded", true) },
        "/json": { "post": with_body("application/json", false), "put": with_body("application/json", true) },
        "/xml": { "post": with_body("application/xml", true) },
        "/text": { "post": { "requestBody": { "content": { "text/plain": { "schema": { "type": "string" } } } }, "responses": answer } },
    });
    json!({ "openapi": "3.0.3", "info": { "title": "Mirror", "version": "1" }, "paths": paths })
}

/// A service that knows each name it was ever told, in a file; a missing one is an empty one.
fn remember(names: &Path, call: &Call, stream: &mut TcpStream) -> io::Result<()> {
    let known = fs::read_to_string(names).unwrap_or_default();
    let name = String::from_utf8_lossy(&call.body).replace(char::is_whitespace, "");
    if call.verb != "POST" {
        return json(stream, 200, &json!({ "count": known.lines().count() }).to_string());
    }
    if known.lines().any(|other| other == name) {
        return json(stream, 409, "{}");
    }
    fs::write(names, format!("{known}{name}\n"))?;
    json(stream, 201, "{}")
}

/// A service that counts what it was ever asked, and knows each name once; both are gone when it is started anew.
const COUNTING: &str = r#"
import http.server, json, sys

names, calls = set(), 0

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        global calls
        calls += 1
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status = 200 if self.command == "GET" else 409 if body in names else 201
        if self.command == "POST":
            names.add(body)
        answer = json.dumps({"calls": calls, "names": len(names)}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = answer

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"#;

/// A service that queues statements: the answer to each says where it is, and its key is known by that alone.
fn queue(numbers: &AtomicUsize, call: &Call, stream: &mut TcpStream) -> io::Result<()> {
    let key = |number: &str| format!("k {}", number.bytes().rev().map(char::from).collect::<String>());
    if call.verb == "POST" {
        let number = format!("q{}", 1_000 + numbers.fetch_add(1, Ordering::Relaxed));
        let place = format!("http://{}/v1/queued/{number}/{}/0?wait=1s", "127.0.0.1", key(&number).replace(' ', "%20"));
        return json(stream, 200, &json!({ "links": [{ "rel": "next", "href": place }] }).to_string());
    }
    let path = call.path.split('?').next().unwrap_or_default().replace("%20", " ");
    let segments: Vec<&str> = path.split('/').skip(3).collect();
    let is_known = matches!(*segments, [number, found, "0"] if found == key(number));
    json(stream, if is_known { 200 } else { 404 }, "{}")
}

/// The schema of a service that queues statements.
fn queue_schema() -> Value {
    let answer = json!({ "200": { "description": "ok" }, "404": { "description": "unknown" } });
    let parameter = |name: &str| json!({ "in": "path", "name": name, "required": true, "schema": { "type": "string" } });
    let parameters = ["number", "key", "token"].map(parameter);
    let get = json!({ "parameters": parameters, "responses": answer });
    let paths = json!({ "/statement": { "post": { "responses": answer } }, "/queued/{number}/{key}/{token}": { "get": get } });
    json!({ "openapi": "3.0.3", "info": { "title": "Queue", "version": "1" }, "paths": paths })
}

/// What a URL in an answer leads to is called with the values that stand in it, by the run and by all suites.
#[test]
fn urls_in_answers_are_followed() -> Result<()> {
    in_work_folder("suites-urls", |folder| {
        fs::write(folder.join("openapi.json"), queue_schema().to_string())?;
        let numbers = AtomicUsize::new(0);
        let server = ScriptedServer::start(move |call: &Call, stream: &mut TcpStream| queue(&numbers, call, stream))?;
        let url = format!("{}/v1", server.url());
        let run = Restive::fuzz(folder, &url, "openapi.json", "200 calls")?;
        let (finished, results) =
            run.args(["--format", "javascript,curl,rust,pytest,junit-java,junit-kotlin"]).run_with_results()?;
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        assert_eq!(results.operations_with(2).len(), 2, "{}", finished.stderr);
        let suite = fs::read_to_string(folder.join("out/suite/pytest/test_successes.py"))?;
        assert!(suite.contains("segment(body[\"links\"][0][\"href\"], 2)"), "{suite}");
        let frames = [Frame::Javascript, Frame::Curl, Frame::Rust, Frame::Pytest, Frame::Junit, Frame::Kotlin];
        all_pass_three_times(&frames, &folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &url)], false)
    })
}

/// The schema of a service that is told names.
fn names_schema() -> Value {
    let answer = json!({ "200": { "description": "ok" }, "201": { "description": "made" }, "409": { "description": "known" } });
    let name =
        json!({ "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "maxLength": 1 } } });
    let make = json!({ "requestBody": { "required": true, "content": { "application/json": { "schema": name } } }, "responses": answer });
    let paths = json!({ "/names": { "post": make, "get": { "responses": answer } } });
    json!({ "openapi": "3.0.3", "info": { "title": "Names", "version": "1" }, "paths": paths })
}

/// Suites cannot start a service anew: they pass on one that was just started, and again on the used one.
#[test]
fn suites_pass_without_the_restarts_of_the_run() -> Result<()> {
    if !available(&["python3"])? {
        return Ok(());
    }
    in_work_folder("suites-restart", |folder| {
        fs::write(folder.join("openapi.json"), names_schema().to_string())?;
        fs::write(folder.join("service.py"), COUNTING)?;
        let args = ["fuzz", "--command", "python3 service.py {port}", "--reset-restart", "--schema", "openapi.json"];
        let run = Restive::new(folder, args)?.args(["--budget", "60 calls", "--rng-seed", "42", "--out", "out"]);
        let (finished, results) = run.run_with_results()?;
        assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
        assert!(results.n_tests() > 0, "{}", finished.stderr);
        let readme = fs::read_to_string(folder.join("out/suite/pytest/README.md"))?;
        assert!(readme.contains("These tests cannot"), "{readme}");
        let port = free_port()?;
        let mut python = Command::new("python3");
        python.arg(folder.join("service.py")).arg(port.to_string());
        let service = Service::start(&mut python, folder, "counting", port, "/names")?;
        pass_three_times(&folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &service.url())])
    })
}

/// What a run resets by a command, its suites reset by the same command: names can be given anew in each test.
#[test]
fn suites_reset_the_service_by_the_command_of_the_run() -> Result<()> {
    in_work_folder("suites-reset", |folder| {
        let names = folder.join("names");
        fs::write(folder.join("openapi.json"), names_schema().to_string())?;
        let file = names.clone();
        let server = ScriptedServer::start(move |call, stream| remember(&file, call, stream))?;
        let url = server.url();
        let reset = format!("rm -f {}", names.display());
        let run = Restive::fuzz(folder, &url, "openapi.json", "200 calls")?.args(["--reset-command", &reset]);
        let (finished, results) = run.run_with_results()?;
        assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
        let statuses = |status: u64| {
            let calls = results.json()["tests"].as_array().into_iter().flatten().filter_map(|test| test["calls"].as_array());
            calls.flatten().filter(|call| call["status"].as_u64() == Some(status)).count()
        };
        assert!(statuses(201) > 0 && statuses(409) > 0, "{}", results.json()["tests"]);
        pass_three_times(&folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &url)])
    })
}

/// The run sends a call again when the service asks to wait, and so do its suites.
#[test]
fn suites_wait_when_the_service_asks_to() -> Result<()> {
    in_work_folder("suites-busy", |folder| {
        let answer = json!({ "200": { "description": "ok" } });
        let paths = json!({ "/busy": { "get": { "responses": answer }, "post": { "responses": answer } } });
        let schema = json!({ "openapi": "3.0.3", "info": { "title": "Busy", "version": "1" }, "paths": paths });
        fs::write(folder.join("openapi.json"), schema.to_string())?;
        let n_calls = AtomicUsize::new(0);
        let server = ScriptedServer::start(move |_, stream| match n_calls.fetch_add(1, Ordering::SeqCst) % 4 {
            1 | 3 => json(stream, 200, "{}"),
            even => {
                let wait = if even == 0 { "0" } else { "Sun, 06 Nov 1994 08:49:37 GMT" };
                let head = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nConnection: close";
                write!(stream, "{head}\r\nRetry-After: {wait}\r\n\r\n")
            }
        })?;
        let url = server.url();
        let (finished, results) = Restive::fuzz(folder, &url, "openapi.json", "20 calls")?.run_with_results()?;
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        assert!(results.n_tests() > 0, "{}", finished.stderr);
        pass_three_times(&folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &url)])
    })
}

#[test]
fn suites_send_what_the_run_sent() -> Result<()> {
    in_work_folder("suites", |folder| {
        fs::write(folder.join("openapi.json"), schema().to_string())?;
        let server = ScriptedServer::start(mirror)?;
        let url = server.url();
        let run = Restive::fuzz(folder, &url, "openapi.json", "600 calls")?;
        let (finished, results) = run.args(["--format", "javascript,curl,rust,pytest,junit-java"]).run_with_results()?;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        let dropped = ["GET /drop/at-once", "POST /drop/at-once", "GET /drop/halfway"].map(|id| FoundFault::new(903, id));
        assert_eq!(results.faults(), BTreeSet::from(dropped));
        let findings = results.json()["findings"].as_array().map_or(&[][..], Vec::as_slice);
        let is_shown = |finding: &Value| finding["confirmed"] == true && finding["tests"][0].is_string();
        assert!(findings.iter().all(is_shown), "{findings:?}");
        let suite = fs::read_to_string(folder.join("out/suite/pytest/test_successes.py"))?;
        assert!(suite.contains("body[\"packed\"] is True"), "what is in a coded body is expected\n{suite}");
        assert!(results.n_tests() >= 12, "{} tests", results.n_tests());
        // Clients of .http files add fields of their own; Kotlin's client is Java's in other words.
        let frames = [Frame::Javascript, Frame::Curl, Frame::Rust, Frame::Pytest, Frame::Junit];
        all_pass_three_times(&frames, &folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &url)], false)?;
        let followed = server.calls().iter().filter(|call| call.path.starts_with("/followed")).count();
        assert_eq!(followed, 0, "a redirect was followed");
        Ok(())
    })
}
