//! Studies: many seeded runs of `restive fuzz` on subjects in several configurations, and what they show.
//!
//! [`run`] is the entry point. A study is a TOML file ([`plan::Study`]); `study run` expands it to runs and writes one JSON
//! line for each ([`Record`]), and `study report` makes tables and curves of the lines. Nothing here reads a service or
//! a suite: all figures come from the `results.json` of the runs.

mod conduct;
mod curves;
mod execute;
mod expand;
mod figures;
mod journal;
mod load;
mod mann_whitney;
mod measure;
mod plan;
mod provenance;
mod record;
mod report;
mod stop;
mod suites;
mod svg;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use expand::Shard;
use record::Record;

/// Name of the study's copy in a folder of results.
const STUDY_FILE: &str = "study.toml";

/// Arguments of `study`.
#[derive(Debug, Clone, Args)]
pub struct StudyArguments {
    #[command(subcommand)]
    command: StudyCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum StudyCommand {
    /// Makes the runs of a study that have no line yet
    Run(RunArguments),
    /// Makes tables and curves of the runs in one or more folders
    Report(ReportArguments),
    /// Executes the suites of kept runs, shuffled, each time against the service started anew
    Suites(SuitesArguments),
}

/// Arguments of `study run`.
#[derive(Debug, Clone, Args)]
struct RunArguments {
    /// The study
    #[arg(value_name = "STUDY.toml")]
    study: PathBuf,
    /// Folder for the lines; the same folder goes on where it was
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Which part of the study, such as `2/8`: every eighth seed of a subject with all configurations, from the second
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Runs at the same time; more than one disturb each other's times
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
    /// Make failed runs again
    #[arg(long)]
    retry_failed: bool,
    /// Keep suites, logs and results of all runs, not only of those that failed
    #[arg(long)]
    keep: bool,
    /// List the runs with their arguments and end
    #[arg(long)]
    dry_run: bool,
    /// The `restive` binary [default: the one beside this program]
    #[arg(long, value_name = "FILE")]
    restive: Option<PathBuf>,
}

/// Arguments of `study report`.
#[derive(Debug, Clone, Args)]
struct ReportArguments {
    /// Folders that `study run` wrote, of one study
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,
    /// Folder for `report.md` and the curves [default: the first folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Configuration that the others are compared with [default: what the study says, else its first one]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
}

/// Arguments of `study suites`.
#[derive(Debug, Clone, Args)]
struct SuitesArguments {
    /// The study
    #[arg(value_name = "STUDY.toml")]
    study: PathBuf,
    /// Folder into which `study run --keep` wrote
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Only this subject (repeatable)
    #[arg(long, value_name = "NAME")]
    subject: Vec<String>,
    /// Only this form (repeatable) [default: all]
    #[arg(long, value_name = "FORM")]
    form: Vec<String>,
    /// Passes of each form, each in another order and on a service of its own
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    passes: u64,
    /// The `restive` binary [default: the one beside this program]
    #[arg(long, value_name = "FILE")]
    restive: Option<PathBuf>,
}

/// Runs a study, reports on one, or executes its suites.
pub fn run(arguments: &StudyArguments) -> Result<()> {
    match &arguments.command {
        StudyCommand::Run(arguments) => conduct::run(arguments),
        StudyCommand::Report(arguments) => report::run(arguments),
        StudyCommand::Suites(arguments) => suites::run(arguments),
    }
}
