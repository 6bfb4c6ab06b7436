//! Programs of `tests/java` on top of `instrument/java`, as it is compiled.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::jdk::{self, Jdk};

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
    for package in if jdk.version > 8 { &["java.util", "java.util.concurrent", "java.util.regex"][..] } else { &[] } {
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
