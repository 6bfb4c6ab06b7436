//! The services of `apps/` that are built with a framework: their jar and nothing else leads to what is planted in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use restive_e2e::apps::{App, PARCELS};
use restive_e2e::process::{Service, free_port};
use restive_e2e::suites::{Frame, execute};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results};
use serde_json::Value;

/// What a run needs besides: it is known by its budget and its seed, and hangs are not waited for long.
const REPEATABLE: [&str; 4] = ["--rng-seed", "1", "--time-limit", "1s"];

/// A run on a jar, with further arguments; gives the console output too.
fn fuzz(folder: &Path, jar: &Path, args: &[&str]) -> Result<(String, Results)> {
    let jar = jar.to_str().context("the path is text")?;
    let run = Restive::new(folder, ["fuzz", "--jar", jar, "--overwrite"])?;
    let (finished, results) = run.args(REPEATABLE).args(args.iter().copied()).run_with_results()?;
    assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
    Ok((format!("{}{}", finished.stderr, finished.stdout), results))
}

/// What `restive sut inspect` tells of a jar.
fn inspected(folder: &Path, jar: &Path) -> Result<Value> {
    let jar = jar.to_str().context("the path is text")?;
    let finished = Restive::new(folder, ["sut", "inspect", "--json", "--jar", jar])?.run()?.success()?;
    Ok(serde_json::from_str(&finished.stdout)?)
}

/// That packages, operations and places were found out as they are, and that nothing else was measured.
fn assert_found_out(app: &App, told: &Value, summary: &str, results: &Results, operations: &[&str]) {
    let packages: Vec<&Value> = told["packages"].as_array().into_iter().flatten().map(|guess| &guess["value"]).collect();
    assert_eq!(packages, [app.package], "{told}");
    let found: Vec<String> = results.operations().into_iter().collect();
    assert_eq!(found, operations, "{summary}");
    let foreign = |class: &String| !class.starts_with(&format!("{}.", app.package)) || class.contains("$$");
    assert_eq!(results.classes().into_iter().filter(foreign).collect::<Vec<_>>(), Vec::<String>::new());
    for kind in ["lines", "branches"] {
        let [covered, total] = ["covered", "total"].map(|count| results.measured(kind, count));
        assert!(0 < covered && covered <= total && total < 400, "{kind}: {covered} of {total}\n{summary}");
    }
    let (covered, at_boot) = (results.measured("lines", "covered"), results.measured("lines", "covered_at_boot"));
    assert!(0 < at_boot && at_boot < covered, "{at_boot} of {covered} lines at boot");
}

/// That an operation failed in each of these statements, with this exception.
#[track_caller]
fn assert_failed(failures: &BTreeMap<String, Vec<String>>, statements: &[String], exception: &str) {
    for statement in statements {
        let types = failures.get(statement);
        assert!(types.is_some_and(|types| types.iter().any(|it| it == exception)), "{statement} in {failures:?}");
    }
}

/// That the written pytest suite passes on the service started anew without restive.
fn assert_suite_passes(folder: &Path, jar: &Path, variable: &str, ready_path: &str, results: &Results) -> Result<()> {
    let port = free_port()?;
    let mut command = Command::new("java");
    command.arg("-jar").arg(jar).env(variable, port.to_string()).current_dir(folder);
    let service = Service::start(&mut command, folder, "service", port, ready_path)?;
    let counts = execute(Frame::Pytest, &folder.join("out"), &[("RESTIVE_BASE_URL", &service.url())])?;
    assert_eq!((counts.failed, counts.tests), (0, results.n_tests()), "{counts:?}");
    Ok(())
}

fn built(app: &App) -> Result<Option<PathBuf>> {
    app.build().with_context(|| format!("cannot build {}", app.folder))
}

#[test]
fn spring_boot_3_needs_its_jar_only() -> Result<()> {
    in_work_folder("spring-boot-3", |folder| {
        let Some(jar) = built(&PARCELS)? else { return Ok(()) };
        let (summary, results) = fuzz(folder, &jar, &["--budget", "1000 calls"])?;
        let operations = [
            "GET /depots/{id}",
            "GET /hours",
            "GET /labels/{number}",
            "GET /parcels/{id}",
            "GET /quotes",
            "POST /depots",
            "POST /parcels",
            "POST /parcels/{id}/pickup",
            "POST /weighings",
        ];
        assert_found_out(&PARCELS, &inspected(folder, &jar)?, &summary, &results, &operations);
        // The same exception with the same message, at one operation: only the statement tells the faults apart.
        let divisions = ["(900 + grams / 10) / pieces", "(400 + grams / 50) / pieces"];
        let divisions = divisions.map(|text| PARCELS.statement("Tariff", "Tariff", text));
        let divisions = divisions.into_iter().collect::<Result<Vec<_>>>()?;
        assert_failed(&results.failures_of("GET /quotes"), &divisions, "java.lang.ArithmeticException");
        let with_success = results.operations_with(2);
        assert!(with_success.len() >= 8, "{with_success:?}\n{summary}");
        assert_suite_passes(folder, &jar, "SERVER_PORT", "/hours", &results)
    })
}

#[test]
fn numbers_are_met_in_spring_boot_3_on_threads_of_requests_and_others() -> Result<()> {
    in_work_folder("spring-boot-3-numbers", |folder| {
        let Some(jar) = built(&PARCELS)? else { return Ok(()) };
        let args = ["--include", "/labels/{number}", "--include", "/quotes", "--budget", "5000 calls"];
        let (summary, results) = fuzz(folder, &jar, &args)?;
        let (zone, label) = (r#"IllegalStateException("no zone")"#, r#"IllegalStateException("label ""#);
        let zone = PARCELS.statement("Tariff", "Tariff", zone)?;
        assert_failed(&results.failures_of("GET /quotes"), &[zone], "java.lang.IllegalStateException");
        // Thrown by an `@Async` method in another thread than the request's.
        let label = PARCELS.statement("LabelPrinter", "LabelPrinter", label)?;
        assert_failed(&results.failures_of("GET /labels/{number}"), &[label], "java.lang.IllegalStateException");
        assert_eq!(results.measured("lines", "covered_in_background"), 0, "{summary}");
        Ok(())
    })
}

#[test]
fn dates_and_texts_are_met_in_spring_boot_3() -> Result<()> {
    in_work_folder("spring-boot-3-dates", |folder| {
        let Some(jar) = built(&PARCELS)? else { return Ok(()) };
        let operations = ["--include", "/depots", "--include", "/parcels", "--include", "/parcels/{id}/pickup"];
        let (_, results) = fuzz(folder, &jar, &[&operations[..], &["--budget", "5000 calls"]].concat())?;
        let leap_day = PARCELS.statement("Depots", "Depots", "LocalDate.of(day.getYear() + 1")?;
        assert_failed(&results.failures_of("POST /parcels"), &[leap_day], "java.time.DateTimeException");
        let tram = PARCELS.statement("Depots", "Depots", r#"IllegalStateException("no stops")"#)?;
        assert_failed(&results.failures_of("POST /parcels/{id}/pickup"), &[tram], "java.lang.IllegalStateException");
        Ok(())
    })
}
