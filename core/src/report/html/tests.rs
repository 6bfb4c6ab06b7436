use serde_json::{Value, json};

use super::{PageSource, page};
use crate::explain::Shortfall;
use crate::report::fixture::Parts;
use crate::report::{Results, SourceTexts};

/// The page of `results` without anything beside them.
fn page_of(results: &Value) -> String {
    page(&PageSource { results, shortfall: None, sources: &SourceTexts::default() })
}

fn results(parts: &Parts) -> Value {
    serde_json::to_value(Results::from_run(&parts.run())).expect("JSON")
}

/// The data that a page holds.
fn data_of(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let rest = page.split_once(begin).expect("the data begins").1;
    serde_json::from_str(rest.split_once("</script>").expect("the data ends").0).expect("JSON")
}

const HOSTILE: [&str; 5] = [
    "</script><script>alert('x')</script>",
    "\"><img src=x onerror=alert(1)>",
    "<!-- <script> ]]>",
    "' onload='alert(1)",
    "{{ 7 * 7 }} {% raw %} ${7} \u{2028}\u{2029} \u{202e}",
];

#[test]
fn no_text_of_a_service_is_markup() {
    let calm = page_of(&results(&Parts::new()));
    for text in HOSTILE {
        let mut parts = Parts::new();
        parts.api.title = text.to_owned();
        parts.findings[0].fault.message = text.to_owned();
        parts.findings[0].last_statement = Some(text.to_owned());
        parts.findings[0].fault.statement = Some(text.to_owned());
        parts.api.operations[0].id = format!("GET {text}");
        parts.suite.tests[0].name = text.to_owned();
        let results = results(&parts);
        let sources = SourceTexts {
            files: [(text.to_owned(), text.to_owned())].into(),
            of_class: [(text.to_owned(), text.to_owned())].into(),
            left_out: 0,
        };
        let shortfall = Shortfall { unmeasured: [(text.to_owned(), text.to_owned())].into(), ..Shortfall::default() };
        let page = page(&PageSource { results: &results, shortfall: Some(&shortfall), sources: &sources });
        for tag in ["<script", "</script", "<img", "<!--"] {
            assert_eq!(page.matches(tag).count(), calm.matches(tag).count(), "{tag} of {text}");
        }
        let data = data_of(&page);
        assert_eq!((&data["findings"][0]["message"], &data["run"]["title"]), (&json!(text), &json!(text)));
        assert_eq!(data["sources"]["files"][text], json!(text));
    }
}

#[test]
fn a_page_names_no_other_place_and_admits_no_other_script() {
    let page = page_of(&results(&Parts::new()));
    let (before, after) = page.split_once("<script type=\"application/json\"").expect("data");
    for reference in ["http://", "https://", "src=", "@import", "url("] {
        // The name of the namespace of SVG is no address.
        let script = after.replace("http://www.w3.org/2000/svg", "").replace("http://127.0.0.1:8080", "");
        assert!(!before.contains(reference) && !script.contains(reference), "{reference}");
    }
    assert!(before.contains("default-src 'none'"), "{before}");
}

#[test]
fn a_page_holds_no_secret() {
    assert!(!page_of(&results(&Parts::new())).contains("s3cret!"));
}

#[test]
fn what_the_results_have_is_in_the_page() {
    let parts = Parts::new();
    let data = data_of(&page_of(&results(&parts)));
    assert_eq!(data["findings"].as_array().map(Vec::len), Some(parts.findings.len()));
    assert_eq!(data["tests"]["list"].as_array().map(Vec::len), Some(parts.solution.tests.len()));
    assert_eq!(data["operations"].as_array().map(Vec::len), Some(6));
    assert_eq!(data["command"]["line"].as_str().map(|line| line.contains("--rng-seed 42")), Some(true));
    assert_eq!(data["shortfall"], Value::Null);
}

#[test]
fn equal_results_give_equal_pages() {
    let results = results(&Parts::new());
    assert_eq!(page_of(&results), page_of(&results.clone()));
}

#[test]
fn an_empty_run_has_a_page() {
    let results = json!({ "run": {}, "operations": [], "findings": [], "tests": [], "curve": [] });
    assert!(page_of(&results).contains("No call was made, so nothing can be said."));
}
