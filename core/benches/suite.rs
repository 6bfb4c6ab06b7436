//! Time to write a suite of 1,000 tests, for each form.

use divan::Bencher;
use restive_core::action::LinkSource;
use restive_core::api::Verb;
use restive_core::suite::{
    BodyCheck, Capture, CheckKind, Escape, Piece, SuiteReset, SuiteWriter, TestBody, TestCall, TestCase, TestKind, TestSuite,
    WRITERS, write,
};
use serde_json::json;

fn main() {
    divan::main();
}

fn call(verb: Verb, url: Vec<Piece>, status: u16) -> TestCall {
    let equals = |pointer: &str, value| BodyCheck { pointer: pointer.to_owned(), kind: CheckKind::Equals(value) };
    let mut checks: Vec<BodyCheck> = (0..8).map(|idx| equals(&format!("/field{idx}"), json!(format!("value {idx}")))).collect();
    checks.push(BodyCheck { pointer: "/lines".to_owned(), kind: CheckKind::Length(2) });
    checks.push(equals("/lines/0/price", json!(9.5)));
    TestCall {
        operation: format!("{verb} /orders"),
        verb,
        fresh: Vec::new(),
        url,
        headers: Vec::new(),
        body: None,
        user: None,
        status,
        media_type: Some("application/json".to_owned()),
        fields: Vec::new(),
        checks,
        text: None,
        captures: Vec::new(),
    }
}

/// A test of three calls: one that creates with a body of eight fields, two that read what it made.
fn test(idx: usize) -> TestCase {
    let fields: serde_json::Map<_, _> = (0..8).map(|idx| (format!("field{idx}"), json!(format!("value {idx}")))).collect();
    let text = |text: &str| Piece::Text(text.to_owned());
    let mut create = call(Verb::Post, vec![text("/orders")], 201);
    create.headers = vec![("Content-Type".to_owned(), vec![text("application/json")])];
    create.body = Some(TestBody::Text(vec![text(&serde_json::Value::from(fields).to_string())]));
    let source = LinkSource::Body("/field0".to_owned());
    create.captures = vec![Capture { name: "order_id".to_owned(), source, seen: json!("value 0") }];
    let read =
        call(Verb::Get, vec![text("/orders/"), Piece::Captured { name: "order_id".to_owned(), escape: Escape::Url }], 200);
    TestCase {
        name: format!("post_orders_then_get_orders_twice_returns_200_{idx}"),
        kind: [TestKind::Success, TestKind::Other, TestKind::Fault][idx % 3],
        description: "GET /orders/{id} answers 200.".to_owned(),
        tag: Some(["orders", "lines", "payments"][idx % 7 % 3].to_owned()),
        targets: vec![format!("status:GET /orders/{{id}}:200:{idx}")],
        findings: Vec::new(),
        notes: Vec::new(),
        calls: vec![create, read.clone(), read],
    }
}

/// Renders the suite in one form and writes its files.
#[divan::bench(args = WRITERS.map(SuiteWriter::name))]
fn written(bencher: Bencher<'_, '_>, form: &str) {
    let suite = TestSuite {
        title: "Benchmark".to_owned(),
        base_url: "http://127.0.0.1:8080".to_owned(),
        insecure: false,
        reset: SuiteReset::Never,
        users: Vec::new(),
        tests: (0..1000).map(test).collect(),
    };
    let writer = WRITERS.into_iter().find(|writer| writer.name() == form).expect("a form");
    let folder = tempfile::tempdir().expect("a temporary folder");
    bencher.bench_local(|| write(&suite, &[writer], folder.path()).expect("a writable folder"));
}
