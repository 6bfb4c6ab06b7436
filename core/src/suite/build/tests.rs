//! Suites made from results that stand here, with a renderer that fills `{id}` and sends `{"order": id}` bodies.

mod rendering;

use std::time::Duration;

use serde_json::json;

use super::*;
use crate::action::{
    CallViolation, Coding, LinkPlace, LinkSource, Malformation, OddPath, PlacedViolation, UserIdx, ValuePlace,
};
use crate::api::{Operation, OperationIdx, Verb};
use crate::gene::{Edit, Violation};
use crate::oracle::{Confirmation, Fault, FaultCode};
use crate::search::Individual;
use crate::suite::model::{CheckKind, Escape, Piece, TestBody};

fn operation(verb: Verb, url_path: &str) -> Operation {
    Operation::bare(verb, url_path)
}

fn api() -> Api {
    let operations = vec![
        operation(Verb::Post, "/orders"),
        operation(Verb::Get, "/orders/{id}"),
        operation(Verb::Put, "/lines"),
        operation(Verb::Get, "/slow"),
    ];
    Api { operations, ..Api::default() }
}

/// As the real renderer as far as these tests go.
fn render_plainly(api: &Api, action: &Action, resolve: &mut dyn FnMut(&Link) -> Option<Value>) -> Request {
    let operation = api.operation(action.operation_idx);
    let value = action.links.first().and_then(resolve).unwrap_or_else(|| json!(1));
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Request {
        operation_idx: action.operation_idx,
        verb: operation.verb,
        url: operation.url_path.replace("{id}", &text),
        headers: vec![("Content-Type".into(), "application/json".into()), ("content-length".into(), "9".into())],
        body: (operation.verb == Verb::Put).then(|| json!({ "order": value }).to_string().into_bytes()),
        user: action.user,
    }
}

fn action(operation: u32, link: Option<LinkSource>) -> Action {
    let link = link.map(|source| Link { place: LinkPlace::Parameter(0), from_action: 0, source });
    Action {
        operation_idx: OperationIdx(operation),
        parameters: Vec::new(),
        body: None,
        user: None,
        links: link.into_iter().collect(),
        violation: None,
        expanded: None,
    }
}

fn id_link() -> LinkSource {
    LinkSource::Body("/id".into())
}

fn answered(status: u16, body: Value) -> Outcome {
    Outcome::Answered(Answer {
        status,
        headers: vec![("content-type".into(), "application/json".into())],
        body: body.to_string().into_bytes(),
        coding: Coding::Plain,
        truncated: false,
        json: Some(body),
    })
}

/// The results of `actions` when their calls ended like `outcomes`.
fn results(actions: &[Action], outcomes: Vec<Outcome>) -> Vec<ActionResult> {
    let mut results: Vec<ActionResult> = Vec::new();
    for (action, outcome) in actions.iter().zip(outcomes) {
        let request = render_plainly(&api(), action, &mut |link| resolve(&results, link));
        results.push(ActionResult { request, outcome, elapsed: Duration::ZERO });
    }
    results
}

fn solved(actions: Vec<Action>, executions: Vec<Vec<Outcome>>) -> SolvedTest {
    let mut executions = executions.into_iter().map(|outcomes| results(&actions, outcomes));
    SolvedTest {
        results: executions.next().expect("one execution"),
        repeats: executions.collect(),
        individual: Individual { actions },
        targets: Vec::new(),
        findings: Vec::new(),
        fresh: Vec::new(),
    }
}

fn suite_of(tests: Vec<SolvedTest>, findings: &[Finding]) -> TestSuite {
    suite_with(&Solution { tests, ..Solution::default() }, findings, SuiteReset::Never)
}

fn suite_with(solution: &Solution, findings: &[Finding], reset: SuiteReset) -> TestSuite {
    let source = SuiteSource {
        api: &api(),
        solution,
        targets: &Targets::default(),
        findings,
        finding_ids: &["F101-1".to_owned()],
        users: &["admin".to_owned(), "Anna B.".to_owned()],
        base_url: "http://127.0.0.1:8080/",
        title: "Orders",
        insecure: false,
        reset,
        secrets: &[],
    };
    TestSuite::rendered_by(&source, render_plainly)
}

fn test_of(test: SolvedTest) -> TestCase {
    suite_of(vec![test], &[]).tests.remove(0)
}

fn captured(escape: Escape) -> Piece {
    Piece::Captured { name: "order_id".into(), escape }
}

#[test]
fn linked_values_become_captures() {
    let actions = vec![action(0, None), action(1, Some(id_link())), action(2, Some(id_link()))];
    let run = |id: u32| vec![answered(201, json!({"id": id, "item": "x"})), answered(500, json!({})), answered(200, json!(id))];
    let test = test_of(solved(actions, vec![run(7), run(8)]));
    assert_eq!(test.name, "post_orders_then_get_orders_by_id_then_put_lines_returns_200_after_a_fault");
    assert_eq!(test.kind, TestKind::Fault);
    let [first, second, third] = test.calls.as_slice() else { panic!("{:?}", test.calls) };
    assert_eq!(first.captures.len(), 1);
    assert_eq!((first.captures[0].name.as_str(), &first.captures[0].seen), ("order_id", &json!(7)));
    let kinds: Vec<&CheckKind> = first.checks.iter().map(|check| &check.kind).collect();
    assert_eq!(kinds, [&CheckKind::IsNumber, &CheckKind::Equals(json!("x"))]);
    assert_eq!(second.url, [Piece::Text("/orders/".into()), captured(Escape::Url)]);
    let body = [Piece::Text(r#"{"order":"#.into()), captured(Escape::Plain), Piece::Text("}".into())];
    assert_eq!(third.body, Some(TestBody::Text(body.to_vec())));
    assert_eq!(third.headers.len(), 1, "framing fields are left out");
}

#[test]
fn link_that_gave_nothing_once_is_written_literally() {
    let actions = vec![action(0, None), action(1, Some(id_link()))];
    let run = |body: Value| vec![answered(201, body), answered(200, json!({}))];
    let test = test_of(solved(actions, vec![run(json!({"id": 7})), run(json!({}))]));
    assert_eq!(test.calls[1].url, [Piece::Text("/orders/7".into())]);
    assert!(test.calls[0].captures.is_empty());
}

#[test]
fn test_ends_before_a_call_without_answer() {
    let actions = vec![action(0, None), action(3, None), action(0, None)];
    let outcomes = vec![answered(201, json!({})), Outcome::TimedOut, answered(201, json!({}))];
    let test = test_of(solved(actions, vec![outcomes]));
    assert_eq!(test.calls.len(), 1);
    assert_eq!(test.notes, ["Left out: GET /slow got no answer within the time limit; the 1 after it are left out too."]);
    assert_eq!(test.name, "post_orders_returns_201");
}

#[test]
fn test_ends_before_a_stream_that_goes_on() {
    let stream = |truncated: bool| {
        let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        Outcome::Answered(Answer { status: 200, headers, truncated, ..Answer::default() })
    };
    let run = |truncated: bool| vec![answered(201, json!({})), stream(truncated)];
    let ends = |runs: Vec<Vec<Outcome>>| test_of(solved(vec![action(0, None), action(3, None)], runs));
    let test = ends(vec![run(false), run(true)]);
    assert_eq!((test.calls.len(), test.name.as_str()), (1, "post_orders_returns_201"));
    assert_eq!(test.notes, ["Left out: GET /slow answers with a stream that goes on."]);
    assert_eq!(ends(vec![run(false), run(false)]).calls.len(), 2, "one that ends is an answer as any other");
}

#[test]
fn test_ends_before_a_status_that_differs() {
    let run = |status: u16| vec![answered(201, json!({})), answered(status, json!({}))];
    let test = test_of(solved(vec![action(0, None), action(1, None)], vec![run(200), run(503)]));
    assert_eq!(test.calls.len(), 1);
    assert_eq!(test.notes, ["Left out: GET /orders/{id} answered 200 once and 503 at another time."]);
}

#[test]
fn test_without_a_stable_call_has_none() {
    let test = test_of(solved(vec![action(3, None)], vec![vec![Outcome::Disconnected("reset".into())]]));
    assert_eq!((test.name.as_str(), test.calls.len(), test.kind), ("get_slow_without_a_stable_answer", 0, TestKind::Other));
    assert_eq!(test.notes, ["Left out: GET /slow lost its connection (reset)."]);
}

#[test]
fn connection_that_breaks_every_time_is_what_the_test_shows() {
    let finding = |code| {
        let fault =
            Fault { code, operation_idx: OperationIdx(3), key: String::new(), message: "it broke".into(), statement: None };
        Finding {
            fault,
            count: 1,
            confirmation: Confirmation::Confirmed,
            requests: Vec::new(),
            last_statement: None,
            exceptions: Vec::new(),
        }
    };
    let run = |second: Outcome| vec![answered(201, json!({})), second, answered(201, json!({}))];
    let broke = || run(Outcome::Disconnected("reset".into()));
    let test = |code, last: Vec<Outcome>| {
        let mut test = solved(vec![action(0, None), action(3, None), action(0, None)], vec![broke(), last]);
        test.findings = vec![0];
        suite_of(vec![test], &[finding(code)]).tests.remove(0)
    };
    let shown = test(FaultCode::ConnectionDropped, broke());
    assert_eq!(shown.name, "post_orders_then_get_slow_wrongly_breaks_the_connection");
    assert!(shown.calls.len() == 2 && shown.calls[1].is_dropped() && shown.findings == ["F101-1"], "{shown:?}");
    assert_eq!(shown.notes, ["Left out: the 1 call after the broken connection."]);
    // A service that died would fail every test after this one, and one that answered may do so again.
    for other in [
        test(FaultCode::SutDeath, broke()),
        test(FaultCode::ConnectionDropped, run(answered(200, json!({})))),
        test(FaultCode::TimeOut, broke()),
    ] {
        assert!(other.calls.len() == 1 && other.findings.is_empty(), "{other:?}");
    }
}

#[test]
fn test_ends_before_a_call_that_ends_the_process() {
    let exit = Fault {
        code: FaultCode::ExitAttempt,
        operation_idx: OperationIdx(3),
        key: String::new(),
        message: "it tried to exit".into(),
        statement: None,
    };
    let finding = Finding {
        fault: exit,
        count: 1,
        confirmation: Confirmation::Confirmed,
        requests: Vec::new(),
        last_statement: None,
        exceptions: Vec::new(),
    };
    let outcomes = vec![answered(201, json!({})), answered(500, json!({}))];
    let mut test = solved(vec![action(0, None), action(3, None)], vec![outcomes]);
    test.findings = vec![0];
    let test = suite_of(vec![test], &[finding]).tests.remove(0);
    assert_eq!((test.calls.len(), test.findings.len()), (1, 0));
    assert_eq!(test.notes, ["Left out: GET /slow makes the service end its process."]);
}

#[test]
fn unsent_call_is_left_out_alone() {
    let actions = vec![action(0, None), action(3, None), action(1, Some(id_link()))];
    let outcomes = vec![answered(201, json!({"id": 7})), Outcome::Unsent("bad header".into()), answered(404, json!({}))];
    let test = test_of(solved(actions, vec![outcomes]));
    assert_eq!(test.calls.len(), 2);
    assert_eq!(test.calls[1].url[1], captured(Escape::Url));
    assert_eq!(test.kind, TestKind::Other);
    assert_eq!(test.notes, ["Left out: GET /slow was not sent (bad header)."]);
}

#[test]
fn names_say_the_violation_and_equal_ones_are_numbered() {
    let mut wrong = action(0, None);
    let violation = Violation { pointer: "/name".into(), edit: Edit::Remove, description: "missing name".into() };
    wrong.violation = Some(CallViolation::Value(PlacedViolation { place: ValuePlace::Body, violation }));
    let test = || solved(vec![wrong.clone()], vec![vec![answered(400, json!({}))]]);
    let suite = suite_of(vec![test(), test()], &[]);
    assert_eq!(suite.tests[0].name, "post_orders_with_missing_name_returns_400");
    assert_eq!(suite.tests[1].name, "post_orders_with_missing_name_returns_400_2");
}

#[test]
fn only_users_whose_credentials_are_sent_are_listed() {
    let mut mine = action(0, None);
    mine.user = Some(UserIdx(1));
    let suite = suite_of(vec![solved(vec![mine], vec![vec![answered(200, json!({}))]])], &[]);
    assert_eq!(suite.users, [SuiteUser { name: "Anna B.".into(), variable: "RESTIVE_AUTH_ANNA_B".into() }]);
    assert_eq!(suite.tests[0].calls[0].user.as_deref(), Some("Anna B."));
    assert_eq!(suite.base_url, "http://127.0.0.1:8080");
}

#[test]
fn finding_makes_a_fault_with_its_message() {
    let fault = Fault {
        code: FaultCode::SchemaMismatch,
        operation_idx: OperationIdx(0),
        key: String::new(),
        message: "status 201 is not documented".into(),
        statement: None,
    };
    let finding = Finding {
        fault,
        count: 1,
        confirmation: Confirmation::Confirmed,
        requests: Vec::new(),
        last_statement: None,
        exceptions: Vec::new(),
    };
    let mut test = solved(vec![action(0, None)], vec![vec![answered(201, json!({}))]]);
    test.findings = vec![0];
    let test = suite_of(vec![test], &[finding]).tests.remove(0);
    assert_eq!((test.kind, test.findings), (TestKind::Fault, vec!["F101-1".to_owned()]));
    assert_eq!(test.description, "POST /orders: answer does not match the schema - status 201 is not documented.");
}

#[test]
fn lists_of_a_service_that_is_not_reset_are_not_expected_when_tests_write() {
    let list = || solved(vec![action(1, None)], vec![vec![answered(200, json!([{ "id": 7 }]))]]);
    let write = || solved(vec![action(0, None)], vec![vec![answered(201, json!([{ "id": 7 }]))]]);
    let checks = |suite: &TestSuite| suite.tests[0].calls[0].checks.iter().map(|check| check.kind.clone()).collect::<Vec<_>>();
    assert_eq!(checks(&suite_of(vec![list(), write()], &[])), [CheckKind::IsArray]);
    assert_eq!(checks(&suite_of(vec![list()], &[])).len(), 2, "nothing writes");
    assert_eq!(checks(&suite_of(vec![write(), list()], &[])), [CheckKind::IsArray], "a search may be a POST");
}

#[test]
fn lists_are_not_expected_either_where_the_reset_does_not_undo_everything() {
    let checks = |unstable: usize| {
        let list = solved(vec![action(1, None)], vec![vec![answered(200, json!([{ "id": 7 }]))]]);
        let write = solved(vec![action(0, None)], vec![vec![answered(201, json!({ "id": 7 }))]]);
        let solution = Solution { tests: vec![list, write], unstable, ..Solution::default() };
        let reset = SuiteReset::Call { verb: "POST".to_owned(), url: "/reset".to_owned() };
        suite_with(&solution, &[], reset).tests[0].calls[0].checks.iter().map(|check| check.kind.clone()).collect::<Vec<_>>()
    };
    assert_eq!(checks(0), [CheckKind::Length(1), CheckKind::Equals(json!(7))]);
    assert_eq!(checks(1), [CheckKind::IsArray]);
}

#[test]
fn texts_from_where_no_operation_is_are_not_expected_when_tests_write() {
    let refusal = |text: &str| {
        let headers = vec![("content-type".into(), "text/plain".into())];
        let body = text.as_bytes().to_vec();
        Outcome::Answered(Answer { status: 404, headers, body, coding: Coding::Plain, truncated: false, json: None })
    };
    let asks = |violation: Option<CallViolation>| {
        solved(vec![Action { violation, ..action(1, None) }], vec![vec![refusal("there are no stubs")]])
    };
    let astray = || asks(Some(CallViolation::Request(Malformation::Path(OddPath::Prefixed))));
    let write = || solved(vec![action(0, None)], vec![vec![answered(201, json!({ "id": 7 }))]]);
    let reset = || SuiteReset::Call { verb: "POST".to_owned(), url: "/reset".to_owned() };
    let text = |tests: Vec<SolvedTest>| {
        let suite = suite_with(&Solution { tests, ..Solution::default() }, &[], reset());
        let call = suite.tests[0].calls[0].clone();
        assert_eq!((call.status, call.media_type.as_deref()), (404, Some("text/plain")));
        call.text
    };
    assert_eq!(text(vec![astray(), write()]), None, "another test may leave something there that nearly fits");
    assert_eq!(text(vec![astray()]).as_deref(), Some("there are no stubs"), "nothing writes");
    assert_eq!(text(vec![asks(None), write()]).as_deref(), Some("there are no stubs"), "the operation itself answers");
}
