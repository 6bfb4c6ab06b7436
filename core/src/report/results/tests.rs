use super::Results;
use crate::report::fixture::Parts;

#[test]
fn the_top_level_is_what_other_programs_rely_on() {
    let parts = Parts::new();
    let value = serde_json::to_value(Results::from_run(&parts.run())).expect("JSON");
    let keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected =
        ["format_version", "restive_version", "configuration", "run", "operations", "findings", "coverage", "tests", "curve"];
    assert_eq!(keys, expected);
    assert_eq!(value["format_version"], 1);
    assert_eq!(value["configuration"]["search.budget"]["value"], "2000 calls");
    assert_eq!(value["configuration"]["search.budget"]["origin"], "flag");
    assert_eq!(value["run"]["ended_by"], "budget");
    assert_eq!(value["run"]["calls_per_second"], 162.075);
    assert_eq!(value["coverage"]["targets"], 31);
    assert_eq!(value["coverage"]["lines"]["covered_at_boot"], 0);
    assert_eq!(value["curve"][0]["lines"], 0);
}

#[test]
fn operations_have_their_statuses_and_skipped_ones_a_reason() {
    let parts = Parts::new();
    let value = serde_json::to_value(Results::from_run(&parts.run())).expect("JSON");
    let operations = value["operations"].as_array().expect("a list");
    assert_eq!(operations.len(), 6);
    assert_eq!(operations[1]["statuses"]["500"], 12);
    assert_eq!(operations[1]["statuses"]["0"], 1);
    assert!(operations[3]["statuses"].as_object().expect("an object").is_empty());
    assert!(operations[0].get("skipped").is_none());
    assert_eq!(operations[4]["method"], "PUT");
    assert_eq!(operations[4]["skipped"]["pointer"], "/paths/~1pets~1{id}");
    assert_eq!(operations[4]["skipped"]["by_filter"], false);
    assert_eq!(operations[5]["skipped"]["by_filter"], true);
}

#[test]
fn a_whole_skipped_path_has_a_star_as_method() {
    let mut parts = Parts::new();
    parts.api.skipped[0].operation = "/pets/{id} and more".to_owned();
    let results = Results::from_run(&parts.run());
    assert_eq!((results.operations[4].method.as_str(), results.operations[4].path.as_str()), ("*", "/pets/{id} and more"));
}

#[test]
fn findings_name_their_tests_and_requests() {
    let parts = Parts::new();
    let results = Results::from_run(&parts.run());
    let first = &results.findings[0];
    assert_eq!((first.code, first.operation.as_str(), first.confirmed), (100, "POST /pets", true));
    assert_eq!(first.tests, ["post_pets_returns_500"]);
    assert_eq!(first.requests.len(), 2);
    assert_eq!(first.requests[0].user.as_deref(), Some("alice"));
    assert!(first.curl.contains(" && "), "{}", first.curl);
    let confirmations: Vec<&str> = results.findings.iter().map(|finding| finding.confirmation).collect();
    assert_eq!(confirmations, ["confirmed", "untried", "unstable"]);
    assert_eq!(results.tests[0].findings, std::slice::from_ref(&first.id));
}

#[test]
fn bodies_are_cut_at_characters_and_missing_answers_say_why() {
    let parts = Parts::new();
    let results = Results::from_run(&parts.run());
    assert_eq!(results.tests[0].calls[1].body.chars().count(), 1000);
    assert_eq!(results.tests[0].calls[0].url, "http://127.0.0.1:8080/api/pets?limit=5");
    let lost = &results.tests[1].calls[1];
    assert_eq!((lost.status, lost.failure.as_deref()), (0, Some("no answer within the time limit")));
    assert_eq!(results.tests[1].files, ["suite/junit-java/PetsTest.java"]);
}

#[test]
fn no_secret_is_written() {
    let parts = Parts::new();
    let text = Results::from_run(&parts.run()).to_json();
    assert!(!text.contains("s3cret!"), "{text}");
    assert!(text.contains("***"));
}

#[test]
fn equal_runs_give_equal_bytes() {
    let text = || Results::from_run(&Parts::new().run()).to_json();
    assert_eq!(text(), text());
}
