//! The data of a page: `results.json` under its own names, made smaller where there is much of it.
//!
//! What is left out or cut is told in `cut`, so that the page can say it.

use serde_json::{Map, Value, json};

use super::PageSource;
use super::command::command;
use super::escape::bytes_for_script;
use super::tests_of_page::tests;

/// Findings, at most.
const MOST_FINDINGS: usize = 2000;
/// Points of the curve, at most.
const MOST_POINTS: usize = 400;
/// Characters of a shell line; a longer one is left out, for half a line is of no use.
const MOST_OF_LINE: usize = 20_000;
/// Lines of a stack, at most.
const MOST_FRAMES: usize = 60;
/// Bytes that findings may take, about; those that follow lose their longer shell lines and most of their stacks.
const MOST_OF_FINDINGS: usize = 1_500_000;
/// The same of findings for which there is no room.
const FEW: Limits = Limits { line: 400, frames: 5 };
const MANY: Limits = Limits { line: MOST_OF_LINE, frames: MOST_FRAMES };
/// Changed files, at most.
const MOST_CHANGED: usize = 1_000;
/// Tests that a finding names, at most.
const MOST_TESTS_OF_FINDING: usize = 50;

/// The data of the page.
pub(super) fn condense(source: &PageSource) -> Value {
    let results = source.results;
    let tests = tests(results);
    let findings = list(&results["findings"]);
    let points = list(&results["curve"]);
    let mut data = Map::new();
    for field in ["restive_version", "configuration", "run", "operations", "coverage"] {
        data.insert(field.to_owned(), results[field].clone());
    }
    let mut changes = results.get("changes").cloned().unwrap_or_default();
    let n_changed = list(&changes["files"]).len();
    if let Some(Value::Array(files)) = changes.get_mut("files") {
        files.truncate(MOST_CHANGED);
    }
    data.insert("changes".to_owned(), changes);
    data.insert("findings".to_owned(), shortened(findings));
    data.insert("curve".to_owned(), curve(points));
    data.insert("tests".to_owned(), tests.value);
    data.insert("command".to_owned(), json!(command(results)));
    data.insert("shortfall".to_owned(), json!(source.shortfall));
    data.insert("sources".to_owned(), json!(source.sources));
    let cut = json!({
        "findings": findings.len().saturating_sub(MOST_FINDINGS),
        "changed": n_changed.saturating_sub(MOST_CHANGED),
        "bodies": tests.most_of_body,
        "sources": source.sources.left_out,
    });
    data.insert("cut".to_owned(), cut);
    Value::Object(data)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// How much is kept of a finding.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Characters of a shell line.
    line: usize,
    /// Lines of a stack.
    frames: usize,
}

fn shortened(findings: &[Value]) -> Value {
    let mut bytes = 0;
    let findings = findings.iter().take(MOST_FINDINGS).map(|it| {
        let shown = finding(it, if bytes < MOST_OF_FINDINGS { MANY } else { FEW });
        bytes += bytes_for_script(&shown.to_string());
        shown
    });
    findings.collect()
}

fn finding(finding: &Value, limits: Limits) -> Value {
    let mut finding = finding.clone();
    let requests = list(&finding["requests"]).len();
    if let Some(fields) = finding.as_object_mut() {
        // The line of all requests is those of each, joined.
        if requests > 0 {
            fields.remove("curl");
        }
        if let Some(Value::Array(tests)) = fields.get_mut("tests") {
            let n = tests.len();
            tests.truncate(MOST_TESTS_OF_FINDING);
            fields.insert("n_tests".to_owned(), n.into());
        }
        for request in fields.get_mut("requests").and_then(Value::as_array_mut).into_iter().flatten() {
            shorten_request(request, limits.line);
        }
        for exception in fields.get_mut("exceptions").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(Value::Array(trace)) = exception.get_mut("trace") {
                trace.truncate(limits.frames);
            }
        }
    }
    finding
}

fn shorten_request(request: &mut Value, most: usize) {
    let length = request["curl"].as_str().map_or(0, str::len);
    if length > most
        && let Some(fields) = request.as_object_mut()
    {
        fields.remove("curl");
        fields.insert("curl_length".to_owned(), length.into());
    }
    if let Some(url) = request["url"].as_str() {
        request["url"] = url.chars().take(most).collect::<String>().into();
    }
}

/// Points evenly over the curve, the last one included, as lists: calls, seconds, targets, lines, branches, findings.
fn curve(points: &[Value]) -> Value {
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.iter().enumerate().filter(|(idx, _)| idx % step == 0 || *idx == last);
    let row = |point: &Value| {
        let fields = ["calls", "seconds", "targets", "lines", "branches", "findings"];
        Value::Array(fields.map(|field| point[field].clone()).to_vec())
    };
    kept.map(|(_, point)| row(point)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MANY, MOST_OF_FINDINGS, MOST_OF_LINE, MOST_POINTS, curve, finding, shortened};

    #[test]
    fn a_curve_of_many_points_keeps_its_first_and_last() {
        let points: Vec<_> = (0..1001).map(|calls| json!({ "calls": calls, "seconds": 0.5, "targets": 3 })).collect();
        let curve = curve(&points);
        let curve = curve.as_array().expect("a list");
        assert!(curve.len() <= MOST_POINTS + 1, "{}", curve.len());
        assert_eq!((&curve[0][0], &curve.last().expect("a point")[0]), (&json!(0), &json!(1000)));
        assert_eq!(super::curve(&[]), json!([]));
    }

    #[test]
    fn many_long_findings_lose_what_is_longest() {
        let one = json!({ "message": "m", "requests": [{ "url": "u", "curl": "<".repeat(MOST_OF_LINE) }] });
        let shown = shortened(&vec![one; 500]);
        assert!(shown.to_string().len() < 2 * MOST_OF_FINDINGS, "{}", shown.to_string().len());
        assert!(shown[0]["requests"][0]["curl"].is_string() && shown[499]["requests"][0]["curl_length"].is_number());
        assert_eq!(shown.as_array().map(Vec::len), Some(500));
    }

    #[test]
    fn a_shell_line_is_whole_or_not_there() {
        let long = "x".repeat(MOST_OF_LINE + 1);
        let requests = json!([{ "url": "u", "curl": "curl u" }, { "url": long, "curl": long }]);
        let shown = finding(&json!({ "curl": long, "requests": requests, "tests": vec!["t"; 60] }), MANY);
        assert!(shown.get("curl").is_none(), "{shown}");
        assert_eq!(shown["requests"][0]["curl"], "curl u");
        assert_eq!((&shown["requests"][1]["curl_length"], shown["requests"][1].get("curl")), (&json!(MOST_OF_LINE + 1), None));
        assert_eq!((shown["tests"].as_array().map(Vec::len), &shown["n_tests"]), (Some(50), &json!(60)));
    }
}
