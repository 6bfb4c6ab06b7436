//! `report.json`: the report format of Web Fuzzing Commons (WFC), for its viewer and other tools that read it.
//!
//! Written to report schema 0.8.0 and fault categories 0.9.0, as published with WFC 0.12.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::results::{FindingResult, Results};
use super::run::{SuiteFile, TestPlace};
use super::style::count;

/// Version of the report schema that is followed.
pub const SCHEMA_VERSION: &str = "0.8.0";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    schema_version: &'static str,
    tool_name: &'static str,
    tool_version: &'a str,
    creation_time: String,
    faults: Faults,
    problem_details: Details,
    total_tests: usize,
    test_file_paths: Vec<&'a str>,
    test_cases: Vec<TestCase<'a>>,
    execution_time_in_seconds: u64,
    extra: Vec<Coverage>,
    warnings: Vec<Warning>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Faults {
    total_number: usize,
    found_faults: Vec<FoundFault>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FoundFault {
    operation_id: String,
    test_case_id: String,
    fault_categories: Vec<Category>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Category {
    id: &'static str,
    code: u16,
    context: String,
}

#[derive(Debug, Serialize)]
struct Details {
    rest: RestReport,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RestReport {
    output_http_calls: usize,
    evaluated_http_calls: u64,
    endpoint_ids: BTreeSet<String>,
    covered_http_status: Vec<CoveredEndpoint>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CoveredEndpoint {
    endpoint_id: String,
    test_case_id: String,
    http_status: BTreeSet<Option<u16>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TestCase<'a> {
    id: String,
    file_path: &'a str,
    name: &'a str,
    start_line: usize,
    end_line: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Coverage {
    tool_name: &'static str,
    criteria: Vec<Criterion>,
}

#[derive(Debug, Serialize)]
struct Criterion {
    name: &'static str,
    covered: u64,
    total: Option<u64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Warning {
    message: String,
    category: &'static str,
    display_priority: u32,
}

/// The report's text for `results` and the files of the written suite; `now` is its creation time.
///
/// Each test counts once per file it stands in: a reader opens files, not test models.
pub(super) fn report(results: &Results, suite_files: &[SuiteFile], now: SystemTime) -> String {
    let report = Report {
        schema_version: SCHEMA_VERSION,
        tool_name: "restive",
        tool_version: &results.restive_version,
        creation_time: time_text(now),
        faults: faults(results, suite_files),
        problem_details: Details { rest: rest(results, suite_files) },
        total_tests: suite_files.iter().map(|file| file.tests.len()).sum(),
        test_file_paths: suite_files.iter().filter(|file| !file.tests.is_empty()).map(|file| file.file_path.as_str()).collect(),
        test_cases: places(suite_files).map(test_case).collect(),
        // Whole seconds are what the format has; the truncation is meant.
        execution_time_in_seconds: std::time::Duration::try_from_secs_f64(results.run.seconds).map_or(0, |time| time.as_secs()),
        extra: coverage(results),
        warnings: warnings(results),
    };
    let mut text = serde_json::to_string_pretty(&report).expect("a report has text keys only");
    text.push('\n');
    text
}

/// Id and number of a category in WFC's catalogue; the number of a category of ours stands for itself.
///
/// The catalogue has renumbered its categories since the papers were written (an answer against its schema was 101,
/// a time-out had none); `results.json` keeps the numbers of the papers, this file those of the schema it declares.
fn category(code: u16) -> (&'static str, u16) {
    match code {
        100 => ("HTTP_STATUS_500", 100),
        101 => ("SCHEMA_INVALID_RESPONSE", 200),
        901 => ("RESTIVE_SUT_DEATH", 901),
        902 => ("SECURITY_CALL_TIMEOUT", 312),
        903 => ("RESTIVE_CONNECTION_DROPPED", 903),
        other => ("RESTIVE_OTHER", other.clamp(900, 999)),
    }
}

fn places(suite_files: &[SuiteFile]) -> impl Iterator<Item = (&SuiteFile, &TestPlace)> {
    suite_files.iter().flat_map(|file| file.tests.iter().map(move |place| (file, place)))
}

fn case_id(file: &SuiteFile, place: &TestPlace) -> String {
    format!("{}#{}", file.file_path, place.written_name)
}

fn test_case<'a>((file, place): (&'a SuiteFile, &'a TestPlace)) -> TestCase<'a> {
    TestCase {
        id: case_id(file, place),
        file_path: &file.file_path,
        name: &place.written_name,
        start_line: place.lines.0,
        end_line: place.lines.1,
    }
}

/// `GET:/pets` for `GET /pets`, as the format's own examples spell it.
fn endpoint_id(operation: &str) -> String {
    operation.replacen(' ', ":", 1)
}

/// The format has faults only together with a test that shows them; the others stay in `results.json`.
fn faults(results: &Results, suite_files: &[SuiteFile]) -> Faults {
    let mut shown = BTreeSet::new();
    let mut found_faults = Vec::new();
    for (file, place) in places(suite_files) {
        let mut by_operation: BTreeMap<&str, BTreeSet<Category>> = BTreeMap::new();
        for finding in results.findings.iter().filter(|finding| finding.tests.contains(&place.name)) {
            by_operation.entry(&finding.operation).or_default().insert(category_of(finding));
            shown.insert(&finding.id);
        }
        found_faults.extend(by_operation.into_iter().map(|(operation, categories)| FoundFault {
            operation_id: endpoint_id(operation),
            test_case_id: case_id(file, place),
            fault_categories: categories.into_iter().collect(),
        }));
    }
    Faults { total_number: shown.len(), found_faults }
}

fn category_of(finding: &FindingResult) -> Category {
    let (id, code) = category(finding.code);
    // Two findings of one operation and category differ in their id at least.
    Category { id, code, context: format!("{} ({})", finding.message, finding.id) }
}

fn rest(results: &Results, suite_files: &[SuiteFile]) -> RestReport {
    let mut output_http_calls = 0;
    let mut covered_http_status = Vec::new();
    for (file, place) in places(suite_files) {
        let Some(test) = results.tests.iter().find(|test| test.name == place.name) else { continue };
        output_http_calls += test.calls.len();
        let mut by_operation: BTreeMap<&str, BTreeSet<Option<u16>>> = BTreeMap::new();
        for call in &test.calls {
            // The schema ends at 599; what lies beyond stands in `results.json`.
            let status = (1..=599).contains(&call.status).then_some(call.status);
            by_operation.entry(&call.operation).or_default().insert(status);
        }
        covered_http_status.extend(by_operation.into_iter().map(|(operation, http_status)| CoveredEndpoint {
            endpoint_id: endpoint_id(operation),
            test_case_id: case_id(file, place),
            http_status,
        }));
    }
    let endpoint_ids = results.operations.iter().map(|operation| endpoint_id(&operation.id)).collect();
    RestReport { output_http_calls, evaluated_http_calls: results.run.calls, endpoint_ids, covered_http_status }
}

fn coverage(results: &Results) -> Vec<Coverage> {
    let criterion = |name, covered, total: u64| Criterion { name, covered, total: (total > 0).then_some(total) };
    let coverage = &results.coverage;
    let mut criteria = vec![criterion("targets", coverage.targets as u64, 0)];
    for (name, covered) in [("lines", coverage.lines), ("branches", coverage.branches), ("replacements", coverage.replacements)]
    {
        if covered.total > 0 {
            criteria.push(criterion(name, covered.covered, covered.total));
        }
    }
    vec![Coverage { tool_name: "restive", criteria }]
}

fn warnings(results: &Results) -> Vec<Warning> {
    let skipped = results.operations.iter().filter_map(|operation| {
        let skipped = operation.skipped.as_ref().filter(|skipped| !skipped.by_filter)?;
        let message = format!("{} was skipped: {} at {}", operation.id, skipped.reason, skipped.pointer);
        Some(Warning { message, category: "schema", display_priority: 1 })
    });
    let keywords = results.run.unsupported_keywords.iter().map(|(keyword, places)| Warning {
        message: format!("the schema keyword `{keyword}` is not honoured ({})", count(*places as u64, "place", "places")),
        category: "schema",
        display_priority: 2,
    });
    skipped.chain(keywords).collect()
}

/// RFC 3339 in UTC to the second.
fn time_text(now: SystemTime) -> String {
    let now = OffsetDateTime::from(now);
    let now = now.replace_nanosecond(0).unwrap_or(now);
    now.format(&Rfc3339).unwrap_or_else(|_| "1970-01-01T00:00:00Z".to_owned())
}

#[cfg(test)]
mod tests;
