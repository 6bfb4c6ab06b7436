//! Rules that notice wrong behaviour, and the findings they make.

mod finding;

pub use finding::{Confirmation, Fault, FaultCode, Finding};
