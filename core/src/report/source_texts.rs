//! The sources of the service's classes as texts, for pages that show them: from a folder, or from jars of sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::sources::Sources;
use crate::jar::Texts;

/// Bytes of one source file, at most.
const MOST_OF_FILE: u64 = 400_000;
/// Bytes of all of them together, at most.
const MOST_OF_ALL: usize = 2_000_000;

/// Sources as texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SourceTexts {
    /// Text by file path: relative to the folder that was searched, or within its jar; with slashes.
    pub files: BTreeMap<String, String>,
    /// File path by top-level class with its package.
    pub of_class: BTreeMap<String, String>,
    /// Files that were found and left out: too large, too many, or no UTF-8.
    pub left_out: usize,
}

impl SourceTexts {
    /// Looks below `folders`, then in `jars`, for the sources of `classes` (`com.acme.Foo$Bar`), those that matter most first:
    /// what comes later is left out where there is too much. What cannot be read is passed over.
    pub fn find(folders: &[PathBuf], jars: &[PathBuf], classes: &[&str]) -> Self {
        let mut texts = Self::default();
        let statements: Vec<String> = classes.iter().map(|class| format!("{class}:1")).collect();
        let statements = || statements.iter().map(String::as_str);
        for folder in folders {
            let found = Sources::find(folder, statements());
            texts.take(classes, &found, |path| read(&folder.join(path)));
        }
        for jar in jars {
            let Ok(mut archive) = Texts::open(jar) else { continue };
            let found = Sources::among(archive.names(), statements());
            texts.take(classes, &found, |path| archive.text(path, MOST_OF_FILE));
        }
        texts
    }

    fn take(&mut self, classes: &[&str], found: &Sources, mut read: impl FnMut(&str) -> Option<String>) {
        let mut bytes: usize = self.files.values().map(String::len).sum();
        let mut refused = BTreeSet::new();
        for class in classes {
            let top = class.split('$').next().unwrap_or(class);
            let Some(path) = found.path(&format!("{top}:1")) else { continue };
            if self.of_class.contains_key(top) || refused.contains(path) {
                continue;
            }
            if !self.files.contains_key(path) {
                let Some(text) = read(path).filter(|text| bytes + text.len() <= MOST_OF_ALL) else {
                    refused.insert(path.to_owned());
                    continue;
                };
                bytes += text.len();
                self.files.insert(path.to_owned(), text);
            }
            self.of_class.insert(top.to_owned(), path.to_owned());
        }
        self.left_out += refused.len();
    }
}

fn read(path: &Path) -> Option<String> {
    let size = fs::metadata(path).ok()?.len();
    if size <= MOST_OF_FILE { fs::read_to_string(path).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write as _;

    use super::{MOST_OF_FILE, SourceTexts};

    #[test]
    fn sources_come_from_a_folder_then_from_jars() {
        let folder = tempfile::tempdir().expect("a folder");
        let package = folder.path().join("src/main/java/com/acme");
        fs::create_dir_all(&package).expect("made");
        fs::write(package.join("Shop.java"), "class Shop {}\n").expect("written");
        fs::write(package.join("Huge.java"), vec![b' '; usize::try_from(MOST_OF_FILE).expect("small") + 1]).expect("written");
        fs::write(package.join("Odd.java"), [0xff, 0xfe]).expect("written");
        let jar = folder.path().join("app-sources.jar");
        let mut zip = zip::ZipWriter::new(File::create(&jar).expect("made"));
        for (name, text) in [("com/acme/Till.kt", "class Till\n"), ("com/acme/Shop.java", "another\n")] {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("begun");
            zip.write_all(text.as_bytes()).expect("written");
        }
        zip.finish().expect("a jar");
        let classes =
            ["com.acme.Shop$Cart", "com.acme.Shop", "com.acme.Huge", "com.acme.Odd", "com.acme.Till", "com.acme.Gone"];
        let texts = SourceTexts::find(&[folder.path().to_owned()], &[folder.path().join("none.jar"), jar], &classes);
        let of_class: Vec<(&str, &str)> =
            texts.of_class.iter().map(|(class, path)| (class.as_str(), texts.files[path].as_str())).collect();
        assert_eq!(of_class, [("com.acme.Shop", "class Shop {}\n"), ("com.acme.Till", "class Till\n")]);
        assert_eq!(texts.left_out, 2);
        assert_eq!(SourceTexts::find(&[], &[], &classes), SourceTexts::default());
    }
}
