//! `restive explain` on the results of real runs: what was reached, what was not and why, and by what inputs were
//! specialised.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_e2e::process::{Finished, run as run_process};
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, SEEDS};
use serde_json::Value;

const ZOO: &str = "apps/flag-zoo/src/org/example/zoo";

/// The folder of the zoo's sources.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(ZOO)
}

/// The compiled zoo; none when there is no JDK.
fn compiled(folder: &Path) -> Result<Option<PathBuf>> {
    if !available(&["java", "javac"])? {
        return Ok(None);
    }
    let classes = folder.join("classes");
    let mut command = Command::new("javac");
    command.arg("-d").arg(&classes);
    for entry in fs::read_dir(sources())? {
        command.arg(entry?.path());
    }
    let finished = run_process(&mut command, folder, "javac", Duration::from_mins(2))?;
    ensure!(finished.code == Some(0), "javac failed:\n{}", finished.stderr);
    Ok(Some(classes))
}

/// The number of the only line of `Zoo.java` with `text`.
fn line(text: &str) -> Result<usize> {
    let source = fs::read_to_string(sources().join("Zoo.java"))?;
    let mut lines = source.lines().enumerate().filter(|(_, line)| line.contains(text)).map(|(idx, _)| idx + 1);
    let first = lines.next().with_context(|| format!("no line has `{text}`"))?;
    ensure!(lines.next().is_none(), "several lines have `{text}`");
    Ok(first)
}

/// Runs two cages of the zoo.
fn fuzz(folder: &Path, classes: &Path, seed: &str) -> Result<Results> {
    let classes = classes.to_str().context("the work folder is text")?;
    let java = format!("java -Dsun.net.httpserver.nodelay=true -cp {classes} org.example.zoo.Main {{port}}");
    let args = ["fuzz", "--command", &java, "--schema", "http://127.0.0.1:{port}/openapi.json", "--overwrite"];
    let cages = ["--packages", "org.example.zoo", "--include", "/contains", "--include", "/ownEquals"];
    let budget = ["--budget", "400 calls", "--rng-seed", seed];
    Ok(Restive::new(folder, [&args[..], &cages, &budget].concat())?.run_with_results()?.1)
}

fn explain(folder: &Path, args: &[&str]) -> Result<Finished> {
    Restive::new(folder, [&["explain", "out"], args].concat())?.run()
}

fn explain_json(folder: &Path, target: &str) -> Result<Value> {
    let finished = explain(folder, &[target, "--json"])?.success()?;
    serde_json::from_str(&finished.stdout).with_context(|| finished.stdout.clone())
}

/// The members of a list.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The one of `targets` with that name.
fn target_of<'a>(answer: &'a Value, name: &str) -> Result<&'a Value> {
    list(&answer["targets"]).iter().find(|it| it["name"] == name).with_context(|| format!("no {name} in {answer:#}"))
}

#[test]
fn reached_and_not_reached_targets_and_specialised_inputs_are_explained() -> Result<()> {
    in_work_folder("explain-zoo", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        for seed in SEEDS {
            let results = fuzz(folder, &classes, seed)?;
            assert_hints_travel_once(&results);
            assert_explains_what_cannot_be_reached(folder)?;
            assert_errors_say_what_to_do(folder)?;
            if explains_what_a_hint_reached(folder)? {
                return Ok(());
            }
        }
        panic!("the hint was used in none of the runs");
    })
}

fn assert_hints_travel_once(results: &Results) {
    let hints = &results.json()["run"]["hints"];
    let bytes = &hints["bytes_per_call"];
    let number = |name: &str| bytes[name].as_u64().unwrap_or_default();
    assert_eq!(hints["repeated"], 0, "{hints}");
    assert!(number("calls") > 0 && number("total") > 0 && number("most") <= number("total"), "{hints}");
    assert!(number("median") <= number("p99") && number("p99") <= number("most"), "{hints}");
}

/// An `equals` that is never called with another class, and a method that nobody calls.
fn assert_explains_what_cannot_be_reached(folder: &Path) -> Result<()> {
    let compared = line("other instanceof Name")?;
    let answer = explain_json(folder, &format!("Zoo$Name:{compared}"))?;
    let other_class = target_of(&answer, &format!("branch:org.example.zoo.Zoo$Name:{compared}:0:else"))?;
    assert_eq!((&other_class["is_reached"], &other_class["distance"]), (&false.into(), &1.0.into()), "{other_class:#}");
    assert_eq!(other_class["call"]["operation"], "GET /ownEquals", "{other_class:#}");
    assert!(!list(&other_class["reasons"]).is_empty(), "{other_class:#}");
    let own_class = target_of(&answer, &format!("branch:org.example.zoo.Zoo$Name:{compared}:0:then"))?;
    assert_eq!((&own_class["is_reached"], list(&own_class["reasons"])), (&true.into(), &[][..]), "{own_class:#}");

    let hash = line("return text.hashCode()")?;
    let answer = explain_json(folder, &format!("line:org.example.zoo.Zoo$Name:{hash}"))?;
    let hash = target_of(&answer, &format!("line:org.example.zoo.Zoo$Name:{hash}"))?;
    assert_eq!((&hash["closeness"], &hash["reasons"][0]["reason"]), (&0.0.into(), &"stopped_before".into()), "{hash:#}");
    assert_eq!(hash["reasons"][0]["line"], compared, "{hash:#}");

    let overview = explain(folder, &[])?.success()?.stdout;
    assert!(overview.contains("org.example.zoo.Zoo$Name:") && overview.contains("restive explain out"), "{overview}");
    Ok(())
}

fn assert_errors_say_what_to_do(folder: &Path) -> Result<()> {
    let unknown = explain(folder, &["GET /contians"])?;
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("hint: did you mean `GET /contains`"), "{}", unknown.stderr);
    let foreign = Restive::new(folder, ["explain", "classes"])?.run()?;
    assert_eq!(foreign.code, Some(3), "{}", foreign.stderr);
    assert!(foreign.stderr.contains("holds no results of restive") && foreign.stderr.contains("hint: "), "{}", foreign.stderr);
    Ok(())
}

/// Whether `contains("newt")` was met, and then that the answers say by what.
fn explains_what_a_hint_reached(folder: &Path) -> Result<bool> {
    let operation = explain_json(folder, "GET /contains")?;
    let tests = list(&operation["tests"]);
    // A query that is read as a whole may take it by another name.
    let is_it = |it: &&Value| it["operand"] == "newt" && it["place"] == "query value";
    let told = |test: &&Value| list(&test["specialised"]).iter().any(|it| is_it(&it));
    let Some(test) = tests.iter().find(told) else { return Ok(false) };
    let name = test["name"].as_str().context("a name")?;
    let hint = list(&operation["hints"]).iter().find(|it| it["operand"] == "newt").context("the hint is told")?;
    assert_eq!((&hint["place"], &hint["usage"]), (&"query value".into(), &"contains".into()), "{hint}");
    assert!(hint["taken"].as_u64() > Some(0), "{hint}");
    let explained = explain_json(folder, name)?;
    let input = list(&explained["specialised"]).iter().find(is_it).context("the input is told")?;
    assert!(input["value"].as_str().is_some_and(|value| value.contains("newt")), "{input}");
    let shown = explain(folder, &[name])?.success()?.stdout;
    assert!(shown.contains("query value") && shown.contains("because of contains \"newt\""), "{shown}");
    Ok(true)
}
