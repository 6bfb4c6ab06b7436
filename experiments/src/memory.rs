//! Memory of the core over a long run on the bundled service: flat, or growing?

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;

/// Arguments of the memory study.
#[derive(Debug, Clone, Args)]
pub struct MemoryArguments {
    /// HTTP calls of the run
    #[arg(long, default_value_t = 200_000)]
    calls: u64,
    /// Seed
    #[arg(long, default_value_t = 1)]
    rng_seed: u64,
    /// Folder for results; must not exist
    #[arg(long, default_value = "out/memory")]
    out: PathBuf,
    /// The `restive` binary [default: the one beside this program]
    #[arg(long)]
    restive: Option<PathBuf>,
}

/// Runs `restive demo` and prints its resident memory every few seconds and its peak, as JSON lines.
pub fn run(arguments: &MemoryArguments) -> Result<()> {
    let beside = std::env::current_exe()?.with_file_name("restive");
    let mut command = Command::new(arguments.restive.as_ref().unwrap_or(&beside));
    command.args(["demo", "--quiet", "--budget", &format!("{} calls", arguments.calls)]);
    command.args(["--rng-seed", &arguments.rng_seed.to_string(), "--out"]).arg(&arguments.out);
    let mut process = command.stderr(Stdio::null()).spawn().context("cannot start restive")?;
    let began = Instant::now();
    let mut peak = 0;
    let mut next = Duration::ZERO;
    while process.try_wait()?.is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
        let field = |name: &str| {
            status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse::<u64>().ok())
        };
        peak = peak.max(field("VmHWM:").unwrap_or(0));
        if began.elapsed() >= next {
            next += Duration::from_secs(5);
            println!("{}", json!({ "seconds": began.elapsed().as_secs(), "resident_kib": field("VmRSS:") }));
        }
        sleep(Duration::from_millis(100));
    }
    println!("{}", json!({ "seconds": began.elapsed().as_secs(), "calls": arguments.calls, "peak_kib": peak }));
    Ok(())
}
