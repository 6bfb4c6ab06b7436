//! Kept tests in few bytes: names that come again stand once, and bodies are cut to what a page may hold.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::escape::bytes_for_script;

/// Bytes that tests may take, about.
const MOST_BYTES: usize = 4_500_000;
/// Characters of a body, tried from left to right until all of them fit.
const BODY_LIMITS: [usize; 6] = [1000, 400, 160, 80, 30, 0];
/// Characters of a URL, at most.
const MOST_OF_URL: usize = 600;
/// Targets that a test names, at most.
const MOST_TARGETS: usize = 12;

/// Tests for a page.
#[derive(Debug)]
pub(super) struct PageTests {
    /// `names` of operations, files and targets, each once, and the `list` of tests that refer to them by position.
    pub value: Value,
    /// Characters that are left of a body, at most.
    pub most_of_body: usize,
}

#[derive(Debug, Deserialize)]
struct StoredTest {
    name: String,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    targets: Vec<String>,
    #[serde(default)]
    findings: Vec<String>,
    #[serde(default)]
    calls: Vec<StoredCall>,
}

#[derive(Debug, Deserialize)]
struct StoredCall {
    operation: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    status: u16,
    #[serde(default)]
    body: String,
    #[serde(default)]
    request_body: Option<String>,
    #[serde(default)]
    failure: Option<String>,
}

/// The tests of the content of `results.json`; one that cannot be understood is left out.
pub(super) fn tests(results: &Value) -> PageTests {
    let stored = results["tests"].as_array().map_or(&[][..], Vec::as_slice);
    let stored: Vec<StoredTest> = stored.iter().filter_map(|test| StoredTest::deserialize(test).ok()).collect();
    let base_url = results["run"]["base_url"].as_str().unwrap_or_default();
    let mut limits = BODY_LIMITS.into_iter();
    loop {
        let most_of_body = limits.next().unwrap_or_default();
        let value = Shortener { base_url, most_of_body, names: Names::default() }.tests(&stored);
        if most_of_body == 0 || bytes_for_script(&value.to_string()) <= MOST_BYTES {
            return PageTests { value, most_of_body };
        }
    }
}

/// Texts that come again, each once.
#[derive(Debug, Default)]
struct Names<'a> {
    all: Vec<&'a str>,
    positions: BTreeMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn position(&mut self, name: &'a str) -> usize {
        *self.positions.entry(name).or_insert_with(|| {
            self.all.push(name);
            self.all.len() - 1
        })
    }
}

struct Shortener<'a> {
    base_url: &'a str,
    most_of_body: usize,
    names: Names<'a>,
}

impl<'a> Shortener<'a> {
    fn tests(mut self, stored: &'a [StoredTest]) -> Value {
        let list: Vec<Value> = stored.iter().map(|test| self.test(test)).collect();
        json!({ "names": self.names.all, "list": list })
    }

    fn test(&mut self, test: &'a StoredTest) -> Value {
        let mut positions = |names: &'a [String], most: usize| -> Vec<usize> {
            names.iter().take(most).map(|name| self.names.position(name)).collect()
        };
        let (files, targets) = (positions(&test.files, usize::MAX), positions(&test.targets, MOST_TARGETS));
        let calls: Vec<Value> = test.calls.iter().map(|call| self.call(call)).collect();
        json!([test.name, files, targets, test.targets.len(), test.findings, calls])
    }

    /// What is missing at the end of the list is empty.
    fn call(&mut self, call: &'a StoredCall) -> Value {
        let url = call.url.strip_prefix(self.base_url).unwrap_or(&call.url);
        let url: String = url.chars().take(MOST_OF_URL).collect();
        let operation = self.names.position(&call.operation);
        let body = self.shortened(&call.body);
        let request_body = self.shortened(call.request_body.as_deref().unwrap_or_default());
        let failure = call.failure.as_deref().unwrap_or_default();
        let mut fields =
            vec![json!(operation), json!(call.status), json!(url), json!(body), json!(request_body), json!(failure)];
        while fields.last().is_some_and(|last| last == "") {
            fields.pop();
        }
        Value::Array(fields)
    }

    fn shortened(&self, body: &str) -> String {
        let mut short: String = body.chars().take(self.most_of_body).collect();
        if short.len() < body.len() {
            short.push('…');
        }
        short
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MOST_BYTES, tests};

    fn test(idx: usize, body: &str) -> Value {
        json!({
            "name": format!("test_{idx}"),
            "files": ["suite/pytest/test_x.py"],
            "targets": ["status:GET /x:200"],
            "findings": [],
            "calls": [{ "operation": "GET /x", "url": "http://h/x?a=1", "status": 200, "body": body }],
        })
    }

    fn results(tests: &[Value]) -> Value {
        json!({ "run": { "base_url": "http://h" }, "tests": tests })
    }

    #[test]
    fn few_tests_keep_their_bodies_and_name_each_thing_once() {
        let page = tests(&results(&[test(0, "{}"), test(1, "[]")]));
        assert_eq!(page.value["names"], json!(["suite/pytest/test_x.py", "status:GET /x:200", "GET /x"]));
        assert_eq!(page.value["list"][1], json!(["test_1", [0], [1], 1, [], [[2, 200, "/x?a=1", "[]"]]]));
        assert_eq!(page.most_of_body, 1000);
    }

    #[test]
    fn many_tests_are_cut_to_what_a_page_may_hold() {
        let page = tests(&results(&(0..10_000).map(|idx| test(idx, &"b".repeat(1000))).collect::<Vec<_>>()));
        assert!(page.value.to_string().len() <= MOST_BYTES && page.most_of_body < 1000);
        let body = page.value["list"][7][5][0][3].as_str().expect("a body");
        assert!(body.ends_with('…') && body.chars().count() == page.most_of_body + 1, "{body}");
    }

    #[test]
    fn what_is_no_test_is_left_out() {
        let page = tests(&json!({ "tests": [test(0, ""), { "name": 7 }, null] }));
        assert_eq!(page.value["list"].as_array().map(Vec::len), Some(1));
    }
}
