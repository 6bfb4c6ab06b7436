//! What a run gave, as files and for the console; everything is made from [`Run`].

mod curl;
mod finding_id;
#[cfg(test)]
pub(crate) mod fixture;
mod library_calls;
pub mod results;
mod run;
mod secret;
mod style;
mod summary;
mod wfc;
mod write;

pub use curl::{CurlSettings, curl_line, curl_sequence, shell_word};
pub use finding_id::finding_ids;
pub use results::Results;
pub use run::{CurvePoint, EndedBy, Run, RunStatistics, Setting, SuiteFile, TestPlace};
pub use secret::{Mask, is_secret_name};
pub use style::{Style, count, grouped, printable, shortened};
pub use summary::{SummaryPlaces, summary};
pub use write::{LIBRARY_CALLS_FILE, REPORT_FILE, RESULTS_FILE, TEMPORARY, WriteError, write, write_file, write_library_calls};
