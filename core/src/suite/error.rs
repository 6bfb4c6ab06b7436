//! Why a suite could not be written.

use std::io;
use std::path::{Path, PathBuf};

/// Why a suite could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be written or removed.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A template of ours does not work: a bug.
    #[error("cannot fill the template `{name}`: {source}")]
    Template {
        /// Its name.
        name: String,
        /// What is wrong with it.
        source: minijinja::Error,
    },
}

impl Error {
    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }

    pub(super) fn template(name: &str, source: minijinja::Error) -> Self {
        Self::Template { name: name.to_owned(), source }
    }
}
