//! `restive explain`: why a target of a run that ended was reached or not.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use crate::explain::{Unknown, ask, read, text};
use crate::report::Style;

use super::{CliError, Exit, print};

/// Flags of `restive explain`.
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// Output folder of a run
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// Target, a part of one, `Class:line`, operation (`GET /x`) or test [default: an overview of the nearest]
    #[arg(value_name = "TARGET")]
    pub target: Option<String>,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// Reads what the run left and prints the answer to standard output.
///
/// # Panics
/// Never: answers have text keys and finite numbers.
pub fn explain(args: &ExplainArgs) -> Result<Exit, CliError> {
    let record = read(&args.out)?;
    let answer = ask(&record, args.target.as_deref())?;
    if args.json {
        let json = serde_json::to_string_pretty(&answer).expect("answers have text keys and finite numbers");
        return print(&format!("{json}\n"));
    }
    let style = Style::for_terminal(std::io::stdout().is_terminal());
    print(&text(&answer, &args.out.display().to_string(), style))
}

impl From<Unknown> for CliError {
    fn from(error: Unknown) -> Self {
        Self::from_error(Exit::Usage, &error).hint(error.hint())
    }
}
