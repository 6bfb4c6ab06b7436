//! What the Java side says to calls.

use std::fs;

use super::jdk::Jdk;
use super::program::run;

/// What the Java side says to a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The distance.
    pub distance: f32,
    /// Whether the call itself returns true, or returns; none where it was not made.
    pub done: Option<bool>,
}

/// The answers to these calls, one process for all of them.
pub fn evaluate(jdk: &Jdk, calls: &[&str]) -> Vec<Answer> {
    let work = tempfile::tempdir().expect("a folder can be made");
    let input = work.path().join("calls.txt");
    fs::write(&input, calls.join("\n") + "\n").expect("writable");
    let output = run(jdk, "Evaluate", Some(&input), work.path());
    let answers = output.lines().map(|line| {
        let (distance, done) = line.split_once(' ').expect("a distance and an outcome");
        let done = Some(done == "t").filter(|_| done != "-");
        Answer { distance: distance.parse().expect("a number"), done }
    });
    answers.collect()
}
