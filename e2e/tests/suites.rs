//! Written suites send what the run sent, to the last header field: the service answers what it was sent.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::net::TcpStream;

use anyhow::Result;
use restive_e2e::scripted::{Call, ScriptedServer, json};
use restive_e2e::suites::pass_three_times;
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

#[test]
fn suites_send_what_the_run_sent() -> Result<()> {
    in_work_folder("suites", |folder| {
        fs::write(folder.join("openapi.json"), schema().to_string())?;
        let server = ScriptedServer::start(mirror)?;
        let url = server.url();
        let (finished, results) = Restive::fuzz(folder, &url, "openapi.json", "600 calls")?.run_with_results()?;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        let dropped = ["GET /drop/at-once", "POST /drop/at-once", "GET /drop/halfway"].map(|id| FoundFault::new(903, id));
        assert_eq!(results.faults(), BTreeSet::from(dropped));
        let findings = results.json()["findings"].as_array().map_or(&[][..], Vec::as_slice);
        let is_shown = |finding: &Value| finding["confirmed"] == true && finding["tests"][0].is_string();
        assert!(findings.iter().all(is_shown), "{findings:?}");
        let suite = fs::read_to_string(folder.join("out/suite/pytest/test_successes.py"))?;
        assert!(suite.contains("body[\"packed\"] is True"), "what is in a coded body is expected\n{suite}");
        assert!(results.n_tests() >= 12, "{} tests", results.n_tests());
        pass_three_times(&folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &url)])?;
        let followed = server.calls().iter().filter(|call| call.path.starts_with("/followed")).count();
        assert_eq!(followed, 0, "a redirect was followed");
        Ok(())
    })
}
