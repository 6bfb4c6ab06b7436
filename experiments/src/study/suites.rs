//! `study suites`: executes the suites of kept runs, shuffled, each time against the service started anew.
//!
//! Every pass has a service of its own that starts in an empty folder, so that nothing is left of passes before it but what
//! lies outside; the service of the last pass is then used once more, in the order as written. What a form printed in a
//! pass that failed stays beside the results of the run.

mod serve;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use restive_e2e::suites::{Counts, Frame, Order, execute_in};
use restive_e2e::toolchain::available;
use serde_json::{Value, json};

use super::execute::Bench;
use super::expand::{PlannedRun, Shard, expand};
use super::plan::Study;
use super::stop::Stop;
use super::{SuitesArguments, conduct};
use serve::Launch;

/// File of the lines, in the folder of the study.
const LINES: &str = "suites.jsonl";

/// How a form went.
#[derive(Debug)]
struct Outcome {
    form: &'static str,
    /// Counts of the passes in other orders, each on a service of its own; none for one that broke off.
    shuffled: Vec<Option<Counts>>,
    /// Counts of the pass in the order as written on the service of the last one.
    used: Option<Counts>,
}

/// Executes the suites of all kept runs of the study, and prints a table.
pub fn run(arguments: &SuitesArguments) -> Result<()> {
    let study = Study::load(&arguments.study)?;
    let bench = conduct::bench(&study, &arguments.study, &arguments.out, arguments.restive.as_deref(), Stop::default())?;
    let wanted = |run: &PlannedRun<'_>| arguments.subject.is_empty() || arguments.subject.contains(&run.subject.name);
    let runs: Vec<_> = expand(&study, Shard::WHOLE).into_iter().filter(wanted).collect();
    ensure!(!runs.is_empty(), "the study has no such subject");
    let mut lines = File::options().create(true).append(true).open(arguments.out.join(LINES))?;
    let mut n_failed = 0;
    println!(
        "| subject | seed | form | tests | left out | fresh, shuffled | used |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    for run in &runs {
        let suite = Suite::of(&bench, run)?;
        for frame in Frame::ALL {
            let is_wanted = arguments.form.is_empty() || arguments.form.iter().any(|form| form == frame.form());
            if !is_wanted || !available(frame.programs())? {
                continue;
            }
            let outcome = suite.execute(frame, arguments.passes)?;
            writeln!(lines, "{}", suite.line(&outcome))?;
            println!("{}", suite.row(&outcome));
            n_failed += usize::from(!suite.has_passed(&outcome));
        }
    }
    ensure!(n_failed == 0, "suites with a pass in which a test failed: {n_failed}");
    Ok(())
}

/// What a kept run wrote.
struct Suite<'a> {
    run: &'a PlannedRun<'a>,
    launch: Launch,
    folder: PathBuf,
    /// Path of the service below which the tests call.
    base_path: String,
    n_tests: usize,
}

impl<'a> Suite<'a> {
    fn of(bench: &Bench, run: &'a PlannedRun<'a>) -> Result<Self> {
        let folder = bench.folder_of(run);
        let file = folder.join("out/suite/tests.json");
        let text = fs::read(&file).with_context(|| format!("no `{}`: `study run --keep` makes it", file.display()))?;
        let written: Value = serde_json::from_slice(&text)?;
        let n_tests = written["tests"].as_array().map_or(0, Vec::len);
        ensure!(n_tests > 0, "`{}` has no tests", file.display());
        let base_url = written["base_url"].as_str().context("no base URL")?;
        let base_path = url::Url::parse(base_url)?.path().trim_end_matches('/').to_owned();
        Ok(Self { run, launch: Launch::of(bench, run)?, folder, base_path, n_tests })
    }

    /// Executes one form that many times in other orders, each time on a service started anew, and then as written.
    fn execute(&self, frame: Frame, passes: u64) -> Result<Outcome> {
        let mut outcome = Outcome { form: frame.form(), shuffled: Vec::new(), used: None };
        for pass in 1..=passes {
            let folder = self.folder.join(format!("service-{}-{pass}", frame.form()));
            let service = self.launch.start(&folder)?;
            let url = format!("{}{}", service.url(), self.base_path);
            outcome.shuffled.push(self.pass(frame, &url, Order::Shuffled(pass)));
            if pass == passes {
                outcome.used = self.pass(frame, &url, Order::Written);
            }
            drop(service);
            fs::remove_dir_all(&folder)?;
        }
        Ok(outcome)
    }

    /// Counts of one pass; none when it broke off.
    fn pass(&self, frame: Frame, url: &str, order: Order) -> Option<Counts> {
        let out = self.folder.join("out");
        let credentials = self.run.subject.suite_environment.iter();
        let variables: Vec<(&str, &str)> = credentials.map(|(name, value)| (&**name, &**value)).collect();
        let counts = execute_in(frame, &out, &[&variables[..], &[("RESTIVE_BASE_URL", url)]].concat(), order);
        let name = format!("{} {} {order:?}", self.run.subject.name, frame.form());
        match &counts {
            Ok(counts) => eprintln!("{name}: {counts:?}"),
            Err(error) => eprintln!("{name}: {error:#}"),
        }
        if !counts.as_ref().is_ok_and(|counts| counts.failed == 0) {
            keep_output(&out, frame, order);
        }
        counts.ok()
    }

    fn passes(&self, counts: Option<&Counts>) -> bool {
        counts.is_some_and(|counts| counts.failed == 0 && counts.tests == self.n_tests && counts.skipped < counts.tests)
    }

    fn has_passed(&self, outcome: &Outcome) -> bool {
        outcome.shuffled.iter().chain([&outcome.used]).all(|counts| self.passes(counts.as_ref()))
    }

    fn line(&self, outcome: &Outcome) -> Value {
        let counts = |counts: &Option<Counts>| {
            counts.map(|counts| json!({ "tests": counts.tests, "failed": counts.failed, "skipped": counts.skipped }))
        };
        json!({
            "subject": self.run.subject.name, "configuration": self.run.configuration.name, "rng_seed": self.run.rng_seed,
            "form": outcome.form, "tests": self.n_tests, "shuffled": outcome.shuffled.iter().map(counts).collect::<Vec<_>>(),
            "used": counts(&outcome.used),
        })
    }

    /// The line of the table.
    fn row(&self, outcome: &Outcome) -> String {
        let n_passed = outcome.shuffled.iter().filter(|counts| self.passes(counts.as_ref())).count();
        let failed: Vec<String> = outcome.shuffled.iter().map(|counts| failed_of(counts.as_ref())).collect();
        let all = if n_passed == failed.len() { String::new() } else { format!(" (failed: {})", failed.join(", ")) };
        let used =
            if self.passes(outcome.used.as_ref()) { "passed".to_owned() } else { failed_of(outcome.used.as_ref()) + " failed" };
        let skipped = outcome.shuffled.iter().flatten().map(|counts| counts.skipped).max().unwrap_or_default();
        let (subject, seed, form) = (&self.run.subject.name, self.run.rng_seed, outcome.form);
        format!("| {subject} | {seed} | {form} | {} | {skipped} | {n_passed} of {}{all} | {used} |", self.n_tests, failed.len())
    }
}

/// How many tests failed, as text.
fn failed_of(counts: Option<&Counts>) -> String {
    counts.map_or_else(|| "broke off".to_owned(), |counts| counts.failed.to_string())
}

/// Keeps what the form printed; the next pass would overwrite it.
fn keep_output(out: &Path, frame: Frame, order: Order) {
    let order = match order {
        Order::Written => "written".to_owned(),
        Order::Shuffled(seed) => format!("shuffled-{seed}"),
    };
    for stream in ["stdout", "stderr"] {
        let printed = out.join(format!("{}.{stream}", frame.form()));
        // A pass that could not begin printed nothing.
        let _ = fs::copy(printed, out.join(format!("{}-{order}.{stream}", frame.form())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_failed() {
        let subject = super::super::plan::Subject { name: "shop".to_owned(), ..Default::default() };
        let configuration = super::super::plan::Configuration { name: "x".to_owned(), arguments: Vec::new() };
        let run =
            PlannedRun { subject: &subject, configuration: &configuration, rng_seed: 1, budget: "", arguments: Vec::new() };
        let suite =
            Suite { run: &run, launch: Launch::default(), folder: PathBuf::new(), base_path: String::new(), n_tests: 9 };
        let counts = |failed| Some(Counts { tests: 9, failed, skipped: 1 });
        let good = Outcome { form: "rust", shuffled: vec![counts(0); 3], used: counts(0) };
        assert_eq!(suite.row(&good), "| shop | 1 | rust | 9 | 1 | 3 of 3 | passed |");
        assert!(suite.has_passed(&good));
        let fewer = Some(Counts { tests: 8, failed: 0, skipped: 0 });
        let bad = Outcome { form: "rust", shuffled: vec![counts(0), counts(2), fewer, None], used: counts(1) };
        assert_eq!(suite.row(&bad), "| shop | 1 | rust | 9 | 1 | 1 of 4 (failed: 0, 2, 0, broke off) | 1 failed |");
        assert!(!suite.has_passed(&bad));
    }
}
