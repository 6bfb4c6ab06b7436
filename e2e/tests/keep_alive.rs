//! Servers that close connections after errors, or after so many requests: with the agent one connection is enough.

use std::path::Path;

use anyhow::{Context, Result};
use restive_e2e::doors::{Door, GRIZZLY, JETTY_9_3, PACKAGE, TOMCAT_9, schema};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results};

/// Enough for three times 100 requests and hundreds of errors.
const BUDGET: &str = "300 calls";

fn fuzz(folder: &Path, door: &Door, family: &str) -> Result<Option<(String, Results)>> {
    let Some(class_path) = door.build()? else { return Ok(None) };
    let schema = schema().display().to_string();
    let command = door.command(&class_path);
    let args = ["fuzz", "--command", &command, "--schema", &schema, "--packages", PACKAGE, "--budget", BUDGET];
    // No other reason for a connection: nothing is so slow that it would be given up.
    let args = args.into_iter().chain(["--rng-seed", "1", "--suite=false", "--time-limit", "30s", "--overwrite", family]);
    let (finished, results) = Restive::new(folder, args)?.run_with_results()?;
    Ok(Some((finished.stderr, results)))
}

fn opened(results: &Results) -> Result<u64> {
    results.json()["run"]["connections_opened"].as_u64().context("connections are counted")
}

fn check(name: &str, door: &Door, reason: &str) -> Result<()> {
    in_work_folder(name, |folder| {
        let Some((_, kept)) = fuzz(folder, door, "--replacements=tcp")? else { return Ok(()) };
        let failed = kept.json()["operations"].to_string().contains("\"500\"");
        assert!(failed, "there are errors");
        assert_eq!((opened(&kept)?, kept.json()["run"]["connections_closed"].to_string().as_str()), (1, "{}"));
        let (summary, plain) = fuzz(folder, door, "--no-replacements")?.context("it was built before")?;
        assert!(opened(&plain)? > 10, "{}", plain.json()["run"]);
        assert!(summary.contains("the service closed ") && summary.contains(reason), "{summary}");
        Ok(())
    })
}

#[test]
fn tomcat_keeps_a_connection_after_errors_and_many_requests() -> Result<()> {
    check("keep-alive-tomcat", &TOMCAT_9, "connections, after answers with ")
}

#[test]
fn jetty_keeps_a_connection_after_an_exception() -> Result<()> {
    check("keep-alive-jetty", &JETTY_9_3, "connections, ")
}

#[test]
fn grizzly_keeps_a_connection_after_errors_and_many_requests() -> Result<()> {
    check("keep-alive-grizzly", &GRIZZLY, "connections, after answers with ")
}
