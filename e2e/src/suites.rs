//! Executes written suites of every form: each by its own runner, in copies where a run leaves something behind.

mod shuffle;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::process::run;
use crate::toolchain::{SHORT_LIVED, available, maven, npm_package, python_environment, service_files};
use crate::work::{copy_folder, e2e_folder};

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

/// How one test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It passed.
    Passed,
    /// It failed or broke off.
    Failed,
    /// It was skipped.
    Skipped,
}

/// A frame that executes suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Python: `suite/pytest/`.
    Pytest,
    /// Java: `suite/junit-java/`.
    Junit,
    /// Kotlin: `suite/junit-kotlin/`.
    Kotlin,
    /// Rust: `suite/rust/`.
    Rust,
    /// Node.js: `suite/javascript/`.
    Javascript,
    /// httpYac: `suite/http/`.
    Http,
    /// bash, curl and jq: `suite/curl/`.
    Curl,
}

/// In which order the tests are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As written.
    Written,
    /// Shuffled; each number gives another order. Runners that cannot do that are given their tests one by one or in
    /// another order.
    Shuffled(u64),
}

impl Frame {
    /// Every frame.
    pub const ALL: [Self; 7] = [Self::Pytest, Self::Junit, Self::Kotlin, Self::Rust, Self::Javascript, Self::Http, Self::Curl];

    /// The name of the form on the command line, which is also its folder.
    pub fn form(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::Junit => "junit-java",
            Self::Kotlin => "junit-kotlin",
            Self::Rust => "rust",
            Self::Javascript => "javascript",
            Self::Http => "http",
            Self::Curl => "curl",
        }
    }

    /// What must be on the machine.
    pub fn programs(self) -> &'static [&'static str] {
        match self {
            Self::Pytest => &["python3"],
            Self::Junit | Self::Kotlin => &["java", "mvn"],
            Self::Rust => &["cargo"],
            Self::Javascript => &["node"],
            Self::Http => &["node", "npm"],
            Self::Curl => &["bash", "curl", "jq"],
        }
    }
}

/// Executes the suites of these frames three times in a row on a running service, with these variables set; after the first
/// pass in another order, where `is_reset` says that no test depends on the one before.
///
/// # Errors
/// As [`pass_three_times`].
pub fn all_pass_three_times(
    frames: &[Frame],
    out: &Path,
    n_tests: usize,
    variables: &[(&str, &str)],
    is_reset: bool,
) -> Result<()> {
    for frame in frames {
        if !available(frame.programs())? {
            continue;
        }
        for pass in 1..=PASSES {
            let order = if pass > 1 && is_reset { Order::Shuffled(pass as u64) } else { Order::Written };
            let counts = execute_in(*frame, out, variables, order)?;
            eprintln!("{frame:?}, pass {pass} of {PASSES}, {order:?}: {counts:?}");
            ensure!(counts.failed == 0, "{frame:?}, pass {pass}: {counts:?}\n{}", failures(*frame, out));
            ensure!(counts.tests > counts.skipped, "{frame:?}, pass {pass}: no test was executed");
            ensure!(counts.tests == n_tests, "{frame:?}, pass {pass}: {counts:?}, but results.json has {n_tests} tests");
        }
    }
    Ok(())
}

/// Executes both suites of an output folder three times in a row on a running service, with these variables set.
///
/// # Errors
/// When a pass has a failed test, executes none, or counts differ between passes or from `n_tests`.
pub fn pass_three_times(out: &Path, n_tests: usize, variables: &[(&str, &str)]) -> Result<()> {
    all_pass_three_times(&[Frame::Pytest, Frame::Junit], out, n_tests, variables, false)
}

/// Executes one suite of an output folder once.
pub fn execute(frame: Frame, out: &Path, variables: &[(&str, &str)]) -> Result<Counts> {
    execute_in(frame, out, variables, Order::Written)
}

/// Executes one suite of an output folder once in that order.
pub fn execute_in(frame: Frame, out: &Path, variables: &[(&str, &str)], order: Order) -> Result<Counts> {
    let project = out.join("suite").join(frame.form());
    ensure!(project.is_dir(), "there is no `{}`", project.display());
    let run = Run { frame, out, project, variables, order };
    match frame {
        Frame::Pytest => run.pytest(),
        Frame::Junit | Frame::Kotlin => run.maven(),
        Frame::Rust => run.cargo(),
        Frame::Javascript => run.node(),
        Frame::Http => run.httpyac(),
        Frame::Curl => run.bash(),
    }
}

/// One execution of a suite.
struct Run<'a> {
    frame: Frame,
    out: &'a Path,
    project: PathBuf,
    variables: &'a [(&'a str, &'a str)],
    order: Order,
}

impl Run<'_> {
    /// Runs `command` with the variables and returns what it printed.
    fn finish(&self, command: &mut Command) -> Result<String> {
        command.envs(self.variables.iter().copied());
        let finished = run(command, self.out, self.frame.form(), PASS_LIMIT)?;
        Ok(finished.stdout + &finished.stderr)
    }

    /// The value of a variable.
    fn variable(&self, name: &str) -> &str {
        self.variables.iter().find(|(other, _)| *other == name).map_or("", |(_, value)| value)
    }

    fn pytest(&self) -> Result<Counts> {
        let report = self.out.join("pytest.xml");
        let environment = python_environment("pytest", &service_files().join("pytest-requirements.txt"))?;
        let mut command = Command::new(environment.join("bin/python"));
        // No cache and no byte code: the suite folder must stay as it was written.
        command.args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(format!("--junitxml={}", report.display()));
        if let Order::Shuffled(seed) = self.order {
            command.args(["--random-order-bucket=global", &format!("--random-order-seed={seed}")]);
        }
        command.current_dir(&self.project);
        self.finish(&mut command)?;
        counts(&fs::read_to_string(&report).with_context(|| failures(self.frame, self.out))?)
    }

    fn maven(&self) -> Result<Counts> {
        let build = self.out.join(format!("{}-build", self.frame.form()));
        if !build.exists() {
            copy_folder(&self.project, &build)?;
        }
        let reports = build.join("target/surefire-reports");
        if reports.exists() {
            fs::remove_dir_all(&reports)?;
        }
        let mut command = maven();
        command.arg("test").arg(format!("-DargLine={SHORT_LIVED}")).current_dir(&build);
        if let Order::Shuffled(seed) = self.order {
            for (what, orderer) in [("testclass", "ClassOrderer"), ("testmethod", "MethodOrderer")] {
                command.arg(format!("-Djunit.jupiter.{what}.order.default=org.junit.jupiter.api.{orderer}$Random"));
            }
            command.arg(format!("-Djunit.jupiter.execution.order.random.seed={seed}"));
        }
        self.finish(&mut command)?;
        let mut sum = Counts::default();
        for entry in fs::read_dir(&reports).with_context(|| failures(self.frame, self.out))? {
            let file_path = entry?.path();
            if file_path.extension().is_some_and(|extension| extension == "xml") {
                sum.add(counts(&fs::read_to_string(file_path)?)?);
            }
        }
        Ok(sum)
    }

    /// All suites in Rust share one folder of built packages; in the order as written threads have a say in it.
    fn cargo(&self) -> Result<Counts> {
        let build = copy_to_build(&self.project, self.out)?;
        let mut command = Command::new("cargo");
        command.args(["test", "--test", "suite"]).current_dir(&build).env("CARGO_TARGET_DIR", e2e_folder()?.join("rust-suite"));
        if let Order::Shuffled(seed) = self.order {
            command.args(shuffle::cargo_arguments(seed));
        }
        let text = self.finish(&mut command)?;
        let line =
            text.lines().find(|line| line.starts_with("test result: ")).with_context(|| failures(self.frame, self.out))?;
        let [passed, failed, skipped] = ["passed", "failed", "ignored"].map(|word| number_before(line, word));
        Ok(Counts { tests: passed + failed + skipped, failed, skipped })
    }

    fn node(&self) -> Result<Counts> {
        if let Order::Shuffled(seed) = self.order {
            return self.node_one_by_one(seed);
        }
        let mut command = Command::new("node");
        command.args(["--test", "--test-reporter=tap"]).current_dir(&self.project);
        let text = self.finish(&mut command)?;
        let number = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("# {name} ")));
            line.and_then(|number| number.parse::<usize>().ok()).with_context(|| failures(self.frame, self.out))
        };
        Ok(Counts { tests: number("tests")?, failed: number("fail")? + number("cancelled")?, skipped: number("skipped")? })
    }

    /// Each test in a process of its own, for Node.js has no other way to change their order.
    fn node_one_by_one(&self, seed: u64) -> Result<Counts> {
        let names = shuffle::shuffled(shuffle::test_names(self.out)?, seed);
        let mut sum = Counts { tests: names.len(), ..Counts::default() };
        let mut printed = String::new();
        for name in &names {
            let mut command = Command::new("node");
            let pattern = shuffle::node_pattern(&self.project, name)?;
            command.args(["--test-reporter=tap", "--test-name-pattern", &pattern, "suite.test.js"]);
            let text = self.finish(command.current_dir(&self.project))?;
            match shuffle::node_outcome(&text).with_context(|| text.clone())? {
                Outcome::Passed => {}
                Outcome::Skipped => sum.skipped += 1,
                Outcome::Failed => {
                    sum.failed += 1;
                    printed += &text;
                }
            }
        }
        fs::write(self.out.join(format!("{}.stdout", self.frame.form())), printed)?;
        Ok(sum)
    }

    /// Counts the tests in the files, those without requests as skipped, and the requests that failed.
    fn httpyac(&self) -> Result<Counts> {
        let installed = npm_package("httpyac", "httpyac@6.16.7")?;
        let mut command = Command::new("node");
        command.arg(installed.join("node_modules/httpyac/bin/httpyac.js"));
        command.args(["send", "*.http", "--all", "--env", "default", "--output", "none", "--output-failed", "exchange"]);
        command.arg("--var").arg(format!("base_url={}", self.variable("RESTIVE_BASE_URL")));
        for (name, value) in self.variables.iter().filter(|(name, _)| name.starts_with("RESTIVE_AUTH")) {
            let value = value.split_once(": ").map_or(*value, |(_, value)| value);
            command.arg("--var").arg(format!("{name}={value}"));
        }
        if let Order::Shuffled(seed) = self.order {
            let copy = self.out.join("http-shuffled");
            shuffle::shuffle_http_files(&self.project, &copy, seed)?;
            command.current_dir(copy);
        } else {
            command.current_dir(&self.project);
        }
        let text = self.finish(&mut command)?;
        let line =
            text.lines().find(|line| line.contains("requests processed")).with_context(|| failures(self.frame, self.out))?;
        let mut written =
            Counts { failed: number_before(line, "failed") + number_before(line, "errored"), ..Counts::default() };
        for entry in fs::read_dir(&self.project)? {
            let file_path = entry?.path();
            if file_path.extension().is_some_and(|extension| extension == "http") {
                let page = fs::read_to_string(file_path)?;
                written.tests += page.lines().filter(|line| line.starts_with("# Test: ")).count();
                written.skipped += page.lines().filter(|line| line.starts_with("# Left out here: ")).count();
            }
        }
        Ok(written)
    }

    fn bash(&self) -> Result<Counts> {
        let mut command = Command::new("bash");
        command.arg("run.sh").current_dir(&self.project);
        if let Order::Shuffled(seed) = self.order {
            let listed = Command::new("bash").args(["run.sh", "--list"]).current_dir(&self.project).output()?;
            let listed = String::from_utf8(listed.stdout)?;
            command.args(shuffle::shuffled(listed.lines().map(str::to_owned).collect(), seed));
        }
        let text = self.finish(&mut command)?;
        let line = text.lines().rfind(|line| line.contains(" passed, ")).with_context(|| failures(self.frame, self.out))?;
        let [passed, failed, skipped] = ["passed", "failed", "skipped"].map(|word| number_before(line, word));
        Ok(Counts { tests: passed + failed + skipped, failed, skipped })
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// The suite's copy in which it is built, for what a build leaves is no part of a suite.
///
/// Suites that tests build at the same time into one folder are told apart by their versions alone.
fn copy_to_build(project: &Path, out: &Path) -> Result<PathBuf> {
    let build = out.join("rust-build");
    if !build.exists() {
        copy_folder(project, &build)?;
        let manifest = build.join("Cargo.toml");
        let written = fs::read_to_string(&manifest)?;
        let own: String = out.to_string_lossy().chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '-' }).collect();
        let changed = written.replacen("version = \"0.1.0\"", &format!("version = \"0.1.0+{own}\""), 1);
        ensure!(changed != written, "`{}` has another version", manifest.display());
        fs::write(&manifest, changed)?;
    }
    Ok(build)
}

/// The number before a word of a line: 3 for `failed` in `1 passed; 3 failed`; 0 where the word is missing.
fn number_before(line: &str, word: &str) -> usize {
    let words: Vec<&str> =
        line.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let found = words.windows(2).find(|pair| pair[1] == word).and_then(|pair| pair[0].parse().ok());
    found.unwrap_or(0)
}

/// What the frame printed in its last pass.
fn failures(frame: Frame, out: &Path) -> String {
    let read = |stream: &str| fs::read(out.join(format!("{}.{stream}", frame.form()))).unwrap_or_default();
    let text = [read("stdout"), read("stderr")].concat();
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
    use crate::work::in_work_folder;

    use super::*;

    #[test]
    fn numbers_stand_before_their_words() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured";
        assert_eq!(["passed", "failed", "ignored", "errored"].map(|word| number_before(line, word)), [12, 3, 1, 0]);
        assert_eq!(number_before("7 requests processed (6 succeeded, 1 failed)", "failed"), 1);
    }

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

    /// Both are copied before either is built, as by tests at the same time.
    #[test]
    fn suites_that_are_built_into_one_folder_stay_their_own() -> Result<()> {
        let manifest = "[package]\nname = \"restive-suite\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
        in_work_folder("suites-apart", |folder| {
            for name in ["first", "second"] {
                let project = folder.join(name).join("suite/rust");
                fs::create_dir_all(project.join("src"))?;
                fs::create_dir_all(project.join("tests/suite"))?;
                fs::write(project.join("Cargo.toml"), manifest)?;
                fs::write(project.join("src/lib.rs"), format!("pub const NAME: &str = \"{name}\";"))?;
                let test = format!("#[test]\nfn is_{name}() {{ assert_eq!(restive_suite::NAME, \"{name}\") }}");
                let another = if name == "first" { "\n#[test]\nfn another() {}" } else { "" };
                fs::write(project.join("tests/suite/main.rs"), test + another)?;
                copy_to_build(&project, &folder.join(name))?;
            }
            for (name, tests) in [("second", 1), ("first", 2)] {
                let counts = execute(Frame::Rust, &folder.join(name), &[])?;
                assert_eq!(counts, Counts { tests, failed: 0, skipped: 0 }, "{name}");
            }
            Ok(())
        })
    }
}
