//! Ctrl-C in every phase of a run: it ends at once, and what was found is written.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use restive_demo::{AUTH, OPENAPI, RESET_PATH};
use restive_e2e::process::Finished;
use restive_e2e::scripted::{ScriptedServer, json};
use restive_e2e::services::Demo;
use restive_e2e::suites::{Frame, execute};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, http, toolchain};

#[test]
fn an_interrupted_run_leaves_results_and_a_suite_that_passes() -> Result<()> {
    in_work_folder("ctrl-c", |folder| {
        std::fs::write(folder.join("openapi.json"), OPENAPI)?;
        std::fs::write(folder.join("auth.yaml"), AUTH)?;
        let shop = Demo::start()?;
        let run = Restive::fuzz(folder, &shop.url(), "openapi.json", "10m")?;
        let reset = format!("POST {RESET_PATH}");
        let mut running = run.args(["--auth-file", "auth.yaml", "--reset-http", &reset]).start()?;
        sleep(Duration::from_secs(4));
        ensure!(!running.has_ended()?, "it ended before it was interrupted\n{}", running.output_tail());
        let interrupted = Instant::now();
        running.signal("INT")?;
        let finished = running.finish(Duration::from_mins(2))?;
        assert!(matches!(finished.code, Some(1 | 4)), "{:?}\n{}", finished.code, finished.stderr);
        assert!(interrupted.elapsed() < Duration::from_secs(30), "it took {:?} to stop", interrupted.elapsed());

        let results = Results::read(&folder.join("out"))?;
        assert_eq!(results.ended_by(), "interrupted");
        assert!(results.calls() > 0 && results.n_tests() > 0);
        let page = std::fs::read_to_string(folder.join("out/report.html"))?;
        assert!(page.contains("The run was stopped before its budget was spent."), "an interrupted run has its page");
        let explained = Restive::new(folder, ["explain", "out"])?.run()?.success()?;
        assert!(explained.stdout.contains(" reached, "), "{}", explained.stdout);
        assert_eq!(http::call(shop.port(), "POST", RESET_PATH)?.status, 204);
        if toolchain::available(&["python3"])? {
            let clerk = format!("Authorization: Bearer {}", restive_demo::CLERK_TOKEN);
            let admin = format!("Authorization: Bearer {}", restive_demo::ADMIN_TOKEN);
            let variables =
                [("RESTIVE_BASE_URL", &*shop.url()), ("RESTIVE_AUTH_CLERK", &clerk), ("RESTIVE_AUTH_ADMIN", &admin)];
            let counts = execute(Frame::Pytest, &folder.join("out"), &variables)?;
            assert_eq!((counts.tests, counts.failed), (results.n_tests(), 0));
        }
        Ok(())
    })
}

/// Interrupts a run with these arguments after a second and a half, so often as `n_signals` says.
fn interrupted(name: &str, args: &[&str], n_signals: usize, judge: impl FnOnce(&Finished, &Path)) -> Result<()> {
    in_work_folder(name, |folder| {
        std::fs::write(folder.join("openapi.json"), OPENAPI)?;
        let mut running = Restive::new(folder, args.iter().copied())?.start()?;
        sleep(Duration::from_millis(1500));
        ensure!(!running.has_ended()?, "it ended before it was interrupted\n{}", running.output_tail());
        let interrupted = Instant::now();
        for _ in 0..n_signals {
            running.signal("INT")?;
            sleep(Duration::from_millis(50));
        }
        let finished = running.finish(Duration::from_mins(1))?;
        assert!(interrupted.elapsed() < Duration::from_secs(8), "it took {:?} to stop", interrupted.elapsed());
        judge(&finished, folder);
        Ok(())
    })
}

/// A server that takes its time for every answer.
fn silent() -> Result<ScriptedServer> {
    Ok(ScriptedServer::start(|_, _| {
        sleep(Duration::from_mins(1));
        Ok(())
    })?)
}

#[test]
fn what_is_waited_for_before_the_search_is_given_up_at_once() -> Result<()> {
    let server = silent()?;
    let (url, schema) = (server.url(), format!("{}/openapi.json", server.url()));
    let start = ["--command", "sleep 60", "--url", "http://127.0.0.1:{port}", "--schema", "openapi.json"];
    let waits: [(&str, &[&str]); 3] = [
        ("ctrl-c-schema", &["--url", &url, "--schema", &schema]),
        ("ctrl-c-probe", &["--url", &url, "--schema", "openapi.json", "--time-limit", "60s"]),
        ("ctrl-c-start", &start),
    ];
    for (name, args) in waits {
        interrupted(name, &[&["fuzz"], args].concat(), 1, |finished, folder| {
            assert_eq!(finished.code, Some(4), "{}", finished.stderr);
            assert!(finished.stderr.contains("error: stopped before the search began"), "{}", finished.stderr);
            assert!(!finished.stderr.contains("results are being written"), "{}", finished.stderr);
            assert!(!folder.join("out/results.json").exists());
        })?;
    }
    Ok(())
}

#[test]
fn a_call_without_end_does_not_keep_a_search_from_stopping() -> Result<()> {
    let server = ScriptedServer::start(|call, stream| {
        sleep(Duration::from_secs(if call.path == "/" { 0 } else { 60 }));
        json(stream, 200, "{}")
    })?;
    let args = ["fuzz", "--url", &server.url(), "--schema", "openapi.json", "--time-limit", "60s"];
    interrupted("ctrl-c-call", &args, 1, |finished, folder| {
        assert_eq!(finished.code, Some(4), "{}", finished.stderr);
        assert_eq!(
            Results::read(&folder.join("out")).map(|results| results.ended_by().to_owned()).ok().as_deref(),
            Some("interrupted")
        );
    })
}

#[test]
fn a_run_that_is_stopped_after_its_search_says_so() -> Result<()> {
    let server = ScriptedServer::start(|_, stream| {
        sleep(Duration::from_millis(200));
        json(stream, 200, "{}")
    })?;
    let args = ["fuzz", "--url", &server.url(), "--schema", "openapi.json", "--budget", "2 calls"];
    interrupted("ctrl-c-minimise", &args, 1, |finished, folder| {
        assert!(matches!(finished.code, Some(1 | 4)), "{:?}\n{}", finished.code, finished.stderr);
        let results = Results::read(&folder.join("out")).expect("results are written");
        assert_eq!((results.ended_by(), results.calls()), ("interrupted", 2));
    })
}

#[test]
fn a_second_ctrl_c_ends_the_run_without_results() -> Result<()> {
    let server = silent()?;
    let args = ["fuzz", "--url", &server.url(), "--schema", &format!("{}/openapi.json", server.url())];
    // The first one may have ended it already.
    interrupted("ctrl-c-twice", &args, 2, |finished, folder| {
        assert!(matches!(finished.code, Some(4 | 130)), "{:?}\n{}", finished.code, finished.stderr);
        assert!(!folder.join("out/results.json").exists());
    })
}

/// Nothing of a run may stay behind, however hard it is ended: no file with passwords, no service.
#[test]
fn a_demo_that_is_ended_at_once_leaves_nothing_behind() -> Result<()> {
    in_work_folder("ctrl-c-demo", |folder| {
        let temporary = folder.join("tmp");
        std::fs::create_dir(&temporary)?;
        let demo = Restive::new(folder, ["demo", "--out", "out"])?.env("TMPDIR", &temporary.display().to_string());
        let mut running = demo.start()?;
        sleep(Duration::from_secs(3));
        ensure!(!running.has_ended()?, "it ended before it was interrupted\n{}", running.output_tail());
        ensure!(processes_with(&temporary) >= 2, "restive and its service run");
        running.signal("INT")?;
        running.signal("INT")?;
        let finished = running.finish(Duration::from_mins(1))?;
        // The first one may have ended it already.
        assert!(matches!(finished.code, Some(1 | 4 | 130)), "{:?}\n{}", finished.code, finished.stderr);
        assert_eq!(std::fs::read_dir(&temporary)?.count(), 0, "a temporary file is left");
        let is_gone = (0..100).any(|_| {
            sleep(Duration::from_millis(20));
            processes_with(&temporary) == 0
        });
        assert!(is_gone, "the service still runs");
        Ok(())
    })
}

/// Number of processes whose folder for temporary files is that one.
fn processes_with(temporary: &Path) -> usize {
    let wanted = format!("TMPDIR={}", temporary.display());
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let environments = processes.filter_map(|process| std::fs::read(process.path().join("environ")).ok());
    environments.filter(|text| text.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())).count()
}
