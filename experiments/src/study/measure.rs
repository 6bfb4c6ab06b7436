//! What configurations are compared by.

use super::figures::{Figures, Samples};

/// One figure of a run, and its curve when it has one.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// In file names.
    pub key: &'static str,
    /// In headings.
    pub title: &'static str,
    /// Its value; none when the run does not know it.
    pub value: fn(&Figures) -> Option<f64>,
    /// Its values over the run; empty when the run does not know them.
    pub curve: Option<fn(&Samples) -> &[u64]>,
}

/// Every measure, in the order of the report. More is better, but for tests, of which more only is more.
pub const MEASURES: [Measure; 9] = [
    Measure { key: "lines", title: "Covered lines", value: |f| whole(f.lines?), curve: Some(|s| &s.lines) },
    Measure { key: "branches", title: "Covered branch sides", value: |f| whole(f.branches?), curve: Some(|s| &s.branches) },
    Measure { key: "findings", title: "Findings", value: |f| whole(f.findings), curve: Some(|s| &s.findings) },
    Measure { key: "targets", title: "Covered targets", value: |f| whole(f.targets), curve: Some(|s| &s.targets) },
    Measure { key: "operations-2xx", title: "Operations with a 2xx", value: |f| whole(f.operations_2xx), curve: None },
    Measure { key: "operations-5xx", title: "Operations with a 5xx", value: |f| whole(f.operations_5xx), curve: None },
    Measure { key: "tests", title: "Tests of the suite", value: |f| whole(f.tests), curve: None },
    Measure { key: "calls", title: "Calls", value: |f| whole(f.calls), curve: None },
    Measure { key: "rate", title: "Calls a second", value: |f| Some(f.calls_per_second), curve: None },
];

#[expect(clippy::unnecessary_wraps, reason = "the value of a measure may be unknown")]
fn whole(count: u64) -> Option<f64> {
    Some(count as f64)
}
