//! Starts the tools: all get the same base URL, schema, time and seed, and none may shut the service down.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use restive_e2e::process::Running;
use restive_e2e::toolchain::python_environment;

use super::{CoverageArguments, SCHEMA_PATH, SHUTDOWN_PATH, Tool};

/// Starts a tool in its folder; none for [`Tool::Idle`].
pub fn start(tool: Tool, arguments: &CoverageArguments, url: &str, rng_seed: u64, folder: &Path) -> Result<Option<Running>> {
    let mut command = match tool {
        Tool::Restive => restive(arguments, url)?,
        Tool::Schemathesis => schemathesis(arguments.seconds, url)?,
        Tool::Idle => return Ok(None),
    };
    let seed_flag = if tool == Tool::Restive { "--rng-seed" } else { "--seed" };
    command.args([seed_flag, &rng_seed.to_string()]).env("NO_COLOR", "1").current_dir(folder);
    if tool == Tool::Restive {
        command.args(&arguments.restive_args);
    }
    Running::start(&mut command, folder, "tool").map(Some)
}

fn restive(arguments: &CoverageArguments, url: &str) -> Result<Command> {
    let beside = || Ok::<_, std::io::Error>(std::env::current_exe()?.with_file_name("restive"));
    let binary = arguments.restive.clone().map_or_else(beside, Ok)?;
    let binary = binary.canonicalize().with_context(|| format!("no `{}`: build it first", binary.display()))?;
    let mut command = Command::new(binary);
    command.args(["fuzz", "--url", url, "--schema", &format!("{url}{SCHEMA_PATH}"), "--out", "out"]);
    command.args(["--budget", &format!("{}s", arguments.seconds), "--exclude", &format!("POST {SHUTDOWN_PATH}")]);
    Ok(command)
}

fn schemathesis(seconds: u64, url: &str) -> Result<Command> {
    let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("subjects/schemathesis-requirements.txt");
    let mut command = Command::new(python_environment("schemathesis", &requirements)?.join("bin/schemathesis"));
    command.args(["run", &format!("{url}{SCHEMA_PATH}"), "--url", url, "--max-time", &seconds.to_string()]);
    command.args(["--exclude-path", SHUTDOWN_PATH]);
    Ok(command)
}
