//! Studies and measurements of restive, one subcommand each.

mod corpus;

use clap::{Parser, Subcommand};

/// Studies and measurements of restive.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Subcommand)]
enum Study {
    /// Loads every OpenAPI and Swagger document below folders and counts what is understood
    Corpus(corpus::CorpusArguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().study {
        Study::Corpus(arguments) => corpus::run(&arguments),
    }
}
