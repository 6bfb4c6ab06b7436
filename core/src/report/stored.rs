//! Files of a run that ended, read again: `results.json`, `explain.json`, `suite/tests.json`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::RESULTS_FILE;

/// An output folder without a file that can be read.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// There is no such folder.
    #[error("there is no folder `{}`", path.display())]
    NoFolder {
        /// Its path.
        path: PathBuf,
    },
    /// It holds no results.
    #[error("`{}` holds no results of restive: there is no `{RESULTS_FILE}`", path.display())]
    NoResults {
        /// The folder.
        path: PathBuf,
    },
    /// It holds results without this file.
    #[error("`{}` is missing beside `{RESULTS_FILE}`", path.display())]
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
    /// It is cut off or something else.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// Another restive wrote it.
    #[error("`{}` has format version {found}, wanted {wanted}; restive {written_by} wrote it", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
        /// The version that is understood.
        wanted: u32,
        /// Version of restive that wrote it, as it says.
        written_by: String,
    },
}

impl StoredError {
    /// What is told of the file `name` below `folder` that holds something else than it should.
    pub fn damaged(folder: &Path, name: &str, reason: impl Into<String>) -> Self {
        Self::Damaged { path: folder.join(name), reason: reason.into() }
    }

    /// The next step.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoFolder { .. } => "name the folder that `restive fuzz --out DIR` wrote, `out` by default",
            Self::NoResults { .. } => {
                "name the folder that `restive fuzz --out DIR` wrote; a run writes its results when it ends or is stopped"
            }
            Self::Missing { .. } => {
                "run again, without `--suite=false`; the same `--rng-seed` and budget give the same results"
            }
            Self::OtherVersion { .. } => "use the restive that wrote it, or run again with this one and the same `--rng-seed`",
            Self::Disk { .. } => "see to it that you may read the folder and its files",
            Self::Damaged { .. } => "run again with the same `--rng-seed` to have it anew",
        }
    }
}

/// The content of the file `name` in the output folder `folder`, which has to be of this format version.
///
/// # Errors
/// When there is none, it is something else, or another version wrote it.
pub fn read_stored(folder: &Path, name: &str, wanted: u32) -> Result<Value, StoredError> {
    if !folder.is_dir() {
        return Err(StoredError::NoFolder { path: folder.to_owned() });
    }
    let path = folder.join(name);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let has_results = name != RESULTS_FILE && folder.join(RESULTS_FILE).exists();
            return Err(if has_results {
                StoredError::Missing { path }
            } else {
                StoredError::NoResults { path: folder.to_owned() }
            });
        }
        Err(source) => return Err(StoredError::Disk { path, source }),
    };
    let damaged = |reason: &str| StoredError::damaged(folder, name, reason);
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| damaged(&error.to_string()))?;
    let version = value.get("format_version").ok_or_else(|| damaged("it has no `format_version`"))?;
    if version.as_u64() != Some(u64::from(wanted)) {
        let written_by = value["restive_version"].as_str().unwrap_or("of an unknown version").to_owned();
        return Err(StoredError::OtherVersion { path, found: version.to_string(), wanted, written_by });
    }
    Ok(value)
}
