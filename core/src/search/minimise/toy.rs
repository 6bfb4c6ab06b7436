//! A service for tests: one operation per number, whose answers may depend on everything that was called before.

use std::time::Duration;

use crate::action::{Action, ActionResult, Answer, Outcome, Request};
use crate::api::{Api, Operation, OperationIdx, Verb};
use crate::search::{
    Budget, Death, Evaluator, ExecutedCall, Execution, Executor, Feedback, Halt, Individual, Judge, Problem, Proof,
    SearchSettings, SearchState, TargetKind, Targets, Verdict,
};

/// A call as the service sees it.
pub(super) struct Called<'a> {
    /// The operation.
    pub operation: u32,
    /// Operations called before it in the same test.
    pub in_test: &'a [u32],
    /// Operations called before it since the service was started.
    pub ever: &'a [u32],
}

/// The service, and what judges its answers by their statuses.
pub(super) struct Toy {
    /// The service.
    pub service: ToyService,
    judge: StatusJudge,
}

/// Takes each status of each operation for a target, and each 500 for a fault.
struct StatusJudge;

/// The service; a call takes a second, and status 0 stands for no answer in time.
pub(super) struct ToyService {
    answer: fn(&Called<'_>) -> u16,
    /// How an operation is called.
    pub verb: fn(u32) -> Verb,
    /// Whether the service ends at a call, so that what follows in its test is not made.
    pub ends: fn(&Called<'_>) -> bool,
    /// The places in the code that a call reaches.
    pub code: fn(&Called<'_>) -> Vec<&'static str>,
    ever: Vec<u32>,
    /// All tests executed since the service was last started.
    pub executed: Vec<Vec<u32>>,
    /// Whether it can be started anew.
    can_renew: bool,
    /// How often it was.
    pub renewals: usize,
    /// Seconds that it takes to start anew.
    pub start: u64,
    /// Whether it is reset before each test.
    pub is_reset: bool,
    /// The operations whose calls a reset does not undo.
    pub stays: &'static [u32],
    seconds: u64,
}

impl Toy {
    /// A service with these answers that runs already.
    pub fn new(answer: fn(&Called<'_>) -> u16) -> Self {
        let service = ToyService {
            answer,
            verb: |_| Verb::Post,
            ends: |_| false,
            code: |_| Vec::new(),
            ever: Vec::new(),
            executed: Vec::new(),
            can_renew: false,
            renewals: 0,
            start: 0,
            is_reset: false,
            stays: &[],
            seconds: 0,
        };
        Self { service, judge: StatusJudge }
    }

    /// The same, and it can be started anew.
    pub fn renewable(answer: fn(&Called<'_>) -> u16) -> Self {
        let mut toy = Self::new(answer);
        toy.service.can_renew = true;
        toy
    }
}

impl ToyService {
    /// Has it know of these calls alone.
    pub fn forget(&mut self, but: &[u32]) {
        self.ever = but.to_vec();
    }

    fn call(&mut self, operation: u32, in_test: &[u32]) -> ExecutedCall {
        let called = Called { operation, in_test, ever: &self.ever };
        let result = result((operation, (self.verb)(operation)), (self.answer)(&called));
        let names = (self.code)(&called).into_iter().map(str::to_owned).collect();
        let culprit = OperationIdx(operation);
        let death = || Death { how: "with exit status 1".to_owned(), culprit, proof: Proof::Untried };
        let sut_death = (self.ends)(&called).then(death);
        let feedback = Some(Feedback { names, ..Feedback::default() });
        self.ever.push(operation);
        self.seconds += 1;
        ExecutedCall { result, links: Vec::new(), sut_death, feedback }
    }
}

impl Evaluator for Toy {
    fn halves(&mut self) -> (&mut dyn Executor, &mut dyn Judge) {
        (&mut self.service, &mut self.judge)
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.service.seconds)
    }

    fn renewal_time(&self) -> Option<Duration> {
        self.service.can_renew.then(|| Duration::from_secs(self.service.start))
    }

    fn resets(&self) -> bool {
        self.service.is_reset
    }

    fn renew(&mut self) -> bool {
        if self.service.can_renew {
            self.service.ever.clear();
            self.service.renewals += 1;
            self.service.seconds += self.service.start;
        }
        self.service.can_renew
    }
}

impl Judge for StatusJudge {
    fn judge(&mut self, execution: &Execution, call_idx: usize, targets: &mut Targets) -> Verdict {
        let ExecutedCall { result, feedback, .. } = &execution.calls[call_idx];
        let (operation, status) = (result.request.operation_idx.0, result.status().unwrap_or(0));
        let mut verdict = Verdict::default();
        verdict.closeness.push((targets.intern(TargetKind::Goal, &format!("{operation} -> {status}")), 1.0));
        let names = feedback.iter().flat_map(|feedback| &feedback.names);
        verdict.closeness.extend(names.map(|name| (targets.intern(TargetKind::Code, name), 1.0)));
        if status == 500 {
            verdict.closeness.push((targets.intern(TargetKind::Fault, &format!("fault of {operation}")), 1.0));
            verdict.findings.push(operation as usize);
        }
        verdict
    }
}

impl Executor for ToyService {
    fn execute(&mut self, individual: Individual, meanwhile: &mut dyn FnMut()) -> Result<Execution, Halt> {
        meanwhile();
        if self.is_reset {
            self.ever.retain(|operation| self.stays.contains(operation));
        }
        let operations = numbers(&individual);
        let mut calls: Vec<ExecutedCall> = Vec::new();
        for idx in 0..operations.len() {
            calls.push(self.call(operations[idx], &operations[..idx]));
            if calls[idx].sut_death.is_some() {
                break;
            }
        }
        self.executed.push(operations);
        Ok(Execution { individual, calls, elapsed: Duration::ZERO })
    }
}

fn result((operation, verb): (u32, Verb), status: u16) -> ActionResult {
    let operation_idx = OperationIdx(operation);
    let url = format!("/o{operation}");
    let request = Request { operation_idx, verb, url, headers: Vec::new(), body: None, user: None };
    let outcome = if status == 0 { Outcome::TimedOut } else { Outcome::Answered(Answer { status, ..Answer::default() }) };
    ActionResult { request, outcome, elapsed: Duration::ZERO }
}

/// The operations that `individual` calls.
pub(super) fn numbers(individual: &Individual) -> Vec<u32> {
    individual.actions.iter().map(|action| action.operation_idx.0).collect()
}

/// A test that calls these operations.
pub(super) fn individual(operations: &[u32]) -> Individual {
    let action = |operation: &u32| Action {
        operation_idx: OperationIdx(*operation),
        parameters: Vec::new(),
        body: None,
        user: None,
        links: Vec::new(),
        violation: None,
        expanded: None,
    };
    Individual { actions: operations.iter().map(action).collect() }
}

/// Works with a problem of `n_operations` and a search that has not begun.
pub(super) fn with_state<T>(n_operations: u32, work: impl FnOnce(&Problem<'_>, &mut SearchState) -> T) -> T {
    let mut api = Api::default();
    api.operations.extend((0..n_operations).map(|operation| Operation::bare(Verb::Post, &format!("/o{operation}"))));
    let settings = SearchSettings::new(Budget::Calls(100), 1);
    let problem = Problem::new(&api, (0..n_operations).map(OperationIdx).collect(), 0, &settings);
    let mut state = SearchState::new(&problem);
    work(&problem, &mut state)
}
