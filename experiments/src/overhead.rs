//! What measuring from inside costs: start-up, capacity and calls a second of a jar with the agent and without.
//!
//! Each round starts the service once without the agent and once with it, in turns, and does the same to both: a plain
//! keep-alive client sends a few fixed requests again and again over one connection, then restive fuzzes it, then once
//! more through a proxy that records its requests, which the plain client sends last. `--tracking` compares the agent with
//! and without hooks for tracked values instead. Ratios are of values of the same round; the last line has their medians.

mod processor;
mod subject;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};

use crate::throughput::plain_client;
use crate::throughput::recorder::Recorder;
use processor::processor_time;
use subject::{Agent, Started, start};

/// Line with which restive says that its search is over.
const SEARCH_IS_OVER: &str = "minimising";

/// Arguments of the overhead study.
#[derive(Debug, Clone, Args)]
pub struct OverheadArguments {
    /// The service
    #[arg(long)]
    jar: PathBuf,
    /// Its packages, such as `org.example.`
    #[arg(long, required = true)]
    packages: Vec<String>,
    /// Arguments of the application; `{port}` is its port
    #[arg(long, default_values_t = ["--server.port={port}".to_owned()], allow_hyphen_values = true)]
    argument: Vec<String>,
    /// A path that answers below 500 once the service is ready, and with which the schema is found otherwise
    #[arg(long, default_value = "/v3/api-docs")]
    schema_path: String,
    /// Requests of the plain client: `GET /path` or `POST /path {"json": 1}`
    #[arg(long, required = true)]
    request: Vec<String>,
    /// What restive fuzzes; everything unless given
    #[arg(long)]
    include: Vec<String>,
    /// What it does not
    #[arg(long)]
    exclude: Vec<String>,
    /// Requests of the plain client that count; half as many come before
    #[arg(long, default_value_t = 20_000)]
    requests: usize,
    /// Calls of restive
    #[arg(long, default_value_t = 10_000)]
    calls: u64,
    /// Rounds
    #[arg(long, default_value_t = 3)]
    rounds: u64,
    /// Compare the agent with itself without hooks for tracked values, and not with none
    #[arg(long)]
    tracking: bool,
    /// Folder for logs and results
    #[arg(long, default_value = "out/overhead")]
    out: PathBuf,
    /// The `restive` binary [default: the one beside this program]
    #[arg(long)]
    restive: Option<PathBuf>,
}

/// What one start of the service gave.
#[derive(Debug, Clone, Copy)]
struct Measured {
    /// Until the service answered.
    start_up: Duration,
    /// Requests a second of the plain client.
    plain: f64,
    /// Calls a second of restive.
    fuzzed: f64,
    /// The same of the plain client with restive's requests.
    same: f64,
    /// Milliseconds of processor time a call, of restive.
    core: f64,
    /// The same of the service.
    service: f64,
}

/// Runs the study and prints one JSON line per round, and one of medians.
pub fn run(arguments: &OverheadArguments) -> Result<()> {
    let restive = match &arguments.restive {
        Some(binary) => binary.clone(),
        None => std::env::current_exe()?.with_file_name("restive"),
    };
    let agent = Agent::of(&restive)?;
    let other = arguments.tracking.then(|| agent.without_tracking());
    let mut rounds = Vec::new();
    for round in 1..=arguments.rounds {
        let folder = arguments.out.join(round.to_string());
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
        let folder = folder.canonicalize()?;
        let without = measure(arguments, &restive, other.as_ref(), round, &folder.join("without"))?;
        let with = measure(arguments, &restive, Some(&agent), round, &folder.join("with"))?;
        println!("{}", json!({ "round": round, "without": without.to_json(), "with": with.to_json() }));
        rounds.push((without, with));
    }
    println!("{}", medians(&rounds));
    Ok(())
}

impl Measured {
    fn to_json(self) -> Value {
        json!({
            "start_up_seconds": self.start_up.as_secs_f64(), "plain_per_second": self.plain.round(),
            "calls_per_second": self.fuzzed.round(), "same_calls_per_second": self.same.round(),
            "core_ms_a_call": self.core, "service_ms_a_call": self.service,
        })
    }
}

/// Medians of the ratios that matter: above 1 is slower for start-up, below 1 slower for the others.
fn medians(rounds: &[(Measured, Measured)]) -> Value {
    let of = |ratio: &dyn Fn(&Measured, &Measured) -> f64| {
        let mut ratios: Vec<f64> = rounds.iter().map(|(without, with)| ratio(without, with)).collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).map(|median| (median * 1000.0).round() / 1000.0)
    };
    json!({
        "start_up": of(&|without, with| with.start_up.as_secs_f64() / without.start_up.as_secs_f64()),
        "capacity": of(&|without, with| with.plain / without.plain),
        "white_box_of_black_box": of(&|without, with| with.fuzzed / without.fuzzed),
        "white_box_of_plain": of(&|without, with| with.fuzzed / without.plain),
        "black_box_of_plain": of(&|without, _| without.fuzzed / without.plain),
        "white_box_of_same_calls": of(&|without, with| with.fuzzed / without.same),
        "white_box_of_same_calls_with_agent": of(&|_, with| with.fuzzed / with.same),
        "black_box_of_same_calls": of(&|without, _| without.fuzzed / without.same),
        "core_and_agent_ms_a_call": of(&|without, with| with.core + (with.service - without.service)),
    })
}

fn measure(
    arguments: &OverheadArguments,
    restive: &Path,
    agent: Option<&Agent>,
    rng_seed: u64,
    folder: &Path,
) -> Result<Measured> {
    fs::create_dir_all(folder)?;
    let mut started = start(arguments, agent, folder)?;
    let requests = subject::requests(&arguments.request, started.service.port())?;
    let repeated = |count: usize| requests.iter().cloned().cycle().take(count).collect::<Vec<_>>();
    let address = ([127, 0, 0, 1], started.service.port()).into();
    // The JVM compiles what is used often; measured is what comes after that.
    plain_client::replay(address, &repeated(arguments.requests / 2))?;
    let replay = plain_client::replay(address, &repeated(arguments.requests))?;
    let plain = arguments.requests as f64 / replay.elapsed.as_secs_f64();
    let start_up = started.start_up;
    let url = started.service.url();
    let (fuzzed, core, service) = fuzz(arguments, restive, &mut started, &url, rng_seed, &folder.join("fuzzed"))?;
    let proxy = Recorder::start(started.service.port())?;
    fuzz(arguments, restive, &mut started, &proxy.url(), rng_seed, &folder.join("recorded"))?;
    let recorded = proxy.requests();
    let replay = plain_client::replay(address, &recorded)?;
    let same = recorded.len() as f64 / replay.elapsed.as_secs_f64();
    Ok(Measured { start_up, plain, fuzzed, same, core, service })
}

/// Fuzzes the service at `url`: calls a second, and the processor time a call in milliseconds of restive and of the service.
fn fuzz(
    arguments: &OverheadArguments,
    restive: &Path,
    started: &mut Started,
    url: &str,
    rng_seed: u64,
    folder: &Path,
) -> Result<(f64, f64, f64)> {
    fs::create_dir_all(folder)?;
    let mut command = Command::new(restive);
    command.args(["fuzz", "--url", url, "--schema", &format!("{url}{}", arguments.schema_path)]);
    command.args(["--budget", &format!("{} calls", arguments.calls), "--rng-seed", &rng_seed.to_string()]);
    command.args(arguments.include.iter().flat_map(|it| ["--include", it.as_str()]));
    command.args(arguments.exclude.iter().flat_map(|it| ["--exclude", it.as_str()]));
    if let Some((address, token)) = &started.driver {
        command.args(["--driver", address, "--driver-token", token]);
    }
    let out = folder.join("out");
    command.arg("--out").arg(&out).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    let service = started.service.process().id();
    let service_before = processor_time(service)?;
    let mut process = command.stderr(Stdio::piped()).spawn().context("cannot start restive")?;
    let mut lines = BufReader::new(process.stderr.take().context("no standard error")?);
    let mut said = String::new();
    while lines.read_line(&mut said)? > 0 && !said.lines().last().is_some_and(|line| line.starts_with(SEARCH_IS_OVER)) {}
    let spent = (processor_time(process.id())?, processor_time(service)?.saturating_sub(service_before));
    lines.read_to_string(&mut said)?;
    let status = process.wait()?;
    ensure!(matches!(status.code(), Some(0 | 1)), "restive failed:\n{said}");
    let results: Value = serde_json::from_slice(&fs::read(out.join("results.json"))?)?;
    let rate = results["run"]["calls_per_second"].as_f64().context("no rate in the results")?;
    let a_call = |time: Duration| (time.as_secs_f64() * 1e6 / arguments.calls as f64).round() / 1000.0;
    Ok((rate, a_call(spent.0), a_call(spent.1)))
}
