//! Runs that are killed and resumed: they become what they would have been, and lose next to nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_demo::{AUTH, OPENAPI_PATH, RESET_PATH};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, binary};
use serde_json::Value;

/// How often a run is killed; `RESTIVE_E2E_KILLS` says otherwise.
const KILLS: u64 = 6;

/// Settings of a run on the bundled service, which restive starts and resets.
fn settings(folder: &Path, budget: &str) -> Result<()> {
    settings_with(folder, budget, &format!("[reset]\nhttp = 'POST {RESET_PATH}'\n"))
}

/// The same with these lines on resets.
fn settings_with(folder: &Path, budget: &str, reset: &str) -> Result<()> {
    fs::write(folder.join("auth.yaml"), AUTH)?;
    let program = binary()?.display();
    let text = format!(
        "[sut]\ncommand = ['{program}', 'demo-service', '--port', '{{port}}']\nschema = 'http://127.0.0.1:{{port}}{OPENAPI_PATH}'\n\
         ready-path = '{OPENAPI_PATH}'\n[auth]\nfile = 'auth.yaml'\n{reset}[search]\nrng-seed = 45\nbudget = '{budget}'\n"
    );
    Ok(fs::write(folder.join("restive.toml"), text)?)
}

/// All files below `folder` with what is in them.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("no {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder)?.display().to_string(), fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

/// What was found, how often, and whether it showed again; its requests name a port that is another one each time.
fn findings(results: &Results) -> Vec<[&Value; 3]> {
    let all = results.json()["findings"].as_array().into_iter().flatten();
    all.map(|finding| [&finding["id"], &finding["count"], &finding["confirmation"]]).collect()
}

/// Lives of the run in `out` until one was not killed in time; says how often it was killed.
fn killed_again_and_again(folder: &Path, out: &str) -> Result<u64> {
    let kills = std::env::var("RESTIVE_E2E_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let mut n_killed = 0;
    // Any moment will do; these are spread over start, search and making tests.
    for moment in (1..=kills).map(|number| number * 7919 % 1_000) {
        let has_journal = folder.join(out).join("journal/run.json").exists();
        let run = Restive::new(folder, ["fuzz", "--quiet", if has_journal { "--resume" } else { "--out" }, out])?;
        let mut running = run.start()?;
        sleep(Duration::from_millis(50 + moment));
        if running.has_ended()? {
            break;
        }
        running.signal("KILL")?;
        running.finish(Duration::from_secs(10))?;
        n_killed += 1;
    }
    Ok(n_killed)
}

#[test]
fn a_run_that_is_killed_again_and_again_becomes_what_it_would_have_been() -> Result<()> {
    in_work_folder("resume", |folder| {
        settings(folder, "4000 calls")?;
        Restive::new(folder, ["fuzz", "--quiet", "--out", "whole"])?.run()?;
        let whole = Results::read(&folder.join("whole"))?;
        assert!(whole.calls() == 4_000 && whole.n_tests() > 10);
        ensure!(!findings(&whole).is_empty(), "this seed finds no fault that could get lost: take another one");

        let n_killed = killed_again_and_again(folder, "killed")?;
        ensure!(n_killed > 0, "it was never killed");
        assert!(!folder.join("killed/results.json").exists() || n_killed < KILLS, "it was killed before it ended");
        let resumed = Restive::new(folder, ["fuzz", "--resume", "killed"])?.run()?;
        assert_eq!(resumed.code, Some(1), "{}", resumed.stderr);
        assert!(!resumed.stderr.contains("warning"), "{}", resumed.stderr);
        let killed = Results::read(&folder.join("killed"))?;
        assert_eq!((killed.calls(), killed.ended_by()), (4_000, "budget"));
        assert!(files(&folder.join("whole/suite"))? == files(&folder.join("killed/suite"))?, "killed {n_killed} times");
        assert_eq!(killed.json()["operations"], whole.json()["operations"]);
        assert_eq!(findings(&killed), findings(&whole));
        assert!(!folder.join("killed/logs/sut.process").exists(), "no service is left");
        println!("killed {n_killed} times");

        // A run that has ended is resumed to the same, without the service being called.
        let before = [files(&folder.join("killed/suite"))?, files(&folder.join("killed/journal"))?];
        Restive::new(folder, ["fuzz", "--quiet", "--resume", "killed"])?.run()?;
        assert!(before == [files(&folder.join("killed/suite"))?, files(&folder.join("killed/journal"))?], "it has ended");
        Ok(())
    })
}

#[test]
fn a_service_that_is_never_reset_is_brought_to_where_it_was_when_a_run_is_resumed() -> Result<()> {
    in_work_folder("resume-state", |folder| {
        settings_with(folder, "1000 calls", "")?;
        Restive::new(folder, ["fuzz", "--quiet", "--out", "whole"])?.run()?;
        let n_killed = killed_again_and_again(folder, "killed")?;
        let resumed = Restive::new(folder, ["fuzz", "--resume", "killed"])?.run()?;
        assert!(!resumed.stderr.contains("warning"), "killed {n_killed} times: {}", resumed.stderr);
        let [whole, killed] = ["whole", "killed"].map(|out| files(&folder.join(out).join("suite")));
        assert!(whole? == killed?, "killed {n_killed} times");
        let [whole, killed] = ["whole", "killed"].map(|out| Results::read(&folder.join(out)));
        assert_eq!(findings(&killed?), findings(&whole?));
        println!("killed {n_killed} times");
        Ok(())
    })
}

#[test]
fn a_run_that_has_ended_goes_on_with_a_larger_budget() -> Result<()> {
    in_work_folder("resume-more", |folder| {
        settings(folder, "1000 calls")?;
        Restive::new(folder, ["fuzz", "--quiet", "--out", "whole"])?.run()?;
        let short = Results::read(&folder.join("whole"))?;
        let more = Restive::new(folder, ["fuzz", "--resume", "whole", "--budget", "3000 calls"])?.run()?;
        assert!(!more.stderr.contains("warning"), "{}", more.stderr);
        let whole = Results::read(&folder.join("whole"))?;
        assert_eq!((whole.calls(), whole.ended_by()), (3_000, "budget"));
        assert!(whole.faults().is_superset(&short.faults()), "nothing that was found is lost");

        // The same by a run that is killed on its longer way, and resumed without saying how long that is.
        Restive::new(folder, ["fuzz", "--quiet", "--out", "killed"])?.run()?;
        let more = ["fuzz", "--quiet", "--resume", "killed", "--budget", "3000 calls"];
        let mut running = Restive::new(folder, more)?.start()?;
        sleep(Duration::from_millis(800));
        if !running.has_ended()? {
            running.signal("KILL")?;
            running.finish(Duration::from_secs(10))?;
        }
        Restive::new(folder, ["fuzz", "--quiet", "--resume", "killed"])?.run()?;
        let killed = Results::read(&folder.join("killed"))?;
        assert_eq!((killed.calls(), findings(&killed)), (3_000, findings(&whole)));
        assert!(files(&folder.join("whole/suite"))? == files(&folder.join("killed/suite"))?, "another suite");

        for (budget, wanted) in [("2000 calls", "more than 3000 calls"), ("10h", "more than 3000 calls")] {
            let less = Restive::new(folder, ["fuzz", "--resume", "whole", "--budget", budget])?.run()?;
            assert!(less.code == Some(2) && less.stderr.contains(wanted), "{}", less.stderr);
        }
        Ok(())
    })
}

#[test]
fn a_run_that_is_stopped_says_how_to_go_on_with_it() -> Result<()> {
    in_work_folder("resume-stopped", |folder| {
        settings(folder, "8000 calls")?;
        let running = Restive::new(folder, ["fuzz"])?.start()?;
        sleep(Duration::from_secs(2));
        running.signal("INT")?;
        let stopped = running.finish(Duration::from_mins(1))?;
        ensure!(stopped.stderr.contains("restive fuzz --resume out"), "{}", stopped.stderr);
        let before = Results::read(&folder.join("out"))?;
        assert_eq!(before.ended_by(), "interrupted");
        let resumed = Restive::new(folder, ["fuzz", "--resume", "out"])?.run()?;
        let after = Results::read(&folder.join("out"))?;
        assert_eq!((after.calls(), after.ended_by()), (8_000, "budget"), "{}", resumed.stderr);
        assert!(before.calls() < after.calls());
        Ok(())
    })
}

#[test]
fn what_cannot_be_resumed_says_why() -> Result<()> {
    in_work_folder("resume-errors", |folder| {
        settings(folder, "200 calls")?;
        let resumed = |args: &[&str]| Restive::new(folder, [&["fuzz", "--resume"], args].concat())?.run();
        for (args, wanted) in [(["nowhere"], "no folder `nowhere`"), (["."], "holds no run that can be resumed")] {
            let finished = resumed(&args)?;
            assert!(finished.code == Some(3) && finished.stderr.contains(wanted), "{}", finished.stderr);
            assert!(finished.stderr.contains("hint: "), "{}", finished.stderr);
        }
        Restive::new(folder, ["fuzz", "--quiet"])?.run()?;
        let finished = resumed(&["out", "--rng-seed", "7"])?;
        assert_eq!(finished.code, Some(2), "{}", finished.stderr);
        assert!(finished.stderr.contains("`search.rng-seed` is 7, and 45 in the run in `out`"), "{}", finished.stderr);
        // What is written may be another thing.
        let finished = resumed(&["out", "--format", "curl", "--quiet"])?;
        assert!(folder.join("out/suite/curl").is_dir(), "{}", finished.stderr);
        let run = folder.join("out/journal/run.json");
        let text = fs::read_to_string(&run)?;
        fs::write(&run, text.replace("\"restive_version\": \"", "\"restive_version\": \"0.0."))?;
        let finished = resumed(&["out"])?;
        assert!(finished.code == Some(3) && finished.stderr.contains("was begun by restive 0.0."), "{}", finished.stderr);
        fs::write(&run, &text[..text.len() / 2])?;
        let finished = resumed(&["out"])?;
        assert!(finished.code == Some(3) && finished.stderr.contains("is damaged"), "{}", finished.stderr);
        fs::write(&run, text.replace("\"interface\": \"", "\"interface\": \"0"))?;
        let finished = resumed(&["out"])?;
        assert!(finished.code == Some(3) && finished.stderr.contains("the interface of the service"), "{}", finished.stderr);
        Ok(())
    })
}
