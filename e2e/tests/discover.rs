//! Operations that no schema names are asked of the service's framework, and fuzzed like all others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use restive_e2e::apps::{
    App, BAKERY, CLINIC, DEPOT, FERRY, GARDEN, LENDING, MILL, OBSERVATORY, PARCELS, QUAY, STATION, TOLL, UNNAMED,
};
use restive_e2e::process::run;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, SEEDS};

/// Far more than a run takes, also on a machine that has other work.
const LIMIT: Duration = Duration::from_mins(10);

/// A document that names nothing of any service.
const NOTHING: &str =
    r#"{"openapi":"3.0.0","info":{"title":"nothing","version":"1"},"paths":{"/nothing":{"get":{"responses":{}}}}}"#;

/// A service that does nothing but start another.
const SHELL: &str = r"
package com.acme.shell;
public class Shell {
    public static void main(String[] arguments) throws Exception {
        org.example.ferry.Main.main(arguments);
    }
}
";

/// A run with `--discover`; its console output too.
fn discover(folder: &Path, jar: &Path, args: &[&str], behind: &[&str]) -> Result<(String, Results)> {
    fuzz(folder, jar, &[&["--discover"], args].concat(), behind)
}

/// A run; its console output too.
fn fuzz(folder: &Path, jar: &Path, args: &[&str], behind: &[&str]) -> Result<(String, Results)> {
    let jar = jar.to_str().context("the path is text")?;
    let run = Restive::new(folder, ["fuzz", "--overwrite", "--jar", jar])?;
    let run = run.args(args.iter().copied()).args(behind.iter().copied());
    let (finished, results) = run.limit(LIMIT).run_with_results()?;
    assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
    Ok((format!("{}{}", finished.stderr, finished.stdout), results))
}

/// Operations that no schema names, each with what serves it.
fn discovered(results: &Results) -> Vec<(String, String)> {
    let operations = results.json()["operations"].as_array().into_iter().flatten();
    let named = |text: &serde_json::Value| text.as_str().unwrap_or_default().to_owned();
    operations.filter(|it| it.get("discovered").is_some()).map(|it| (named(&it["id"]), named(&it["discovered"]))).collect()
}

/// The statuses with which an operation was answered.
fn statuses(results: &Results, operation: &str) -> BTreeSet<String> {
    let mut operations = results.json()["operations"].as_array().into_iter().flatten();
    let found = operations.find(|it| it["id"] == operation).and_then(|it| it["statuses"].as_object());
    found.into_iter().flat_map(|statuses| statuses.keys().cloned()).collect()
}

#[test]
fn a_service_without_any_schema_is_fuzzed_by_its_routes() -> Result<()> {
    in_work_folder("discover-jersey", |folder| {
        let Some(jar) = FERRY.build()? else { return Ok(()) };
        let full = FERRY.statement("Ferries", "Ferries", r#"IllegalStateException("no room on the upper deck")"#)?;
        for rng_seed in SEEDS {
            let args = ["--budget", "1000 calls", "--rng-seed", rng_seed, "--suite=false"];
            // Nobody has to ask for that.
            let (summary, results) = fuzz(folder, &jar, &args, &["--", "{port}"])?;
            let served = |name: &str| format!("org.example.ferry.{name}");
            let routes = [
                ("GET /ferries", "Ferries.all"),
                ("GET /ferries/{name}", "Ferries.one"),
                ("POST /ferries/{name}/bookings", "Ferries.book"),
                ("DELETE /ferries/{name}/bookings/{plate}", "Ferries.cancel"),
                ("GET /ferries/{name}/engine", "Engine.state"),
                ("PUT /ferries/{name}/engine/settings", "Engine.set"),
                ("PUT /ferries/{name}/engine/speed", "Engine.speed"),
                ("GET /harbour/charts/{chart}", "Office.chart"),
                ("PUT /harbour/log", "Office.log"),
                ("POST /harbour/radio", "Office.radio"),
                ("GET /harbour/sailings", "Office.sailings"),
                ("GET /harbour/tide/{hour}", "Office.tide"),
                ("POST /signals", "Signals.hoist"),
            ];
            let mut wanted = routes.map(|(id, handler)| (id.to_owned(), served(handler)));
            wanted.sort();
            let mut found = discovered(&results);
            found.sort();
            assert_eq!(found, wanted, "{summary}");
            assert_bean_is_known(folder)?;
            assert_a_class_of_the_query_is_a_text(folder)?;
            assert!(summary.contains("schema: none found; routes"), "{summary}");
            // Its body is read into a class, whose fields are known by that alone.
            if results.failures_of("POST /ferries/{name}/bookings").contains_key(&full)
                && results.operations_with(2).len() >= 10
            {
                return Ok(());
            }
            println!("another seed than {rng_seed}");
        }
        panic!("no seed booked too many places")
    })
}

/// A jar with one class that starts the ferries, which are a library to it.
fn shell_of_ferries(folder: &Path, ferry: &Path) -> Result<PathBuf> {
    fs::write(folder.join("Shell.java"), SHELL)?;
    fs::write(folder.join("manifest"), "Main-Class: com.acme.shell.Shell\nClass-Path: ferry.jar\n")?;
    fs::copy(ferry, folder.join("ferry.jar"))?;
    for (program, args) in [
        ("javac", &["-d", "classes", "-cp", "ferry.jar", "Shell.java"][..]),
        ("jar", &["cfm", "shell.jar", "manifest", "-C", "classes", "com"]),
    ] {
        let done = run(Command::new(program).args(args).current_dir(folder), folder, program, LIMIT)?;
        done.success()?;
    }
    Ok(folder.join("shell.jar"))
}

/// What serves everything is what is called and measured, though it is a library of the jar.
#[test]
fn a_service_that_starts_an_engine_is_fuzzed_by_the_routes_of_that() -> Result<()> {
    in_work_folder("discover-engine", |folder| {
        let Some(ferry) = FERRY.build()? else { return Ok(()) };
        let jar = shell_of_ferries(folder, &ferry)?;
        let args = ["--budget", "200 calls", "--rng-seed", "1", "--suite=false"];
        let (summary, results) = fuzz(folder, &jar, &args, &["--", "{port}"])?;
        let told = "packages of the service: org.example.ferry as well (its classes serve 13 routes";
        assert!(summary.contains(told), "{summary}");
        assert_eq!(discovered(&results).len(), 13, "{summary}");
        let classes = results.classes();
        assert!(classes.contains("org.example.ferry.Ferries") && classes.contains("com.acme.shell.Shell"), "{classes:?}");
        // Whoever says whose classes are the service's is taken at their word.
        let named = [&["--packages", "com.acme.shell"], &args[..]].concat();
        let jar = jar.to_str().context("the path is text")?;
        let run = Restive::new(folder, ["fuzz", "--overwrite", "--jar", jar])?.args(named).args(["--", "{port}"]);
        let finished = run.limit(LIMIT).run()?;
        assert!(finished.code == Some(3) && finished.stderr.contains("no schema found"), "{}", finished.stderr);
        Ok(())
    })
}

/// A map of texts is a body of JAX-RS; its keys are those that the service looks up when others have what it wants, and one of
/// them keeps it from looking further.
#[test]
fn keys_of_a_map_are_found_one_behind_the_other() -> Result<()> {
    in_work_folder("discover-jersey-map", |folder| {
        let Some(jar) = FERRY.build()? else { return Ok(()) };
        let settings = "PUT /ferries/{name}/engine/settings";
        let mut met = BTreeSet::new();
        for rng_seed in SEEDS {
            let args = ["--budget", "600 calls", "--rng-seed", rng_seed, "--suite=false", "--include", settings];
            let (_, results) = fuzz(folder, &jar, &args, &["--", "{port}"])?;
            met.extend(statuses(&results, settings));
            if ["202", "204", "409"].iter().all(|status| met.contains(*status)) {
                return Ok(());
            }
            println!("another seed than {rng_seed}: {met:?}");
        }
        panic!("not all settings were found: {met:?}")
    })
}

#[test]
fn repositories_that_spring_data_serves_are_known_with_what_their_items_refer_to() -> Result<()> {
    in_work_folder("discover-data-rest", |folder| {
        let Some(jar) = LENDING.build()? else { return Ok(()) };
        let heavy = LENDING.statement("Desk", "Desk", r#"IllegalStateException("too heavy to carry")"#)?;
        let wanted = [
            "GET POST /api/books",
            "GET PUT PATCH DELETE /api/books/{id}",
            "GET PUT PATCH POST /api/books/{id}/loans",
            "GET DELETE /api/books/{id}/loans/{propertyId}",
            "GET /api/books/search/findByTitleIgnoreCase",
            "GET /api/books/search/thick",
            "POST /api/loans",
            "GET PUT PATCH /api/loans/{id}",
            "GET PUT DELETE /api/loans/{id}/book",
            "GET PUT DELETE /api/loans/{id}/borrower",
            "GET POST /api/people",
            "GET PUT PATCH /api/people/{id}",
        ];
        let each = |line: &str| {
            let (verbs, path) = line.rsplit_once(' ').expect("verbs stand before a path");
            verbs.split(' ').map(|verb| format!("{verb} {path}")).collect::<Vec<_>>()
        };
        let wanted: BTreeSet<String> = wanted.iter().flat_map(|line| each(line)).collect();
        for rng_seed in SEEDS {
            let args = ["--budget", "1000 calls", "--rng-seed", rng_seed, "--suite=false"];
            let lending = ["--include", "POST /api/books", "--include", "POST /api/loans"];
            let (summary, results) = fuzz(folder, &jar, &args, &lending)?;
            assert_eq!(results.operations(), wanted, "{summary}");
            let served = ["POST /api/books", "POST /api/loans"].map(str::to_owned);
            let by = ["Books.save", "Loans.save"].map(|method| format!("{}.{method}", LENDING.package));
            assert_eq!(discovered(&results), served.into_iter().zip(by).collect::<Vec<_>>(), "{summary}");
            // A loan has the link of a book that was made before.
            if results.failures_of("POST /api/loans").contains_key(&heavy) {
                return Ok(());
            }
            println!("another seed than {rng_seed}");
        }
        panic!("no seed lent a book that is too heavy")
    })
}

/// A document of a part of the service that leaves out where that part is.
const OFFICE: &str = r#"{"openapi":"3.0.0","info":{"title":"office","version":"1"},"paths":{
    "/sailings":{"get":{"responses":{"200":{"description":"all"}}}},
    "/tide/{hour}":{"get":{"parameters":[{"name":"hour","in":"path","required":true,"schema":{"type":"integer"}}],
                           "responses":{"200":{"description":"its height"}}}}}}"#;

#[test]
fn routes_tell_the_path_that_a_document_leaves_out() -> Result<()> {
    in_work_folder("discover-base-path", |folder| {
        let Some(jar) = FERRY.build()? else { return Ok(()) };
        let schema = folder.join("office.json");
        std::fs::write(&schema, OFFICE)?;
        let schema = schema.to_str().context("the path is text")?;
        let args = ["--schema", schema, "--budget", "30 calls", "--rng-seed", "1", "--suite=false"];
        let (summary, results) = fuzz(folder, &jar, &args, &["--", "{port}"])?;
        assert!(summary.contains("/harbour (found out: no operation is served below"), "{summary}");
        assert!(results.operations_with(2).contains("GET /sailings"), "{summary}");
        assert_eq!(discovered(&results), [], "nobody has asked for more\n{summary}");
        Ok(())
    })
}

/// Runs a service that has no document until these routes alone are known, each of which answered with 2xx, and each of `faults`
/// is met, an operation and its statement, by one seed after the other; `check` looks at the summary and the completed document
/// of each.
fn all_is_met(
    (folder, app, jar): (&Path, &App, &Path),
    budget: &str,
    routes: &[(&str, &str)],
    faults: &[(&str, String)],
    check: impl Fn(&str, &serde_json::Value),
) -> Result<()> {
    let named = |(id, handler): &(&str, &str)| ((*id).to_owned(), format!("{}.{handler}", app.package));
    let wanted: Vec<(String, String)> = routes.iter().map(named).collect();
    for rng_seed in SEEDS {
        let args = ["--budget", budget, "--rng-seed", rng_seed, "--suite=false"];
        let (summary, results) = fuzz(folder, jar, &args, &["--", "{port}"])?;
        let mut found = discovered(&results);
        found.sort();
        assert_eq!(found, wanted, "{summary}");
        check(&summary, &serde_json::from_str(&fs::read_to_string(folder.join("out/schema/completed.json"))?)?);
        let is_met = |(operation, statement): &(&str, String)| results.failures_of(operation).contains_key(statement);
        if faults.iter().all(is_met) && results.operations_with(2).len() == routes.len() {
            return Ok(());
        }
        println!("another seed than {rng_seed}");
    }
    panic!("no seed met {faults:?} and all routes")
}

#[test]
fn services_of_armeria_are_known_with_their_parameters() -> Result<()> {
    in_work_folder("discover-armeria", |folder| {
        let Some(jar) = BAKERY.build()? else { return Ok(()) };
        let full = BAKERY.statement("Bakery", "Bakery", "throw new IllegalStateException")?;
        let routes = [
            ("DELETE /shop/orders/{number}", "Bakery.cancel"),
            ("GET /open", "Main"),
            ("GET /shop/breads", "Bakery.breads"),
            ("GET /shop/breads/{name}", "Bakery.bread"),
            ("POST /shop/orders", "Bakery.order"),
        ];
        let faults = [("POST /shop/orders", full)];
        all_is_met((folder, &BAKERY, &jar), "1000 calls", &routes, &faults, |summary, document| {
            // What is below that is no one path.
            assert!(summary.contains("`/files/*` stands for many paths"), "{summary}");
            let known = |path: &str| parameters(&document["paths"][path]["get"]);
            assert_eq!(known("/shop/breads"), ["query kind", "query most", "header X-Till"]);
            assert_eq!(known("/shop/breads/{name}"), ["path name!", "query slices!"]);
        })
    })
}

#[test]
fn routes_of_ktor_are_known_with_the_inputs_that_coroutines_read() -> Result<()> {
    in_work_folder("discover-ktor", |folder| {
        let Some(jar) = DEPOT.build()? else { return Ok(()) };
        let text = std::fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("apps/ktor/src/main/kotlin/org/example/depot/Main.kt"),
        )?;
        let line_of = |part: &str| text.lines().position(|line| line.contains(part)).map(|idx| idx + 1).context("it is there");
        let (long, late) = (line_of("longer than the platform")?, line_of("nobody reads that")?);
        for rng_seed in SEEDS {
            let args = ["--budget", "1500 calls", "--rng-seed", rng_seed, "--suite=false", "--time-limit", "1s"];
            let (summary, results) = fuzz(folder, &jar, &args, &["--", "{port}"])?;
            let mut found = discovered(&results);
            found.sort();
            let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
            let routes = [
                "DELETE /lines/{number}/trams",
                "DELETE /lines/{number}/trams/{tram}",
                "GET /files",
                "GET /files/{path}",
                "GET /lines",
                "GET /lines/{number}",
                "GET /tickets",
                "POST /lines/{number}/trams",
                "PUT /complaints",
            ];
            assert_eq!(ids, routes, "{summary}");
            assert!(found.iter().all(|(_, handler)| handler.starts_with("org.example.depot.MainKt$depot$")), "{found:?}");
            let document: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(folder.join("out/schema/completed.json"))?)?;
            let operation = |path: &str, verb: &str| &document["paths"][path][verb];
            let mut known = parameters(operation("/tickets", "get"));
            known.sort();
            assert_eq!(known, ["cookie crumb", "header X-Device", "query zone"], "{summary}");
            assert_eq!(parameters(operation("/lines/{number}", "get")), ["path number!"], "it is read like one of the query");
            let form = &operation("/complaints", "put")["requestBody"]["content"]["application/x-www-form-urlencoded"];
            assert!(form["schema"]["properties"]["text"].is_object(), "{form}");
            let tram = operation("/lines/{number}/trams", "post")["requestBody"]["content"]["application/json"].to_string();
            assert!(tram.contains(r#""seats":{"format":"int32","type":"integer"}"#), "{tram}");
            let fails = |operation: &str, line: usize| {
                results.failures_of(operation).keys().any(|statement| statement.ends_with(&format!(":{line}")))
            };
            if fails("POST /lines/{number}/trams", long)
                && fails("PUT /complaints", late)
                && results.operations_with(2).len() == 9
            {
                return Ok(());
            }
            println!("another seed than {rng_seed}");
        }
        panic!("no seed met both faults")
    })
}

#[test]
fn services_of_helidon_are_known_with_what_they_read() -> Result<()> {
    in_work_folder("discover-helidon", |folder| {
        let Some(jar) = OBSERVATORY.build()? else { return Ok(()) };
        let bright = OBSERVATORY.statement("Stars", "Stars", r#"IllegalStateException("brighter than the sun")"#)?;
        let routes = [
            ("GET /hours", "Main"),
            ("GET /maps", "Main"),
            ("GET /maps/{sheet}", "Main"),
            ("GET /open", "Main"),
            ("GET /photos", "Main"),
            ("GET /photos/{path}", "Main"),
            ("GET /stars", "Stars"),
            ("GET /stars/{number}", "Stars"),
            ("POST /stars", "Stars"),
            ("PUT /stars/{number}/name", "Stars"),
        ];
        let faults = [("POST /stars", bright)];
        all_is_met((folder, &OBSERVATORY, &jar), "600 calls", &routes, &faults, |_, document| {
            let operation = |path: &str, verb: &str| &document["paths"][path][verb];
            assert_eq!(parameters(operation("/stars", "get")), ["query colour"]);
            let name = operation("/stars/{number}/name", "put");
            assert_eq!(parameters(name), ["path number!", "header X-Observer"]);
            assert_eq!(name["parameters"][0]["schema"]["pattern"], r"^(?:\d+)$", "{name}");
            let form = &name["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"];
            assert!(form["properties"]["name"].is_object(), "{name}");
            let star = operation("/stars", "post")["requestBody"]["content"]["application/json"].to_string();
            assert!(star.contains(r#""magnitude":{"format":"int32","type":"integer"}"#), "{star}");
        })
    })
}

#[test]
fn routes_of_spark_are_known_with_what_they_read() -> Result<()> {
    in_work_folder("discover-spark", |folder| {
        let Some(jar) = MILL.build()? else { return Ok(()) };
        let heavy = MILL.statement("Grains", "Grains", r#"IllegalStateException("heavier than the lift")"#)?;
        let routes = [
            ("DELETE /stones", "Stones"),
            ("GET /flour/{path}", "Main"),
            ("GET /grains", "Main"),
            ("GET /grains/{grain}", "Main"),
            ("GET /price", "Main"),
            ("POST /grains/{grain}/sacks", "Main"),
        ];
        let faults = [("POST /grains/{grain}/sacks", heavy)];
        all_is_met((folder, &MILL, &jar), "600 calls", &routes, &faults, |_, document| {
            let operation = |path: &str, verb: &str| &document["paths"][path][verb];
            assert_eq!(parameters(operation("/grains", "get")), ["query harvest"]);
            assert_eq!(parameters(operation("/stones", "delete")), ["header X-Miller"]);
            let sack = operation("/grains/{grain}/sacks", "post")["requestBody"]["content"]["application/json"].to_string();
            assert!(sack.contains(r#""weight":{"format":"int32","type":"integer"}"#), "{sack}");
        })
    })
}

#[test]
fn servlets_of_an_application_are_known_with_their_paths_and_begun() -> Result<()> {
    in_work_folder("discover-servlets", |folder| {
        let Some(jar) = STATION.build()? else { return Ok(()) };
        let full = STATION.statement("Yard", "Yard", r#"IllegalStateException("longer than the yard")"#)?;
        let forbidden = STATION.statement("Desk", "Desk", r#"IllegalStateException("nobody may do that")"#)?;
        let routes = [
            ("DELETE /desk", "Desk"),
            ("DELETE /kiosk/maps", "Kiosk"),
            ("GET /desk", "Desk"),
            ("GET /found", "Kiosk"),
            ("GET /hall/clocks/{number}", "Hall.clock"),
            ("GET /hall/departures", "Hall.departures"),
            ("GET /kiosk/papers/{name}", "Kiosk"),
            ("GET /lost", "Kiosk"),
            ("GET /trains/platforms/{number}", "Platforms.platform"),
            ("GET /yard/wagons", "Yard.wagons"),
            ("POST /kiosk/orders", "Kiosk"),
            ("POST /yard/wagons/coupled", "Yard.couple"),
            ("PUT /kiosk/maps", "Kiosk"),
        ];
        let faults = [("POST /yard/wagons/coupled", full), ("DELETE /desk", forbidden)];
        all_is_met((folder, &STATION, &jar), "600 calls", &routes, &faults, |summary, document| {
            assert!(summary.contains("a predicate of routes is code, of org.example.station.Kiosk"), "{summary}");
            let order = &document["paths"]["/kiosk/orders"]["post"];
            assert_eq!(parameters(order), ["query till!"]);
            assert!(order["requestBody"]["content"]["application/json"].is_object(), "{order}");
            assert!(summary.contains("/station (found out: no operation is served below"), "{summary}");
        })
    })
}

#[test]
fn routes_of_several_applications_of_a_server_are_told_apart() -> Result<()> {
    in_work_folder("discover-applications", |folder| {
        let Some(jar) = STATION.build()? else { return Ok(()) };
        let args = ["--budget", "200 calls", "--rng-seed", "1", "--suite=false"];
        let (summary, results) = fuzz(folder, &jar, &args, &["--", "{port}", "/depot"])?;
        let found: Vec<String> = discovered(&results).into_iter().map(|(operation, _)| operation).collect();
        let wanted = [
            "GET /station/desk",
            "GET /depot/desk",
            "GET /depot/sheds/{engine}",
            "GET /depot/tracks/bays/{bay}",
            "GET /depot/tracks/bays/{bay}/signals",
            "POST /station/yard/wagons/coupled",
        ];
        assert!(wanted.iter().all(|wanted| found.iter().any(|it| it == wanted)), "{found:?}");
        let of_jersey: BTreeSet<&str> =
            found.iter().map(String::as_str).filter(|it| it.contains("engines") || it.contains("platforms")).collect();
        let served = ["GET /depot/works/engines/{number}", "GET /station/trains/platforms/{number}"];
        assert_eq!(of_jersey, BTreeSet::from(served), "each servlet says what it serves");
        assert!(!summary.contains("(found out"), "each path has its application's in front: {summary}");
        let answered = results.operations_with(2);
        let is_answered = |operation: &&str| answered.iter().any(|it| it == *operation);
        assert!(wanted[..3].iter().all(is_answered), "{answered:?}");
        let document: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join("out/schema/completed.json"))?)?;
        let ways = &document["paths"]["/depot/sheds/{engine}"]["get"]["parameters"][0]["schema"]["anyOf"];
        assert_eq!((&ways[0]["type"], &ways[0]["minimum"]), (&"integer".into(), &0.into()), "it takes no sign: {ways}");
        assert_eq!(ways[1]["pattern"], r"^(?:[A-F]-\d{1,2})$", "{ways}");
        Ok(())
    })
}

#[test]
fn resources_are_below_the_path_of_their_application() -> Result<()> {
    in_work_folder("discover-quarkus", |folder| {
        let Some(jar) = QUAY.build()? else { return Ok(()) };
        let (summary, results) = fuzz(folder, &jar, &["--budget", "200 calls", "--rng-seed", "1", "--suite=false"], &[])?;
        let found: Vec<String> = discovered(&results).into_iter().map(|(operation, _)| operation).collect();
        let is_below = |it: &String| it.contains(" /basin/west/");
        assert!(found.len() > 20 && found.iter().all(is_below), "what mounts them is none itself: {found:?}");
        assert!(!summary.contains("base URL:"), "each path is whole: {summary}");
        assert!(results.operations_with(2).len() > 10, "{:?}", results.operations_with(2));
        Ok(())
    })
}

#[test]
fn routes_that_only_others_serve_are_told_where_there_are_none_else() -> Result<()> {
    in_work_folder("discover-others", |folder| {
        let Some(jar) = STATION.build()? else { return Ok(()) };
        let jar = jar.to_str().context("the path is text")?;
        let all = ["fuzz", "--jar", jar, "--packages", "org.apache.catalina.core", "--budget", "10 calls", "--", "{port}"];
        let finished = Restive::new(folder, all)?.limit(LIMIT).run()?;
        assert_eq!(finished.code, Some(3), "{}", finished.stderr);
        let told = "13 routes are of classes that are not the service's, such as `org.example.station.";
        assert!(finished.stderr.contains(told) && finished.stderr.contains("`--packages`"), "{}", finished.stderr);
        assert!(finished.stderr.contains("sut.log may tell what failed"), "{}", finished.stderr);
        Ok(())
    })
}

/// Place and name of each parameter of an operation, with a `!` behind what must be sent.
fn parameters(operation: &serde_json::Value) -> Vec<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let end = |it: &serde_json::Value| if it["required"] == true { "!" } else { "" };
    parameters.map(|it| format!("{} {}{}", text(&it["in"]), text(&it["name"]), end(it))).collect()
}

/// That a bean of parameters is what its annotations say, with what is demanded of members.
fn assert_bean_is_known(folder: &Path) -> Result<()> {
    let document = std::fs::read_to_string(folder.join("out/schema/completed.json"))?;
    let document: serde_json::Value = serde_json::from_str(&document)?;
    let parameters = document["paths"]["/harbour/sailings"]["get"]["parameters"].as_array().into_iter().flatten();
    let known: Vec<(String, String)> =
        parameters.map(|it| (format!("{} {}", it["in"], it["name"]).replace('"', ""), it["schema"].to_string())).collect();
    let texts = r#"{"type":"string"}"#;
    let decks = r#"{"items":{"minLength":2,"type":"string"},"type":"array"}"#;
    let wanted = [
        ("query day", texts),
        ("query cars", r#"{"format":"int32","type":"integer"}"#),
        ("header X-Line", texts),
        ("query deck", decks),
    ];
    assert_eq!(known, wanted.map(|(name, schema)| (name.to_owned(), schema.to_owned())));
    Ok(())
}

/// `Position` has fields, and is made from a text.
fn assert_a_class_of_the_query_is_a_text(folder: &Path) -> Result<()> {
    let document = std::fs::read_to_string(folder.join("out/schema/completed.json"))?;
    let document: serde_json::Value = serde_json::from_str(&document)?;
    let mut parameters = document["paths"]["/harbour/charts/{chart}"]["get"]["parameters"].as_array().into_iter().flatten();
    let at = parameters.find(|it| it["name"] == "at").context("it is a parameter")?;
    assert_eq!(at["schema"].to_string(), r#"{"items":{"type":"string"},"type":"array"}"#);
    Ok(())
}

/// That what is discovered without a schema is what the service's own schema says.
fn assert_routes_are_those_of_the_schema(app: &App, knows_handlers: bool) -> Result<()> {
    in_work_folder(&format!("discover-{}", app.folder), |folder| {
        let Some(jar) = app.build()? else { return Ok(()) };
        let args = ["--budget", "30 calls", "--rng-seed", "1", "--suite=false"];
        let (summary, documented) = discover(folder, &jar, &args, &[])?;
        assert_eq!(discovered(&documented), [], "everything is documented\n{summary}");
        std::fs::write(folder.join("nothing.json"), NOTHING)?;
        let schema = folder.join("nothing.json");
        let schema = ["--schema", schema.to_str().context("the path is text")?];
        let (summary, results) = discover(folder, &jar, &[&args[..], &schema].concat(), &[])?;
        let found = discovered(&results);
        let ids: BTreeSet<String> = found.iter().map(|(id, _)| id.clone()).collect();
        assert_eq!(ids, documented.operations(), "{summary}");
        let own = |handler: &String| handler.starts_with(app.package) == knows_handlers;
        assert!(found.iter().all(|(_, handler)| own(handler)), "{found:?}");
        Ok(())
    })
}

/// What `restive schema infer` left in this folder for passing files.
fn left_in(passing: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(passing)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let is_left = |path: &&PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("restive-infer-"));
    Ok(entries.iter().filter(is_left).cloned().collect())
}

#[test]
fn an_inferred_document_leaves_nothing_else_behind_but_the_log_of_a_service_that_failed() -> Result<()> {
    in_work_folder("discover-infer", |folder| {
        let Some(jar) = FERRY.build()? else { return Ok(()) };
        let passing = folder.join("passing");
        std::fs::create_dir_all(&passing)?;
        let infer = |args: &[&str]| {
            let all = ["schema", "infer", "--budget", "60 calls", "--write", "inferred.json"];
            let run = Restive::new(folder, all.into_iter().chain(args.iter().copied()))?;
            run.env("TMPDIR", passing.to_str().context("the path is text")?).limit(LIMIT).run()
        };
        let finished = infer(&["--jar", jar.to_str().context("the path is text")?, "--", "{port}"])?;
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        let document: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(folder.join("inferred.json"))?)?;
        assert!(document["paths"]["/harbour/sailings"]["get"].is_object(), "{document}");
        assert!(left_in(&passing)?.is_empty(), "nobody wants it");
        std::fs::write(folder.join("nothing.json"), NOTHING)?;
        let broken = "sh -c 'echo the engine is broken; exit 3'";
        let finished = infer(&["--command", broken, "--url", "http://127.0.0.1:{port}", "--schema", "nothing.json"])?;
        assert_eq!(finished.code, Some(3), "{}", finished.stderr);
        let left = left_in(&passing)?;
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(std::fs::read_to_string(left[0].join("logs/sut.log"))?.contains("the engine is broken"));
        Ok(())
    })
}

#[test]
fn functions_of_webflux_are_known_with_the_inputs_that_they_read() -> Result<()> {
    in_work_folder("discover-functions", |folder| {
        let Some(jar) = UNNAMED.build()? else { return Ok(()) };
        let all = [
            "schema",
            "infer",
            "--budget",
            "300 calls",
            "--include",
            "GET /functions/query/{deck}",
            "--write",
            "inferred.json",
        ];
        let all = all.into_iter().chain(["--jar", jar.to_str().context("the path is text")?, "--packages", UNNAMED.package]);
        let finished = Restive::new(folder, all.chain(["--", "webflux", "{port}"]))?.limit(LIMIT).run()?;
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        let document: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(folder.join("inferred.json"))?)?;
        assert_eq!(parameters(&document["paths"]["/functions/query/{deck}"]["get"]), ["path deck!", "query word"]);
        Ok(())
    })
}

#[test]
fn parts_that_annotations_name_are_those_of_a_multipart_body() -> Result<()> {
    in_work_folder("discover-parts", |folder| {
        let Some(jar) = UNNAMED.build()? else { return Ok(()) };
        let jar = jar.to_str().context("the path is text")?;
        let document = |door: &str| -> Result<serde_json::Value> {
            let all = ["schema", "infer", "--budget", "30 calls", "--write", "inferred.json", "--overwrite"];
            let all = all.into_iter().chain(["--jar", jar, "--packages", UNNAMED.package, "--", door, "{port}"]);
            let finished = Restive::new(folder, all)?.limit(LIMIT).run()?;
            assert_eq!(finished.code, Some(0), "{}", finished.stderr);
            Ok(serde_json::from_str(&std::fs::read_to_string(folder.join("inferred.json"))?)?)
        };
        let parts = |document: &serde_json::Value, path: &str| {
            let content = &document["paths"][path]["post"]["requestBody"]["content"];
            let schema = &content["multipart/form-data"]["schema"]["properties"];
            let types =
                |(name, schema): (&String, &serde_json::Value)| format!("{name} {} {}", schema["type"], schema["format"]);
            schema.as_object().into_iter().flatten().map(types).collect::<Vec<_>>()
        };
        let jersey = document("jersey")?;
        assert_eq!(parts(&jersey, "/bound/part/file"), [r#"label "string" "binary""#]);
        assert_eq!(parts(&jersey, "/bound/part/json"), [r#"crate "object" null"#]);
        assert_eq!(parts(&jersey, "/bound/part/entity"), [r#"label "string" null"#]);
        let of_bean = [r#"label "string" null"#, r#"crate "object" null"#, r#"seal "string" "binary""#];
        assert_eq!(parts(&document("resteasy")?, "/bound/part"), of_bean);
        // Which parts there are is for code to say; there is a file, or none is ever sent.
        for path in ["/parts", "/bound/part/read"] {
            let body = jersey["paths"][path]["post"]["requestBody"].to_string();
            assert!(body.contains(r#""file":{"type":"string","format":"binary"}"#), "{path}: {body}");
        }
        assert!(jersey["paths"]["/parts"]["post"]["requestBody"]["content"].get("application/json").is_none(), "{jersey}");
        assert_eq!(jersey["paths"]["/parts/loop"]["post"]["parameters"], serde_json::json!([]));
        // A parameter behind the path is none of the body, nor of the query.
        let matrix = &jersey["paths"]["/bound/matrix"]["get"];
        assert!(matrix.is_object() && matrix.get("requestBody").is_none() && matrix["parameters"] == serde_json::json!([]));
        Ok(())
    })
}

/// What a class names as its root stands around a body, for its mapper wants it.
#[test]
fn a_body_stands_in_what_its_class_names_as_its_root() -> Result<()> {
    in_work_folder("discover-root", |folder| {
        let Some(jar) = UNNAMED.build()? else { return Ok(()) };
        let trunk = "POST /bound/trunk";
        for rng_seed in SEEDS {
            let args = ["--packages", UNNAMED.package, "--budget", "200 calls", "--rng-seed", rng_seed, "--suite=false"];
            let args = [&args[..], &["--include", trunk]].concat();
            let (_, results) = fuzz(folder, &jar, &args, &["--", "jersey", "{port}"])?;
            let met = statuses(&results, trunk);
            if met.contains("418") {
                return Ok(());
            }
            println!("another seed than {rng_seed}: {met:?}");
        }
        panic!("no seed read the label")
    })
}

/// What a handler consumes is sent also where it takes the body from the request by itself.
#[test]
fn bodies_that_code_takes_as_they_come_are_sent() -> Result<()> {
    in_work_folder("discover-raw-bodies", |folder| {
        let Some(jar) = FERRY.build()? else { return Ok(()) };
        let (log, signals) = ("PUT /harbour/log", "POST /signals");
        let args = ["--budget", "300 calls", "--rng-seed", "1", "--suite=false", "--include", log, "--include", signals];
        let (summary, results) = fuzz(folder, &jar, &args, &["--", "{port}"])?;
        let (logged, hoisted) = (statuses(&results, log), statuses(&results, signals));
        assert!(logged.contains("202") && hoisted.contains("418"), "{logged:?} {hoisted:?}\n{summary}");
        let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(folder.join("out/schema/completed.json"))?)?;
        let media = |path: &str, verb: &str| {
            let content = document["paths"][path][verb]["requestBody"]["content"].as_object();
            content.map_or_else(Vec::new, |content| content.keys().cloned().collect())
        };
        assert_eq!(media("/harbour/log", "put"), ["application/octet-stream", "application/json", "text/plain"]);
        assert_eq!(media("/signals", "post"), ["text/plain"]);
        Ok(())
    })
}

/// The document of a run that calls these operations by their routes alone, each of which does what it does with what it wants
/// (418); the service is started with this argument.
fn met_without_a_document(folder: &Path, jar: &Path, operations: [&str; 2], argument: &str) -> Result<serde_json::Value> {
    fs::write(folder.join("nothing.json"), NOTHING)?;
    let mut args = vec!["--schema", "nothing.json", "--budget", "60 calls", "--rng-seed", "1", "--suite=false"];
    args.extend(operations.iter().flat_map(|operation| ["--include", operation]));
    let (summary, results) = discover(folder, jar, &args, &["--", argument])?;
    for operation in operations {
        let met = statuses(&results, operation);
        assert!(met.contains("418"), "{operation}: {met:?}\n{summary}");
    }
    Ok(serde_json::from_str(&fs::read_to_string(folder.join("out/schema/completed.json"))?)?)
}

#[test]
fn a_handler_that_only_says_what_it_consumes_is_sent_that() -> Result<()> {
    in_work_folder("discover-consumes", |folder| {
        let Some(jar) = PARCELS.build()? else { return Ok(()) };
        let (papers, scans) = ("POST /beans/papers", "POST /beans/scans");
        let document = met_without_a_document(folder, &jar, [papers, scans], "--spring.profiles.active=beans")?;
        let scan = &document["paths"]["/beans/scans"]["post"];
        assert_eq!(parameters(scan), [] as [&str; 0], "a file is none, though it is called one");
        let part = r#"{"multipart/form-data":{"schema":{"type":"object","properties":{"scan":"#;
        assert!(scan["requestBody"]["content"].to_string().starts_with(part), "{scan}");
        Ok(())
    })
}

/// Files and fields are sent as the method says, though no annotation says which they are.
#[test]
fn forms_that_methods_of_micronaut_consume_are_sent() -> Result<()> {
    in_work_folder("discover-micronaut-forms", |folder| {
        let Some(jar) = TOLL.build()? else { return Ok(()) };
        let (papers, stamps) = ("POST /passes/papers", "POST /passes/stamps/{colour}");
        let document = met_without_a_document(folder, &jar, [papers, stamps], "-passes=true")?;
        let body = |path: &str| document["paths"][path]["post"]["requestBody"]["content"].to_string();
        let parts = r#""properties":{"paper":{"type":"string","format":"binary"},"note":{"type":"string"}}"#;
        assert!(body("/passes/papers").starts_with(r#"{"multipart/form-data":"#), "{}", body("/passes/papers"));
        assert!(body("/passes/papers").contains(parts), "{}", body("/passes/papers"));
        let fields = r#""properties":{"place":{"type":"string"},"count":{"format":"int32","type":"integer"}}"#;
        assert!(body("/passes/stamps/{colour}").contains(fields), "{}", body("/passes/stamps/{colour}"));
        assert_eq!(parameters(&document["paths"]["/passes/stamps/{colour}"]["post"]), ["path colour!"]);
        Ok(())
    })
}

#[test]
fn routes_of_spring_boot_3_are_those_of_its_schema() -> Result<()> {
    assert_routes_are_those_of_the_schema(&PARCELS, true)
}

#[test]
fn routes_of_spring_boot_2_are_those_of_its_schema() -> Result<()> {
    assert_routes_are_those_of_the_schema(&CLINIC, true)
}

#[test]
fn routes_of_javalin_are_those_of_its_schema() -> Result<()> {
    assert_routes_are_those_of_the_schema(&GARDEN, false)
}

#[test]
fn routes_of_micronaut_are_those_of_its_schema() -> Result<()> {
    assert_routes_are_those_of_the_schema(&TOLL, true)
}
