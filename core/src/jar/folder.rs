//! Folders of classes, as builds leave them and class paths name them.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::archive::Entries;

/// How deep folders are looked into; packages are not deeper.
const DEEPEST: usize = 40;

/// Files below some folders, with names as in a jar.
pub(super) struct Folders {
    roots: Vec<PathBuf>,
    names: Vec<String>,
}

impl Folders {
    /// What lies below `roots`; of two files of one name the first counts, as for a JVM.
    pub(super) fn over(roots: Vec<PathBuf>) -> Self {
        let mut names = Vec::new();
        for root in &roots {
            list(root, "", 0, &mut names);
        }
        names.sort();
        names.dedup();
        Self { roots, names }
    }
}

/// Adds the names of all files below `folder`, each behind `above`.
fn list(folder: &Path, above: &str, depth: usize, names: &mut Vec<String>) {
    if depth > DEEPEST {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{above}{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => list(&entry.path(), &format!("{name}/"), depth + 1, names),
            Ok(_) => names.push(name),
            Err(_) => {}
        }
    }
}

impl Entries for Folders {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&mut self, name: &str, limit: u64) -> Option<Vec<u8>> {
        let file = self.roots.iter().find_map(|root| fs::File::open(root.join(name)).ok())?;
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= limit).then_some(bytes)
    }

    fn head(&mut self, name: &str, size: u64) -> Option<Vec<u8>> {
        let bytes = self.read(name, u64::MAX - 1)?;
        bytes.get(..usize::try_from(size).ok()?).map(<[u8]>::to_vec)
    }

    fn read_text(&mut self, name: &str) -> Option<String> {
        self.read(name, 1 << 20).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}
