//! `restive demo`.

use super::args::DemoServiceArgs;
use super::{CliError, DemoSettings, Exit};

/// Runs the whole chain against the bundled service.
pub fn run(settings: &DemoSettings) -> Result<Exit, CliError> {
    let _ = settings;
    Err(CliError::environment("`restive demo` is not part of this build"))
}

/// Runs the bundled service until it is stopped.
pub fn serve(args: &DemoServiceArgs) -> Result<Exit, CliError> {
    let _ = args;
    Err(CliError::environment("`restive demo-service` is not part of this build"))
}
