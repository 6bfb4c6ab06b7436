//! `restive fuzz`: the whole chain from a schema to suite and report.
//!
//! [`prepare`] makes everything ready and fails early, [`Campaign::run`] searches, and whatever was found is written
//! however the search ended.

mod attach;
mod campaign;
mod changed;
mod discover;
mod find_base;
mod find_schema;
mod observe;
mod outcome;
mod prepare;

pub use campaign::Campaign;
pub(super) use find_schema::urls as schema_urls;

use crate::report::{Baseline, StoredError};

use super::{CliError, Exit, Interrupt, OutputFolder, Settings};

/// Runs the whole chain with `settings`.
pub fn run(settings: &Settings) -> Result<Exit, CliError> {
    // Before its folder is moved aside where both are the same.
    let baseline = settings.output.baseline.as_deref().map(Baseline::read).transpose().map_err(|error| no_baseline(&error))?;
    let folder = OutputFolder::prepare(&settings.output, settings.resumed.is_some())?;
    let interrupt = Interrupt::watch()?;
    let prepared = prepare::prepare(settings, folder, &interrupt);
    // Whatever went wrong after that went wrong because of it.
    if interrupt.stop().is_requested() {
        return Err(Interrupt::stopped_early());
    }
    let campaign = prepared?;
    interrupt.search_begins();
    campaign.run(baseline)
}

fn no_baseline(error: &StoredError) -> CliError {
    let hint = match error {
        StoredError::NoFolder { .. } | StoredError::NoResults { .. } => {
            "name the output folder of an earlier run with `--baseline DIR`; a first run goes without"
        }
        _ => error.hint(),
    };
    CliError::from_error(Exit::Usage, error).hint(hint)
}
