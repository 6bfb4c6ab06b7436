//! What changed since a revision, and whether calls came to it.

use std::fmt::Write as _;

use super::MAX_LIST;
use crate::report::results::{ChangedFileResult, ChangesResult, Results};
use crate::report::style::{Style, count, grouped, printable};
use crate::report::write::RESULTS_FILE;

pub(super) fn write(text: &mut String, results: &Results, style: Style) {
    let Some(changes) = &results.changes else { return };
    let since = printable(&changes.since);
    let _ = writeln!(text, "{} {}", style.bold(&format!("Changed since {since}:")), extent(changes));
    for operation in changes.operations.iter().take(MAX_LIST) {
        let _ = writeln!(text, "  {}", printable(operation));
    }
    if changes.operations.len() > MAX_LIST {
        let _ = writeln!(text, "  and {} more, see {RESULTS_FILE}", grouped((changes.operations.len() - MAX_LIST) as u64));
    }
    let missed: Vec<&ChangedFileResult> = changes.files.iter().filter(|file| !file.missed_lines.is_empty()).collect();
    for file in missed.iter().take(MAX_LIST) {
        let _ = writeln!(text, "  never executed: {}, lines {}", printable(&file.path), file.missed_lines.replace(',', ", "));
    }
    if missed.len() > MAX_LIST {
        let _ = writeln!(text, "  and lines of {} more files, see {RESULTS_FILE}", grouped((missed.len() - MAX_LIST) as u64));
    }
    text.push('\n');
}

/// How much changed, and how much of it was reached, as one line.
pub(in crate::report) fn extent(changes: &ChangesResult) -> String {
    let described = changes.described.len() as u64;
    let described = (described > 0).then(|| format!("what the schema says of {}", count(described, "operation", "operations")));
    if changes.files.is_empty() && described.is_none() {
        return "no source files".to_owned();
    }
    let files = (!changes.files.is_empty()).then(|| count(changes.files.len() as u64, "source file", "source files"));
    let lines = match changes.lines.total {
        0 => "none of their changed lines can be executed in classes that were loaded".to_owned(),
        total => format!("{} of {} executed", grouped(changes.lines.covered), count(total, "changed line", "changed lines")),
    };
    let lines = files.as_ref().map(|_| lines);
    let is_one = changes.files.len() + changes.described.len() == 1;
    let them = if is_one { "it" } else { "them" };
    let operations = match changes.operations.len() {
        0 => format!("no operation was seen to work with {them}"),
        1 => format!("1 operation works with {them} ({})", count(changes.calls, "call", "calls")),
        n => format!("{} operations work with {them} ({})", grouped(n as u64), count(changes.calls, "call", "calls")),
    };
    [described, files, lines, Some(operations)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::extent;
    use crate::report::results::{ChangedFileResult, ChangesResult, Covered, Results};
    use crate::report::style::Style;

    fn changes() -> ChangesResult {
        ChangesResult {
            since: "main".to_owned(),
            operations: vec!["GET /pets".to_owned(), "POST /pets".to_owned()],
            calls: 1_234,
            lines: Covered { covered: 3, total: 5, ..Covered::default() },
            files: vec![ChangedFileResult {
                path: "a/Pet.java".to_owned(),
                classes: vec!["a.Pet".to_owned()],
                reached_lines: "3-5".to_owned(),
                missed_lines: "7,9".to_owned(),
            }],
            other_files: 2,
            described: Vec::new(),
        }
    }

    #[test]
    fn the_extent_says_what_was_reached_of_what_changed() {
        let expected = "1 source file; 3 of 5 changed lines executed; 2 operations work with it (1,234 calls)";
        assert_eq!(extent(&changes()), expected);
        let described = ChangesResult { files: Vec::new(), described: vec!["GET /pets".to_owned()], ..changes() };
        assert_eq!(extent(&described), "what the schema says of 1 operation; 2 operations work with it (1,234 calls)");
        let both = ChangesResult { described: described.described, ..changes() };
        assert!(extent(&both).starts_with("what the schema says of 1 operation; 1 source file; 3 of 5"), "{}", extent(&both));
        assert!(extent(&both).ends_with("2 operations work with them (1,234 calls)"));
        let nothing = ChangesResult { since: "main".to_owned(), ..ChangesResult::default() };
        assert_eq!(extent(&nothing), "no source files");
        let unloaded = ChangesResult { lines: Covered::default(), operations: Vec::new(), ..changes() };
        assert!(extent(&unloaded).contains("none of their changed lines") && extent(&unloaded).contains("no operation"));
    }

    #[test]
    fn lines_that_were_never_executed_are_named() {
        let mut results = Results::from_run(&crate::report::fixture::Parts::new().run());
        let mut text = String::new();
        super::write(&mut text, &results, Style::for_terminal(false));
        assert_eq!(text, "", "nobody asked");
        results.changes = Some(changes());
        super::write(&mut text, &results, Style::for_terminal(false));
        assert!(text.starts_with("Changed since main: 1 source file;"), "{text}");
        assert!(text.contains("\n  GET /pets\n  POST /pets\n  never executed: a/Pet.java, lines 7, 9\n\n"), "{text}");
    }
}
