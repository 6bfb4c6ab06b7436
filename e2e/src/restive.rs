//! The `restive` binary: built once per test process, run with a hard time limit.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use crate::Results;
use crate::process::{Finished, Running, run};
use crate::work::{e2e_folder, target_folder};

const BUILD_LIMIT: Duration = Duration::from_mins(30);

/// Runs that a search with a driver may take to find what is planted: threads of the service have a say in what guides it,
/// so that a seed alone does not tell how a run goes. What one run in two finds is missed by all of these once in 1,000.
pub const SEEDS: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// The path of the `restive` binary of this checkout, built when it is not up to date.
pub fn binary() -> Result<&'static Path> {
    static BINARY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = BINARY.get_or_init(|| build().map_err(|error| format!("{error:#}")));
    built.as_deref().map_err(|error| anyhow!("cannot build restive: {error}"))
}

fn build() -> Result<PathBuf> {
    // Exactly what `cargo test --workspace` builds, the binary included: any other selection gives dependencies other
    // features and builds them once more.
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--no-run", "--quiet", "--workspace", "--target-dir"]).arg(target_folder());
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")));
    let log = format!("build-{}", std::process::id());
    run(&mut cargo, &e2e_folder()?, &log, BUILD_LIMIT)?.success()?;
    for stream in ["stdout", "stderr"] {
        std::fs::remove_file(e2e_folder()?.join(format!("{log}.{stream}")))?;
    }
    Ok(target_folder().join("debug/restive"))
}

/// One run of `restive`: a command line, a folder it runs in, a time limit.
#[derive(Debug)]
pub struct Restive {
    command: Command,
    folder: PathBuf,
    limit: Duration,
}

impl Restive {
    /// A run in `folder` with these arguments; the limit is five minutes unless [`Self::limit`] says otherwise.
    pub fn new<'a>(folder: &Path, args: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut command = Command::new(binary()?);
        command.args(args).current_dir(folder);
        // Settings of whoever runs the tests must not change what is tested.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("RESTIVE_") {
                command.env_remove(name);
            }
        }
        Ok(Self { command, folder: folder.to_path_buf(), limit: Duration::from_mins(5) })
    }

    /// A black-box run on a service: `fuzz` with URL, schema, budget, seed 42 and the output folder `out`.
    pub fn fuzz(folder: &Path, url: &str, schema: &str, budget: &str) -> Result<Self> {
        let args = ["fuzz", "--url", url, "--schema", schema, "--budget", budget, "--rng-seed", "42", "--out", "out"];
        Self::new(folder, args)
    }

    /// More arguments.
    #[must_use]
    pub fn args<'a>(mut self, args: impl IntoIterator<Item = &'a str>) -> Self {
        self.command.args(args);
        self
    }

    /// A variable of its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// How long it may take; past that it is killed and the run is an error.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs it to its end; its output also stays in `restive.stdout` and `restive.stderr`.
    pub fn run(mut self) -> Result<Finished> {
        run(&mut self.command, &self.folder, "restive", self.limit)
    }

    /// Runs it to its end and reads `out/results.json`.
    pub fn run_with_results(self) -> Result<(Finished, Results)> {
        let out = self.folder.join("out");
        let finished = self.run()?;
        let results =
            Results::read(&out).with_context(|| format!("after exit code {:?}\n{}", finished.code, finished.stderr))?;
        Ok((finished, results))
    }

    /// Starts it and does not wait.
    pub fn start(mut self) -> Result<Running> {
        Running::start(&mut self.command, &self.folder, "restive")
    }
}
