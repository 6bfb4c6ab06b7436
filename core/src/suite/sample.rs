//! A suite made by hand that has everything a writer must cope with in ordinary runs.

use serde_json::{Value, json};

use crate::action::LinkSource;
use crate::api::Verb;

use super::Shape;
use super::model::{
    BodyCheck, Capture, CheckKind, Escape, FieldCheck, FreshValue, Piece, SuiteReset, SuiteUser, TestBody, TestCall, TestCase,
    TestKind, TestSuite,
};

pub(super) fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

pub(super) fn captured(name: &str, escape: Escape) -> Piece {
    Piece::Captured { name: name.to_owned(), escape }
}

/// A call without anything special.
pub(super) fn call(verb: Verb, url: Vec<Piece>, status: u16) -> TestCall {
    let template: Vec<String> = url
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Captured { .. } => "{id}".to_owned(),
        })
        .collect();
    TestCall {
        operation: format!("{verb} {}", template.concat()),
        verb,
        fresh: Vec::new(),
        url,
        headers: Vec::new(),
        body: None,
        user: None,
        status,
        media_type: None,
        fields: Vec::new(),
        checks: Vec::new(),
        text: None,
        captures: Vec::new(),
    }
}

pub(super) fn with_body(call: TestCall, content_type: &str, body: TestBody) -> TestCall {
    TestCall { headers: vec![("Content-Type".into(), vec![text(content_type)])], body: Some(body), ..call }
}

fn checks(checks: &[(&str, CheckKind)]) -> Vec<BodyCheck> {
    checks.iter().map(|(pointer, kind)| BodyCheck { pointer: (*pointer).to_owned(), kind: kind.clone() }).collect()
}

fn equals(value: Value) -> CheckKind {
    CheckKind::Equals(value)
}

/// A test of that kind.
pub(super) fn test(name: &str, kind: TestKind, calls: Vec<TestCall>) -> TestCase {
    TestCase {
        name: name.to_owned(),
        kind,
        tag: None,
        description: format!("What `{name}` is about."),
        targets: Vec::new(),
        findings: Vec::new(),
        notes: Vec::new(),
        calls,
    }
}

fn post_order() -> TestCall {
    let body =
        json!({"item": "book", "quantity": 2, "note": "as a gift, please wrap it well", "tags": ["a", "b"], "price": 9.5});
    TestCall {
        media_type: Some("application/json".into()),
        checks: checks(&[
            ("/item", equals(json!("book"))),
            ("/quantity", equals(json!(2))),
            ("/price", equals(json!(9.5))),
            ("/total", equals(json!(1.234_567_890_123_456_7e21))),
            ("/id", CheckKind::IsNumber),
            ("/rate", CheckKind::IsNumber),
            ("/count", equals(json!(9_007_199_254_740_993_i64))),
            ("/lines", CheckKind::Length(1)),
            ("/lines/0/open", equals(json!(true))),
            ("/lines/0/0", equals(json!("key that looks like a position"))),
            ("/history", CheckKind::Length(0)),
            ("/key", CheckKind::Looks(Shape::Uuid)),
            ("/made", CheckKind::Looks(Shape::DateTime)),
            ("/labels", CheckKind::Members(vec![json!("new"), json!("paid")])),
            ("/counts", CheckKind::Members(vec![json!(2), json!(10)])),
            ("/paid", equals(Value::Null)),
        ]),
        fields: vec![
            FieldCheck { name: "cache-control".into(), value: Some("no-store, private".into()) },
            FieldCheck { name: "location".into(), value: None },
        ],
        captures: vec![Capture { name: "order_id".into(), source: LinkSource::Body("/id".into()), seen: json!(17) }],
        ..with_body(
            call(Verb::Post, vec![text("/orders")], 201),
            "application/json",
            TestBody::Text(vec![text(&body.to_string())]),
        )
    }
}

fn chained_fault() -> TestCase {
    let get = call(Verb::Get, vec![text("/orders/"), captured("order_id", Escape::Url)], 500);
    let mut test = test("post_orders_then_get_orders_by_id_wrongly_returns_500", TestKind::Fault, vec![post_order(), get]);
    test.description = "GET /orders/{id}: server error (status 500) - the answer is 500.".into();
    test.findings = vec!["F1".into()];
    test.targets = (31..38).map(|line| format!("line:org.acme.Orders:{line}")).collect();
    test
}

fn chained_bodies() -> TestCase {
    let mut first = call(Verb::Post, vec![text("/files")], 201);
    first.captures = vec![
        Capture { name: "file_id".into(), source: LinkSource::LocationSegment, seen: json!("a b") },
        Capture { name: "file_etag".into(), source: LinkSource::Header("ETag".into()), seen: json!("\"x\"") },
        Capture { name: "file_sid".into(), source: LinkSource::Cookie("sid".into()), seen: json!("a%3D+b==") },
        Capture { name: "file_size".into(), source: LinkSource::Body("/0/size".into()), seen: json!(3) },
        Capture { name: "file_open".into(), source: LinkSource::Body("/0/open".into()), seen: json!(true) },
        Capture { name: "file_next_end".into(), source: LinkSource::Segment("/0/next".into(), 0), seen: json!("7") },
        Capture { name: "file_next_part_2".into(), source: LinkSource::Segment("/0/next".into(), 2), seen: json!("a b") },
    ];
    let json_body = vec![
        text(r#"{"file":""#),
        captured("file_id", Escape::JsonString),
        text(r#"","size":"#),
        captured("file_size", Escape::Plain),
        text(r#","label":"no "#),
        captured("file_size", Escape::JsonString),
        text(r#""}"#),
    ];
    let mut second = with_body(
        call(
            Verb::Put,
            vec![text("/files/"), captured("file_id", Escape::Url), text("?open="), captured("file_open", Escape::Url)],
            200,
        ),
        "application/json",
        TestBody::Text(json_body),
    );
    second.headers.push(("If-Match".into(), vec![captured("file_etag", Escape::Plain)]));
    second.headers.push(("Cookie".into(), vec![text("theme=dark; sid="), captured("file_sid", Escape::Plain)]));
    second.user = Some("alice".into());
    let xml = |name| captured(name, Escape::Xml);
    let next = [text("</id><next>"), xml("file_next_part_2"), text(" "), xml("file_next_end"), text("</next></file>")];
    let xml = [text("<file><id>"), xml("file_id")].into_iter().chain(next).collect();
    let third = with_body(call(Verb::Post, vec![text("/xml")], 200), "application/xml", TestBody::Text(xml));
    test("post_files_then_put_files_by_id_then_post_xml_returns_200", TestKind::Success, vec![first, second, third])
}

fn odd_requests() -> Vec<TestCase> {
    let form = with_body(
        call(Verb::Post, vec![text("/form")], 200),
        "application/x-www-form-urlencoded",
        TestBody::Text(vec![text("a=1&b=%20x")]),
    );
    let mut pong = call(Verb::Get, vec![text("/ping")], 200);
    pong.media_type = Some("text/plain".into());
    pong.text = Some("pong\n".into());
    let mut twice = call(Verb::Get, vec![text("//ping?b=1&a=2&b=3")], 400);
    twice.headers = ["X-One", "X-Two", "x-one"]
        .iter()
        .zip(1..)
        .map(|(name, idx)| ((*name).into(), vec![text(&format!("é{idx}"))]))
        .collect();
    let binary = with_body(
        call(Verb::Put, vec![text("/blob")], 415),
        "application/octet-stream",
        TestBody::Bytes(vec![0, 255, b'"', b'\\']),
    );
    let untyped =
        TestCall { body: Some(TestBody::Text(vec![text("{\"a\": 1}")])), ..call(Verb::Delete, vec![text("/things")], 400) };
    let mut left_out = test("get_slow_without_a_stable_answer", TestKind::Other, Vec::new());
    left_out.notes = vec!["Left out: GET /slow got no answer within the time limit.".into()];
    let mut noted = test("trace_root_returns_405", TestKind::Other, vec![call(Verb::Trace, vec![text("/")], 405)]);
    noted.notes = vec!["Left out: GET /late answered 200 once and 503 at another time.".into()];
    let moved = call(Verb::Post, vec![text("/move")], 302);
    let mut dropped = call(Verb::Post, vec![text("/drop")], 0);
    dropped.headers = vec![("X-One".into(), vec![text("1")])];
    vec![
        test("post_drop_wrongly_breaks_the_connection", TestKind::Fault, vec![dropped]),
        test("post_move_returns_302", TestKind::Success, vec![moved]),
        test("post_form_then_get_ping_returns_200", TestKind::Success, vec![form, pong]),
        test("get_ping_returns_400", TestKind::Other, vec![twice]),
        test("put_blob_returns_415", TestKind::Other, vec![binary]),
        test("delete_things_returns_400", TestKind::Other, vec![untyped]),
        noted,
        left_out,
    ]
}

/// What a service takes once is another text each time, wherever it is sent.
fn drawn_anew() -> TestCase {
    let fresh = |name: &str, seen: &str| FreshValue { name: name.into(), seen: json!(seen) };
    let body = vec![
        text(r#"{"name":""#),
        captured("new_name", Escape::JsonString),
        text(r#"","mail":""#),
        captured("new_mail", Escape::JsonString),
        text(r#""}"#),
    ];
    let made = TestCall {
        fresh: vec![fresh("new_name", "Kqz-07fa"), fresh("new_mail", "kqzvtw@b.c")],
        ..with_body(call(Verb::Post, vec![text("/users")], 201), "application/json", TestBody::Text(body))
    };
    let url = vec![text("/users/"), captured("new_name", Escape::Url), text("?mail="), captured("new_mail", Escape::Url)];
    test("post_users_then_get_users_by_name_returns_200", TestKind::Success, vec![made, call(Verb::Get, url, 200)])
}

/// The suite.
pub(super) fn suite() -> TestSuite {
    let mut tests = vec![chained_fault(), chained_bodies()];
    tests.push(drawn_anew());
    tests.extend(odd_requests());
    TestSuite {
        title: "Orders".into(),
        base_url: "http://127.0.0.1:8080/api".into(),
        insecure: false,
        reset: SuiteReset::Call { verb: "POST".into(), url: "/reset".into() },
        users: vec![SuiteUser { name: "alice".into(), variable: "RESTIVE_AUTH_ALICE".into() }],
        tests,
    }
}
