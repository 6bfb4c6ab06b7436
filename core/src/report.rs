//! What a run gave, as files and for the console; everything is made from [`Run`].

mod baseline;
mod code_quality;
mod curl;
mod finding_id;
#[cfg(test)]
pub(crate) mod fixture;
mod github;
mod har;
mod html;
mod junit;
mod library_calls;
pub mod results;
mod run;
mod sarif;
mod secret;
mod source_texts;
mod sources;
mod stored;
mod style;
mod summary;
mod wfc;
mod write;

pub use baseline::Baseline;
pub(crate) use curl::user_variables;
pub use curl::{CurlSettings, curl_line, curl_sequence, shell_word};
pub use finding_id::finding_ids;
pub use github::{annotations, job_summary};
pub use html::{PageSource, page, read_results};
pub use results::Results;
pub use run::{CurvePoint, EndedBy, Run, RunStatistics, Setting, SuiteFile, TestPlace, TouchedChanges};
pub use secret::{Mask, is_secret_name};
pub use source_texts::SourceTexts;
pub use sources::{SourceLine, Sources};
pub use stored::{StoredError, read_stored};
pub use style::{Style, count, grouped, printable, shortened};
pub use summary::{SummaryPlaces, summary};
pub use write::{
    CODE_QUALITY_FILE, HAR_FILE, HTML_FILE, JUNIT_FILE, LIBRARY_CALLS_FILE, REPORT_FILE, RESULTS_FILE, SARIF_FILE, SCHEMA_FILE,
    TEMPORARY, WriteError, write, write_code_quality, write_file, write_har, write_junit, write_library_calls, write_sarif,
    write_schema,
};
