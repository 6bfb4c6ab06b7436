//! Services that let nobody in without a login, which no run is told of.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use restive_e2e::Restive;
use restive_e2e::scripted::{Call, ScriptedServer, json};
use restive_e2e::suites::{Frame, all_pass_three_times};
use restive_e2e::work::in_work_folder;
use serde_json::{Value, json};

/// How the service knows who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// By a token in `Authorization`.
    Token,
    /// By a key in a field of its own, as the document says.
    Key,
    /// By the cookie of a session, and where something is changed by another one that is repeated in a header field.
    Cookies,
}

/// Everything that the service keeps.
#[derive(Debug, Default)]
struct Kept {
    /// Passwords by the names of accounts.
    accounts: BTreeMap<String, String>,
    /// The account of each token; a number that goes on after a reset, so that none comes again.
    tokens: BTreeMap<String, String>,
    n_tokens: u64,
    notes: BTreeMap<u64, String>,
}

fn document(shown: Shown) -> Value {
    let text = |shortest: u8| json!({"type": "string", "minLength": shortest});
    let body = |schema: Value| json!({"required": true, "content": {"application/json": {"schema": schema}}});
    let account = json!({"type": "object", "required": ["username", "password"],
        "properties": {"username": text(3), "password": text(6)}});
    let note = json!({"type": "object", "required": ["title"], "properties": {"title": text(1)}});
    let answers = |statuses: &[&str]| -> Value {
        // Browsers are sent on.
        statuses
            .iter()
            .chain([&"303"])
            .map(|status| ((*status).to_owned(), json!({"description": ""})))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}});
    let key = json!({"key": {"type": "apiKey", "in": "header", "name": "X-Shop-Key"}});
    let components = if shown == Shown::Key { json!({"securitySchemes": key}) } else { json!({}) };
    json!({"openapi": "3.0.3", "info": {"title": "notes", "version": "1"}, "components": components, "paths": {
        "/auth/register": {"post": {"requestBody": body(account.clone()), "responses": answers(&["201", "400", "409"])}},
        "/auth/login": {"post": {"requestBody": body(account), "responses": answers(&["200", "400", "401"])}},
        "/notes": {"post": {"requestBody": body(note), "responses": answers(&["201", "400", "401"])}},
        "/notes/{id}": {"get": {"parameters": [id], "responses": answers(&["200", "401", "404"])}},
        "/me": {"get": {"responses": answers(&["200", "401"])}},
    }})
}

/// The value of a field of a call.
fn field(call: &Call, name: &str) -> Option<String> {
    let fields = call.fields.iter().filter_map(|field| field.split_once(": "));
    fields.into_iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
}

/// The token that a call shows.
fn token(shown: Shown, call: &Call) -> Option<String> {
    match shown {
        Shown::Token => return field(call, "Authorization")?.strip_prefix("Bearer ").map(str::to_owned),
        Shown::Key => return field(call, "X-Shop-Key"),
        Shown::Cookies => {}
    }
    let cookies = field(call, "Cookie")?;
    let cookie = |name: &str| cookies.split("; ").find_map(|it| it.strip_prefix(name)?.strip_prefix('=').map(str::to_owned));
    let is_repeated = call.verb == "GET" || cookie("XSRF-TOKEN").is_some_and(|it| field(call, "X-XSRF-TOKEN") == Some(it));
    cookie("sid").filter(|_| is_repeated)
}

/// Sends a browser on.
fn send_on(stream: &mut TcpStream, path: &str, cookies: &str) -> io::Result<()> {
    write!(stream, "HTTP/1.1 303 Scripted\r\nLocation: {path}\r\n{cookies}Content-Length: 0\r\nConnection: close\r\n\r\n")
}

fn answer(shown: Shown, kept: &Mutex<Kept>, call: &Call, stream: &mut TcpStream) -> io::Result<()> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let body: Value = serde_json::from_slice(&call.body).unwrap_or_default();
    let text = |name: &str| body[name].as_str().map(str::to_owned);
    let user = token(shown, call).and_then(|token| kept.tokens.get(&token).cloned());
    let refuse = |stream: &mut TcpStream| match shown {
        Shown::Token | Shown::Key => json(stream, 401, "{}"),
        Shown::Cookies => send_on(stream, "/auth/login?error", "Set-Cookie: sid=nobody\r\n"),
    };
    let path = call.path.split('?').next().unwrap_or_default().trim_end_matches('/');
    match (&*call.verb, path) {
        ("GET", "/openapi.json") => json(stream, 200, &document(shown).to_string()),
        ("POST", "/reset") => {
            *kept = Kept { n_tokens: kept.n_tokens, ..Kept::default() };
            json(stream, 204, "")
        }
        ("POST", "/auth/register") => match (text("username"), text("password")) {
            (Some(name), Some(password)) if name.chars().count() >= 3 && password.chars().count() >= 6 => {
                let is_taken = kept.accounts.contains_key(&name);
                kept.accounts.entry(name).or_insert(password);
                json(stream, if is_taken { 409 } else { 201 }, "{}")
            }
            _ => json(stream, 400, "{}"),
        },
        ("POST", "/auth/login") => match (text("username"), text("password")) {
            (Some(name), Some(password)) if kept.accounts.get(&name) == Some(&password) => {
                kept.n_tokens += 1;
                let token = format!("token-{}%3D=", kept.n_tokens);
                kept.tokens.insert(token.clone(), name);
                let n_tokens = kept.n_tokens;
                let cookies = format!("Set-Cookie: sid={token}; HttpOnly; Path=/\r\nset-cookie: XSRF-TOKEN={n_tokens}-x\r\n");
                match shown {
                    Shown::Token => json(stream, 200, &json!({"access_token": token}).to_string()),
                    Shown::Key => json(stream, 200, &json!({"key": token}).to_string()),
                    Shown::Cookies => send_on(stream, "/me", &cookies),
                }
            }
            (Some(_), Some(_)) => refuse(stream),
            _ => json(stream, 400, "{}"),
        },
        _ if user.is_none() => refuse(stream),
        ("GET", "/me") => json(stream, 200, r#"{"is": "you"}"#),
        ("POST", "/notes") => match text("title") {
            Some(title) => {
                let id = kept.notes.len() as u64 + 1;
                kept.notes.insert(id, title);
                json(stream, 201, &json!({"id": id}).to_string())
            }
            None => json(stream, 400, "{}"),
        },
        ("GET", path) => match path.strip_prefix("/notes/").and_then(|id| kept.notes.get(&id.parse().ok()?)) {
            Some(title) => json(stream, 200, &json!({"title": title}).to_string()),
            None => json(stream, 404, "{}"),
        },
        _ => json(stream, 404, "{}"),
    }
}

/// Fuzzes the service in a folder of that name; the operations with these statuses, and the tests in these forms, which pass.
fn registers_and_logs_in(name: &str, (shown, is_reset): (Shown, bool), frames: &[Frame], written: &[&str]) -> Result<()> {
    in_work_folder(name, |folder| {
        let kept = Mutex::new(Kept::default());
        let server = ScriptedServer::start(move |call, stream| answer(shown, &kept, call, stream))?;
        let url = server.url();
        let forms = frames.iter().map(|frame| frame.form()).collect::<Vec<_>>().join(",");
        // Where the service keeps its accounts, suites make others each time.
        let reset: &[&str] = if is_reset { &["--reset-http", "POST /reset"] } else { &[] };
        let args = ["fuzz", "--url", &url, "--budget", "1000 calls", "--rng-seed", "1", "--out", "out", "--format", &forms];
        let (finished, results) = Restive::new(folder, args)?.args(reset.iter().copied()).run_with_results()?;
        let mut reached = results.operations_with(2);
        reached.extend(results.operations_with(3).into_iter().filter(|operation| operation == "POST /auth/login"));
        ensure!(reached.len() == 5, "{reached:?}\n{}", finished.stderr);
        let successes = std::fs::read_to_string(folder.join("out/suite/pytest/test_successes.py"))?;
        ensure!(written.iter().all(|text| successes.contains(text)), "{successes}");
        ensure!(results.n_tests() >= 10, "{}", finished.stderr);
        all_pass_three_times(frames, &folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &*url)], is_reset)
    })
}

#[test]
fn a_run_registers_and_logs_in_by_itself_and_so_do_its_suites() -> Result<()> {
    let frames = [Frame::Pytest, Frame::Javascript];
    registers_and_logs_in("logins", (Shown::Token, true), &frames, &[r#"{"Authorization": f"Bearer {"#])
}

#[test]
fn a_key_is_shown_where_the_document_says() -> Result<()> {
    let written = &[r#"{"X-Shop-Key": login_key}"#];
    registers_and_logs_in("logins-key", (Shown::Key, true), &[Frame::Pytest, Frame::Curl], written)
}

#[test]
fn sessions_are_shown_by_their_cookies_and_accounts_are_others_each_time_in_suites_of_all_forms() -> Result<()> {
    let written = [r#""Cookie": f"sid={login_sid}; XSRF-TOKEN={"#, "new_username = fresh("];
    registers_and_logs_in("logins-cookies", (Shown::Cookies, false), &Frame::ALL, &written)
}

#[test]
fn a_run_with_credentials_of_its_user_makes_no_others() -> Result<()> {
    in_work_folder("logins-given", |folder| {
        let kept = Mutex::new(Kept::default());
        let server = ScriptedServer::start(move |call, stream| answer(Shown::Token, &kept, call, stream))?;
        let url = server.url();
        let args = ["fuzz", "--url", &url, "--budget", "300 calls", "--bearer", "given", "--suite=false", "--out", "out"];
        Restive::new(folder, args)?.run()?;
        let fields = server.calls().into_iter().flat_map(|call| call.fields);
        let others = fields.filter(|field| field.to_lowercase().starts_with("authorization:") && !field.ends_with(" given"));
        ensure!(others.count() == 0, "others than the user's");
        Ok(())
    })
}
