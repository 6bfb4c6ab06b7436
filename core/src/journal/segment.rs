//! Files of a journal: entries after their lengths in bytes (`u32`, little-endian), compressed (RFC 1952).
//!
//! A segment begins with the number of entries before it that still hold: what came after those in earlier segments is
//! replaced by what it holds itself.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use super::Entry;

/// End of the names of segments, after their number.
const ENDING: &str = ".gz";
/// Entries that are in no file yet are written after that time, with the next one.
const LATEST: Duration = Duration::from_millis(200);
/// Bytes of an entry, at most; a longer length stands for a damaged file.
const LONGEST: u32 = 1 << 30;

/// Writes one segment.
#[derive(Debug)]
pub(super) struct Writer {
    encoder: GzEncoder<File>,
    flushed: Instant,
    buffer: Vec<u8>,
    /// Bytes given to the encoder, and those that had come out of it when it was last flushed.
    n_bytes: u64,
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
        Ok(Self { encoder, flushed: Instant::now(), buffer: Vec::new(), n_bytes: 0 })
    }

    pub(super) fn write(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.extend([0; 4]);
        self.buffer = postcard::to_extend(entry, std::mem::take(&mut self.buffer)).map_err(io::Error::other)?;
        let length = u32::try_from(self.buffer.len() - 4).ok().filter(|length| *length <= LONGEST);
        let length = length.ok_or_else(|| io::Error::other("an entry is too long"))?;
        self.buffer[..4].copy_from_slice(&length.to_le_bytes());
        self.encoder.write_all(&self.buffer)?;
        if self.flushed.elapsed() >= LATEST {
            self.encoder.flush()?;
            self.flushed = Instant::now();
            self.n_bytes = self.encoder.get_ref().metadata()?.len();
        }
        Ok(())
    }

    /// Bytes on the disk when it was last looked.
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.encoder.finish()?.sync_all()
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
