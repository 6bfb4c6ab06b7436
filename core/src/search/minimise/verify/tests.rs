//! Toy services whose answers depend on what was executed before.

use std::time::Duration;

use super::*;
use crate::action::{Action, Answer, Outcome, Request};
use crate::api::{Api, Operation, OperationIdx, Verb};
use crate::search::{Budget, SearchSettings, Targets};

/// Answers a call to an operation with a status, given the operations called so far.
struct Toy {
    answer: fn(u32, &[u32]) -> u16,
    called: Vec<u32>,
}

impl Evaluator for Toy {
    fn evaluate(&mut self, individual: Individual, _: &mut Targets) -> Result<Evaluation, Halt> {
        let mut results = Vec::new();
        for Action { operation_idx, .. } in &individual.actions {
            let answer = Answer { status: (self.answer)(operation_idx.0, &self.called), ..Answer::default() };
            self.called.push(operation_idx.0);
            let url = String::new();
            let request =
                Request { operation_idx: *operation_idx, verb: Verb::Get, url, headers: Vec::new(), body: None, user: None };
            results.push(ActionResult { request, outcome: Outcome::Answered(answer), elapsed: Duration::ZERO });
        }
        Ok(Evaluation { individual, results, closeness: Vec::new(), findings: Vec::new(), elapsed: Duration::ZERO })
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn operation(name: u32) -> Operation {
    Operation::bare(Verb::Get, &format!("/o{name}"))
}

/// What is left of one test per operation, and all calls.
fn verified(n_operations: u32, answer: fn(u32, &[u32]) -> u16) -> (Solution, Vec<u32>) {
    let mut api = Api::default();
    api.operations.extend((0..n_operations).map(operation));
    let settings = SearchSettings::new(Budget::Calls(100), 1);
    let problem = Problem::new(&api, (0..n_operations).map(OperationIdx).collect(), 0, &settings);
    let mut state = SearchState::new(&problem);
    let action = |idx| Action {
        operation_idx: OperationIdx(idx),
        parameters: Vec::new(),
        body: None,
        user: None,
        links: Vec::new(),
        violation: None,
    };
    let tests = (0..n_operations).map(|idx| (Individual { actions: vec![action(idx)] }, Vec::new())).collect();
    let mut toy = Toy { answer, called: Vec::new() };
    let solution = verify(&problem, &mut state, &mut toy, tests).expect("nothing halts it");
    (solution, toy.called)
}

/// Operation and status of each test that was kept.
fn kept(solution: &Solution) -> Vec<(u32, Option<u16>)> {
    let calls = solution.tests.iter().map(|test| &test.results[0]);
    calls.map(|result| (result.request.operation_idx.0, result.status())).collect()
}

#[test]
fn passes_end_early_in_suite_order_when_all_agree() {
    // By statuses the suites execute 2 (a fault), then 1 (a refusal), then 0.
    let (solution, called) = verified(3, |operation, _| [200, 404, 500][operation as usize]);
    assert_eq!(called, [0, 1, 2, /**/ 2, 1, 0, /**/ 0, 1, 2, /**/ 2, 1, 0]);
    assert_eq!((solution.executions, solution.unstable), (4, 0));
    assert_eq!(kept(&solution), [(0, Some(200)), (1, Some(404)), (2, Some(500))]);
    assert!(solution.tests.iter().all(|test| test.repeats.len() == 3));
}

#[test]
fn a_test_that_another_spoils_is_dropped() {
    // 0 is refused once 1 was called, until 2 is called.
    let (solution, _) = verified(3, |operation, called| {
        let last = called.iter().rev().find(|operation| **operation > 0);
        if operation == 0 && last == Some(&1) { 409 } else { 200 }
    });
    assert_eq!(solution.unstable, 1);
    assert_eq!(kept(&solution), [(1, Some(200)), (2, Some(200))]);
}

#[test]
fn the_rest_must_agree_anew_without_what_was_dropped() {
    // 0 changes from the start. Without it, 1 changes from call to call, and 2 gives another answer each time.
    let (solution, _) = verified(4, |operation, called| {
        let times = called.iter().filter(|other| **other == operation).count();
        let alone = called.iter().rev().take(4).all(|other| *other != 0);
        match operation {
            0 if times > 0 => 409,
            1 if alone && times % 2 == 0 => 500,
            2 if called.len() > 4 && alone => 404,
            _ => 200,
        }
    });
    assert_eq!(solution.unstable, 2);
    assert_eq!(kept(&solution), [(2, Some(404)), (3, Some(200))]);
    let statuses = |test: &SolvedTest| test.repeats.iter().map(|results| results[0].status()).collect::<Vec<_>>();
    assert!(statuses(&solution.tests[0]).iter().all(|status| *status == Some(404)), "{:?}", statuses(&solution.tests[0]));
    assert!(solution.executions > 4);
}

#[test]
fn a_service_without_any_rule_ends_the_passes() {
    let (solution, _) = verified(1, |_, called| if called.is_empty() { 200 } else { 404 });
    assert_eq!((solution.unstable, solution.tests.len()), (1, 0));
    assert!(solution.executions <= MAX_PASSES);
}
