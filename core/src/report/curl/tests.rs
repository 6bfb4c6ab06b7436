use std::process::Command;

use proptest::prelude::*;

use super::{CurlSettings, curl_line, curl_sequence, user_variables};
use crate::action::{Request, UserIdx};
use crate::api::{OperationIdx, Verb};
use crate::suite::SuiteUser;

fn request(verb: Verb, url: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Request {
    Request {
        operation_idx: OperationIdx(0),
        verb,
        url: url.to_owned(),
        headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body: body.map(<[u8]>::to_vec),
        user: None,
    }
}

const SETTINGS: CurlSettings =
    CurlSettings { base_url: "http://127.0.0.1:8080/api", insecure: false, headers: &[], user_variables: &[] };

/// Runs a line in `sh` with a `curl` that prints its arguments, a mark, and what is piped into it.
fn run_in_shell(line: &str) -> (Vec<String>, Vec<u8>) {
    let fake = r#"curl() { for a in "$@"; do printf '%s\0' "$a"; done; printf 'BODY'; case "$*" in *@-) cat;; esac; }; "#;
    let script = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(script.path(), format!("{fake}{line}")).expect("a written script");
    let output = Command::new("sh").arg(script.path()).output().expect("a shell");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    let mark = b"\0BODY";
    let at = output.stdout.windows(mark.len()).position(|window| window == mark).expect("the mark");
    let arguments = String::from_utf8(output.stdout[..at].to_vec()).expect("text");
    (arguments.split('\0').map(str::to_owned).collect(), output.stdout[at + mark.len()..].to_vec())
}

fn body_of(line: &str) -> Vec<u8> {
    let (arguments, piped) = run_in_shell(line);
    match arguments.iter().position(|argument| argument == "--data-raw") {
        Some(at) => arguments[at + 1].clone().into_bytes(),
        None => piped,
    }
}

#[test]
fn a_plain_request_is_short() {
    let line = curl_line(&request(Verb::Get, "/pets?limit=5", &[("Accept", "application/json")], None), &SETTINGS);
    assert_eq!(line, "curl -sS -i 'http://127.0.0.1:8080/api/pets?limit=5' -H 'Accept: application/json'");
    let line = curl_line(&request(Verb::Post, "/pets", &[("Content-Type", "application/json")], Some(b"{\"a\":1}")), &SETTINGS);
    assert_eq!(
        line,
        "curl -sS -i -X POST http://127.0.0.1:8080/api/pets -H 'Content-Type: application/json' --data-raw '{\"a\":1}'"
    );
}

#[test]
fn a_run_that_accepted_any_certificate_has_lines_that_do() {
    let line = curl_line(&request(Verb::Get, "/pets", &[], None), &CurlSettings { insecure: true, ..SETTINGS });
    assert_eq!(line, "curl -sS -i -k http://127.0.0.1:8080/api/pets");
}

#[test]
fn several_requests_make_one_line() {
    let requests = [request(Verb::Put, "/a", &[], None), request(Verb::Head, "/b", &[], None)];
    let line = curl_sequence(&requests, &SETTINGS);
    assert_eq!(
        line,
        "curl -sS -i -X PUT http://127.0.0.1:8080/api/a -H 'Content-Length: 0' && curl -sS -i --head http://127.0.0.1:8080/api/b"
    );
}

#[test]
fn credentials_are_variables() {
    let headers = [("X-Api-Key".to_owned(), "k3y".to_owned()), ("X-Tenant".to_owned(), "7".to_owned())];
    let variables = user_variables(&["alice b".to_owned()], &[]);
    let settings = CurlSettings { headers: &headers, user_variables: &variables, ..SETTINGS };
    let mut request = request(Verb::Get, "/a", &[], None);
    request.user = Some(UserIdx(0));
    let line = curl_line(&request, &settings);
    assert!(line.contains(r#"-H 'X-Api-Key: '"$RESTIVE_HEADER_X_API_KEY""#), "{line}");
    assert!(line.contains(r#"-H "$RESTIVE_AUTH_ALICE_B""#), "{line}");
    assert!(line.contains("-H 'X-Tenant: 7'"), "{line}");
    assert!(!line.contains("k3y"));
}

#[test]
fn users_have_the_variables_of_the_suite() {
    let known = [SuiteUser { name: "bob".to_owned(), variable: "RESTIVE_AUTH_BOB_2".to_owned() }];
    let names = ["bob", "Alice's token", "é"].map(str::to_owned);
    assert_eq!(user_variables(&names, &known), ["RESTIVE_AUTH_BOB_2", "RESTIVE_AUTH_ALICE_S_TOKEN", "RESTIVE_AUTH"]);
}

#[test]
fn brackets_in_a_url_are_no_pattern_for_curl() {
    let line = curl_line(&request(Verb::Get, "/a?filter[x]=1", &[], None), &SETTINGS);
    assert!(line.contains(" -g "), "{line}");
}

#[test]
fn curl_adds_no_content_type_of_its_own() {
    let (arguments, _) = run_in_shell(&curl_line(&request(Verb::Post, "/a", &[], Some(b"x")), &SETTINGS));
    assert!(arguments.contains(&"Content-Type:".to_owned()));
}

#[test]
fn large_and_binary_bodies_arrive_whole() {
    let all_bytes: Vec<u8> = (0..=255).collect();
    let large_text = "x".repeat(200_000).into_bytes();
    for body in [b"-n %s \\ 'q'\n".to_vec(), all_bytes.repeat(2), all_bytes, large_text, b"@file".to_vec(), Vec::new()] {
        let line = curl_line(&request(Verb::Post, "/a", &[], Some(&body)), &SETTINGS);
        assert!(!line.contains('\n'));
        assert_eq!(body_of(&line), body);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_body_survives_the_shell(body in proptest::collection::vec(any::<u8>(), 0..40)) {
        let line = curl_line(&request(Verb::Post, "/a", &[("Content-Type", "x/y")], Some(&body)), &SETTINGS);
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(body_of(&line), body);
    }

    #[test]
    fn every_text_body_survives_the_shell(body in "[ -~$`\"'\\\\é\\n]{0,30}") {
        let line = curl_line(&request(Verb::Put, "/a", &[], Some(body.as_bytes())), &SETTINGS);
        prop_assert_eq!(body_of(&line), body.into_bytes());
    }

    #[test]
    fn every_header_and_url_survives_the_shell(value in "[ -~]{1,30}", path in "/[!-~]{0,30}") {
        prop_assume!(!value.trim().is_empty());
        let (arguments, _) = run_in_shell(&curl_line(&request(Verb::Get, &path, &[("X-A", &value)], None), &SETTINGS));
        let expected_url = format!("http://127.0.0.1:8080/api{path}");
        let expected_header = format!("X-A: {value}");
        prop_assert!(arguments.contains(&expected_url), "{arguments:?}");
        prop_assert!(arguments.contains(&expected_header), "{arguments:?}");
    }
}
