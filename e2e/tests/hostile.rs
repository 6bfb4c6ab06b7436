//! Services that answer as none should, or die: the run ends in time and results are written.

use std::fs;
use std::io::{self, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use restive_e2e::scripted::{Call, ScriptedServer, json, schema};
use restive_e2e::work::in_work_folder;
use restive_e2e::{FoundFault, Restive, Results, toolchain};

const LIMIT: Duration = Duration::from_mins(3);

/// Memory that `restive` may have at most, in KiB.
const MAX_MEMORY_KIB: u64 = 500_000;

/// Runs `restive` on a scripted server with `GET` operations on these paths and a call time limit of half a second.
fn fuzz(
    name: &str,
    paths: &[&str],
    answer: impl Fn(&Call, &mut TcpStream) -> io::Result<()> + Send + Sync + 'static,
    judge: impl FnOnce(&Results, &Path),
) -> Result<()> {
    in_work_folder(name, |folder| {
        fs::write(folder.join("openapi.json"), schema(paths))?;
        let server = ScriptedServer::start(answer)?;
        let run = Restive::fuzz(folder, &server.url(), "openapi.json", "60 calls")?.args(["--time-limit", "500ms"]);
        let started = Instant::now();
        let mut running = run.start()?;
        let mut memory_kib = 0;
        while !running.has_ended()? && started.elapsed() < LIMIT {
            memory_kib = memory_kib.max(peak_memory_kib(running.id()));
            sleep(Duration::from_millis(50));
        }
        let finished = running.finish(LIMIT)?;
        assert!(matches!(finished.code, Some(0 | 1 | 4)), "{:?}\n{}", finished.code, finished.stderr);
        assert!(memory_kib < MAX_MEMORY_KIB, "{memory_kib} KiB");
        let results = Results::read(&folder.join("out")).context(finished.stderr)?;
        assert_eq!(results.ended_by(), "budget");
        assert!(folder.join("out/suite").is_dir());
        judge(&results, folder);
        Ok(())
    })
}

fn peak_memory_kib(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

const JSON_HEADER: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";

#[test]
fn deep_and_huge_bodies_neither_crash_nor_fill_the_memory() -> Result<()> {
    let answer = |call: &Call, stream: &mut TcpStream| {
        write!(stream, "{JSON_HEADER}\r\n")?;
        match &*call.path {
            "/deep-arrays" => stream.write_all(&vec![b'['; 2_000_000]),
            "/deep-objects" => stream.write_all("{\"a\":".repeat(400_000).as_bytes()),
            "/closed" => stream.write_all(format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)).as_bytes()),
            "/many-keys" => {
                let keys: Vec<String> = (0..60_000).map(|number| format!("\"key{number}\": {number}")).collect();
                stream.write_all(format!("{{{}}}", keys.join(",")).as_bytes())
            }
            "/number" => stream.write_all(format!("{{\"n\": 1{}}}", "0".repeat(300_000)).as_bytes()),
            "/huge" => (0..200).try_for_each(|_| stream.write_all(&vec![b' '; 1_000_000])),
            _ => stream.write_all(b"{}"),
        }
    };
    let paths = ["/deep-arrays", "/deep-objects", "/closed", "/many-keys", "/number", "/huge", "/fine"];
    fuzz("hostile-bodies", &paths, answer, |results, _| assert!(results.operations_with(2).contains("GET /fine")))
}

#[test]
fn broken_encodings_and_headers_are_taken() -> Result<()> {
    let answer = |call: &Call, stream: &mut TcpStream| match &*call.path {
        "/not-utf8" => write!(stream, "{JSON_HEADER}\r\n").and_then(|()| stream.write_all(b"{\"a\": \"\xff\xfe\x00\"}")),
        "/lone-surrogate" => write!(stream, "{JSON_HEADER}\r\n{{\"a\": \"\\ud800\"}}"),
        "/wrong-gzip" => write!(stream, "{JSON_HEADER}Content-Encoding: gzip\r\n\r\nthis is no gzip"),
        "/wrong-length" => write!(stream, "{JSON_HEADER}Content-Length: 1000\r\n\r\n{{}}"),
        "/wrong-chunks" => write!(stream, "{JSON_HEADER}Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}"),
        "/odd-type" => write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: \u{1F980};;=\r\nConnection: close\r\n\r\nx"),
        "/no-http" => stream.write_all(b"\x16\x03\x01\x02\x00\x01\x00"),
        "/odd-status" => write!(stream, "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        "/many-headers" => {
            write!(stream, "HTTP/1.1 200 OK\r\n")?;
            (0..5_000).try_for_each(|number| write!(stream, "X-{number}: {number}\r\n"))?;
            write!(stream, "Connection: close\r\n\r\n{{}}")
        }
        "/escape" => json(stream, 200, r#"{"a": "\"\"\"; import os # ${jndi:x} */ \u0000 \u202e \u001b[2J </script>"}"#),
        "/redirect" => write!(
            stream,
            "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
        _ => json(stream, 200, "{}"),
    };
    let paths = [
        "/not-utf8",
        "/lone-surrogate",
        "/wrong-gzip",
        "/wrong-length",
        "/wrong-chunks",
        "/odd-type",
        "/no-http",
        "/odd-status",
        "/many-headers",
        "/escape",
        "/redirect",
        "/fine",
    ];
    fuzz("hostile-encodings", &paths, answer, |results, folder| {
        assert!(results.operations_with(2).contains("GET /fine"));
        assert!(results.operations_with(3).contains("GET /redirect"), "another host is recorded, not called");
        python_compiles(&folder.join("out/suite/pytest"));
    })
}

/// Hostile strings of answers must not break generated code.
fn python_compiles(suite: &Path) {
    if toolchain::available(&["python3"]).is_ok_and(|available| available) {
        let mut python = std::process::Command::new("python3");
        let status = python.args(["-m", "compileall", "-q"]).arg(suite).status().expect("python3 starts");
        assert!(status.success(), "the suite does not compile");
    }
}

#[test]
fn slow_endless_and_dropped_answers_are_cut_off() -> Result<()> {
    let answer = |call: &Call, stream: &mut TcpStream| match &*call.path {
        "/silent" => {
            sleep(Duration::from_secs(5));
            Ok(())
        }
        "/drip" => {
            write!(stream, "{JSON_HEADER}\r\n{{")?;
            (0..100).try_for_each(|_| {
                sleep(Duration::from_millis(100));
                stream.write_all(b" ").and_then(|()| stream.flush())
            })
        }
        "/drip-header" => (0..100).try_for_each(|number| {
            sleep(Duration::from_millis(100));
            write!(stream, "{}", if number == 0 { "HTTP/1.1 200 OK\r\n".to_owned() } else { format!("X-{number}: x\r\n") })
        }),
        "/events" => {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: 1\n\n")?;
            sleep(Duration::from_secs(5));
            Ok(())
        }
        // These last until the client goes away.
        "/endless" => {
            write!(stream, "{JSON_HEADER}\r\n")?;
            loop {
                stream.write_all(&[b'x'; 8_192])?;
            }
        }
        "/endless-header" => {
            write!(stream, "HTTP/1.1 200 OK\r\nX: ")?;
            loop {
                stream.write_all(&[b'x'; 8_192])?;
            }
        }
        "/drop" => Ok(()),
        "/drop-half" => write!(stream, "{JSON_HEADER}Content-Length: 100\r\n\r\n{{\"a\":"),
        _ => json(stream, 200, "{}"),
    };
    let paths = ["/silent", "/drip", "/drip-header", "/events", "/endless", "/endless-header", "/drop", "/drop-half", "/fine"];
    fuzz("hostile-streams", &paths, answer, |results, _| {
        assert!(results.operations_with(2).contains("GET /fine"));
        assert!(results.operations_with(2).contains("GET /events"));
        let time_out = FoundFault::new(902, "GET /events");
        assert!(!results.faults().contains(&time_out), "a stream that goes on has been answered");
        for path in ["/silent", "/drip", "/drip-header"] {
            let time_out = FoundFault::new(902, &format!("GET {path}"));
            assert!(results.faults().contains(&time_out), "{path}: {:?}", results.faults());
        }
        for path in ["/drop", "/drop-half"] {
            let dropped = FoundFault::new(903, &format!("GET {path}"));
            assert!(results.faults().contains(&dropped), "{path}: {:?}", results.faults());
        }
        let n_dropped = results.faults().iter().filter(|fault| fault.code == 903).count();
        assert_eq!(n_dropped, 2, "limits of the client are no faults: {:?}", results.faults());
    })
}

#[test]
fn a_service_that_dies_is_a_finding_and_is_started_anew() -> Result<()> {
    if !toolchain::available(&["python3"])? {
        return Ok(());
    }
    in_work_folder("hostile-death", |folder| {
        fs::write(folder.join("openapi.json"), schema(&["/die", "/fine"]))?;
        let script = toolchain::service_files().join("dying.py");
        let command = format!("python3 {} {{port}}", script.display());
        let args = ["fuzz", "--command", &command, "--url", "http://127.0.0.1:{port}", "--schema", "openapi.json"];
        let run = Restive::new(folder, args)?.args(["--budget", "40 calls", "--rng-seed", "42", "--out", "out"]).limit(LIMIT);
        let (finished, results) = run.run_with_results()?;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        assert!(results.faults().contains(&FoundFault::new(901, "GET /die")), "{:?}", results.faults());
        // Three deaths, perhaps one more by a test that was under way, and one to see whether it was that call.
        let restarts = results.json()["run"]["sut_restarts"].as_u64();
        assert!((Some(4)..=Some(5)).contains(&restarts), "{restarts:?}");
        assert!(results.faults().iter().all(|fault| fault.code != 903), "a death is told once: {:?}", results.faults());
        assert!(results.operations_with(2).contains("GET /fine"));
        assert_eq!(given_up(&results), ["GET /die"]);
        for said in ["given up", "--exclude 'GET /die'", "it would end the service that all others run on"] {
            assert!(finished.stderr.contains(said), "{said}: {}", finished.stderr);
        }
        Ok(())
    })
}

/// One that says it is ready before it listens is waited for, at first and whenever it was started anew.
#[test]
fn a_service_that_says_it_is_ready_too_early_is_fuzzed() -> Result<()> {
    if !toolchain::available(&["python3"])? {
        return Ok(());
    }
    in_work_folder("hostile-hasty", |folder| {
        fs::write(folder.join("openapi.json"), schema(&["/die", "/fine"]))?;
        let command = format!("python3 {} {{port}} up", toolchain::service_files().join("dying.py").display());
        let args = ["fuzz", "--command", &command, "--url", "http://127.0.0.1:{port}", "--schema", "openapi.json"];
        let run = Restive::new(folder, args)?.args(["--ready-log", "up", "--budget", "20 calls", "--rng-seed", "42"]);
        let (finished, results) = run.args(["--out", "out"]).limit(LIMIT).run_with_results()?;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        assert_eq!(results.faults(), [FoundFault::new(901, "GET /die")].into());
        assert_eq!(results.operations_with(2), ["GET /fine"].map(str::to_owned).into());
        let silent = results.json()["operations"][1]["statuses"]["0"].as_u64();
        assert_eq!(silent, None, "no call of `GET /fine` found nobody: {}", results.json()["operations"]);
        Ok(())
    })
}

/// Operations that were called no more because they ended the service.
fn given_up(results: &Results) -> Vec<String> {
    let operations = results.json()["operations"].as_array().into_iter().flatten();
    let given_up = operations.filter(|operation| operation["given_up"]["deaths"].as_u64() >= Some(3));
    given_up.filter_map(|operation| operation["id"].as_str().map(str::to_owned)).collect()
}

/// A service may answer and end a moment later: the operation that it ends by is charged, though others are called when it
/// shows, and no test calls it.
#[test]
fn a_service_that_dies_after_its_answer_is_charged_to_that_call() -> Result<()> {
    if !toolchain::available(&["python3"])? {
        return Ok(());
    }
    in_work_folder("hostile-late-death", |folder| {
        fs::write(folder.join("openapi.json"), schema(&["/fine", "/well", "/expire", "/good", "/better", "/best"]))?;
        let command = format!("python3 {} {{port}}", toolchain::service_files().join("dying.py").display());
        let args = ["fuzz", "--command", &command, "--url", "http://127.0.0.1:{port}", "--schema", "openapi.json"];
        let run = Restive::new(folder, args)?.args(["--budget", "3000 calls", "--rng-seed", "42", "--out", "out"]);
        let (finished, results) = run.limit(LIMIT).run_with_results()?;
        let deaths: Vec<_> = results.faults().into_iter().filter(|fault| fault.code == 901).collect();
        assert_eq!(deaths, [FoundFault::new(901, "GET /expire")], "{}", finished.stderr);
        assert_eq!(given_up(&results), ["GET /expire"]);
        let finding = &results.json()["findings"].as_array().into_iter().flatten().find(|finding| finding["code"] == 901);
        let finding = finding.expect("it was found");
        assert_eq!((&finding["confirmed"], finding["requests"].as_array().map(Vec::len)), (&true.into(), Some(1)));
        assert!(results.operations_with(2).contains("GET /best"));
        for test in results.json()["tests"].as_array().into_iter().flatten() {
            let calls = test["calls"].as_array().into_iter().flatten();
            assert!(calls.into_iter().all(|call| call["operation"] != "GET /expire"), "{test}");
        }
        Ok(())
    })
}

/// The call that stops a service is blamed, not those that come after, and all else is found as if it had not been.
#[test]
fn a_service_that_hangs_is_a_finding_and_is_started_anew() -> Result<()> {
    if !toolchain::available(&["python3"])? {
        return Ok(());
    }
    in_work_folder("hostile-hang", |folder| {
        fs::write(folder.join("openapi.json"), schema(&["/hang", "/fine", "/well"]))?;
        let command = format!("python3 {} {{port}}", toolchain::service_files().join("dying.py").display());
        let args = ["fuzz", "--command", &command, "--url", "http://127.0.0.1:{port}", "--schema", "openapi.json"];
        let run = Restive::new(folder, args)?.args(["--budget", "12 calls", "--rng-seed", "42", "--out", "out"]);
        let (finished, results) = run.args(["--time-limit", "200ms"]).limit(LIMIT).run_with_results()?;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        assert!(results.json()["run"]["sut_restarts"].as_u64() > Some(0));
        assert_eq!(results.faults(), [FoundFault::new(901, "GET /hang")].into());
        assert_eq!(results.operations_with(2), ["GET /fine", "GET /well"].map(str::to_owned).into());
        Ok(())
    })
}

/// A service that nobody can bring back: what was found until then is written.
#[test]
fn a_service_that_stays_away_ends_the_run_with_results() -> Result<()> {
    if !toolchain::available(&["python3"])? {
        return Ok(());
    }
    in_work_folder("hostile-lost", |folder| {
        fs::write(folder.join("openapi.json"), schema(&["/die", "/fine"]))?;
        let port = restive_e2e::process::free_port()?;
        let mut python = std::process::Command::new("python3");
        python.arg(toolchain::service_files().join("dying.py")).arg(port.to_string());
        let service = restive_e2e::process::Service::start(&mut python, folder, "dying", port, "/fine")?;
        let run = Restive::fuzz(folder, &service.url(), "openapi.json", "100000 calls")?.limit(LIMIT);
        let (finished, results) = run.run_with_results()?;
        assert_eq!(finished.code, Some(1), "{}", finished.stderr);
        assert_eq!(results.ended_by(), "sut_lost");
        assert!(results.faults().contains(&FoundFault::new(901, "GET /die")), "{:?}", results.faults());
        Ok(())
    })
}
