//! The verdict and each fault with what it takes to see it again.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::oracle::FaultCode;
use crate::report::results::{CauseResult, FindingResult, Results};
use crate::report::style::{Style, count, printable, shortened};

use super::times;

/// Faults shown in full; the rest stays in the files.
const MAX_FAULTS: usize = 20;

/// Faults of one cause shown by a line each.
const MAX_OTHERS: usize = 5;

/// Requests of one fault shown as lines of their own.
const MAX_REQUESTS: usize = 3;

/// Longer lines help nobody on a console.
const MAX_LINE: usize = 1500;

pub(super) fn write(text: &mut String, results: &Results, style: Style) {
    if results.findings.is_empty() {
        let _ = writeln!(text, "{}\n", style.green("No faults found"));
        write_baseline(text, results, style);
        return;
    }
    let groups = groups(&results.findings);
    let n_alike = results.findings.len() - groups.len();
    let causes =
        if n_alike == 0 { String::new() } else { format!(", perhaps of {}", count(groups.len() as u64, "cause", "causes")) };
    let _ = writeln!(
        text,
        "{}{causes}{}\n",
        style.red(&format!("{} found", count(results.findings.len() as u64, "fault", "faults"))),
        verdict(results)
    );
    write_baseline(text, results, style);
    let (shown, rest) = groups.split_at(groups.len().min(MAX_FAULTS));
    for (idx, group) in shown.iter().enumerate() {
        write_fault(text, idx + 1, group, results, style);
    }
    let n_left: usize = rest.iter().map(|group| 1 + group.others.len()).sum();
    if n_left > 0 {
        let _ = writeln!(text, "and {} in results.json\n", count(n_left as u64, "more fault", "more faults"));
    }
    write_variables(text, shown.iter().map(|group| group.first));
}

/// A fault, and those that are perhaps of the same cause.
struct Group<'a> {
    first: &'a FindingResult,
    others: Vec<&'a FindingResult>,
}

/// The faults in the order in which they are shown.
fn groups(findings: &[FindingResult]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|group| group.first.is_like(finding)) {
            Some(group) => group.others.push(finding),
            None => groups.push(Group { first: finding, others: Vec::new() }),
        }
    }
    groups
}

/// What is new and what is gone since an earlier run, where there is one.
fn write_baseline(text: &mut String, results: &Results, style: Style) {
    let Some(baseline) = &results.run.baseline else { return };
    let folder = printable(&baseline.folder);
    let _ =
        writeln!(text, "Compared with {folder}: {} new, {} known, {} gone", baseline.new, baseline.known, baseline.gone.len());
    for gone in baseline.gone.iter().take(MAX_FAULTS) {
        let operation = printable(&gone.operation);
        let _ = writeln!(text, "  {} {operation}: {}  {}", style.green("gone:"), gone.title, style.dim(&gone.id));
    }
    text.push('\n');
}

/// `: 2 confirmed, 1 unstable`, or nothing when all are confirmed.
fn verdict(results: &Results) -> String {
    let names = ["confirmed", "unstable", "not tried again"];
    let of = |confirmation: &str| results.findings.iter().filter(|finding| finding.confirmation == confirmation).count();
    let counts = [of("confirmed"), of("unstable"), of("untried")];
    if counts[1] == 0 && counts[2] == 0 {
        return if results.findings.len() == 1 { ", confirmed".to_owned() } else { ", all confirmed".to_owned() };
    }
    let parts: Vec<String> =
        counts.iter().zip(names).filter(|(count, _)| **count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    format!(": {}", parts.join(", "))
}

fn write_fault(text: &mut String, number: usize, group: &Group<'_>, results: &Results, style: Style) {
    let finding = group.first;
    let title = style.red(&finding.title);
    let operation = style.bold(&printable(&finding.operation));
    let known = if finding.known == Some(true) { style.dim("  known") } else { String::new() };
    let _ = writeln!(text, "{number:>3}. {operation}: {title}  {}{known}", style.dim(&finding.id));
    let _ = writeln!(text, "     {}", shortened(&printable(&finding.message), 300));
    let again = match finding.confirmation {
        "confirmed" => "it showed again when tried again".to_owned(),
        "unstable" => style.yellow("unstable: it did not show every time it was tried again"),
        _ => "it was not tried again".to_owned(),
    };
    let _ = writeln!(text, "     seen {}; {again}", times(finding.count));
    write_requests(text, finding);
    write_test(text, finding, results);
    write_others(text, group, style);
    text.push('\n');
}

/// What else is perhaps of the same cause.
fn write_others(text: &mut String, group: &Group<'_>, style: Style) {
    let Some(cause) = group.first.cause.as_ref().filter(|_| !group.others.is_empty()) else { return };
    let others = count(group.others.len() as u64, "more fault", "more faults");
    let common = match cause {
        CauseResult::Request(what) => format!("the same kind of request ({}) shows {others}", printable(what)),
        CauseResult::Statement(what) => format!("the same statement ({}) ends {others}", printable(what)),
        CauseResult::Answer(what) => format!("the same of other answers ({}) is {others}", printable(what)),
    };
    let _ = writeln!(text, "     {common}, perhaps of one cause:");
    for other in group.others.iter().take(MAX_OTHERS) {
        let elsewhere = other.statement.as_ref().filter(|_| other.statement != group.first.statement);
        let at = elsewhere.map(|statement| format!(" at {}", printable(statement))).unwrap_or_default();
        let _ = writeln!(text, "       {}{at}  {}", printable(&other.operation), style.dim(&other.id));
    }
    if group.others.len() > MAX_OTHERS {
        let _ = writeln!(text, "       and {} more, see results.json", group.others.len() - MAX_OTHERS);
    }
}

/// Where the fault is shown, or why nowhere.
fn write_test(text: &mut String, finding: &FindingResult, results: &Results) {
    if let Some(name) = finding.tests.first() {
        let files = results.tests.iter().find(|test| test.name == *name).map(|test| test.files.join(", "));
        let place = files.filter(|files| !files.is_empty()).map(|files| format!(" in {files}")).unwrap_or_default();
        let _ = writeln!(text, "     test {}{}", printable(name), printable(&place));
        return;
    }
    let reason = match finding.cut_tests.first() {
        Some(name) => format!("; {} ends before its call", printable(name)),
        None if finding.code == FaultCode::SutDeath.number() => ": it would end the service that all others run on".to_owned(),
        None if finding.code == FaultCode::MemoryGrowth.number() => ": it took the whole run".to_owned(),
        None if finding.confirmed && results.run.unproven_tests > 0 => {
            ": there was no time to see that one always holds on a service started anew".to_owned()
        }
        None if finding.confirmed => ": it shows on a service that was just started, and not always after that".to_owned(),
        None => String::new(),
    };
    let _ = writeln!(text, "     no test shows it{reason}");
}

fn write_requests(text: &mut String, finding: &FindingResult) {
    let hidden = finding.requests.len().saturating_sub(MAX_REQUESTS);
    if hidden > 0 {
        let calls = count(hidden as u64, "earlier call", "earlier calls");
        let _ = writeln!(text, "     after {calls} (`curl` of {} in results.json has them):", finding.id);
    }
    for request in &finding.requests[hidden..] {
        if request.curl.chars().count() > MAX_LINE {
            let _ = writeln!(
                text,
                "     {} with a large input: see `curl` of {} in results.json",
                printable(&request.operation),
                finding.id
            );
        } else {
            let _ = writeln!(text, "     $ {}", printable(&request.curl));
        }
    }
}

/// Says what to put into the variables of the lines above.
fn write_variables<'a>(text: &mut String, findings: impl Iterator<Item = &'a FindingResult>) {
    let lines = findings.flat_map(|finding| &finding.requests).map(|request| request.curl.as_str());
    let variables: BTreeSet<&str> = lines.flat_map(variables_of).collect();
    let separator = if variables.is_empty() { "" } else { "\n" };
    for variable in variables {
        let meaning = if variable.starts_with("RESTIVE_AUTH_") {
            "the user's header fields, such as 'Authorization: Bearer …'"
        } else {
            "the value of that header field"
        };
        let _ = writeln!(text, "     {variable} stands for {meaning}");
    }
    text.push_str(separator);
}

fn variables_of(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("$RESTIVE_").map(|(at, _)| {
        let name = &line[at + 1..];
        &name[..name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len())]
    })
}
