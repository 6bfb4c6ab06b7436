//! Reports of lines that were written for them.

use std::path::PathBuf;

use super::super::expand::Shard;
use super::super::figures::{Figures, Samples};
use super::super::journal::Journal;
use super::super::record::tests::record;
use super::*;

const STUDY: &str = r#"
    name = "s"
    question = "Does it help?"
    budget = "100 calls"
    seeds = [1, 2, 3]
    [[subject]]
    name = "shop"
    url = "http://127.0.0.1:9"
    [[configuration]]
    name = "default"
    [[configuration]]
    name = "less"
    arguments = ["--p-invalid", "0.1"]
"#;

fn folder_with(records: &[Record]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("study.toml"), STUDY).expect("written");
    let mut journal = Journal::open(folder.path(), Shard::WHOLE).expect("opened");
    for record in records {
        journal.append(record).expect("written");
    }
    folder
}

fn run_with(configuration: &str, rng_seed: u64, targets: u64) -> Record {
    let figures = Figures { targets, findings: 1, findings_by_code: [("100".to_owned(), 1)].into(), ..Figures::default() };
    let curve = Samples { calls: vec![0, 100], seconds: vec![0.0, 1.0], targets: vec![0, targets], ..Samples::default() };
    let mut run = record(configuration, rng_seed, figures);
    run.measured.curve = Some(curve);
    run
}

fn report(folders: Vec<PathBuf>, baseline: Option<&str>) -> Result<String> {
    let out = folders[0].clone();
    run(&ReportArguments { folders, out: None, baseline: baseline.map(str::to_owned) })?;
    Ok(fs::read_to_string(out.join("report.md"))?)
}

fn runs() -> Vec<Record> {
    let of = |configuration: &str, targets: [u64; 3]| {
        (1..).zip(targets).map(|(seed, targets)| run_with(configuration, seed, targets)).collect::<Vec<_>>()
    };
    [of("default", [10, 20, 60]), of("less", [61, 70, 80])].concat()
}

#[test]
fn configurations_are_compared_with_the_baseline() {
    let folder = folder_with(&runs());
    let text = report(vec![folder.path().to_owned()], None).expect("written");
    assert!(text.contains("6 of 6 runs: 1 subject, 2 configurations and 3 seeds with a budget of 100 calls each."), "{text}");
    assert!(text.contains("| default | 3 | 30 | 20 | 10 – 60 | – | – |"), "{text}");
    assert!(text.contains("| less | 3 | 70.33 | 70 | 61 – 80 | 1.00 | 0.100 |"), "{text}");
    assert!(text.contains("| 100 | 3 of 3, 1 | 3 of 3, 1 |"), "{text}");
    assert!(text.contains("![Covered targets over the budget](shop-targets.svg)"), "{text}");
    let svg = fs::read_to_string(folder.path().join("shop-targets.svg")).expect("written");
    assert_eq!(svg.matches("<polyline").count(), 2);
    // No run knows its lines, and all make the same calls.
    assert!(!text.contains("Covered lines") && !text.contains("### Calls\n"), "{text}");
    let text = report(vec![folder.path().to_owned()], Some("less")).expect("written");
    assert!(text.contains("| default | 3 | 30 | 20 | 10 – 60 | 0.00 | 0.100 |"), "{text}");
    assert!(report(vec![folder.path().to_owned()], Some("more")).is_err());
}

#[test]
fn parts_in_several_folders_are_one_study() {
    let runs = runs();
    let (first, second) = (folder_with(&runs[..2]), folder_with(&runs[2..]));
    let whole = folder_with(&runs);
    let of_whole = report(vec![whole.path().to_owned()], None).expect("written");
    let of_parts = report(vec![first.path().to_owned(), second.path().to_owned()], None).expect("written");
    assert_eq!(of_parts, of_whole);
}

#[test]
fn failed_runs_count_in_no_table_and_are_named() {
    let mut runs = runs();
    runs[5].measured.error = Some("exit code 3: error: a|b".to_owned());
    let folder = folder_with(&runs);
    let text = report(vec![folder.path().to_owned()], None).expect("written");
    assert!(text.contains("5 of 6 runs"), "{text}");
    assert!(text.contains("| shop | less | 3 | exit code 3: error: a\\|b |"), "{text}");
    assert!(text.contains("| less | 2 |"), "{text}");
}

#[test]
fn a_folder_without_runs_is_an_error() {
    assert!(report(vec![folder_with(&[]).path().to_owned()], None).is_err());
    assert!(report(vec![tempfile::tempdir().expect("a folder").path().to_owned()], None).is_err());
}
