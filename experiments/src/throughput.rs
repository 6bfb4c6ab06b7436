//! How fast restive calls WireMock, as a share of what a plain keep-alive client reaches with the same requests.
//!
//! Three runs, each on a freshly started service: restive directly, which gives its rate; restive with the same seed
//! through a proxy that records the bytes of its requests; and the recorded requests over one plain connection. The
//! recorded requests name ids that the third service never gave; they are replaced by those that it does give, or it
//! would refuse more of them, and sooner.

mod ids;
mod plain_client;
mod recorder;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use restive_e2e::process::run as run_process;
use restive_e2e::services;
use serde_json::{Value, json};

use recorder::Recorder;

/// Path of the schema in the service.
const SCHEMA_PATH: &str = "/__admin/docs/swagger";

/// Arguments of the throughput study.
#[derive(Debug, Clone, Args)]
pub struct ThroughputArguments {
    /// HTTP calls of each run
    #[arg(long, default_value_t = 20_000)]
    calls: u64,
    /// Seeds
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    rng_seed: Vec<u64>,
    /// Folder for logs and results
    #[arg(long, default_value = "out/throughput")]
    out: PathBuf,
    /// The `restive` binary [default: the one beside this program]
    #[arg(long)]
    restive: Option<PathBuf>,
}

/// Runs the study and prints one JSON line per seed.
pub fn run(arguments: &ThroughputArguments) -> Result<()> {
    for rng_seed in &arguments.rng_seed {
        let folder = arguments.out.join(rng_seed.to_string());
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
        println!("{}", measure(arguments, *rng_seed, &folder.canonicalize()?)?);
    }
    Ok(())
}

fn measure(arguments: &ThroughputArguments, rng_seed: u64, folder: &Path) -> Result<Value> {
    let direct = {
        let service = services::wiremock_with(&subfolder(folder, "direct")?, &[])?;
        fuzz(arguments, rng_seed, &service.url(), &folder.join("direct"))?
    };
    let n_calls = usize::try_from(arguments.calls)?;
    let recorded = {
        let service = services::wiremock_with(&subfolder(folder, "recorded")?, &[])?;
        let recorder = Recorder::start(service.port())?;
        fuzz(arguments, rng_seed, &recorder.url(), &folder.join("recorded"))?;
        recorder.requests()
    };
    let service = services::wiremock_with(&subfolder(folder, "plain")?, &[])?;
    let n_requests = recorded.len().min(n_calls);
    let plain = plain_client::replay(&format!("127.0.0.1:{}", service.port()), &recorded[..n_requests])?;
    let plain_rate = n_requests as f64 / plain.elapsed.as_secs_f64();
    let rate = direct["calls_per_second"].as_f64().context("no rate in the results")?;
    Ok(json!({
        "rng_seed": rng_seed, "calls": direct["calls"], "calls_per_second": rate.round(),
        "connections": direct["connections_opened"],
        "plain_requests": n_requests, "plain_per_second": plain_rate.round(), "plain_connections": plain.connections,
        "plain_answers_alike": plain.alike,
        "share": (rate / plain_rate * 1000.0).round() / 1000.0,
    }))
}

fn subfolder(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::create_dir_all(&path).with_context(|| format!("cannot create `{}`", path.display()))?;
    Ok(path)
}

/// The `run` part of the results of a run without resets.
fn fuzz(arguments: &ThroughputArguments, rng_seed: u64, url: &str, folder: &Path) -> Result<Value> {
    let beside = std::env::current_exe()?.with_file_name("restive");
    let mut command = Command::new(arguments.restive.as_ref().unwrap_or(&beside));
    command.args(["fuzz", "--quiet", "--url", url, "--schema", &format!("{url}{SCHEMA_PATH}")]);
    command.args(["--exclude", "POST /__admin/shutdown", "--budget", &format!("{} calls", arguments.calls)]);
    command.args(["--rng-seed", &rng_seed.to_string(), "--out"]).arg(folder.join("out"));
    let finished = run_process(&mut command, folder, "restive", Duration::from_mins(20))?;
    ensure!(matches!(finished.code, Some(0 | 1)), "restive failed:\n{}", finished.stderr);
    let results: Value = serde_json::from_slice(&fs::read(folder.join("out/results.json"))?)?;
    Ok(results["run"].clone())
}
