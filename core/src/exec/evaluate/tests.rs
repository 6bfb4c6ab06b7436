//! Tracking over whole searches: a driver that follows a script and a service that answers everything.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use restive_driver_protocol::Token;
use restive_driver_protocol::fake::{FakeDriver, Moment, Reached, Script};
use restive_driver_protocol::message::{Expansion, Feedback, Hint};

use super::RestEvaluator;
use crate::action::{Action, ExtraInput, render};
use crate::api::{
    Additional, Api, Body, MediaKind, ObjectSchema, Operation, OperationIdx, Parameter, Property, Schema, SchemaKind,
    StringSchema, Verb,
};
use crate::driver::{Driver, Met};
use crate::exec::test_server::{answering, client_of};
use crate::exec::{AuthSettings, Service, Stop, Users};
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
    search_of(&api(), tracks, true, script)
}

/// The same on another interface, with or without inputs that it does not name.
fn search_of(api: &Api, tracks: bool, expands: bool, script: impl FnMut(&Moment) -> Reached + Send + 'static) -> Searched {
    let tracking = if tracks { Tracking::Undisturbed } else { Tracking::Off };
    search_as(api, (tracking, Marking::Never), expands, script)
}

/// The same with values followed and marked so.
fn search_with(tracking: Tracking, marking: Marking, script: impl FnMut(&Moment) -> Reached + Send + 'static) -> Searched {
    search_as(&api(), (tracking, marking), true, script)
}

fn search_as(
    api: &Api,
    (tracking, marking): (Tracking, Marking),
    expands: bool,
    script: impl FnMut(&Moment) -> Reached + Send + 'static,
) -> Searched {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&sent);
    let port = answering(move |request| {
        let line = request.lines().next().unwrap_or_default().to_owned();
        let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let line = if body.is_empty() { line } else { format!("{line} {body}") };
        log.lock().expect("no test panics in it").push(line);
        ("200 OK".to_owned(), String::new())
    });
    let client = client_of(format!("http://127.0.0.1:{port}"));
    let driver = Driver::listen(Token::new("t0ken"), true).expect("loopback has free ports");
    let mut driver = driver.tracking(tracking).expanding(expands);
    let address = driver.address().expect("it listens");
    let _process = FakeDriver::connect(address, Token::new("t0ken"), Script::answering(script));
    assert_eq!(driver.meet(Duration::from_secs(5), &|| false), Met::Measured);
    let users = Users::load(&AuthSettings::default(), 1).expect("nobody is a valid list of users");
    let service = Service { driver: Some(driver), resets_tests: false, ..Service::new(client, users, Stop::default()) };
    let mut evaluator = RestEvaluator::new(api, service);
    let settings = SearchSettings { marking, expands, ..SearchSettings::new(Budget::Calls(200), 7) };
    let problem = Problem::new(api, vec![OperationIdx(0)], 0, &settings);
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
    assert!(counts.arrived[&Usage::Equals] > 30, "{counts:?}");
}

#[test]
fn the_same_seed_and_hints_give_the_same_calls() {
    assert_eq!(search(true, compares_from(10)).targets, search(true, compares_from(10)).targets);
}

/// Says of each action how near its text came to twenty lengths, told in that order or the other way round.
fn measures_lengths(is_reversed: bool) -> impl FnMut(&Moment) -> Reached + Send + 'static {
    move |moment| {
        let length = moment.track.first().map_or(0, String::len);
        let near = |wanted: usize| (format!("branch:a.B:{wanted}:0:then"), 1.0 / (1 + wanted.abs_diff(length)) as f64);
        let mut targets: Vec<(String, f64)> = (10..30).map(near).collect();
        if is_reversed {
            targets.reverse();
        }
        Reached { targets, ..Reached::default() }
    }
}

#[test]
fn the_order_in_which_a_call_first_reaches_places_changes_no_call() {
    let [sent, reversed] = [false, true].map(|is_reversed| search(true, measures_lengths(is_reversed)).targets);
    assert_eq!(sent, reversed);
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
    assert!(!tracked.is_empty() && tracked.iter().all(|value| value.to_lowercase().contains("restive_")), "{tracked:?}");
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

fn expansion(place: &str, name: &str, schema: &str) -> Expansion {
    Expansion { place: place.to_owned(), name: name.to_owned(), schema: schema.to_owned() }
}

/// Tells of these inputs from the action of this number on.
fn reads_from(number: usize, inputs: Vec<Expansion>) -> impl FnMut(&Moment) -> Reached + Send + 'static {
    move |moment| {
        let expansions = if moment.actions_before >= number { inputs.clone() } else { Vec::new() };
        Reached { rest: Feedback { expansions, ..Feedback::default() }, ..Reached::default() }
    }
}

/// How often something was sent.
fn n_with(searched: &Searched, part: &str) -> usize {
    searched.targets.iter().filter(|target| target.contains(part)).count()
}

#[test]
fn an_input_that_no_schema_names_is_tried_at_once_and_disturbs_nothing_before() {
    let silent = search(true, |_: &Moment| Reached::default());
    let searched = search(true, reads_from(100, vec![expansion("query", "mode", "")]));
    assert_eq!(searched.targets[..100], silent.targets[..100]);
    let first = searched.targets.iter().position(|target| target.contains("mode="));
    assert!(first.is_some_and(|first| (100..115).contains(&first)), "{first:?}");
    assert!(n_with(&searched, "mode=") < 95, "it is left out now and then");
    assert_eq!(searched.state.expansions.counts().found.len(), 1);
}

#[test]
fn evaluated_calls_are_sent_as_they_were_when_inputs_are_found_later() {
    let inputs = vec![expansion("query", "mode", ""), expansion("header", "X-Mode", ""), expansion("cookie", "c", "")];
    let Searched { mut state, .. } = search(true, reads_from(100, inputs));
    let api = api();
    let mut n_expanded = 0;
    let targets: Vec<_> = state.archive.covered().collect();
    let sent = |action: &Action| render(&api, action, &mut |_| None);
    for kept in targets.iter().filter_map(|target| state.archive.covering(*target)) {
        for action in &kept.individual.actions {
            let before = sent(action);
            let mut expanded = action.clone();
            state.expansions.expand(&mut expanded, &SearchSettings::new(Budget::Calls(1), 1).gene_limits, &mut state.random);
            assert_eq!(sent(&expanded), before);
            n_expanded += usize::from(expanded.parameters.len() > action.parameters.len());
        }
    }
    assert!(n_expanded > 0, "some were made before anything was found");
}

#[test]
fn the_same_seed_and_inputs_give_the_same_calls() {
    let inputs = || vec![expansion("query", "mode", ""), expansion("header", "X-Mode", ""), expansion("cookie", "", "")];
    assert_eq!(search(true, reads_from(10, inputs())).targets, search(true, reads_from(10, inputs())).targets);
}

#[test]
fn parameters_are_sent_as_their_schemas_allow() {
    let sizes = r#"{"type":"array","items":{"type":"integer","minimum":7,"maximum":9},"minItems":2}"#;
    let inputs =
        vec![expansion("query", "size", r#"{"type":"integer","minimum":7,"maximum":9}"#), expansion("query", "sizes", sizes)];
    let searched = search(true, reads_from(0, inputs));
    let allowed = (7..10).map(|size| n_with(&searched, &format!("size={size}"))).collect::<Vec<_>>();
    assert!(allowed.iter().all(|n| *n > 3), "{allowed:?} of {:?}", &searched.targets[..20]);
    assert!((7..10).all(|size| n_with(&searched, &format!("&sizes={size}")) > 3), "each member is a parameter");
}

#[test]
fn names_that_are_values_of_the_call_or_cannot_be_sent_become_no_inputs() {
    let reflected = search(true, |moment: &Moment| {
        let names = moment.track.iter().map(|value| expansion("query", value, "")).collect();
        Reached { rest: Feedback { expansions: names, ..Feedback::default() }, ..Reached::default() }
    });
    assert_eq!(reflected.state.expansions.counts().found, []);
    let odd = vec![
        expansion("query", "a\nb", ""),
        expansion("query", "name", ""),
        expansion("header", "Content-Length", ""),
        expansion("header", "no token", ""),
        expansion("query", &"x".repeat(101), ""),
        expansion("smell", "y", ""),
        expansion("body", "a.B", "no schema"),
    ];
    let odd = search(true, reads_from(0, odd));
    let counts = odd.state.expansions.counts();
    assert_eq!((counts.found.len(), counts.unused), (0, 5), "one is documented, and one of no place");
}

#[test]
fn inputs_are_bounded() {
    let many = (0..500).map(|idx| expansion("query", &format!("many{idx}"), "")).collect();
    let counts = search(true, reads_from(0, many)).state.expansions.counts().clone();
    assert!(counts.found.len() == 32 && counts.unused > 400, "{} {}", counts.found.len(), counts.unused);
}

#[test]
fn nothing_but_the_schema_is_sent_where_that_is_wanted() {
    let searched = search_of(&api(), true, false, reads_from(0, vec![expansion("query", "mode", "")]));
    assert_eq!(n_with(&searched, "mode="), 0);
    assert_eq!(searched.state.expansions.counts().found, []);
}

#[test]
fn a_body_that_no_schema_names_is_sent_by_the_constraints_that_are_told() {
    let mut api = Api::default();
    api.operations.push(Operation::bare(Verb::Post, "/o"));
    let schema = r#"{"type":"object","properties":{"size":{"type":"integer","minimum":7,"maximum":9}},"required":["size"]}"#;
    let settings = |inputs| search_of(&api, true, true, reads_from(0, inputs));
    let searched = settings(vec![expansion("body", "a.B", schema)]);
    let sent = (7..10).map(|size| n_with(&searched, &format!("{{\"size\":{size}}}"))).collect::<Vec<_>>();
    assert!(sent.iter().all(|n| *n > 3), "{sent:?} of {:?}", &searched.targets[..20]);
    assert_eq!(searched.state.expansions.counts().found.len(), 1);
    let parsed = settings(vec![expansion("parsed", "a.B", schema)]);
    assert_eq!(n_with(&parsed, "size"), 0, "what is parsed may have nothing to do with the call");
    let keys = settings(vec![expansion("key", "a", r#"{"type":"integer"}"#), expansion("key", "b", r#"{"type":"string"}"#)]);
    assert!(n_with(&keys, "\"a\":") > 3 && n_with(&keys, "\"b\":\"") > 3);
}

#[test]
fn a_cookie_is_found_by_what_the_name_of_another_is_compared_with() {
    let searched = search(true, |moment: &Moment| {
        let compared = moment.track.iter().filter(|value| *value == "restive-probe");
        let hint = |tracked: &String| Hint {
            tracked: tracked.clone(),
            usage: Usage::Equals.name().to_owned(),
            operand: "session".to_owned(),
        };
        let rest = Feedback {
            expansions: vec![expansion("cookie", "", "")],
            hints: compared.map(hint).collect(),
            ..Feedback::default()
        };
        Reached { rest, ..Reached::default() }
    });
    let names: Vec<&str> = searched.state.expansions.counts().found.iter().map(|(_, _, name)| name.as_str()).collect();
    assert_eq!(names, ["session"]);
}

#[test]
fn keys_that_are_gone_through_tell_what_they_are_compared_with() {
    let mut api = Api::default();
    api.operations.push(Operation::bare(Verb::Post, "/o"));
    let searched = search_of(&api, true, true, |moment: &Moment| {
        let compared = moment.track.iter().filter(|value| *value == "restive-key");
        let hint = |tracked: &String| Hint {
            tracked: tracked.clone(),
            usage: Usage::Equals.name().to_owned(),
            operand: "size".to_owned(),
        };
        let expansions = vec![expansion("key", "", "{}")];
        let rest = Feedback { expansions, hints: compared.map(hint).collect(), ..Feedback::default() };
        Reached { rest, ..Reached::default() }
    });
    let names: Vec<&str> = searched.state.expansions.counts().found.iter().map(|(_, _, name)| name.as_str()).collect();
    assert_eq!(names, ["size"]);
    assert!(n_with(&searched, "\"size\":") > 3);
    assert!(searched.state.expansions.inputs().all(|(_, input)| !format!("{input:?}").contains("restive-key")));
}

/// `POST /o` with an object whose field `labels` is a map of texts.
fn api_with_labels() -> Api {
    api_with_labels_of(SchemaKind::String(StringSchema::default()))
}

/// The same with values of this kind.
fn api_with_labels_of(kind: SchemaKind) -> Api {
    let mut api = Api::default();
    let value = api.schemas.push(Schema::new(kind));
    let object = |properties, additional| {
        let is_tuple = false;
        SchemaKind::Object(ObjectSchema {
            properties,
            additional,
            names: None,
            min_properties: 0,
            max_properties: None,
            is_tuple,
        })
    };
    let map = api.schemas.push(Schema::new(object(Vec::new(), Additional::Typed(value))));
    let labels = Property { name: "labels".to_owned(), schema: map, required: true };
    let whole = api.schemas.push(Schema::new(object(vec![labels], Additional::Unspecified)));
    let body = Body {
        media_type: "application/json".to_owned(),
        kind: MediaKind::Json,
        schema: whole,
        json_schema: serde_json::json!({ "type": "object" }),
        encoding: BTreeMap::new(),
        examples: Vec::new(),
    };
    api.operations.push(Operation { bodies: vec![body], body_required: true, ..Operation::bare(Verb::Post, "/o") });
    api
}

#[test]
fn keys_of_an_object_that_the_document_leaves_open_are_sent_once_they_are_looked_up() {
    let compared = |moment: &Moment| {
        let hint = |tracked: &String| {
            let is_probe = tracked == "restive-key:/labels";
            let (usage, operand) = if is_probe { (Usage::Equals, "priority") } else { (Usage::UrlDecoded, "") };
            Hint { tracked: tracked.clone(), usage: usage.name().to_owned(), operand: operand.to_owned() }
        };
        let rest = Feedback { hints: moment.track.iter().map(hint).collect(), ..Feedback::default() };
        Reached { rest, ..Reached::default() }
    };
    let searched = search_of(&api_with_labels(), true, true, compared);
    let names: Vec<&str> = searched.state.expansions.counts().found.iter().map(|(_, _, name)| name.as_str()).collect();
    assert_eq!(names, ["/labels/priority"]);
    let described: Vec<_> = searched.state.expansions.inputs().map(|(_, input)| input).collect();
    let schema = serde_json::json!({"properties": {"labels": {"properties": {"priority": {}}}}});
    assert_eq!(described, [ExtraInput::Body("application/json".to_owned(), schema)]);
    assert!(n_with(&searched, "\"priority\":") > 10);
    let closed = search_of(&api_with_labels(), true, false, compared);
    assert_eq!((n_with(&closed, "restive-key"), closed.state.expansions.counts().found.len()), (0, 0));
    let silent = |_: &Moment| Reached::default();
    assert_eq!(n_with(&search_of(&api_with_labels(), true, true, silent), "restive-key"), 0, "before any hint");
}

#[test]
fn keys_that_are_looked_up_once_another_has_its_value_are_found() {
    let reads = |moment: &Moment| {
        let is_wanted = moment.track.iter().any(|value| value.starts_with("v1"));
        let looked_up = if is_wanted { &["version", "level"][..] } else { &["version"] };
        let hint = |tracked: &str, usage: Usage, operand: &str| Hint {
            tracked: tracked.to_owned(),
            usage: usage.name().to_owned(),
            operand: operand.to_owned(),
        };
        let of_value = |tracked: &String| match tracked.as_str() {
            "restive-key:/labels" => looked_up.iter().map(|name| hint(tracked, Usage::Equals, name)).collect(),
            _ => vec![hint(tracked, Usage::StartsWith, "v1")],
        };
        let rest = Feedback { hints: moment.track.iter().flat_map(of_value).collect(), ..Feedback::default() };
        Reached { rest, ..Reached::default() }
    };
    let searched = search_of(&api_with_labels(), true, true, reads);
    let names: Vec<&str> = searched.state.expansions.counts().found.iter().map(|(_, _, name)| name.as_str()).collect();
    assert_eq!(names, ["/labels/version", "/labels/level"]);
}

#[test]
fn a_value_that_is_wanted_stays_where_more_keys_are_found_than_there_is_room_for() {
    let names = ["components", "info", "paths", "security", "servers", "tags", "webhooks"];
    let reads = move |moment: &Moment| {
        let is_wanted = moment.track.iter().any(|value| value.starts_with("v1"));
        let hint = |tracked: &String, usage: Usage, operand: &str| Hint {
            tracked: tracked.clone(),
            usage: usage.name().to_owned(),
            operand: operand.to_owned(),
        };
        let of_value = |tracked: &String| match tracked.as_str() {
            "restive-key:/labels" => {
                let looked_up = ["version"].into_iter().chain(names.into_iter().filter(|_| is_wanted));
                looked_up.map(|name| hint(tracked, Usage::Equals, name)).collect()
            }
            _ => vec![hint(tracked, Usage::StartsWith, "v1")],
        };
        let rest = Feedback { hints: moment.track.iter().flat_map(of_value).collect(), ..Feedback::default() };
        Reached { rest, ..Reached::default() }
    };
    let searched = search_of(&api_with_labels(), true, true, reads);
    for group in [&names[..3], &names[3..6]] {
        let has = |sent: &str| group.iter().all(|name| sent.contains(&format!("\"{name}\":")));
        let is_sent = searched.targets.iter().any(|sent| sent.contains("\"version\":\"v1") && has(sent));
        assert!(is_sent, "{group:?} in {:?}", searched.targets);
    }
}

#[test]
fn keys_of_all_values_of_a_map_are_sent_in_one_that_is_made_up() {
    let reads = |moment: &Moment| {
        let hint = |tracked: &String| Hint {
            tracked: tracked.clone(),
            usage: Usage::Equals.name().to_owned(),
            operand: "size".to_owned(),
        };
        let probes = moment.track.iter().filter(|value| *value == "restive-key:/labels/~3");
        let told =
            Hint { usage: Usage::UrlDecoded.name().to_owned(), ..hint(&moment.track.first().cloned().unwrap_or_default()) };
        Reached {
            rest: Feedback { hints: probes.map(hint).chain([told]).collect(), ..Feedback::default() },
            ..Reached::default()
        }
    };
    let searched = search_of(&api_with_labels_of(SchemaKind::Any), true, true, reads);
    let names: Vec<&str> = searched.state.expansions.counts().found.iter().map(|(_, _, name)| name.as_str()).collect();
    assert_eq!(names, ["/labels/~3/size"]);
    assert!(n_with(&searched, "{\"size\":") > 10, "{:?}", searched.targets);
    let described: Vec<_> = searched.state.expansions.inputs().map(|(_, input)| input).collect();
    let labels = serde_json::json!({"additionalProperties": {"properties": {"size": {}}}});
    let schema = serde_json::json!({"properties": {"labels": labels}});
    assert_eq!(described, [ExtraInput::Body("application/json".to_owned(), schema)]);
}

#[test]
fn a_query_that_is_taken_apart_by_hand_tells_what_its_names_are_compared_with() {
    let searched = search(true, |moment: &Moment| {
        let compared = moment.track.iter().filter(|value| *value == "restive-query");
        let hint = |tracked: &String| Hint {
            tracked: tracked.clone(),
            usage: Usage::Equals.name().to_owned(),
            operand: "mode".to_owned(),
        };
        let expansions = vec![expansion("query", "", ""), expansion("query", "restive-query", "")];
        let rest = Feedback { expansions, hints: compared.map(hint).collect(), ..Feedback::default() };
        Reached { rest, ..Reached::default() }
    });
    let names: Vec<&str> = searched.state.expansions.counts().found.iter().map(|(_, _, name)| name.as_str()).collect();
    assert_eq!(names, ["mode"], "what is sent to learn names is none itself");
    assert!(n_with(&searched, "mode=") > 3);
    assert!(searched.state.expansions.inputs().all(|(_, input)| !format!("{input:?}").contains("restive-")));
}

/// A search on one operation whose document has no body.
fn search_bodies(inputs: Vec<Expansion>) -> Searched {
    let mut api = Api::default();
    api.operations.push(Operation::bare(Verb::Post, "/o"));
    search_of(&api, true, true, reads_from(0, inputs))
}

#[test]
fn keys_of_keys_become_objects_in_objects_that_are_sent() {
    let text = r#"{"type":"string"}"#;
    let searched =
        search_bodies(vec![expansion("key", "a", "{}"), expansion("way", "/a/b", "{}"), expansion("way", "/a/b", text)]);
    assert!(n_with(&searched, "{\"a\":{\"b\":\"") > 3, "{:?}", &searched.targets[..20]);
}

#[test]
fn a_part_that_is_known_by_its_name_becomes_what_it_is_read_into() {
    let read =
        r#"{"contentMediaType":"application/xml","type":"object","properties":{"box":{"type":"integer"}},"required":["box"]}"#;
    let mut api = Api::default();
    api.operations.push(Operation::bare(Verb::Post, "/o"));
    let mut by_name = reads_from(0, vec![expansion("part", "load", "")]);
    let mut by_class = reads_from(0, vec![expansion("part", "load", read)]);
    let script = move |moment: &Moment| if moment.actions_before < 20 { by_name(moment) } else { by_class(moment) };
    let searched = search_of(&api, true, true, script);
    assert!(n_with(&searched, "name=\"load\"\r\n\r\n") > 0, "a text at first: {:?}", &searched.targets[..20]);
    assert!(
        n_with(&searched, "name=\"load\"\r\nContent-Type: application/xml\r\n\r\n<?xml") > 3,
        "{:?}",
        &searched.targets[20..]
    );
    assert_eq!(searched.state.expansions.counts().found.len(), 1);
}

#[test]
fn a_body_that_is_not_understood_is_tried_as_json_as_text_and_as_a_form() {
    let searched = search_bodies(vec![expansion("raw", "", "")]);
    for part in ["{", "restive-field="] {
        assert!(n_with(&searched, part) > 3, "{part} {:?}", &searched.targets[..20]);
    }
    assert_eq!(searched.state.expansions.counts().found, []);
    let known = search_bodies(vec![expansion("raw", "", ""), expansion("form", "sort", "")]);
    assert!(n_with(&known, "sort=") > 3, "{:?}", &known.targets[..20]);
}

#[test]
fn what_a_framework_reads_is_sent_where_the_document_has_no_body() {
    let schema = r#"{"type":"object","properties":{"size":{"type":"integer","minimum":7,"maximum":9}},"required":["size"]}"#;
    assert!(n_with(&search_bodies(vec![expansion("bound", "a.B", schema)]), "{\"size\":7}") > 3);
}

#[test]
fn classes_of_which_no_more_is_known_are_counted_with_the_reason() {
    let schema = r#"{"type":"object","properties":{"of":{"type":"object","x-restive-unknown":"a.B: an interface"}}}"#;
    let searched = search_bodies(vec![expansion("body", "a.A", schema), expansion("bound", "a.C", schema)]);
    let counts = searched.state.expansions.counts();
    assert_eq!(counts.unknown.iter().map(String::as_str).collect::<Vec<_>>(), ["a.B: an interface"]);
    assert!(n_with(&searched, "\"of\":") > 3, "it is sent all the same");
}

#[test]
fn subtypes_are_sent_each_with_what_tells_it_from_the_others() {
    let member =
        |name: &str| format!(r#"{{"type":"object","required":["kind"],"properties":{{"kind":{{"enum":["{name}"]}}}}}}"#);
    let schema = format!(r#"{{"oneOf":[{},{}]}}"#, member("cat"), member("dog"));
    let searched = search_bodies(vec![expansion("body", "a.B", &schema)]);
    for name in ["cat", "dog"] {
        assert!(n_with(&searched, &format!("{{\"kind\":\"{name}\"}}")) > 3, "{name} {:?}", &searched.targets[..20]);
    }
}

#[test]
fn texts_of_a_body_become_no_keys() {
    let mut api = Api::default();
    api.operations.push(Operation::bare(Verb::Post, "/o"));
    let searched = search_of(&api, true, true, |moment: &Moment| {
        let values = moment.track.iter().map(|value| expansion("key", value, "{}"));
        let kinds = [expansion("raw", "", "")].into_iter().chain(values);
        Reached { rest: Feedback { expansions: kinds.collect(), ..Feedback::default() }, ..Reached::default() }
    });
    assert_eq!(searched.state.expansions.counts().found, []);
}
