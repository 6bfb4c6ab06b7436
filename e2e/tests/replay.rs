//! `restive replay`: the tests of a run, asked again of a service that is the same, another, gone, or dying.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_demo::{ADMIN_TOKEN, AUTH, CLERK_TOKEN, OPENAPI, RESET_PATH};
use restive_e2e::apps::GARDEN;
use restive_e2e::process::{Finished, free_port};
use restive_e2e::scripted::{ScriptedServer, json};
use restive_e2e::services::Demo;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, binary};
use serde_json::{Value, json};

/// What a replay told, with its exit code checked.
fn replayed(folder: &Path, code: i32, args: &[&str]) -> Result<Value> {
    let finished = Restive::new(folder, ["replay", "out", "--json"])?.args(args.iter().copied()).run()?;
    ensure!(finished.code == Some(code), "{args:?}: {:?}\n{}\n{}", finished.code, finished.stdout, finished.stderr);
    serde_json::from_str(&finished.stdout).with_context(|| finished.stdout.clone())
}

#[test]
fn a_suite_is_all_same_on_the_unchanged_service() -> Result<()> {
    in_work_folder("replay-same", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::write(folder.join("auth.yaml"), AUTH)?;
        let shop = Demo::start()?;
        let (url, reset) = (shop.url(), format!("POST {RESET_PATH}"));
        let run = Restive::fuzz(folder, &url, "openapi.json", "1500 calls")?;
        let (_, results) = run.args(["--auth-file", "auth.yaml", "--reset-http", &reset]).run_with_results()?;
        let all_same = |told: &Value| {
            let n = results.n_tests();
            ensure!(n > 20 && told["counts"]["same"] == n && told["stopped"] == false, "{n} tests, {}", told["counts"]);
            Ok(())
        };
        all_same(&replayed(folder, 0, &["--url", &url, "--auth-file", "auth.yaml"])?)?;

        // Where the suite says, and with the credentials that it names.
        let (clerk, admin) = (format!("Authorization: Bearer {CLERK_TOKEN}"), format!("Authorization: Bearer {ADMIN_TOKEN}"));
        let plain = Restive::new(folder, ["replay", "out"])?;
        let finished = plain.env("RESTIVE_AUTH_CLERK", &clerk).env("RESTIVE_AUTH_ADMIN", &admin).run()?.success()?;
        assert_eq!(finished.stdout.lines().count(), results.n_tests());
        assert!(finished.stdout.lines().all(|line| line.starts_with("same ")), "{}", finished.stdout);
        assert!(finished.stderr.contains(&format!("{} tests at {url}: ", results.n_tests())), "{}", finished.stderr);
        let nobody = Restive::new(folder, ["replay", "out"])?.run()?;
        assert_eq!(nobody.code, Some(2));
        assert!(nobody.stderr.contains("no credentials for the users") && nobody.stderr.contains("RESTIVE_AUTH_CLERK"));
        let wrong = Restive::new(folder, ["replay", "out"])?;
        let wrong = wrong.env("RESTIVE_AUTH_CLERK", &clerk).env("RESTIVE_AUTH_ADMIN", "Authorization: Bearer s3cret").run()?;
        assert_eq!(wrong.code, Some(1), "{}", wrong.stderr);
        assert!(wrong.stdout.contains("-H \"$RESTIVE_AUTH_ADMIN\"") && !wrong.stdout.contains("s3cret"), "{}", wrong.stdout);
        assert!(wrong.stderr.contains("are the credentials those of this service?"), "{}", wrong.stderr);

        // Started by restive, as the settings file says, on a port of its own.
        let program = binary()?.display();
        let toml = format!(
            "[sut]\ncommand = [\"{program}\", \"demo-service\", \"--port\", \"{{port}}\"]\n[auth]\nfile = \"auth.yaml\"\n\
             [reset]\nhttp = \"{reset}\"\n"
        );
        fs::write(folder.join("restive.toml"), toml)?;
        let told = replayed(folder, 0, &[])?;
        all_same(&told)?;
        assert_ne!(told["base_url"], Value::from(url.as_str()));
        assert!(folder.join("out/logs/replay/sut.log").is_file());
        Ok(())
    })
}

#[test]
fn a_jar_is_started_for_its_suite() -> Result<()> {
    in_work_folder("replay-jar", |folder| {
        let Some(jar) = GARDEN.build()? else { return Ok(()) };
        let jar = jar.to_str().context("the build folder is text")?;
        let args =
            ["fuzz", "--jar", jar, "--budget", "400 calls", "--rng-seed", "42", "--agent=false", "--exclude", "/watering"];
        let (_, results) = Restive::new(folder, args)?.run_with_results()?;
        let told = replayed(folder, 0, &["--jar", jar])?;
        let counts = &told["counts"];
        let asked = counts["same"].as_u64().zip(counts["skipped"].as_u64()).map(|(same, skipped)| same + skipped);
        assert!(asked == Some(results.n_tests() as u64) && counts["same"] != 0, "{counts}");
        let unreached =
            Restive::new(folder, ["replay", "out", "--url", &format!("http://127.0.0.1:{}", free_port()?)])?.run()?;
        assert_eq!(unreached.code, Some(3));
        assert!(unreached.stderr.contains("refused") && unreached.stderr.contains("--jar "), "{}", unreached.stderr);
        Ok(())
    })
}

/// A call of a test: what is asked and which status is expected.
fn call(verb: &str, path: &Value, status: u16) -> Value {
    json!({
        "operation": format!("{verb} /things"), "verb": verb, "url": path, "headers": [], "body": null, "user": null,
        "status": status, "media_type": null, "checks": [], "text": null, "captures": [],
    })
}

fn path(text: &str) -> Value {
    json!([{ "text": text }])
}

fn test(name: &str, findings: &[&str], calls: &[Value]) -> Value {
    let kind = if findings.is_empty() { "other" } else { "fault" };
    json!({
        "name": name, "kind": kind, "description": "A test.", "targets": [], "findings": findings, "notes": [], "calls": calls,
    })
}

/// Writes a suite of these tests for the service at `base_url`.
fn suite(folder: &Path, base_url: &str, tests: &[Value]) -> Result<()> {
    let suite = json!({
        "format_version": 1, "restive_version": "0.1.0", "title": "Things", "base_url": base_url, "insecure": false,
        "reset": "never", "users": [], "tests": tests,
    });
    fs::create_dir_all(folder.join("out/suite"))?;
    Ok(fs::write(folder.join("out/suite/tests.json"), suite.to_string())?)
}

/// Verdicts by name.
fn verdicts(told: &Value) -> Vec<(&str, &str)> {
    let tests = told["tests"].as_array().into_iter().flatten();
    tests.map(|test| (test["name"].as_str().unwrap_or_default(), test["verdict"].as_str().unwrap_or_default())).collect()
}

#[test]
fn what_changed_is_told_and_a_fixed_fault_is_no_failure() -> Result<()> {
    in_work_folder("replay-changed", |folder| {
        let server = ScriptedServer::start(|call, stream| match call.path.as_str() {
            "/made" => json(stream, 201, r#"{"id": "a/7", "kind": "new"}"#),
            "/things/a%2F7" => json(stream, 200, r#"{"id": "a/7", "kind": "sold"}"#),
            "/broken" => json(stream, 500, "{}"),
            _ => json(stream, 404, "{}"),
        })?;
        let mut made = call("POST", &path("/made"), 201);
        made["captures"] = json!([{ "name": "thing_id", "source": { "body": "/id" }, "seen": "a/1" }]);
        made["checks"] = json!([{ "pointer": "/kind", "kind": { "equals": "new" } }]);
        let captured = json!([{ "text": "/things/" }, { "captured": { "name": "thing_id", "escape": "url" } }]);
        let mut read = call("GET", &captured, 200);
        read["checks"] =
            json!([{ "pointer": "/id", "kind": { "equals": "a/7" } }, { "pointer": "/kind", "kind": { "equals": "new" } }]);
        let was_broken = call("GET", &captured, 500);
        let tests = [
            test("get_things_returns_200", &[], &[made.clone(), read]),
            test("get_things_wrongly_returns_500", &["F100-0000000a"], &[made, was_broken]),
            test("get_broken_wrongly_returns_500", &["F100-0000000b"], &[call("GET", &path("/broken"), 500)]),
            test("get_nothing", &[], &[]),
        ];
        suite(folder, &server.url(), &tests)?;
        let told = replayed(folder, 1, &[])?;
        let expected = [
            ("get_things_wrongly_returns_500", "fixed"),
            ("get_broken_wrongly_returns_500", "same"),
            ("get_things_returns_200", "changed"),
            ("get_nothing", "skipped"),
        ];
        assert_eq!(verdicts(&told), expected);
        let changed = &told["tests"][2]["call"];
        assert_eq!((&changed["position"], &changed["of"]), (&json!(2), &json!(2)));
        let difference = json!([{ "part": "body", "pointer": "/kind", "expected": "\"new\"", "found": "\"sold\"" }]);
        assert_eq!(changed["differences"], difference);
        assert_eq!(changed["curl"], format!("curl -sS -i {}/things/a%2F7", server.url()));
        assert_eq!(told["tests"][0]["fixed"], json!(["F100-0000000a"]));

        // For people, and of one finding alone.
        let only = |args: &[&str]| Restive::new(folder, ["replay", "out"])?.args(args.iter().copied()).run();
        let fixed = only(&["--test", "F100-0000000A"])?;
        assert_eq!(fixed.code, Some(0), "{}", fixed.stderr);
        assert!(fixed.stdout.starts_with("fixed    get_things_wrongly_returns_500  F100-0000000a\n"), "{}", fixed.stdout);
        assert!(fixed.stdout.contains("status: 200, expected 500"), "{}", fixed.stdout);
        assert!(fixed.stderr.starts_with("1 test at ") && fixed.stderr.contains(": 1 fixed ("), "{}", fixed.stderr);
        let quiet = only(&["--quiet"])?;
        assert!(!quiet.stdout.contains("same ") && quiet.stdout.contains("body at /kind: \"sold\", expected \"new\""));
        let unknown = only(&["--test", "get_things_return_200"])?;
        assert_eq!(unknown.code, Some(2));
        assert!(unknown.stderr.contains("did you mean `get_things_returns_200`?"), "{}", unknown.stderr);
        Ok(())
    })
}

/// A service in Python that ends at a call of `/die`, and answers `{}` else.
const MORTAL: &str = r#"
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/die":
            os._exit(7)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"#;

#[test]
fn a_service_that_dies_is_started_anew_or_gone() -> Result<()> {
    in_work_folder("replay-dying", |folder| {
        if !restive_e2e::toolchain::available(&["python3"])? {
            return Ok(());
        }
        fs::write(folder.join("mortal.py"), MORTAL)?;
        let alive = |name: &str| test(name, &[], &[call("GET", &path("/live"), 200)]);
        let deadly = test("get_die", &[], &[call("GET", &path("/die"), 200)]);
        let port = free_port()?;
        suite(folder, &format!("http://127.0.0.1:{port}"), &[alive("get_first"), deadly, alive("get_last")])?;
        let told = replayed(folder, 1, &["--command", "python3 mortal.py {port}"])?;
        assert_eq!(verdicts(&told), [("get_first", "same"), ("get_die", "changed"), ("get_last", "same")]);
        let note = told["tests"][1]["note"].as_str().unwrap_or_default();
        assert!(note.contains("exit status 7, and was started anew"), "{told:#}");

        let (first_port, first) = (port.to_string(), folder.join("mortal.py"));
        let mut service = std::process::Command::new("python3");
        service.arg(first).arg(&first_port);
        let _service = restive_e2e::process::Service::start(&mut service, folder, "mortal", port, "/live")?;
        let told = replayed(folder, 1, &[])?;
        assert_eq!(verdicts(&told), [("get_first", "same"), ("get_die", "changed"), ("get_last", "gone")]);
        assert_eq!(told["tests"][2]["note"], "the service does not answer any more");
        Ok(())
    })
}

#[test]
fn ctrl_c_prints_what_there_is() -> Result<()> {
    in_work_folder("replay-ctrl-c", |folder| {
        let answered = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&answered);
        let server = ScriptedServer::start(move |call, stream| {
            seen.fetch_add(1, Ordering::SeqCst);
            sleep(Duration::from_secs(if call.path == "/slow" { 60 } else { 0 }));
            json(stream, 200, "{}")
        })?;
        let quick = test("get_quick", &[], &[call("GET", &path("/quick"), 200)]);
        let slow = test("get_slow", &[], &[call("GET", &path("/slow"), 200)]);
        suite(folder, &server.url(), &[quick, slow])?;
        let args = ["replay", "out", "--json", "--time-limit", "60s"];
        let running = Restive::new(folder, args)?.start()?;
        // The probe, the quick test, and the slow one on its way.
        while answered.load(Ordering::SeqCst) < 3 {
            sleep(Duration::from_millis(20));
        }
        running.signal("INT")?;
        let finished = running.finish(Duration::from_secs(30))?;
        assert_eq!(finished.code, Some(4), "{}", finished.stderr);
        let told: Value = serde_json::from_str(&finished.stdout)?;
        assert_eq!((verdicts(&told), &told["stopped"]), (vec![("get_quick", "same")], &json!(true)));
        assert!(finished.stderr.contains("stopped after 1 of 2 tests"), "{}", finished.stderr);
        Ok(())
    })
}

fn shows(finished: &Finished, code: i32, texts: &[&str]) -> Result<()> {
    let is_told = texts.iter().all(|text| finished.stderr.contains(text)) && finished.stderr.contains("hint: ");
    ensure!(finished.code == Some(code) && is_told, "{:?} {texts:?}\n{}", finished.code, finished.stderr);
    Ok(())
}

#[test]
fn mistakes_have_their_errors() -> Result<()> {
    in_work_folder("replay-bad", |folder| {
        let replay = |args: &[&str]| Restive::new(folder, ["replay"])?.args(args.iter().copied()).run();
        shows(&replay(&["missing"])?, 3, &["there is no folder `missing`"])?;
        fs::create_dir_all(folder.join("foreign"))?;
        shows(&replay(&["foreign"])?, 3, &["holds no results of restive"])?;
        let url = format!("http://127.0.0.1:{}", free_port()?);
        suite(folder, &url, &[])?;
        shows(&replay(&["out"])?, 2, &["has no tests"])?;
        suite(folder, &url, &[test("get_things", &[], &[call("GET", &path("/things"), 200)])])?;
        shows(&replay(&["out"])?, 3, &["refused", "`--url`"])?;
        shows(&replay(&["out", "--url", "127.0.0.1:80"])?, 2, &["did you mean `http://127.0.0.1:80`?"])?;
        shows(&replay(&["out", "--command", "false"])?, 3, &["the service ended before it was ready"])?;
        let bad = Restive::new(folder, ["replay", "out"])?.env("RESTIVE_BASE_URL", "nowhere").run()?;
        shows(&bad, 2, &["for RESTIVE_BASE_URL"])?;
        let text = fs::read_to_string(folder.join("out/suite/tests.json"))?;
        fs::write(folder.join("out/suite/tests.json"), text.replace("\"format_version\":1", "\"format_version\":7"))?;
        shows(&replay(&["out"])?, 3, &["has format version 7, wanted 1"])
    })
}
