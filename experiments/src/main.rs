//! Studies and measurements of restive, one subcommand each.

mod classes;
mod connections;
mod corpus;
mod coverage;
mod memory;
mod oracle;
mod overhead;
mod study;
mod throughput;
mod validity;

use clap::{Parser, Subcommand};

/// Studies and measurements of restive.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Patches and instruments the classes of JDKs and jars, and links them
    Classes(classes::ClassesArguments),
    /// Counts the connections that restive opens to HTTP servers of the JVM, as they are and with the agent's changes
    Connections(connections::ConnectionsArguments),
    /// Loads every OpenAPI and Swagger document below folders and counts what is understood
    Corpus(corpus::CorpusArguments),
    /// Covers WireMock with restive or Schemathesis and measures its lines, branches and operations
    Coverage(coverage::CoverageArguments),
    /// Measures the memory of restive over a long run on the bundled service
    Memory(memory::MemoryArguments),
    /// Runs the unit tests of libraries with all classes measured, which must change no outcome
    Oracle(oracle::OracleArguments),
    /// Measures what the agent costs a jar: start-up, capacity, calls a second, processor time
    Overhead(overhead::OverheadArguments),
    /// Runs a study of many seeded runs, and makes tables and curves of it
    Study(study::StudyArguments),
    /// Measures how fast restive calls WireMock, next to a plain client with the same requests
    Throughput(throughput::ThroughputArguments),
    /// Checks values and requests made from documents against the documents' own schemas
    Validity(validity::ValidityArguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Classes(arguments) => classes::run(&arguments),
        Command::Connections(arguments) => connections::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::Coverage(arguments) => coverage::run(&arguments),
        Command::Memory(arguments) => memory::run(&arguments),
        Command::Oracle(arguments) => oracle::run(&arguments),
        Command::Overhead(arguments) => overhead::run(&arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Throughput(arguments) => throughput::run(&arguments),
        Command::Validity(arguments) => validity::run(&arguments),
    }
}
