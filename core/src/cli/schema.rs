//! `restive schema check`.

use super::args::SchemaCheckArgs;
use super::{CliError, Exit};

/// Says what of a schema is understood, what not and why.
pub fn check(args: &SchemaCheckArgs) -> Result<Exit, CliError> {
    let _ = args;
    Err(CliError::environment("`restive schema check` is not part of this build"))
}
