//! What changed in the sources of a service since a revision, as its git repository tells.
//!
//! [`Changes::since`] is the entry. Files are known by the classes that they declare, for that is what drivers name.
//! [`EarlierFiles`] are what documents of the interface are compared with.

mod classes;
mod earlier;
mod git;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use earlier::EarlierFiles;
pub use git::ChangesError;

/// Files that are looked at; what is beyond them is only counted.
const MOST_FILES: usize = 5_000;

/// What changed since a revision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// The revision, as the user named it.
    pub since: String,
    /// Source files of classes that are there now, by path.
    pub files: Vec<ChangedFile>,
    /// Files that are no sources of classes, or are gone.
    pub others: usize,
    /// Operations (`VERB /path`) that a document in the repository has since, or describes otherwise.
    #[serde(default)]
    pub described: Vec<String>,
}

/// A source file that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFile {
    /// Relative to the root of the repository, with slashes.
    pub path: String,
    /// Top-level classes that it declares, with their packages.
    pub classes: BTreeSet<String>,
    /// Lines that are new or were changed, counted from 1, in order; none where lines were only taken out.
    pub lines: Vec<RangeInclusive<u32>>,
}

impl Changes {
    /// What is different in the repository around `folder` from where it branched off `revision`, with what is not committed
    /// or not even added yet.
    ///
    /// # Errors
    /// Without git, outside of a repository, or when it does not know the revision.
    pub fn since(folder: &Path, revision: &str) -> Result<Self, ChangesError> {
        let root = git::root(folder)?;
        let mut changes = Self { since: revision.to_owned(), ..Self::default() };
        for (path, lines) in git::changed(&root, revision)? {
            let is_source = changes.files.len() < MOST_FILES && classes::is_source(&path);
            let text = if is_source { std::fs::read_to_string(root.join(&path)).ok() } else { None };
            match text {
                Some(text) => changes.files.push(ChangedFile { classes: classes::declared(&path, &text), path, lines }),
                None => changes.others += 1,
            }
        }
        changes.files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(changes)
    }

    /// All classes that changed files declare.
    pub fn classes(&self) -> BTreeSet<String> {
        self.files.iter().flat_map(|file| file.classes.iter().cloned()).collect()
    }
}

impl ChangedFile {
    /// Whether that line is new or was changed.
    pub fn changes(&self, line: u32) -> bool {
        self.lines.iter().any(|range| range.contains(&line))
    }
}

#[cfg(test)]
mod tests;
