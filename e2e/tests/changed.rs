//! `--changed-since`: operations that work with what changed in a git checkout come first, and the results say how much of
//! it was executed.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_e2e::apps::PARCELS;
use restive_e2e::http::get;
use restive_e2e::process::{Service, free_port, run as run_process};
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, binary};
use serde_json::{Value, json};

const TARIFF: &str = "src/Tariff.java";

fn git(folder: &Path, words: &[&str]) -> Result<()> {
    let mut git = Command::new("git");
    // Never the repository of this checkout, which is around the folder.
    git.current_dir(folder)
        .env("GIT_CEILING_DIRECTORIES", folder.parent().context("a folder above")?)
        .args(["-c", "user.name=e2e", "-c", "user.email=e2e@example.invalid"])
        .args(words);
    let finished = run_process(&mut git, folder, "git", Duration::from_mins(1))?;
    ensure!(finished.code == Some(0), "git {words:?}: {}", finished.stderr);
    Ok(())
}

/// A repository with the sources of the parcels, all committed.
fn checkout(folder: &Path) -> Result<()> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("apps/spring-boot-3/src/main/java/org/example/parcels");
    fs::create_dir(folder.join("src"))?;
    for entry in fs::read_dir(package)? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join("src").join(entry.file_name()))?;
    }
    git(folder, &["init", "--quiet", "--initial-branch", "main"])?;
    git(folder, &["add", "src"])?;
    git(folder, &["commit", "--quiet", "--message", "all"])
}

/// Writes something behind the only line of a source with `text`; the line's number.
fn change(folder: &Path, path: &str, text: &str) -> Result<usize> {
    let source = fs::read_to_string(folder.join(path))?;
    let number = source.lines().position(|line| line.contains(text)).with_context(|| format!("no line has `{text}`"))? + 1;
    ensure!(source.matches(text).count() == 1, "several lines have `{text}`");
    fs::write(folder.join(path), source.replace(text, &format!("{text} // changed")))?;
    Ok(number)
}

fn fuzz(folder: &Path, jar: &Path, more: &[&str]) -> Result<Results> {
    fuzz_with((folder, jar), "1", more)
}

fn fuzz_with((folder, jar): (&Path, &Path), rng_seed: &str, more: &[&str]) -> Result<Results> {
    let jar = jar.to_str().context("the jar's path is text")?;
    let args = ["fuzz", "--jar", jar, "--rng-seed", rng_seed, "--overwrite"];
    Ok(Restive::new(folder, [&args[..], more].concat())?.run_with_results()?.1)
}

fn calls_of(results: &Results, id: &str) -> u64 {
    let operations = results.json()["operations"].as_array().into_iter().flatten();
    let of_it = operations.filter(|operation| operation["id"] == id).filter_map(|operation| operation["statuses"].as_object());
    of_it.flat_map(|statuses| statuses.values()).filter_map(Value::as_u64).sum()
}

#[test]
fn what_works_with_a_changed_class_is_called_most_and_its_lines_are_told() -> Result<()> {
    in_work_folder("changed-since", |folder| {
        if !available(&["git"])? {
            return Ok(());
        }
        let Some(jar) = PARCELS.build()? else { return Ok(()) };
        checkout(folder)?;
        let line = change(folder, TARIFF, "String zone = zone(kilometres);")?;
        let unreached = change(folder, TARIFF, "throw new IllegalStateException(\"no zone\");")?;
        fs::write(folder.join("README.md"), "Parcels\n")?;
        let before = fuzz(folder, &jar, &["--budget", "300 calls", "--suite=false"])?;
        ensure!(before.json().get("changes").is_none(), "nobody asked: {}", before.json()["changes"]);

        // Until a call comes into the changed class nobody knows which operation works with it, which is soon or late by luck.
        let mut wanted = 0;
        let mut results = Vec::new();
        for rng_seed in ["1", "2", "3"] {
            let more = ["--budget", "300 calls", "--changed-since", "main", "--suite=false"];
            let result = fuzz_with((folder, &jar), rng_seed, &more)?;
            let (changes, calls) = (&result.json()["changes"], calls_of(&result, "GET /quotes"));
            // Neither the controller that serves it nor any other class but this one changed.
            ensure!(changes["operations"] == json!(["GET /quotes"]), "{changes:#}");
            ensure!(changes["calls"] == calls, "{changes:#}");
            wanted += calls;
            results.push(result);
        }
        let usual = calls_of(&before, "GET /quotes");
        println!("GET /quotes: {usual} calls of 300, {wanted} of 900 with --changed-since");
        ensure!(wanted >= 360 && wanted >= 6 * usual, "{wanted} calls of three runs, {usual} of one without");
        let changes = &results[0].json()["changes"];
        let file = &changes["files"][0];
        ensure!(file["path"] == TARIFF && changes["files"].as_array().is_some_and(|it| it.len() == 1), "{changes:#}");
        ensure!(changes["other_files"].as_u64() >= Some(1), "README.md: {changes:#}");
        let told = format!("{}", file["reached_lines"]) + &format!("{}", file["missed_lines"]);
        ensure!(told.contains(&line.to_string()) && told.contains(&unreached.to_string()), "{file:#}");
        ensure!(file["reached_lines"].as_str().is_some_and(|it| it.contains(&line.to_string())), "{file:#}");
        ensure!(changes["lines"]["total"] == 2, "{changes:#}");
        Ok(())
    })
}

#[test]
fn a_changed_controller_is_known_before_any_call_and_the_page_tells() -> Result<()> {
    in_work_folder("changed-controller", |folder| {
        if !available(&["git"])? {
            return Ok(());
        }
        let Some(jar) = PARCELS.build()? else { return Ok(()) };
        checkout(folder)?;
        change(folder, "src/ParcelController.java", "return new Hours(8, 18);")?;
        let results = fuzz(folder, &jar, &["--changed-since", "HEAD", "--budget", "20 calls"])?;
        let changes = &results.json()["changes"];
        let called = results.operations();
        let known = changes["operations"].as_array().map_or(0, Vec::len);
        ensure!(known >= 10 && known <= called.len(), "{known} of {called:?}: {changes:#}");
        let page = fs::read_to_string(folder.join("out/report.html"))?;
        ensure!(page.contains("ParcelController.java"), "the page does not say what changed");
        Ok(())
    })
}

#[test]
fn operations_that_a_document_describes_otherwise_are_called_most_without_a_driver() -> Result<()> {
    in_work_folder("changed-schema", |folder| {
        if !available(&["git"])? {
            return Ok(());
        }
        let port = free_port()?;
        let mut command = Command::new(binary()?);
        command.args(["demo-service", "--port", &port.to_string()]);
        let service = Service::start(&mut command, folder, "demo", port, "/openapi.json")?;
        let mut document: Value = serde_json::from_slice(&get(port, "/openapi.json")?.body)?;
        let shared = document["components"].take();
        let write = |document: &Value, shared: &Value| -> Result<()> {
            let elsewhere = document.to_string().replace("\"#/components/", "\"../shared.json#/");
            fs::create_dir_all(folder.join("api"))?;
            fs::write(folder.join("api/openapi.json"), elsewhere)?;
            Ok(fs::write(folder.join("shared.json"), shared.to_string().replace("\"#/components/", "\"#/"))?)
        };
        document.as_object_mut().context("an object")?.remove("components");
        write(&document, &shared)?;
        git(folder, &["init", "--quiet", "--initial-branch", "main"])?;
        git(folder, &["add", "api", "shared.json"])?;
        git(folder, &["commit", "--quiet", "--message", "all"])?;
        let url = service.url();
        let fuzz = |more: &[&str]| -> Result<_> {
            let args = ["fuzz", "--url", &url, "--schema", "api/openapi.json", "--budget", "300 calls", "--rng-seed", "1"];
            Restive::new(folder, [&args[..], &["--overwrite", "--suite=false"], more].concat())?.run_with_results()
        };
        let (told, unchanged) = fuzz(&["--changed-since", "main"])?;
        ensure!(told.stderr.contains("no source files; everything is called alike"), "{}", told.stderr);
        ensure!(!told.stderr.contains("warning"), "{}", told.stderr);
        ensure!(unchanged.json()["changes"]["operations"] == json!([]), "{:#}", unchanged.json()["changes"]);

        let paths = document["paths"].as_object_mut().context("paths")?;
        let (path, item) = paths.iter_mut().find(|(_, item)| item.get("get").is_some()).context("a path with GET")?;
        let id = format!("GET {path}");
        item["get"]["responses"]["418"] = json!({"description": "a teapot"});
        write(&document, &shared)?;
        let (told, results) = fuzz(&["--changed-since", "main"])?;
        ensure!(told.stderr.contains(&format!("what the schema says of {id}, which comes first")), "{}", told.stderr);
        ensure!(!told.stderr.contains("warning: nobody"), "{}", told.stderr);
        let changes = &results.json()["changes"];
        ensure!(changes["operations"] == json!([id]) && changes["described"] == json!([id]), "{changes:#}");
        let (usual, wanted) = (calls_of(&unchanged, &id), calls_of(&results, &id));
        println!("{id}: {usual} calls of 300, {wanted} with its change");
        ensure!(wanted >= 75 && wanted >= 2 * usual, "{wanted} calls, {usual} without");

        fs::write(folder.join("api/openapi.json"), "{")?;
        git(folder, &["commit", "--quiet", "--all", "--message", "broken"])?;
        write(&document, &shared)?;
        let (told, results) = fuzz(&["--changed-since", "main"])?;
        let warning = "what changed in `api/openapi.json` is not known, for as it was it cannot be read";
        ensure!(told.stderr.contains(warning) && !told.stderr.contains(".tmp"), "{}", told.stderr);
        ensure!(results.json()["changes"]["described"] == json!([]), "{:#}", results.json()["changes"]);
        Ok(())
    })
}

#[test]
fn what_git_cannot_tell_ends_the_run_before_the_service_starts() -> Result<()> {
    in_work_folder("changed-nothing", |folder| {
        if !available(&["git"])? {
            return Ok(());
        }
        fs::write(folder.join("openapi.json"), "{}")?;
        git(folder, &["init", "--quiet", "--initial-branch", "main"])?;
        let args = ["fuzz", "--command", "touch started", "--url", "http://127.0.0.1:{port}", "--schema", "openapi.json"];
        let finished = Restive::new(folder, [&args[..], &["--changed-since", "nowhere"]].concat())?.run()?;
        ensure!(finished.code == Some(2), "exit code {:?}: {}", finished.code, finished.stderr);
        for text in ["git knows no revision `nowhere`", "fetch-depth: 0"] {
            ensure!(finished.stderr.contains(text), "no `{text}` in {}", finished.stderr);
        }
        ensure!(!folder.join("started").exists(), "the service was started");
        Ok(())
    })
}
