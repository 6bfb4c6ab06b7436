//! Running actions against the service: the process, the calls, the credentials, the limits.
//!
//! [`Client`] sends calls, [`Sut`] controls the service's process, [`Users`] logs in, [`Resetter`] brings the service
//! back to its first state. What answers mean is told by [`crate::oracle`].

mod auth;
mod client;
mod credentials;
mod error;
mod evaluate;
mod growth;
mod inquest;
mod kept;
mod rate;
pub mod reached;
mod reset;
mod service;
mod settings;
mod stop;
mod sut;
#[cfg(test)]
pub(crate) mod test_server;
mod tls;

pub use auth::Users;
pub use client::Client;
#[cfg(test)]
pub(crate) use client::{Call, CallTarget};
pub use credentials::Credentials;
pub use error::Error;
pub use evaluate::{RestEvaluator, SentAgain};
pub use inquest::Inquest;
pub use kept::Kept;
pub use reset::Resetter;
pub use service::{Revival, Service};
pub use settings::{AuthFile, AuthSettings, HttpSettings, Ready, Reset, ResetSettings, SutSettings};
pub use stop::Stop;
pub(crate) use sut::crash;
pub use sut::{Killer, Sut, compiling_quickly};
pub use tls::{BAD_REQUEST, wants_tls};
