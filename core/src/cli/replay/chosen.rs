//! Which tests of a suite are meant by names and ids that somebody typed.

use std::path::Path;

use serde_json::Value;

use crate::report::{RESULTS_FILE, printable};
use crate::suite::{TestCase, TestSuite, fold, in_written_order};

use crate::cli::{CliError, nearest};

/// Names that an error lists, at most.
const MAX_NAMED: usize = 5;

/// The tests of `suite` that `wanted` names, each once and in the order of written suites; all of them without a name.
///
/// A name may be spelled as any written form does: with `test_` before it, in camel case.
pub(super) fn chosen<'a>(suite: &'a TestSuite, wanted: &[String], out: &Path) -> Result<Vec<&'a TestCase>, CliError> {
    if suite.tests.is_empty() {
        let message = format!("the suite of `{}` has no tests", out.display());
        return Err(CliError::usage(message).hint("run again with a larger `--budget`: the run kept none"));
    }
    for text in wanted {
        if !suite.tests.iter().any(|test| is_meant(test, text)) {
            return Err(unknown(suite, text, out));
        }
    }
    let is_wanted = |test: &&TestCase| wanted.is_empty() || wanted.iter().any(|text| is_meant(test, text));
    Ok(in_written_order(suite).into_iter().filter(is_wanted).collect())
}

fn is_meant(test: &TestCase, typed: &str) -> bool {
    let (name, spelled) = (fold(&test.name), fold(typed));
    name == spelled
        || spelled.strip_prefix("test") == Some(name.as_str())
        || test.findings.iter().any(|id| id.eq_ignore_ascii_case(typed))
}

fn unknown(suite: &TestSuite, text: &str, out: &Path) -> CliError {
    let shown = printable(text);
    if is_finding(text, out) {
        return CliError::usage(format!("no test shows the finding `{shown}`"))
            .hint("its `curl` line in report.html and results.json repeats the calls");
    }
    let error = CliError::usage(format!("no test and no finding of a test is called `{shown}`"));
    let folded = fold(text);
    let names = || suite.tests.iter().map(|test| test.name.as_str());
    let containing: Vec<&str> = names().filter(|name| !folded.is_empty() && fold(name).contains(&folded)).collect();
    if !containing.is_empty() {
        let more = containing.len().saturating_sub(MAX_NAMED);
        let listed = containing[..containing.len() - more].join("`, `");
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        return error.hint(format!("names with that in them: `{listed}`{rest}"));
    }
    let ids = suite.tests.iter().flat_map(|test| test.findings.iter().map(String::as_str));
    match nearest(text, names().chain(ids)) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint("`suite/tests.json` and report.html list every test and finding"),
    }
}

/// Whether the run has a finding of that id.
fn is_finding(text: &str, out: &Path) -> bool {
    let read = std::fs::read(out.join(RESULTS_FILE)).ok();
    let Some(results) = read.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok()) else { return false };
    let findings = results["findings"].as_array().into_iter().flatten();
    findings.filter_map(|finding| finding["id"].as_str()).any(|id| id.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{SuiteReset, TestKind};

    fn suite(tests: &[(&str, &[&str])]) -> TestSuite {
        let test = |(name, findings): &(&str, &[&str])| TestCase {
            name: (*name).to_owned(),
            kind: TestKind::Other,
            description: String::new(),
            tag: None,
            targets: Vec::new(),
            findings: findings.iter().map(|id| (*id).to_owned()).collect(),
            notes: Vec::new(),
            calls: Vec::new(),
        };
        TestSuite {
            title: "Shop".to_owned(),
            base_url: "http://127.0.0.1:1".to_owned(),
            insecure: false,
            reset: SuiteReset::Never,
            users: Vec::new(),
            tests: tests.iter().map(test).collect(),
        }
    }

    fn names(wanted: &[&str]) -> Result<Vec<String>, CliError> {
        let out = tempfile::tempdir().expect("a folder");
        let findings = r#"{"findings": [{"id": "F100-00000001"}, {"id": "F902-00000002"}]}"#;
        std::fs::write(out.path().join(RESULTS_FILE), findings).expect("writable");
        let suite = suite(&[("get_pets_returns_200", &[]), ("post_pets_wrongly_returns_500", &["F100-00000001"])]);
        let wanted: Vec<String> = wanted.iter().map(|text| (*text).to_owned()).collect();
        chosen(&suite, &wanted, out.path()).map(|tests| tests.into_iter().map(|test| test.name.clone()).collect())
    }

    fn hint(wanted: &str) -> String {
        let error = names(&[wanted]).expect_err("no such test");
        assert_eq!(error.exit, crate::cli::Exit::Usage);
        format!("{}; {}", error.message, error.hint.unwrap_or_default())
    }

    #[test]
    fn tests_are_meant_by_name_by_its_spellings_and_by_finding() {
        assert_eq!(names(&[]).expect("all").len(), 2);
        for spelling in ["get_pets_returns_200", "test_get_pets_returns_200", "getPetsReturns200", "GET_PETS_RETURNS_200"] {
            assert_eq!(names(&[spelling]).expect(spelling), ["get_pets_returns_200"]);
        }
        let both = ["f100-00000001", "get_pets_returns_200", "F100-00000001"];
        assert_eq!(names(&both).expect("known"), ["get_pets_returns_200", "post_pets_wrongly_returns_500"]);
    }

    #[test]
    fn what_is_unknown_is_told_with_what_may_be_meant() {
        assert!(hint("get_pets").ends_with("names with that in them: `get_pets_returns_200`"), "{}", hint("get_pets"));
        assert!(hint("get_pets_return_201").ends_with("did you mean `get_pets_returns_200`?"));
        assert!(hint("F100-00000009").ends_with("did you mean `F100-00000001`?"));
        assert!(hint("F902-00000002").starts_with("no test shows the finding"));
        assert!(hint("something").contains("list every test"));
        let empty = chosen(&suite(&[]), &[], Path::new("out")).expect_err("nothing to do");
        assert!(empty.message.contains("has no tests"), "{}", empty.message);
    }
}
