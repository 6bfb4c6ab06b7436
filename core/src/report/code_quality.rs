//! `code-quality.json`: findings as GitLab shows them in merge requests, in the format of its Code Quality reports.

use serde_json::{Value, json};

use super::results::{FindingResult, Results};
use super::sources::{SourceLine, Sources};

/// The file's text.
pub(super) fn code_quality(results: &Results, sources: &Sources) -> String {
    let issues: Vec<Value> = results.findings.iter().map(|finding| issue(finding, sources)).collect();
    format!("{:#}\n", Value::Array(issues))
}

fn issue(finding: &FindingResult, sources: &Sources) -> Value {
    let SourceLine { path, line } = place(finding, sources);
    json!({
        "type": "issue",
        "check_name": format!("F{}", finding.code),
        "description": format!("{}: {}", finding.operation, finding.message),
        "categories": ["Bug Risk"],
        "severity": severity(finding),
        "fingerprint": finding.id,
        "location": { "path": path, "lines": { "begin": line } },
    })
}

/// The failing line; a place is demanded, so that without one the operation stands for it.
fn place(finding: &FindingResult, sources: &Sources) -> SourceLine {
    let found = finding.statement.as_deref().and_then(|statement| sources.line(statement));
    found.unwrap_or_else(|| SourceLine { path: finding.operation.clone(), line: 1 })
}

fn severity(finding: &FindingResult) -> &'static str {
    match finding.code {
        _ if finding.confirmation == "unstable" => "minor",
        901 | 904 => "blocker",
        101 => "major",
        _ => "critical",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::code_quality;
    use crate::report::Results;
    use crate::report::fixture::Parts;
    use crate::report::sources::Sources;

    /// What GitLab demands of an entry: <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>
    fn assert_complete(issue: &Value) {
        for text in ["description", "check_name", "fingerprint"] {
            assert!(issue[text].as_str().is_some_and(|text| !text.is_empty()), "{text} in {issue}");
        }
        let severities = ["info", "minor", "major", "critical", "blocker"];
        assert!(issue["severity"].as_str().is_some_and(|severity| severities.contains(&severity)), "{issue}");
        let path = issue["location"]["path"].as_str().expect("a path");
        assert!(!path.is_empty() && !path.starts_with("./"), "{issue}");
        assert!(issue["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0), "{issue}");
    }

    #[test]
    fn each_finding_is_an_issue_of_its_own() {
        let parts = Parts::new();
        let text = code_quality(&Results::from_run(&parts.run()), &Sources::default());
        let issues: Vec<Value> = serde_json::from_str(&text).expect("a list");
        issues.iter().for_each(assert_complete);
        let fingerprints: BTreeSet<&str> = issues.iter().filter_map(|issue| issue["fingerprint"].as_str()).collect();
        assert_eq!(fingerprints.len(), parts.findings.len());
        assert!(!text.contains("s3cret!"), "no secret in any output");
    }
}
