//! The console summary: what was found, what was covered, what was not and why, and what to do next.
//!
//! [`summary`] is the entry point; it reads [`Results`] only, so it says nothing that the file does not.

mod advice;
mod changes;
mod connections;
mod faults;
mod operations;

use std::fmt::Write as _;

pub(super) use changes::extent;

use super::results::{CoverageResult, ExpansionsResult, HintsResult, Results};
use super::run::SuiteFile;
use super::style::{Style, count, grouped, printable};
use super::write::{REPORT_FILE, RESULTS_FILE};

/// Lines of one list before the rest is only counted.
const MAX_LIST: usize = 10;

/// Causes of tests that do not repeat, shown at most.
const MAX_CAUSES: usize = 5;
/// Why tests are left out that may hold only after others, and what is to be done.
const UNPROVEN: &str = "no time to see that they always hold on a service started anew; a larger `--budget` gives more";
/// Kinds of hints named, at most.
const MAX_USAGES: usize = 5;

/// What the summary says beyond the results.
#[derive(Debug, Clone, Copy)]
pub struct SummaryPlaces<'a> {
    /// The output folder as the user knows it.
    pub folder: &'a str,
    /// Whether the result files were written.
    pub has_results: bool,
    /// Other files that were written, with what they hold.
    pub other_files: &'a [(&'static str, &'static str)],
    /// Files of the written suite.
    pub suite_files: &'a [SuiteFile],
    /// What to do next, as purpose and shell command: how to run each suite.
    pub commands: &'a [(String, String)],
}

/// The summary as text of several lines.
pub fn summary(results: &Results, places: &SummaryPlaces, style: Style) -> String {
    let mut text = String::new();
    write_head(&mut text, results, style);
    faults::write(&mut text, results, style);
    operations::write(&mut text, results, style);
    changes::write(&mut text, results, style);
    write_covered(&mut text, results, style);
    write_files(&mut text, places, style);
    advice::write(&mut text, results, places, style);
    text
}

fn write_head(text: &mut String, results: &Results, style: Style) {
    let run = &results.run;
    let title = if run.title.trim().is_empty() { "the service" } else { run.title.trim() };
    let _ = writeln!(text, "{} at {}", style.bold(&printable(title)), printable(&run.base_url));
    let calls = count(run.calls, "call", "calls");
    let _ = write!(text, "{calls} in {} ({:.0} a second), seed {}", seconds(run.seconds), run.calls_per_second, run.rng_seed);
    let ended = match run.ended_by {
        "interrupted" => style.yellow("; stopped before the end"),
        "sut_lost" => style.red("; the service could not be brought back"),
        _ => String::new(),
    };
    let restarts = match run.sut_restarts {
        0 => String::new(),
        restarts => format!("; the service was restarted {}", times(restarts)),
    };
    let _ = writeln!(text, "{restarts}{ended}");
    connections::write(text, results);
    text.push('\n');
}

fn write_covered(text: &mut String, results: &Results, style: Style) {
    let coverage = &results.coverage;
    let targets = count(coverage.targets as u64, "target", "targets");
    let tests = match results.tests.len() {
        0 => String::new(),
        tests => format!(", kept in {}", count(tests as u64, "test", "tests")),
    };
    let _ = writeln!(text, "{} {targets}{tests}", style.bold("Covered:"));
    write_left_out(text, results.run.unstable_tests, "answers differ from execution to execution");
    write_causes(text, results);
    let left_out = [
        (results.run.untried_tests, "there was no time to execute them again"),
        (results.run.unproven_tests, UNPROVEN),
        (results.run.deadly_tests, "the service ends when they are executed"),
    ];
    for (number, reason) in left_out {
        write_left_out(text, number, reason);
    }
    write_measured(text, coverage);
    write_hints(text, &results.run.hints);
    write_expansions(text, &results.run.expansions);
    if coverage.driver.is_some() {
        let _ = match coverage.classes_on_disk {
            Some(all) => write!(text, "  {} of {} loaded", grouped(coverage.classes as u64), count(all, "class", "classes")),
            None => write!(text, "  {} of the service", count(coverage.classes as u64, "class", "classes")),
        };
        match coverage.classes_skipped {
            0 => text.push('\n'),
            skipped => {
                let _ = writeln!(text, "; {} not measured, see {RESULTS_FILE}", grouped(skipped));
            }
        }
    }
    text.push('\n');
}

/// How much of the code and its library calls was reached, where a driver counts.
fn write_measured(text: &mut String, coverage: &CoverageResult) {
    let measured =
        [("lines", coverage.lines), ("branches", coverage.branches), ("outcomes of library calls", coverage.replacements)];
    for (name, covered) in measured {
        if covered.total > 0 {
            let share = covered.covered as f64 * 100.0 / covered.total as f64;
            let boot = grouped(covered.covered_at_boot);
            let of = grouped(covered.total);
            let _ = writeln!(text, "  {name} {} of {of} ({share:.1} %), {boot} of them by starting", grouped(covered.covered));
        }
    }
}

/// What was learned from where the service used values of calls.
fn write_hints(text: &mut String, hints: &HintsResult) {
    let arrived: u64 = hints.arrived.values().sum();
    if arrived > 0 {
        let mut kinds: Vec<_> = hints.arrived.iter().collect();
        kinds.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
        let kinds: Vec<String> =
            kinds.into_iter().take(MAX_USAGES).map(|(usage, number)| format!("{} {usage}", grouped(*number))).collect();
        let inputs = count(hints.inputs as u64, "input", "inputs");
        let _ = writeln!(text, "  {} ({}); {inputs} took a value from them", count(arrived, "hint", "hints"), kinds.join(", "));
    }
}

fn write_expansions(text: &mut String, expansions: &ExpansionsResult) {
    let found: u64 = expansions.found.values().sum();
    if found > 0 {
        let places: Vec<String> =
            expansions.found.iter().map(|(place, number)| format!("{} {place}", grouped(*number))).collect();
        let inputs = count(found, "input", "inputs");
        let _ =
            writeln!(text, "  {inputs} that the schema does not name ({}), found by what the service reads", places.join(", "));
    }
}

fn write_left_out(text: &mut String, number: usize, reason: &str) {
    if number > 0 {
        let _ = writeln!(text, "  {} left out: {reason}", count(number as u64, "more test", "more tests"));
    }
}

/// What kept most of the tests from being repeatable.
fn write_causes(text: &mut String, results: &Results) {
    let causes = &results.run.unstable_causes;
    let shown = |status: u16| if status == 0 { "no answer".to_owned() } else { status.to_string() };
    for cause in causes.iter().take(MAX_CAUSES) {
        let difference = match (cause.status, cause.other_status) {
            (one, other) if one == other => format!("{}, but not what the test is there for", shown(one)),
            (one, other) => format!("{} at one time, {} at another", shown(one), shown(other)),
        };
        let _ = writeln!(text, "    {} by {}: {difference}", cause.tests, printable(&cause.operation));
    }
    if causes.len() > MAX_CAUSES {
        let _ = writeln!(text, "    the rest by others, see `unstable_causes` in {RESULTS_FILE}");
    }
}

fn write_files(text: &mut String, places: &SummaryPlaces, style: Style) {
    let folder = printable(places.folder.trim_end_matches('/')).into_owned();
    let mut files = Vec::new();
    if places.has_results {
        files.push((RESULTS_FILE.to_owned(), "everything, for programs".to_owned()));
        files.push((REPORT_FILE.to_owned(), "for viewers of Web Fuzzing Commons".to_owned()));
    }
    files.extend(places.other_files.iter().map(|(file, what)| ((*file).to_owned(), (*what).to_owned())));
    let with_tests = places.suite_files.iter().filter(|file| !file.tests.is_empty());
    files.extend(with_tests.map(|file| (file.file_path.clone(), count(file.tests.len() as u64, "test", "tests"))));
    if files.is_empty() {
        return;
    }
    let _ = writeln!(text, "{} {folder}/", style.bold("Files in"));
    write_columns(text, &files);
    text.push('\n');
}

/// Two columns; past [`MAX_LIST`] lines the rest is only counted.
fn write_columns(text: &mut String, lines: &[(String, String)]) {
    let shown = &lines[..lines.len().min(MAX_LIST)];
    // One very long name must not push all others out of sight.
    let width = shown.iter().map(|(left, _)| left.chars().count()).filter(|width| *width <= 50).max().unwrap_or(0);
    for (left, right) in shown {
        let _ = writeln!(text, "  {:<width$}  {}", printable(left), printable(right));
    }
    if lines.len() > MAX_LIST {
        let _ = writeln!(text, "  and {} more, see {RESULTS_FILE}", grouped((lines.len() - MAX_LIST) as u64));
    }
}

fn times(number: u64) -> String {
    if number == 1 { "once".to_owned() } else { format!("{} times", grouped(number)) }
}

/// `12.3 s`, `4 min 5 s`, `2 h 3 min`.
fn seconds(seconds: f64) -> String {
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let whole = std::time::Duration::try_from_secs_f64(seconds).map_or(0, |time| time.as_secs());
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, rest) => format!("{minutes} min {rest} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests;
