//! Makes [`Results`] from a finished run: looks names up, cuts bodies, masks secrets.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::action::{Action, ActionResult, Outcome, Request};
use crate::api::{Operation, OperationIdx, Skipped};
use crate::driver::HintTraffic;
use crate::oracle::{Confirmation, Finding};
use crate::report::curl::user_variables;
use crate::report::{CurlSettings, EndedBy, Mask, Run, curl_line, curl_sequence, finding_ids};
use crate::search::{Change, Exception, ExceptionKind, ExpansionCounts, HeldBack, HintCounts, SolvedTest};
use crate::suite::TestCase;

use super::{
    CallResult, CauseResult, ChangesResult, CoverageResult, CurveResult, ExceptionResult, ExpansionResult, ExpansionsResult,
    FORMAT_VERSION, FindingResult, GivenUpResult, HeldBackResult, HintBytes, HintsResult, MAX_BODY, OperationResult,
    RequestResult, Results, RunResult, SkippedResult, TestResult, UnstableCause,
};

impl Results {
    /// The results of `run`.
    pub fn from_run(run: &Run) -> Self {
        let user_variables = user_variables(run.user_names, &run.suite.users);
        let builder = Builder {
            run,
            mask: Mask::new(run.secrets),
            finding_ids: finding_ids(run.api, run.findings),
            curl: CurlSettings {
                base_url: run.base_url,
                insecure: run.suite.insecure,
                headers: run.headers,
                user_variables: &user_variables,
            },
        };
        let mut findings: Vec<_> = (0..run.findings.len()).map(|idx| builder.finding(idx)).collect();
        CauseResult::keep_common(&mut findings);
        FindingResult::put_most_telling_first(&mut findings);
        Self {
            format_version: FORMAT_VERSION,
            restive_version: env!("CARGO_PKG_VERSION").to_owned(),
            configuration: configuration(run),
            run: run_result(run),
            operations: operations(run),
            findings,
            coverage: CoverageResult::of(run.statistics),
            changes: run.statistics.changes.as_ref().map(|touched| ChangesResult::of(run, touched)),
            tests: (0..run.solution.tests.len()).map(|idx| builder.test(idx)).collect(),
            curve: curve(run),
        }
    }
}

fn configuration(run: &Run) -> serde_json::Map<String, Value> {
    run.settings
        .iter()
        .map(|setting| (setting.key.clone(), json!({ "value": setting.value, "origin": setting.origin })))
        .collect()
}

fn run_result(run: &Run) -> RunResult {
    let statistics = run.statistics;
    let seconds = statistics.elapsed.as_secs_f64();
    RunResult {
        rng_seed: statistics.rng_seed,
        budget: statistics.budget.clone(),
        calls: statistics.calls,
        seconds: rounded(seconds),
        calls_per_second: if seconds > 0.0 { rounded(statistics.calls as f64 / seconds) } else { 0.0 },
        sut_restarts: statistics.sut_restarts,
        connections_opened: statistics.connections_opened,
        connections_closed: statistics.connections_closed.clone(),
        connections_given_up: statistics.connections_given_up,
        ended_by: match statistics.ended_by {
            EndedBy::Budget => "budget",
            EndedBy::Interrupted => "interrupted",
            EndedBy::SutLost => "sut_lost",
        },
        unstable_tests: run.solution.unstable,
        unstable_causes: unstable_causes(run),
        untried_tests: run.solution.untried,
        unproven_tests: run.solution.unproven,
        deadly_tests: run.solution.deadly,
        title: run.api.title.clone(),
        base_url: run.base_url.to_owned(),
        users: run.user_names.len(),
        schema_repairs: run.api.repairs.len(),
        unsupported_keywords: run.api.unsupported.clone(),
        unchecked: statistics.unchecked.clone(),
        baseline: None,
        hints: hints(&statistics.hints, &statistics.hint_traffic),
        expansions: expansions(run),
    }
}

/// Inputs that are named, at most.
const MOST_EXPANSIONS: usize = 500;

fn expansions(run: &Run) -> ExpansionsResult {
    let ExpansionCounts { found, unused, unknown } = &run.statistics.expansions;
    let unknown = unknown.iter().cloned().collect();
    let mut result = ExpansionsResult { unused: *unused, unknown, ..ExpansionsResult::default() };
    for (operation_idx, place, name) in found {
        *result.found.entry(place.name().to_owned()).or_default() += 1;
        if result.inputs.len() < MOST_EXPANSIONS {
            let operation = run.api.operation(*operation_idx).id.clone();
            result.inputs.push(ExpansionResult { operation, place: place.name(), name: name.clone() });
        }
    }
    result
}

fn hints(counts: &HintCounts, traffic: &HintTraffic) -> HintsResult {
    let bytes_per_call = HintBytes {
        calls: traffic.calls(),
        total: traffic.bytes(),
        median: traffic.percentile(0.5),
        p99: traffic.percentile(0.99),
        most: traffic.most(),
    };
    let arrived = counts.arrived.iter().map(|(usage, count)| (usage.name().to_owned(), *count)).collect();
    let HintCounts { genes: inputs, marked, unused, .. } = *counts;
    HintsResult { arrived, inputs, marked, unused, bytes_per_call, repeated: traffic.repeated }
}

fn unstable_causes(run: &Run) -> Vec<UnstableCause> {
    let cause = |(change, tests): (&Change, &usize)| UnstableCause {
        operation: run.api.operation(change.operation_idx).id.clone(),
        status: change.before.unwrap_or(0),
        other_status: change.after.unwrap_or(0),
        tests: *tests,
    };
    let mut causes: Vec<UnstableCause> = run.solution.changes.iter().map(cause).collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.tests));
    causes
}

/// To a thousandth: more digits are noise.
fn rounded(number: f64) -> f64 {
    if number.is_finite() { (number * 1000.0).round() / 1000.0 } else { 0.0 }
}

fn operations(run: &Run) -> Vec<OperationResult> {
    let called = run.api.operations.iter().enumerate().map(|(idx, operation)| {
        let operation_idx = OperationIdx(u32::try_from(idx).expect("an interface has fewer than 2^32 operations"));
        let statuses = run.statistics.statuses.get(&operation_idx);
        OperationResult {
            id: operation.id.clone(),
            method: operation.verb.name().to_owned(),
            path: operation.url_path.clone(),
            statuses: statuses.into_iter().flatten().map(|(status, count)| (status.to_string(), *count)).collect(),
            discovered: discovered(run, &operation.id),
            demanded: demanded(run, operation_idx),
            skipped: None,
            given_up: run.statistics.given_up.get(&operation_idx).map(|deaths| given_up(*deaths)),
            held_back: run.statistics.held_back.get(&operation_idx).map(|why| held_back(why, operation)),
        }
    });
    let not_understood = run.api.skipped.iter().map(|skipped| skipped_operation(skipped, false));
    let left_out = run.left_out.iter().map(|skipped| skipped_operation(skipped, true));
    called.chain(not_understood).chain(left_out).collect()
}

fn discovered(run: &Run, id: &str) -> Option<String> {
    run.api.discovered.iter().find(|found| found.operation == id).map(|found| found.handler.clone())
}

/// Of an operation without a document nothing is missing in it.
fn demanded(run: &Run, operation_idx: OperationIdx) -> Vec<String> {
    let demanded = run.statistics.demanded.get(&operation_idx);
    let is_documented = discovered(run, &run.api.operation(operation_idx).id).is_none();
    demanded.filter(|_| is_documented).cloned().unwrap_or_default()
}

fn given_up(deaths: usize) -> GivenUpResult {
    let times = if deaths == 1 { "once".to_owned() } else { format!("{deaths} times") };
    GivenUpResult { reason: format!("not called any more: it ended the service {times}"), deaths }
}

fn held_back(why: &HeldBack, operation: &Operation) -> HeldBackResult {
    let times = |time_outs: usize| if time_outs == 1 { "once".to_owned() } else { format!("{time_outs} times") };
    match why {
        HeldBack::TimeOuts(n) => {
            HeldBackResult { reason: format!("called seldom: it gave no answer in time {}", times(*n)), time_outs: *n }
        }
        HeldBack::Input(input) => {
            let with = input.describe(operation);
            let reason = format!("called seldom {with}: it gave no answer in time then {}", times(input.time_outs));
            HeldBackResult { reason, time_outs: input.time_outs }
        }
        HeldBack::Slow(cost) => {
            let took = format!("{:.0} ms in the mean", 1000.0 * cost.mean());
            HeldBackResult { reason: format!("called less often than others: its calls took {took}"), time_outs: 0 }
        }
    }
}

fn skipped_operation(skipped: &Skipped, by_filter: bool) -> OperationResult {
    let (method, path) = match skipped.operation.split_once(' ') {
        Some((method, path)) if path.starts_with('/') => (method, path),
        _ => ("*", skipped.operation.as_str()),
    };
    OperationResult {
        id: skipped.operation.clone(),
        method: method.to_owned(),
        path: path.to_owned(),
        statuses: BTreeMap::new(),
        discovered: None,
        demanded: Vec::new(),
        skipped: Some(SkippedResult { reason: skipped.reason.clone(), pointer: skipped.pointer.clone(), by_filter }),
        given_up: None,
        held_back: None,
    }
}

fn curve(run: &Run) -> Vec<CurveResult> {
    let points = run.statistics.curve.iter();
    points
        .map(|point| CurveResult {
            calls: point.calls,
            seconds: rounded(point.seconds),
            targets: point.targets,
            lines: point.lines,
            branches: point.branches,
            findings: point.findings,
        })
        .collect()
}

struct Builder<'a> {
    run: &'a Run<'a>,
    mask: Mask,
    finding_ids: Vec<String>,
    curl: CurlSettings<'a>,
}

impl Builder<'_> {
    fn finding(&self, idx: usize) -> FindingResult {
        let finding: &Finding = &self.run.findings[idx];
        let id = &self.finding_ids[idx];
        let tests = self.run.solution.tests.iter().zip(&self.run.suite.tests);
        let mut showing: Vec<_> = tests.filter(|(_, test)| test.findings.contains(id)).collect();
        // The shortest one is the fault's own test.
        let is_cut = |solved: &SolvedTest, test: &TestCase| solved.findings.contains(&idx) && !test.findings.contains(id);
        let all = self.run.solution.tests.iter().zip(&self.run.suite.tests);
        let cut = all.filter(|(solved, test)| is_cut(solved, test)).map(|(_, test)| test.name.clone());
        let cut_tests = if showing.is_empty() { cut.collect() } else { Vec::new() };
        showing.sort_by_key(|(solved, _)| solved.results.len());
        let malformation = showing.first().and_then(|(solved, _)| self.malformation(finding, solved));
        let cause = CauseResult::of(finding, malformation.as_deref());
        FindingResult {
            id: self.finding_ids[idx].clone(),
            code: finding.fault.code.number(),
            title: finding.fault.code.title().to_owned(),
            operation: self.run.api.operation(finding.fault.operation_idx).id.clone(),
            message: self.masked(&finding.fault.message),
            count: finding.count,
            confirmed: finding.confirmation == Confirmation::Confirmed,
            confirmation: match finding.confirmation {
                Confirmation::Untried => "untried",
                Confirmation::Confirmed => "confirmed",
                Confirmation::Unstable => "unstable",
            },
            statement: finding.fault.statement.as_ref().or(finding.last_statement.as_ref()).cloned(),
            last_statement: finding.last_statement.clone(),
            exceptions: finding.exceptions.iter().map(|exception| self.exception(exception)).collect(),
            curl: self.masked(&curl_sequence(&finding.requests, &self.curl)),
            tests: showing.into_iter().map(|(_, test)| test.name.clone()).collect(),
            cut_tests,
            malformation,
            cause,
            known: None,
            requests: finding.requests.iter().map(|request| self.request(request)).collect(),
        }
    }

    /// What is wrong on purpose with the last request of `solved`, if that is what shows `finding`.
    fn malformation(&self, finding: &Finding, solved: &SolvedTest) -> Option<String> {
        let shows = |action: &&Action| action.operation_idx == finding.fault.operation_idx;
        let violation = solved.individual.actions.last().filter(shows)?.violation.as_ref()?;
        violation.malformation().map(|_| violation.description(self.run.api.operation(finding.fault.operation_idx)))
    }

    fn exception(&self, exception: &Exception) -> ExceptionResult {
        ExceptionResult {
            kind: match exception.kind {
                ExceptionKind::Uncaught => "uncaught",
                ExceptionKind::Caught => "caught",
                ExceptionKind::Exit => "exit",
                ExceptionKind::Stopped => "stopped",
            },
            type_name: exception.type_name.clone(),
            message: self.masked(&exception.message),
            statement: exception.statement.clone(),
            // Its causes stand there with their messages.
            trace: exception.trace.iter().map(|line| self.masked(line)).collect(),
        }
    }

    fn request(&self, request: &Request) -> RequestResult {
        RequestResult {
            operation: self.run.api.operation(request.operation_idx).id.clone(),
            url: self.url(request),
            user: request
                .user
                .map(|user| self.run.user_names.get(usize::from(user.0)).cloned().unwrap_or_else(|| format!("user{}", user.0))),
            curl: self.masked(&curl_line(request, &self.curl)),
        }
    }

    fn test(&self, idx: usize) -> TestResult {
        let solved = &self.run.solution.tests[idx];
        let written = self.run.suite.tests.get(idx);
        let name = written.map_or_else(|| format!("test_{idx}"), |test| test.name.clone());
        let holds = |file: &&crate::report::SuiteFile| file.tests.iter().any(|place| place.name == name);
        TestResult {
            files: self.run.suite_files.iter().filter(holds).map(|file| file.file_path.clone()).collect(),
            targets: solved.targets.iter().map(|target| self.run.targets.name(*target).to_owned()).collect(),
            findings: written.map_or_else(Vec::new, |test| test.findings.clone()),
            calls: solved.results.iter().map(|result| self.call(result)).collect(),
            name,
        }
    }

    fn call(&self, result: &ActionResult) -> CallResult {
        let request = &result.request;
        CallResult {
            operation: self.run.api.operation(request.operation_idx).id.clone(),
            url: self.url(request),
            status: result.status().unwrap_or(0),
            body: result.answer().map(|answer| self.body(&answer.body)).unwrap_or_default(),
            request_body: request.body.as_deref().map(|body| self.body(body)),
            failure: match &result.outcome {
                Outcome::Answered(_) => None,
                Outcome::TimedOut => Some("no answer within the time limit".to_owned()),
                Outcome::Failed(reason) => Some(self.masked(reason)),
                Outcome::Disconnected(reason) => Some(self.masked(&format!("the connection broke: {reason}"))),
                Outcome::Unsent(reason) => Some(self.masked(&format!("not sent: {reason}"))),
            },
        }
    }

    /// Masked before it is cut, so that no half of a secret stays.
    fn body(&self, bytes: &[u8]) -> String {
        // A secret that begins within the limit may end a little behind it.
        let reach = bytes.len().min(MAX_BODY * 8);
        self.masked(&String::from_utf8_lossy(&bytes[..reach])).chars().take(MAX_BODY).collect()
    }

    fn url(&self, request: &Request) -> String {
        self.masked(&format!("{}{}", self.run.base_url, request.url))
    }

    fn masked(&self, text: &str) -> String {
        self.mask.apply(text).into_owned()
    }
}
