//! `restive fuzz`: the whole chain from a schema to suite and report.
//!
//! [`Plan`] reads what files tell, [`prepare`] makes everything ready, both so that mistakes show early; [`Campaign::run`]
//! searches, and whatever was found is written however the search ended.

mod attach;
mod campaign;
mod changed;
mod discover;
mod fetch;
mod find_base;
mod find_schema;
mod interface;
mod observe;
mod outcome;
mod plan;
mod prepare;
mod ready;
mod watched;

pub use campaign::Campaign;
pub(super) use find_schema::urls as schema_urls;

use crate::report::{Baseline, StoredError};

use super::{CliError, Exit, Interrupt, OutputFolder, Settings, tell};
use plan::Plan;

/// Runs the whole chain with `settings`.
pub fn run(settings: &Settings) -> Result<Exit, CliError> {
    // Before its folder is moved aside where both are the same.
    let baseline = settings.output.baseline.as_deref().map(Baseline::read).transpose().map_err(|error| no_baseline(&error))?;
    let interrupt = Interrupt::watch()?;
    let prepared = prepared(settings, &interrupt);
    // Whatever went wrong after that went wrong because of it.
    if interrupt.stop().is_requested() {
        return Err(Interrupt::stopped_early());
    }
    let campaign = prepared?;
    interrupt.search_begins();
    campaign.run(baseline)
}

/// Everything a search needs. Earlier results give way only once no file is wrong.
fn prepared<'a>(settings: &'a Settings, interrupt: &Interrupt) -> Result<Campaign<'a>, CliError> {
    let plan = Plan::read(settings, interrupt)?;
    let folder = OutputFolder::prepare(&settings.output, settings.resumed.is_some())?;
    let previous = folder.previous.clone();
    prepare::prepare(settings, plan, folder, interrupt).inspect_err(|_| {
        if let Some(previous) = previous {
            tell(&format!("the earlier results are in `{}` now\n", previous.display()));
        }
    })
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
