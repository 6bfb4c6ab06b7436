//! The head of a report: what was asked, what ran where, what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::study::load::Loaded;
use crate::study::plan::Study;
use crate::study::record::Record;

/// How to read the tables.
const LEGEND: &str = "A12 is the probability that a run of the configuration has a larger value than a run of the baseline, ties \
counted by half (Vargha and Delaney 2000): 0.5 is no difference, 1 always larger.\np is that of the two-sided Mann-Whitney U \
test, exact up to 100 runs in both together, not corrected for the number of comparisons.\n\n";

/// Everything before the first subject.
pub fn head(loaded: &Loaded, baseline: &str) -> String {
    let study = &loaded.study;
    let mut text = format!("# {}\n\n", study.name);
    if !study.question.is_empty() {
        let _ = writeln!(text, "{}\n", study.question.trim());
    }
    let (n_planned, records) = (loaded.n_planned(), &loaded.records);
    let n_good = records.values().filter(|record| record.has_succeeded()).count();
    let _ = writeln!(
        text,
        "{n_good} of {n_planned} runs: {}, {} and {} with a budget of {} each{}.",
        counted(study.subjects.len(), "subject"),
        counted(study.configurations.len(), "configuration"),
        counted(study.seeds.len(), "seed"),
        study.budget,
        exceptions(study)
    );
    text.push_str(&made_with(records.values()));
    let _ = writeln!(text, "The baseline is `{baseline}`.\n");
    text.push_str(LEGEND);
    text.push_str(&configurations(loaded));
    text.push_str(&failures(loaded));
    text
}

/// Subjects with a budget of their own.
fn exceptions(study: &Study) -> String {
    let own = study.subjects.iter().filter_map(|subject| Some(format!("`{}` {}", subject.name, subject.budget.as_ref()?)));
    let own: Vec<String> = own.collect();
    if own.is_empty() { String::new() } else { format!(", but {}", own.join(", ")) }
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Binaries and machines; more than one of either is said, for it may explain a difference.
fn made_with<'a>(records: impl Iterator<Item = &'a Record> + Clone) -> String {
    let binaries: BTreeSet<_> = records.clone().map(|record| &record.restive).collect();
    let machines: BTreeSet<_> = records.clone().map(|record| &record.machine).collect();
    let mut text = String::new();
    if binaries.len() > 1 {
        let _ = writeln!(text, "**The runs are from {} builds of restive.**", binaries.len());
    }
    for binary in binaries {
        let digits = binary.sha256.get(..12).unwrap_or_default();
        let commit = if binary.source_commit.is_empty() { "unknown" } else { &binary.source_commit };
        let _ = writeln!(text, "{} (commit {commit}, SHA-256 {digits}…).", binary.version);
    }
    for machine in machines {
        let (cpus, gib) = (counted(machine.cpus, "processor"), machine.memory_mib as f64 / 1024.0);
        let _ = writeln!(text, "{}, {cpus} ({}), {gib:.0} GiB.", machine.system, machine.processor);
    }
    let loads: Vec<f64> = records.filter_map(|record| Some(record.measured.load_before?[0])).collect();
    if let (Some(least), Some(most)) = (loads.iter().copied().reduce(f64::min), loads.iter().copied().reduce(f64::max)) {
        let _ = writeln!(text, "Load of the machine before a run: {least:.1} to {most:.1}.");
    }
    text
}

fn configurations(loaded: &Loaded) -> String {
    let mut text = "| configuration | arguments |\n| --- | --- |\n".to_owned();
    for configuration in &loaded.study.configurations {
        let arguments = configuration.arguments.join(" ").replace('|', "\\|");
        let shown = if arguments.is_empty() { "–".to_owned() } else { format!("`{arguments}`") };
        let _ = writeln!(text, "| {} | {shown} |", configuration.name);
    }
    text.push('\n');
    text
}

/// Runs that failed do not count in any table, so they are said with their reasons.
fn failures(loaded: &Loaded) -> String {
    let mut by_reason: BTreeMap<(&str, &str, &str), Vec<String>> = BTreeMap::new();
    for record in loaded.records.values() {
        if let Some(error) = &record.measured.error {
            let place = (record.subject.as_str(), record.configuration.as_str(), error.as_str());
            by_reason.entry(place).or_default().push(record.rng_seed.to_string());
        }
    }
    if by_reason.is_empty() {
        return String::new();
    }
    let mut text = "Runs that failed, which no table counts:\n\n".to_owned();
    text.push_str("| subject | configuration | seeds | reason |\n| --- | --- | --- | --- |\n");
    for ((subject, configuration, error), seeds) in by_reason {
        let error = error.replace('|', "\\|").replace('\n', " ");
        let _ = writeln!(text, "| {subject} | {configuration} | {} | {error} |", seeds.join(", "));
    }
    text.push('\n');
    text
}
