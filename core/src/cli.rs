//! The command line: parse, join with `restive.toml`, call the command, end with an exit code.
//!
//! [`run`] is the entry point. Everything that can be set is declared once in [`sections`] and joined in [`Settings`];
//! the commands themselves stand in a file each.

pub mod args;
pub mod bug;
mod config;
mod demo;
mod diff;
mod error;
mod exit;
pub mod explain;
mod fail_on;
mod filter;
mod fuzz;
mod infer;
mod init;
pub mod inspect;
mod interrupt;
mod jvm;
mod layers;
mod manual;
mod nearest;
mod out;
mod pair;
mod preset;
mod progress;
mod quantity;
pub mod render;
mod report;
mod resume;
pub mod schema;
pub mod sections;
mod settings;
mod settings_schema;
mod source;
mod variables;

pub use config::{Config, ConfigError};
pub use error::{CliError, with_causes};
pub use exit::Exit;
pub use fail_on::{FailOn, failing};
pub use filter::{FilterError, OperationFilter};
pub use interrupt::Interrupt;
pub use layers::MASK;
pub use nearest::nearest;
pub use out::{OutError, OutputFolder};
pub use pair::{CommandLine, HeaderField, PairError, Variable};
pub use preset::{Preset, TaintText};
pub use progress::{Progress, Snapshot};
pub use quantity::{BudgetText, QuantityError, Size, Time};
use report::made_page;
pub use sections::{ReportFormat, SuiteFormat};
pub use settings::{Attachment, DemoSettings, DriverSettings, JarSettings, OperationSettings, OutputSettings, Settings};
pub use source::{BaseUrl, BaseUrlError, BaseUrlSources, SchemaSource};

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write as _;
use std::time::Duration;

use crate::agent;
use crate::search::Budget;

use args::{CliCommand, DemoArgs, FuzzArgs, Parsed, SchemaCommand, SutCommand};

/// Budget of `restive demo`: with start, confirmation and writing it ends after half a minute.
const DEMO_BUDGET: BudgetText = BudgetText(Budget::Time(Duration::from_secs(20)));

/// Runs the command that `words` name (the program's name first) and says how the process ends.
///
/// Errors are printed to standard error; a panic is reported as a bug.
pub fn run(words: impl IntoIterator<Item = OsString>) -> Exit {
    bug::install();
    let words: Vec<OsString> = words.into_iter().collect();
    guarded(|| dispatch(words))
}

/// A panic is a bug of ours, whatever the command was doing.
fn guarded(work: impl FnOnce() -> Exit + std::panic::UnwindSafe) -> Exit {
    std::panic::catch_unwind(work).unwrap_or(Exit::Bug)
}

fn dispatch(words: Vec<OsString>) -> Exit {
    let parsed = match args::parse(words) {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version also arrive here; a closed stream is no reason to fail.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Clean };
        }
    };
    execute(parsed).unwrap_or_else(|error| {
        error.print();
        error.exit
    })
}

fn execute(parsed: Parsed) -> Result<Exit, CliError> {
    match parsed.cli.command {
        CliCommand::Fuzz(args) => run_fuzz(*args, &parsed.matches),
        CliCommand::Demo(args) => run_demo(*args, &parsed.matches),
        CliCommand::Schema { command: SchemaCommand::Check(args) } => run_schema_check(&args),
        CliCommand::Schema { command: SchemaCommand::Infer(args) } => infer::infer(*args, &parsed.matches),
        CliCommand::Sut { command: SutCommand::Inspect(args) } => inspect::inspect(&args),
        CliCommand::Explain(args) => explain::explain(&args),
        CliCommand::Render(args) => render::render(&args),
        CliCommand::Diff(args) => diff::diff(&args),
        CliCommand::Schema { command: SchemaCommand::Settings } => {
            print(&format!("{:#}\n", settings_schema::settings_schema()))
        }
        CliCommand::Init(args) => init::init(&args),
        CliCommand::Completions(args) => manual::completions(&args),
        CliCommand::Man(args) => manual::man(&args),
        CliCommand::Report(args) => report::report(&args),
        CliCommand::Agent => run_agent(),
        CliCommand::DemoService(args) => demo::serve(&args),
    }
}

fn run_fuzz(mut args: FuzzArgs, matches: &clap::ArgMatches) -> Result<Exit, CliError> {
    let show = args.show_config;
    let settings = if let Some(out) = args.resume.take() {
        resume::resumed(args, &out, matches)?
    } else {
        let config = Config::load(args.config.as_deref())?;
        Settings::resolve(args, &config, matches)?
    };
    if show {
        return print(&settings.as_toml);
    }
    // Sorted, for the environment has no order of its own.
    let names: BTreeSet<String> = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    for warning in variables::mistyped(names) {
        tell(&format!("warning: {warning}\n"));
    }
    bug::remember_seed(settings.search.rng_seed);
    fuzz::run(&settings)
}

fn run_demo(args: DemoArgs, matches: &clap::ArgMatches) -> Result<Exit, CliError> {
    let show = args.show_config;
    let settings = DemoSettings::resolve(args, DEMO_BUDGET, matches)?;
    if show {
        return print(&settings.as_toml);
    }
    bug::remember_seed(settings.search.rng_seed);
    demo::run(&settings)
}

fn run_schema_check(args: &schema::SchemaCheckArgs) -> Result<Exit, CliError> {
    Ok(match schema::check(args)? {
        schema::Understood::Fully => Exit::Clean,
        schema::Understood::Partly => Exit::Incomplete,
    })
}

fn run_agent() -> Result<Exit, CliError> {
    let path = agent::unpack().map_err(|error| CliError::from_error(Exit::Environment, &error).hint(error.hint()))?;
    print(&format!("{}\n", path.display()))
}

/// A document that cannot be used, as the user reads it.
fn schema_error(error: &crate::openapi::Error) -> CliError {
    CliError::from_error(Exit::Environment, error).hint(error.hint())
}

/// A jar that cannot be used, as the user reads it.
fn jar_error(error: &crate::jar::Error) -> CliError {
    CliError::from_error(Exit::Environment, error).hint(error.hint())
}

/// Writes to standard error; a closed one is no reason to fail.
pub fn tell(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Prints what was asked for to standard output; a reader that went away (`| head`) is no error.
pub fn print(text: &str) -> Result<Exit, CliError> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CliError::environment(format!("cannot write to standard output: {error}"))
                .hint("free some space where it is redirected to"))
        }
        _ => Ok(Exit::Clean),
    }
}

#[cfg(test)]
mod tests {
    use super::{Exit, guarded};

    #[test]
    fn a_panic_ends_with_the_code_of_bugs() {
        assert_eq!(guarded(|| panic!("expected by this test")), Exit::Bug);
        assert_eq!(guarded(|| Exit::Findings), Exit::Findings);
    }
}
