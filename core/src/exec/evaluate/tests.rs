//! Tracking over whole searches: a driver that follows a script and a service that answers everything.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use restive_driver_protocol::Token;
use restive_driver_protocol::fake::{FakeDriver, Moment, Reached, Script};
use restive_driver_protocol::message::{Feedback, Hint};

use super::RestEvaluator;
use crate::api::{Api, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
use crate::driver::{Driver, Met};
use crate::exec::test_server::answering;
use crate::exec::{AuthSettings, Client, HttpSettings, Service, Stop, Users};
use crate::gene::is_marked;
use crate::search::{Budget, Marking, Problem, SearchSettings, SearchState, Tracking, Usage, mio};

/// `GET /o` with a text in its query.
fn api() -> Api {
    let mut api = Api::default();
    let schema = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
    let parameter = Parameter::query("name", schema);
    api.operations.push(Operation { parameters: vec![parameter], ..Operation::bare(Verb::Get, "/o") });
    api
}

/// What a search sent, and what it knows in the end.
struct Searched {
    targets: Vec<String>,
    state: SearchState,
}

/// 200 calls with a driver that answers by `script`.
fn search(tracks: bool, script: impl FnMut(&Moment) -> Reached + Send + 'static) -> Searched {
    search_with(if tracks { Tracking::Undisturbed } else { Tracking::Off }, Marking::Never, script)
}

/// The same with values followed and marked so.
fn search_with(tracking: Tracking, marking: Marking, script: impl FnMut(&Moment) -> Reached + Send + 'static) -> Searched {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&sent);
    let port = answering(move |request| {
        let line = request.lines().next().unwrap_or_default().to_owned();
        log.lock().expect("no test panics in it").push(line);
        ("200 OK".to_owned(), String::new())
    });
    let settings = HttpSettings {
        base_url: Some(format!("http://127.0.0.1:{port}")),
        time_limit: Duration::from_secs(5),
        max_body_bytes: 10_000,
        max_rate: None,
        headers: Vec::new(),
        insecure: false,
    };
    let client = Client::new(&settings, &Stop::default()).expect("valid settings");
    let mut driver = Driver::listen(Token::new("t0ken"), true).expect("loopback has free ports").tracking(tracking);
    let address = driver.address().expect("it listens");
    let _process = FakeDriver::connect(address, Token::new("t0ken"), Script::answering(script));
    assert_eq!(driver.meet(Duration::from_secs(5), &|| false), Met::Measured);
    let api = api();
    let users = Users::load(&AuthSettings::default(), 1).expect("nobody is a valid list of users");
    let service = Service { driver: Some(driver), resets_tests: false, ..Service::new(client, users, Stop::default()) };
    let mut evaluator = RestEvaluator::new(&api, service);
    let settings = SearchSettings { marking, ..SearchSettings::new(Budget::Calls(200), 7) };
    let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
    let mut state = SearchState::new(&problem);
    assert_eq!(mio::run(&problem, &mut state, &mut evaluator, &mut |_, _| {}), None);
    let targets = std::mem::take(&mut *sent.lock().expect("no test panics in it"));
    Searched { targets, state }
}

/// Compares the first value that is tracked from the action of this number on with `blue`, if it is any.
fn compares_from(number: usize) -> impl FnMut(&Moment) -> Reached + Send + 'static {
    move |moment| {
        let compared = moment.track.first().filter(|_| moment.actions_before >= number);
        let hint = |tracked: &String| Hint {
            tracked: tracked.clone(),
            usage: Usage::Equals.name().to_owned(),
            operand: "blue".to_owned(),
        };
        Reached {
            rest: Feedback { hints: compared.map(hint).into_iter().collect(), ..Feedback::default() },
            ..Reached::default()
        }
    }
}

#[test]
fn tracking_disturbs_no_request_before_the_first_hint() {
    let silent = |_: &Moment| Reached::default();
    let (without, with) = (search(false, silent), search(true, silent));
    assert_eq!(without.targets, with.targets);
    assert_eq!(without.targets.len(), 200);
    let hinted = search(true, compares_from(100));
    assert_eq!(hinted.targets[..100], without.targets[..100]);
    assert_ne!(hinted.targets, without.targets);
}

#[test]
fn what_a_value_is_compared_with_is_tried_at_once() {
    let searched = search(true, compares_from(0));
    let first = searched.targets.iter().position(|target| target.starts_with("GET /o?name=blue "));
    assert!(first.is_some_and(|first| first < 30), "{first:?} of {:?}", &searched.targets[..30]);
    let counts = searched.state.specialisations.counts();
    assert_eq!(counts.genes, 1);
    assert!(counts.arrived[&Usage::Equals] > 100, "{counts:?}");
}

#[test]
fn the_same_seed_and_hints_give_the_same_calls() {
    assert_eq!(search(true, compares_from(10)).targets, search(true, compares_from(10)).targets);
}

#[test]
fn nothing_is_tracked_where_it_is_switched_off() {
    let tracked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&tracked);
    let searched = search(false, move |moment: &Moment| {
        *count.lock().expect("no test panics in it") += moment.track.len();
        Reached::default()
    });
    assert_eq!(*tracked.lock().expect("no test panics in it"), 0);
    assert!(searched.state.specialisations.counts().arrived.is_empty());
}

/// Tells what marked values are compared with; real ones are none of its business.
fn compares_marked(moment: &Moment) -> Reached {
    let marked = moment.track.iter().filter(|value| is_marked(value));
    let hint = |tracked: &String| Hint {
        tracked: tracked.clone(),
        usage: Usage::Equals.name().to_owned(),
        operand: "blue".to_owned(),
    };
    Reached { rest: Feedback { hints: marked.map(hint).collect(), ..Feedback::default() }, ..Reached::default() }
}

/// The marked values that these calls send, each once.
fn marked(targets: &[String]) -> BTreeSet<&str> {
    let values = targets.iter().filter_map(|target| target.split("name=").nth(1)?.split(' ').next());
    values.filter(|value| is_marked(value)).collect()
}

#[test]
fn marked_values_are_sent_before_the_focused_phase_and_teach_what_real_ones_do() {
    for marking in [Marking::Fixed(0.9), Marking::Adaptive(0.9)] {
        let searched = search_with(Tracking::Marked, marking, compares_marked);
        let (before, after) = searched.targets.split_at(110);
        assert!(marked(before).len() > 1, "{before:?}");
        assert!(marked(after).is_subset(&marked(before)), "{after:?}");
        let first = searched.targets.iter().position(|target| target.starts_with("GET /o?name=blue "));
        assert!(first.is_some_and(|first| first < 40), "{first:?} of {:?}", &searched.targets[..40]);
        assert_eq!(search_with(Tracking::Marked, marking, compares_marked).targets, searched.targets);
    }
}

#[test]
fn what_is_never_looked_at_is_marked_seldom_where_marking_adapts() {
    let silent = |_: &Moment| Reached::default();
    let [fixed, adaptive] =
        [Marking::Fixed(0.9), Marking::Adaptive(0.9)].map(|marking| search_with(Tracking::Both, marking, silent));
    let (fixed, adaptive) = (marked(&fixed.targets).len(), marked(&adaptive.targets).len());
    assert!(adaptive > 0 && 2 * adaptive < fixed, "{adaptive} {fixed}");
}

#[test]
fn real_values_are_followed_where_none_but_marked_ones_are_wanted_only_if_they_are_of_a_pattern() {
    let tracked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&tracked);
    search_with(Tracking::Marked, Marking::Fixed(0.5), move |moment: &Moment| {
        log.lock().expect("no test panics in it").extend(moment.track.clone());
        Reached::default()
    });
    let tracked = std::mem::take(&mut *tracked.lock().expect("no test panics in it"));
    assert!(!tracked.is_empty() && tracked.iter().all(|value| is_marked(&value.to_lowercase())), "{tracked:?}");
}

/// A driver that tells these of the first value that is tracked, and what came of it in 200 calls.
fn flooded(mut hints: impl FnMut(usize) -> Vec<(&'static str, String)> + Send + 'static) -> Searched {
    let searched = search(true, move |moment: &Moment| {
        let Some(tracked) = moment.track.first() else { return Reached::default() };
        let told = hints(moment.actions_before).into_iter();
        let hints = told.map(|(usage, operand)| Hint { tracked: tracked.clone(), usage: usage.to_owned(), operand }).collect();
        Reached { rest: Feedback { hints, ..Feedback::default() }, ..Reached::default() }
    });
    assert_eq!(searched.targets.len(), 200, "the search goes on");
    searched
}

#[test]
fn constants_without_end_are_bounded_and_counted() {
    let searched = flooded(|number| (0..500).map(|idx| ("equals", format!("constant-{number}-{idx}"))).collect());
    let counts = searched.state.specialisations.counts();
    assert!(counts.arrived[&Usage::Equals] > 10_000, "{counts:?}");
    assert!(counts.unused + 200 > counts.arrived[&Usage::Equals], "{counts:?}");
    let n_constants = searched.targets.iter().filter(|target| target.contains("constant-")).count();
    assert!((10..150).contains(&n_constants), "every other call is the search's own: {n_constants}");
}

#[test]
fn huge_and_hostile_patterns_and_formats_that_never_fit_end_nothing() {
    let huge = || "(a|b)*c".repeat(15_000);
    let nested = || format!("{}a{}", "(".repeat(900), ")*".repeat(900));
    let searched = flooded(move |_| {
        vec![
            ("matches", huge()),
            ("matches", nested()),
            ("matches", "(?=x)y".to_owned()),
            ("find", "((a{1,900}){1,900}){1,900}".to_owned()),
            ("matches", "(((".to_owned()),
            ("part_date", String::new()),
            ("smelled", String::new()),
        ]
    });
    let counts = searched.state.specialisations.counts();
    assert!(counts.unused > 200 && !searched.state.specialisations.counts().arrived.is_empty(), "{counts:?}");
}
