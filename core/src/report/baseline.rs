//! An earlier run that findings are compared with, so that only new ones fail a build.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::results::{FORMAT_VERSION, FindingResult, Results};
use super::stored::{StoredError, read_stored};
use super::write::RESULTS_FILE;

/// Findings of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// Its output folder.
    folder: PathBuf,
    findings: BTreeMap<String, KnownFinding>,
}

/// A finding of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownFinding {
    /// The same in both runs.
    pub id: String,
    /// `VERB /path`.
    pub operation: String,
    /// The category in words.
    pub title: String,
}

/// How a run compares with an earlier one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct BaselineResult {
    /// Output folder of the earlier run.
    pub folder: String,
    /// Findings that it has not.
    pub new: usize,
    /// Findings that it has, too.
    pub known: usize,
    /// Findings of it that did not show, though their operation was called.
    pub gone: Vec<KnownFinding>,
}

impl Baseline {
    /// The findings that the run with this output folder had.
    ///
    /// # Errors
    /// When it has no results, or they are damaged or of another version.
    pub fn read(folder: &Path) -> Result<Self, StoredError> {
        let mut results = read_stored(folder, RESULTS_FILE, FORMAT_VERSION)?;
        let findings: Vec<KnownFinding> = serde_json::from_value(results["findings"].take())
            .map_err(|error| StoredError::damaged(folder, RESULTS_FILE, error.to_string()))?;
        let findings = findings.into_iter().map(|finding| (finding.id.clone(), finding)).collect();
        Ok(Self { folder: folder.to_owned(), findings })
    }

    /// Says of each finding of `results` whether it is known, new ones first, and of those that are which do not show any more.
    pub fn compare(&self, results: &mut Results) {
        for finding in &mut results.findings {
            finding.known = Some(self.findings.contains_key(&finding.id));
        }
        FindingResult::put_most_telling_first(&mut results.findings);
        let known = results.findings.iter().filter(|finding| finding.known == Some(true)).count();
        let shown: BTreeSet<&str> = results.findings.iter().map(|finding| finding.id.as_str()).collect();
        let called = results.operations.iter().filter(|operation| !operation.statuses.is_empty());
        let called: BTreeSet<&str> = called.map(|operation| operation.id.as_str()).collect();
        let is_gone = |known: &&KnownFinding| !shown.contains(known.id.as_str()) && called.contains(known.operation.as_str());
        results.run.baseline = Some(BaselineResult {
            folder: self.folder.display().to_string(),
            new: results.findings.len() - known,
            known,
            gone: self.findings.values().filter(is_gone).cloned().collect(),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Baseline;
    use crate::report::fixture::Parts;
    use crate::report::{Results, StoredError};

    fn results(parts: &Parts) -> Results {
        Results::from_run(&parts.run())
    }

    #[test]
    fn findings_are_new_known_or_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut earlier = results(&Parts::new());
        earlier.findings.last_mut().expect("findings").id = "F100-gone".to_owned();
        fs::write(folder.path().join("results.json"), earlier.to_json()).expect("writable");
        let mut now = results(&Parts::new());
        Baseline::read(folder.path()).expect("results").compare(&mut now);
        let known: Vec<Option<bool>> = now.findings.iter().map(|finding| finding.known).collect();
        assert_eq!(known[0], Some(false), "new ones come first");
        assert!(known[1..].iter().all(|known| *known == Some(true)), "{known:?}");
        let compared = now.run.baseline.expect("compared");
        assert_eq!((compared.new, compared.known), (1, known.len() - 1));
        assert_eq!(compared.gone.iter().map(|gone| gone.id.as_str()).collect::<Vec<_>>(), ["F100-gone"]);
    }

    #[test]
    fn what_was_not_called_is_not_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("results.json"), results(&Parts::new()).to_json()).expect("writable");
        let mut now = results(&Parts::clean());
        now.operations.iter_mut().for_each(|operation| operation.statuses.clear());
        Baseline::read(folder.path()).expect("results").compare(&mut now);
        assert_eq!(now.run.baseline.expect("compared").gone, []);
    }

    #[test]
    fn foreign_and_half_written_folders_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = || Baseline::read(folder.path());
        assert!(matches!(read(), Err(StoredError::NoResults { .. })));
        let path = folder.path().join("results.json");
        for text in ["{\"format_version\": 1, \"find", "[]", "{}", "{\"format_version\": 1, \"findings\": [7]}"] {
            fs::write(&path, text).expect("writable");
            assert!(matches!(read(), Err(StoredError::Damaged { .. })), "{text}");
        }
        fs::write(&path, r#"{"format_version": 99, "findings": []}"#).expect("writable");
        assert!(matches!(read(), Err(StoredError::OtherVersion { .. })));
    }
}
