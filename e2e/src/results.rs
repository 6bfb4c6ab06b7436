//! The parts of `results.json` that tests look at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The content of an output folder's `results.json`.
#[derive(Debug)]
pub struct Results(Value);

/// What was found where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundFault {
    /// Web Fuzzing Commons code, or restive's own above 900.
    pub code: u64,
    /// `VERB /path`.
    pub operation: String,
}

impl FoundFault {
    /// A fault to compare with.
    pub fn new(code: u64, operation: &str) -> Self {
        Self { code, operation: operation.to_owned() }
    }
}

impl Results {
    /// Reads `results.json` of an output folder and checks the fields that every result has.
    pub fn read(out: &Path) -> Result<Self> {
        let file_path = out.join("results.json");
        let bytes = fs::read(&file_path).with_context(|| format!("cannot read `{}`", file_path.display()))?;
        let value: Value = serde_json::from_slice(&bytes).with_context(|| format!("`{}` is not JSON", file_path.display()))?;
        for field in ["format_version", "restive_version", "configuration", "run", "operations", "findings", "tests", "curve"] {
            ensure!(value.get(field).is_some(), "`{}` has no `{field}`", file_path.display());
        }
        Ok(Self(value))
    }

    /// The whole document.
    pub fn json(&self) -> &Value {
        &self.0
    }

    fn list(&self, field: &str) -> &[Value] {
        self.0[field].as_array().map_or(&[], Vec::as_slice)
    }

    /// Calls made by the search.
    pub fn calls(&self) -> u64 {
        self.0["run"]["calls"].as_u64().unwrap_or_default()
    }

    /// Why the run ended: `budget`, `interrupted` or `sut_lost`.
    pub fn ended_by(&self) -> &str {
        self.0["run"]["ended_by"].as_str().unwrap_or_default()
    }

    /// How many tests were kept.
    pub fn n_tests(&self) -> usize {
        self.list("tests").len()
    }

    /// Codes and places of all findings, each once.
    pub fn faults(&self) -> BTreeSet<FoundFault> {
        let fault = |finding: &Value| {
            let code = &finding["code"];
            let code = code.as_u64().or_else(|| code.as_str()?.parse().ok()).unwrap_or_default();
            FoundFault::new(code, finding["operation"].as_str().unwrap_or_default())
        };
        self.list("findings").iter().map(fault).collect()
    }

    /// Operations with an answer of that class (2 for 2xx), by id.
    pub fn operations_with(&self, class: u16) -> BTreeSet<String> {
        let has = |operation: &&Value| {
            let statuses = operation["statuses"].as_object();
            statuses.is_some_and(|statuses| {
                statuses.keys().any(|status| status.starts_with(&class.to_string()) && status.len() == 3)
            })
        };
        self.list("operations").iter().filter(has).filter_map(|operation| Some(operation["id"].as_str()?.to_owned())).collect()
    }

    /// Ids of all operations, skipped ones included.
    pub fn operations(&self) -> BTreeSet<String> {
        self.list("operations").iter().filter_map(|operation| Some(operation["id"].as_str()?.to_owned())).collect()
    }

    /// The statements of the service at which an operation failed with status 500, each once, with the types of the
    /// exceptions that were seen.
    pub fn failures_of(&self, operation: &str) -> BTreeMap<String, Vec<String>> {
        let failed = self.list("findings").iter().filter(|it| it["code"] == 100 && it["operation"] == operation);
        let statement = |finding: &Value| Some(finding["message"].as_str()?.split_once(" at ")?.1.to_owned());
        let types = |finding: &Value| -> Vec<String> {
            let exceptions = finding["exceptions"].as_array().into_iter().flatten();
            exceptions.filter_map(|exception| Some(exception["type"].as_str()?.to_owned())).collect()
        };
        failed.filter_map(|finding| Some((statement(finding)?, types(finding)))).collect()
    }

    /// A count of lines or branches (`kind`) that a driver measured, such as `covered` or `total`.
    pub fn measured(&self, kind: &str, count: &str) -> u64 {
        self.0["coverage"][kind][count].as_u64().unwrap_or_default()
    }

    /// How many `lines`, `branches` or `replacements` of a class were `covered`, or there are (`total`).
    pub fn measured_of(&self, class: &str, kind: &str, count: &str) -> u64 {
        let mut classes = self.0["coverage"]["per_class"].as_array().into_iter().flatten();
        classes.find(|it| it["name"] == class).and_then(|it| it[kind][count].as_u64()).unwrap_or_default()
    }

    /// Names of the classes that a driver measured.
    pub fn classes(&self) -> BTreeSet<String> {
        let classes = self.0["coverage"]["per_class"].as_array().into_iter().flatten();
        classes.filter_map(|class| Some(class["name"].as_str()?.to_owned())).collect()
    }
}
