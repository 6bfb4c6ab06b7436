//! How much of WireMock's own code a tool covers in a given time, black-box.
//!
//! Each run starts WireMock anew with the `JaCoCo` agent, points the tool at it through a proxy that counts answers by
//! operation the same way for every tool, and takes the coverage when the time is over or the tool has ended, whichever
//! comes first: what a tool does afterwards (minimising, confirming) does not count. One JSON line per run is printed.
//! Only WireMock's own classes count, not the libraries inside its jar.

mod http_stream;
mod jacoco;
mod proxy;
mod tally;
mod tool;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use restive_e2e::process::Running;
use restive_e2e::{http, services};
use serde_json::{Value, json};

use jacoco::Jacoco;
use proxy::CountingProxy;
use tally::Tally;

const SCHEMA_PATH: &str = "/__admin/docs/swagger";
const SHUTDOWN_PATH: &str = "/__admin/shutdown";

/// Arguments of the coverage study.
#[derive(Debug, Clone, Args)]
pub struct CoverageArguments {
    /// Tools to run, in this order for each seed
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["restive", "schemathesis"])]
    tool: Vec<Tool>,
    /// Seeds
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    rng_seed: Vec<u64>,
    /// Time of each run
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Folder for logs, results and coverage files of all runs
    #[arg(long, default_value = "out/coverage")]
    out: PathBuf,
    /// The `restive` binary [default: the one beside this program]
    #[arg(long)]
    restive: Option<PathBuf>,
    /// Further arguments for `restive fuzz`
    #[arg(last = true)]
    restive_args: Vec<String>,
}

/// What is run on the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tool {
    /// This project's binary.
    Restive,
    /// Schemathesis with its default phases.
    Schemathesis,
    /// Nothing: what the start of the service covers.
    Idle,
}

/// Runs every tool with every seed and prints a JSON line for each.
pub fn run(arguments: &CoverageArguments) -> Result<()> {
    for &rng_seed in &arguments.rng_seed {
        for &tool in &arguments.tool {
            let name = format!("{}-{rng_seed}", tool.to_possible_value().expect("no tool is hidden").get_name());
            let folder = arguments.out.join(&name);
            if folder.exists() {
                fs::remove_dir_all(&folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
            }
            fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
            let line = measure(arguments, tool, rng_seed, &folder.canonicalize()?).with_context(|| name.clone())?;
            println!("{line}");
        }
    }
    Ok(())
}

fn measure(arguments: &CoverageArguments, tool: Tool, rng_seed: u64, folder: &Path) -> Result<Value> {
    let jacoco = Jacoco::install()?;
    let service = services::wiremock_with(folder, &[jacoco.agent_argument()])?;
    let schema: Value = serde_json::from_slice(&http::get(service.port(), SCHEMA_PATH)?.body).context("the schema")?;
    let proxy = CountingProxy::start(service.port(), Tally::new(&schema))?;
    let mut process = tool::start(tool, arguments, &proxy.url(), rng_seed, folder)?;
    let started = Instant::now();
    if let Some(process) = &mut process {
        wait(process, started + Duration::from_secs(arguments.seconds))?;
    }
    let seconds = started.elapsed().as_secs_f64();
    let tally = proxy.tally();
    let coverage = jacoco.coverage(folder)?;
    let excluded = format!("POST {SHUTDOWN_PATH}");
    let (with_2xx, with_5xx) = (tally.operations_with(2), tally.operations_with(5));
    Ok(json!({
        "tool": format!("{tool:?}").to_lowercase(), "rng_seed": rng_seed, "seconds": (seconds * 10.0).round() / 10.0,
        "lines": coverage.lines.to_json(), "branches": coverage.branches.to_json(),
        "operations": tally.operations().filter(|operation| **operation != excluded).count(),
        "operations_2xx": with_2xx.len(), "operations_5xx": with_5xx.len(),
        "answers": tally.answers(), "answers_per_second": (tally.answers() as f64 / seconds.max(0.001)).round(),
        "answers_outside_schema": tally.outside(), "connections": proxy.connections(),
        "with_5xx": with_5xx, "without_2xx": tally.operations().filter(|operation| !with_2xx.contains(*operation)).collect::<Vec<_>>(),
    }))
}

/// Waits until the tool has ended or the time is over.
fn wait(process: &mut Running, end: Instant) -> Result<()> {
    while Instant::now() < end {
        if process.has_ended()? {
            eprintln!("the tool has ended before the time was over:\n{}", process.output_tail());
            return Ok(());
        }
        sleep(Duration::from_millis(20));
    }
    Ok(())
}
