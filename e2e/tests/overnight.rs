//! Nights of ten hours, with a clock that goes 3,600 times as fast as others, and services that do not last one.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Result, ensure};
use restive_e2e::Restive;
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;

/// Ten hours on the service in this mode; none without Python.
fn night(folder: &Path, mode: &str) -> Result<Option<Restive>> {
    if !available(&["python3"])? {
        return Ok(None);
    }
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("apps/overnight/service.py");
    let command = format!("python3 {} {mode} {{port}}", service.display());
    let args = ["fuzz", "--command", &command, "--schema", "http://127.0.0.1:{port}/openapi.json"];
    let args = args.into_iter().chain(["--budget", "10h", "--clock-speed", "3600", "--rng-seed", "1"]);
    Restive::new(folder, args).map(Some)
}

/// What a run has on the disk besides its journal, in bytes.
fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        bytes += if kind.is_dir() && entry.file_name() != "journal" { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

#[test]
fn memory_that_grows_all_night_is_a_finding() -> Result<()> {
    in_work_folder("overnight-leak", |folder| {
        let Some(run) = night(folder, "leak")? else { return Ok(()) };
        let (finished, results) = run.run_with_results()?;
        assert_eq!((finished.code, results.ended_by()), (Some(1), "budget"), "{}", finished.stderr);
        let findings = results.json()["findings"].as_array().cloned().unwrap_or_default();
        let growth = findings.iter().find(|finding| finding["code"] == 905);
        let growth = growth.unwrap_or_else(|| panic!("the service grew, and nobody saw it: {findings:#?}"));
        let message = growth["message"].as_str().unwrap_or_default();
        assert!(message.contains("and never fell back"), "{message}");
        assert!(growth["requests"].as_array().is_some_and(|requests| requests.len() > 1), "the last calls are told");
        assert!(results.json()["run"]["seconds"].as_f64() > Some(36_000.0), "{}", results.json()["run"]);
        // Ten hours leave no more than a minute does.
        assert!(results.json()["curve"].as_array().is_some_and(|curve| curve.len() <= 401));
        assert!(size(&folder.join("out"))? < 20_000_000, "{} bytes", size(&folder.join("out"))?);
        Ok(())
    })
}

#[test]
fn a_night_with_a_service_that_dies_and_a_restive_that_is_killed_ends_with_results() -> Result<()> {
    in_work_folder("overnight-tired", |folder| {
        let Some(run) = night(folder, "tired")? else { return Ok(()) };
        let running = run.start()?;
        sleep(Duration::from_secs(6));
        running.signal("KILL")?;
        running.finish(Duration::from_secs(10))?;
        ensure!(!folder.join("out/results.json").exists(), "it ended before it was killed");
        let resumed = Restive::new(folder, ["fuzz", "--resume", "out", "--clock-speed", "3600"])?;
        let (finished, results) = resumed.run_with_results()?;
        assert_eq!((finished.code, results.ended_by()), (Some(1), "budget"), "{}", finished.stderr);
        let codes: Vec<_> = results.json()["findings"].as_array().into_iter().flatten().map(|it| &it["code"]).collect();
        assert!(codes.contains(&&901.into()), "its ends are findings: {codes:?}");
        assert!(codes.contains(&&100.into()), "so are others: {codes:?}");
        assert!(results.json()["run"]["sut_restarts"].as_u64() > Some(0));
        assert!(results.json()["run"]["seconds"].as_f64() > Some(36_000.0), "both lives are one night");
        assert!(results.n_tests() > 0);
        Ok(())
    })
}
