//! The installed JDKs, and the sample service compiled by one of them.

mod install;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use install::{compiler, homes, library};

/// A runtime to start services with.
#[derive(Debug)]
pub struct Jdk {
    java: PathBuf,
}

/// The compiled sample.
#[derive(Debug)]
pub struct Sample {
    folder: tempfile::TempDir,
    source: String,
}

impl Jdk {
    /// Every installed runtime, each once; says so when there is none.
    pub fn installed() -> Vec<Self> {
        let javas = homes().into_iter().filter_map(|home| home.join("bin/java").canonicalize().ok());
        let mut found: Vec<PathBuf> = Vec::new();
        for java in javas {
            if !found.contains(&java) {
                found.push(java);
            }
        }
        found.into_iter().map(|java| Self { java }).collect()
    }

    /// Where it lies.
    pub fn name(&self) -> String {
        self.java.display().to_string()
    }

    /// Starts the sample with the agent and full verification.
    pub fn start(&self, sample: &Sample, options: &str, arguments: &[&str]) -> Child {
        let mut java = Command::new(&self.java);
        java.arg(format!("-agentpath:{}={options}", library().display()));
        java.args(["-Xverify:all", "-Xmx64m", "-XX:+UseSerialGC", "-cp"])
            .arg(sample.folder.path())
            .arg("sample.Sample")
            .args(arguments);
        java.env_remove("JAVA_TOOL_OPTIONS").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        java.spawn().expect("java starts")
    }
}

impl Sample {
    /// The sample, compiled for Java 8; none without a compiler, which is said and, in CI, a failure.
    pub fn compile() -> Option<Self> {
        let Some(javac) = compiler() else {
            assert!(std::env::var_os("CI").is_none(), "no JDK in CI");
            println!("skipped: no JDK");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample");
        let source = sources.join("sample/Sample.java");
        let mut compiler = Command::new(javac);
        compiler
            .args(["--release", "8", "-nowarn", "-g", "-d"])
            .arg(folder.path())
            .arg("-sourcepath")
            .arg(&sources)
            .arg(&source);
        assert!(compiler.stderr(Stdio::null()).status().expect("javac starts").success(), "the sample compiles");
        Some(Self { folder, source: std::fs::read_to_string(source).expect("reads") })
    }

    /// Name of the target of the line that ends in the comment `mark`.
    pub fn target(&self, kind: &str, mark: &str, rest: &str) -> String {
        let ends = |line: &str| line.ends_with(&format!("// {mark}"));
        let line = self.source.lines().position(ends).expect("the mark is in the sample") + 1;
        format!("{kind}sample.Sample:{line}{rest}")
    }
}
