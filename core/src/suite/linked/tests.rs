//! Requests of every content type are cut where the linked value stands.

use serde_json::json;

use super::*;
use crate::api::{OperationIdx, Verb};

fn request(url: &str, content_type: &str, body: &[u8]) -> Request {
    Request {
        operation_idx: OperationIdx(0),
        verb: Verb::Post,
        url: url.to_owned(),
        headers: vec![("Content-Type".into(), content_type.into())],
        body: Some(body.to_vec()),
        user: None,
    }
}

fn value(seen: Value) -> LinkedValue {
    LinkedValue { sentinel: LinkedValue::sentinel(0), name: "order_id".into(), seen, is_verbatim: false }
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

fn captured(escape: Escape) -> Piece {
    Piece::Captured { name: "order_id".into(), escape }
}

fn body_pieces(sent: &str, content_type: &str, rendered: &str, seen: Value) -> Vec<Piece> {
    let sent = request("/", content_type, sent.as_bytes());
    let rendered = request("/", content_type, rendered.as_bytes());
    match LinkedRequest::new(&sent, &rendered, &[value(seen)]).body {
        Some(TestBody::Text(pieces)) => pieces,
        other => panic!("{other:?}"),
    }
}

#[test]
fn url_is_split_and_percent_encoded_by_the_test() {
    let sent = request("/orders/a%2Fb's?x=1", "text/plain", b"");
    let rendered = request("/orders/restivelink0q0x?x=1", "text/plain", b"");
    let linked = LinkedRequest::new(&sent, &rendered, &[value(json!("a/b's"))]);
    assert_eq!(linked.url, [text("/orders/"), captured(Escape::Url), text("?x=1")]);
}

#[test]
fn linked_number_stands_without_quotes_in_json() {
    let pieces = body_pieces(r#"{"id":17}"#, "application/json", r#"{"id":"restivelink0q0x"}"#, json!(17));
    assert_eq!(pieces, [text(r#"{"id":"#), captured(Escape::Plain), text("}")]);
}

#[test]
fn number_sent_as_string_keeps_its_quotes() {
    let pieces = body_pieces(r#"{"id":"17"}"#, "application/json", r#"{"id":"restivelink0q0x"}"#, json!(17));
    assert_eq!(pieces, [text(r#"{"id":""#), captured(Escape::JsonString), text(r#""}"#)]);
}

#[test]
fn string_sent_as_number_loses_its_quotes() {
    let pieces = body_pieces(r#"{"id":17}"#, "application/json", r#"{"id":"restivelink0q0x"}"#, json!("17"));
    assert_eq!(pieces, [text(r#"{"id":"#), captured(Escape::Plain), text("}")]);
}

#[test]
fn linked_string_is_escaped_for_its_place() {
    let json_body = body_pieces(r#"{"id":"a\"b"}"#, "application/json", r#"{"id":"restivelink0q0x"}"#, json!("a\"b"));
    assert_eq!(json_body[1], captured(Escape::JsonString));
    let form = body_pieces("a=x%20y", "application/x-www-form-urlencoded", "a=restivelink0q0x", json!("x y"));
    assert_eq!(form, [text("a="), captured(Escape::Url)]);
    let xml = body_pieces("<a>&lt;</a>", "application/xml", "<a>restivelink0q0x</a>", json!("<"));
    assert_eq!(xml[1], captured(Escape::Xml));
}

#[test]
fn what_the_pieces_would_not_give_is_written_literally() {
    let pieces = body_pieces(r#"{"id":"cut"}"#, "application/json", r#"{"id":"restivelink0q0x"}"#, json!("longer"));
    assert_eq!(pieces, [text(r#"{"id":"cut"}"#)]);
}

#[test]
fn body_that_is_not_utf8_stays_bytes() {
    let sent = request("/", "application/octet-stream", b"\xff");
    let linked = LinkedRequest::new(&sent, &sent, &[]);
    assert_eq!(linked.body, Some(TestBody::Bytes(vec![0xff])));
}

#[test]
fn one_value_stands_with_and_without_quotes_in_one_body() {
    let rendered = r#"{"a":"restivelink0q0x","b":["restivelink0q0x","restivelink0q0x"],"c":"x restivelink0q0x"}"#;
    let pieces = body_pieces(r#"{"a":"17","b":[17,"17"],"c":"x 17"}"#, "application/json", rendered, json!(17));
    let quoted = || captured(Escape::JsonString);
    let expected = [
        text(r#"{"a":""#),
        quoted(),
        text(r#"","b":["#),
        captured(Escape::Plain),
        text(r#",""#),
        quoted(),
        text(r#""],"c":"x "#),
        quoted(),
        text(r#""}"#),
    ];
    assert_eq!(pieces, expected);
}

#[test]
fn header_field_that_would_differ_is_written_literally() {
    let mut sent = request("/", "text/plain", b"");
    let mut rendered = sent.clone();
    sent.headers = vec![("X-Id".into(), "%C3%A9".into()), ("Cookie".into(), "c=%C3%A9".into())];
    rendered.headers = vec![("X-Id".into(), "restivelink0q0x".into()), ("Cookie".into(), "c=restivelink0q0x".into())];
    let headers = LinkedRequest::new(&sent, &rendered, &[value(json!("é /"))]).headers;
    assert_eq!(headers[0].1, [text("%C3%A9")]);
    let headers = LinkedRequest::new(&sent, &rendered, &[value(json!("é"))]).headers;
    assert_eq!(headers[1].1, [text("c="), captured(Escape::Url)]);
}
