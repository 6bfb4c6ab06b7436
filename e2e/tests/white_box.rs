//! What a driver inside the service is good for: the same budget with its guidance and without.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_e2e::process::run as run_process;
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, SEEDS};
use serde_json::Value;

/// The compiled ticket office; none when there is no JDK.
fn compiled(folder: &Path) -> Result<Option<PathBuf>> {
    compiled_app(folder, "apps/jdk-server/src/org/example/tickets")
}

/// The classes of these sources; none when there is no JDK.
fn compiled_app(folder: &Path, sources: &str) -> Result<Option<PathBuf>> {
    if !available(&["java", "javac"])? {
        return Ok(None);
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(sources);
    let classes = folder.join("classes");
    let mut command = Command::new("javac");
    command.arg("-d").arg(&classes);
    for entry in fs::read_dir(&sources).with_context(|| format!("cannot list `{}`", sources.display()))? {
        command.arg(entry?.path());
    }
    let finished = run_process(&mut command, folder, "javac", Duration::from_mins(2))?;
    ensure!(finished.code == Some(0), "javac failed:\n{}", finished.stderr);
    Ok(Some(classes))
}

fn fuzz(folder: &Path, classes: &Path, args: &[&str]) -> Result<(String, Results)> {
    let classes = classes.to_str().context("the work folder is text")?;
    let java = format!("java -Dsun.net.httpserver.nodelay=true -cp {classes} org.example.tickets.Main {{port}}");
    let schema = "http://127.0.0.1:{port}/openapi.json";
    let run = Restive::new(folder, ["fuzz", "--command", &java, "--schema", schema, "--overwrite", "--time-limit", "500ms"])?;
    let (finished, results) = run.args(args.iter().copied()).run_with_results()?;
    Ok((finished.stderr, results))
}

/// How often `operation` gave `status`.
fn count(results: &Results, operation: &str, status: &str) -> u64 {
    let operations = results.json()["operations"].as_array().into_iter().flatten();
    let statuses = operations.filter(|it| it["id"] == operation).map(|it| it["statuses"][status].as_u64().unwrap_or(0));
    statuses.sum()
}

/// Findings as code and operation with their whole text.
fn findings(results: &Results) -> Vec<(u64, String, &Value)> {
    let findings = results.json()["findings"].as_array().into_iter().flatten();
    findings.map(|it| (it["code"].as_u64().unwrap_or(0), it["operation"].as_str().unwrap_or("").to_owned(), it)).collect()
}

#[test]
fn conditions_on_exact_numbers_are_met_by_guidance() -> Result<()> {
    in_work_folder("white-box-exact", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let operations = ["--include", "/discounts", "--include", "/seats"];
        let mut runs = Vec::new();
        for seed in SEEDS {
            let args = ["--packages", "org.example.tickets", "--budget", "2000 calls", "--rng-seed", seed];
            let args = [&args[..], &operations[..]].concat();
            let (summary, guided) = fuzz(folder, &classes, &args)?;
            let exact = ["GET /discounts", "GET /seats"].map(|operation| count(&guided, operation, "418"));
            runs.push(exact);
            assert!(exact[0] > 0, "one number is met in each run, not so with seed {seed}\n{summary}");
            if exact[1] > 0 {
                return assert_blackbox_reaches_less(folder, &classes, &args, &guided);
            }
        }
        panic!("two numbers at once were met in none of these runs: {runs:?}");
    })
}

/// That the same run without guidance covers fewer branches.
fn assert_blackbox_reaches_less(folder: &Path, classes: &Path, args: &[&str], guided: &Results) -> Result<()> {
    let (_, unguided) = fuzz(folder, classes, &[args, &["--blackbox"]].concat())?;
    let (with, without) = (guided.measured("branches", "covered"), unguided.measured("branches", "covered"));
    println!("branches: {with} guided, {without} not");
    assert!(without > 0 && with > without, "{with} {without}");
    Ok(())
}

/// Fuzzes these cages of the flag zoo.
fn fuzz_zoo(folder: &Path, classes: &Path, cages: &[&str], args: &[&str]) -> Result<Results> {
    let classes = classes.to_str().context("the work folder is text")?;
    let java = format!("java -Dsun.net.httpserver.nodelay=true -cp {classes} org.example.zoo.Main {{port}}");
    let includes: Vec<String> = cages.iter().flat_map(|cage| ["--include".to_owned(), format!("/{cage}")]).collect();
    let all = ["fuzz", "--command", &java, "--schema", "http://127.0.0.1:{port}/openapi.json", "--overwrite"];
    let all = all.into_iter().chain(["--packages", "org.example.zoo", "--suite=false"]).chain(args.iter().copied());
    let all = all.chain(includes.iter().map(String::as_str));
    Ok(Restive::new(folder, all)?.run_with_results()?.1)
}

/// The cages whose hidden sides were met.
fn met_of<'c>(cages: &[&'c str], results: &Results) -> Vec<&'c str> {
    cages.iter().copied().filter(|cage| count(results, &format!("GET /{cage}"), "418") > 0).collect()
}

/// Cages of the flag zoo whose hidden sides are demanded: texts, parsers, collections, booleans of methods, streams.
const CAGES: [&str; 8] =
    ["equals", "endsWith", "localDate", "listContains", "ownEquals", "nested", "integerEquals", "noneMatch"];

#[test]
fn hidden_sides_of_library_calls_are_met_by_their_distances() -> Result<()> {
    in_work_folder("white-box-zoo", |folder| {
        let Some(classes) = compiled_app(folder, "apps/flag-zoo/src/org/example/zoo")? else { return Ok(()) };
        let met = |seed: &str, further: &[&str]| -> Result<Vec<&str>> {
            // What is compared with what is of no use here.
            let args = [&["--budget", "8000 calls", "--rng-seed", seed, "--no-taint"], further].concat();
            let results = fuzz_zoo(folder, &classes, &CAGES, &args)?;
            Ok(met_of(&CAGES, &results))
        };
        let mut all = BTreeSet::new();
        for seed in SEEDS {
            all.extend(met(seed, &[])?);
            if all.len() == CAGES.len() {
                break;
            }
        }
        assert_eq!(all, CAGES.into(), "what was met");
        let without = met("1", &["--no-replacements"])?;
        assert!(without.len() < CAGES.len(), "their distances are of no use: {without:?}");
        Ok(())
    })
}

/// Cages of the flag zoo whose hidden sides are told by what is done with a value: each of them in the first calls.
const TOLD: [&str; 12] = [
    "equalsIgnoreCase",
    "contentEquals",
    "contains",
    "find",
    "parseDouble",
    "localDate",
    "localTime",
    "formatter",
    "uuid",
    "enumValueOf",
    "setContains",
    "methodReference",
];

#[test]
fn what_is_done_with_a_value_is_tried_at_once() -> Result<()> {
    in_work_folder("white-box-tracking", |folder| {
        let Some(classes) = compiled_app(folder, "apps/flag-zoo/src/org/example/zoo")? else { return Ok(()) };
        let run = |seed: &str, further: &[&str]| {
            fuzz_zoo(folder, &classes, &TOLD, &[&["--budget", "600 calls", "--rng-seed", seed], further].concat())
        };
        let mut all = BTreeSet::new();
        for seed in SEEDS {
            let results = run(seed, &[])?;
            let hints = &results.json()["run"]["hints"];
            assert!(hints["arrived"]["equals"].as_u64() > Some(0) && hints["inputs"].as_u64() > Some(0), "{hints}");
            all.extend(met_of(&TOLD, &results));
            if all.len() == TOLD.len() {
                break;
            }
        }
        assert_eq!(all, TOLD.into(), "what was met");
        let untold = run("1", &["--tracking", "off"])?;
        assert_eq!(untold.json()["run"]["hints"]["arrived"], serde_json::json!({}));
        let met = met_of(&TOLD, &untold);
        assert!(met.len() < TOLD.len(), "tracking is of no use: {met:?}");
        Ok(())
    })
}

#[test]
fn exceptions_and_exits_are_findings_with_their_statements() -> Result<()> {
    in_work_folder("white-box", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let operations = ["--include", "/shares", "--include", "/closing"];
        let args = ["--packages", "org.example.tickets", "--budget", "3000 calls", "--rng-seed", "1"];
        let (summary, guided) = fuzz(folder, &classes, &[&args[..], &operations[..]].concat())?;
        let findings = findings(&guided);
        let found = |code: u64, operation: &str| findings.iter().find(|it| it.0 == code && it.1 == operation).map(|it| it.2);
        let fault = found(100, "GET /shares").context("the division is found")?;
        assert!(fault["message"].as_str().is_some_and(|text| text.contains("org.example.tickets.Office:")), "{fault}");
        assert!(fault["exceptions"].to_string().contains("java.lang.ArithmeticException"), "{fault}");
        assert!(found(904, "GET /closing").is_some(), "the exit is found\n{summary}");
        assert_eq!(guided.json()["run"]["sut_restarts"], 0, "an exit that is stopped ends nothing");
        Ok(())
    })
}

#[test]
fn a_loop_that_never_ends_is_ended_inside_the_service() -> Result<()> {
    in_work_folder("white-box-loops", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let args = ["--packages", "org.example.tickets", "--include", "/loops", "--budget", "500 calls", "--rng-seed", "1"];
        let (summary, results) = fuzz(folder, &classes, &args)?;
        let late = findings(&results).into_iter().any(|(code, operation, _)| code == 902 && operation == "GET /loops");
        assert!(late, "the loop is found\n{summary}");
        assert!(count(&results, "GET /loops", "200") > 20, "calls after it are answered\n{summary}");
        Ok(())
    })
}

#[test]
fn packages_that_hold_nothing_are_an_error_that_names_what_was_loaded() -> Result<()> {
    in_work_folder("white-box-packages", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let classes = classes.to_str().context("the work folder is text")?;
        let java = format!("java -cp {classes} org.example.tickets.Main {{port}}");
        let schema = "http://127.0.0.1:{port}/openapi.json";
        let args = ["fuzz", "--command", &java, "--schema", schema, "--packages", "com.acme", "--budget", "10 calls"];
        let finished = Restive::new(folder, args)?.run()?;
        assert_eq!(finished.code, Some(3), "{}", finished.stderr);
        for word in ["com.acme", "org.example.tickets", "--packages"] {
            assert!(finished.stderr.contains(word), "`{word}` is wanted in\n{}", finished.stderr);
        }
        Ok(())
    })
}

#[test]
fn without_the_agent_the_same_service_is_fuzzed_from_outside() -> Result<()> {
    in_work_folder("white-box-off", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let args = ["--agent=false", "--exclude", "/loops", "--exclude", "/closing", "--budget", "200 calls"];
        let (_, results) = fuzz(folder, &classes, &args)?;
        assert_eq!(results.json()["coverage"]["driver"], Value::Null);
        Ok(())
    })
}
