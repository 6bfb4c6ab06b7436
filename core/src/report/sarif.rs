//! `results.sarif`: findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS), as code hosts and editors show
//! them at the line of the service that failed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::results::{FindingResult, Results};
use super::sources::{SourceLine, Sources};

/// The file's text.
pub(super) fn sarif(results: &Results, sources: &Sources) -> String {
    let rules: BTreeMap<u16, &str> = results.findings.iter().map(|finding| (finding.code, finding.title.as_str())).collect();
    let described = rules.iter().map(|(code, title)| {
        json!({ "id": rule_id(*code), "shortDescription": { "text": title }, "defaultConfiguration": { "level": "error" } })
    });
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "restive",
                "semanticVersion": results.restive_version,
                "rules": described.collect::<Vec<_>>(),
            } },
            "results": results.findings.iter().map(|finding| result(finding, sources)).collect::<Vec<_>>(),
        }],
    });
    format!("{log:#}\n")
}

/// A rule for each category of faults.
fn rule_id(code: u16) -> String {
    format!("F{code}")
}

fn result(finding: &FindingResult, sources: &Sources) -> Value {
    let statement = finding.statement.as_deref();
    let mut location = json!({ "logicalLocations": [logical(finding)] });
    if let Some(SourceLine { path, line }) = statement.and_then(|statement| sources.line(statement)) {
        let artifact = json!({ "uri": uri(&path), "uriBaseId": "%SRCROOT%" });
        location["physicalLocation"] = json!({ "artifactLocation": artifact, "region": { "startLine": line } });
    }
    let mut result = json!({
        "ruleId": rule_id(finding.code),
        "level": if finding.confirmation == "unstable" { "warning" } else { "error" },
        "message": { "text": format!("{}: {}", finding.operation, finding.message) },
        "locations": [location],
        "partialFingerprints": { "restive/v1": finding.id },
        "occurrenceCount": finding.count.max(1),
        "properties": { "curl": finding.curl, "tests": finding.tests, "confirmation": finding.confirmation },
    });
    if let Some(is_known) = finding.known {
        result["baselineState"] = json!(if is_known { "unchanged" } else { "new" });
    }
    result
}

/// The statement where one is known, else the operation.
fn logical(finding: &FindingResult) -> Value {
    match &finding.statement {
        Some(statement) => json!({ "fullyQualifiedName": statement, "kind": "member" }),
        None => json!({ "fullyQualifiedName": finding.operation, "kind": "resource" }),
    }
}

/// A relative path as a URI (RFC 3986 3.3).
fn uri(path: &str) -> String {
    const KEPT: &percent_encoding::AsciiSet =
        &percent_encoding::NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    percent_encoding::utf8_percent_encode(path, KEPT).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{sarif, uri};
    use crate::report::Results;
    use crate::report::fixture::Parts;
    use crate::report::sources::Sources;

    fn log(parts: &Parts, sources: &Sources) -> Value {
        serde_json::from_str(&sarif(&Results::from_run(&parts.run()), sources)).expect("JSON")
    }

    fn with_source(parts: &mut Parts) -> Sources {
        parts.findings[0].fault.statement = Some("com.acme.Shop:17".to_owned());
        // What made an answer of the exception ran last.
        parts.findings[0].last_statement = Some("com.acme.Refusals:3".to_owned());
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("src/com/acme")).expect("writable");
        std::fs::write(folder.path().join("src/com/acme/Shop.java"), "").expect("writable");
        Sources::find(folder.path(), ["com.acme.Shop:17"])
    }

    #[test]
    fn the_log_is_valid_against_the_published_schema() {
        let text = include_str!("../../tests/sarif/sarif-schema-2.1.0.json");
        let mut schema: Value = serde_json::from_str(text).expect("JSON");
        // As published, a bracket that closes nothing stands in it, which no strict reader of patterns takes.
        for place in ["run", "toolComponent"] {
            schema["definitions"][place]["properties"]["language"]["pattern"] = Value::from("^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
        }
        let validator = jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema");
        let mut parts = Parts::new();
        let sources = with_source(&mut parts);
        for log in [log(&parts, &sources), log(&Parts::clean(), &Sources::default())] {
            let errors: Vec<String> =
                validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
            assert!(errors.is_empty(), "{errors:#?}\n{log:#}");
        }
        let mut odd = log(&parts, &sources);
        odd["runs"][0]["results"][0]["level"] = Value::from("terrible");
        assert!(!validator.is_valid(&odd), "the schema would notice mistakes");
    }

    #[test]
    fn findings_stand_at_their_lines() {
        let mut parts = Parts::new();
        let sources = with_source(&mut parts);
        let log = log(&parts, &sources);
        let results = log["runs"][0]["results"].as_array().expect("a list");
        assert_eq!(results.len(), parts.findings.len());
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(
            (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
            (&"src/com/acme/Shop.java".into(), &17.into())
        );
        assert!(results[1]["locations"][0].get("physicalLocation").is_none());
        let text = log.to_string();
        assert!(!text.contains("s3cret!"), "no secret in any output");
    }

    #[test]
    fn findings_of_an_earlier_run_are_told_from_new_ones() {
        let mut results = Results::from_run(&Parts::new().run());
        (results.findings[0].known, results.findings[1].known) = (Some(true), Some(false));
        let log: Value = serde_json::from_str(&sarif(&results, &Sources::default())).expect("JSON");
        let states = [0, 1, 2].map(|idx| log["runs"][0]["results"][idx]["baselineState"].as_str().map(str::to_owned));
        assert_eq!(states, [Some("unchanged".to_owned()), Some("new".to_owned()), None]);
    }

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("a b/ü.java"), "a%20b/%C3%BC.java");
    }
}
