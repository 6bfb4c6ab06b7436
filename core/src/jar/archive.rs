//! Entries of a jar: names, bounded bytes, jars within jars. The only code that sees the `zip` crate.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::Error;

/// Bytes that are read of an entry at most; more than any class, document or packed jar needs.
const MOST_BYTES: u64 = 512 << 20;

/// An open jar.
pub(super) struct Archive<R> {
    zip: ZipArchive<R>,
    names: Vec<String>,
}

impl Archive<BufReader<File>> {
    /// Opens the jar at `path`.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let unreadable = |source| Error::Unreadable { path: path.to_owned(), source };
        let not_a_jar = |reason: String| Error::NotAJar { path: path.to_owned(), reason };
        let file = File::open(path).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            return Err(not_a_jar("it is a folder".to_owned()));
        }
        Self::over(BufReader::new(file)).map_err(|error| match error {
            ZipError::Io(source) if source.kind() != std::io::ErrorKind::UnexpectedEof => unreadable(source),
            // The directory stands at the end of a zip file.
            ZipError::InvalidArchive(reason) if reason.contains("EOCD") => {
                not_a_jar("it is no zip file, or its end is missing".to_owned())
            }
            other => not_a_jar(other.to_string().to_lowercase()),
        })
    }
}

impl<R: Read + Seek> Archive<R> {
    fn over(reader: R) -> Result<Self, ZipError> {
        let zip = ZipArchive::new(reader)?;
        let names = (0..zip.len()).map(|idx| zip.name_for_index(idx).and_then(Result::ok).unwrap_or_default().into_owned());
        let names = names.collect();
        Ok(Self { zip, names })
    }

    /// Names of all entries, in the order of the jar.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether there is an entry of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The bytes of an entry, none when it is not there, damaged or larger than `limit`.
    pub(super) fn read(&mut self, name: &str, limit: u64) -> Option<Vec<u8>> {
        let entry = self.zip.by_name(name).ok()?;
        // The declared size may be a lie in either direction.
        let mut bytes = Vec::with_capacity(usize::try_from(entry.size().min(1 << 20)).unwrap_or(0));
        entry.take(limit + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= limit).then_some(bytes)
    }

    /// The first bytes of an entry, none when it is not there, damaged or shorter.
    pub(super) fn head(&mut self, name: &str, size: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.zip.by_name(name).ok()?.take(size).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 == size).then_some(bytes)
    }

    /// The text of a small entry.
    pub(super) fn read_text(&mut self, name: &str) -> Option<String> {
        self.read(name, 1 << 20).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What `look` sees in the jar within this one; none when it cannot be opened.
    pub(super) fn within<T>(&mut self, name: &str, look: &mut dyn FnMut(&mut dyn Entries) -> T) -> Option<T> {
        // A jar that is only stored needs not be read to be looked into.
        if let Ok(section) = self.zip.by_name_seek(name) {
            return Archive::over(BufReader::new(section)).ok().map(|mut archive| look(&mut archive));
        }
        let bytes = self.read(name, MOST_BYTES)?;
        Archive::over(Cursor::new(bytes)).ok().map(|mut archive| look(&mut archive))
    }
}

/// A jar whatever it is read from.
pub(super) trait Entries {
    /// Names of all entries, in the order of the jar.
    fn names(&self) -> &[String];
    /// The bytes of an entry, none when it is not there, damaged or larger than `limit`.
    fn read(&mut self, name: &str, limit: u64) -> Option<Vec<u8>>;
    /// The first bytes of an entry, none when it is not there, damaged or shorter.
    fn head(&mut self, name: &str, size: u64) -> Option<Vec<u8>>;
    /// The text of a small entry.
    fn read_text(&mut self, name: &str) -> Option<String>;
}

impl<R: Read + Seek> Entries for Archive<R> {
    fn names(&self) -> &[String] {
        self.names()
    }

    fn read(&mut self, name: &str, limit: u64) -> Option<Vec<u8>> {
        self.read(name, limit)
    }

    fn head(&mut self, name: &str, size: u64) -> Option<Vec<u8>> {
        self.head(name, size)
    }

    fn read_text(&mut self, name: &str) -> Option<String> {
        self.read_text(name)
    }
}
