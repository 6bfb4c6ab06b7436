//! A log that never grows beyond its bound: two files, the older one is dropped.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::exec::Error;

/// File being written.
const CURRENT: &str = "sut.log";
/// The file before it.
const OLDER: &str = "sut.1.log";

/// The output of the service over all its starts.
#[derive(Debug)]
pub(crate) struct RotatingLog {
    folder: PathBuf,
    file: File,
    written: u64,
    max_file_bytes: u64,
    problem: Option<String>,
}

impl RotatingLog {
    /// An empty log in `folder`, which is made when needed; both files together stay within `max_bytes`.
    pub(super) fn create(folder: &Path, max_bytes: u64) -> Result<Self, Error> {
        let failed = |source| Error::Log { folder: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        // A log of an earlier run would be taken for this one's beginning.
        match fs::remove_file(folder.join(OLDER)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let file = File::create(folder.join(CURRENT)).map_err(failed)?;
        Ok(Self { folder: folder.to_owned(), file, written: 0, max_file_bytes: (max_bytes / 2).max(1), problem: None })
    }

    /// Appends `bytes`; what cannot be written is dropped, because the service must never wait for its log.
    pub(super) fn append(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = usize::try_from(self.max_file_bytes - self.written).unwrap_or(usize::MAX);
            let (fitting, rest) = bytes.split_at(room.min(bytes.len()));
            if let Err(error) = self.write(fitting).and_then(|()| if rest.is_empty() { Ok(()) } else { self.rotate() }) {
                self.problem.get_or_insert_with(|| error.to_string());
                return;
            }
            bytes = rest;
        }
    }

    /// Appends a line of ours.
    pub(super) fn note(&mut self, text: &str) {
        self.append(format!("--- {text} ---\n").as_bytes());
    }

    /// The first reason why something could not be written.
    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        fs::rename(self.folder.join(CURRENT), self.folder.join(OLDER))?;
        self.file = File::create(self.folder.join(CURRENT))?;
        self.written = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{CURRENT, OLDER, RotatingLog};

    #[test]
    fn both_files_stay_within_the_bound_and_keep_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut log = RotatingLog::create(folder.path(), 100).expect("a writable folder");
        for line in 0..100 {
            log.append(format!("line {line}\n").as_bytes());
        }
        log.append(&[b'x'; 70]);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a log file");
        let (older, current) = (read(OLDER), read(CURRENT));
        assert!(older.len() <= 50 && current.len() <= 50, "{older} {current}");
        assert!((older + &current).ends_with(&"x".repeat(50)));
        assert_eq!(log.problem(), None);
    }

    #[test]
    fn a_log_that_cannot_be_written_loses_output_but_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut log = RotatingLog::create(folder.path(), 10).expect("a writable folder");
        fs::remove_dir_all(folder.path()).expect("the folder can be removed");
        log.append(b"more than fits into five bytes");
        assert!(log.problem().is_some());
        assert!(RotatingLog::create(std::path::Path::new("/dev/null/x"), 10).is_err());
    }
}
