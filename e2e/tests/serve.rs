//! `restive sut serve`: a service that suites and other tools restart and reset over HTTP.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use restive_demo::{CLERK_TOKEN, RESET_PATH};
use restive_e2e::process::{Running, free_port};
use restive_e2e::suites::{Counts, Frame, execute};
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, binary, http};
use serde_json::{Value, json};

/// A keeper of the demo with these further arguments, and the line that it prints.
fn serve(folder: &Path, args: &[&str]) -> Result<(Running, Value)> {
    let command = format!("{} demo-service --port {{port}}", binary()?.display());
    let running =
        Restive::new(folder, ["sut", "serve", "--json", "--command", &command])?.args(args.iter().copied()).start()?;
    let end = Instant::now() + Duration::from_mins(1);
    loop {
        let printed = fs::read_to_string(folder.join("restive.stdout")).unwrap_or_default();
        if let Some((line, _)) = printed.split_once('\n') {
            return Ok((running, serde_json::from_str(line).with_context(|| printed.clone())?));
        }
        ensure!(Instant::now() < end, "it says nothing\n{}", running.output_tail());
        sleep(Duration::from_millis(20));
    }
}

fn port_of(url: &Value) -> Result<u16> {
    let port = url.as_str().and_then(|url| url.rsplit(':').next()).and_then(|port| port.parse().ok());
    port.with_context(|| format!("no port in {url}"))
}

/// A call of the interface.
struct Interface {
    port: u16,
    token: String,
}

impl Interface {
    fn call(&self, verb: &str, path: &str) -> Result<(u16, Value)> {
        let answer = http::call_with(self.port, verb, path, &[&format!("Authorization: Bearer {}", self.token)])?;
        Ok((answer.status, serde_json::from_slice(&answer.body)?))
    }
}

#[test]
fn a_service_is_reset_restarted_and_stopped_by_whoever_has_the_token() -> Result<()> {
    in_work_folder("serve-demo", |folder| {
        let args = ["--reset-http", &format!("POST {RESET_PATH}"), "--token-file", "token"];
        let (running, line) = serve(folder, &args)?;
        assert_eq!(line["token"], Value::Null, "it stands in the file alone");
        let mode = fs::metadata(folder.join("token"))?.permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let token = fs::read_to_string(folder.join("token"))?.trim().to_owned();
        let interface = Interface { port: port_of(&line["url"])?, token };
        let service = port_of(&line["base_url"])?;
        assert_eq!(http::call(interface.port, "GET", "/status")?.status, 401);
        let refused = http::call_with(interface.port, "GET", "/status", &["Authorization: Bearer 00000000"])?;
        assert_eq!(refused.status, 401);

        let create = || http::call_with(service, "POST", "/login", &[]).map(|answer| answer.status);
        assert_eq!(create()?, 400, "the service is there");
        assert_eq!(interface.call("POST", "/reset")?.1["done"], "reset");
        let (status, done) = interface.call("POST", "/restart")?;
        ensure!(status == 200 && done["done"] == "restart", "{status} {done}");
        assert_eq!(create()?, 400, "it is there again, where it was");
        let (_, told) = interface.call("GET", "/status")?;
        ensure!(
            told["state"] == "up" && told["restarts"] == 1 && told["port"] == service && told["reset_by"] == "http",
            "{told}"
        );
        let (missing, told) = interface.call("GET", "/nothing")?;
        ensure!(missing == 404 && told["hint"].is_string(), "{told}");
        assert_eq!(interface.call("GET", "/stop")?.0, 405);

        // A replay has it reset before each test, without knowing how.
        replay_with(folder, &line, &interface.token)?;

        assert_eq!(interface.call("POST", "/stop")?.1["done"], "stop");
        let finished = running.finish(Duration::from_secs(30))?.success()?;
        assert!(finished.stderr.contains("restart in ") && finished.stderr.contains("stop in "), "{}", finished.stderr);
        assert!(!folder.join("token").exists() && http::get(service, "/").is_err());
        Ok(())
    })
}

/// Two tests that create the first customer: each holds only where what the other made is gone.
fn customers() -> Value {
    let customer = json!({ "name": "a", "email": "a@a.example" });
    let call = json!({
        "operation": "POST /customers", "verb": "POST", "url": [{ "text": "/customers" }], "status": 201, "user": "clerk",
        "headers": [["Content-Type", [{ "text": "application/json" }]]], "body": { "text": [{ "text": customer.to_string() }] },
        "media_type": null, "text": null, "captures": [], "checks": [{ "pointer": "/id", "kind": { "equals": 1001 } }],
    });
    suite("http://127.0.0.1:1", &json!([test("post_first", &call), test("post_second", &call)]))
}

/// A test below a path that belongs to the base URL of the suite: elsewhere the service knows nothing of it.
fn below_a_path() -> Value {
    let call = json!({
        "operation": "GET /{id}", "verb": "GET", "url": [{ "text": "/1001" }], "status": 401, "user": null, "headers": [],
        "body": null, "media_type": null, "text": null, "captures": [], "checks": [],
    });
    suite("http://127.0.0.1:1/customers/", &json!([test("get_of_nobody", &call)]))
}

fn test(name: &str, call: &Value) -> Value {
    json!({
        "name": name, "kind": "success", "description": "A test.", "targets": [], "findings": [], "notes": [], "calls": [call],
    })
}

fn suite(base_url: &str, tests: &Value) -> Value {
    json!({
        "format_version": 1, "restive_version": "0.1.0", "title": "Shop", "base_url": base_url, "insecure": false,
        "reset": "left_out", "users": [{ "name": "clerk", "variable": "RESTIVE_AUTH_CLERK" }], "tests": tests,
    })
}

/// Writes a suite as a run in the folder `out` leaves it.
fn write_suite(out: &Path, suite: &Value) -> Result<()> {
    fs::create_dir_all(out.join("suite"))?;
    Ok(fs::write(out.join("suite/tests.json"), suite.to_string())?)
}

/// Every form that can send more than its tests does so: `.http` files cannot.
#[test]
fn written_suites_find_the_service_by_it_and_have_it_reset() -> Result<()> {
    in_work_folder("serve-suites", |folder| {
        // Without a reset of its own it starts the service anew.
        let served = folder.join("served");
        fs::create_dir(&served)?;
        let (running, line) = serve(&served, &[])?;
        let (base_url, url) = (line["base_url"].as_str().unwrap_or_default(), line["url"].as_str().unwrap_or_default());
        let kept = [("RESTIVE_SUT_URL", url), ("RESTIVE_SUT_TOKEN", line["token"].as_str().unwrap_or_default())];
        for (name, suite) in [("customers", customers()), ("path", below_a_path())] {
            write_suite(&folder.join(name), &suite)?;
            let forms = Frame::ALL.map(Frame::form).join(",");
            let rendered = Restive::new(folder, ["render", name, "--format", &forms])?.run()?;
            ensure!(rendered.code == Some(0), "{}", rendered.stderr);
        }
        for frame in Frame::ALL.into_iter().filter(|frame| *frame != Frame::Http) {
            if !available(frame.programs())? {
                continue;
            }
            let clerk = format!("Authorization: Bearer {CLERK_TOKEN}");
            let counts = |out: &str, with: &[(&str, &str)]| {
                let own = [("RESTIVE_AUTH_CLERK", &*clerk)];
                execute(frame, &folder.join(out), &[&own, with].concat())
            };
            assert_eq!(counts("customers", &kept)?, Counts { tests: 2, failed: 0, skipped: 0 }, "{frame:?}");
            let alone = counts("customers", &[("RESTIVE_BASE_URL", base_url)])?;
            ensure!(alone.tests == 2 && alone.failed > 0, "{frame:?}: nothing resets it: {alone:?}");
            let refused = counts("customers", &[kept[0], ("RESTIVE_SUT_TOKEN", "0123456789"), ("RESTIVE_BASE_URL", base_url)])?;
            assert_eq!(refused, Counts { tests: 2, failed: 2, skipped: 0 }, "{frame:?}: the token is another");
            // Last, for all suites in Rust are built in one folder. Fields for every call are not for the keeper, and the
            // service knows no such token.
            let foreign = [kept[0], kept[1], ("RESTIVE_HEADERS", "Authorization: Bearer foreign")];
            assert_eq!(counts("path", &foreign)?, Counts { tests: 1, failed: 0, skipped: 0 }, "{frame:?}");
        }
        running.signal("INT")?;
        running.finish(Duration::from_mins(30))?.success()?;
        Ok(())
    })
}

/// Replays suites whose tests hold only where the keeper is asked: for a reset before each test, and where the service is,
/// which a `restive.toml` beside them would start otherwise.
fn replay_with(folder: &Path, line: &Value, token: &str) -> Result<()> {
    let replayed = folder.join("replayed");
    write_suite(&replayed.join("out"), &customers())?;
    write_suite(&replayed.join("below"), &below_a_path())?;
    fs::write(replayed.join("restive.toml"), "[sut]\njar = \"missing.jar\"\n")?;
    let (base_url, url) = (line["base_url"].as_str().unwrap_or_default(), line["url"].as_str().unwrap_or_default());
    let replay_in = |out: &[&str], with: &[(&str, &str)]| {
        let run = Restive::new(&replayed, ["replay"])?.args(out.iter().copied());
        let run = run.env("RESTIVE_AUTH_CLERK", &format!("Authorization: Bearer {CLERK_TOKEN}"));
        with.iter().fold(run, |run, (name, value)| run.env(name, value)).run()
    };
    let replay = |with: &[(&str, &str)]| replay_in(&["out", "--url", base_url], with);
    let kept = [("RESTIVE_SUT_URL", url), ("RESTIVE_SUT_TOKEN", token)];
    for (out, n_tests) in [("out", 2), ("below", 1)] {
        let same = replay_in(&[out], &kept)?;
        ensure!(same.code == Some(0) && same.stdout.matches("same ").count() == n_tests, "{}\n{}", same.stdout, same.stderr);
    }
    let gone = replay_in(&["out"], &[("RESTIVE_SUT_URL", "http://127.0.0.1:1"), kept[1]])?;
    ensure!(gone.code == Some(3) && gone.stderr.contains("cannot ask the `restive sut serve`"), "{}", gone.stderr);
    let same = replay(&kept)?;
    ensure!(same.code == Some(0) && same.stdout.matches("same ").count() == 2, "{}\n{}", same.stdout, same.stderr);
    let wrong = replay(&[("RESTIVE_SUT_URL", url), ("RESTIVE_SUT_TOKEN", "0123456789")])?;
    ensure!(wrong.code == Some(3) && wrong.stderr.contains("`restive sut serve`: status 401"), "{}", wrong.stderr);
    let changed = replay(&[])?;
    ensure!(changed.code == Some(1), "nothing resets it: {}", changed.stdout);
    Ok(())
}

#[test]
fn ctrl_c_and_a_request_to_terminate_end_the_service_too() -> Result<()> {
    for signal in ["INT", "TERM"] {
        in_work_folder(&format!("serve-{signal}"), |folder| {
            let (running, line) = serve(folder, &[])?;
            let service = port_of(&line["base_url"])?;
            assert!(http::get(service, "/").is_ok());
            running.signal(signal)?;
            running.finish(Duration::from_mins(1))?.success()?;
            assert!(http::get(service, "/").is_err());
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn an_end_of_the_service_is_told_and_undone_where_that_is_wanted() -> Result<()> {
    in_work_folder("serve-death", |folder| {
        let (running, line) = serve(folder, &["--restart-on-death"])?;
        let interface =
            Interface { port: port_of(&line["url"])?, token: line["token"].as_str().unwrap_or_default().to_owned() };
        let pid = line["pid"].to_string();
        std::process::Command::new("kill").args(["-KILL", &pid]).status()?;
        let end = Instant::now() + Duration::from_mins(1);
        loop {
            let (_, told) = interface.call("GET", "/status")?;
            if told["deaths"] == 1 && told["state"] == "up" {
                ensure!(
                    told["restarts"] == 1 && told["last_end"].as_str().is_some_and(|how| how.starts_with("by signal 9")),
                    "{told}"
                );
                break;
            }
            if Instant::now() > end {
                bail!("it is not started anew: {told}");
            }
            sleep(Duration::from_millis(20));
        }
        running.signal("INT")?;
        let finished = running.finish(Duration::from_mins(1))?.success()?;
        assert!(finished.stderr.contains("the service ended by signal 9"), "{}", finished.stderr);
        Ok(())
    })
}

#[test]
fn mistakes_are_told_before_the_service_is_started() -> Result<()> {
    in_work_folder("serve-bad", |folder| {
        let shows = |args: &[&str], code: i32, text: &str| {
            let finished = Restive::new(folder, ["sut", "serve"])?.args(args.iter().copied()).run()?;
            let is_told = finished.stderr.contains(text) && finished.stderr.contains("hint: ");
            ensure!(finished.code == Some(code) && is_told, "{args:?}: {:?}\n{}", finished.code, finished.stderr);
            Ok(())
        };
        shows(&[], 2, "nothing says how the service is started")?;
        shows(&["--jar", "missing.jar"], 3, "missing.jar")?;
        shows(&["--command", "false"], 3, "the service ended before it was ready")?;
        shows(&["--command", "sleep 60", "--token", "short"], 2, "the token is shorter than 8 characters")?;
        let taken = std::net::TcpListener::bind("127.0.0.1:0")?;
        let port = taken.local_addr()?.port().to_string();
        shows(&["--command", "sleep 60", "--control-port", &port], 3, "cannot listen on port")?;
        let port = free_port()?.to_string();
        shows(&["--command", "sleep 60", "--port", &port, "--start-limit", "1s"], 3, "was not ready within 1 s")
    })
}
