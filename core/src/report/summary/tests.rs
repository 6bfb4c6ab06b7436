use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::{SummaryPlaces, seconds, summary};
use crate::api::{OperationIdx, Verb};
use crate::oracle::FaultCode;
use crate::report::fixture::Parts;
use crate::report::results::{BaselineResult, CauseResult, FindingResult, KnownFinding};
use crate::report::{EndedBy, Results, Style};
use crate::search::{Change, Cost, HeldBack, HintCounts, ReadPlace, Usage};

fn summary_of(parts: &Parts) -> String {
    let results = Results::from_run(&parts.run());
    let commands = [("run the tests".to_owned(), "cd out/suite/pytest && pytest".to_owned())];
    let places = SummaryPlaces {
        folder: "out",
        has_results: true,
        other_files: &[("debug/library-calls.txt", "what came of each library call in the service")],
        suite_files: &parts.suite_files,
        commands: &commands,
    };
    summary(&results, &places, Style::plain())
}

/// Compares with a file in `core/tests/summary`; `BLESS=1` writes it instead.
fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/summary").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, text).expect("written");
    }
    let expected = std::fs::read_to_string(&path).expect("a golden file; BLESS=1 writes it");
    assert_eq!(text, expected, "BLESS=1 takes over the new text");
}

#[test]
fn a_run_with_faults_is_summarised() {
    check("faults.txt", &summary_of(&Parts::new()));
}

#[test]
fn a_clean_run_of_one_call_is_summarised_in_the_singular() {
    check("clean.txt", &summary_of(&Parts::clean()));
}

#[test]
fn a_run_that_broke_off_says_so() {
    let mut parts = Parts::new();
    parts.statistics.ended_by = EndedBy::SutLost;
    let text = summary_of(&parts);
    assert!(text.contains("the service could not be brought back") && text.contains("with `--command`"), "{text}");
    parts.statistics.ended_by = EndedBy::Interrupted;
    assert!(summary_of(&parts).contains("stopped before the end"));
}

#[test]
fn a_service_that_closes_connections_is_named() {
    let mut parts = Parts::new();
    parts.statistics.connections_closed = [(500, 9)].into();
    assert!(!summary_of(&parts).contains("connections"), "too few");
    parts.statistics.connections_closed = [(200, 5000), (500, 5000)].into();
    let text = summary_of(&parts);
    assert!(text.contains("the service closed 10,000 connections, one after each answer; new ones take time"), "{text}");
}

#[test]
fn a_service_that_loses_requests_is_named() {
    let mut parts = Parts::new();
    assert!(!summary_of(&parts).contains("lost a request"));
    parts.statistics.connections_given_up = 1_200;
    let text = summary_of(&parts);
    assert!(text.contains("behind one whose body it refused: 1,200 such connections were closed"), "{text}");
}

#[test]
fn what_was_done_with_values_is_counted() {
    let mut parts = Parts::new();
    assert!(!summary_of(&parts).contains("hint"));
    let arrived = [(Usage::Equals, 3), (Usage::Date, 1_200)].into();
    parts.statistics.hints = HintCounts { arrived, genes: 1, ..HintCounts::default() };
    let text = summary_of(&parts);
    assert!(text.contains("  1,203 hints (1,200 date, 3 equals); 1 input took a value from them\n"), "{text}");
}

#[test]
fn inputs_that_no_schema_names_are_counted() {
    let mut parts = Parts::new();
    assert!(!summary_of(&parts).contains("does not name"));
    let found = [(ReadPlace::Query, "a"), (ReadPlace::Query, "b"), (ReadPlace::Header, "c")];
    parts.statistics.expansions.found = found.map(|(place, name)| (OperationIdx(0), place, name.to_owned())).to_vec();
    let text = summary_of(&parts);
    let line = "  3 inputs that the schema does not name (1 header, 2 query), found by what the service reads\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn what_the_service_says_cannot_take_over_the_terminal() {
    let text = summary_of(&Parts::new());
    assert!(!text.contains('\u{1b}'));
    assert!(text.contains("\\u{1b}[31m***"), "{text}");
}

#[test]
fn long_lists_and_lines_are_counted_instead_of_shown() {
    let mut parts = Parts::new();
    let fault = parts.findings[0].clone();
    parts.findings = (0..30)
        .map(|idx| {
            let mut finding = fault.clone();
            finding.fault.key = format!("key {idx}");
            finding.requests = vec![fault.requests[1].clone(); 6];
            finding.requests[5].body = Some(vec![b'x'; 5000]);
            finding
        })
        .collect();
    let text = summary_of(&parts);
    assert!(text.contains("and 10 more faults in results.json"), "{text}");
    assert!(text.contains("after 3 earlier calls"), "{text}");
    assert!(text.contains("with a large input"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 1600));
}

#[test]
fn what_the_same_wrong_request_shows_is_one_entry_behind_the_others() {
    let mut results = Results::from_run(&Parts::new().run());
    let fault = results.findings[0].clone();
    let wrong = |idx: usize, malformation: &str| {
        let (id, cause) = (format!("F100-{idx}"), Some(CauseResult::Request(malformation.to_owned())));
        FindingResult {
            id,
            malformation: Some(malformation.to_owned()),
            cause,
            operation: format!("GET /{idx}"),
            ..fault.clone()
        }
    };
    let many = (10..30).map(|idx| wrong(idx, "accept unknown"));
    results.findings = [wrong(1, "body null"), wrong(2, "accept unknown"), fault.clone()].into_iter().chain(many).collect();
    FindingResult::put_most_telling_first(&mut results.findings);
    let places = SummaryPlaces { folder: "out", has_results: true, other_files: &[], suite_files: &[], commands: &[] };
    let text = summary(&results, &places, Style::plain());
    let starts: Vec<&str> = text.lines().filter(|line| line.starts_with("  ") && line.contains(". ")).collect();
    assert_eq!(starts.len(), 3, "{text}");
    assert!(starts[0].contains(&fault.id) && starts[1].contains("F100-1") && starts[2].contains("F100-2"), "{text}");
    let others =
        "     the same kind of request (accept unknown) shows 20 more faults, perhaps of one cause:\n       GET /10  F100-10\n";
    assert!(text.contains(others) && text.contains("       and 15 more, see results.json"), "{text}");
    assert!(text.starts_with("Pet store") && text.contains("23 faults found, perhaps of 3 causes"), "{text}");
}

#[test]
fn a_reset_is_advised_where_most_tests_do_not_repeat() {
    let mut results = Results::from_run(&Parts::new().run());
    let places = SummaryPlaces { folder: "out", has_results: true, other_files: &[], suite_files: &[], commands: &[] };
    let advice = "keep more tests: bring the service back before each test";
    results.run.unstable_tests = results.tests.len();
    assert!(!summary(&results, &places, Style::plain()).contains(advice));
    results.run.unstable_tests += 1;
    let text = summary(&results, &places, Style::plain());
    assert!(text.contains(advice) && !text.contains("--reset-restart"), "{text}");
    let set = |key: &str| (key.to_owned(), json!({"value": "it", "origin": "flag"}));
    results.configuration.extend([set("sut.jar")]);
    assert!(summary(&results, &places, Style::plain()).contains("`--reset-restart`"), "restive started it");
    results.configuration.extend([set("reset.http")]);
    assert!(!summary(&results, &places, Style::plain()).contains(advice), "it is reset already");
}

#[test]
fn what_the_document_should_have_demanded_is_told() {
    let mut parts = Parts::new();
    parts.statistics.demanded = [(OperationIdx(1), vec!["body /name".to_owned(), "query currency".to_owned()])].into();
    let text = summary_of(&parts);
    let told = " demanding what the document says may be left out (1):\n  POST /pets  body /name, query currency\n";
    assert!(text.contains(told), "{text}");
}

#[test]
fn what_is_new_known_and_gone_is_told() {
    let mut results = Results::from_run(&Parts::new().run());
    results.findings[0].known = Some(true);
    let gone = KnownFinding { id: "F100-1".to_owned(), operation: "GET /x".to_owned(), title: "server error".to_owned() };
    results.run.baseline = Some(BaselineResult { folder: "old".to_owned(), new: 2, known: 1, gone: vec![gone] });
    let places = SummaryPlaces { folder: "out", has_results: true, other_files: &[], suite_files: &[], commands: &[] };
    let text = summary(&results, &places, Style::plain());
    assert!(text.contains("Compared with old: 2 new, 1 known, 1 gone\n  gone: GET /x: server error  F100-1\n"), "{text}");
    assert_eq!(text.matches("  known\n").count(), 1, "{text}");
}

#[test]
fn places_that_were_mended_are_told_of_documents_alone() {
    let mut results = Results::from_run(&Parts::new().run());
    results.run.schema_repairs = 2;
    let places = SummaryPlaces { folder: "out", has_results: true, other_files: &[], suite_files: &[], commands: &[] };
    let told = |results: &Results| summary(results, &places, Style::plain()).contains("2 places of the schema mended on load");
    assert!(told(&results));
    results.operations.iter_mut().for_each(|operation| operation.discovered = Some("com.acme.Shop".to_owned()));
    assert!(!told(&results));
}

#[test]
fn answers_suggest_the_next_step() {
    let mut parts = Parts::new();
    for (status, expected) in
        [(401, "check whether the credentials given are right"), (404, "check the path of the base URL"), (0, "--time-limit")]
    {
        for statuses in parts.statistics.statuses.values_mut() {
            *statuses = [(status, 5)].into();
        }
        let text = summary_of(&parts);
        assert!(text.contains(expected), "{text}");
    }
    for (n_missing, is_suggested) in [(9, true), (8, false)] {
        for statuses in parts.statistics.statuses.values_mut() {
            *statuses = [(404, n_missing), (400, 10 - n_missing)].into();
        }
        assert_eq!(summary_of(&parts).contains("check the path of the base URL"), is_suggested);
    }
    for (idx, statuses) in &mut parts.statistics.statuses {
        let asks = parts.api.operations[idx.0 as usize].verb == Verb::Get;
        *statuses = [(if asks { 200 } else { 403 }, 5)].into();
    }
    assert!(summary_of(&parts).contains("whether the service wants CSRF tokens"));
    parts.user_names.clear();
    for statuses in parts.statistics.statuses.values_mut() {
        *statuses = [(401, 5)].into();
    }
    assert!(summary_of(&parts).contains("give credentials with `--bearer`"));
}

#[test]
fn an_operation_that_was_given_up_is_listed_with_what_to_do() {
    let mut parts = Parts::new();
    parts.statistics.given_up = [(OperationIdx(3), 3)].into();
    parts.findings[0].fault.code = FaultCode::SutDeath;
    parts.suite.tests[0].findings.clear();
    parts.solution.tests[0].findings.clear();
    let text = summary_of(&parts);
    assert!(text.contains("DELETE /pets/{id}  not called any more: it ended the service 3 times"), "{text}");
    assert!(text.contains("`--exclude 'DELETE /pets/{id}'`, or more tries with `--max-deaths`"), "{text}");
    assert!(text.contains("no test shows it: it would end the service that all others run on"), "{text}");
}

#[test]
fn an_operation_that_was_held_back_is_listed_with_what_to_do() {
    let mut parts = Parts::new();
    parts.statistics.held_back = [(OperationIdx(3), HeldBack::TimeOuts(4))].into();
    let text = summary_of(&parts);
    assert!(text.contains("DELETE /pets/{id}  called seldom: it gave no answer in time 4 times"), "{text}");
    assert!(text.contains("or more tries with `--max-time-outs`"), "{text}");
}

#[test]
fn only_a_run_with_a_budget_of_calls_is_said_to_be_repeatable() {
    let mut parts = Parts::new();
    assert!(summary_of(&parts).contains("repeat this run: the same command with `--rng-seed 42 --budget '2000 calls'`"));
    parts.statistics.budget = "20s".to_owned();
    let text = summary_of(&parts);
    assert!(text.contains("have as many calls, the same each time: the same command with `--rng-seed 42"), "{text}");
}

#[test]
fn an_operation_that_is_slow_is_listed_with_what_it_took() {
    let mut parts = Parts::new();
    let cost = Cost { calls: 4, time: Duration::from_millis(500) };
    parts.statistics.held_back = [(OperationIdx(3), HeldBack::Slow(cost))].into();
    let text = summary_of(&parts);
    assert!(text.contains("DELETE /pets/{id}  called less often than others: its calls took 125 ms in the mean"), "{text}");
    assert!(!text.contains("--max-time-outs"), "{text}");
}

#[test]
fn what_kept_tests_from_being_repeatable_is_named() {
    let mut parts = Parts::new();
    parts.solution.unstable = 3;
    let change = |before, after| Change { operation_idx: OperationIdx(0), before, after };
    parts.solution.changes = [(change(Some(200), None), 1), (change(Some(404), Some(404)), 2)].into();
    let text = summary_of(&parts);
    let expected = "  3 more tests left out: answers differ from execution to execution
    2 by GET /pets: 404, but not what the test is there for
    1 by GET /pets: 200 at one time, no answer at another
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn tests_that_met_no_fresh_service_are_counted_and_what_to_do_is_said() {
    let mut parts = Parts::new();
    (parts.solution.unproven, parts.solution.deadly) = (2, 1);
    let text = summary_of(&parts);
    let expected = "  2 more tests left out: no time to see that they always hold on a service started anew; a larger `--budget` gives more
  1 more test left out: the service ends when they are executed
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_test_that_ends_before_the_call_of_its_fault_is_named_as_such() {
    let mut parts = Parts::new();
    parts.suite.tests[1].findings.clear();
    let text = summary_of(&parts);
    assert!(text.contains(&format!("no test shows it; {} ends before its call", parts.suite.tests[1].name)), "{text}");
}

#[test]
fn where_there_was_no_time_for_the_test_of_a_fault_the_summary_says_so() {
    let mut parts = Parts::new();
    parts.suite.tests.iter_mut().for_each(|test| test.findings.clear());
    parts.solution.tests.iter_mut().for_each(|test| test.findings.clear());
    let reason = "no test shows it: there was no time to see that one always holds on a service started anew\n";
    assert!(!summary_of(&parts).contains(reason));
    parts.solution.unproven = 1;
    assert_eq!(summary_of(&parts).matches(reason).count(), 1, "one of the faults is confirmed");
}

#[test]
fn files_that_could_not_be_written_are_not_named() {
    let results = Results::from_run(&Parts::clean().run());
    let places = SummaryPlaces { folder: "out", has_results: false, other_files: &[], suite_files: &[], commands: &[] };
    let text = summary(&results, &places, Style::plain());
    assert!(!text.contains("Files in") && !text.contains("report.json"), "{text}");
}

#[test]
fn times_are_readable() {
    let shown = [0.04, 59.9, 61.0, 7384.0].map(seconds);
    assert_eq!(shown, ["0.0 s", "59.9 s", "1 min 1 s", "2 h 3 min"]);
}
