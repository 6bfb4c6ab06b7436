//! How fast restive calls WireMock, as a share of what a plain keep-alive client reaches with the same requests.
//!
//! Three runs, each on a freshly started service: restive through a proxy that records the bytes of its requests, the
//! recorded requests over one plain connection through such a proxy, and the same without it. So all send the same, and
//! what the proxy costs is known and taken off. The recorded requests name ids that the other services never gave; they
//! are replaced by those that they do give, or those would refuse more of them, and sooner.

mod ids;
pub mod plain_client;
pub mod recorder;

use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use restive_e2e::process::run as run_process;
use restive_e2e::services;
use serde_json::{Value, json};

use recorder::Recorder;

/// How long a call may take, of either client: stubs can be told to keep their callers waiting.
const TIME_LIMIT: Duration = Duration::from_secs(2);
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
    let (run, mut requests) = {
        let service = services::wiremock_with(&subfolder(folder, "restive")?, &[])?;
        let recorder = Recorder::start(service.port())?;
        let run = fuzz(arguments, rng_seed, &recorder.url(), &folder.join("restive"))?;
        (run, recorder.requests())
    };
    requests.truncate(usize::try_from(arguments.calls)?);
    let proxied = {
        let service = services::wiremock_with(&subfolder(folder, "proxied")?, &[])?;
        let recorder = Recorder::start(service.port())?;
        plain_client::replay(recorder.address(), &requests)?
    };
    let plain = {
        let service = services::wiremock_with(&subfolder(folder, "plain")?, &[])?;
        plain_client::replay((Ipv4Addr::LOCALHOST, service.port()).into(), &requests)?
    };
    let seconds = run["seconds"].as_f64().context("no time in the results")?;
    let proxy = proxied.elapsed.as_secs_f64() - plain.elapsed.as_secs_f64();
    let calls = requests.len() as f64;
    let (rate, plain_rate) = (calls / (seconds - proxy), calls / plain.elapsed.as_secs_f64());
    Ok(json!({
        "rng_seed": rng_seed, "calls": requests.len(), "seconds": seconds, "proxy_seconds": thousandths(proxy),
        "calls_per_second": rate.round(), "plain_per_second": plain_rate.round(),
        "connections": run["connections_opened"], "plain_connections": plain.connections,
        "plain_answers_alike": plain.alike,
        "share": thousandths(rate / plain_rate),
    }))
}

fn thousandths(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
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
    command.args(["--time-limit", &format!("{}s", TIME_LIMIT.as_secs())]);
    command.args(["--rng-seed", &rng_seed.to_string(), "--out"]).arg(folder.join("out"));
    let finished = run_process(&mut command, folder, "restive", Duration::from_mins(20))?;
    ensure!(matches!(finished.code, Some(0 | 1)), "restive failed:\n{}", finished.stderr);
    let results: Value = serde_json::from_slice(&fs::read(folder.join("out/results.json"))?)?;
    Ok(results["run"].clone())
}
