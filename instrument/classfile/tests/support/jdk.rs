//! The JDKs of this machine, for tests.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A JDK with a compiler.
#[derive(Debug, Clone)]
pub struct Jdk {
    /// Its folder.
    pub home: PathBuf,
    /// Its feature version, such as 17.
    pub version: u32,
}

impl Jdk {
    /// A program of this JDK.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.home.join("bin").join(name))
    }
}

/// All JDKs, oldest first: of `JAVA_HOME`, of the `java` on the path, and what lies in the folder next to these.
pub fn all() -> Vec<Jdk> {
    let on_path = std::env::var_os("PATH").into_iter().flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let programs = on_path.map(|folder| folder.join("java")).filter(|program| program.is_file());
    let homes = programs.filter_map(|program| Some(program.canonicalize().ok()?.parent()?.parent()?.to_owned()));
    let homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().chain(homes).collect();
    let beside = homes.iter().filter_map(|home| fs::read_dir(home.canonicalize().ok()?.parent()?).ok());
    let beside: Vec<PathBuf> = beside.flatten().filter_map(|entry| entry.ok()?.path().canonicalize().ok()).collect();
    let mut jdks: Vec<Jdk> = homes.into_iter().chain(beside).filter_map(jdk_at).collect();
    jdks.sort_by_key(|jdk| (jdk.version, jdk.home.clone()));
    jdks.dedup_by_key(|jdk| jdk.version);
    jdks
}

/// The JDKs, or none and a word about it.
///
/// # Panics
/// When the environment variable `CI` is set and there is no JDK 17.
pub fn all_or_skip() -> Vec<Jdk> {
    let jdks = all();
    assert!(std::env::var_os("CI").is_none() || jdks.iter().any(|jdk| jdk.version == 17), "CI wants a JDK 17");
    if jdks.is_empty() {
        // Not `eprintln!`, whose text the test frame keeps to itself when the test passes.
        writeln!(std::io::stderr(), "skipped: no JDK").expect("standard error is open");
    }
    jdks
}

fn jdk_at(home: PathBuf) -> Option<Jdk> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    let numbers: Vec<u32> = version.split(['.', '"', '_', '-', '+']).filter_map(|number| number.parse().ok()).collect();
    let version = if numbers.first() == Some(&1) { *numbers.get(1)? } else { *numbers.first()? };
    home.join("bin/javac").is_file().then_some(Jdk { home, version })
}

/// All class files below a folder, sorted by path.
pub fn class_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            found.extend(class_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "class") {
            found.push(path);
        }
    }
    found.sort();
    found
}
