//! Folders below `target/e2e/`: the work folder of each test, kept when the test fails.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};

/// The folder that cargo builds into, found from the place of the running binary.
///
/// # Panics
/// When the running binary lies in no such folder, which cargo marks with a `CACHEDIR.TAG`.
pub fn target_folder() -> PathBuf {
    let exe = std::env::current_exe().expect("the running binary has a path");
    let target = exe.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    let Some(target) = target else {
        panic!(
            "`{}` lies in no folder that cargo builds into (none above it has a CACHEDIR.TAG): run it from there",
            exe.display()
        )
    };
    target.to_path_buf()
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
///
/// # Errors
/// When another test of this process has a folder of that name at the time, and those of the body.
pub fn in_work_folder(name: &str, body: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let _held = Held::new(name)?;
    let folder = e2e_folder()?.join("work").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    eprintln!("work folder: {} (kept when the test fails)", folder.display());
    body(&folder)?;
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove `{}`", folder.display()))
}

/// The name of a work folder that is in use.
struct Held(String);

static HELD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

impl Held {
    fn new(name: &str) -> Result<Self> {
        ensure!(names_held().insert(name.to_owned()), "another test is at work in the folder `{name}`: rename one of the two");
        Ok(Self(name.to_owned()))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        names_held().remove(&self.0);
    }
}

/// A test that panics leaves the set as it should be.
fn names_held() -> MutexGuard<'static, BTreeSet<String>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What differs between two folders: paths that only one of them has, and files with different content.
pub fn differences(first: &Path, second: &Path) -> Result<Vec<String>> {
    let (left, right) = (files(first)?, files(second)?);
    ensure!(!left.is_empty(), "`{}` has no files", first.display());
    let differs = |file: &&PathBuf| {
        let same_bytes = || Some(fs::read(first.join(file)).ok()? == fs::read(second.join(file)).ok()?);
        !left.contains(*file) || !right.contains(*file) || same_bytes() != Some(true)
    };
    Ok(left.union(&right).filter(differs).map(|file| file.display().to_string()).collect())
}

/// The files below a folder whose content has that text.
pub fn files_with(folder: &Path, text: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for file in files(folder)? {
        let bytes = fs::read(folder.join(&file))?;
        if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
            found.push(file.display().to_string());
        }
    }
    Ok(found)
}

/// All files below a folder, by their paths inside it.
pub fn files(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))? {
        let entry = entry?;
        let name = PathBuf::from(entry.file_name());
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?.into_iter().map(|file| name.join(file)));
        } else {
            found.insert(name);
        }
    }
    Ok(found)
}

/// Copies a folder with all below it.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_tests_work_in_one_folder() -> Result<()> {
        in_work_folder("work-held", |folder| {
            let second = in_work_folder("work-held", |_| Ok(())).expect_err("its first user is at work still");
            assert!(second.to_string().contains("`work-held`"), "{second}");
            ensure!(folder.exists(), "the second one emptied the folder of the first");
            Ok(())
        })?;
        in_work_folder("work-held", |_| Ok(()))
    }

    #[test]
    fn folders_are_compared_by_names_and_bytes() -> Result<()> {
        in_work_folder("work-differences", |folder| {
            for (file, content) in [("a/same", "1"), ("b/same", "1"), ("a/in/other", "1"), ("b/in/other", "2"), ("b/new", "")] {
                let file = folder.join(file);
                fs::create_dir_all(file.ancestors().nth(1).expect("a file lies in a folder"))?;
                fs::write(file, content)?;
            }
            assert_eq!(differences(&folder.join("a"), &folder.join("b"))?, ["in/other", "new"]);
            assert_eq!(files_with(&folder.join("b"), "2")?, ["in/other"]);
            Ok(())
        })
    }
}
