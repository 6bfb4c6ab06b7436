//! What GitHub Actions shows of a run: annotations at lines of the service, by commands on standard output, and a job summary.

use std::fmt::Write as _;

use super::results::{ChangesResult, FindingResult, Results};
use super::sources::{SourceLine, Sources};
use super::style::count;
use super::summary::extent;

/// Findings in the summary; the rest is only counted.
const MOST_FINDINGS: usize = 50;

/// An annotation a finding, a line each, of which GitHub shows ten of a kind.
pub fn annotations(results: &Results, sources: &Sources) -> String {
    results.findings.iter().map(|finding| annotation(finding, sources)).collect()
}

fn annotation(finding: &FindingResult, sources: &Sources) -> String {
    let kind = match finding.confirmation {
        _ if finding.known == Some(true) => "notice",
        "unstable" => "warning",
        _ => "error",
    };
    let place = finding.statement.as_deref().and_then(|statement| sources.line(statement));
    let place = place.map(|SourceLine { path, line }| format!("file={},line={line},", property(&path))).unwrap_or_default();
    let title = property(&format!("{}: {}", finding.operation, finding.title));
    format!("::{kind} {place}title={title}::{}\n", data(&format!("{}\n$ {}", finding.message, finding.curl)))
}

/// Text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same inside of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The job summary, in GitHub's Markdown.
pub fn job_summary(results: &Results) -> String {
    let run = &results.run;
    let n = results.findings.len();
    let verdict = if n == 0 { "no faults found".to_owned() } else { format!("{} found", count(n as u64, "fault", "faults")) };
    let mut text = format!("## restive: {verdict}\n\n");
    let answered = results.operations.iter().filter(|it| it.statuses.keys().any(|status| status.starts_with('2'))).count();
    let called = results.operations.iter().filter(|it| it.skipped.is_none()).count();
    let calls = count(run.calls, "call", "calls");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{calls}, seed {}, {answered} of {called} operations answered with 2xx.\n", run.rng_seed);
    if let Some(changes) = &results.changes {
        text.push_str(&changed(changes));
    }
    if n > 0 {
        text.push_str("| fault | operation | what | at |\n| --- | --- | --- | --- |\n");
        for finding in results.findings.iter().take(MOST_FINDINGS) {
            let at = finding.statement.as_deref().unwrap_or_default();
            let row = [finding.id.as_str(), &finding.operation, &finding.message, at].map(cell);
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        if n > MOST_FINDINGS {
            let _ = writeln!(text, "\nand {} more in `results.json`", n - MOST_FINDINGS);
        }
    }
    text
}

/// What a pull request wants to know: what of it was called, and which lines were not.
fn changed(changes: &ChangesResult) -> String {
    let mut text = format!("Changed since {}: {}.\n\n", cell(&changes.since), extent(changes));
    let missed: Vec<_> = changes.files.iter().filter(|file| !file.missed_lines.is_empty()).collect();
    for file in missed.iter().take(MOST_FINDINGS) {
        let _ = writeln!(text, "- {}: lines {} were never executed", cell(&file.path), file.missed_lines.replace(',', ", "));
    }
    if missed.len() > MOST_FINDINGS {
        let _ = writeln!(text, "- lines of {} more files, see `results.json`", missed.len() - MOST_FINDINGS);
    }
    if !missed.is_empty() {
        text.push('\n');
    }
    text
}

/// Text that ends neither its cell nor its line, and is no markup.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    for character in text.chars() {
        match character {
            '\n' | '\r' => cell.push(' '),
            '&' => cell.push_str("&amp;"),
            '<' => cell.push_str("&lt;"),
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '@' | '#' => cell.extend(['\\', character]),
            _ if character.is_control() => cell.push('\u{fffd}'),
            _ => cell.push(character),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::{annotations, job_summary};
    use crate::report::Results;
    use crate::report::fixture::Parts;
    use crate::report::results::{ChangedFileResult, ChangesResult};
    use crate::report::sources::Sources;

    fn hostile() -> Results {
        let mut parts = Parts::new();
        parts.findings[0].fault.message = "a|b\n::set-output name=x::<script>`%".to_owned();
        Results::from_run(&parts.run())
    }

    #[test]
    fn an_annotation_is_one_command_whatever_its_text() {
        let results = hostile();
        let text = annotations(&results, &Sources::default());
        assert_eq!(text.lines().count(), results.findings.len(), "{text}");
        assert!(text.lines().all(|line| line.starts_with("::error ") || line.starts_with("::warning ")), "{text}");
        assert!(text.contains("%0A::set-output"), "{text}");
    }

    #[test]
    fn the_summary_says_what_of_the_changes_was_never_executed() {
        let mut results = hostile();
        results.changes = Some(ChangesResult {
            since: "origin/<main>".to_owned(),
            files: vec![ChangedFileResult {
                path: "a/[Pet].java".to_owned(),
                missed_lines: "7,9".to_owned(),
                ..ChangedFileResult::default()
            }],
            ..ChangesResult::default()
        });
        let text = job_summary(&results);
        assert!(text.contains("Changed since origin/&lt;main>: 1 source file;"), "{text}");
        assert!(text.contains("\n- a/\\[Pet\\].java: lines 7, 9 were never executed\n\n|"), "{text}");
    }

    #[test]
    fn the_summary_is_a_table_whatever_its_texts() {
        let text = job_summary(&hostile());
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 2 + hostile().findings.len(), "{text}");
        assert!(rows.iter().all(|row| row.matches(" | ").count() == 3), "{rows:#?}");
        assert!(!text.contains("<script>"), "{text}");
        assert!(job_summary(&Results::from_run(&Parts::clean().run())).contains("no faults found"));
    }
}
