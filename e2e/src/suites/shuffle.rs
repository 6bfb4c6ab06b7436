//! Other orders of the tests of a suite, also where a runner has no way to shuffle them.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Outcome;
use crate::work::copy_folder;

/// What begins a test in an `.http` file.
const HTTP_TEST: &str = "\n# Test: ";

/// `names` in an order that each `seed` makes another one.
pub(super) fn shuffled(mut names: Vec<String>, seed: u64) -> Vec<String> {
    names.sort_by_cached_key(|name| {
        let mut hasher = DefaultHasher::new();
        (seed, name).hash(&mut hasher);
        hasher.finish()
    });
    names
}

/// The names of all tests of an output folder, from `suite/tests.json`.
pub(super) fn test_names(out: &Path) -> Result<Vec<String>> {
    let suite: Value = serde_json::from_slice(&fs::read(out.join("suite/tests.json"))?)?;
    let tests = suite["tests"].as_array().context("`suite/tests.json` has no tests")?;
    tests.iter().map(|test| Some(test["name"].as_str()?.to_owned())).collect::<Option<_>>().context("a test has no name")
}

/// Arguments of `cargo test` for an order by chance. The runner of a program is no part of what cargo builds anew for; the
/// test frame of a stable compiler shuffles only where this variable is set.
pub(super) fn cargo_arguments(seed: u64) -> Vec<String> {
    let runner = "target.\"cfg(all())\".runner=[\"env\", \"RUSTC_BOOTSTRAP=1\"]";
    let frame = ["--", "-Z", "unstable-options", "--test-threads", "1", "--shuffle-seed"];
    let words = ["--config", runner].into_iter().chain(frame).map(str::to_owned);
    words.chain([seed.to_string()]).collect()
}

/// The pattern that fits the one test of that name in a suite for Node.js: versions of it look for a pattern in the name of
/// a test, or in that of its group and of the test.
pub(super) fn node_pattern(project: &Path, name: &str) -> Result<String> {
    let mut groups = Vec::new();
    for entry in fs::read_dir(project.join("tests"))? {
        groups.extend(entry?.path().file_stem().map(|stem| stem.to_string_lossy().replace('_', " ")));
    }
    groups.sort();
    Ok(format!("/^(({}) )?{}$/", groups.join("|"), name.replace('_', " ")))
}

/// How the only test that was not left out ended, from a report in TAP's form; none when the counts are missing.
pub(super) fn node_outcome(tap: &str) -> Option<Outcome> {
    let number = |name: &str| tap.lines().find_map(|line| line.strip_prefix(name)?.parse::<usize>().ok());
    Some(match (number("# pass ")?, number("# fail ")? + number("# cancelled ")?) {
        (_, 1..) => Outcome::Failed,
        (1.., 0) => Outcome::Passed,
        (0, 0) => Outcome::Skipped,
    })
}

/// Copies a folder with `.http` files in each of which the tests stand in another order.
pub(super) fn shuffle_http_files(from: &Path, to: &Path, seed: u64) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    copy_folder(from, to)?;
    for entry in fs::read_dir(to)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "http") {
            let text = fs::read_to_string(&path)?;
            fs::write(path, shuffled_http(&text, seed))?;
        }
    }
    Ok(())
}

fn shuffled_http(text: &str, seed: u64) -> String {
    let mut parts = text.split(HTTP_TEST);
    let head = parts.next().unwrap_or_default().to_owned();
    let tests = parts.map(|test| test.trim_end().to_owned() + "\n").collect();
    shuffled(tests, seed).into_iter().fold(head, |page, test| page + HTTP_TEST + &test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seed_gives_another_order_of_the_same_names() {
        let names: Vec<String> = (0..20).map(|idx| format!("test_{idx}")).collect();
        let (one, other) = (shuffled(names.clone(), 1), shuffled(names.clone(), 2));
        assert!(one != names && one != other && one == shuffled(names.clone(), 1));
        let mut sorted = other;
        sorted.sort_by_key(|name| names.iter().position(|other| other == name));
        assert_eq!(sorted, names);
    }

    #[test]
    fn http_files_keep_their_head_and_all_tests() {
        let page = "# head\n\n# Test: a\n### a\nGET /a\n\n# Test: b\n### b\nGET /b\n\n# Test: c\n### c\nGET /c\n";
        let pages: Vec<String> = (0..20).map(|seed| shuffled_http(page, seed)).collect();
        assert!(pages.iter().all(|other| other.starts_with("# head\n\n# Test: ") && other.len() == page.len()));
        assert!(pages.iter().any(|other| other.contains("GET /c\n\n# Test: a")), "{pages:?}");
    }

    #[test]
    fn outcomes_are_read_from_tap() {
        let tap = |passed: u8, failed: u8| format!("# tests 9\n# pass {passed}\n# fail {failed}\n# cancelled 0\n# skipped 8\n");
        let outcomes = [(1, 0), (0, 1), (0, 0)].map(|(passed, failed)| node_outcome(&tap(passed, failed)));
        assert_eq!(outcomes, [Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(Some));
        assert_eq!(node_outcome(""), None);
    }
}
