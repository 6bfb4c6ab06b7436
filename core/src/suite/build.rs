//! From a finished solution to a suite: what each test calls, what it takes from earlier answers, what it expects.
//!
//! Rule for calls that cannot be repeated: a test is written up to, and without, the first call that got no answer, whose
//! answer did not end or whose status differed between executions; what follows depends on a state nobody can rely on. A
//! call whose connection breaks every time is the last one written when that is a finding. A call that was never sent is
//! left out alone. A test ends before a call that makes the service end its process: only a driver stops that, and suites
//! run without one. Whatever is left out is said in a note, and a test without calls is marked as skipped.

mod words;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::action::{Action, ActionResult, Answer, Link, Outcome, Request, render};
use crate::api::{Api, OperationIdx, Verb};
use crate::oracle::{Fault, FaultCode, Finding};
use crate::search::{Solution, SolvedTest, Targets, TestGroup};

use super::expectation::Expectation;
use super::fresh::draw_anew;
use super::linked::{LinkedRequest, LinkedValue};
use super::model::{Capture, Piece, SuiteReset, SuiteUser, TestCall, TestCase, TestKind, TestSuite};
use super::naming::{Names, capture_name, credentials_variable};
use super::surroundings::Surroundings;

/// What a suite is made from.
#[derive(Debug, Clone)]
pub struct SuiteSource<'a> {
    /// The service's interface.
    pub api: &'a Api,
    /// Kept tests with their results.
    pub solution: &'a Solution,
    /// Names of all targets.
    pub targets: &'a Targets,
    /// Findings in the order the tests refer to.
    pub findings: &'a [Finding],
    /// Their identifiers, in the same order.
    pub finding_ids: &'a [String],
    /// Names of the users, by [`crate::action::UserIdx`].
    pub users: &'a [String],
    /// Base URL of the service.
    pub base_url: &'a str,
    /// Title of the service.
    pub title: &'a str,
    /// Whether certificates of the service are accepted that do not verify.
    pub insecure: bool,
    /// How tests reset the service.
    pub reset: SuiteReset,
    /// Texts that no file may show: tokens, passwords.
    pub secrets: &'a [String],
}

/// Functions of the written suites that a variable of the same name would hide.
const RESERVED: [&str; 14] = [
    "is_date",
    "is_date_time",
    "is_digits",
    "is_hexadecimal",
    "is_number",
    "is_object",
    "is_uuid",
    "json_part",
    "json_text",
    "last_segment",
    "media_type",
    "sorted_members",
    "url_part",
    "xml_part",
];

/// Makes the request of an action; [`render()`] outside of tests.
type Render = fn(&Api, &Action, &mut dyn FnMut(&Link) -> Option<Value>) -> Request;

impl TestSuite {
    /// The written form of a solution: one test per kept test, in the same order.
    pub fn from_solution(source: &SuiteSource<'_>) -> Self {
        Self::rendered_by(source, render)
    }

    fn rendered_by(source: &SuiteSource<'_>, render: Render) -> Self {
        let answers = source.solution.tests.iter().flat_map(executions).flatten().filter_map(ActionResult::answer);
        let surroundings = Surroundings::of_run(source.base_url, source.secrets, answers);
        let users = suite_users(source);
        let builder = Builder { source, render, surroundings };
        let mut names = Names::default();
        let tests = source.solution.tests.iter().map(|test| builder.test_case(test, &mut names)).collect();
        let base_url = source.base_url.trim_end_matches('/').to_owned();
        let (title, reset) = (source.title.to_owned(), source.reset.clone());
        Self { title, base_url, insecure: source.insecure, reset, users, tests }
    }
}

/// Whether the answer to the call at `position` did not end in any execution.
fn goes_on(test: &SolvedTest, position: usize) -> bool {
    executions(test).any(|results| results.get(position).is_some_and(ActionResult::is_endless))
}

/// The results of the last execution, then those of the earlier ones.
fn executions(test: &SolvedTest) -> impl Iterator<Item = &Vec<ActionResult>> {
    std::iter::once(&test.results).chain(&test.repeats)
}

/// The users that any test sends credentials of.
fn suite_users(source: &SuiteSource<'_>) -> Vec<SuiteUser> {
    let mut variables = Names::default();
    let mut users = Vec::new();
    for (idx, name) in source.users.iter().enumerate() {
        let variable = variables.unique(&credentials_variable(name));
        let requests = source.solution.tests.iter().flat_map(|test| &test.results).map(|result| &result.request);
        let used = requests.filter_map(|request| request.user).any(|user| usize::from(user.0) == idx);
        if used {
            users.push(SuiteUser { name: name.clone(), variable });
        }
    }
    users
}

/// The calls of a test that are written, by position, and why others are not.
#[derive(Debug, Default)]
struct Written {
    positions: Vec<usize>,
    notes: Vec<String>,
}

/// What the calls of a test capture, by position of the call.
struct Captures {
    by_call: BTreeMap<usize, Vec<Capture>>,
    names: Names,
}

impl Captures {
    /// The variable for the source of `link`, a new one named like `wanted` at its first use.
    fn name(&mut self, link: &Link, seen: &Value, wanted: &str) -> String {
        let known = self.by_call.entry(link.from_action).or_default();
        if let Some(capture) = known.iter().find(|capture| capture.source == link.source) {
            return capture.name.clone();
        }
        let name = self.names.unique(wanted);
        known.push(Capture { name: name.clone(), source: link.source.clone(), seen: seen.clone() });
        name
    }
}

struct Builder<'a> {
    source: &'a SuiteSource<'a>,
    render: Render,
    surroundings: Surroundings,
}

impl Builder<'_> {
    fn test_case(&self, test: &SolvedTest, names: &mut Names) -> TestCase {
        let written = self.written(test);
        let calls = self.calls(test, &written.positions);
        let statuses: Vec<u16> = calls.iter().map(|call| call.status).collect();
        let kind = kind_of(&statuses, test);
        // By name: what one call reached arrives in an order that a service may change, as validators do that keep constraints
        // in a hash set.
        let mut targets: Vec<String> = test.targets.iter().map(|it| self.source.targets.name(*it).to_owned()).collect();
        targets.sort_unstable();
        TestCase {
            name: self.unique_name(test, &written.positions, kind, names),
            kind,
            tag: written.positions.last().and_then(|last| self.tag(&test.results[*last])),
            description: self.description(test, &calls),
            targets,
            findings: self.shown_findings(test, &calls),
            notes: written.notes,
            calls,
        }
    }

    /// Applies the rule at the top of this module.
    fn written(&self, test: &SolvedTest) -> Written {
        let mut written = Written::default();
        for (position, result) in test.results.iter().enumerate() {
            let operation = &self.operation_id(result);
            let end = match &result.outcome {
                Outcome::Unsent(reason) => {
                    written.notes.push(format!("Left out: {operation} was not sent ({reason})."));
                    continue;
                }
                _ if self.shows(test, FaultCode::ExitAttempt, result) => Some("makes the service end its process".to_owned()),
                Outcome::TimedOut => Some("got no answer within the time limit".to_owned()),
                Outcome::Failed(reason) => Some(format!("got no answer ({reason})")),
                Outcome::Disconnected(_) if self.always_drops(test, position) => {
                    written.positions.push(position);
                    written.notes.extend(left_out_after(test, position));
                    break;
                }
                Outcome::Disconnected(reason) => Some(format!("lost its connection ({reason})")),
                Outcome::Answered(_) if goes_on(test, position) => Some("answers with a stream that goes on".to_owned()),
                Outcome::Answered(answer) => unstable_status(test, position, answer.status),
            };
            if let Some(reason) = end {
                let following = test.results.len() - position - 1;
                let rest = if following == 0 { String::new() } else { format!("; the {following} after it are left out too") };
                written.notes.push(format!("Left out: {operation} {reason}{rest}."));
                break;
            }
            written.positions.push(position);
        }
        written
    }

    /// Whether the connection of the call at `position` broke in every execution while the service lived on.
    fn always_drops(&self, test: &SolvedTest, position: usize) -> bool {
        let broke = |results: &Vec<ActionResult>| {
            results.get(position).is_some_and(|result| matches!(result.outcome, Outcome::Disconnected(_)))
        };
        self.shows(test, FaultCode::ConnectionDropped, &test.results[position]) && executions(test).all(broke)
    }

    /// Whether the test showed a fault of this kind at the operation of that call.
    fn shows(&self, test: &SolvedTest, code: FaultCode, result: &ActionResult) -> bool {
        let is_it = |fault: &Fault| fault.code == code && fault.operation_idx == result.request.operation_idx;
        test.findings.iter().any(|idx| self.source.findings.get(*idx).is_some_and(|finding| is_it(&finding.fault)))
    }

    /// Identifiers of the findings that the written `calls` show: those of calls without an answer are only shown by a
    /// connection that breaks.
    fn shown_findings(&self, test: &SolvedTest, calls: &[TestCall]) -> Vec<String> {
        let is_shown = |idx: &&usize| {
            let Some(finding) = self.source.findings.get(**idx) else { return false };
            let operation = &self.source.api.operation(finding.fault.operation_idx).id;
            let has_answer = !matches!(finding.fault.code, FaultCode::TimeOut | FaultCode::SutDeath | FaultCode::ExitAttempt);
            let is_drop = finding.fault.code == FaultCode::ConnectionDropped;
            has_answer && calls.iter().any(|call| call.operation == *operation && call.is_dropped() == is_drop)
        };
        test.findings.iter().filter(is_shown).map(|idx| self.source.finding_ids[*idx].clone()).collect()
    }

    /// `VERB /path` of the operation that was called.
    fn operation_id(&self, result: &ActionResult) -> String {
        self.source.api.operation(result.request.operation_idx).id.clone()
    }

    fn calls(&self, test: &SolvedTest, positions: &[usize]) -> Vec<TestCall> {
        let mut captures = Captures { by_call: BTreeMap::new(), names: Names::without(&RESERVED) };
        let mut calls = Vec::new();
        for (idx, position) in positions.iter().enumerate() {
            let values = self.linked_values(test, *position, &positions[..idx], &mut captures);
            calls.push(self.call(test, *position, &values));
        }
        for (call, position) in calls.iter_mut().zip(positions) {
            call.captures = captures.by_call.remove(position).unwrap_or_default();
        }
        drop_unused_captures(&mut calls);
        draw_anew(&mut calls, &test.fresh, &mut captures.names);
        calls
    }

    /// The values that the call at `position` took from the `earlier` calls; their captures are added.
    ///
    /// A link that gave nothing in some execution is not followed: a test that does would break there.
    fn linked_values(
        &self,
        test: &SolvedTest,
        position: usize,
        earlier: &[usize],
        captures: &mut Captures,
    ) -> Vec<LinkedValue> {
        let Some(action) = test.individual.actions.get(position) else { return Vec::new() };
        let mut values = Vec::new();
        for (idx, link) in action.links.iter().enumerate().filter(|(_, link)| earlier.contains(&link.from_action)) {
            let seen: Option<Vec<Value>> = executions(test).map(|results| resolve(results, link)).collect();
            if let Some(seen) = seen.and_then(|seen| seen.into_iter().next()) {
                let harmless = self.surroundings.without_secret(&seen);
                let name = captures.name(link, &harmless, &self.capture_name(test, link));
                let (sentinel, is_verbatim) = (LinkedValue::sentinel(idx), link.place.shows_credentials());
                values.push(LinkedValue { sentinel, name, seen, is_verbatim });
            }
        }
        values
    }

    fn capture_name(&self, test: &SolvedTest, link: &Link) -> String {
        let result = &test.results[link.from_action];
        capture_name(&self.source.api.operation(result.request.operation_idx).url_path, &link.source)
    }

    fn call(&self, test: &SolvedTest, position: usize, values: &[LinkedValue]) -> TestCall {
        let sent = &test.results[position].request;
        let linked = LinkedRequest::new(sent, &self.rendered(test, position, values), values);
        let results = executions(test).filter_map(|results| results.get(position));
        let answers: Vec<&Answer> = results.filter_map(ActionResult::answer).collect();
        let status = answers.first().map_or(0, |answer| answer.status);
        let body = sent.body.as_ref().and_then(|body| serde_json::from_slice(body).ok());
        let mut expectation = Expectation::common_to(&answers, &self.surroundings);
        if test.individual.actions.get(position).is_some_and(Action::leads_astray) && self.writes() {
            // What answers where no operation is tells what others left there, be it that nothing of theirs fits.
            expectation.forget_values();
        }
        if matches!(status, 200..=299) && self.writes() {
            let is_reset = self.source.reset.is_done();
            // What a test did not make itself, another one may change.
            let is_own = linked.url.iter().any(|piece| matches!(piece, Piece::Captured { .. }));
            if sent.verb == Verb::Get && !is_reset && !is_own && self.is_written(sent.operation_idx) {
                expectation.forget_values();
            }
            // Where tests depended on each other, the reset does not undo everything, and lists hold what was ever made,
            // those that a search by POST gives as well, and that may count it.
            let depends = self.source.solution.unstable > 0;
            if !is_reset || depends {
                expectation.forget_lists(body.as_ref());
            }
            if sent.verb == Verb::Post && status == 200 && !is_reset && depends {
                expectation.forget_numbers(body.as_ref());
            }
        }
        TestCall {
            operation: self.operation_id(&test.results[position]),
            verb: sent.verb,
            fresh: Vec::new(),
            url: linked.url,
            headers: linked.headers.into_iter().filter(|field| !is_implied(field)).collect(),
            body: linked.body,
            user: sent.user.and_then(|user| self.source.users.get(usize::from(user.0)).cloned()),
            status,
            media_type: expectation.media_type,
            fields: expectation.fields,
            checks: expectation.checks,
            text: expectation.text,
            captures: Vec::new(),
        }
    }

    /// Whether some test does anything but read.
    fn writes(&self) -> bool {
        let results = self.source.solution.tests.iter().flat_map(|test| &test.results);
        results.into_iter().any(|result| !result.request.verb.is_safe())
    }

    /// Whether some test writes to the collection that `operation_idx` reads from: their paths begin alike.
    fn is_written(&self, operation_idx: OperationIdx) -> bool {
        let collection = |idx: OperationIdx| self.source.api.operation(idx).url_path.split('/').nth(1);
        let results = self.source.solution.tests.iter().flat_map(|test| &test.results);
        results.into_iter().any(|result| {
            let request = &result.request;
            !matches!(request.verb, Verb::Get | Verb::Head) && collection(request.operation_idx) == collection(operation_idx)
        })
    }

    /// The request of the call at `position` with sentinels for `values`.
    fn rendered(&self, test: &SolvedTest, position: usize, values: &[LinkedValue]) -> Request {
        let Some(action) = test.individual.actions.get(position).filter(|_| !values.is_empty()) else {
            return test.results[position].request.clone();
        };
        (self.render)(self.source.api, action, &mut |link| {
            let sentinel = LinkedValue::sentinel(action.links.iter().position(|other| other == link)?);
            // A link that is not captured gets the value it had, so that the rest is rendered as it was sent.
            if values.iter().any(|value| value.sentinel == sentinel) {
                Some(sentinel.into())
            } else {
                resolve(&test.results, link)
            }
        })
    }

    /// The first tag of the operation that was called.
    fn tag(&self, result: &ActionResult) -> Option<String> {
        self.source.api.operation(result.request.operation_idx).tags.first().cloned()
    }
}

/// Whether a header field needs no mention: it belongs to the connection, so that the executor leaves it to its HTTP
/// library, or every client of a suite sends it by itself.
fn is_implied((name, value): &(String, Vec<Piece>)) -> bool {
    const FRAMING: [&str; 5] = ["connection", "content-length", "host", "transfer-encoding", "upgrade"];
    let accepts_all = name.eq_ignore_ascii_case("accept") && matches!(value.as_slice(), [Piece::Text(text)] if text == "*/*");
    accepts_all || FRAMING.iter().any(|framing| name.eq_ignore_ascii_case(framing))
}

fn kind_of(statuses: &[u16], test: &SolvedTest) -> TestKind {
    match TestGroup::of(statuses, !test.findings.is_empty()) {
        TestGroup::Faults => TestKind::Fault,
        TestGroup::Other => TestKind::Other,
        TestGroup::Successes => TestKind::Success,
    }
}

/// The note on the calls after the one at `position`, if there are any.
fn left_out_after(test: &SolvedTest, position: usize) -> Option<String> {
    let following = test.results.len() - position - 1;
    let calls = if following == 1 { "call" } else { "calls" };
    (following > 0).then(|| format!("Left out: the {following} {calls} after the broken connection."))
}

/// Why the status at `position` cannot be relied on, if so.
fn unstable_status(test: &SolvedTest, position: usize, status: u16) -> Option<String> {
    let repeats = test.repeats.iter().map(|results| results.get(position).and_then(ActionResult::status));
    let other = repeats.into_iter().find(|repeated| *repeated != Some(status))?;
    Some(match other {
        Some(other) => format!("answered {status} once and {other} at another time"),
        None => format!("answered {status} once and not at all at another time"),
    })
}

/// What `link` gave in one execution.
fn resolve(results: &[ActionResult], link: &Link) -> Option<Value> {
    link.source.resolve(results.get(link.from_action)?.answer()?)
}

/// Takes away captures that no piece refers to.
fn drop_unused_captures(calls: &mut [TestCall]) {
    for idx in 0..calls.len() {
        let captures = std::mem::take(&mut calls[idx].captures);
        let used = |capture: &Capture| calls[idx + 1..].iter().any(|call| call.uses(&capture.name));
        calls[idx].captures = captures.into_iter().filter(used).collect();
    }
}

#[cfg(test)]
mod tests;
