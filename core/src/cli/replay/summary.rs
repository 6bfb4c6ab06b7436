//! How a replay went, in a line, and what to do next.

use std::fmt::Write as _;

use crate::replay::{Counts, Replay, Replayed, Verdict};
use crate::report::count;
use crate::suite::AnswerPart;

/// How it went, and what to do next.
pub(super) fn summary(replay: &Replay, n_tests: usize, seconds: f64) -> String {
    let counts = counts(&replay.counts);
    let done = replay.tests.len();
    let tests = count(n_tests as u64, "test", "tests");
    let tests = if replay.stopped { format!("stopped after {done} of {tests}") } else { tests };
    let mut text = format!("{tests} at {}: {counts} ({seconds:.1} s)\n", replay.base_url);
    for hint in hints(replay) {
        // Writing to a string never fails.
        let _ = writeln!(text, "hint: {hint}");
    }
    text
}

fn counts(counts: &Counts) -> String {
    let parts: Vec<String> = Verdict::ALL
        .into_iter()
        .filter(|verdict| counts.of(*verdict) > 0)
        .map(|verdict| format!("{} {}", counts.of(verdict), verdict.name()))
        .collect();
    if parts.is_empty() { "nothing was asked".to_owned() } else { parts.join(", ") }
}

/// What most likely is meant by many differences of one kind, and what to do about faults that are fixed.
fn hints(replay: &Replay) -> Vec<String> {
    let mut hints = Vec::new();
    let found = |status: &str| {
        let is_it = |test: &&Replayed| {
            let mut differences = test.call.iter().flat_map(|call| &call.differences);
            differences.any(|difference| difference.part == AnswerPart::Status && difference.found == status)
        };
        replay.tests.iter().filter(is_it).count()
    };
    let differing = replay.counts.changed + replay.counts.fixed;
    // Most of several: one that is refused may well be right.
    let is_most = |status: &str| differing > 3 && found(status) * 2 > differing;
    if is_most("404") {
        hints.push(format!("most answers are 404: is `{}` the right service, with the right path?", replay.base_url));
    }
    if is_most("401") || is_most("403") {
        hints.push("most calls are refused: are the credentials those of this service?".to_owned());
    }
    if replay.counts.fixed > 0 {
        hints.push("look whether the new answers are right; tests of fixed faults then expect what is wrong no more: `restive fuzz` writes the tests anew, or turn them round by hand".to_owned());
    }
    hints
}
