//! `explain.json`: written whole at the end of a run, one entry a line, and read back with every error told.

use std::path::Path;

use serde::Serialize;

use super::record::{FORMAT_VERSION, Record};
use crate::report::{StoredError, WriteError, read_stored, write_file};

/// Name of the file.
pub const EXPLAIN_FILE: &str = "explain.json";

/// Writes the file below `folder`, which exists.
///
/// # Errors
/// When the disk says no; the file of that name is then as it was before.
pub fn write(record: &Record, folder: &Path) -> Result<(), WriteError> {
    write_file(&folder.join(EXPLAIN_FILE), to_json(record).as_bytes())
}

/// The file's text: an entry a line, so that it can be looked through and compared.
///
/// # Panics
/// Never: records have text keys and finite numbers.
fn to_json(record: &Record) -> String {
    fn compact(value: &impl Serialize) -> String {
        serde_json::to_string(value).expect("records have text keys and finite numbers")
    }
    fn list(entries: &[impl Serialize]) -> String {
        let lines: Vec<String> = entries.iter().map(compact).collect();
        if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) }
    }
    let Record { format_version, restive_version, calls, is_guided, left_out, operations, inputs, targets, tests, unmeasured } =
        record;
    let fields = [
        ("format_version", compact(format_version)),
        ("restive_version", compact(restive_version)),
        ("calls", compact(calls)),
        ("is_guided", compact(is_guided)),
        ("left_out", compact(left_out)),
        ("operations", list(operations)),
        ("inputs", list(inputs)),
        ("targets", list(targets)),
        ("tests", list(tests)),
        ("unmeasured", compact(unmeasured)),
    ];
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{\n{}\n}}\n", fields.join(",\n"))
}

/// Reads the file below the output folder of a run.
///
/// # Errors
/// When there is none, it is no such file, or another version wrote it.
pub fn read(folder: &Path) -> Result<Record, StoredError> {
    let value = read_stored(folder, EXPLAIN_FILE, FORMAT_VERSION)?;
    let damaged = |reason: String| StoredError::damaged(folder, EXPLAIN_FILE, reason);
    let record: Record = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
    match record.dangling() {
        Some(reason) => Err(damaged(reason)),
        None => Ok(record),
    }
}

impl Record {
    /// The first number that stands for nothing in the list it is a position of; none in a sound record.
    fn dangling(&self) -> Option<String> {
        let Self { operations, inputs, targets, tests, .. } = self;
        let outside = |what: &'static str, idx: usize, length: usize| {
            (idx >= length).then(|| format!("it names {what} {idx} of {length}"))
        };
        let operation = |idx: usize| outside("operation", idx, operations.len());
        let input = |idx: usize| outside("input", idx, inputs.len());
        let in_inputs = inputs.iter().find_map(|it| operation(it.operation));
        let in_targets = || {
            targets.iter().find_map(|target| {
                let in_call = target.call.and_then(|call| operation(call.operation));
                let in_effects = || target.inputs.iter().find_map(|effect| input(effect.input));
                let in_tests = || target.tests.iter().find_map(|idx| outside("test", *idx, tests.len()));
                in_call.or_else(in_effects).or_else(in_tests)
            })
        };
        let in_tests = || {
            tests.iter().find_map(|test| {
                let in_calls = test.calls.iter().find_map(|idx| operation(*idx));
                let in_specialised = || {
                    test.specialised.iter().find_map(|it| {
                        let hints = inputs.get(it.input).map_or(0, |input| input.hints.len());
                        outside("call", it.call, test.calls.len())
                            .or_else(|| input(it.input))
                            .or_else(|| outside("hint", it.hint, hints))
                    })
                };
                in_calls.or_else(in_specialised)
            })
        };
        in_inputs.or_else(in_targets).or_else(in_tests)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::super::sample::sample;
    use super::{EXPLAIN_FILE, read, to_json, write};
    use crate::explain::Record;

    type Change<'a> = &'a dyn Fn(&mut Value);

    /// What is said of a file with that content.
    fn error_of(content: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(EXPLAIN_FILE), content).expect("written");
        let error = read(folder.path()).expect_err("not a file of ours");
        assert!(!error.hint().is_empty());
        error.to_string().replace(&folder.path().display().to_string(), "out")
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().expect("a folder");
        for record in [sample(), Record { format_version: 1, ..Record::default() }] {
            write(&record, folder.path()).expect("written");
            assert_eq!(read(folder.path()).expect("read"), record);
        }
        let lines = to_json(&sample()).lines().count();
        assert!(lines > sample().targets.len() + sample().inputs.len(), "an entry a line: {lines}");
    }

    #[test]
    fn folders_without_results_are_told_from_those_without_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = read(&folder.path().join("none")).expect_err("no folder");
        assert!(error.to_string().starts_with("there is no folder"), "{error}");
        let error = read(folder.path()).expect_err("empty");
        assert!(error.to_string().contains("holds no results") && error.hint().contains("when it ends"), "{error}");
        fs::write(folder.path().join("results.json"), "{}").expect("written");
        let error = read(folder.path()).expect_err("no such file");
        assert!(error.to_string().contains("is missing beside `results.json`"), "{error}");
        fs::create_dir(folder.path().join(EXPLAIN_FILE)).expect("made");
        let error = read(folder.path()).expect_err("a folder in its place");
        assert!(error.to_string().starts_with("cannot read"), "{error}");
    }

    #[test]
    fn foreign_and_cut_files_are_told() {
        let whole = to_json(&sample());
        assert!(error_of(&whole[..whole.len() / 2]).starts_with("`out/explain.json` is damaged: EOF while parsing"));
        assert_eq!(error_of("[1]"), "`out/explain.json` is damaged: it has no `format_version`");
        let newer = json!({ "format_version": 7, "restive_version": "9.1" }).to_string();
        assert_eq!(error_of(&newer), "`out/explain.json` has format version 7, wanted 1; restive 9.1 wrote it");
        assert!(error_of(r#"{"format_version": 1}"#).contains("missing field"));
    }

    #[test]
    fn positions_of_what_is_not_there_are_told() {
        let broken = |change: &dyn Fn(&mut Value)| {
            let mut value: Value = serde_json::from_str(&to_json(&sample())).expect("JSON");
            change(&mut value);
            error_of(&value.to_string())
        };
        let cases: [(Change<'_>, &str); 4] = [
            (&|it| it["inputs"][0]["operation"] = json!(99), "names operation 99 of"),
            (&|it| it["targets"][0]["inputs"] = json!([{ "input": 98, "moved": 1 }]), "names input 98 of"),
            (&|it| it["targets"][0]["tests"] = json!([97]), "names test 97 of"),
            (&|it| it["tests"][0]["specialised"][0]["hint"] = json!(96), "names hint 96 of"),
        ];
        for (change, expected) in cases {
            let error = broken(change);
            assert!(error.contains(expected), "{error}");
        }
    }
}
