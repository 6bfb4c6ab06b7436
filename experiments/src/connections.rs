//! How many connections restive opens to HTTP servers of the JVM, as they are and with the agent's changes of them.
//!
//! The servers of `e2e/apps/keep-alive` all answer the same, with statuses from 200 to 503, to requests whose bodies they
//! read and such that they do not, and by exceptions; jars of services come beside them. Each is started once as it is
//! (`--no-replacements`) and once with the family `tcp` alone. The client is restive, which has one connection at a time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;
use restive_e2e::doors::{DOORS, Door, PACKAGE, schema};
use serde_json::Value;

/// Arguments of the count.
#[derive(Args)]
pub struct ConnectionsArguments {
    /// Calls of each run
    #[arg(long, default_value_t = 10_000)]
    calls: u64,
    /// Only servers whose names have this text
    #[arg(long)]
    only: Option<String>,
    /// Jars of services that restive can start alone, instead of the servers
    #[arg(long)]
    jar: Vec<PathBuf>,
    /// More arguments of restive for the jars
    #[arg(long, allow_hyphen_values = true)]
    argument: Vec<String>,
    /// Folder for logs and results
    #[arg(long, default_value = "out/connections")]
    out: PathBuf,
    /// The `restive` binary [default: the one beside this program]
    #[arg(long)]
    restive: Option<PathBuf>,
}

/// What one run gave.
struct Counted {
    calls: u64,
    opened: u64,
    closed: BTreeMap<String, u64>,
    per_second: f64,
}

/// Runs all of them and prints a table row for each.
pub fn run(arguments: &ConnectionsArguments) -> Result<()> {
    println!(
        "| server | connections for {} calls | closed by the server after | with `tcp` | calls a second |",
        arguments.calls
    );
    println!("| --- | --- | --- | --- | --- |");
    for jar in &arguments.jar {
        let name = jar.file_stem().context("a jar is a file")?.to_string_lossy().into_owned();
        let mut args = vec!["--jar".to_owned(), jar.display().to_string()];
        args.extend(arguments.argument.iter().cloned());
        row(arguments, &name, &args)?;
    }
    let is_wanted = |door: &&Door| arguments.only.as_ref().is_none_or(|text| door.name.contains(text.as_str()));
    for door in DOORS.iter().filter(|_| arguments.jar.is_empty()).filter(is_wanted) {
        let class_path = door.build()?.context("a JDK and Maven are wanted")?;
        let schema = schema().display().to_string();
        let args = ["--command", &door.command(&class_path), "--schema", &schema, "--packages", PACKAGE];
        row(arguments, door.name, &args.map(str::to_owned))?;
    }
    Ok(())
}

fn row(arguments: &ConnectionsArguments, name: &str, args: &[String]) -> Result<()> {
    let plain = count(arguments, args, "--no-replacements").with_context(|| format!("{name} as it is"))?;
    let kept = count(arguments, args, "--replacements=tcp").with_context(|| format!("{name} with changes"))?;
    let sum: u64 = plain.closed.values().sum();
    let statuses: Vec<String> = plain.closed.iter().map(|(status, n)| format!("{status}: {n}")).collect();
    println!(
        "| {name} | {} | {sum} ({}) | {} | {:.0} → {:.0} |",
        scaled(&plain, arguments.calls),
        statuses.join(", "),
        scaled(&kept, arguments.calls),
        plain.per_second,
        kept.per_second,
    );
    if !kept.closed.is_empty() {
        eprintln!("{name}: still closed after {:?}", kept.closed);
    }
    Ok(())
}

/// The number of connections, with the number of calls where that is another one.
fn scaled(counted: &Counted, calls: u64) -> String {
    if counted.calls == calls { counted.opened.to_string() } else { format!("{} for {}", counted.opened, counted.calls) }
}

fn count(arguments: &ConnectionsArguments, args: &[String], family: &str) -> Result<Counted> {
    let restive = match &arguments.restive {
        Some(binary) => binary.clone(),
        None => std::env::current_exe()?.with_file_name("restive"),
    };
    fs::create_dir_all(&arguments.out)?;
    let folder = arguments.out.canonicalize()?;
    let mut command = Command::new(restive.canonicalize().context("the binary is wanted")?);
    command.arg("fuzz").args(args).args(["--suite=false", "--overwrite", "--rng-seed", "1", family]);
    command.args(["--budget", &format!("{} calls", arguments.calls), "--out", "out"]).current_dir(&folder);
    let output = command.stdin(Stdio::null()).output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 1)), "restive failed: {told}");
    read(&folder.join("out/results.json"))
}

fn read(file: &Path) -> Result<Counted> {
    let results: Value = serde_json::from_str(&fs::read_to_string(file)?)?;
    let run = &results["run"];
    let number = |name: &str| run[name].as_u64().with_context(|| format!("`{name}` is wanted"));
    let closed = run["connections_closed"].as_object().context("`connections_closed` is wanted")?;
    Ok(Counted {
        calls: number("calls")?,
        opened: number("connections_opened")?,
        closed: closed.iter().map(|(status, n)| (status.clone(), n.as_u64().unwrap_or(0))).collect(),
        per_second: run["calls_per_second"].as_f64().unwrap_or(0.0),
    })
}
