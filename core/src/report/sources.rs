//! Where the sources of the service's classes lie below a folder, so that findings can be shown in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

/// Endings of source files of the JVM's languages.
const ENDINGS: [&str; 4] = ["java", "kt", "groovy", "scala"];
/// Folders that hold no sources of one's own, beside hidden ones.
const NO_SOURCES: [&str; 6] = ["target", "build", "out", "node_modules", "dist", "vendor"];
/// Files and folders that are looked at.
const MOST_ENTRIES: usize = 200_000;
/// Folders in folders.
const DEEPEST: usize = 24;

/// Sources by class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// Of top-level classes with their packages, with slashes.
    paths: BTreeMap<String, String>,
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    /// The file, relative to the folder that was searched, with slashes.
    pub path: String,
    /// From 1.
    pub line: u32,
}

impl Sources {
    /// Looks below `folder` for the sources of the classes of `statements` (`com.acme.Foo$Bar:42`).
    ///
    /// Of several the one with the shortest path counts, then the first by name. What cannot be read is passed over.
    pub fn find<'a>(folder: &Path, statements: impl IntoIterator<Item = &'a str>) -> Self {
        let wanted: BTreeSet<String> = statements.into_iter().filter_map(|statement| Some(split(statement)?.0)).collect();
        let mut sources = Self::default();
        if wanted.is_empty() {
            return sources;
        }
        let walk = WalkDir::new(folder).max_depth(DEEPEST).into_iter().filter_entry(may_hold_sources);
        let files = walk.take(MOST_ENTRIES).filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
        let below = |entry: DirEntry| Some(entry.path().strip_prefix(folder).ok()?.to_str()?.replace('\\', "/"));
        sources.take(files.filter_map(below), &wanted);
        sources
    }

    /// The same among `paths`, with slashes.
    pub fn among<'a>(paths: impl IntoIterator<Item = String>, statements: impl IntoIterator<Item = &'a str>) -> Self {
        let wanted: BTreeSet<String> = statements.into_iter().filter_map(|statement| Some(split(statement)?.0)).collect();
        let mut sources = Self::default();
        sources.take(paths, &wanted);
        sources
    }

    /// Takes the best of `paths` for each of the `wanted` classes. There may be thousands of both.
    fn take(&mut self, paths: impl IntoIterator<Item = String>, wanted: &BTreeSet<String>) {
        let mut by_name: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for class in wanted {
            let name = class.rsplit('/').next().unwrap_or(class);
            let of_file = name.strip_suffix("Kt").filter(|name| !name.is_empty());
            for name in [Some(name), of_file].into_iter().flatten() {
                by_name.entry(name).or_default().push(class);
            }
        }
        for path in paths {
            let file = path.rsplit('/').next().unwrap_or(&path);
            let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
            for class in by_name.get(stem).into_iter().flatten().filter(|class| is_source_of(&path, class)) {
                let known = self.paths.entry((*class).clone()).or_insert_with(|| path.clone());
                if (path.len(), &path) < (known.len(), &*known) {
                    known.clone_from(&path);
                }
            }
        }
    }

    /// The file of the class of a statement, relative to the folder that was searched; none when it was not found.
    pub fn path(&self, statement: &str) -> Option<&str> {
        self.paths.get(&split(statement)?.0).map(String::as_str)
    }

    /// The line of a statement; none when its source was not found.
    pub fn line(&self, statement: &str) -> Option<SourceLine> {
        let (class, line) = split(statement)?;
        Some(SourceLine { path: self.paths.get(&class)?.clone(), line })
    }
}

fn may_hold_sources(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() == 0 || !(name.starts_with('.') || NO_SOURCES.contains(&name.as_ref()))
}

/// Top-level class with slashes, and line, of `com.acme.Foo$Bar:42`.
fn split(statement: &str) -> Option<(String, u32)> {
    let (class, line) = statement.rsplit_once(':')?;
    let top = class.split('$').next().filter(|top| !top.is_empty())?;
    Some((top.replace('.', "/"), line.parse().ok().filter(|line| *line > 0)?))
}

/// Whether a file is named and placed as the source of a class; what Kotlin makes of functions of a file ends in `Kt`.
fn is_source_of(path: &str, class: &str) -> bool {
    let Some((stem, ending)) = path.rsplit_once('.') else { return false };
    let names = [class, class.strip_suffix("Kt").unwrap_or(class)];
    ENDINGS.contains(&ending)
        && names.iter().any(|name| stem.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/')))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{SourceLine, Sources};

    #[test]
    fn sources_are_found_where_builds_have_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [
            "shop/src/main/java/com/acme/Shop.java",
            "shop/src/main/kotlin/com/acme/Main.kt",
            "shop/target/generated/com/acme/Shop.java",
            ".git/com/acme/Shop.java",
            "other/Shop.java",
        ];
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            fs::write(path, "").expect("writable");
        }
        let statements = ["com.acme.Shop$Cart:17", "com.acme.MainKt:3", "com.acme.Gone:1", "odd", "com.acme.Shop:0"];
        let sources = Sources::find(folder.path(), statements);
        let line = |path: &str, line| Some(SourceLine { path: path.to_owned(), line });
        assert_eq!(sources.line("com.acme.Shop$Cart:17"), line(files[0], 17));
        assert_eq!(sources.line("com.acme.MainKt:3"), line(files[1], 3));
        for statement in ["com.acme.Gone:1", "odd", "com.acme.Shop:0"] {
            assert_eq!(sources.line(statement), None, "{statement}");
        }
    }
}
