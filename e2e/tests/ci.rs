//! What the action for GitHub and the snippets for other CI systems do, with their commands executed as they stand there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_demo::{AUTH, OPENAPI};
use restive_e2e::process::{Finished, run};
use restive_e2e::services::Demo;
use restive_e2e::toolchain::{available, maven_libraries, npm_package, service_files};
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, binary};
use serde_json::Value;

const ACTION: &str = include_str!("../../.github/actions/fuzz/action.yml");
const README: &str = include_str!("../../README.md");
/// Runs pipelines of GitLab on this machine, and checks them against GitLab's schema first; later versions want a newer Node.
const GITLAB_CI_LOCAL: &str = "gitlab-ci-local@4.55.0";
/// Executes pipelines of Jenkins without one; later versions are not on Maven Central.
const PIPELINE_UNIT: &str = "com.lesfurets:jenkins-pipeline-unit:1.1";
/// Packages that its Groovy looks into.
const OPENED: [&str; 7] =
    ["java.lang", "java.lang.invoke", "java.io", "java.nio.file", "java.util", "java.util.stream", "sun.nio.fs"];

/// The last step of the action: the variables that it sets, by the inputs that they come from, and its shell lines.
fn step() -> Result<(BTreeMap<String, String>, String)> {
    let (_, step) = ACTION.split_once("    - name: Fuzz\n").context("there is no step `Fuzz`")?;
    let (settings, script) = step.split_once("      run: |\n").context("the step has no script")?;
    let variables = settings.lines().filter_map(|line| {
        let (name, value) = line.trim().split_once(": ${{ inputs.")?;
        Some((name.to_owned(), value.trim_end_matches(" }}").to_owned()))
    });
    Ok((variables.collect(), script.lines().map(|line| line.trim_start().to_owned() + "\n").collect()))
}

/// The default of an input of the action.
fn default_of(input: &str) -> Result<String> {
    let (_, inputs) = ACTION.split_once("\ninputs:\n").context("there are no inputs")?;
    let (_, settings) = inputs.split_once(&format!("  {input}:\n")).with_context(|| format!("no input `{input}`"))?;
    let lines = settings.lines().take_while(|line| line.starts_with("    "));
    let default = lines.into_iter().find_map(|line| line.trim().strip_prefix("default: ").map(|text| text.trim_matches('"')));
    Ok(default.unwrap_or_default().to_owned())
}

/// Executes the step of the action as a runner does, with these inputs.
fn fuzz(folder: &Path, inputs: &[(&str, &str)]) -> Result<Finished> {
    let (variables, script) = step()?;
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &script]).current_dir(folder);
    command.env("RUNNER_TEMP", folder.join("temp")).env("GITHUB_ACTIONS", "true");
    command.env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
    for (name, input) in &variables {
        let given = inputs.iter().find(|(other, _)| other == input).map(|(_, value)| (*value).to_owned());
        command.env(name, given.map_or_else(|| default_of(input), Ok)?);
    }
    run(&mut command, folder, "step", Duration::from_mins(5))
}

#[test]
fn the_step_of_the_action_fails_for_new_faults_and_shows_them() -> Result<()> {
    if !available(&["bash"])? {
        return Ok(());
    }
    in_work_folder("ci-github", |folder| {
        let shop = Demo::start()?;
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::write(folder.join("auth.yaml"), AUTH)?;
        fs::create_dir_all(folder.join("temp/restive/bin"))?;
        std::os::unix::fs::symlink(binary()?, folder.join("temp/restive/bin/restive"))?;
        // Without its rarer fault, which a second run may be the first to meet.
        let rare = "--exclude /orders/{orderId}/payment";
        let arguments = format!("--url {} --schema openapi.json --auth-file auth.yaml --rng-seed 42 {rare}", shop.url());
        let fuzz =
            |inputs: &[(&str, &str)]| fuzz(folder, &[&[("arguments", &*arguments), ("budget", "5000 calls")], inputs].concat());
        let found = fuzz(&[])?;
        ensure!(found.code == Some(1), "{:?}\n{}\n{}", found.code, found.stdout, found.stderr);
        ensure!(found.stdout.contains("::error "), "annotations of the job: {}", found.stdout);
        let summary = fs::read_to_string(folder.join("summary.md"))?;
        ensure!(summary.contains("restive: ") && summary.contains("fault"), "{summary}");
        let out = default_of("out")?;
        ensure!(folder.join(&out).join("results.sarif").is_file(), "what the head of the action names");
        let known = fuzz(&[("baseline", &out), ("out", "again")])?;
        ensure!(known.code == Some(0), "nothing is new: {:?}\n{}", known.code, known.stderr);
        let ignored = fuzz(&[("fail-on", "nothing"), ("out", "ignored")])?;
        ensure!(ignored.code == Some(0), "{:?}\n{}", ignored.code, ignored.stderr);
        // Inputs other than the arguments are one word each, whatever is in them.
        let strange = fuzz(&[("baseline", "a $(touch made) b"), ("out", "strange")])?;
        ensure!(strange.code == Some(2) && strange.stderr.contains("no folder `a $(touch made) b`"), "{}", strange.stderr);
        ensure!(!folder.join("made").exists() && !folder.join("strange").exists());
        Ok(())
    })
}

#[test]
fn the_action_names_every_kind_of_finding_that_can_fail_it() -> Result<()> {
    in_work_folder("ci-kinds", |folder| {
        let printed = Restive::new(folder, ["schema", "settings"])?.run()?.success()?;
        let schema: Value = serde_json::from_str(&printed.stdout)?;
        let kinds = &find(&schema, "fail-on").context("no setting `fail-on`")?["items"]["enum"];
        let line = ACTION.lines().find_map(|line| line.trim().strip_prefix("description: Findings that fail the step - "));
        let named: Vec<Value> = line.context("it names none")?.split(", ").map(Value::from).collect();
        assert_eq!(kinds, &Value::from(named));
        Ok(())
    })
}

/// The schema of the property of that name, wherever it is.
fn find<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    match schema {
        Value::Object(fields) => fields.get(name).or_else(|| fields.values().find_map(|value| find(value, name))),
        Value::Array(members) => members.iter().find_map(|member| find(member, name)),
        _ => None,
    }
}

/// What the README says about CI.
fn section() -> Result<&'static str> {
    let (_, section) = README.split_once("\n## In CI\n").context("no section on CI")?;
    Ok(section.split("\n## ").next().unwrap_or_default())
}

/// The jobs of a pipeline and when they run for a merge request.
fn jobs(folder: &Path, pipeline: &str) -> Result<Finished> {
    let installed = npm_package("gitlab-ci-local", GITLAB_CI_LOCAL)?;
    fs::write(folder.join(".gitlab-ci.yml"), pipeline)?;
    let git = "git init -q && { git remote add origin git@gitlab.example:acme/shop.git || true; }";
    run(Command::new("bash").args(["-e", "-c", git]).current_dir(folder), folder, "git", Duration::from_mins(1))?.success()?;
    let mut list = Command::new("node");
    list.arg(installed.join("node_modules/gitlab-ci-local/src/index.js")).args([
        "--shell-executor-no-image",
        "--variable",
        "CI_PIPELINE_SOURCE=merge_request_event",
        "--list-json",
    ]);
    run(list.current_dir(folder).env("HOME", folder), folder, "list", Duration::from_mins(1))
}

#[test]
fn the_snippet_for_gitlab_is_a_valid_pipeline_for_merge_requests() -> Result<()> {
    if !available(&["bash", "git", "node", "npm"])? {
        return Ok(());
    }
    in_work_folder("ci-gitlab-schema", |folder| {
        let (_, snippet) = section()?.split_once("\n```yaml\n").context("no snippet")?;
        let (snippet, _) = snippet.split_once("```").context("it does not end")?;
        let listed: Value = serde_json::from_str(&jobs(folder, snippet)?.success()?.stdout)?;
        assert_eq!((&listed[0]["name"], &listed[0]["when"]), (&"fuzz".into(), &"on_success".into()), "{listed}");
        let refused = jobs(folder, &snippet.replace("restive-out/junit.xml", "7"))?;
        ensure!(refused.code != Some(0) && refused.stderr.contains("artifacts.reports.junit"), "{refused:?}");
        Ok(())
    })
}

/// What a Jenkinsfile calls and how it ends, a line each.
fn steps(folder: &Path, pipeline: &str) -> Result<Finished> {
    let libraries = maven_libraries("jenkins-pipeline-unit", &[PIPELINE_UNIT])?;
    fs::write(folder.join("Jenkinsfile"), pipeline)?;
    let mut groovy = Command::new("java");
    for package in OPENED {
        groovy.arg("--add-opens").arg(format!("java.base/{package}=ALL-UNNAMED"));
    }
    groovy.arg("-cp").arg(format!("{}/*", libraries.display())).arg("groovy.ui.GroovyMain");
    groovy.arg(service_files().join("jenkinsfile.groovy")).arg("Jenkinsfile").current_dir(folder).env("PATH", path()?);
    run(&mut groovy, folder, "jenkins", Duration::from_mins(5))
}

/// Where programs are looked for, restive first.
fn path() -> Result<String> {
    Ok(format!("{}:{}", binary()?.parent().context("a folder")?.display(), std::env::var("PATH")?))
}

#[test]
fn the_snippet_for_jenkins_fails_for_faults_and_has_its_reports_read_then() -> Result<()> {
    if !available(&["bash", "java", "mvn"])? {
        return Ok(());
    }
    in_work_folder("ci-jenkins", |folder| {
        let (_, snippet) = section()?.split_once("\n```groovy\n").context("no snippet")?;
        let (snippet, _) = snippet.split_once("```").context("it does not end")?;
        let shop = Demo::start()?;
        let pipeline = on_shop(folder, &shop, snippet)?;
        let found = steps(folder, &pipeline)?.success()?;
        let lines: Vec<&str> = found.stdout.lines().collect();
        let called = |start: &str| lines.iter().position(|line| line.starts_with(start)).with_context(|| found.stdout.clone());
        ensure!(called("Jenkinsfile.sh(restive fuzz ")? < called("Jenkinsfile.junit(restive-out/junit.xml)")?);
        ensure!(called("Jenkinsfile.recordIssues({tool={pattern=restive-out/results.sarif}})")? < called("failed: exit 1")?);
        let refused = steps(folder, &pipeline.replace("} finally {", "} at last {"))?;
        ensure!(refused.code != Some(0), "{}", refused.stdout);
        Ok(())
    })
}

/// A command of a snippet for the service of the test, whose files are put into the folder, and for less time.
fn on_shop(folder: &Path, shop: &Demo, snippet: &str) -> Result<String> {
    fs::write(folder.join("openapi.json"), OPENAPI)?;
    fs::write(folder.join("auth.yaml"), AUTH)?;
    let service = format!("--url {} --schema openapi.json --auth-file auth.yaml --rng-seed 42", shop.url());
    let snippet = snippet.replace("--jar app.jar", &service).replace("--budget 60s", "--budget \"5000 calls\"");
    ensure!(snippet.contains("restive fuzz --url") && snippet.contains("5000 calls"), "{snippet}");
    Ok(snippet)
}

/// The command of the snippet for GitLab leaves every file that the snippets read.
#[test]
fn the_snippets_read_files_that_their_command_writes() -> Result<()> {
    if !available(&["bash", "git"])? {
        return Ok(());
    }
    in_work_folder("ci-gitlab", |folder| {
        let section = section()?;
        let script = section.lines().find_map(|line| line.trim().strip_prefix("script: ")).context("no script")?;
        let shop = Demo::start()?;
        let command = on_shop(folder, &shop, script)?;
        let mut shell = Command::new("bash");
        shell.args(["-e", "-c", &command]).current_dir(folder).env("PATH", path()?).env("GITLAB_CI", "true");
        // What a job for a merge request has: a checkout, and the commit that it branched off.
        let git = "git init -q && git add . && git -c user.name=a -c user.email=a@a.example commit -q -m base";
        run(Command::new("bash").args(["-e", "-c", git]).current_dir(folder), folder, "git", Duration::from_mins(1))?
            .success()?;
        shell.env("CI_MERGE_REQUEST_DIFF_BASE_SHA", "HEAD");
        let finished = run(&mut shell, folder, "script", Duration::from_mins(5))?;
        ensure!(finished.code == Some(1), "{:?}\n{}", finished.code, finished.stderr);
        let names = section.split(|other: char| !(other.is_alphanumeric() || "-./".contains(other)));
        let files: Vec<&str> = names.filter(|name| name.starts_with("restive-out/")).collect();
        ensure!(files.len() >= 4, "{files:?}");
        for file in files {
            ensure!(folder.join(file).is_file(), "there is no {file}");
        }
        Ok(())
    })
}
