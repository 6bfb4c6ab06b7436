//! The Java side: `instrument/java`, as it is compiled, and programs of `tests/java` on top.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::jdk::{self, Jdk};

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

/// What a program of `tests/java` prints; `work` is a folder for what it is compiled to.
///
/// # Panics
/// When it does not compile or ends with an error.
pub fn run(jdk: &Jdk, name: &str, input: Option<&Path>, work: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let runtime: PathBuf = root.join("../java");
    assert!(!jdk::class_files(&runtime).is_empty(), "instrument/java is compiled");
    let mut javac = jdk.program("javac");
    javac.args(["-nowarn", "-encoding", "UTF-8", "-cp"]).arg(&runtime).arg("-d").arg(work);
    let compiled = javac.arg(root.join("tests/java").join(format!("{name}.java"))).output().expect("javac starts");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut java = jdk.program("java");
    // In a service the classes stand in java.lang and need no leave.
    for package in if jdk.version > 8 { &["java.util", "java.util.regex"][..] } else { &[] } {
        java.arg("--add-opens").arg(format!("java.base/{package}=ALL-UNNAMED"));
    }
    java.arg("-cp").arg(std::env::join_paths([work, &runtime]).expect("joinable")).arg(name);
    if let Some(input) = input {
        java.stdin(File::open(input).expect("readable"));
    }
    let output = java.output().expect("java starts");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "Java {}: {text}{errors}", jdk.version);
    text.into_owned()
}
