//! Folders of classes, as builds leave them and class paths name them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::archive::Entries;
use super::constants;
use super::packages::{class_of, package_of};

/// Files that are looked at below a folder; more than a build makes.
const MOST_FILES: usize = 200_000;

/// The jars right in `folder`, by name; none where it cannot be read.
pub(super) fn jars_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut jars: Vec<PathBuf> = entries.filter(|file| file.extension().is_some_and(|end| end == "jar")).collect();
    jars.sort();
    jars
}

/// Files below some folders, with names as in a jar.
pub(super) struct Folders {
    roots: Vec<PathBuf>,
    names: Vec<String>,
}

impl Folders {
    /// What lies below `roots`; of two files of one name the first counts, as for a JVM.
    pub(super) fn over(roots: Vec<PathBuf>) -> Self {
        let mut names: Vec<String> = roots.iter().flat_map(|root| names_below(root)).collect();
        names.sort();
        names.dedup();
        Self { roots, names }
    }

    /// The same with what the application at `root` says of itself, in its `META-INF`.
    pub(super) fn described_at(mut self, root: &Path) -> Self {
        let described = names_below(&root.join("META-INF")).into_iter().map(|name| format!("META-INF/{name}"));
        self.names.extend(described);
        self.names.sort();
        self.names.dedup();
        self.roots.push(root.to_owned());
        self
    }
}

/// The files below `root`, without classes that lie elsewhere than their packages: a class path may begin above where a build
/// puts them.
fn names_below(root: &Path) -> Vec<String> {
    let files = WalkDir::new(root).into_iter().flatten().filter(|entry| entry.file_type().is_file()).take(MOST_FILES);
    let names = files.filter_map(|file| Some(file.path().strip_prefix(root).ok()?.to_str()?.replace('\\', "/")));
    let mut names: Vec<String> = names.collect();
    let mut packages = BTreeMap::new();
    names.retain(|name| {
        let Some(class) = class_of(name, "") else { return true };
        let is_placed = || fs::read(root.join(name)).is_ok_and(|bytes| constants::referenced(&bytes).contains(&class));
        // One class tells of all in its folder.
        *packages.entry(package_of(class).to_owned()).or_insert_with(is_placed)
    });
    names
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
