//! Texts in a jar that is not started, such as the sources that a build packs beside its classes.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::Error;
use super::archive::Archive;

/// An open jar of texts.
pub struct Texts(Archive<BufReader<File>>);

impl Texts {
    /// Opens the jar at `path`.
    ///
    /// # Errors
    /// When it cannot be read or is no jar.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Archive::open(path).map(Self)
    }

    /// Names of all entries, with slashes.
    pub fn names(&self) -> Vec<String> {
        self.0.names().to_vec()
    }

    /// The entry of that name; none when it is not there, damaged, no UTF-8 or of more than `limit` bytes.
    pub fn text(&mut self, name: &str, limit: u64) -> Option<String> {
        String::from_utf8(self.0.read(name, limit)?).ok()
    }
}
