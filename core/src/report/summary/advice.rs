//! What to do next, from what was seen.

use std::fmt::Write as _;

use crate::report::HTML_FILE;
use crate::report::results::{OperationResult, Results};
use crate::report::style::{Style, count, printable};

use super::SummaryPlaces;
use super::operations::has_class;

pub(super) fn write(text: &mut String, results: &Results, places: &SummaryPlaces, style: Style) {
    let mut steps: Vec<(String, String)> = places.commands.to_vec();
    steps.extend(advice(results));
    steps.push(repeat(results));
    let _ = writeln!(text, "{}", style.bold("Next:"));
    for (purpose, command) in steps {
        let _ = writeln!(text, "  {}: {}", printable(&purpose), style.cyan(&printable(&command)));
    }
    if places.other_files.iter().any(|(file, _)| *file == HTML_FILE) {
        let path = format!("{}/{HTML_FILE}", places.folder.trim_end_matches('/'));
        let _ = writeln!(text, "\n{} {}", style.bold("Report:"), style.cyan(&printable(&path)));
    }
}

/// Whether what only asks is answered, and nothing that changes anything is.
fn refuses_changes_alone(called: &[&OperationResult]) -> bool {
    let (asking, changing): (Vec<&OperationResult>, Vec<&OperationResult>) = called.iter().partition(|it| it.method == "GET");
    let is_refused = |operation: &&OperationResult| operation.statuses.keys().any(|it| it == "401" || it == "403");
    let succeeds = |operation: &&OperationResult| has_class(operation, '2');
    asking.iter().any(succeeds) && changing.iter().any(is_refused) && !changing.iter().any(succeeds)
}

/// Steps that the answers suggest, the most rewarding first.
fn advice(results: &Results) -> Vec<(String, String)> {
    let called: Vec<&OperationResult> = results.operations.iter().filter(|operation| !operation.statuses.is_empty()).collect();
    let without: Vec<&&OperationResult> = called.iter().filter(|operation| !has_class(operation, '2')).collect();
    let only = |wanted: &[&str]| {
        let is_only = |operation: &OperationResult| operation.statuses.keys().all(|status| wanted.contains(&status.as_str()));
        without.iter().filter(|operation| is_only(operation)).count() as u64
    };
    let mut steps = Vec::new();
    if results.run.ended_by == "sut_lost" {
        let step = "look at its log; one that is given with `--command` is started anew".to_owned();
        steps.push(("the service went away".to_owned(), step));
    }
    let silent = only(&["0"]);
    if silent > 0 {
        let operations = count(silent, "operation never answers", "operations never answer");
        steps.push((operations, "look at the service's log, or raise `--time-limit`".to_owned()));
    }
    steps.extend(left_alone(results));
    let refused = only(&["401", "403"]);
    if refused > 0 {
        let operations = count(refused, "operation answers only 401 or 403", "operations answer only 401 or 403");
        let step = if results.run.users == 0 {
            "give credentials with `--bearer`, `--basic` or `--auth-file`"
        } else if refuses_changes_alone(&called) {
            "check whether the credentials given are allowed to change anything, and whether the service wants CSRF tokens, which \
             are not sent: that is to be switched off where it is tested"
        } else {
            "check whether the credentials given are right, and allowed to do that"
        };
        steps.push((operations, step.to_owned()));
    }
    if is_elsewhere(&called) {
        let step = format!("check the path of the base URL {}", results.run.base_url);
        steps.push(("nearly every answer is 404".to_owned(), step));
    } else if !without.is_empty() && results.run.ended_by == "budget" {
        steps.push(("reach more".to_owned(), "a larger `--budget`, such as `--budget 10m`".to_owned()));
    }
    steps.extend(reset(results));
    steps
}

/// Tests that are left out because they meet what others did hold where the service is brought back before each.
fn reset(results: &Results) -> Option<(String, String)> {
    let is_set = |key: &str| results.configuration.get(key).is_some_and(|setting| setting["origin"] != "default");
    let is_reset = ["reset.http", "reset.command", "reset.restart"].into_iter().any(is_set);
    if is_reset || results.run.unstable_tests <= results.tests.len() {
        return None;
    }
    let is_started = ["sut.jar", "sut.command"].into_iter().any(is_set);
    let restart = if is_started { ", or `--reset-restart`, which takes longer" } else { "" };
    let step = format!("bring the service back before each test: `--reset-http 'POST /…'` or `--reset-command`{restart}");
    Some(("keep more tests".to_owned(), step))
}

/// Whether the service seems to be below another path: of several operations none succeeds, and nine answers of ten or more
/// are 404. Servers may refuse a bad URL before they look where it leads.
fn is_elsewhere(called: &[&OperationResult]) -> bool {
    let answers = || called.iter().flat_map(|operation| &operation.statuses);
    let all: u64 = answers().map(|(_, n)| n).sum();
    let missing: u64 = answers().filter(|(status, _)| *status == "404").map(|(_, n)| n).sum();
    called.len() > 1 && !called.iter().any(|operation| has_class(operation, '2')) && missing * 10 >= all * 9
}

/// What to do about operations that were called seldom or no more.
fn left_alone(results: &Results) -> Vec<(String, String)> {
    let first = |is_meant: fn(&&OperationResult) -> bool| results.operations.iter().find(is_meant);
    let deadly = first(|operation| operation.given_up.is_some()).map(|operation| {
        let step = format!("`--exclude '{}'`, or more tries with `--max-deaths`", operation.id);
        ("spare the service what ends it".to_owned(), step)
    });
    let slow =
        first(|operation| operation.held_back.as_ref().is_some_and(|held_back| held_back.time_outs > 0)).map(|operation| {
            let step = format!("`--exclude '{}'`, a lower `--time-limit`, or more tries with `--max-time-outs`", operation.id);
            ("wait less for what does not answer".to_owned(), step)
        });
    deadly.into_iter().chain(slow).collect()
}

/// The same calls come again only with a budget of calls: with one of time, it depends on the clock what is called when.
fn repeat(results: &Results) -> (String, String) {
    let run = &results.run;
    let (what, budget) = if run.budget.ends_with("calls") || run.budget.ends_with("call") {
        ("repeat this run", run.budget.clone())
    } else {
        ("have as many calls, the same each time", count(run.calls.max(1), "call", "calls").replace(',', ""))
    };
    (what.to_owned(), format!("the same command with `--rng-seed {} --budget '{budget}'`", run.rng_seed))
}
