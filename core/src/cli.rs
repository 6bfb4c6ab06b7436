//! The command line: parse, join with `restive.toml`, call the command, end with an exit code.
//!
//! [`run`] is the entry point. Everything that can be set is declared once in [`sections`], joined in [`Settings`];
//! the commands themselves stand in a file each.

pub mod args;
mod config;
mod error;
mod exit;
mod layers;
mod nearest;
mod pair;
mod quantity;
pub mod sections;
mod settings;
mod source;

pub use config::{Config, ConfigError};
pub use error::{CliError, with_causes};
pub use exit::Exit;
pub use layers::MASK;
pub use pair::{CommandLine, HeaderField, PairError, Variable};
pub use quantity::{BudgetText, QuantityError, Size, Time};
pub use sections::SuiteFormat;
pub use settings::{DemoSettings, OperationSettings, OutputSettings, Settings};
pub use source::{BaseUrl, BaseUrlError, BaseUrlSources, SchemaSource};
