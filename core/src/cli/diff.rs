//! `restive diff`: what two runs found and reached differently, from their results alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::report::results::{FORMAT_VERSION, KnownFinding};
use crate::report::{RESULTS_FILE, StoredError, printable, read_stored};

use super::{CliError, Exit, print};

/// Flags of `restive diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArgs {
    /// Output folder of the earlier run
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Output folder of the later run
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// Print the differences as JSON
    #[arg(long)]
    pub json: bool,
}

/// What of `results.json` is compared.
#[derive(Debug, Deserialize)]
struct Results {
    findings: Vec<KnownFinding>,
    operations: Vec<Operation>,
    coverage: Coverage,
}

#[derive(Debug, Deserialize)]
struct Operation {
    id: String,
    statuses: BTreeMap<String, u64>,
}

#[derive(Debug, Deserialize)]
struct Coverage {
    targets: u64,
    lines: Covered,
    branches: Covered,
}

#[derive(Debug, Deserialize)]
struct Covered {
    covered: u64,
}

/// What differs between two runs.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Differences {
    /// Findings of the later run alone.
    new: Vec<KnownFinding>,
    /// Findings of the earlier run alone.
    gone: Vec<KnownFinding>,
    /// Findings of both.
    known: usize,
    /// Operations answered with 2xx by the later run alone.
    won: Vec<String>,
    /// Operations answered with 2xx by the earlier run alone.
    lost: Vec<String>,
    /// Operations of the later run alone.
    added: Vec<String>,
    /// Operations of the earlier run alone.
    removed: Vec<String>,
    /// Covered of each: earlier, later.
    covered: BTreeMap<&'static str, [u64; 2]>,
}

/// Compares, and prints to standard output. New findings end it with the code of findings.
///
/// # Panics
/// Never: differences have text keys.
pub fn diff(args: &DiffArgs) -> Result<Exit, CliError> {
    let differences = Differences::between(&read(&args.old)?, &read(&args.new)?);
    let text = if args.json {
        let json = serde_json::to_string_pretty(&differences).expect("differences have text keys");
        format!("{json}\n")
    } else {
        differences.to_text()
    };
    print(&text)?;
    Ok(if differences.new.is_empty() { Exit::Clean } else { Exit::Findings })
}

fn read(folder: &Path) -> Result<Results, StoredError> {
    let results = read_stored(folder, RESULTS_FILE, FORMAT_VERSION)?;
    serde_json::from_value(results).map_err(|error| StoredError::damaged(folder, RESULTS_FILE, error.to_string()))
}

impl Differences {
    fn between(old: &Results, new: &Results) -> Self {
        let ids = |results: &Results| results.findings.iter().map(|it| it.id.clone()).collect::<BTreeSet<_>>();
        let (old_ids, new_ids) = (ids(old), ids(new));
        let without = |results: &Results, known: &BTreeSet<String>| {
            results.findings.iter().filter(|it| !known.contains(&it.id)).cloned().collect()
        };
        let all = |results: &Results| results.operations.iter().map(|it| it.id.clone()).collect::<BTreeSet<_>>();
        let is_success = |operation: &&Operation| operation.statuses.keys().any(|status| status.starts_with('2'));
        let successes =
            |results: &Results| results.operations.iter().filter(is_success).map(|it| it.id.clone()).collect::<BTreeSet<_>>();
        let less = |one: BTreeSet<String>, other: BTreeSet<String>| one.difference(&other).cloned().collect::<Vec<_>>();
        let both = |count: fn(&Coverage) -> u64| [count(&old.coverage), count(&new.coverage)];
        Self {
            new: without(new, &old_ids),
            gone: without(old, &new_ids),
            known: old_ids.intersection(&new_ids).count(),
            won: less(successes(new), successes(old)),
            lost: less(successes(old), successes(new)),
            added: less(all(new), all(old)),
            removed: less(all(old), all(new)),
            covered: BTreeMap::from([
                ("targets", both(|coverage| coverage.targets)),
                ("lines", both(|coverage| coverage.lines.covered)),
                ("branches", both(|coverage| coverage.branches.covered)),
            ]),
        }
    }

    /// Lines for people; texts come from the service and must not trick a terminal.
    fn to_text(&self) -> String {
        let mut text = format!("Faults: {} new, {} gone, {} in both\n", self.new.len(), self.gone.len(), self.known);
        for (kind, findings) in [("new", &self.new), ("gone", &self.gone)] {
            for KnownFinding { id, operation, title } in findings {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {kind}: {}: {}  {}", printable(operation), printable(title), printable(id));
            }
        }
        let operations = [
            ("answered with 2xx only by the later", &self.won),
            ("answered with 2xx only by the earlier", &self.lost),
            ("only in the later", &self.added),
            ("only in the earlier", &self.removed),
        ];
        for (what, operations) in operations.into_iter().filter(|(_, operations)| !operations.is_empty()) {
            let _ = writeln!(text, "Operations {what}: {}", printable(&operations.join(", ")));
        }
        for (what, [old, new]) in self.covered.iter().filter(|(_, counts)| **counts != [0, 0]) {
            let _ = writeln!(text, "Covered {what}: {old} -> {new}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Differences, Results, StoredError, read};

    fn results(findings: &[&str], statuses: &[(&str, &str)], lines: u64) -> Results {
        let finding = |id: &&str| json!({ "id": id, "operation": "GET /a", "title": "server error", "code": 100 });
        let operation = |(id, status): &(&str, &str)| json!({ "id": id, "statuses": { (*status): 3 } });
        let covered = |covered: u64| json!({ "covered": covered, "total": 100 });
        let value = json!({
            "findings": findings.iter().map(finding).collect::<Vec<_>>(),
            "operations": statuses.iter().map(operation).collect::<Vec<_>>(),
            "coverage": { "targets": 9, "lines": covered(lines), "branches": covered(0) },
        });
        serde_json::from_value(value).expect("results")
    }

    #[test]
    fn findings_operations_and_coverage_are_compared() {
        let old = results(&["F100-a", "F100-b"], &[("GET /a", "200"), ("GET /b", "404"), ("GET /c", "200")], 10);
        let new = results(&["F100-b", "F100-c"], &[("GET /a", "500"), ("GET /b", "204"), ("GET /d", "200")], 12);
        let text = Differences::between(&old, &new).to_text();
        let expected = "Faults: 1 new, 1 gone, 1 in both\n  new: GET /a: server error  F100-c\n  gone: GET /a: server error  F100-a\n\
                        Operations answered with 2xx only by the later: GET /b, GET /d\n\
                        Operations answered with 2xx only by the earlier: GET /a, GET /c\n\
                        Operations only in the later: GET /d\nOperations only in the earlier: GET /c\n\
                        Covered lines: 10 -> 12\nCovered targets: 9 -> 9\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn foreign_folders_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(read(folder.path()).is_err());
        std::fs::write(folder.path().join("results.json"), "{\"format_version\": 1").expect("writable");
        assert!(matches!(read(folder.path()), Err(StoredError::Damaged { .. })));
    }
}
