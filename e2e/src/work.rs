//! Folders below `target/e2e/`: the work folder of each test, kept when the test fails.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The folder that cargo builds into, found from the place of the running test binary.
///
/// # Panics
/// When the running binary does not lie in `<target>/<profile>/deps/`, which is where cargo puts test binaries.
pub fn target_folder() -> PathBuf {
    let exe = std::env::current_exe().expect("the running binary has a path");
    exe.ancestors().nth(3).expect("test binaries lie in <target>/<profile>/deps").to_path_buf()
}

/// `target/e2e/`, created when missing.
pub fn e2e_folder() -> Result<PathBuf> {
    let folder = target_folder().join("e2e");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    Ok(folder)
}

/// Runs a test body in a fresh folder that is removed when the body succeeds.
///
/// After an error or a panic the folder stays, with the output and logs of the run, and its path is printed.
/// Names must be unique among tests that run at the same time.
pub fn in_work_folder(name: &str, body: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let folder = e2e_folder()?.join("work").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    eprintln!("work folder: {} (kept when the test fails)", folder.display());
    body(&folder)?;
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove `{}`", folder.display()))
}
