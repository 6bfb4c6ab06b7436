use std::time::Duration;

use restive_driver_protocol::fake::{FakeDriver, Fault, Reached, Script};
use restive_driver_protocol::message::{Feedback, Hint, Report, Unit};
use restive_driver_protocol::{Request, Token};

use super::{Driver, Extent, Met, Next};
use crate::search::{CodeId, Usage};

const LIMIT: Duration = Duration::from_secs(5);

fn token() -> Token {
    Token::new("t0ken")
}

fn driver(guides: bool) -> Driver {
    Driver::listen(token(), guides).expect("loopback has free ports")
}

fn call(driver: &Driver, script: Script) -> FakeDriver {
    FakeDriver::connect(driver.address().expect("it listens"), token(), script)
}

/// A script whose first action is what the service does while restive prepares.
fn prepared() -> Script {
    Script::default().action(&[("line:a.B:90", 1.0)])
}

/// A driver that measures, and the process behind it.
fn met(script: Script) -> (Driver, FakeDriver) {
    let mut driver = driver(true);
    let process = call(&driver, script);
    assert_eq!(driver.meet(LIMIT, &|| false), Met::Measured);
    (driver, process)
}

/// Requests of the actions and tests that a process got.
fn asked(process: FakeDriver) -> Vec<Request> {
    let requests = process.join().expect("the core only goes");
    requests.into_iter().filter(|request| !matches!(request, Request::Units(_))).collect()
}

#[test]
fn what_is_done_again_is_told_no_one_but_for_names() {
    let script = prepared().action(&[("line:a.B:1", 1.0)]).action(&[("line:a.B:1", 1.0), ("line:a.B:2", 1.0)]);
    let (mut driver, _process) = met(script);
    driver.begin();
    driver.take_exchanges();
    driver.end_unheard();
    driver.pause();
    let kept = driver.take_exchanges();
    assert!(kept.iter().all(|exchange| exchange.parts.is_empty()) && kept.len() == 1, "{kept:?}");
    assert!(!driver.coverage.is_covered(CodeId(1)));
    driver.begin();
    let feedback = driver.end(Next::Pause).expect("it guides");
    assert_eq!(feedback.names, ["line:a.B:90", "line:a.B:1", "line:a.B:2"]);
    assert_eq!(feedback.reached, [(CodeId(2), 1.0)], "the process has told of the other");
    // A run that is resumed once more numbers places as this one does.
    let mut later = super::Driver::listen(token(), true).expect("loopback has free ports");
    for exchange in kept {
        later.repeat(exchange);
    }
    assert_eq!(later.places.names_from(0), ["line:a.B:1"]);
}

#[test]
fn feedback_names_each_place_once_and_keeps_ids_over_restarts() {
    let first = prepared().action(&[("line:a.B:1", 1.0), ("branch:a.B:1:0:then", 0.5)]);
    let (mut driver, process) = met(first.action(&[("branch:a.B:1:0:then", 1.0)]));
    driver.begin();
    let feedback = driver.end(Next::Action(1)).expect("it guides");
    assert_eq!(feedback.names, ["line:a.B:90", "line:a.B:1", "branch:a.B:1:0:then"]);
    assert_eq!((feedback.reached[0].0, feedback.reached.len()), (CodeId(1), 2));
    assert!((feedback.reached[1].1 - 0.5).abs() < 1e-6);
    let feedback = driver.end(Next::Pause).expect("it guides");
    assert_eq!((feedback.names.len(), feedback.reached), (0, vec![(CodeId(2), 1.0)]));
    drop(process);
    // What is covered is told again by a process that does not know, and is no news.
    let reached = [("line:a.B:7", 1.0), ("line:a.B:1", 1.0), ("branch:a.B:8:0:then", 0.25)];
    let again = call(&driver, prepared().action(&reached));
    driver.meet_again(LIMIT, &|| false);
    driver.begin();
    let feedback = driver.end(Next::Pause).expect("it guides");
    assert_eq!(feedback.names, ["line:a.B:7", "branch:a.B:8:0:then"]);
    assert_eq!(feedback.reached, [(CodeId(3), 1.0), (CodeId(4), 0.25)]);
    drop(driver);
    drop(again);
}

#[test]
fn an_action_costs_one_round_trip_and_a_test_none_of_its_own() {
    let (mut driver, process) = met(Script::default());
    driver.begin();
    driver.end(Next::Action(1));
    driver.end(Next::Test);
    driver.begin();
    driver.end(Next::Pause);
    driver.begin();
    drop(driver);
    let kinds: Vec<String> = asked(process)
        .iter()
        .map(|request| match request {
            Request::StartTest(test) => format!("test {}", test.number.0),
            Request::StartAction(action) => format!("action {}", action.index),
            Request::EndAction => "end".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    let preparing = ["test 1", "action 0", "end"];
    assert_eq!(kinds[..3], preparing);
    assert_eq!(kinds[3..], ["test 2", "action 0", "end", "action 1", "end", "test 3", "action 0", "end", "test 4", "action 0"]);
}

#[test]
fn what_runs_while_a_test_pauses_belongs_to_no_action() {
    let (mut driver, process) = met(Script::default());
    driver.begin();
    driver.track(vec!["a".to_owned()]);
    driver.end(Next::Pause);
    driver.begin_action(1);
    driver.end(Next::Pause);
    drop(driver);
    let requests = asked(process);
    let went_on = matches!(
        &requests[requests.len() - 4..],
        // What is between an action and the start of a test is told apart.
        [Request::EndAction, Request::StartTest(_), Request::StartAction(action), Request::EndAction]
            if action.index == 1 && action.track == ["a"]
    );
    assert!(went_on, "{requests:?}");
}

#[test]
fn a_test_that_was_begun_with_the_end_of_another_is_begun_again_after_a_pause() {
    let (mut driver, process) = met(Script::default());
    let values = |text: &str| vec![text.to_owned()];
    driver.begin();
    driver.take_exchanges();
    // What comes next is told, and then it comes, or something else does.
    for (told, other, round_trips) in [("a", None, 1), ("b", Some("c"), 2), ("d", None, 1)] {
        driver.track(values(told));
        driver.end(Next::Test);
        assert!(driver.has_begun());
        if let Some(other) = other {
            driver.pause();
            assert!(!driver.has_begun());
            driver.track(values(other));
        }
        driver.begin();
        assert_eq!(driver.take_exchanges().len(), round_trips, "{told}");
    }
    driver.end(Next::Action(1));
    drop(driver);
    let tracked: Vec<Vec<String>> = asked(process)
        .into_iter()
        .filter_map(|request| match request {
            Request::StartAction(action) => Some(action.track),
            _ => None,
        })
        .collect();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(values);
    assert_eq!(tracked, [vec![], vec![], a, b, c, d, vec![]]);
}

#[test]
fn what_starting_reached_is_credited_to_no_call() {
    let script = prepared().boot(&[("line:a.B:1", 1.0)]).action(&[("line:a.B:1", 1.0), ("line:a.B:2", 1.0)]);
    let unit = Unit { name: "a.B".to_owned(), lines: 3, branches: 0, degraded: String::new() };
    let (mut driver, _process) = met(script.units(vec![unit]));
    driver.report_all();
    driver.begin();
    driver.kill();
    let feedback = driver.end(Next::Pause).expect("it guides");
    // Names that came with something else are told all the same.
    assert_eq!(feedback.names, ["line:a.B:1", "line:a.B:90", "line:a.B:2"]);
    assert_eq!(feedback.reached, [(CodeId(2), 1.0)]);
    assert_eq!(driver.coverage().lines(), Extent { total: 3, by_calls: 1, at_boot: 2, in_background: 0 });
}

#[test]
fn all_places_are_asked_for_only_when_wanted() {
    let (mut driver, process) = met(Script::default());
    driver.begin();
    driver.end(Next::Test);
    driver.report_all();
    driver.begin();
    drop(driver);
    let reports: Vec<Report> = asked(process)
        .into_iter()
        .filter_map(|request| match request {
            Request::StartTest(test) => Some(test.report),
            _ => None,
        })
        .collect();
    assert_eq!(reports, [Report::Uncovered, Report::All, Report::Uncovered, Report::All]);
}

#[test]
fn a_survey_begins_each_call_as_a_test_and_ends_when_it_is_told_to() {
    let (mut driver, process) = met(Script::default());
    driver.survey(true);
    driver.begin();
    driver.end(Next::Action(1));
    driver.end(Next::Test);
    driver.survey(false);
    driver.begin();
    driver.end(Next::Action(1));
    driver.report_all();
    driver.survey(true);
    driver.begin();
    driver.end(Next::Action(1));
    drop(driver);
    let told: Vec<String> = asked(process)
        .into_iter()
        .filter_map(|request| match request {
            Request::StartTest(test) => Some(format!("{:?}", test.report)),
            Request::StartAction(action) => Some(action.index.to_string()),
            _ => None,
        })
        .collect();
    let preparing = ["Uncovered", "0", "All", "0"];
    let surveyed = ["All", "1", "All", "0"];
    let as_usual = ["Uncovered", "0", "1"];
    let tests = ["All", "0", "1"];
    assert_eq!(told, [&preparing[..], &surveyed, &as_usual, &tests].concat());
}

#[test]
fn a_driver_that_does_not_guide_is_counted_all_the_same() {
    let mut driver = driver(false);
    let _process = call(&driver, prepared().action(&[("line:com.acme.Foo:1", 1.0)]));
    assert_eq!(driver.meet(LIMIT, &|| false), Met::Measured);
    driver.begin();
    assert_eq!(driver.end(Next::Pause), None);
    assert_eq!(driver.coverage().lines().by_calls, 1);
}

#[test]
fn a_driver_that_breaks_ends_guidance_and_nothing_else() {
    for fault in [Fault::Close, Fault::Refuse] {
        // The units asked for when it was met are the first request.
        let (mut driver, _process) = met(prepared().action(&[("line:a.B:1", 1.0)]).fault(6, fault));
        driver.begin();
        assert!(driver.end(Next::Test).is_none_or(|feedback| feedback.reached.is_empty()), "{fault:?}");
        driver.begin();
        assert!(driver.end(Next::Pause).is_none_or(|feedback| feedback.reached.is_empty()), "{fault:?}");
        assert_eq!(driver.coverage().lines().reached(), 0, "{fault:?}");
    }
}

#[test]
fn processes_are_told_apart_by_whether_they_load_classes_of_the_service() {
    let mut launcher_only = driver(true);
    let _launcher = call(&launcher_only, Script::default().units(Vec::new()));
    let nothing = Met::NothingMeasured { loaded: Vec::new(), skipped: Vec::new() };
    assert_eq!(launcher_only.meet(Duration::from_millis(300), &|| false), nothing);
    let _service = call(&launcher_only, prepared().action(&[("line:a.B:1", 1.0)]));
    assert_eq!(launcher_only.meet(LIMIT, &|| false), Met::Measured);
    launcher_only.begin();
    let feedback = launcher_only.end(Next::Pause).expect("it guides");
    assert_eq!(feedback.names, ["line:a.B:90", "line:a.B:1"]);
}

#[test]
fn callers_that_do_not_know_the_token_are_turned_away() {
    let mut alone = driver(true);
    assert_eq!(alone.meet(Duration::from_millis(50), &|| false), Met::Nobody);
    let address = alone.address().expect("it listens");
    let _stranger = FakeDriver::connect(address, Token::new("guess"), Script::default());
    let met = alone.meet(Duration::from_millis(500), &|| false);
    assert!(matches!(&met, Met::Refused(reason, Some(_)) if reason.contains("token")), "{met:?}");
}

#[test]
fn a_driver_that_listens_is_called() {
    let script = Script::answering(|_| Reached::targets(&[("line:a.B:1", 1.0)]));
    let (address, _process) = FakeDriver::listen(token(), script).expect("loopback has free ports");
    let mut driver = Driver::call(&address.to_string(), token(), true);
    assert_eq!(driver.meet(LIMIT, &|| false), Met::Measured);
    driver.begin();
    assert_eq!(driver.end(Next::Pause).expect("it guides").reached.len(), 1);
}

#[test]
fn values_travel_with_their_action_and_hints_come_back_in_order() {
    let script = Script::answering(|moment| {
        let hint = |usage: &str, operand: &str| Hint {
            tracked: moment.track.first().cloned().unwrap_or_default(),
            usage: usage.to_owned(),
            operand: operand.to_owned(),
        };
        let hints = vec![hint("matches", "a+"), hint("smelled", ""), hint("equals", "blue")];
        Reached { rest: Feedback { hints, ..Feedback::default() }, ..Reached::default() }
    });
    let (mut driver, process) = met(script);
    assert!(driver.tracks());
    driver.track(vec!["first".to_owned()]);
    driver.begin();
    driver.track(vec!["second".to_owned()]);
    let feedback = driver.end(Next::Action(1)).expect("it guides");
    let hint = |usage, operand: &str| crate::search::Hint {
        tracked: "first".to_owned(),
        is_part: false,
        usage,
        operand: operand.to_owned(),
    };
    assert_eq!(feedback.hints, [hint(Usage::Equals, "blue"), hint(Usage::Matches, "a+")]);
    driver.end(Next::Action(2));
    driver.report_all();
    assert!(!driver.tracks(), "tests of the suite are no search");
    drop(driver);
    let tracked: Vec<Vec<String>> = asked(process)
        .into_iter()
        .filter_map(|request| match request {
            Request::StartAction(action) => Some(action.track),
            _ => None,
        })
        .collect();
    let only = |value: &str| vec![value.to_owned()];
    assert_eq!(tracked, [vec![], only("first"), only("second"), vec![]]);
}
