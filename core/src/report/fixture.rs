//! A small finished run for the tests of this folder.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::action::{ActionResult, Answer, Outcome, Request, UserIdx};
use crate::api::{Api, Operation, OperationIdx, Repair, Skipped, Verb};
use crate::driver::HintTraffic;
use crate::oracle::{Confirmation, Fault, FaultCode, Finding};
use crate::search::{ExpansionCounts, HintCounts, Individual, Solution, SolvedTest, TargetKind, Targets};
use crate::suite::{SuiteReset, TestCase, TestKind, TestSuite};

use super::{CurvePoint, EndedBy, Run, RunStatistics, Setting, SuiteFile, TestPlace, finding_ids};

/// Owned parts that a [`Run`] borrows.
pub(crate) struct Parts {
    pub(super) api: Api,
    pub(super) targets: Targets,
    pub(super) solution: Solution,
    pub(super) suite: TestSuite,
    pub(super) findings: Vec<Finding>,
    pub(super) statistics: RunStatistics,
    pub(super) settings: Vec<Setting>,
    pub(super) left_out: Vec<Skipped>,
    pub(super) suite_files: Vec<SuiteFile>,
    pub(super) user_names: Vec<String>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) secrets: Vec<String>,
}

impl Parts {
    /// Four operations, one skipped, one left out; three findings; two tests.
    pub(crate) fn new() -> Self {
        let mut targets = Targets::default();
        let ids = ["POST /pets -> 500", "GET /pets -> 2xx"].map(|name| targets.intern(TargetKind::Goal, name));
        let create = request(1, Verb::Post, "/pets", Some(r#"{"name":"it's","token":"s3cret!"}"#));
        let mut list = request(0, Verb::Get, "/pets?limit=5", None);
        list.user = Some(UserIdx(0));
        let long_body = format!("{{\"echo\":\"s3cret!\",\"text\":\"{}\"}}", "é".repeat(2000));
        let tests = vec![
            solved(vec![answered(&list, 200, "[]"), answered(&create, 500, &long_body)], vec![ids[0]], vec![0]),
            solved(vec![answered(&list, 200, "[]"), timed_out(&create)], vec![ids[1]], vec![1]),
        ];
        let (api, findings, mut suite) = (api(), findings(&list, &create), suite());
        for (test, id) in suite.tests.iter_mut().zip(finding_ids(&api, &findings)) {
            test.findings = vec![id];
        }
        Self {
            api,
            targets,
            solution: Solution { tests, ..Solution::default() },
            suite,
            findings,
            statistics: statistics(),
            settings: vec![
                setting("search.budget", "2000 calls", "flag"),
                setting("search.rng-seed", "42", "default"),
                setting("auth.bearer", "***", "environment"),
            ],
            left_out: vec![skipped("POST /shutdown", "left out by `POST /shutdown`")],
            suite_files: suite_files(),
            user_names: vec!["alice".to_owned()],
            headers: vec![("X-Tenant".to_owned(), "7".to_owned())],
            secrets: vec!["s3cret!".to_owned()],
        }
    }

    /// A run without findings that called everything.
    pub(super) fn clean() -> Self {
        let mut parts = Self::new();
        parts.findings.clear();
        parts.solution.tests.truncate(1);
        parts.solution.tests[0].findings.clear();
        parts.suite.tests.truncate(1);
        parts.suite.tests[0].findings.clear();
        parts.api.skipped.clear();
        parts.api.unsupported.clear();
        parts.statistics.unchecked.clear();
        parts.api.repairs.clear();
        parts.left_out.clear();
        parts.api.operations.truncate(1);
        parts.statistics.calls = 1;
        parts.statistics.targets_covered = 1;
        parts.statistics.statuses = BTreeMap::from([(OperationIdx(0), BTreeMap::from([(200, 1)]))]);
        parts.suite_files.truncate(1);
        parts.suite_files[0].tests.truncate(1);
        parts.user_names.clear();
        for result in &mut parts.solution.tests[0].results {
            result.request.operation_idx = OperationIdx(0);
            result.request.user = None;
        }
        parts
    }

    pub(crate) fn run(&self) -> Run<'_> {
        Run {
            api: &self.api,
            targets: &self.targets,
            solution: &self.solution,
            suite: &self.suite,
            findings: &self.findings,
            statistics: &self.statistics,
            settings: &self.settings,
            base_url: "http://127.0.0.1:8080/api",
            left_out: &self.left_out,
            suite_files: &self.suite_files,
            user_names: &self.user_names,
            headers: &self.headers,
            secrets: &self.secrets,
        }
    }
}

fn api() -> Api {
    let operations = [(Verb::Get, "/pets"), (Verb::Post, "/pets"), (Verb::Get, "/pets/{id}"), (Verb::Delete, "/pets/{id}")];
    Api {
        title: "Pet store".to_owned(),
        operations: operations.into_iter().map(|(verb, url_path)| operation(verb, url_path)).collect(),
        skipped: vec![skipped("PUT /pets/{id}", "the parameter `id` has no schema")],
        unsupported: BTreeMap::from([("if".to_owned(), 2)]),
        repairs: vec![Repair { pointer: "/info".to_owned(), action: "a missing title was added".to_owned() }],
        ..Api::default()
    }
}

fn operation(verb: Verb, url_path: &str) -> Operation {
    Operation::bare(verb, url_path)
}

fn skipped(operation: &str, reason: &str) -> Skipped {
    let path = operation.split_once(' ').map_or("", |(_, path)| path).replace('/', "~1");
    Skipped { operation: operation.to_owned(), pointer: format!("/paths/{path}"), reason: reason.to_owned() }
}

fn request(operation: u32, verb: Verb, url: &str, body: Option<&str>) -> Request {
    Request {
        operation_idx: OperationIdx(operation),
        verb,
        url: url.to_owned(),
        headers: body.map(|_| ("Content-Type".to_owned(), "application/json".to_owned())).into_iter().collect(),
        body: body.map(|body| body.as_bytes().to_vec()),
        user: None,
    }
}

fn answered(request: &Request, status: u16, body: &str) -> ActionResult {
    let answer = Answer { status, body: body.as_bytes().to_vec(), ..Answer::default() };
    ActionResult { request: request.clone(), outcome: Outcome::Answered(answer), elapsed: Duration::from_millis(2) }
}

fn timed_out(request: &Request) -> ActionResult {
    ActionResult { request: request.clone(), outcome: Outcome::TimedOut, elapsed: Duration::from_secs(10) }
}

fn solved(results: Vec<ActionResult>, targets: Vec<crate::search::TargetId>, findings: Vec<usize>) -> SolvedTest {
    SolvedTest { individual: Individual::default(), results, repeats: Vec::new(), targets, findings, fresh: Vec::new() }
}

fn findings(list: &Request, create: &Request) -> Vec<Finding> {
    let finding = |code, operation, key: &str, message: &str, count, confirmation, requests: &[&Request]| Finding {
        fault: Fault {
            code,
            operation_idx: OperationIdx(operation),
            key: key.to_owned(),
            message: message.to_owned(),
            statement: None,
        },
        count,
        confirmation,
        requests: requests.iter().map(|request| (*request).clone()).collect(),
        last_statement: None,
        exceptions: Vec::new(),
    };
    vec![
        finding(FaultCode::Status500, 1, "500", "status 500, wanted below 500", 12, Confirmation::Confirmed, &[list, create]),
        finding(
            FaultCode::TimeOut,
            1,
            "time-out",
            "no answer within 10s; the log shows \u{1b}[31ms3cret!",
            1,
            Confirmation::Unstable,
            &[create],
        ),
        finding(FaultCode::SchemaMismatch, 0, "status 418", "undeclared status 418", 2, Confirmation::Untried, &[list]),
    ]
}

fn suite() -> TestSuite {
    let test = |name: &str, kind| TestCase {
        name: name.to_owned(),
        kind,
        tag: None,
        description: String::new(),
        targets: Vec::new(),
        findings: Vec::new(),
        notes: Vec::new(),
        calls: Vec::new(),
    };
    TestSuite {
        title: "Pet store".to_owned(),
        base_url: "http://127.0.0.1:8080/api".to_owned(),
        insecure: false,
        reset: SuiteReset::Never,
        users: Vec::new(),
        tests: vec![test("post_pets_returns_500", TestKind::Fault), test("get_pets_returns_200", TestKind::Success)],
    }
}

fn suite_files() -> Vec<SuiteFile> {
    let place = |name: &str, written: &str, first| TestPlace {
        name: name.to_owned(),
        written_name: written.to_owned(),
        lines: (first, first + 5),
    };
    vec![
        SuiteFile {
            file_path: "suite/pytest/test_faults.py".to_owned(),
            tests: vec![place("post_pets_returns_500", "test_post_pets_returns_500", 10)],
        },
        SuiteFile {
            file_path: "suite/junit-java/PetsTest.java".to_owned(),
            tests: vec![
                place("post_pets_returns_500", "postPetsReturns500", 20),
                place("get_pets_returns_200", "getPetsReturns200", 30),
            ],
        },
        SuiteFile { file_path: "suite/pytest/conftest.py".to_owned(), tests: Vec::new() },
    ]
}

/// Counters of that run.
pub(crate) fn statistics() -> RunStatistics {
    RunStatistics {
        rng_seed: 42,
        budget: "2000 calls".to_owned(),
        calls: 2000,
        elapsed: Duration::from_millis(12_340),
        sut_restarts: 1,
        connections_opened: 2,
        connections_closed: BTreeMap::new(),
        connections_given_up: 0,
        targets_covered: 31,
        ended_by: EndedBy::Budget,
        statuses: BTreeMap::from([
            (OperationIdx(0), BTreeMap::from([(200, 700), (418, 2)])),
            (OperationIdx(1), BTreeMap::from([(0, 1), (201, 500), (400, 87), (500, 12)])),
            (OperationIdx(2), BTreeMap::from([(404, 600), (400, 98)])),
        ]),
        given_up: BTreeMap::new(),
        held_back: BTreeMap::new(),
        demanded: BTreeMap::new(),
        unchecked: BTreeMap::from([("answers in the content coding `br`".to_owned(), 12)]),
        coverage: None,
        hints: HintCounts::default(),
        expansions: ExpansionCounts::default(),
        hint_traffic: HintTraffic::default(),
        curve: vec![CurvePoint { calls: 100, seconds: 0.5, targets: 12, lines: 0, branches: 0, findings: 1 }],
        changes: None,
    }
}

fn setting(key: &str, value: &str, origin: &'static str) -> Setting {
    Setting { key: key.to_owned(), value: value.to_owned(), origin }
}
