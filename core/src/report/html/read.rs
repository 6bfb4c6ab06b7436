//! Reads `results.json` of a run that ended.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::report::RESULTS_FILE;
use crate::report::results::FORMAT_VERSION;

/// A folder without results that a page can be made from.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// There is no such file.
    #[error("there is no `{}`", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The disk says no.
    #[error("cannot read `{}`", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is cut off, or something else.
    #[error("`{}` holds no results of restive: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// Another restive wrote it.
    #[error("`{}` has format version {found}, wanted {FORMAT_VERSION}; restive {written_by} wrote it", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
        /// Version of restive that wrote it, as it says.
        written_by: String,
    },
}

impl StoredError {
    /// The next step.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => {
                "name the folder that `restive fuzz --out DIR` wrote; a run writes its results when it ends or is stopped"
            }
            Self::Disk { .. } => "see to it that you may read the folder and its files",
            Self::Damaged { .. } => "run again with the same `--rng-seed` to have it anew",
            Self::OtherVersion { .. } => "ask the restive that wrote the results, or run again with this one",
        }
    }
}

/// The content of `results.json` in the output folder `folder`.
///
/// # Errors
/// When there is none, it is something else, or another version wrote it.
pub fn read_results(folder: &Path) -> Result<Value, StoredError> {
    let path = folder.join(RESULTS_FILE);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(StoredError::Missing { path }),
        Err(source) => return Err(StoredError::Disk { path, source }),
    };
    let damaged = |reason: String| StoredError::Damaged { path: path.clone(), reason };
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    let version = value.get("format_version").ok_or_else(|| damaged("it has no `format_version`".to_owned()))?;
    if version.as_u64() != Some(u64::from(FORMAT_VERSION)) {
        let written_by = value["restive_version"].as_str().unwrap_or("of an unknown version").to_owned();
        return Err(StoredError::OtherVersion { path, found: version.to_string(), written_by });
    }
    for field in ["operations", "findings", "tests", "curve"] {
        if !value[field].is_array() {
            return Err(damaged(format!("it has no list `{field}`")));
        }
    }
    if !value["run"].is_object() {
        return Err(damaged("it has no `run`".to_owned()));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{StoredError, read_results};
    use crate::report::Results;
    use crate::report::fixture::Parts;

    #[test]
    fn what_was_written_is_read_and_anything_else_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(read_results(folder.path()), Err(StoredError::Missing { .. })));
        let path = folder.path().join("results.json");
        let text = Results::from_run(&Parts::new().run()).to_json();
        fs::write(&path, &text).expect("written");
        assert_eq!(read_results(folder.path()).expect("results")["run"]["calls"], 2000);
        for odd in [&text[..text.len() / 2], "[]", "{}", r#"{"format_version": 1}"#, "\u{0}"] {
            fs::write(&path, odd).expect("written");
            let error = read_results(folder.path()).expect_err("no results");
            assert!(matches!(error, StoredError::Damaged { .. }) && !error.hint().is_empty(), "{error}");
        }
        fs::write(&path, r#"{"format_version": 7, "restive_version": "9.1"}"#).expect("written");
        let error = read_results(folder.path()).expect_err("another version").to_string();
        assert!(error.ends_with("has format version 7, wanted 1; restive 9.1 wrote it"), "{error}");
    }
}
