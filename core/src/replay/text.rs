//! A replayed test as lines for people.

use std::fmt::Write as _;

use crate::report::{Style, printable};
use crate::suite::{AnswerPart, Difference};

use super::{DifferingCall, Replayed, Verdict};

/// Differences of one call that are shown.
const MAX_DIFFERENCES: usize = 5;
/// Columns of a verdict.
const WIDTH: usize = 8;

/// One line with the verdict and the name of the test, and below it what differs. Texts come from the service and must not
/// trick a terminal.
pub fn text(replayed: &Replayed, style: Style) -> String {
    let word = format!("{:WIDTH$}", replayed.verdict.name());
    let word = match replayed.verdict {
        Verdict::Same => style.dim(&word),
        Verdict::Changed | Verdict::Gone => style.red(&word),
        Verdict::Fixed => style.green(&word),
        Verdict::Skipped => style.yellow(&word),
    };
    let mut text = format!("{word} {}", printable(&replayed.name));
    if !replayed.findings.is_empty() {
        let ids = printable(&replayed.findings.join(", ")).into_owned();
        text.push_str(&style.dim(&format!("  {ids}")));
    }
    text.push('\n');
    if let Some(note) = &replayed.note {
        line(&mut text, note);
    }
    if let Some(call) = &replayed.call {
        put_call(&mut text, call);
    }
    text
}

fn put_call(text: &mut String, call: &DifferingCall) {
    let which = if call.of == 1 { String::new() } else { format!(", call {} of {}", call.position, call.of) };
    line(text, &format!("{}{which}", call.operation));
    // An answer with another status has another body: what it says tells more than what it lacks.
    let is_other = call.differences.first().is_some_and(|first| first.part == AnswerPart::Status);
    let most = if is_other { 1 } else { MAX_DIFFERENCES };
    for difference in call.differences.iter().take(most) {
        line(text, &format!("  {}: {}, expected {}", part(difference), difference.found, difference.expected));
    }
    if let Some(body) = call.body.as_ref().filter(|_| is_other) {
        line(text, &format!("  body: {body}"));
    }
    if let Some(more @ 1..) = call.differences.len().checked_sub(most).filter(|_| !is_other) {
        line(text, &format!("  and {more} more"));
    }
    line(text, &call.curl);
}

fn line(text: &mut String, content: &str) {
    // Writing to a string never fails.
    let _ = writeln!(text, "{:WIDTH$} {}", "", printable(content));
}

fn part(difference: &Difference) -> String {
    match &difference.part {
        AnswerPart::Answer => "answer".to_owned(),
        AnswerPart::Status => "status".to_owned(),
        AnswerPart::MediaType => "media type".to_owned(),
        AnswerPart::Field { name } => format!("field {name}"),
        AnswerPart::Body { pointer } if pointer.is_empty() => "body".to_owned(),
        AnswerPart::Body { pointer } => format!("body at {pointer}"),
        AnswerPart::Text => "body".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::TestKind;

    fn replayed(differences: Vec<Difference>) -> Replayed {
        let curl = "curl -sS -i http://127.0.0.1:1/a".to_owned();
        Replayed {
            name: "get_a".to_owned(),
            kind: TestKind::Fault,
            verdict: Verdict::Changed,
            findings: vec!["F100-1".to_owned()],
            fixed: Vec::new(),
            call: Some(DifferingCall {
                position: 2,
                of: 3,
                operation: "GET /a".to_owned(),
                differences,
                body: Some("{\"a\u{1b}[2J\": 1}".to_owned()),
                curl,
            }),
            note: Some("the service ended".to_owned()),
        }
    }

    #[test]
    fn the_call_its_differences_and_its_curl_line_stand_below_the_test() {
        let differences = vec![Difference::new(AnswerPart::Body { pointer: "/x".to_owned() }, "1", "\"a\u{1b}[2J\"")];
        let expected = "changed  get_a  F100-1\n         the service ended\n         GET /a, call 2 of 3\n           \
                        body at /x: \"a\\u{1b}[2J\", expected 1\n         curl -sS -i http://127.0.0.1:1/a\n";
        assert_eq!(text(&replayed(differences), Style::plain()), expected);
    }

    #[test]
    fn of_an_answer_with_another_status_its_own_body_is_shown() {
        let differences =
            vec![Difference::new(AnswerPart::Status, "200", "401"), Difference::new(AnswerPart::Text, "\"a\"", "\"b\"")];
        let shown = text(&replayed(differences), Style::plain());
        let expected = "           status: 401, expected 200\n           body: {\"a\\u{1b}[2J\": 1}\n         curl ";
        assert!(shown.contains(expected) && !shown.contains("more"), "{shown}");
    }

    #[test]
    fn many_differences_are_counted() {
        let differences = (0..7).map(|_| Difference::new(AnswerPart::Text, "a", "b")).collect();
        let shown = text(&replayed(differences), Style::plain());
        assert!(shown.contains("and 2 more") && shown.matches("expected").count() == MAX_DIFFERENCES, "{shown}");
    }
}
