//! A jar and nothing else: restive starts it, finds its port and its schema, and fuzzes it.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use restive_e2e::apps::{App, CINEMA, CLINIC, PARCELS};
use restive_e2e::process::Finished;
use restive_e2e::services::WIREMOCK;
use restive_e2e::toolchain::{available, maven_artifact};
use restive_e2e::work::{copy_folder, in_work_folder};
use restive_e2e::{Restive, Results, SEEDS};
use serde_json::Value;

/// The machine or the service failed.
const ENVIRONMENT: i32 = 3;

/// WireMock's jar; none when there is no JDK or no Maven.
fn wiremock() -> Result<Option<PathBuf>> {
    if available(&["java", "mvn"])? { maven_artifact(WIREMOCK).map(Some) } else { Ok(None) }
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("`{}` is no text", path.display()))
}

/// What keeps WireMock off the port that it takes without being told one, when something else has that on this machine.
fn beside_others() -> Vec<&'static str> {
    if TcpListener::bind(("0.0.0.0", 8080)).is_ok() {
        return Vec::new();
    }
    println!("port 8080 is taken: WireMock is told a free one");
    vec!["--", "--port={port}"]
}

#[test]
fn a_jar_is_fuzzed_with_nothing_else_to_write() -> Result<()> {
    in_work_folder("jar-wiremock", |folder| {
        let Some(jar) = wiremock()? else { return Ok(()) };
        let args = ["fuzz", "--jar", text(&jar)?, "--exclude", "POST /__admin/shutdown", "--budget", "300 calls"];
        let finished = Restive::new(folder, args)?.args(beside_others()).run()?;
        assert!(matches!(finished.code, Some(0 | 1)), "{:?}\n{}", finished.code, finished.stderr);
        let results = Results::read(&folder.join("out"))?;
        let with_success = results.operations_with(2);
        assert!(with_success.len() >= 20, "{with_success:?}\n{}", finished.stderr);
        assert!(folder.join("out/schema/swagger/wiremock-admin-api.json").is_file());
        Ok(())
    })
}

#[test]
fn what_is_the_service_and_what_are_libraries_is_told() -> Result<()> {
    in_work_folder("jar-inspect", |folder| {
        let Some(jar) = wiremock()? else { return Ok(()) };
        let finished = Restive::new(folder, ["sut", "inspect", "--json", "--jar", text(&jar)?])?.run()?;
        let told: Value = serde_json::from_str(&finished.stdout)?;
        let values = |key: &str| -> Vec<&str> {
            told[key].as_array().into_iter().flatten().filter_map(|guess| guess["value"].as_str()).collect()
        };
        assert_eq!(values("packages"), ["com.github.tomakehurst.wiremock", "org.wiremock"]);
        assert_eq!((values("relocated"), &told["own_classes"]), (vec!["wiremock"], &Value::from(735)));
        assert_eq!(told["main_class"], "wiremock.Run");
        Ok(())
    })
}

fn assert_refused(finished: &Finished, words: &[&str]) {
    let text = &finished.stderr;
    assert_eq!(finished.code, Some(ENVIRONMENT), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("error:")).count(), 1, "{text}");
    assert!(words.iter().all(|word| text.contains(word)), "{words:?} are wanted in\n{text}");
    assert!(text.lines().any(|line| line.starts_with("hint:")), "{text}");
}

fn fuzz(folder: &Path, args: &[&str]) -> Result<Finished> {
    let run = Restive::new(folder, ["fuzz", "--budget", "10 calls", "--overwrite"])?;
    run.args(args.iter().copied()).limit(Duration::from_mins(1)).run()
}

#[test]
fn what_cannot_be_started_is_refused_with_the_reason() -> Result<()> {
    in_work_folder("jar-bad", |folder| {
        fs::write(folder.join("notes.jar"), "not a jar")?;
        assert_refused(&fuzz(folder, &["--jar", "none.jar"])?, &["none.jar"]);
        assert_refused(&fuzz(folder, &["--jar", "notes.jar"])?, &["notes.jar", "not a jar"]);
        let Some(jar) = wiremock()? else { return Ok(()) };
        let jar = text(&jar)?;
        assert_refused(&fuzz(folder, &["--jar", jar, "--java", "no/such/java"])?, &["no JVM found", "no/such/java"]);
        // WireMock does not know the option and ends.
        let refused = fuzz(folder, &["--jar", jar, "--", "--no-such-option"])?;
        assert_refused(&refused, &["exit status 1", "  | Exception in thread \"main\"", "`-- --port={port}`"]);
        assert_refused(&fuzz(folder, &["--jar", jar, "--jvm-arg", "-XX:NoSuchFlag"])?, &["NoSuchFlag"]);
        Ok(())
    })
}

#[test]
fn a_script_is_measured_by_what_it_starts() -> Result<()> {
    in_work_folder("jar-script", |folder| {
        let Some(jar) = CLINIC.build()? else { return Ok(()) };
        fs::write(folder.join("run.sh"), format!("exec java -jar '{}' --server.port=$1\n", text(&jar)?))?;
        let args = ["fuzz", "--command", "sh run.sh {port}", "--budget", "40 calls", "--suite=false"];
        let (finished, results) = Restive::new(folder, args)?.limit(Duration::from_mins(5)).run_with_results()?;
        let told = format!("packages of the service: {} (found out", CLINIC.package);
        assert!(finished.stderr.contains(&told), "{}", finished.stderr);
        assert_only_own_classes(&results, &CLINIC);
        Ok(())
    })
}

fn assert_only_own_classes(results: &Results, app: &App) {
    let classes = results.classes();
    assert!(!classes.is_empty() && classes.iter().all(|class| class.starts_with(app.package)), "{classes:?}");
}

/// A run of `command`, which says nothing of a port, in the folder `in_folder`.
fn fuzz_what_it_starts(folder: &Path, command: &str, in_folder: &Path) -> Result<(String, Results)> {
    let args =
        ["fuzz", "--command", command, "--working-directory", text(in_folder)?, "--budget", "100 calls", "--suite=false"];
    let (finished, results) = Restive::new(folder, args)?.limit(Duration::from_mins(5)).run_with_results()?;
    assert!(finished.stderr.contains("service: http://127.0.0.1:"), "{}", finished.stderr);
    assert!(results.operations_with(2).len() > 3, "{}", finished.stderr);
    Ok((finished.stderr, results))
}

#[test]
fn a_jar_that_was_unpacked_is_the_service_and_listens_where_its_variables_say() -> Result<()> {
    in_work_folder("jar-unpacked", |folder| {
        let Some(jar) = PARCELS.build()? else { return Ok(()) };
        let app = folder.join("app");
        fs::create_dir(&app)?;
        let unpacked = Command::new("jar").args(["xf", text(&jar)?]).current_dir(&app).status()?;
        assert!(unpacked.success());
        let (_, results) = fuzz_what_it_starts(folder, "java org.springframework.boot.loader.launch.JarLauncher", &app)?;
        assert_only_own_classes(&results, &PARCELS);
        Ok(())
    })
}

#[test]
fn a_build_tool_starts_a_service_whose_classes_are_found() -> Result<()> {
    in_work_folder("jar-build-tool", |folder| {
        let Some(jar) = PARCELS.build()? else { return Ok(()) };
        let project = jar.ancestors().nth(2).context("it lies in the folder of its build")?;
        let (stderr, results) = fuzz_what_it_starts(folder, "mvn -q spring-boot:run", project)?;
        assert!(stderr.contains(&format!("packages of the service: {} (found out", PARCELS.package)), "{stderr}");
        assert_only_own_classes(&results, &PARCELS);
        Ok(())
    })
}

/// A Tomcat in `folder` that serves the cinema, and nothing else, at the port of the property `http.port`.
fn tomcat_with_cinema(folder: &Path) -> Result<bool> {
    let Some(jar) = CINEMA.build()? else { return Ok(false) };
    let built = jar.parent().context("it lies in a folder")?;
    let version = fs::read_dir(built.join("container"))?.next().context("Tomcat is unpacked there")??;
    let tomcat = folder.join("tomcat");
    copy_folder(&version.path(), &tomcat)?;
    fs::remove_dir_all(tomcat.join("webapps"))?;
    fs::create_dir(tomcat.join("webapps"))?;
    fs::copy(jar.with_extension("war"), tomcat.join("webapps/cinema.war"))?;
    let settings = tomcat.join("conf/server.xml");
    let ports = [("port=\"8080\"", "port=\"${http.port}\""), ("port=\"8005\"", "port=\"-1\"")];
    let told = ports.iter().fold(fs::read_to_string(&settings)?, |text, (from, to)| text.replace(from, to));
    fs::write(settings, told)?;
    Ok(true)
}

#[test]
fn an_application_of_a_container_is_told_from_it_and_called_where_it_is_once_it_is_deployed() -> Result<()> {
    in_work_folder("jar-war", |folder| {
        if !tomcat_with_cinema(folder)? {
            return Ok(());
        }
        let command = ["fuzz", "--command", "sh tomcat/bin/catalina.sh run", "--env", "CATALINA_OPTS=-Dhttp.port={port}"];
        let wrong = Restive::new(folder, command)?.args(["--packages", "com.nobody"]).limit(Duration::from_mins(5)).run()?;
        assert_refused(&wrong, &["no class of com.nobody was loaded", "org.apache.catalina"]);
        // The container is a jar as well; what it logs by is beside it.
        let of_jvm = ["-Dcatalina.home=tomcat", "-Dhttp.port={port}", "-Xbootclasspath/a:tomcat/bin/tomcat-juli.jar"];
        let run = Restive::new(folder, ["fuzz", "--jar", "tomcat/bin/bootstrap.jar", "--budget", "40 calls", "--suite=false"])?;
        let run = run.args(of_jvm.iter().flat_map(|argument| ["--jvm-arg", *argument])).args(["--", "start"]);
        let (_, results) = run.limit(Duration::from_mins(5)).run_with_results()?;
        assert_only_own_classes(&results, &CINEMA);
        let fault = CINEMA.statement("Tickets", "Tickets", r#"IllegalStateException("the seat is broken")"#)?;
        for rng_seed in SEEDS {
            let limits = ["--budget", "2000 calls", "--rng-seed", rng_seed, "--suite=false", "--overwrite"];
            let run = Restive::new(folder, command)?.args(limits).limit(Duration::from_mins(10));
            let (finished, results) = run.run_with_results()?;
            assert!(finished.stderr.contains("packages of the service: org.example.cinema (found out"), "{}", finished.stderr);
            assert!(finished.stderr.contains("/cinema/v1 (found out"), "{}", finished.stderr);
            assert_only_own_classes(&results, &CINEMA);
            if results.failures_of("GET /tickets").contains_key(&fault) {
                return Ok(());
            }
            println!("another seed than {rng_seed}");
        }
        panic!("no seed took the seat that is broken")
    })
}
