//! Running actions against the service: the process, the calls, the credentials, the limits.

mod settings;

pub use settings::{AuthSettings, HttpSettings, Ready, Reset, ResetSettings, SutSettings};
