//! Services that let nobody in without a login, which no run is told of.

use std::collections::BTreeMap;
use std::io;
use std::net::TcpStream;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use restive_e2e::Restive;
use restive_e2e::scripted::{Call, ScriptedServer, json};
use restive_e2e::suites::{Frame, all_pass_three_times};
use restive_e2e::work::in_work_folder;
use serde_json::{Value, json};

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

fn document() -> Value {
    let text = |shortest: u8| json!({"type": "string", "minLength": shortest});
    let body = |schema: Value| json!({"required": true, "content": {"application/json": {"schema": schema}}});
    let account = json!({"type": "object", "required": ["username", "password"],
        "properties": {"username": text(3), "password": text(6)}});
    let note = json!({"type": "object", "required": ["title"], "properties": {"title": text(1)}});
    let answers = |statuses: &[&str]| -> Value {
        statuses
            .iter()
            .map(|status| ((*status).to_owned(), json!({"description": ""})))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}});
    json!({"openapi": "3.0.3", "info": {"title": "notes", "version": "1"}, "paths": {
        "/auth/register": {"post": {"requestBody": body(account.clone()), "responses": answers(&["201", "400", "409"])}},
        "/auth/login": {"post": {"requestBody": body(account), "responses": answers(&["200", "400", "401"])}},
        "/notes": {"post": {"requestBody": body(note), "responses": answers(&["201", "400", "401"])}},
        "/notes/{id}": {"get": {"parameters": [id], "responses": answers(&["200", "401", "404"])}},
        "/me": {"get": {"responses": answers(&["200", "401"])}},
    }})
}

fn answer(kept: &Mutex<Kept>, call: &Call, stream: &mut TcpStream) -> io::Result<()> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let body: Value = serde_json::from_slice(&call.body).unwrap_or_default();
    let text = |name: &str| body[name].as_str().map(str::to_owned);
    let bearer =
        call.fields.iter().find_map(|field| field.to_lowercase().strip_prefix("authorization: bearer ").map(str::to_owned));
    let user = bearer.and_then(|token| kept.tokens.get(&token).cloned());
    let path = call.path.split('?').next().unwrap_or_default().trim_end_matches('/');
    match (&*call.verb, path) {
        ("GET", "/openapi.json") => json(stream, 200, &document().to_string()),
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
                let token = format!("token-{}", kept.n_tokens);
                kept.tokens.insert(token.clone(), name);
                json(stream, 200, &json!({"access_token": token}).to_string())
            }
            (Some(_), Some(_)) => json(stream, 401, "{}"),
            _ => json(stream, 400, "{}"),
        },
        _ if user.is_none() => json(stream, 401, "{}"),
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

#[test]
fn a_run_registers_and_logs_in_by_itself_and_so_do_its_suites() -> Result<()> {
    in_work_folder("logins", |folder| {
        let kept = Mutex::new(Kept::default());
        let server = ScriptedServer::start(move |call, stream| answer(&kept, call, stream))?;
        let url = server.url();
        let frames = [Frame::Pytest, Frame::Javascript];
        let forms = frames.map(Frame::form).join(",");
        let args =
            ["fuzz", "--url", &url, "--budget", "600 calls", "--rng-seed", "1", "--reset-http", "POST /reset", "--format"];
        let (finished, results) = Restive::new(folder, args)?.args([forms.as_str(), "--out", "out"]).run_with_results()?;
        let reached = results.operations_with(2);
        ensure!(reached.len() == 5, "{reached:?}\n{}", finished.stderr);
        let written = std::fs::read_to_string(folder.join("out/suite/pytest/test_successes.py"))?;
        ensure!(written.contains(r#"{"Authorization": f"Bearer {"#), "{written}");
        all_pass_three_times(&frames, &folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &*url)], true)
    })
}

#[test]
fn a_run_with_credentials_of_its_user_makes_no_others() -> Result<()> {
    in_work_folder("logins-given", |folder| {
        let kept = Mutex::new(Kept::default());
        let server = ScriptedServer::start(move |call, stream| answer(&kept, call, stream))?;
        let url = server.url();
        let args = ["fuzz", "--url", &url, "--budget", "300 calls", "--bearer", "given", "--suite=false", "--out", "out"];
        Restive::new(folder, args)?.run()?;
        let fields = server.calls().into_iter().flat_map(|call| call.fields);
        let others = fields.filter(|field| field.to_lowercase().starts_with("authorization:") && !field.ends_with(" given"));
        ensure!(others.count() == 0, "others than the user's");
        Ok(())
    })
}
