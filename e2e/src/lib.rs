//! What the end-to-end tests share: the built binary, the services it is pointed at, and the suites it writes.
//!
//! A test starts a service ([`services`]), or builds one that restive starts ([`apps`]), runs [`Restive`], reads
//! [`Results`] and executes the written suites ([`suites`]). Everything that has to be installed goes below
//! `target/e2e/`, once, under a file lock ([`install`]); a missing toolchain is printed as `SKIPPED` and fails where the
//! variable `CI` is `true` ([`toolchain`]). Nothing here judges: expectations stand in the tests.

pub mod apps;
pub mod doors;
pub mod http;
pub mod install;
pub mod large;
pub mod process;
mod restive;
mod results;
pub mod scripted;
pub mod services;
pub mod suites;
pub mod toolchain;
pub mod work;

pub use restive::{Restive, SEEDS, binary};
pub use results::{FoundFault, Results};
