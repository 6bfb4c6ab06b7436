//! `restive fuzz`.

use super::{CliError, Exit, Settings};

/// Runs the whole chain with `settings`.
pub fn run(settings: &Settings) -> Result<Exit, CliError> {
    let _ = settings;
    Err(CliError::environment("`restive fuzz` is not part of this build"))
}
