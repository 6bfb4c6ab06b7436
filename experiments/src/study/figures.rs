//! What a run's `results.json` says, cut down to what studies compare.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Samples of a curve that a line keeps, at most.
const MAX_SAMPLES: usize = 100;

/// Figures of one run at its end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figures {
    /// HTTP calls of the search.
    pub calls: u64,
    /// Seconds of the search.
    pub search_seconds: f64,
    /// Calls a second.
    pub calls_per_second: f64,
    /// Operations that were called or should have been.
    pub operations: u64,
    /// Of these, with at least one 2xx.
    pub operations_2xx: u64,
    /// Of these, with at least one 5xx.
    pub operations_5xx: u64,
    /// Findings.
    pub findings: u64,
    /// Findings by the code of their category, as text: keys of JSON are no numbers.
    pub findings_by_code: BTreeMap<String, u64>,
    /// Tests of the suite.
    pub tests: u64,
    /// Covered targets of all kinds.
    pub targets: u64,
    /// Covered lines; none without a driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// All lines there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_total: Option<u64>,
    /// Covered branch sides; none without a driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches: Option<u64>,
    /// All branch sides there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches_total: Option<u64>,
    /// How often the service was started anew.
    pub sut_restarts: u64,
    /// `budget`, `interrupted` or `sut_lost`.
    pub ended_by: String,
}

/// Progress over a run: lists of equal length, one entry per moment, ascending.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Samples {
    /// Calls so far.
    pub calls: Vec<u64>,
    /// Seconds so far.
    pub seconds: Vec<f64>,
    /// Covered targets.
    pub targets: Vec<u64>,
    /// Findings.
    pub findings: Vec<u64>,
    /// Covered lines; empty without a driver.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u64>,
    /// Covered branch sides; empty without a driver.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<u64>,
}

/// Reads both from a `results.json`.
pub fn read(results: &Path) -> Result<(Figures, Samples)> {
    let text = std::fs::read(results).with_context(|| format!("cannot read `{}`", results.display()))?;
    let results: Value = serde_json::from_slice(&text).context("`results.json` is not JSON")?;
    Ok((figures(&results), samples(&results)))
}

fn figures(results: &Value) -> Figures {
    let run = &results["run"];
    let called = || members(&results["operations"]).filter(|operation| operation.get("skipped").is_none());
    let with_class = |class: u64| called().filter(|operation| has_answer(operation, class)).count() as u64;
    let mut findings_by_code = BTreeMap::new();
    for code in members(&results["findings"]).filter_map(|finding| finding["code"].as_u64()) {
        *findings_by_code.entry(code.to_string()).or_default() += 1;
    }
    // Without a driver all of them are zero, and nothing is known.
    let covered = |kind: &str| {
        let share = &results["coverage"][kind];
        let (covered, total) = (number(&share["covered"]), number(&share["total"]));
        (covered + total > 0).then_some((covered, total)).unzip()
    };
    let ((lines, lines_total), (branches, branches_total)) = (covered("lines"), covered("branches"));
    Figures {
        calls: number(&run["calls"]),
        search_seconds: run["seconds"].as_f64().unwrap_or_default(),
        calls_per_second: run["calls_per_second"].as_f64().unwrap_or_default(),
        operations: called().count() as u64,
        operations_2xx: with_class(2),
        operations_5xx: with_class(5),
        findings: members(&results["findings"]).count() as u64,
        findings_by_code,
        tests: members(&results["tests"]).count() as u64,
        targets: number(&results["coverage"]["targets"]),
        lines,
        lines_total,
        branches,
        branches_total,
        sut_restarts: number(&run["sut_restarts"]),
        ended_by: run["ended_by"].as_str().unwrap_or_default().to_owned(),
    }
}

fn has_answer(operation: &Value, class: u64) -> bool {
    let statuses = operation["statuses"].as_object().into_iter().flat_map(|statuses| statuses.keys());
    statuses.filter_map(|status| status.parse::<u64>().ok()).any(|status| status / 100 == class)
}

fn samples(results: &Value) -> Samples {
    let points: Vec<&Value> = members(&results["curve"]).collect();
    let kept: Vec<&Value> = evenly(points.len(), MAX_SAMPLES).map(|idx| points[idx]).collect();
    let series = |name: &str| kept.iter().map(|point| number(&point[name])).collect::<Vec<u64>>();
    let known = |series: Vec<u64>| if series.iter().all(|value| *value == 0) { Vec::new() } else { series };
    Samples {
        calls: series("calls"),
        seconds: kept.iter().map(|point| point["seconds"].as_f64().unwrap_or_default()).collect(),
        targets: series("targets"),
        findings: series("findings"),
        lines: known(series("lines")),
        branches: known(series("branches")),
    }
}

/// At most `max` (2 or more) of the positions below `len`, evenly spread, the first and the last among them.
fn evenly(len: usize, max: usize) -> impl Iterator<Item = usize> {
    let kept = len.min(max);
    (0..kept).map(move |nth| if len <= max { nth } else { nth * (len - 1) / (max - 1) })
}

fn members(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_are_those_of_the_results() {
        let results = json!({
            "run": {"calls": 30, "seconds": 1.5, "calls_per_second": 20.0, "sut_restarts": 2, "ended_by": "budget"},
            "operations": [
                {"id": "GET /a", "statuses": {"200": 3, "404": 1}},
                {"id": "GET /b", "statuses": {"500": 3, "0": 1}},
                {"id": "GET /c", "statuses": {}, "skipped": {"reason": "left out"}},
            ],
            "findings": [{"code": 100}, {"code": 100}, {"code": 101}],
            "tests": [{}, {}],
            "coverage": {"targets": 9, "lines": {"covered": 5, "total": 10}, "branches": {"covered": 0, "total": 0}},
        });
        let found = figures(&results);
        assert_eq!((found.operations, found.operations_2xx, found.operations_5xx), (2, 1, 1));
        assert_eq!((found.findings, found.findings_by_code), (3, [("100".to_owned(), 2), ("101".to_owned(), 1)].into()));
        assert_eq!((found.lines, found.lines_total, found.branches), (Some(5), Some(10), None));
        assert_eq!((found.tests, found.targets, found.calls, found.sut_restarts), (2, 9, 30, 2));
    }

    #[test]
    fn curves_keep_their_ends_and_few_samples() {
        let points: Vec<Value> = (0..=700).map(|idx| json!({"calls": idx, "targets": idx / 2, "lines": 0})).collect();
        let found = samples(&json!({ "curve": points }));
        assert_eq!((found.calls.len(), found.calls.first(), found.calls.last()), (MAX_SAMPLES, Some(&0), Some(&700)));
        assert_eq!((found.targets.len(), found.lines.len()), (MAX_SAMPLES, 0));
        assert!(found.calls.is_sorted());
        assert_eq!(samples(&json!({"curve": [{"calls": 4}]})).calls, [4]);
    }

    #[test]
    fn results_of_another_form_are_zeros_and_no_panic() {
        assert_eq!(figures(&json!([])).calls, 0);
        assert_eq!(samples(&json!(null)), Samples::default());
    }
}
