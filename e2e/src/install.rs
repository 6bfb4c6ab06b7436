//! Things that are installed once below `target/e2e/` and used by all tests, also by test binaries that run at once.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::work::e2e_folder;

/// The folder `target/e2e/<name>`, filled by `fill` unless an earlier run did so for the same `version`.
///
/// A file lock keeps others out meanwhile; a fill that failed or broke off is thrown away and made again.
pub fn once(name: &str, version: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let parent = e2e_folder()?;
    let lock = File::create(parent.join(format!("{name}.lock")))?;
    lock.lock().with_context(|| format!("cannot lock the installation of {name}"))?;
    let folder = parent.join(name);
    let marker = folder.join(".installed");
    if fs::read_to_string(&marker).is_ok_and(|installed| installed == version) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    eprintln!("installing {name} into {}", folder.display());
    fill(&folder).with_context(|| format!("cannot install {name}"))?;
    fs::write(marker, version)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use anyhow::bail;

    use super::*;

    #[test]
    fn a_filled_folder_is_used_again_until_the_version_changes() -> Result<()> {
        let name = "install-test";
        let fills = Cell::new(0);
        let fill = |_: &Path| {
            fills.set(fills.get() + 1);
            Ok(())
        };
        assert!(once(name, "0", |_| bail!("broken")).is_err());
        for version in ["1", "1", "2"] {
            once(name, version, fill)?;
        }
        assert_eq!(fills.get(), 2);
        fs::remove_dir_all(once(name, "2", fill)?)?;
        Ok(())
    }
}
