//! Writes the result files so that a full disk or a crash never leaves half a file in place of a whole one.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Results, Run, RunStatistics, Sources, SuiteFile, code_quality, har, junit, library_calls, sarif, wfc};

/// Begin of the names of files that are not finished yet.
pub const TEMPORARY: &str = ".restive-";

/// Name of the file everything else is made from.
pub const RESULTS_FILE: &str = "results.json";

/// Name of the Web Fuzzing Commons report.
pub const REPORT_FILE: &str = "report.json";

/// Name of the file with what came of each library call, written on demand.
pub const LIBRARY_CALLS_FILE: &str = "debug/library-calls.txt";

/// Name of the document completed by what the run found beyond it.
pub const SCHEMA_FILE: &str = "schema/completed.json";

/// Name of the findings in SARIF.
pub const SARIF_FILE: &str = "results.sarif";

/// Name of the run as a test report.
pub const JUNIT_FILE: &str = "junit.xml";

/// Name of the findings as GitLab reads them.
pub const CODE_QUALITY_FILE: &str = "code-quality.json";

/// Name of the page about the run.
pub const HTML_FILE: &str = "report.html";

/// Name of the suite's calls as an HTTP archive.
pub const HAR_FILE: &str = "suite.har";

/// A result file that could not be written; what was there before is still there.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// No space is left.
    #[error("the disk is full: cannot write `{}`", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Anything else.
    #[error("cannot write `{}`", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl WriteError {
    /// What is told of `path`, where `source` is in the way.
    pub fn new(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::Disk { path, source },
        }
    }

    /// The next step.
    pub fn hint(&self) -> String {
        match self {
            Self::DiskFull { .. } => {
                "free some space and run again with the same `--rng-seed`; what was printed holds every finding".to_owned()
            }
            Self::Disk { .. } => "choose a folder that you may write to with `--out DIR`".to_owned(),
        }
    }
}

/// Writes `results.json` and `report.json` below `folder`, which exists; `suite_files` are those of the written suite, and
/// `now` is the time of the report. On an error the file of that name is as it was before.
pub fn write(results: &Results, suite_files: &[SuiteFile], folder: &Path, now: SystemTime) -> Result<(), WriteError> {
    write_file(&folder.join(RESULTS_FILE), results.to_json().as_bytes())?;
    write_file(&folder.join(REPORT_FILE), wfc::report(results, suite_files, now).as_bytes())
}

/// Writes the findings of `results` in SARIF below `folder`, which exists.
pub fn write_sarif(results: &Results, sources: &Sources, folder: &Path) -> Result<(), WriteError> {
    write_file(&folder.join(SARIF_FILE), sarif::sarif(results, sources).as_bytes())
}

/// Writes `results` as a test report below `folder`, which exists.
pub fn write_junit(results: &Results, folder: &Path) -> Result<(), WriteError> {
    write_file(&folder.join(JUNIT_FILE), junit::junit(results).as_bytes())
}

/// Writes the findings of `results` as GitLab reads them below `folder`, which exists.
pub fn write_code_quality(results: &Results, sources: &Sources, folder: &Path) -> Result<(), WriteError> {
    write_file(&folder.join(CODE_QUALITY_FILE), code_quality::code_quality(results, sources).as_bytes())
}

/// Writes the calls of the suite of `run` as an HTTP archive below `folder`, which exists; `now` is when the last one ends.
pub fn write_har(run: &Run, folder: &Path, now: SystemTime) -> Result<(), WriteError> {
    write_file(&folder.join(HAR_FILE), har::har(run, now).as_bytes())
}

/// Writes what came of each library call below `folder`, which exists.
pub fn write_library_calls(statistics: &RunStatistics, folder: &Path) -> Result<(), WriteError> {
    let path = folder.join(LIBRARY_CALLS_FILE);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(|error| WriteError::new(parent, error))?;
    write_file(&path, library_calls::text(statistics.coverage.as_ref()).as_bytes())
}

/// Writes a completed document below `folder`, which exists.
pub fn write_schema(document: &serde_json::Value, folder: &Path) -> Result<(), WriteError> {
    let path = folder.join(SCHEMA_FILE);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(|error| WriteError::new(parent, error))?;
    write_file(&path, format!("{document:#}\n").as_bytes())
}

/// Writes a whole file beside `path` and then puts it in its place.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!("{TEMPORARY}{name}"));
    let written = write_and_sync(&unfinished, content).and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|error| {
        // Nothing more can be done about a rest that cannot be removed.
        let _ = fs::remove_file(&unfinished);
        WriteError::new(path, error)
    })
}

fn write_and_sync(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    // Some file systems notice a full disk only here.
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::SystemTime;

    use super::{Results, WriteError, write, write_file};
    use crate::report::fixture::Parts;

    #[test]
    fn both_files_are_written_and_nothing_else_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let parts = Parts::new();
        let results = Results::from_run(&parts.run());
        write(&results, &parts.suite_files, folder.path(), SystemTime::UNIX_EPOCH).expect("written");
        let text = fs::read_to_string(folder.path().join("results.json")).expect("a file");
        assert_eq!(text, results.to_json());
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        assert_eq!(names, ["report.json", "results.json"]);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_earlier_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.json");
        write_file(&path, b"first").expect("written");
        // A folder in the place of the unfinished file makes writing it fail.
        fs::create_dir(folder.path().join(".restive-results.json")).expect("made");
        let error = write_file(&path, b"second").expect_err("it cannot be made");
        assert!(error.to_string().contains("results.json"));
        assert_eq!(fs::read(&path).expect("still there"), b"first");
    }

    #[test]
    fn a_full_disk_is_named_as_such() {
        // Every write to this device fails as on a full disk.
        let full = Path::new("/dev/full");
        if !full.exists() {
            println!("skipped: this system has no /dev/full");
            return;
        }
        let error = super::write_and_sync(full, b"x").expect_err("nothing fits");
        let error = WriteError::new(Path::new("out/results.json"), error);
        assert_eq!(error.to_string(), "the disk is full: cannot write `out/results.json`");
        assert!(error.hint().contains("--rng-seed"));
    }
}
