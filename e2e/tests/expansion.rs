//! Inputs that a service reads and no schema names, in each framework that is known: they are found, sent and met.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use restive_e2e::apps::{App, CLINIC, FREIGHT, PARCELS, QUAY, TOLL, UNNAMED};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, SEEDS};
use serde_json::{Map, Value, json};

/// What a run may spend, for each row.
const CALLS_OF_A_ROW: usize = 250;

/// A schema of these operations that names no input of any.
fn document(rows: &[&str]) -> Value {
    let mut paths = Map::new();
    for row in rows {
        let (verb, path) = row.split_once(' ').unwrap_or(("get", row));
        let answer = json!({"description": "whatever it is"});
        let responses = json!({"200": answer, "400": answer, "418": answer});
        paths.insert(path.to_owned(), json!({verb: {"responses": responses}}));
    }
    json!({"openapi": "3.0.3", "info": {"title": "unnamed inputs", "version": "1"}, "paths": paths})
}

/// A schema of these rows whose bodies have an object of which nothing is said.
fn document_with_details(rows: &[&str]) -> Value {
    let mut document = document(rows);
    let body = json!({"type": "object", "required": ["details"], "properties": {"details": {"type": "object"}}});
    for operation in document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        operation["post"]["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": body}}});
    }
    document
}

/// The rows whose hidden side was met.
fn met(rows: &[&str], results: &Results) -> BTreeSet<String> {
    let operations = results.json()["operations"].as_array().into_iter().flatten();
    let is_met = |it: &&Value| it["statuses"]["418"].as_u64() > Some(0);
    let ids = operations.filter(is_met).filter_map(|it| it["id"].as_str()).map(str::to_owned).collect::<BTreeSet<_>>();
    let id = |row: &str| row.split_once(' ').map(|(verb, path)| format!("{} {path}", verb.to_uppercase()));
    rows.iter().filter(|row| id(row).is_some_and(|id| ids.contains(&id))).map(|row| (*row).to_owned()).collect()
}

fn fuzz(folder: &Path, jar: &Path, door: &str, args: &[&str]) -> Result<Results> {
    let jar = jar.to_str().context("the path is text")?;
    let schema = folder.join("schema.json");
    let schema = schema.to_str().context("the path is text")?;
    let all = ["fuzz", "--jar", jar, "--schema", schema, "--overwrite", "--packages", UNNAMED.package, "--suite=false"];
    let all = all.into_iter().chain(args.iter().copied()).chain(["--", door, "{port}"]);
    let (finished, results) = Restive::new(folder, all)?.run_with_results()?;
    assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
    Ok(results)
}

/// That each of these rows of a framework is met by one seed or another, and by none without expansion.
fn assert_all_are_met(door: &str, rows: &[&str]) -> Result<()> {
    assert_are_met_with(door, rows, &document(rows))
}

/// The same with this schema.
fn assert_are_met_with(door: &str, rows: &[&str], document: &Value) -> Result<()> {
    // Several tests may open one door.
    let first = rows.first().map_or("", |row| row.rsplit('/').next().unwrap_or_default());
    in_work_folder(&format!("unnamed-{door}-{first}"), |folder| {
        let Some(jar) = UNNAMED.build()? else { return Ok(()) };
        std::fs::write(folder.join("schema.json"), document.to_string())?;
        let mut all_met = BTreeSet::new();
        let budget = format!("{} calls", CALLS_OF_A_ROW * rows.len());
        for seed in SEEDS {
            let results = fuzz(folder, &jar, door, &["--budget", &budget, "--rng-seed", seed])?;
            all_met.extend(met(rows, &results));
            println!("{door}, seed {seed}: {} of {} rows", all_met.len(), rows.len());
            if all_met.len() == rows.len() {
                break;
            }
        }
        let unmet: Vec<&&str> = rows.iter().filter(|row| !all_met.contains(**row)).collect();
        assert!(unmet.is_empty(), "{door} hides {unmet:?}");
        let without = fuzz(folder, &jar, door, &["--budget", "500 calls", "--rng-seed", "1", "--no-expansion"])?;
        assert_eq!(met(rows, &without), BTreeSet::new(), "what needs no expansion shows nothing");
        Ok(())
    })
}

#[test]
fn the_server_of_the_jdk() -> Result<()> {
    let rows = [
        "get /query",
        "get /query-loop",
        "get /header",
        "get /cookie",
        "post /form",
        "post /text",
        "post /body",
        "post /tree/jackson",
        "post /tree/gson",
        "post /tree/org-json",
    ];
    assert_all_are_met("jdk", &rows)
}

#[test]
fn subtypes_and_constraints() -> Result<()> {
    let rows = [
        "post /subtypes",
        "post /valid",
        "post /beside",
        "post /registered/jackson",
        "post /registered/gson",
        "post /in-array",
        "post /members",
    ];
    assert_all_are_met("jdk", &rows)
}

#[test]
fn keys_that_are_gone_through_or_come_to_by_paths() -> Result<()> {
    let rows = [
        "post /tree/pointer",
        "post /tree/find",
        "post /tree/loop/jackson",
        "post /tree/loop/gson",
        "post /tree/query/org-json",
        "post /tree/value/json-p",
        "post /tree/inner/jackson",
        "post /tree/inner/jackson-3",
        "post /tree/inner/gson",
        "post /tree/jackson-3",
        "post /body/jackson-3",
    ];
    assert_all_are_met("jdk", &rows)
}

#[test]
fn keys_that_a_library_looks_up() -> Result<()> {
    let rows = ["post /tree/library", "post /tree/library/map"];
    assert_are_met_with("jdk", &rows, &document_with_details(&rows))
}

#[test]
fn parts_of_jersey() -> Result<()> {
    let rows = [
        "post /bound/part",
        "post /bound/part/body",
        "post /bound/part/file",
        "post /bound/part/json",
        "post /bound/part/form",
        "post /bound/part/form/number",
        "post /bound/part/form/bean",
        "post /bound/part/entity",
        "post /bound/part/entity/json",
        "post /parts",
        "post /parts/loop",
    ];
    assert_all_are_met("jersey", &rows)
}

/// That these rows of an app that is no door are met by one seed or another, and by none without expansion.
fn assert_rows_are_met(app: &App, rows: &[&str], behind: &[&str]) -> Result<()> {
    in_work_folder(&format!("beans-{}", app.folder), |folder| {
        let Some(jar) = app.build()? else { return Ok(()) };
        let jar = jar.to_str().context("the path is text")?;
        std::fs::write(folder.join("schema.json"), document(rows).to_string())?;
        let calls = format!("{} calls", CALLS_OF_A_ROW * rows.len());
        let fuzz = |seed: &str, more: &[&str]| {
            let all = ["fuzz", "--jar", jar, "--schema", "schema.json", "--overwrite", "--packages", app.package];
            let all = all.into_iter().chain(["--suite=false", "--budget", &calls, "--rng-seed", seed]);
            let all = all.chain(more.iter().copied()).chain(["--"]).chain(behind.iter().copied());
            let (finished, results) = Restive::new(folder, all)?.run_with_results()?;
            assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
            Ok::<_, anyhow::Error>(met(rows, &results))
        };
        let mut all_met = BTreeSet::new();
        for seed in SEEDS {
            all_met.extend(fuzz(seed, &[])?);
            if all_met.len() == rows.len() {
                break;
            }
        }
        assert_eq!(all_met.len(), rows.len(), "{all_met:?}");
        assert_eq!(fuzz("1", &["--no-expansion"])?, BTreeSet::new());
        Ok(())
    })
}

/// What Spring MVC fills from parameters, and reads behind the path.
const OF_SPRING: [&str; 4] = ["get /beans/plain", "post /beans/form", "get /beans/made", "get /beans/matrix/{id}"];

#[test]
fn beans_of_spring_boot_3() -> Result<()> {
    assert_rows_are_met(&PARCELS, &OF_SPRING, &["--spring.profiles.active=beans"])
}

#[test]
fn beans_of_spring_boot_2() -> Result<()> {
    assert_rows_are_met(&CLINIC, &OF_SPRING, &["--spring.profiles.active=beans"])
}

#[test]
fn micronaut() -> Result<()> {
    let rows = [
        "get /passes/bean",
        "get /passes/plain",
        "get /passes/spread",
        "post /passes/body",
        "post /passes/members",
        "get /passes/query",
        "get /passes/header",
        "get /passes/cookie",
    ];
    assert_rows_are_met(&TOLL, &rows, &["-passes=true"])
}

#[test]
fn parts_of_resteasy_6() -> Result<()> {
    let rows = [
        "post /parts/entity",
        "post /parts/file",
        "post /parts/text",
        "post /parts/loop",
        "post /parts/form",
        "post /parts/xml",
    ];
    assert_rows_are_met(&FREIGHT, &rows, &["{port}"])
}

#[test]
fn quarkus_rest() -> Result<()> {
    let rows = [
        "get /query",
        "get /header",
        "get /cookie",
        "get /bound/query",
        "get /bound/rest-query",
        "get /bound/header",
        "get /bound/rest-header",
        "get /bound/cookie",
        "get /bound/rest-cookie",
        "get /bound/matrix",
        "get /bound/rest-matrix",
        "get /bound/bean",
        "post /bound/form",
        "post /bound/rest-form",
        "post /bound/part",
        "post /bound/part/file",
        "post /bound/part/json",
        "post /bound/part/bean",
        "post /bound/part/xml",
        "post /text",
        "post /bound/body",
    ];
    assert_rows_are_met(&QUAY, &rows, &[])
}

#[test]
fn one_library_in_two_class_loaders() -> Result<()> {
    assert_all_are_met("jdk", &["post /once", "post /twice"])
}

#[test]
fn both_namespaces_of_one_framework_in_one_jvm() -> Result<()> {
    let rows = [
        "get /jakarta/query",
        "get /javax/query",
        "get /jakarta/bound/header",
        "get /javax/bound/header",
        "post /jakarta/bound/body",
        "post /javax/bound/body",
    ];
    assert_all_are_met("both", &rows)
}

/// Names of inputs that were found, by operation.
fn found(results: &Results) -> Vec<(String, String)> {
    let inputs = results.json()["run"]["expansions"]["inputs"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    inputs.map(|it| (text(&it["operation"]), format!("{} {}", text(&it["place"]), text(&it["name"])))).collect()
}

#[test]
fn what_was_made_up_or_is_of_an_answer_is_no_input() -> Result<()> {
    in_work_folder("unnamed-none", |folder| {
        let Some(jar) = UNNAMED.build()? else { return Ok(()) };
        for (door, rows, known) in [
            ("webflux", ["get /answer", "get /header"], [("GET /header", "header X-Deck")]),
            ("jdk", ["post /keys", "post /once"], [("POST /once", "body org.example.unnamed.Crate")]),
        ] {
            std::fs::write(folder.join("schema.json"), document(&rows).to_string())?;
            let results = fuzz(folder, &jar, door, &["--budget", "400 calls", "--rng-seed", "1"])?;
            let known = known.map(|(operation, input)| (operation.to_owned(), input.to_owned()));
            let names = |(operation, input): &(String, String)| !(operation == "POST /keys" && input.starts_with("body "));
            let found: Vec<_> = found(&results).into_iter().filter(names).collect();
            assert_eq!(found, known, "{door}");
        }
        Ok(())
    })
}

#[test]
fn a_parameter_of_a_form_is_a_part_of_its_own_name_alone() -> Result<()> {
    in_work_folder("unnamed-parts-of-forms", |folder| {
        let Some(jar) = UNNAMED.build()? else { return Ok(()) };
        for (row, known) in [
            ("post /bound/part/form", "part label"),
            ("post /bound/part/form/number", "part berth"),
            ("post /bound/form", "form sort"),
        ] {
            std::fs::write(folder.join("schema.json"), document(&[row]).to_string())?;
            let results = fuzz(folder, &jar, "jersey", &["--budget", "100 calls", "--rng-seed", "1"])?;
            let inputs: Vec<String> = found(&results).into_iter().map(|(_, input)| input).collect();
            let named: Vec<&String> = inputs.iter().filter(|input| !input.starts_with("wanted ")).collect();
            assert_eq!(named, [known], "{row}");
        }
        Ok(())
    })
}

/// What both implementations of JAX-RS read, but for parts.
const JAX_RS: [&str; 14] = [
    "get /query",
    "get /header",
    "get /cookie",
    "post /form",
    "post /text",
    "post /body",
    "get /bound/query",
    "get /bound/header",
    "get /bound/cookie",
    "post /bound/form",
    "post /bound/body",
    "get /bound/bean",
    "get /matrix",
    "get /bound/matrix",
];

#[test]
fn jersey() -> Result<()> {
    assert_all_are_met("jersey", &JAX_RS)
}

#[test]
fn resteasy() -> Result<()> {
    let parts = ["post /bound/part", "post /parts", "post /parts/named"];
    assert_all_are_met("resteasy", &[&JAX_RS[..], &parts].concat())
}

#[test]
fn javalin() -> Result<()> {
    let rows = [
        "get /query",
        "get /header",
        "get /cookie",
        "post /form",
        "post /part",
        "post /servlet/part",
        "post /text",
        "post /body",
        "post /bound/body",
    ];
    assert_all_are_met("javalin", &rows)
}

#[test]
fn names_and_types_of_files() -> Result<()> {
    assert_all_are_met("javalin", &["post /file/name", "post /file/ending", "post /file/type"])
}

#[test]
fn vertx_web() -> Result<()> {
    let rows = [
        "get /query",
        "get /query-map",
        "get /header",
        "get /cookie",
        "post /form",
        "post /text",
        "post /body",
        "post /bound/body",
        "post /tree/vertx",
    ];
    assert_all_are_met("vertx", &rows)
}

#[test]
fn spring_web_flux() -> Result<()> {
    let rows = [
        "get /query",
        "get /header",
        "get /cookie",
        "post /form",
        "post /part",
        "post /body",
        "get /bound/query",
        "get /bound/header",
        "get /bound/cookie",
        "post /bound/body",
        "get /bound/bean",
        "post /bound/plain",
        "get /bound/matrix/{ship}",
    ];
    assert_all_are_met("webflux", &rows)
}
