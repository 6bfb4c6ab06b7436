//! Jars that are loaded with a jar: those inside it and those that its class path names.

use std::fs;
use std::path::{Path, PathBuf};

use super::archive::{Archive, Entries};
use super::layout::QUARKUS_ENTRY;
use super::manifest::Manifest;
use super::packages::Packages;

/// Folders beside a jar of Quarkus whose jars are loaded with it.
const QUARKUS_FOLDERS: [&str; 4] = ["app", "lib/boot", "lib/main", "quarkus"];

/// A jar that is loaded with the application's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// Name of the entry with its folders, or path of the file.
    pub place: String,
    /// Whether it lies inside the application's jar.
    pub inside: bool,
    /// Its Maven coordinates, as far as it tells them.
    pub coordinates: Coordinates,
    /// Classes per package.
    pub packages: Packages,
    /// Why it is a part of the service; none for a library of others.
    pub own: Option<String>,
}

/// Who a jar says it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coordinates {
    /// Maven group; only `pom.properties` tell it.
    pub group: Option<String>,
    /// Maven artifact, else the file name without version.
    pub artifact: String,
    /// Version by `pom.properties`, else by the file name, else by the manifest.
    pub version: Option<String>,
}

impl Coordinates {
    /// Whether both were released together: they tell the same group and the same version.
    pub(super) fn is_of_release(&self, other: &Self) -> bool {
        self.group.is_some() && self.version.is_some() && (&self.group, &self.version) == (&other.group, &other.version)
    }
}

/// The jars inside `archive` below `folder`.
pub(super) fn inside<R: std::io::Read + std::io::Seek>(archive: &mut Archive<R>, folder: &str) -> Vec<Library> {
    let is_jar = |name: &&String| name.starts_with(folder) && Path::new(name).extension().is_some_and(|end| end == "jar");
    let names: Vec<String> = archive.names().iter().filter(is_jar).cloned().collect();
    let described = names.iter().filter_map(|name| archive.within(name, &mut |entries| describe(entries, name, true)));
    described.collect()
}

/// The jars that the class path of the manifest names, and those in the folders of Quarkus; missing ones are left out.
pub(super) fn on_class_path(path: &Path, manifest: &Manifest, main_class: &str) -> Vec<Library> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let named = manifest.get("Class-Path").unwrap_or_default().split_whitespace();
    let decoded = named.map(|url| percent_encoding::percent_decode_str(url).decode_utf8_lossy().into_owned());
    let mut files: Vec<_> = decoded.map(|relative| folder.join(relative)).collect();
    for quarkus in QUARKUS_FOLDERS.into_iter().filter(|_| main_class == QUARKUS_ENTRY) {
        let entries = fs::read_dir(folder.join(quarkus)).into_iter().flatten().flatten();
        files.extend(entries.map(|entry| entry.path()));
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jar") && file.is_file());
    files.sort();
    files.dedup();
    at(&files)
}

/// The jars at `files`; those that cannot be read are left out.
pub(super) fn at(files: &[PathBuf]) -> Vec<Library> {
    let described = files.iter().filter_map(|file| {
        let mut archive = Archive::open(file).ok()?;
        Some(describe(&mut archive, &file.to_string_lossy(), false))
    });
    described.collect()
}

/// The coordinates of the jar or folder at `path`.
pub(super) fn of_file(entries: &mut dyn Entries, path: &Path) -> Coordinates {
    coordinates(entries, &path.file_stem().unwrap_or_default().to_string_lossy())
}

pub(super) fn describe(entries: &mut dyn Entries, place: &str, inside: bool) -> Library {
    let file_name = place.rsplit('/').next().unwrap_or(place);
    let coordinates = coordinates(entries, file_name.trim_end_matches(".jar"));
    let packages = Packages::of(entries.names(), "");
    Library { place: place.to_owned(), inside, coordinates, packages, own: None }
}

/// The coordinates of the jar whose file is called `stem` and `.jar`.
fn coordinates(entries: &mut dyn Entries, stem: &str) -> Coordinates {
    let (artifact, version) = split_stem(stem);
    let is_properties = |name: &&String| name.starts_with("META-INF/maven/") && name.ends_with("/pom.properties");
    let names: Vec<String> = entries.names().iter().filter(is_properties).cloned().collect();
    // A shaded jar has those of its libraries too.
    let fits = |name: &&String| name.rsplit('/').nth(1).is_some_and(|found| stem.starts_with(found));
    let chosen = if names.len() == 1 { names.first() } else { names.iter().filter(fits).max_by_key(|name| name.len()) };
    if let Some(properties) = chosen.and_then(|name| entries.read_text(name)) {
        let get = |key: &str| property(&properties, key);
        return Coordinates {
            group: get("groupId"),
            artifact: get("artifactId").unwrap_or_else(|| artifact.to_owned()),
            version: get("version").or(version.map(str::to_owned)),
        };
    }
    let stated =
        || Manifest::parse(&entries.read_text("META-INF/MANIFEST.MF")?).get("Implementation-Version").map(str::to_owned);
    let version = version.map(str::to_owned).or_else(stated);
    Coordinates { group: None, artifact: artifact.to_owned(), version }
}

/// Artifact and version of a file name: the version begins at the first `-` before a digit.
pub(super) fn split_stem(stem: &str) -> (&str, Option<&str>) {
    let is_version = |at: &usize| stem[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    match stem.match_indices('-').map(|(at, _)| at).find(is_version) {
        Some(at) => (&stem[..at], Some(&stem[at + 1..])),
        None => (stem, None),
    }
}

fn property(text: &str, key: &str) -> Option<String> {
    let lines = text.lines().filter_map(|line| line.split_once('='));
    lines.filter(|(name, _)| name.trim() == key).map(|(_, value)| value.trim().to_owned()).find(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Coordinates, split_stem};

    #[test]
    fn what_tells_the_same_group_and_version_was_released_together() {
        let of = |group: Option<&str>, version: Option<&str>| Coordinates {
            group: group.map(str::to_owned),
            artifact: String::new(),
            version: version.map(str::to_owned),
        };
        let release = of(Some("io.camunda"), Some("8.6.0"));
        assert!(of(Some("io.camunda"), Some("8.6.0")).is_of_release(&release));
        for other in [of(Some("io.camunda"), Some("1.0")), of(Some("io"), Some("8.6.0")), of(None, Some("8.6.0"))] {
            assert!(!other.is_of_release(&release), "{other:?}");
        }
        assert!(!of(None, None).is_of_release(&of(None, None)));
    }

    #[test]
    fn versions_begin_at_a_digit() {
        assert_eq!(split_stem("conductor-es7-persistence-3.21.14"), ("conductor-es7-persistence", Some("3.21.14")));
        assert_eq!((split_stem("app"), split_stem("log4j-1.2-api-2.0")), (("app", None), ("log4j", Some("1.2-api-2.0"))));
    }
}
