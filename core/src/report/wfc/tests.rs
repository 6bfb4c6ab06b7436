use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::report;
use crate::report::Results;
use crate::report::fixture::Parts;

fn report_of(parts: &Parts) -> Value {
    let results = Results::from_run(&parts.run());
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_999);
    serde_json::from_str(&report(&results, &parts.suite_files, now)).expect("JSON")
}

fn schema() -> jsonschema::Validator {
    let text = include_str!("../../../tests/wfc/report.yaml");
    let schema: Value = serde_saphyr::from_str(text).expect("the published schema is YAML");
    jsonschema::options().should_validate_formats(true).build(&schema).expect("the published schema is a schema")
}

fn assert_valid(report: &Value) {
    let errors: Vec<String> = schema().iter_errors(report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
}

#[test]
fn the_report_is_valid_against_the_published_schema() {
    assert_valid(&report_of(&Parts::new()));
    assert_valid(&report_of(&Parts::clean()));
}

#[test]
fn the_published_schema_would_notice_mistakes() {
    let mut report = report_of(&Parts::new());
    report["faults"]["foundFaults"][0]["faultCategories"][0]["code"] = Value::from(150);
    assert!(!schema().is_valid(&report));
}

#[test]
fn references_inside_the_report_hold() {
    let report = report_of(&Parts::new());
    let ids: Vec<&Value> = report["testCases"].as_array().expect("a list").iter().map(|case| &case["id"]).collect();
    let endpoints = report["problemDetails"]["rest"]["endpointIds"].as_array().expect("a list");
    for fault in report["faults"]["foundFaults"].as_array().expect("a list") {
        assert!(ids.contains(&&fault["testCaseId"]) && endpoints.contains(&fault["operationId"]), "{fault}");
    }
    for covered in report["problemDetails"]["rest"]["coveredHttpStatus"].as_array().expect("a list") {
        assert!(ids.contains(&&covered["testCaseId"]) && endpoints.contains(&covered["endpointId"]), "{covered}");
    }
    assert_eq!(report["totalTests"], 3);
    assert_eq!(report["testFilePaths"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["creationTime"], "2023-11-14T22:13:20Z");
    assert_eq!(report["executionTimeInSeconds"], 12);
}

#[test]
fn only_faults_that_a_test_shows_are_counted() {
    let report = report_of(&Parts::new());
    // Of the three findings the third has no test.
    assert_eq!(report["faults"]["totalNumber"], 2);
    let codes: Vec<&Value> = report["faults"]["foundFaults"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|fault| &fault["faultCategories"][0]["code"])
        .collect();
    assert_eq!(codes, [100, 100, 312]);
}

#[test]
fn a_call_without_answer_has_the_status_null() {
    let report = report_of(&Parts::new());
    let statuses = report["problemDetails"]["rest"]["coveredHttpStatus"].as_array().expect("a list");
    assert!(statuses.iter().any(|covered| covered["httpStatus"] == serde_json::json!([null])), "{statuses:#?}");
}

#[test]
fn skipped_operations_are_warnings_and_left_out_ones_are_not() {
    let report = report_of(&Parts::new());
    let warnings = report["warnings"].as_array().expect("a list");
    assert_eq!(warnings.len(), 2);
    assert!(warnings[0]["message"].as_str().is_some_and(|text| text.starts_with("PUT /pets/{id} was skipped")));
}
