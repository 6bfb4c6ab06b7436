//! OpenAPI and Swagger documents in a jar, known by their content.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::archive::{Archive, Entries};
use super::{Error, Library};

/// Bytes of a document that is looked at, at most.
const MOST_BYTES: u64 = 16 << 20;
/// Files that are written for one document, at most.
const MOST_FILES: usize = 1000;

/// The version that a document begins with, as JSON or YAML has it.
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)(?:^\s*|[{,]\s*)["']?(openapi|swagger)["']?\s*:\s*["']?[23]\.\d"#).expect("a valid expression")
});
/// References to other files.
static REFERENCE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["']?\$ref["']?\s*:\s*["']?([^"'#\s]+)"#).expect("a valid expression"));

/// A document in a jar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Name of the entry.
    pub entry: String,
    /// Place of the own jar that holds it; none when it lies in the application's jar.
    pub library: Option<String>,
    /// Its size.
    pub n_bytes: usize,
}

/// The documents in the application's jar and in own jars.
pub(super) fn find<R: std::io::Read + std::io::Seek>(
    archive: &mut Archive<R>,
    folder: &str,
    libraries: &[Library],
) -> Vec<Document> {
    let mut documents = within(archive, folder, None);
    for library in libraries.iter().filter(|library| library.own.is_some()) {
        let found = if library.inside {
            archive.within(&library.place, &mut |entries| within(entries, "", Some(&library.place)))
        } else {
            Archive::open(Path::new(&library.place)).ok().map(|mut archive| within(&mut archive, "", Some(&library.place)))
        };
        documents.extend(found.unwrap_or_default());
    }
    // Larger ones describe more; of the same size the one that lies nearer to the top.
    documents.sort_by_key(|document| (document.library.is_some(), std::cmp::Reverse(document.n_bytes), document.entry.len()));
    documents
}

fn within(entries: &mut dyn Entries, folder: &str, library: Option<&str>) -> Vec<Document> {
    let is_likely = |name: &&String| name.starts_with(folder) && is_text(name) && is_inside(name);
    let names: Vec<String> = entries.names().iter().filter(is_likely).cloned().collect();
    let found = names.into_iter().filter_map(|entry| {
        let bytes = entries.read(&entry, MOST_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        let is_document = VERSION.is_match(&text) && text.contains("paths");
        is_document.then(|| Document { entry, library: library.map(str::to_owned), n_bytes: bytes.len() })
    });
    found.collect()
}

fn is_text(name: &str) -> bool {
    let end = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    matches!(end.as_str(), "json" | "yaml" | "yml")
}

/// Whether a file of that name stays below the folder that it is written to.
fn is_inside(entry: &str) -> bool {
    Path::new(entry).components().all(|component| matches!(component, Component::Normal(_)))
}

/// Writes `document` of the jar at `path`, with the files it refers to, below `folder`; says which file it became.
pub fn extract(path: &Path, document: &Document, folder: &Path) -> Result<PathBuf, Error> {
    let mut archive = Archive::open(path)?;
    let mut write = |entries: &mut dyn Entries| write_with_references(entries, &document.entry, folder);
    let written = match &document.library {
        None => Some(write(&mut archive)),
        Some(place) if Path::new(place).is_file() => Some(write(&mut Archive::open(Path::new(place))?)),
        Some(place) => archive.within(place, &mut write),
    };
    written.unwrap_or_else(|| Err(failed(&document.entry, folder, std::io::ErrorKind::NotFound.into())))
}

fn write_with_references(entries: &mut dyn Entries, entry: &str, folder: &Path) -> Result<PathBuf, Error> {
    let mut waiting = vec![entry.to_owned()];
    let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
    while let Some(name) = waiting.pop() {
        // A reference to what is not there is the document's mistake, and told when it is loaded.
        let Some(bytes) = entries.read(&name, MOST_BYTES) else { continue };
        let file = folder.join(&name);
        let written = fs::create_dir_all(file.parent().unwrap_or(folder)).and_then(|()| fs::write(&file, &bytes));
        written.map_err(|source| failed(&name, folder, source))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let referred = REFERENCE.captures_iter(&text).filter_map(|found| beside(&name, &found[1]));
        waiting.extend(referred.filter(|other| seen.len() < MOST_FILES && seen.insert(other.clone())));
    }
    let file = folder.join(entry);
    if file.is_file() { Ok(file) } else { Err(failed(entry, folder, std::io::ErrorKind::NotFound.into())) }
}

/// The entry that `relative` names beside `entry`; none when that leads out of the jar.
fn beside(entry: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = entry.split('/').collect();
    parts.pop();
    for component in Path::new(relative).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let other = parts.join("/");
    is_inside(&other).then_some(other)
}

fn failed(entry: &str, folder: &Path, source: std::io::Error) -> Error {
    Error::Extract { entry: entry.to_owned(), folder: folder.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::{VERSION, beside};

    #[test]
    fn documents_are_told_by_the_version_they_name() {
        for text in [
            "openapi: 3.0.1\n",
            "# x\nswagger: '2.0'\n",
            "{\"swagger\":\"2.0\"}",
            "{\n  \"info\": {},\n  \"openapi\" : \"3.1.0\"",
        ] {
            assert!(VERSION.is_match(text), "{text}");
        }
        for text in ["swaggerVersion: 1.2", "{\"title\": \"openapi: 3.0\"}", "openapi: true"] {
            assert!(!VERSION.is_match(text), "{text}");
        }
    }

    #[test]
    fn references_never_lead_out_of_the_jar() {
        assert_eq!(beside("a/b/api.yaml", "../x.yaml").as_deref(), Some("a/x.yaml"));
        assert_eq!((beside("api.yaml", "../x.yaml"), beside("api.yaml", "/etc/x")), (None, None));
    }
}
