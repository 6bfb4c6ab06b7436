//! Answers against what their operation documents.

use serde_json::{Value, json};

use crate::action::{Answer, Coding, Outcome};
use crate::api::{Response, ResponseHeader, ResponseMedia, StatusRange, Verb};
use crate::oracle::tests::{api, result};
use crate::oracle::{Oracle, OracleContext, Validators};

use super::SchemaMismatch;

fn response(status: StatusRange, media: &[(&str, Option<Value>)]) -> Response {
    let media = media
        .iter()
        .map(|(media_type, schema)| ResponseMedia { media_type: (*media_type).to_owned(), json_schema: schema.clone() });
    Response { status, media: media.collect(), headers: Vec::new(), links: Vec::new() }
}

fn answer(status: u16, media_type: &str, body: &str) -> Answer {
    let headers = if media_type.is_empty() { Vec::new() } else { vec![("content-type".to_owned(), media_type.to_owned())] };
    Answer { status, headers, body: body.as_bytes().to_vec(), json: serde_json::from_str(body).ok(), ..Answer::default() }
}

fn keys_of(verb: Verb, responses: Vec<Response>, answer: Answer) -> Vec<String> {
    let api = api(responses);
    let context = OracleContext { api: &api, sut_death: None, is_malformed: false, is_astray: false, feedback: None };
    let mut result = result(Outcome::Answered(answer));
    result.request.verb = verb;
    let faults = SchemaMismatch.check(&context, &mut Validators::default(), &result);
    faults.into_iter().map(|fault| fault.key).collect()
}

fn keys(responses: Vec<Response>, answer: Answer) -> Vec<String> {
    keys_of(Verb::Get, responses, answer)
}

#[test]
fn undocumented_statuses_are_mismatches_unless_nothing_is_documented() {
    let ok = || response(StatusRange::Code(200), &[]);
    let status = |status| answer(status, "", "");
    assert_eq!(keys(vec![ok()], status(404)), ["status 404"]);
    assert_eq!(keys(vec![ok()], status(503)), ["status 503"]);
    assert_eq!(keys(vec![ok()], status(500)), [""; 0], "that is WFC 100");
    assert_eq!(keys(vec![ok(), response(StatusRange::Class(4), &[])], status(404)), [""; 0]);
    assert_eq!(keys(vec![ok(), response(StatusRange::Default, &[])], status(404)), [""; 0]);
    assert_eq!(keys(Vec::new(), status(404)), [""; 0]);
}

#[test]
fn media_types_are_compared_without_parameters_and_with_ranges() {
    let documented = |media_type: &str| vec![response(StatusRange::Code(200), &[(media_type, None)])];
    let with = |wanted: &str, found: &str| keys(documented(wanted), answer(200, found, "<p>"));
    assert_eq!(with("text/html", "Text/HTML; charset=utf-8"), [""; 0]);
    assert_eq!(with("text/*", "text/html"), [""; 0]);
    assert_eq!(with("*/*", "text/html"), [""; 0]);
    assert_eq!(with("application/json", "text/html"), ["status 200: media type"]);
    assert_eq!(with("text/html", ""), ["status 200: media type missing"]);
    assert_eq!(with("text/html", " ;q"), ["status 200: media type missing"], "an empty one is none");
    assert_eq!(keys(vec![response(StatusRange::Code(200), &[])], answer(200, "text/html", "<p>")), [""; 0]);
}

#[test]
fn bodies_are_checked_against_the_schema_of_the_media_type_that_fits_best() {
    let schema = json!({ "type": "object", "required": ["id"], "properties": { "id": { "type": "integer" } } });
    let media = [("*/*", Some(json!(false))), ("application/json", Some(schema))];
    let documented = || vec![response(StatusRange::Code(200), &media)];
    let with = |body: &str| keys(documented(), answer(200, "application/json", body));
    assert_eq!(with("{\"id\": 1}"), [""; 0]);
    assert_eq!(with("{\"id\": \"1\"}"), ["status 200: body: type at /id"]);
    assert_eq!(with("{}"), ["status 200: body: required id at /"]);
    assert_eq!(with("{\"id\""), ["status 200: body is not JSON"]);
    assert_eq!(with(&format!("{}{}", "[".repeat(5000), "]".repeat(5000))), [""; 0], "too deep for our parser, but JSON");
    let cut = Answer { truncated: true, json: None, ..answer(200, "application/json", "{\"id\"") };
    assert_eq!(keys(documented(), cut), [""; 0]);
}

#[test]
fn a_missing_body_counts_where_json_is_documented_and_content_is_allowed() {
    let media = [("application/json", Some(json!({ "type": "object" })))];
    let documented = |status| vec![response(StatusRange::Code(status), &media)];
    assert_eq!(keys(documented(200), answer(200, "", "")), ["status 200: body missing"]);
    assert_eq!(keys(documented(204), answer(204, "", "")), [""; 0]);
    assert_eq!(keys_of(Verb::Head, documented(200), answer(200, "", "")), [""; 0]);
    let text = vec![response(StatusRange::Code(200), &[("text/plain", Some(json!({ "type": "string" })))])];
    assert_eq!(keys(text, answer(200, "", "")), [""; 0]);
}

#[test]
fn headers_are_demanded_and_read_in_every_way_text_can_be_meant() {
    let header = |name: &str, required, schema| ResponseHeader { name: name.to_owned(), required, json_schema: Some(schema) };
    let mut documented = response(StatusRange::Code(200), &[]);
    documented.headers = vec![
        header("X-Left", true, json!({ "type": "integer", "minimum": 0 })),
        header("X-Tags", false, json!({ "type": "array", "items": { "type": "string", "maxLength": 2 } })),
        header("X-Name", false, json!({ "type": "string" })),
        header("Content-Type", true, json!(false)),
    ];
    let with = |fields: &[(&str, &str)]| {
        let headers = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        keys(vec![documented.clone()], Answer { status: 200, headers, ..Answer::default() })
    };
    assert_eq!(with(&[("x-left", "3"), ("x-tags", "a, bc"), ("x-name", "17")]), [""; 0]);
    assert_eq!(with(&[]), ["status 200: header X-Left missing"]);
    assert_eq!(with(&[("x-left", "-1"), ("x-tags", "abc")]), ["status 200: header X-Left", "status 200: header X-Tags"]);
}

#[test]
fn a_500_is_compared_with_what_is_documented_for_it_but_not_with_default() {
    let media = [("application/json", Some(json!({ "type": "object" })))];
    let crash = || answer(500, "text/html", "<h1>oops</h1>");
    assert_eq!(keys(vec![response(StatusRange::Default, &media)], crash()), [""; 0]);
    assert_eq!(keys(vec![response(StatusRange::Code(500), &media)], crash()), ["status 500: media type"]);
    assert_eq!(keys(vec![response(StatusRange::Default, &media)], answer(400, "text/html", "x")), ["status 400: media type"]);
}

#[test]
fn the_refusal_of_a_malformed_request_needs_no_documentation() {
    let api = api(vec![response(StatusRange::Code(200), &[])]);
    let context = OracleContext { api: &api, sut_death: None, is_malformed: true, is_astray: false, feedback: None };
    let faults = |status: u16| {
        let result = result(Outcome::Answered(answer(status, "", "")));
        SchemaMismatch.check(&context, &mut Validators::default(), &result).len()
    };
    assert_eq!((faults(415), faults(400), faults(503), faults(200)), (0, 0, 1, 0));
}

#[test]
fn validators_are_made_once_and_their_limits_are_told() {
    let schema = json!({ "type": "array", "items": { "type": "integer" } });
    let api = api(vec![response(StatusRange::Code(200), &[("application/json", Some(schema))])]);
    let context = OracleContext { api: &api, sut_death: None, is_malformed: false, is_astray: false, feedback: None };
    let mut validators = Validators::default();
    let mut faults = |body: &str| {
        let result = result(Outcome::Answered(answer(200, "application/json", body)));
        SchemaMismatch.check(&context, &mut validators, &result).len()
    };
    assert_eq!((faults("[1]"), faults("[\"a\", \"b\", \"c\"]")), (0, 1));
    let huge = format!("[{}\"x\"]", "1,".repeat(200_000));
    assert_eq!(faults(&huge), 0);
    assert_eq!((validators.too_costly(), validators.unusable().len()), (1, 0));
}

#[test]
fn bodies_in_unknown_codings_are_counted_and_wrong_ones_are_mismatches() {
    let media = [("application/json", Some(json!({ "type": "object" })))];
    let api = api(vec![response(StatusRange::Code(200), &media)]);
    let context = OracleContext { api: &api, sut_death: None, is_malformed: false, is_astray: false, feedback: None };
    let mut validators = Validators::default();
    let mut faults = |coding| {
        let coded = Answer { coding, json: None, ..answer(200, "application/json", "\u{1}\u{2}") };
        let faults = SchemaMismatch.check(&context, &mut validators, &result(Outcome::Answered(coded)));
        faults.into_iter().map(|fault| fault.key).collect::<Vec<_>>()
    };
    assert_eq!(faults(Coding::Wrong("gzip".to_owned())), ["status 200: content coding"]);
    assert_eq!(faults(Coding::Kept("br".to_owned())), [""; 0]);
    assert!((0..20).all(|number| faults(Coding::Kept(format!("x{number}"))).is_empty()));
    let unchecked = validators.unchecked();
    assert_eq!(unchecked.get("answers in the content coding `br`"), Some(&1));
    assert_eq!((unchecked.len(), unchecked.values().sum::<u64>()), (9, 21), "however many a service makes up");
}

#[test]
fn formats_and_expensive_patterns_are_judged_with_care() {
    let media = |schema: Value| vec![response(StatusRange::Code(200), &[("application/json", Some(schema))])];
    let with = |schema: Value, body: &str| keys(media(schema), answer(200, "application/json", body)).len();
    assert_eq!(with(json!({ "format": "date-time" }), "\"yesterday\""), 1);
    assert_eq!(with(json!({ "format": "time" }), "\"10:00\""), 0);
    assert_eq!(with(json!({ "format": "no-such-format" }), "\"x\""), 0);
    let slow = json!({ "pattern": "^((a+)\\2*)*b$" });
    assert_eq!(with(slow, &format!("\"{}\"", "a".repeat(5000))), 0, "given up, not a mismatch");
}

#[test]
fn json_that_is_nested_too_deeply_is_counted_as_not_compared() {
    let media = [("application/json", Some(json!({ "type": "array" })))];
    let api = api(vec![response(StatusRange::Code(200), &media)]);
    let context = OracleContext { api: &api, sut_death: None, is_malformed: false, is_astray: false, feedback: None };
    let mut validators = Validators::default();
    for depth in [100, 200, 5000] {
        let body = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let answer = answer(200, "application/json", &body);
        assert!(SchemaMismatch.check(&context, &mut validators, &result(Outcome::Answered(answer))).is_empty());
    }
    assert_eq!(validators.unchecked(), [("answers nested deeper than 127 levels".to_owned(), 2)].into());
}
