//! `restive schema infer`: the document of a service, completed by what a short run on it found out.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};

use crate::report::{SCHEMA_FILE, write_file};
use crate::search::Budget;

use super::args::FuzzArgs;
use super::{BudgetText, CliError, Config, Exit, Settings, bug, fuzz, print, tell};

/// What a run spends on finding out what the service reads.
const BUDGET: BudgetText = BudgetText(Budget::Calls(1_000));

/// Flags of `restive schema infer`.
#[derive(Debug, Default, Args)]
pub struct SchemaInferArgs {
    /// Where the document goes [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Those of `restive fuzz`, with `--discover`, no suite and a budget of 1,000 calls unless said otherwise.
    #[command(flatten)]
    pub fuzz: FuzzArgs,
}

/// Runs, and prints or writes the document. Findings are no failure here.
pub fn infer(args: SchemaInferArgs, matches: &ArgMatches) -> Result<Exit, CliError> {
    let SchemaInferArgs { write, mut fuzz } = args;
    if fuzz.resume.is_some() {
        let error = CliError::usage("`--resume` goes on with a run of `restive fuzz`");
        return Err(error.hint("`restive fuzz --resume DIR` writes `schema/completed.json` as well"));
    }
    let config = Config::load(fuzz.config.as_deref())?;
    let show = fuzz.show_config;
    fuzz.driver.discover.get_or_insert(true);
    fuzz.output.suite.get_or_insert(false);
    fuzz.search.budget.get_or_insert(BUDGET);
    // Without a folder for them nobody wants the other results.
    let passing = fuzz.output.out.is_none().then(|| std::env::temp_dir().join(format!("restive-infer-{}", std::process::id())));
    if let Some(folder) = &passing {
        fuzz.output.out = Some(folder.clone());
    }
    let mut settings = Settings::resolve(fuzz, &config, matches)?;
    if show {
        return print(&settings.as_toml);
    }
    settings.output.schema = true;
    settings.output.reports.clear();
    settings.output.max_journal = 0;
    bug::remember_seed(settings.search.rng_seed);
    let ended = fuzz::run(&settings);
    let document = fs::read_to_string(settings.output.folder.join(SCHEMA_FILE));
    // Where a run failed, its logs in there say why.
    let exit = ended?;
    if let Some(folder) = passing {
        // Nobody asked for it; what cannot be removed does no harm.
        let _ = fs::remove_dir_all(folder);
    }
    if exit == Exit::Findings {
        tell("faults were found on the way: `restive fuzz` shows them\n");
    }
    let document = document.map_err(|error| CliError::environment(format!("the document cannot be read again: {error}")))?;
    give(&document, write.as_deref())?;
    Ok(if exit == Exit::Findings { Exit::Clean } else { exit })
}

/// Writes the document where its user wants it.
fn give(document: &str, path: Option<&Path>) -> Result<(), CliError> {
    let Some(path) = path else { return print(document).map(drop) };
    write_file(path, document.as_bytes()).map_err(|error| {
        CliError::from_error(Exit::Environment, &error).hint("name a file in a folder that you may write to with `--write`")
    })?;
    tell(&format!("wrote {}\n", path.display()));
    Ok(())
}
