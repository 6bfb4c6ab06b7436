//! The services of `apps/` that are built with a framework: their jar and nothing else leads to what is planted in them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use restive_e2e::apps::{App, CLINIC, GARDEN, PAPER_2, PAPER_3, PARCELS, TOLL};
use restive_e2e::process::{Service, free_port};
use restive_e2e::suites::{Frame, execute, pass_three_times};
use restive_e2e::work::{files_with, in_work_folder};
use restive_e2e::{FoundFault, Restive, Results, SEEDS};
use serde_json::Value;

/// Far more than a run takes, also on a machine that has other work.
const LIMIT: Duration = Duration::from_mins(15);

/// A run on a jar, with further arguments, until one of the seeds `found` what is wanted; gives the console output of the
/// last one too.
fn fuzz(folder: &Path, jar: &Path, args: &[&str], found: impl Fn(&Results) -> bool) -> Result<(String, Results)> {
    let jar = jar.to_str().context("the path is text")?;
    let run = |rng_seed: &str| -> Result<(String, Results)> {
        let run = Restive::new(folder, ["fuzz", "--overwrite", "--jar", jar, "--rng-seed", rng_seed])?;
        let (finished, results) = run.args(args.iter().copied()).limit(LIMIT).run_with_results()?;
        assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
        Ok((format!("{}{}", finished.stderr, finished.stdout), results))
    };
    let mut last = run(SEEDS[0])?;
    for rng_seed in &SEEDS[1..] {
        if found(&last.1) {
            break;
        }
        println!("another seed: {rng_seed}");
        last = run(rng_seed)?;
    }
    Ok(last)
}

/// Whether an operation failed in each of these statements.
fn fails<'a>(operation: &'a str, statements: &'a [String]) -> impl Fn(&Results) -> bool + 'a {
    move |results| {
        let failures = results.failures_of(operation);
        statements.iter().all(|statement| failures.contains_key(statement))
    }
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
        // The same exception with the same message, at one operation: only the statement tells the faults apart.
        let divisions = ["(900 + grams / 10) / pieces", "(400 + grams / 50) / pieces"];
        let divisions = divisions.map(|text| PARCELS.statement("Tariff", "Tariff", text));
        let divisions = divisions.into_iter().collect::<Result<Vec<_>>>()?;
        let found = |results: &Results| fails("GET /quotes", &divisions)(results) && results.operations_with(2).len() >= 8;
        let (summary, results) = fuzz(folder, &jar, &["--budget", "1000 calls"], found)?;
        let operations = [
            "GET /depots/{id}",
            "GET /hours",
            "GET /labels/{number}",
            "GET /parcels/{id}",
            "GET /quotes",
            "POST /consignments",
            "POST /depots",
            "POST /parcels",
            "POST /parcels/{id}/pickup",
            "POST /weighings",
        ];
        assert_found_out(&PARCELS, &inspected(folder, &jar)?, &summary, &results, &operations);
        assert_failed(&results.failures_of("GET /quotes"), &divisions, "java.lang.ArithmeticException");
        let with_success = results.operations_with(2);
        assert!(with_success.len() >= 8, "{with_success:?}\n{summary}");
        assert_suite_passes(folder, &jar, "SERVER_PORT", "/hours", &results)
    })
}

#[test]
fn one_number_of_four_billion_is_met_in_spring_boot_3() -> Result<()> {
    in_work_folder("spring-boot-3-numbers", |folder| {
        let Some(jar) = built(&PARCELS)? else { return Ok(()) };
        let zone = [PARCELS.statement("Tariff", "Tariff", r#"IllegalStateException("no zone")"#)?];
        let args = ["--include", "/quotes", "--budget", "1000 calls", "--suite=false"];
        let (_, results) = fuzz(folder, &jar, &args, fails("GET /quotes", &zone))?;
        assert_failed(&results.failures_of("GET /quotes"), &zone, "java.lang.IllegalStateException");
        Ok(())
    })
}

#[test]
fn what_another_thread_does_belongs_to_its_request_in_spring_boot_3() -> Result<()> {
    in_work_folder("spring-boot-3-threads", |folder| {
        let Some(jar) = built(&PARCELS)? else { return Ok(()) };
        // Met by guidance, and thrown, by an `@Async` method.
        let label = [PARCELS.statement("LabelPrinter", "LabelPrinter", r#"IllegalStateException("label ""#)?];
        let args = ["--include", "/labels/{number}", "--budget", "1000 calls", "--suite=false"];
        let (summary, results) = fuzz(folder, &jar, &args, fails("GET /labels/{number}", &label))?;
        assert_failed(&results.failures_of("GET /labels/{number}"), &label, "java.lang.IllegalStateException");
        assert_eq!(results.measured("lines", "covered_in_background"), 0, "{summary}");
        Ok(())
    })
}

#[test]
fn a_day_of_february_is_met_in_spring_boot_3() -> Result<()> {
    in_work_folder("spring-boot-3-dates", |folder| {
        let Some(jar) = built(&PARCELS)? else { return Ok(()) };
        let leap_day = [PARCELS.statement("Depots", "Depots", "LocalDate.of(day.getYear() + 1")?];
        let args = ["--include", "/depots", "--include", "/parcels", "--budget", "4000 calls", "--suite=false"];
        let (_, results) = fuzz(folder, &jar, &args, fails("POST /parcels", &leap_day))?;
        assert_failed(&results.failures_of("POST /parcels"), &leap_day, "java.time.DateTimeException");
        Ok(())
    })
}

/// That bodies which fulfil constraints of which the schema says nothing are made by their distances: only then this
/// statement of the operation is come to.
fn assert_constraints_are_met(app: &App, operation: &str, class: &str, text: &str) -> Result<()> {
    in_work_folder(&format!("{}-constraints", app.folder), |folder| {
        let Some(jar) = built(app)? else { return Ok(()) };
        let valid = [app.statement(class, class, text)?];
        let path = operation.trim_start_matches("POST ");
        let args = ["--include", path, "--budget", "6000 calls", "--suite=false"];
        let (_, results) = fuzz(folder, &jar, &args, fails(operation, &valid))?;
        assert_failed(&results.failures_of(operation), &valid, "java.lang.IllegalStateException");
        Ok(())
    })
}

#[test]
fn constraints_that_no_schema_names_are_met_in_spring_boot_3() -> Result<()> {
    assert_constraints_are_met(&PARCELS, "POST /consignments", "ParcelController", "nothing is made of consignments")
}

#[test]
fn a_text_that_no_schema_names_is_met_in_spring_boot_2() -> Result<()> {
    in_work_folder("spring-boot-2-texts", |folder| {
        let Some(jar) = built(&CLINIC)? else { return Ok(()) };
        let code = [CLINIC.statement("Reception", "Reception", "return code.substring(4)")?];
        let args = ["--include", "/treatments/{code}", "--budget", "3000 calls", "--suite=false"];
        let (_, results) = fuzz(folder, &jar, &args, fails("GET /treatments/{code}", &code))?;
        let failures = results.failures_of("GET /treatments/{code}");
        assert_failed(&failures, &code, "java.lang.StringIndexOutOfBoundsException");
        Ok(())
    })
}

#[test]
fn spring_boot_2_below_a_context_path_needs_its_jar_only() -> Result<()> {
    in_work_folder("spring-boot-2", |folder| {
        let Some(jar) = built(&CLINIC)? else { return Ok(()) };
        let later = ["return later.get(0); // this century", "return later.get(0); // the last century"];
        let later = later.map(|text| CLINIC.statement("Reception", "Reception", text));
        let later = later.into_iter().collect::<Result<Vec<_>>>()?;
        let exit = FoundFault::new(904, "PUT /closing/{level}");
        let failing = "GET /patients/{number}/next-appointment";
        let found = |results: &Results| fails(failing, &later)(results) && results.faults().contains(&exit);
        let (summary, results) = fuzz(folder, &jar, &["--budget", "1500 calls"], found)?;
        let operations = [
            "GET /patients/{number}",
            "GET /patients/{number}/next-appointment",
            "GET /treatments/{code}",
            "POST /appointments",
            "POST /patients",
            "PUT /closing/{level}",
        ];
        let told = inspected(folder, &jar)?;
        assert_eq!(told["base_path"]["value"], "/clinic", "{told}");
        assert!(told["java"]["value"] == 8, "{told}");
        assert_found_out(&CLINIC, &told, &summary, &results, &operations);
        assert_failed(&results.failures_of(failing), &later, "java.lang.IndexOutOfBoundsException");
        assert!(results.faults().contains(&exit), "the exit is found\n{summary}");
        assert_eq!(results.json()["run"]["sut_restarts"], 0, "an exit that is stopped ends nothing");
        let calls = files_with(&folder.join("out/suite"), "/closing/112")?;
        assert!(calls.is_empty(), "without the agent it would end the service: {calls:?}");
        Ok(())
    })
}

#[test]
fn kotlin_in_one_jar_needs_that_only() -> Result<()> {
    in_work_folder("kotlin-javalin", |folder| {
        let Some(jar) = built(&GARDEN)? else { return Ok(()) };
        let divisions = ["grams / bed.plants.size", "grams * 2 / ripe.size"];
        let divisions = divisions.map(|text| GARDEN.statement("Garden", "Garden", text));
        let divisions = divisions.into_iter().collect::<Result<Vec<_>>>()?;
        let hang = FoundFault::new(902, "GET /watering");
        let found = |results: &Results| {
            let is_complete = results.operations_with(2).len() == 8 && results.faults().contains(&hang);
            is_complete && fails("GET /beds/{bed}/harvest", &divisions)(results)
        };
        let (summary, results) = fuzz(folder, &jar, &["--budget", "1500 calls", "--time-limit", "1s", "--suite=false"], found)?;
        let operations = [
            "DELETE /beds/{bed}",
            "GET /beds/{bed}",
            "GET /beds/{bed}/harvest",
            "GET /forecast",
            "GET /sunrise",
            "GET /watering",
            "POST /beds",
            "POST /beds/{bed}/plants",
        ];
        assert_found_out(&GARDEN, &inspected(folder, &jar)?, &summary, &results, &operations);
        assert_failed(&results.failures_of("GET /beds/{bed}/harvest"), &divisions, "java.lang.ArithmeticException");
        // The loop is found, and ended inside: calls after it are answered.
        assert!(results.faults().contains(&hang), "{summary}");
        assert_eq!(
            (results.operations_with(2).len(), &results.json()["run"]["sut_restarts"]),
            (8, &Value::from(0)),
            "{summary}"
        );
        Ok(())
    })
}

#[test]
fn what_an_executor_does_belongs_to_its_request_in_kotlin() -> Result<()> {
    in_work_folder("kotlin-javalin-threads", |folder| {
        let Some(jar) = built(&GARDEN)? else { return Ok(()) };
        let station = [GARDEN.statement("Sky", "Forecast$Companion", "the weather station there")?];
        let args = ["--include", "/forecast", "--budget", "1000 calls", "--suite=false"];
        let (_, results) = fuzz(folder, &jar, &args, fails("GET /forecast", &station))?;
        assert_failed(&results.failures_of("GET /forecast"), &station, "java.lang.IllegalStateException");
        Ok(())
    })
}

#[test]
fn what_a_coroutine_does_belongs_to_its_request_in_kotlin() -> Result<()> {
    in_work_folder("kotlin-javalin-coroutines", |folder| {
        let Some(jar) = built(&GARDEN)? else { return Ok(()) };
        let almanac = [GARDEN.statement("Almanac", "Almanac", "a page is missing")?];
        let args = ["--include", "/sunrise", "--budget", "1000 calls", "--suite=false"];
        let (_, results) = fuzz(folder, &jar, &args, fails("GET /sunrise", &almanac))?;
        assert_failed(&results.failures_of("GET /sunrise"), &almanac, "java.lang.IllegalStateException");
        Ok(())
    })
}

#[test]
fn micronaut_in_a_thin_jar_needs_that_only() -> Result<()> {
    in_work_folder("micronaut", |folder| {
        let Some(jar) = built(&TOLL)? else { return Ok(()) };
        let included = ["--include", "/vehicles", "--include", "/trips", "--include", "/vehicles/{id}/bill"];
        let divisions = ["vehicle.weight() / vehicle.axles()", "4_000 / vehicle.axles()"];
        let divisions = divisions.map(|text| TOLL.statement("Road", "Road", text));
        let divisions = divisions.into_iter().collect::<Result<Vec<_>>>()?;
        let args = [&included[..], &["--budget", "4000 calls", "--suite=false"]].concat();
        // Each of the two wants a vehicle of its own kind without axles, so that one run may find one and another the other.
        let seen = RefCell::new(BTreeMap::new());
        let see = |results: &Results| {
            seen.borrow_mut().extend(results.failures_of("POST /trips"));
            divisions.iter().all(|division| seen.borrow().contains_key(division))
        };
        let (summary, results) = fuzz(folder, &jar, &args, see)?;
        see(&results);
        let operations =
            ["GET /cameras", "GET /fines", "GET /vehicles/{id}", "GET /vehicles/{id}/bill", "POST /trips", "POST /vehicles"];
        assert_found_out(&TOLL, &inspected(folder, &jar)?, &summary, &results, &operations);
        assert_failed(&seen.borrow(), &divisions, "java.lang.ArithmeticException");
        Ok(())
    })
}

#[test]
fn what_an_executor_does_belongs_to_its_request_in_micronaut() -> Result<()> {
    in_work_folder("micronaut-threads", |folder| {
        let Some(jar) = built(&TOLL)? else { return Ok(()) };
        let camera = [TOLL.statement("Cameras", "Cameras", "no camera")?];
        let args = ["--include", "/cameras", "--budget", "1000 calls", "--suite=false"];
        let (_, results) = fuzz(folder, &jar, &args, fails("GET /cameras", &camera))?;
        assert_failed(&results.failures_of("GET /cameras"), &camera, "java.lang.IllegalStateException");
        Ok(())
    })
}

/// Covered branches of a class of the app, and all.
fn branches_of(app: &App, class: &str, results: &Results) -> [u64; 2] {
    let name = format!("{}.{class}", app.package.trim_end_matches('.'));
    ["covered", "total"].map(|count| results.measured_of(&name, "branches", count))
}

/// A day of a year, a number and a text of a list, all three sent as texts.
fn assert_triple_is_met(app: &App, args: &[&str]) -> Result<()> {
    in_work_folder(app.folder, |folder| {
        let Some(jar) = built(app)? else { return Ok(()) };
        let sides = |results: &Results| branches_of(app, "TripleController", results);
        let is_met = |results: &Results| sides(results) == [6, 6];
        let args = [&["--include", "/triples/*", "--suite=false"], args].concat();
        let (summary, results) = fuzz(folder, &jar, &args, is_met)?;
        assert!(is_met(&results), "{:?}\n{summary}", sides(&results));
        Ok(())
    })
}

#[test]
fn the_date_number_and_list_of_the_paper_are_met_by_distances_in_spring_boot_2() -> Result<()> {
    assert_triple_is_met(&PAPER_2, &["--budget", "8000 calls", "--no-taint"])
}

#[test]
fn the_date_number_and_list_of_the_paper_are_met_by_tracking_in_spring_boot_3() -> Result<()> {
    assert_triple_is_met(&PAPER_3, &["--budget", "2000 calls"])
}

/// Parameters, header fields, cookies and bodies that the service reads and no schema names lead to its `OK`s, and both suites
/// show them.
fn assert_unnamed_inputs_are_met(app: &App) -> Result<()> {
    in_work_folder(&format!("{}-inputs", app.folder), |folder| {
        let Some(jar) = built(app)? else { return Ok(()) };
        let sides = |results: &Results| {
            ["ParameterController", "HeaderController", "BodyController"].map(|class| branches_of(app, class, results))
        };
        let is_met = |results: &Results| sides(results).iter().all(|[covered, total]| covered == total && *total > 0);
        let (summary, results) = fuzz(folder, &jar, &["--budget", "2000 calls"], is_met)?;
        assert!(is_met(&results), "{:?}\n{summary}", sides(&results));
        let found = &results.json()["run"]["expansions"]["found"];
        let at_least = |place: &str| found[place].as_u64().unwrap_or_default();
        assert!(at_least("query") >= 1 && at_least("header") >= 1 && at_least("cookie") >= 1, "{found}");
        assert_eq!(at_least("body"), 2, "{found}");
        for sent in ["param=FOO", "turbo", "flavour=vanilla"] {
            assert!(!files_with(&folder.join("out/suite"), sent)?.is_empty(), "{sent}\n{summary}");
        }
        let port = free_port()?;
        let mut command = Command::new("java");
        command.arg("-jar").arg(&jar).env("SERVER_PORT", port.to_string()).current_dir(folder);
        let service = Service::start(&mut command, folder, "service", port, "/headers")?;
        pass_three_times(&folder.join("out"), results.n_tests(), &[("RESTIVE_BASE_URL", &service.url())])
    })
}

#[test]
fn inputs_that_no_schema_names_are_met_in_spring_boot_2() -> Result<()> {
    assert_unnamed_inputs_are_met(&PAPER_2)
}

#[test]
fn inputs_that_no_schema_names_are_met_in_spring_boot_3() -> Result<()> {
    assert_unnamed_inputs_are_met(&PAPER_3)
}
