//! The command line: one file per command, settings from flags, environment and `restive.toml`.

pub mod schema;
