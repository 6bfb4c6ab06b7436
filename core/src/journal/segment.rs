//! Files of a journal: entries after their lengths in bytes (`u32`, little-endian), compressed (RFC 1952).
//!
//! A segment begins with the number of entries before it that still hold: what came after those in earlier segments is
//! replaced by what it holds itself.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use super::Entry;

/// End of the names of segments, after their number.
const ENDING: &str = ".gz";
/// After that time at most an entry is in the file.
const LATEST: Duration = Duration::from_millis(200);
/// Entries that wait to be compressed; a run that is ahead of them by more waits, too.
const MOST_WAITING: usize = 64;
/// Bytes of an entry, at most; a longer length stands for a damaged file.
const LONGEST: u32 = 1 << 30;

/// Writes one segment, in a thread of its own: a run waits neither for compression nor for the disk.
#[derive(Debug)]
pub(super) struct Writer {
    /// Where entries go; none once there are no more.
    entries: Option<SyncSender<Vec<u8>>>,
    /// None once it has ended.
    thread: Option<JoinHandle<io::Result<()>>>,
    /// Bytes on the disk when it was last looked.
    n_bytes: Arc<AtomicU64>,
}

impl Writer {
    /// A segment after all others in `folder`, that follows the first `n_before` of their entries.
    pub(super) fn create(folder: &Path, n_before: u64) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let number = segments(folder)?.last().map_or(0, |(number, _)| *number) + 1;
        let path = folder.join(format!("{number:04}{ENDING}"));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut encoder = GzEncoder::new(options.open(path)?, Compression::fast());
        encoder.write_all(&n_before.to_le_bytes())?;
        encoder.flush()?;
        let (entries, written) = sync_channel(MOST_WAITING);
        let n_bytes = Arc::default();
        let thread = {
            let n_bytes = Arc::clone(&n_bytes);
            thread::Builder::new().name("journal".to_owned()).spawn(move || compress(&written, encoder, &n_bytes))?
        };
        Ok(Self { entries: Some(entries), thread: Some(thread), n_bytes })
    }

    /// Has an entry written. What failed may be one before it.
    pub(super) fn write(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let mut buffer = postcard::to_extend(entry, vec![0; 4]).map_err(io::Error::other)?;
        let length = u32::try_from(buffer.len() - 4).ok().filter(|length| *length <= LONGEST);
        let length = length.ok_or_else(|| io::Error::other("an entry is too long"))?;
        buffer[..4].copy_from_slice(&length.to_le_bytes());
        match self.entries.as_ref().map(|entries| entries.send(buffer)) {
            Some(Ok(())) => Ok(()),
            _ => self.end().and_then(|()| Err(io::Error::other("it has ended"))),
        }
    }

    /// Bytes on the disk when it was last looked.
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes.load(Ordering::Relaxed)
    }

    /// Waits until all is on the disk.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        self.entries = None;
        let ended = self.thread.take().map(JoinHandle::join);
        ended.unwrap_or(Ok(Ok(()))).unwrap_or_else(|_panicked| Err(io::Error::other("its thread has ended")))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // A rest that cannot be written is one that a resumed run does again.
        let _ = self.end();
    }
}

/// Compresses `entries` until there are no more; what came is on the disk soon, whether more comes or not.
fn compress(entries: &Receiver<Vec<u8>>, mut encoder: GzEncoder<File>, n_bytes: &AtomicU64) -> io::Result<()> {
    // When what the encoder holds is due, if it holds something.
    let mut due: Option<Instant> = None;
    loop {
        let next = match due {
            Some(due) => entries.recv_timeout(due.saturating_duration_since(Instant::now())),
            None => entries.recv().map_err(|_gone| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(entry) => {
                encoder.write_all(&entry)?;
                due.get_or_insert_with(|| Instant::now() + LATEST);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return encoder.finish()?.sync_all(),
        }
        if due.is_some_and(|due| due <= Instant::now()) {
            encoder.flush()?;
            n_bytes.store(encoder.get_ref().metadata()?.len(), Ordering::Relaxed);
            due = None;
        }
    }
}

/// Reads all segments, one after the other.
#[derive(Debug)]
pub(super) struct Reader {
    /// Those that are left, the next one last, each with the number of entries in all before it that still hold.
    segments: Vec<(u64, PathBuf)>,
    current: Option<Segment>,
    n_read: u64,
    n_bytes: u64,
}

struct Segment(GzDecoder<BufReader<File>>);

impl std::fmt::Debug for Segment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Segment")
    }
}

impl Reader {
    /// Stands before the first entry of `folder`, which may hold none.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let (mut open, mut n_bytes) = (Vec::new(), 0);
        for (_, path) in segments(folder)? {
            n_bytes += path.metadata()?.len();
            // One without a beginning was killed at once.
            if let Ok((n_before, _)) = Segment::open(&path) {
                open.push((n_before, path));
            }
        }
        open.reverse();
        Ok(Self { segments: open, current: None, n_read: 0, n_bytes })
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }
}

impl Iterator for Reader {
    type Item = Entry<'static>;

    fn next(&mut self) -> Option<Entry<'static>> {
        loop {
            let end = self.segments.iter().map(|(n_before, _)| *n_before).min();
            let read = match &mut self.current {
                Some(segment) if end.is_none_or(|end| self.n_read < end) => segment.read(),
                _ => None,
            };
            if let Some(entry) = read {
                self.n_read += 1;
                return Some(entry);
            }
            let (n_before, path) = self.segments.pop()?;
            // Where entries are missing in between, what follows them stands for nothing.
            self.current = (n_before <= self.n_read).then(|| Segment::open(&path).ok()).flatten().map(|(_, segment)| segment);
        }
    }
}

impl Segment {
    /// Opened at its first entry, with the number of entries before it.
    fn open(path: &Path) -> io::Result<(u64, Self)> {
        let mut decoder = GzDecoder::new(BufReader::new(File::open(path)?));
        let mut n_before = [0; 8];
        decoder.read_exact(&mut n_before)?;
        Ok((u64::from_le_bytes(n_before), Self(decoder)))
    }

    /// None at the end, which may be in the middle of an entry.
    fn read(&mut self) -> Option<Entry<'static>> {
        let mut length = [0; 4];
        self.0.read_exact(&mut length).ok()?;
        let length = Some(u32::from_le_bytes(length)).filter(|length| *length <= LONGEST)?;
        let mut bytes = Vec::new();
        (&mut self.0).take(u64::from(length)).read_to_end(&mut bytes).ok()?;
        postcard::from_bytes(&bytes).ok()
    }
}

/// Numbers and paths of the segments in `folder`, in order.
fn segments(folder: &Path) -> io::Result<Vec<(u32, PathBuf)>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let number = path.file_name().and_then(|name| name.to_str()?.strip_suffix(ENDING)?.parse().ok());
        found.extend(number.map(|number| (number, path)));
    }
    found.sort();
    Ok(found)
}
