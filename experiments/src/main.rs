//! Seeded studies of restive, one subcommand each.

mod validity;

use clap::{Parser, Subcommand};

/// Seeded studies and measurements of restive.
#[derive(Debug, Parser)]
struct CommandLine {
    #[command(subcommand)]
    study: Study,
}

/// A study.
#[derive(Debug, Subcommand)]
enum Study {
    /// Checks requests made from real documents against the documents' own schemas.
    Validity(validity::Args),
}

fn main() -> anyhow::Result<()> {
    match CommandLine::parse().study {
        Study::Validity(args) => validity::run(&args),
    }
}
