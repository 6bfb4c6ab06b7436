//! All oracles together.

use std::time::Duration;

use crate::action::{ActionResult, Answer, Outcome, Request};
use crate::api::{Api, Operation, OperationIdx, Response, Verb};
use crate::search::{Death, Exception, ExceptionKind, Feedback, Proof};

use super::{FaultCode, OracleContext, Validators, check};

/// An interface with one `GET /` that documents `responses`.
pub(super) fn api(responses: Vec<Response>) -> Api {
    let operation = Operation { responses, ..Operation::bare(Verb::Get, "/") };
    Api { operations: vec![operation], ..Api::default() }
}

/// The result of `GET /` with that outcome.
pub(super) fn result(outcome: Outcome) -> ActionResult {
    let operation_idx = OperationIdx(0);
    let request = Request { operation_idx, verb: Verb::Get, url: "/".into(), headers: vec![], body: None, user: None };
    ActionResult { request, outcome, elapsed: Duration::ZERO }
}

fn codes(outcome: Outcome, sut_death: Option<&str>) -> Vec<FaultCode> {
    let api = api(Vec::new());
    let death = sut_death.map(|how| Death { how: how.to_owned(), culprit: OperationIdx(0), proof: Proof::Untried });
    let context = OracleContext { api: &api, sut_death: death.as_ref(), is_malformed: false, is_astray: false, feedback: None };
    check(&context, &mut Validators::default(), &result(outcome)).into_iter().map(|fault| fault.code).collect()
}

#[test]
fn each_outcome_gives_its_own_fault_and_no_other() {
    let status = |status| Outcome::Answered(Answer { status, ..Answer::default() });
    assert_eq!(codes(status(500), None), [FaultCode::Status500]);
    assert!([200, 404, 501, 503].into_iter().all(|code| codes(status(code), None).is_empty()));
    assert_eq!(codes(Outcome::TimedOut, None), [FaultCode::TimeOut]);
    assert_eq!(codes(Outcome::TimedOut, Some("by signal 9")), [FaultCode::SutDeath]);
    assert_eq!(codes(Outcome::Disconnected(String::new()), Some("by signal 9")), [FaultCode::SutDeath]);
    assert_eq!(codes(Outcome::Disconnected(String::new()), None), [FaultCode::ConnectionDropped]);
    assert!(codes(Outcome::Failed(String::new()), None).is_empty());
    assert!(codes(Outcome::Unsent(String::new()), None).is_empty());
}

#[test]
fn an_exit_that_was_stopped_is_one_fault_whatever_is_answered() {
    let exit = Exception {
        type_name: String::new(),
        message: "wanted to end the process with status 1".into(),
        statement: Some("com.acme.Closing:7".into()),
        trace: Vec::new(),
        kind: ExceptionKind::Exit,
    };
    let feedback = Feedback { exceptions: vec![exit], ..Feedback::default() };
    let api = api(Vec::new());
    let context =
        OracleContext { api: &api, sut_death: None, is_malformed: false, is_astray: false, feedback: Some(&feedback) };
    for status in [200, 500] {
        let answered = result(Outcome::Answered(Answer { status, ..Answer::default() }));
        let faults = check(&context, &mut Validators::default(), &answered);
        assert_eq!(faults.iter().map(|fault| fault.code).collect::<Vec<_>>(), [FaultCode::ExitAttempt], "{status}");
    }
}
