//! restive finds faults in a REST service and writes the tests that show them.
//!
//! A run in six hops: [`openapi`] loads a schema into [`api`] operations, [`action`] makes call templates with
//! [`gene`]s, [`search`] evolves them by what [`exec`] and [`oracle`] report, and a finished solution goes to
//! [`suite`] and [`report`]; [`explain`] tells afterwards why it is as it is, and
//! [`replay`] asks a service whether it still is; [`keeper`] has a service ready for others. [`cli`] ties them together.

pub mod action;
pub mod agent;
pub mod api;
pub mod changes;
pub mod cli;
pub mod driver;
pub mod exec;
pub mod explain;
mod failure;
pub mod gene;
pub mod jar;
pub mod journal;
pub mod keeper;
pub mod openapi;
pub mod oracle;
pub mod random;
pub mod replay;
pub mod report;
pub mod search;
pub mod suite;
