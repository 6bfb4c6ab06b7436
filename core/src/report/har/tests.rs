use std::time::{Duration, SystemTime};

use serde_json::{Map, Value, json};

use super::har;
use crate::action::{ActionResult, Outcome};
use crate::report::fixture::Parts;

/// The published schema, whose parts refer to each other by file name, as one.
fn schema() -> Value {
    const FILES: [(&str, &str); 18] = [
        ("afterRequest", include_str!("../../../tests/har/afterRequest.json")),
        ("beforeRequest", include_str!("../../../tests/har/beforeRequest.json")),
        ("browser", include_str!("../../../tests/har/browser.json")),
        ("cache", include_str!("../../../tests/har/cache.json")),
        ("content", include_str!("../../../tests/har/content.json")),
        ("cookie", include_str!("../../../tests/har/cookie.json")),
        ("creator", include_str!("../../../tests/har/creator.json")),
        ("entry", include_str!("../../../tests/har/entry.json")),
        ("har", include_str!("../../../tests/har/har.json")),
        ("header", include_str!("../../../tests/har/header.json")),
        ("log", include_str!("../../../tests/har/log.json")),
        ("page", include_str!("../../../tests/har/page.json")),
        ("pageTimings", include_str!("../../../tests/har/pageTimings.json")),
        ("postData", include_str!("../../../tests/har/postData.json")),
        ("query", include_str!("../../../tests/har/query.json")),
        ("request", include_str!("../../../tests/har/request.json")),
        ("response", include_str!("../../../tests/har/response.json")),
        ("timings", include_str!("../../../tests/har/timings.json")),
    ];
    let mut definitions = Map::new();
    for (name, text) in FILES {
        let mut part: Value = serde_json::from_str(text).expect("JSON");
        part.as_object_mut().expect("an object").remove("$id");
        refer_within(&mut part);
        definitions.insert(name.to_owned(), part);
    }
    json!({ "$schema": "http://json-schema.org/draft-06/schema#", "$ref": "#/definitions/har", "definitions": definitions })
}

/// `request.json#` is `#/definitions/request` here.
fn refer_within(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref")
                && let Some(name) = reference.strip_suffix(".json#")
            {
                *reference = format!("#/definitions/{name}");
            }
            fields.values_mut().for_each(refer_within);
        }
        Value::Array(list) => list.iter_mut().for_each(refer_within),
        _ => {}
    }
}

fn log(parts: &Parts) -> Value {
    serde_json::from_str(&har(&parts.run(), SystemTime::UNIX_EPOCH + Duration::from_mins(1))).expect("JSON")
}

/// A run with an answer of bytes, one with a cookie, one without an answer, and a request of a secret.
fn parts() -> Parts {
    let mut parts = Parts::new();
    let results = &mut parts.solution.tests[0].results;
    let last = results.len() - 1;
    if let Outcome::Answered(answer) = &mut results[last].outcome {
        answer.body = vec![0xff, 0, b's'];
        answer.headers = vec![
            ("content-type".to_owned(), "image/png".to_owned()),
            ("set-cookie".to_owned(), "session=77aa".to_owned()),
            ("location".to_owned(), "/login?token=s3cret!".to_owned()),
        ];
    }
    results[last].request.body = Some(b"{\"password\":\"s3cret!\"}".to_vec());
    results[last].request.url = "/pets?key=s3cret!&tag=a%20b".to_owned();
    let unanswered = ActionResult { outcome: Outcome::TimedOut, ..results[last].clone() };
    results.push(unanswered);
    parts
}

#[test]
fn the_archive_is_valid_against_the_published_schema() {
    let validator = jsonschema::options().should_validate_formats(true).build(&schema()).expect("a schema");
    for log in [log(&parts()), log(&Parts::clean())] {
        let errors: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{log:#}");
    }
    for (place, odd) in [("/log/entries/0/request/headers", json!({})), ("/log/entries/0/response/status", json!("200"))] {
        let mut log = log(&parts());
        *log.pointer_mut(place).expect("there") = odd;
        assert!(!validator.is_valid(&log), "the schema would notice mistakes at {place}");
    }
}

#[test]
fn every_call_of_the_suite_stands_in_it_below_its_test() {
    let parts = parts();
    let log = log(&parts);
    let pages: Vec<&str> =
        log["log"]["pages"].as_array().expect("a list").iter().filter_map(|page| page["title"].as_str()).collect();
    let tests: Vec<&str> = parts.suite.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(pages, tests);
    let calls: usize = parts.solution.tests.iter().map(|test| test.results.len()).sum();
    assert_eq!(log["log"]["entries"].as_array().map(Vec::len), Some(calls));
}

#[test]
fn bytes_are_base64_and_what_has_no_answer_says_why() {
    let parts = parts();
    let n = parts.solution.tests[0].results.len();
    let log = log(&parts);
    let content = &log["log"]["entries"][n - 2]["response"]["content"];
    assert_eq!((&content["text"], &content["encoding"], &content["size"]), (&json!("/wBz"), &json!("base64"), &json!(3)));
    let response = &log["log"]["entries"][n - 1]["response"];
    assert_eq!((&response["status"], &response["comment"]), (&json!(0), &json!("no answer within the time limit")));
    let query = &log["log"]["entries"][n - 2]["request"]["queryString"];
    assert_eq!(query[1], json!({ "name": "tag", "value": "a b" }));
}

#[test]
fn no_secret_stands_in_it() {
    let mut parts = parts();
    parts.headers.push(("X-Api-Key".to_owned(), "0123".to_owned()));
    let mut bytes = b"\xff token s3cret! ".to_vec();
    bytes.push(0xfe);
    if let Outcome::Answered(answer) = &mut parts.solution.tests[0].results[0].outcome {
        answer.body = bytes;
    }
    let text = log(&parts).to_string();
    for secret in ["s3cret", "77aa", "0123"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(text.contains("***"), "{text}");
}
