//! Which operations answered how, and which were never reached and why.

use std::fmt::Write as _;

use crate::report::results::{OperationResult, Results};
use crate::report::style::{Style, count, printable};

use super::{times, write_columns};

pub(super) fn write(text: &mut String, results: &Results, style: Style) {
    let called: Vec<&OperationResult> = results.operations.iter().filter(|operation| operation.skipped.is_none()).collect();
    let with = |class: char| called.iter().filter(|operation| has_class(operation, class)).count();
    let _ = writeln!(
        text,
        "{} {} of {} answered with 2xx, {} with 4xx, {} with 5xx",
        style.bold("Operations:"),
        with('2'),
        called.len(),
        with('4'),
        with('5')
    );
    let never: Vec<(String, String)> = called
        .iter()
        .filter(|operation| !has_class(operation, '2'))
        .map(|operation| (operation.id.clone(), statuses(operation)))
        .collect();
    section(text, "without 2xx", &never);
    let given_up: Vec<(String, String)> = called
        .iter()
        .filter_map(|operation| Some((operation.id.clone(), operation.given_up.as_ref()?.reason.clone())))
        .collect();
    section(text, "given up", &given_up);
    let held_back: Vec<(String, String)> = called
        .iter()
        .filter_map(|operation| Some((operation.id.clone(), operation.held_back.as_ref()?.reason.clone())))
        .collect();
    section(text, "held back", &held_back);
    let demanded: Vec<(String, String)> = called
        .iter()
        .filter(|operation| !operation.demanded.is_empty())
        .map(|operation| (operation.id.clone(), operation.demanded.join(", ")))
        .collect();
    section(text, "demanding what the document says may be left out", &demanded);
    section(text, "skipped because they could not be understood", &skipped(results, false));
    section(text, "left out by filters", &skipped(results, true));
    write_schema(text, results);
    text.push('\n');
}

/// Whether an answer of that class (its first digit) came.
pub(super) fn has_class(operation: &OperationResult, class: char) -> bool {
    operation.statuses.iter().any(|(status, count)| *count > 0 && status.len() == 3 && status.starts_with(class))
}

fn section(text: &mut String, title: &str, lines: &[(String, String)]) {
    if !lines.is_empty() {
        let _ = writeln!(text, " {title} ({}):", lines.len());
        write_columns(text, lines);
    }
}

/// `404 (600 times), 400 (98 times)`, the most frequent first.
fn statuses(operation: &OperationResult) -> String {
    let mut statuses: Vec<(&String, u64)> = operation.statuses.iter().map(|(status, count)| (status, *count)).collect();
    statuses.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown: Vec<String> = statuses
        .into_iter()
        .take(5)
        .map(|(status, count)| format!("{} ({})", if status == "0" { "no answer" } else { status }, times(count)))
        .collect();
    if shown.is_empty() { "never called".to_owned() } else { shown.join(", ") }
}

fn skipped(results: &Results, by_filter: bool) -> Vec<(String, String)> {
    let described = results.operations.iter().filter_map(|operation| {
        let skipped = operation.skipped.as_ref().filter(|skipped| skipped.by_filter == by_filter)?;
        let place = if by_filter || skipped.pointer.is_empty() { String::new() } else { format!(" at {}", skipped.pointer) };
        Some((operation.id.clone(), format!("{}{place}", skipped.reason)))
    });
    described.collect()
}

fn write_schema(text: &mut String, results: &Results) {
    let run = &results.run;
    // What frameworks registered is no document that its user could check.
    let is_documented = results.operations.iter().any(|operation| operation.discovered.is_none());
    if run.schema_repairs > 0 && is_documented {
        let places = count(run.schema_repairs as u64, "place", "places");
        let _ = writeln!(text, " {places} of the schema mended on load, see `restive schema check`");
    }
    if !run.unsupported_keywords.is_empty() {
        let keywords: Vec<String> = run.unsupported_keywords.keys().map(|keyword| format!("`{keyword}`")).collect();
        let _ = writeln!(text, " schema keywords not honoured: {}", keywords.join(", "));
    }
    if !run.unchecked.is_empty() {
        let parts: Vec<String> = run.unchecked.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
        let _ = writeln!(text, " not compared with the schema: {}", printable(&parts.join(", ")));
    }
}
