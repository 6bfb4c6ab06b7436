//! What came of a run, in one sentence for the top of the page.

use serde_json::Value;

use crate::report::{count, grouped};

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Name of the service.
    pub title: String,
    /// One sentence.
    pub sentence: String,
    /// Its colour.
    pub mood: Mood,
}

/// How the top of the page looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// Faults were found.
    Faults,
    /// Nothing that is new was found.
    Known,
    /// No faults were found.
    Clean,
    /// Nothing can be said.
    Unknown,
}

impl Mood {
    /// As the style of the page calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Faults => "faults",
            Self::Known => "known",
            Self::Clean => "clean",
            Self::Unknown => "unknown",
        }
    }
}

/// The verdict of the content of `results.json`.
pub(super) fn verdict(results: &Value) -> Verdict {
    let run = &results["run"];
    let title = run["title"].as_str().map(str::trim).filter(|title| !title.is_empty()).unwrap_or("The service").to_owned();
    let calls = run["calls"].as_u64().unwrap_or_default();
    let findings = results["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let ended = match run["ended_by"].as_str() {
        Some("interrupted") => " The run was stopped before its budget was spent.",
        Some("sut_lost") => " The run ended early: the service could not be brought back.",
        _ => "",
    };
    let (mood, sentence) = match (findings.len(), calls) {
        (0, 0) => (Mood::Unknown, "No call was made, so nothing can be said.".to_owned()),
        (0, _) => (Mood::Clean, format!("No faults found in {}; {}.", count(calls, "call", "calls"), succeeded(results))),
        _ => (mood(findings), format!("{}.", found(findings))),
    };
    Verdict { title, sentence: format!("{sentence}{ended}"), mood }
}

fn mood(findings: &[Value]) -> Mood {
    if findings.iter().all(|finding| finding["known"] == true) { Mood::Known } else { Mood::Faults }
}

/// `3 faults found in 2 operations, 2 of them confirmed`.
fn found(findings: &[Value]) -> String {
    let n = findings.len();
    let mut operations: Vec<&str> = findings.iter().filter_map(|finding| finding["operation"].as_str()).collect();
    operations.sort_unstable();
    operations.dedup();
    let at = count(operations.len() as u64, "operation", "operations");
    let confirmed = findings.iter().filter(|finding| finding["confirmation"] == "confirmed").count();
    let confirmed = match (confirmed, n) {
        (0, 1) => ", not confirmed".to_owned(),
        (0, _) => ", none of them confirmed".to_owned(),
        (1, 1) => " and confirmed".to_owned(),
        (some, all) if some == all => ", all of them confirmed".to_owned(),
        (some, _) => format!(", {} of them confirmed", grouped(some as u64)),
    };
    let known = findings.iter().filter(|finding| finding["known"] == true).count();
    let is_compared = findings.iter().any(|finding| !finding["known"].is_null());
    let new = match (is_compared, n - known) {
        (false, _) => String::new(),
        (true, 0) => "; an earlier run has them, too".to_owned(),
        (true, new) => format!("; {} new since the earlier run", grouped(new as u64)),
    };
    format!("{} found in {at}{confirmed}{new}", count(n as u64, "fault", "faults"))
}

/// `10 of 12 operations succeeded`.
fn succeeded(results: &Value) -> String {
    let operations = results["operations"].as_array().map_or(&[][..], Vec::as_slice);
    let there: Vec<&Value> = operations.iter().filter(|operation| operation["skipped"].is_null()).collect();
    let is_success = |operation: &&&Value| {
        operation["statuses"].as_object().is_some_and(|statuses| statuses.keys().any(|status| status.starts_with('2')))
    };
    let n = there.iter().filter(is_success).count();
    format!("{} of {} succeeded", grouped(n as u64), count(there.len() as u64, "operation", "operations"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Mood, verdict};

    fn finding(operation: &str, confirmation: &str, known: Option<bool>) -> Value {
        json!({ "operation": operation, "confirmation": confirmation, "known": known })
    }

    fn check(findings: &[Value], expected: &str, mood: Mood) {
        let operations = json!([
            { "id": "GET /a", "statuses": { "200": 7, "404": 1 } },
            { "id": "GET /b", "statuses": { "401": 7 } },
            { "id": "GET /c", "statuses": {}, "skipped": { "reason": "no schema" } },
        ]);
        let results = json!({ "run": { "calls": 1500, "title": " Shop " }, "findings": findings, "operations": operations });
        let verdict = verdict(&results);
        assert_eq!((verdict.title.as_str(), verdict.sentence.as_str(), verdict.mood), ("Shop", expected, mood));
    }

    #[test]
    fn a_verdict_is_one_plain_sentence() {
        check(&[], "No faults found in 1,500 calls; 1 of 2 operations succeeded.", Mood::Clean);
        check(&[finding("GET /a", "confirmed", None)], "1 fault found in 1 operation and confirmed.", Mood::Faults);
        let two = [finding("GET /a", "confirmed", None), finding("GET /a", "unstable", None)];
        check(&two, "2 faults found in 1 operation, 1 of them confirmed.", Mood::Faults);
        let compared = [finding("GET /a", "confirmed", Some(true)), finding("GET /b", "confirmed", Some(false))];
        let expected = "2 faults found in 2 operations, all of them confirmed; 1 new since the earlier run.";
        check(&compared, expected, Mood::Faults);
        let known = [finding("GET /a", "untried", Some(true)), finding("GET /b", "untried", Some(true))];
        let expected = "2 faults found in 2 operations, none of them confirmed; an earlier run has them, too.";
        check(&known, expected, Mood::Known);
    }

    #[test]
    fn a_run_that_broke_off_says_so() {
        let results = json!({ "run": { "calls": 0, "ended_by": "interrupted" }, "findings": [], "operations": [] });
        let verdict = verdict(&results);
        assert_eq!(verdict.title, "The service");
        let expected = "No call was made, so nothing can be said. The run was stopped before its budget was spent.";
        assert_eq!((verdict.sentence.as_str(), verdict.mood), (expected, Mood::Unknown));
    }
}
