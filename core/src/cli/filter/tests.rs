use super::{FilterError, OperationFilter, glob};
use crate::api::{Api, Discovered, Operation, OperationIdx, Response, ResponseLink, Skipped, StatusRange, Verb};
use crate::cli::OperationSettings;

fn operation(verb: Verb, url_path: &str, operation_id: &str, tag: &str) -> Operation {
    Operation { operation_id: Some(operation_id.to_owned()), tags: vec![tag.to_owned()], ..Operation::bare(verb, url_path) }
}

fn api() -> Api {
    Api {
        operations: vec![
            operation(Verb::Get, "/pets", "listPets", "pets"),
            operation(Verb::Post, "/pets", "createPet", "pets"),
            operation(Verb::Delete, "/pets/{id}", "delete", "pets"),
            operation(Verb::Post, "/admin/shutdown", "stop", "admin"),
        ],
        skipped: vec![Skipped { operation: "POST /admin/wipe".to_owned(), pointer: String::new(), reason: String::new() }],
        ..Api::default()
    }
}

fn kept(include: &[&str], exclude: &[&str]) -> Result<Vec<String>, FilterError> {
    let owned = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    let mut api = api();
    OperationFilter::new(&OperationSettings { include: owned(include), exclude: owned(exclude), changed_since: None })
        .apply(&mut api)?;
    Ok(api.operations.iter().map(|operation| operation.id.clone()).collect())
}

#[test]
fn every_kind_of_pattern_chooses() {
    let list = ["GET /pets"].map(str::to_owned).to_vec();
    for pattern in ["GET /pets", "get /pets", "listPets", "id:list*", "verb:get", "GET"] {
        assert_eq!(kept(&[pattern], &[]).expect("a match"), list, "{pattern}");
    }
    assert_eq!(kept(&["tag:pets"], &[]).expect("a match").len(), 3);
    assert_eq!(kept(&["/pets*"], &[]).expect("a match").len(), 3);
    assert_eq!(kept(&["path:/pets"], &[]).expect("a match").len(), 2);
    assert_eq!(kept(&["POST *"], &[]).expect("a match").len(), 2);
}

#[test]
fn a_verb_in_lower_case_is_an_operation_id() {
    assert_eq!(kept(&["delete"], &[]).expect("a match"), ["DELETE /pets/{id}"]);
    assert_eq!(kept(&[], &["DELETE"]).expect("a match").len(), 3);
    assert!(kept(&["post"], &[]).is_err());
}

#[test]
fn exclusions_win_over_inclusions() {
    assert_eq!(kept(&["tag:pets"], &["POST /pets", "DELETE"]).expect("a match"), ["GET /pets"]);
}

#[test]
fn a_pattern_without_match_is_an_error_with_a_candidate() {
    let near = |pattern: &str| kept(&[], &[pattern]).expect_err("no match").hint();
    assert_eq!(near("POST /admin/shutdwon"), "did you mean `POST /admin/shutdown`?");
    assert_eq!(near("tag:admn"), "did you mean `tag:admin`?");
    assert_eq!(near("listPet"), "did you mean `listPets`?");
    assert_eq!(near("/pts"), "did you mean `/pets`?");
    assert!(near("verb:PATCH").contains("schema check"));
    let error = kept(&["nothing-like-it"], &[]).expect_err("no match");
    assert_eq!(error.to_string(), "`nothing-like-it` of `--include` matches no operation");
}

#[test]
fn where_no_document_names_the_operations_one_can_be_made() {
    let operation = Operation::bare(Verb::Get, "/a");
    let discovered = vec![Discovered { operation: operation.id.clone(), handler: String::new() }];
    let mut api = Api { operations: vec![operation], discovered, ..Api::default() };
    let settings = OperationSettings { include: vec!["verb:PATCH".to_owned()], ..OperationSettings::default() };
    let error = OperationFilter::new(&settings).apply(&mut api).expect_err("no match");
    assert!(error.hint().contains("schema infer"), "{}", error.hint());
}

#[test]
fn excluding_what_is_skipped_anyway_is_no_error() {
    assert_eq!(kept(&[], &["POST /admin/wipe"]).expect("known to the schema").len(), 4);
}

#[test]
fn nothing_left_is_an_error_and_leaves_the_interface_alone() {
    let mut api = api();
    let settings = OperationSettings { exclude: vec!["*".to_owned(), "/*".to_owned()], ..OperationSettings::default() };
    let error = OperationFilter::new(&settings).apply(&mut api).expect_err("all are excluded");
    assert_eq!(error, FilterError::NothingLeft { of: 4 });
    assert_eq!(api.operations.len(), 4);
    let mut empty = Api::default();
    assert!(matches!(OperationFilter::default().apply(&mut empty), Err(FilterError::NoneAtAll { skipped: 0 })));
}

#[test]
fn links_follow_their_operations() {
    let mut api = api();
    let link = |to| ResponseLink { name: String::new(), operation_idx: OperationIdx(to), parameters: Vec::new(), body: None };
    let response =
        Response { status: StatusRange::Default, media: Vec::new(), headers: Vec::new(), links: vec![link(2), link(0)] };
    api.operations[1].responses.push(response);
    let settings = OperationSettings { exclude: vec!["listPets".to_owned()], ..OperationSettings::default() };
    let left_out = OperationFilter::new(&settings).apply(&mut api).expect("something is left");
    assert_eq!(left_out[0].reason, "excluded by `listPets`");
    let links: Vec<OperationIdx> = api.operations[0].responses[0].links.iter().map(|link| link.operation_idx).collect();
    assert_eq!(links, [OperationIdx(1)]);
    assert_eq!(api.operations[1].id, "DELETE /pets/{id}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn stars_match_as_in_a_regular_expression(pattern in "[ab/*]{0,8}", text in "[ab/]{0,8}") {
        let regex = format!("^(?s:{})$", pattern.replace('*', ".*"));
        let expected = regex::Regex::new(&regex).expect("a regular expression").is_match(&text);
        proptest::prop_assert_eq!(glob(&pattern, &text), expected);
    }
}

#[test]
fn a_star_stands_for_any_text() {
    let cases = [
        ("/a", "/a", true),
        ("/a", "/ab", false),
        ("/a*", "/a", true),
        ("*b", "/ab", true),
        ("/*/c", "/a/b/c", true),
        ("/*/*", "/a", false),
        ("*", "", true),
        ("a*a", "a", false),
        ("/a*b*c", "/axxbyybzzc", true),
        ("", "x", false),
    ];
    for (pattern, text, expected) in cases {
        assert_eq!(glob(pattern, text), expected, "{pattern} on {text}");
    }
}
