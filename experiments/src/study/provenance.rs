//! What a run was made with: the binary, the jar, the machine.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};
use ring::digest;
use serde::{Deserialize, Serialize};

/// The `restive` binary.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Binary {
    /// What `restive --version` says.
    pub version: String,
    /// Commit of the sources, with `-dirty` when they had changes; empty for a binary that was not built beside the harness.
    pub source_commit: String,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// The jar of a subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jar {
    /// Maven coordinates.
    pub coordinates: String,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// A machine, without its name.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Machine {
    /// Processors that this process may use.
    pub cpus: usize,
    /// Model of the processor; empty when unknown.
    pub processor: String,
    /// Memory in MiB; 0 when unknown.
    pub memory_mib: u64,
    /// Operating system and architecture: `linux x86_64`.
    pub system: String,
}

impl Binary {
    /// Asks the binary for its version, and the sources of the harness for their commit when it `is_own`.
    pub fn examine(path: &Path, is_own: bool) -> Result<Self> {
        let output = Command::new(path).arg("--version").output();
        let output = output.with_context(|| format!("cannot start `{}`", path.display()))?;
        ensure!(output.status.success(), "`{} --version` failed", path.display());
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let source_commit = is_own.then(source_commit).flatten().unwrap_or_default();
        Ok(Self { version, source_commit, sha256: sha256(path)? })
    }
}

impl Machine {
    /// The machine this runs on.
    pub fn examine() -> Self {
        let field = |file: &str, name: &str| {
            let text = fs::read_to_string(file).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            line.trim_start_matches([':', ' ', '\t']).to_owned()
        };
        let memory = field("/proc/meminfo", "MemTotal");
        Self {
            cpus: thread::available_parallelism().map_or(1, usize::from),
            processor: field("/proc/cpuinfo", "model name"),
            memory_mib: memory.split(' ').next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or_default() / 1024,
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// Load over 1, 5 and 15 minutes; none where the system does not tell.
pub fn load() -> Option<[f64; 3]> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let mut numbers = text.split(' ').map_while(|number| number.parse().ok());
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}

/// SHA-256 of a file in hexadecimal digits.
pub fn sha256(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut digits = String::new();
    for byte in digest::digest(&digest::SHA256, &bytes).as_ref() {
        let _ = write!(digits, "{byte:02x}");
    }
    Ok(digits)
}

fn source_commit() -> Option<String> {
    let arguments = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
    let output = Command::new("git").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_sha256sum() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("abc");
        fs::write(&file, "abc").expect("written");
        assert_eq!(sha256(&file).expect("hashed"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_binary_that_does_not_start_is_named() {
        let error = Binary::examine(Path::new("no/such/restive"), false).expect_err("nothing is there");
        assert!(error.to_string().contains("no/such/restive"), "{error}");
    }
}
