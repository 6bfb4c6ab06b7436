//! A folder of the service's own that is empty at each start: what it writes there does not outlast a start.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

use crate::exec::Error;

/// A temporary folder, removed when dropped.
#[derive(Debug)]
pub(super) struct FreshFolder(TempDir);

impl FreshFolder {
    /// An empty one.
    pub fn make() -> Result<Self, Error> {
        tempfile::Builder::new().prefix("restive-sut-").tempdir().map(Self).map_err(Error::FreshFolder)
    }

    /// Where it is; the same for all starts, for services name it in their answers.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Removes what is in it.
    pub fn empty(&self) -> Result<(), Error> {
        remove_below(self.path()).map_err(Error::FreshFolder)
    }
}

fn remove_below(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A link is removed, not what it leads to.
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
