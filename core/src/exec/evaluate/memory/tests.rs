//! Runs that end at any point and are resumed there: they have to become what they would have been.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use restive_driver_protocol::Token;
use restive_driver_protocol::fake::{FakeDriver, Moment, Reached, Script};
use restive_driver_protocol::message::{Feedback, Hint};

use crate::api::{Api, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
use crate::driver::{Driver, Met};
use crate::exec::evaluate::RestEvaluator;
use crate::exec::test_server::{answering, client_of};
use crate::exec::{AuthSettings, Ready, SentAgain, Service, Stop, Sut, SutSettings, Users};
use crate::journal::{Event, Journal};
use crate::search::minimise::{SolveLimits, solve};
use crate::search::{Budget, Changed, Problem, SearchSettings, SearchState, mio};

/// Calls of a search.
const CALLS: usize = 150;

/// Two operations with a text each.
fn api() -> Api {
    let mut api = Api::default();
    let schema = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
    for url_path in ["/a", "/b"] {
        let parameters = vec![Parameter::query("name", schema)];
        api.operations.push(Operation { parameters, ..Operation::bare(Verb::Get, url_path) });
    }
    api
}

fn hash(texts: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    hasher.finish()
}

/// A service without a memory of its own, seen from inside: what it reaches depends on what it is given alone.
fn inside(moment: &Moment) -> Reached {
    let number = hash(&moment.track);
    let near = (number % 7) as f64 / 7.0;
    let targets = vec![
        (format!("line:a.B:{}", number % 11), 1.0),
        (format!("branch:a.B:{}:0:then", number % 5), if near < 0.1 { 1.0 } else { near }),
    ];
    let rare = (format!("line:a.C:{}", number % 3), near.max(0.1));
    let targets = if number.is_multiple_of(13) { [targets, vec![rare]].concat() } else { targets };
    let operand = if number.is_multiple_of(3) { "blue" } else { "green" };
    let hint = |tracked: &String| Hint { tracked: tracked.clone(), usage: "equals".to_owned(), operand: operand.to_owned() };
    let hints = moment.track.first().map(hint).into_iter().collect();
    Reached { targets, rest: Feedback { hints, ..Feedback::default() }, ..Reached::default() }
}

/// What a run knows of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Knows {
    /// What it answers.
    Answers,
    /// What happens inside.
    Inside,
    /// The same, and what changed.
    Changes,
}

/// What one life of a run sent, and what the run came to.
#[derive(Debug, PartialEq)]
struct Life {
    sent: Vec<String>,
    came_to: Vec<String>,
    remembered: usize,
    /// Exchanges with drivers that are kept at the end.
    n_kept: usize,
}

/// A run with the journal in `out`, which may have begun in an earlier life.
fn live(out: &Path, knows: Knows) -> Life {
    live_within(out, knows, u64::MAX)
}

/// The same with a journal of so many bytes at most.
fn live_within(out: &Path, knows: Knows, max_bytes: u64) -> Life {
    let (sent, api) = (Arc::new(Mutex::new(Vec::new())), api());
    let log = Arc::clone(&sent);
    let port = answering(move |request| {
        let line = request.lines().next().unwrap_or_default().to_owned();
        let status = if hash(std::slice::from_ref(&line)).is_multiple_of(5) { "500 Oops" } else { "200 OK" };
        log.lock().expect("no test panics in it").push(line);
        (status.to_owned(), r#"{"id": 7}"#.to_owned())
    });
    let client = client_of(format!("http://127.0.0.1:{port}"));
    let mut driver = Driver::listen(Token::new("t0ken"), knows != Knows::Answers).expect("loopback has free ports");
    let address = driver.address().expect("it listens");
    let _process = FakeDriver::connect(address, Token::new("t0ken"), Script::answering(inside));
    assert_eq!(driver.meet(Duration::from_secs(5), &|| false), Met::Measured);
    let users = Users::load(&AuthSettings::default(), 1).expect("nobody is a valid list of users");
    let service = Service { driver: Some(driver), resets_tests: false, ..Service::new(client, users, Stop::default()) };
    let journal = Journal::reopen(out, max_bytes).expect("a folder");
    let mut evaluator = RestEvaluator::keeping(&api, service, Some(journal));
    let settings = SearchSettings::new(Budget::Calls(CALLS as u64), 7);
    let classes = if knows == Knows::Changes { ["a.C".to_owned()].into() } else { [].into() };
    let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
    let problem = problem.preferring(Changed { classes, ..Changed::default() });
    let mut state = SearchState::new(&problem);
    assert_eq!(mio::run(&problem, &mut state, &mut evaluator, &mut |_, _| {}), None);
    evaluator.begin_tests(true);
    if let Some(driver) = &mut evaluator.service_mut().driver {
        driver.report_all();
    }
    let mut came_to = vec![
        state.calls.to_string(),
        format!("{:?}", state.touched.operations()),
        format!("{:?}", state.specialisations.counts()),
    ];
    let solution = solve(&problem, &mut state, &mut evaluator, SolveLimits::of_calls(100), None);
    came_to.extend(solution.tests.iter().flat_map(|test| &test.results).map(|result| result.request.url.clone()));
    came_to.extend(evaluator.findings().as_slice().iter().map(|finding| finding.fault.key.clone()));
    let coverage = evaluator.service_mut().driver.as_mut().map(Driver::coverage).expect("there is a driver");
    came_to.push(format!("{:?} {:?}", coverage.lines(), coverage.library_calls));
    came_to.push(state.random.below(1_000_000).to_string());
    let sent = std::mem::take(&mut *sent.lock().expect("no test panics in it"));
    let n_kept = evaluator.service_mut().driver.as_mut().map_or(0, |driver| driver.take_exchanges().len());
    Life { n_kept, sent, came_to, remembered: usize::try_from(evaluator.remembered().calls).expect("a small number") }
}

/// The first entries of the journal in `out` as that of a run that was killed.
fn killed_after(out: &Path, n_entries: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = Journal::reopen(out, u64::MAX).expect("a folder");
    let mut cut = Journal::new(folder.path(), u64::MAX);
    whole.take(n_entries).for_each(|entry| cut.note(&entry));
    folder
}

fn n_entries(out: &Path) -> usize {
    Journal::reopen(out, u64::MAX).expect("a folder").count()
}

#[test]
fn a_run_that_is_resumed_anywhere_becomes_what_it_would_have_been() {
    for knows in [Knows::Answers, Knows::Inside, Knows::Changes] {
        let out = tempfile::tempdir().expect("a folder");
        let whole = live(out.path(), knows);
        assert!(whole.sent.len() > CALLS && whole.remembered == 0);
        let all = n_entries(out.path());
        for cut in (0..all).step_by(all / 12).chain([1, all - 1, all]) {
            let killed = killed_after(out.path(), cut);
            let rest = live(killed.path(), knows);
            assert_eq!(rest.came_to, whole.came_to, "{knows:?} after {cut} of {all} entries");
            assert!(whole.sent.ends_with(&rest.sent), "after {cut} of {all} entries");
            assert_eq!(rest.remembered + rest.sent.len(), whole.sent.len());
            assert_eq!(n_entries(killed.path()), all, "the journal is whole again");
        }
    }
}

#[test]
fn a_call_is_one_round_trip_to_the_driver_also_where_values_are_tracked() {
    let out = tempfile::tempdir().expect("a folder");
    live(out.path(), Knows::Inside);
    let entries = Journal::reopen(out.path(), u64::MAX).expect("a folder");
    let searched = entries.take_while(|entry| !matches!(entry.event, Event::Tests));
    let executions = searched.filter_map(|entry| match entry.event {
        Event::Execution(executed) => Some(executed.calls),
        _ => None,
    });
    let round_trips: Vec<usize> = executions.flatten().map(|call| call.exchanges.len()).collect();
    assert!(round_trips.len() >= CALLS, "{}", round_trips.len());
    // Ahead of the first call preparing ends. Some are begun anew, for they are to be told of in full.
    let n_more = round_trips.iter().filter(|n| **n > 1).count();
    assert!(n_more <= round_trips.len() / 10, "{n_more} of {} calls: {round_trips:?}", round_trips.len());
}

#[test]
fn a_run_that_does_not_fit_its_journal_goes_on_from_where_it_did() {
    let out = tempfile::tempdir().expect("a folder");
    let whole = live(out.path(), Knows::Inside);
    let folder = tempfile::tempdir().expect("a folder");
    let entries = Journal::reopen(out.path(), u64::MAX).expect("a folder");
    let mut broken = Journal::new(folder.path(), u64::MAX);
    for (number, mut entry) in entries.enumerate() {
        if let (40, crate::journal::Event::Execution(executed)) = (number, &mut entry.event) {
            executed.fingerprint ^= 1;
        }
        broken.note(&entry);
    }
    drop(broken);
    let rest = live(folder.path(), Knows::Inside);
    assert!((30..CALLS).contains(&rest.remembered), "{}", rest.remembered);
    assert_eq!(rest.came_to, whole.came_to);
    // What took the place of the rest is what the next life finds.
    let again = live(folder.path(), Knows::Inside);
    assert_eq!((again.sent.len(), again.came_to), (0, whole.came_to));
}

#[test]
fn a_run_goes_on_without_a_journal_that_is_closed_and_keeps_nothing_for_it() {
    let out = tempfile::tempdir().expect("a folder");
    let whole = live(out.path(), Knows::Inside);
    let folder = tempfile::tempdir().expect("a folder");
    let without = live_within(folder.path(), Knows::Inside, 0);
    assert_eq!((without.came_to, without.n_kept), (whole.came_to, 0));
}

/// A service that counts what it was given as long as it runs, and fails now and then.
const COUNTS: &str = r#"
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    n_given = 0

    def answer(self):
        Service.n_given += self.command == "POST"
        body = b'{"id": %d}' % Service.n_given
        self.send_response_only(200 if Service.n_given % 7 else 500)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service).serve_forever()
"#;

/// One life of a run on that service; with what it came to, and what was sent again.
fn live_with_state(out: &Path) -> (Vec<String>, SentAgain) {
    let mut api = api();
    let schema = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
    let parameters = vec![Parameter::query("name", schema)];
    api.operations.push(Operation { parameters, ..Operation::bare(Verb::Post, "/c") });
    let folder = tempfile::tempdir().expect("a folder");
    let settings = SutSettings {
        command: ["python3", "-c", COUNTS, "{port}"].map(str::to_owned).to_vec(),
        env: Vec::new(),
        working_directory: None,
        fresh_folder: false,
        port: None,
        ready: Ready::Port,
        start_limit: Duration::from_secs(20),
        max_log_bytes: 1000,
        notice_port: false,
    };
    let sut = Sut::start(&settings, None, folder.path(), &Stop::default()).expect("Python starts");
    let client = client_of(format!("http://127.0.0.1:{}", sut.port()));
    let users = Users::load(&AuthSettings::default(), 1).expect("nobody is a valid list of users");
    let service = Service { sut: Some(sut), resets_tests: false, ..Service::new(client, users, Stop::default()) };
    let journal = Journal::reopen(out, u64::MAX).expect("a folder");
    let mut evaluator = RestEvaluator::keeping(&api, service, Some(journal));
    let settings = SearchSettings::new(Budget::Calls(CALLS as u64), 7);
    let problem = Problem::new(&api, (0..3).map(OperationIdx).collect(), 0, &settings);
    let mut state = SearchState::new(&problem);
    assert_eq!(mio::run(&problem, &mut state, &mut evaluator, &mut |_, _| {}), None);
    evaluator.begin_tests(true);
    let solution = solve(&problem, &mut state, &mut evaluator, SolveLimits::of_calls(20), None);
    let results = solution.tests.iter().flat_map(|test| &test.results);
    let mut came_to: Vec<String> = results.map(|result| format!("{:?} {:?}", result.request, result.answer())).collect();
    came_to.push(state.random.below(1_000_000).to_string());
    (came_to, evaluator.remembered().sent_again)
}

#[test]
fn a_service_that_is_started_anew_is_brought_to_where_it_was() {
    let out = tempfile::tempdir().expect("a folder");
    let (whole, nothing) = live_with_state(out.path());
    assert_eq!(nothing, SentAgain::default());
    let all = n_entries(out.path());
    let mut most = 0;
    for cut in [all / 5, all / 2, all - 2, all] {
        let killed = killed_after(out.path(), cut);
        let (came_to, again) = live_with_state(killed.path());
        assert_eq!(came_to, whole, "after {cut} of {all} entries");
        assert_eq!(again.otherwise, 0, "after {cut} of {all} entries");
        assert_eq!(n_entries(killed.path()), all, "the journal is whole again");
        most = most.max(again.calls);
    }
    assert!(most > 10, "{most} calls at most were sent again");
}
