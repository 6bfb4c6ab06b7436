//! Executes written suites: pytest in a Python environment, JUnit through Maven.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::process::run;
use crate::toolchain::{available, python_environment, service_files};
use crate::work::copy_folder;

/// How long one pass of a suite may take, a first download of Maven's packages included.
const PASS_LIMIT: Duration = Duration::from_mins(15);

/// How often a suite must pass.
const PASSES: usize = 3;

/// How many tests one pass of a suite had.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// All tests, skipped ones included.
    pub tests: usize,
    /// Tests that failed or broke off.
    pub failed: usize,
    /// Tests that were skipped.
    pub skipped: usize,
}

/// A frame that executes suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Python: `suite/pytest/`.
    Pytest,
    /// Java: `suite/junit-java/`.
    Junit,
}

/// Executes both suites of an output folder three times in a row on a running service, with these variables set.
///
/// # Errors
/// When a pass has a failed test, executes none, or counts differ between passes or from `n_tests`.
pub fn pass_three_times(out: &Path, n_tests: usize, variables: &[(&str, &str)]) -> Result<()> {
    for (frame, programs) in [(Frame::Pytest, &["python3"][..]), (Frame::Junit, &["java", "mvn"])] {
        if !available(programs)? {
            continue;
        }
        for pass in 1..=PASSES {
            let counts = execute(frame, out, variables)?;
            eprintln!("{frame:?}, pass {pass} of {PASSES}: {counts:?}");
            ensure!(counts.failed == 0, "{frame:?}, pass {pass}: {counts:?}\n{}", failures(frame, out));
            ensure!(counts.tests > counts.skipped, "{frame:?}, pass {pass}: no test was executed");
            ensure!(counts.tests == n_tests, "{frame:?}, pass {pass}: {counts:?}, but results.json has {n_tests} tests");
        }
    }
    Ok(())
}

/// Executes one suite of an output folder once.
pub fn execute(frame: Frame, out: &Path, variables: &[(&str, &str)]) -> Result<Counts> {
    match frame {
        Frame::Pytest => pytest(out, variables),
        Frame::Junit => junit(out, variables),
    }
}

fn pytest(out: &Path, variables: &[(&str, &str)]) -> Result<Counts> {
    let (project, report) = (out.join("suite/pytest"), out.join("pytest.xml"));
    ensure!(project.is_dir(), "there is no `{}`", project.display());
    let mut command =
        Command::new(python_environment("pytest", &service_files().join("pytest-requirements.txt"))?.join("bin/python"));
    // No cache and no byte code: the suite folder must stay as it was written.
    command.args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(format!("--junitxml={}", report.display()));
    command.current_dir(&project).envs(variables.iter().copied());
    run(&mut command, out, "pytest", PASS_LIMIT)?;
    let text = fs::read_to_string(&report).with_context(|| failures(Frame::Pytest, out))?;
    counts(&text)
}

fn junit(out: &Path, variables: &[(&str, &str)]) -> Result<Counts> {
    let project = out.join("suite/junit-java");
    ensure!(project.is_dir(), "there is no `{}`", project.display());
    let build = out.join("junit-build");
    if !build.exists() {
        copy_folder(&project, &build)?;
    }
    let reports = build.join("target/surefire-reports");
    if reports.exists() {
        fs::remove_dir_all(&reports)?;
    }
    let mut command = Command::new("mvn");
    command.args(["-q", "-B", "test"]).current_dir(&build).envs(variables.iter().copied());
    run(&mut command, out, "junit", PASS_LIMIT)?;
    let mut sum = Counts::default();
    for entry in fs::read_dir(&reports).with_context(|| failures(Frame::Junit, out))? {
        let file_path = entry?.path();
        if file_path.extension().is_some_and(|extension| extension == "xml") {
            let counts = counts(&fs::read_to_string(file_path)?)?;
            sum.tests += counts.tests;
            sum.failed += counts.failed;
            sum.skipped += counts.skipped;
        }
    }
    Ok(sum)
}

/// What the frame printed in its last pass.
fn failures(frame: Frame, out: &Path) -> String {
    let name = if frame == Frame::Pytest { "pytest" } else { "junit" };
    let text = fs::read(out.join(format!("{name}.stdout"))).unwrap_or_default();
    String::from_utf8_lossy(&text).chars().take(6000).collect()
}

/// Counts from the first `<testsuite>` of a report in JUnit's XML form.
fn counts(xml: &str) -> Result<Counts> {
    let start = xml.find("<testsuite ").context("the report has no `<testsuite>`")?;
    let tag = &xml[start..start + xml[start..].find('>').context("the report breaks off")?];
    let number = |name: &str| {
        let value = tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split('"').next());
        value.and_then(|value| value.parse::<usize>().ok())
    };
    let tests = number("tests").context("the report has no count of tests")?;
    let failed = number("failures").unwrap_or(0) + number("errors").unwrap_or(0);
    Ok(Counts { tests, failed, skipped: number("skipped").unwrap_or(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_both_frames() -> Result<()> {
        let pytest = r#"<?xml version="1.0"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="9">"#;
        assert_eq!(counts(pytest)?, Counts { tests: 9, failed: 3, skipped: 3 });
        let surefire =
            r#"<testsuite xmlns:xsi="x" version="3.0" name="A" time="0.1" tests="4" errors="0" skipped="0" failures="0">"#;
        assert_eq!(counts(surefire)?, Counts { tests: 4, failed: 0, skipped: 0 });
        assert!(counts("<html>").is_err());
        Ok(())
    }
}
