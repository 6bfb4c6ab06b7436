//! The journal of a run: everything that came from outside, in order.
//!
//! Where a run goes is a function of its settings, its seed and what the service and its drivers answered. So the
//! answers alone say where it stood: [`Journal`] gives them back one after the other, and the search that is given
//! them makes the same requests, learns the same and draws the same numbers, without the service and much faster. Where
//! they end, it goes on with the service (`restive fuzz --resume`).
//!
//! `journal/` of an output folder holds [`RUN_FILE`] (a [`RunFile`]), and one compressed segment for each time that the
//! run was begun or resumed. A process that is killed leaves a segment without an end: all entries up to there count.

mod entry;
mod run_file;
mod segment;

use std::iter::Peekable;
use std::path::{Path, PathBuf};

pub use entry::{Call, Entry, Event, Executed};
pub use run_file::{RUN_FILE, RunFile};
use segment::{Reader, Writer};

/// Folder of the journal in that of a run.
pub const JOURNAL_FOLDER: &str = "journal";

/// The journal of one run.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    /// What was written in earlier lives of the run.
    past: Option<Peekable<Reader>>,
    state: State,
    /// Entries read and written so far.
    n_entries: u64,
    /// Bytes on the disk, of all segments.
    n_bytes: u64,
    max_bytes: u64,
}

/// Whether more is written.
#[derive(Debug)]
enum State {
    /// Nothing was yet.
    Waiting,
    /// It is.
    Open(Box<Writer>),
    /// It is no longer, for that reason.
    Closed(Option<String>),
}

impl Journal {
    /// A journal in the output folder `out`, of at most `max_bytes` on the disk; no file is made before the first entry.
    pub fn new(out: &Path, max_bytes: u64) -> Self {
        let folder = out.join(JOURNAL_FOLDER);
        let state = if max_bytes == 0 { State::Closed(None) } else { State::Waiting };
        Self { folder, past: None, state, n_entries: 0, n_bytes: 0, max_bytes }
    }

    /// The journal that an earlier life of a run has left in `out`, at its beginning.
    ///
    /// # Errors
    /// When its segments cannot be listed.
    pub fn reopen(out: &Path, max_bytes: u64) -> std::io::Result<Self> {
        let mut journal = Self::new(out, max_bytes);
        let past = Reader::open(&journal.folder)?;
        journal.n_bytes = past.n_bytes();
        journal.past = Some(past.peekable());
        Ok(journal)
    }

    /// Whether entries of an earlier life may be left.
    pub fn is_past(&self) -> bool {
        self.past.is_some()
    }

    /// Whether the next entry of an earlier life says that tests were made.
    pub fn comes_to_tests(&mut self) -> bool {
        let next = self.past.as_mut().and_then(Peekable::peek);
        next.is_some_and(|entry| matches!(entry.event, Event::Tests))
    }

    /// The entry that was read last, and those after it, are not what the run comes to now: what is written next
    /// takes their place.
    pub fn give_up_past(&mut self) {
        self.past = None;
        self.n_entries = self.n_entries.saturating_sub(1);
    }

    /// Whether entries are written, so that it is worth making them.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Waiting | State::Open(_))
    }

    /// Writes an entry; within a fraction of a second it outlives this process. What fails closes the journal, never the
    /// run.
    pub fn note(&mut self, entry: &Entry<'_>) {
        if let State::Waiting = self.state {
            self.state = match Writer::create(&self.folder, self.n_entries) {
                Ok(writer) => State::Open(Box::new(writer)),
                Err(error) => State::Closed(Some(error.to_string())),
            };
        }
        let State::Open(writer) = &mut self.state else { return };
        self.n_entries += 1;
        match writer.write(entry) {
            Ok(()) if self.n_bytes + writer.n_bytes() < self.max_bytes => {}
            Ok(()) => self.close(Some("its size is at its limit".to_owned())),
            Err(error) => self.close(Some(error.to_string())),
        }
    }

    /// Ends it: what happens from now on is not part of a run that is resumed.
    pub fn close(&mut self, why: Option<String>) {
        if let State::Open(writer) = std::mem::replace(&mut self.state, State::Closed(why)) {
            // What was written before is there; a rest that cannot be written is one that a resumed run does again.
            let _ = writer.finish();
        }
    }

    /// Why not all of the run is in it, where something went wrong.
    pub fn trouble(&self) -> Option<&str> {
        match &self.state {
            State::Closed(why) => why.as_deref(),
            State::Waiting | State::Open(_) => None,
        }
    }
}

/// The entries of earlier lives, first to last; none where they end, and from then on.
impl Iterator for Journal {
    type Item = Entry<'static>;

    fn next(&mut self) -> Option<Entry<'static>> {
        let entry = self.past.as_mut()?.next();
        match entry {
            Some(_) => self.n_entries += 1,
            None => self.past = None,
        }
        entry
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.close(None);
    }
}

#[cfg(test)]
mod tests;
