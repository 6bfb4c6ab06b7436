//! Studies and measurements of restive, one subcommand each.

mod corpus;
mod validity;

use clap::{Parser, Subcommand};

/// Studies and measurements of restive.
#[derive(Debug, Parser)]
struct CommandLine {
    #[command(subcommand)]
    study: Study,
}

/// A study.
#[derive(Debug, Subcommand)]
enum Study {
    /// Loads every OpenAPI and Swagger document below folders and counts what is understood
    Corpus(corpus::CorpusArguments),
    /// Checks requests made from real documents against the documents' own schemas
    Validity(validity::Args),
}

fn main() -> anyhow::Result<()> {
    match CommandLine::parse().study {
        Study::Corpus(arguments) => corpus::run(&arguments),
        Study::Validity(args) => validity::run(&args),
    }
}
