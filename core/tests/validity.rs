//! Every value and request made from a document is valid against the document's own schemas.

use restive_core::action;
use restive_core::api::{Api, OperationIdx};
use restive_core::openapi::{self, Origin};
use restive_core::search::{Budget, SearchSettings};

#[path = "validity/check.rs"]
mod check;
#[path = "validity/structure.rs"]
mod structure;

use check::{Checker, Effort, Tally};

/// Checks every operation of a document, of which it has `operations`; none may be skipped.
fn assert_valid(document: &str, operations: usize) {
    let api = openapi::parse(document, &Origin::Text).map(action::settle).expect("the document loads");
    assert_eq!(api.skipped, [], "every operation can be fuzzed");
    assert_valid_but_skipped(&api, operations);
}

/// Checks every operation that is not skipped.
fn assert_valid_but_skipped(api: &Api, operations: usize) {
    let limits = SearchSettings::new(Budget::Calls(1), 1).gene_limits;
    let effort = Effort { samples: 60, mutations: 10, rng_seed: 1, limits };
    let mut checker = Checker::new(api, &effort);
    let mut tally = Tally::default();
    for idx in 0..api.operations.len() {
        tally.merge(checker.check(OperationIdx(u32::try_from(idx).expect("few operations"))));
    }
    assert_eq!(tally.operations, operations);
    assert!(tally.values > operations * 500, "{} values", tally.values);
    assert!(tally.skipped.is_empty(), "{:?}", tally.skipped);
    assert!(tally.violations.is_empty(), "{:#?}", tally.violations);
}

#[test]
fn requests_of_openapi_3_0_features_are_valid() {
    assert_valid(include_str!("validity/documents/features-3.0.yaml"), 6);
}

#[test]
fn requests_of_swagger_2_0_features_are_valid() {
    assert_valid(include_str!("validity/documents/features-2.0.yaml"), 3);
}

#[test]
fn requests_of_openapi_3_1_features_are_valid() {
    assert_valid(include_str!("validity/documents/features-3.1.yaml"), 1);
}

#[test]
fn values_are_found_where_branches_overlap_and_patterns_look_around() {
    assert_valid(include_str!("validity/documents/overlaps-3.0.yaml"), 11);
}

#[test]
fn what_no_value_fits_is_left_out_with_a_reason() {
    let document = include_str!("validity/documents/contradictions-3.0.yaml");
    let api = openapi::parse(document, &Origin::Text).map(action::settle).expect("the document loads");
    let skipped: Vec<String> = api.skipped.iter().map(|skipped| format!("{}: {}", skipped.operation, skipped.reason)).collect();
    let expected = [
        "POST /same-branches: no value fits the schema of its body",
        "GET /pattern: no value fits the schema of its parameter `nic`",
        "POST /too-few-values: no value fits the schema of its body",
    ];
    assert_eq!(skipped, expected);
    let left_out = api.repairs.iter().filter(|repair| repair.action.contains("left out")).count();
    assert!(left_out >= 3, "{:?}", api.repairs);
    assert_valid_but_skipped(&api, 2);
}

#[test]
fn a_format_that_is_contradicted_is_left_out_with_a_repair_where_it_stands() {
    let document = include_str!("validity/documents/contradictions-3.0.yaml");
    let api = openapi::parse(document, &Origin::Text).map(action::settle).expect("the document loads");
    let formats = api.repairs.iter().filter(|repair| repair.action.starts_with("`format`"));
    let found: Vec<String> = formats.map(|repair| format!("{} {}", repair.pointer, repair.action)).collect();
    let schema = "/paths/~1formats/post/requestBody/content/application~1json/schema";
    let because = "left out: the lengths or the `pattern` beside it contradict it";
    let mut expected = [("at", "date-time"), ("both/allOf/0", "date"), ("id", "uuid")]
        .map(|(name, format)| format!("{schema}/properties/{name} `format` `{format}` {because}"));
    expected.sort();
    let mut sorted = found;
    sorted.sort();
    assert_eq!(sorted, expected);
}
