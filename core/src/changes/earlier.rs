//! Files as they were where the checkout branched off.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{ChangesError, git};

/// Files of a checkout as they were where it branched off a revision, side by side as they are there.
#[derive(Debug)]
pub struct EarlierFiles {
    folder: TempDir,
    root: PathBuf,
}

impl EarlierFiles {
    /// Those of `files` that the repository around `folder` had then; none when they all were what they are now.
    ///
    /// # Errors
    /// Without git, outside of a repository, when it does not know the revision, or when they cannot be written.
    pub fn of(folder: &Path, revision: &str, files: &[PathBuf]) -> Result<Option<Self>, ChangesError> {
        let root = git::root(folder)?;
        let root = root.canonicalize().unwrap_or(root);
        let base = git::base(&root, revision)?;
        let earlier = Self { folder: tempfile::tempdir()?, root };
        let mut has_changed = false;
        for file in files {
            let Some(path) = earlier.in_repository(file) else { continue };
            let then = git::content(&earlier.root, &base, &path);
            has_changed |= then.as_ref() != fs::read_to_string(file).ok().as_ref();
            if let Some(then) = then {
                let place = earlier.folder.path().join(path);
                fs::create_dir_all(place.parent().unwrap_or(earlier.folder.path()))?;
                fs::write(place, then)?;
            }
        }
        Ok(has_changed.then_some(earlier))
    }

    /// Where `file` lies as it was; none when it was not there.
    pub fn path(&self, file: &Path) -> Option<PathBuf> {
        let path = self.folder.path().join(self.in_repository(file)?);
        path.is_file().then_some(path)
    }

    /// The path of a file relative to the root of the repository.
    fn in_repository(&self, file: &Path) -> Option<PathBuf> {
        Some(file.canonicalize().ok()?.strip_prefix(&self.root).ok()?.to_owned())
    }
}
