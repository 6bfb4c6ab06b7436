//! Frames: a length, an operation byte, a payload.
//!
//! ```text
//! u32 LE length of what follows | u8 operation | payload of length - 1 bytes
//! ```

use std::io::{ErrorKind, Read};
use std::time::{Duration, Instant};

use crate::error::Error;

/// Most bytes of operation and payload of any frame.
pub const MAX_FRAME: usize = 16 * 1024 * 1024;

/// Most bytes of operation and payload of a hello.
pub const MAX_HELLO: usize = 64 * 1024;

/// Bytes of the length in front of each frame.
pub const LENGTH_BYTES: usize = 4;

/// One received frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What the payload is.
    pub op: u8,
    /// The encoded message.
    pub payload: &'a [u8],
}

/// Appends a frame whose payload is written by `write` to `out`.
pub fn append(out: &mut Vec<u8>, op: u8, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0, 0, 0, 0, op]);
    write(out);
    // A frame too long for its length field is too long for every reader as well.
    let length = u32::try_from(out.len() - start - LENGTH_BYTES).unwrap_or(u32::MAX);
    out[start..start + LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
}

/// Bytes of one frame at the start of `bytes`, its length field included; `None` while the length itself is incomplete.
pub fn length_of(bytes: &[u8], limit: usize) -> Result<Option<usize>, Error> {
    let Some(&length) = bytes.first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
    let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
    if (1..=limit).contains(&length) { Ok(Some(LENGTH_BYTES + length)) } else { Err(Error::BadLength { length, limit }) }
}

/// A stream whose waiting can be limited.
pub trait TimedRead: Read {
    /// How long the next read may wait; `None` waits for ever.
    fn limit_read(&self, limit: Option<Duration>) -> std::io::Result<()>;
}

impl TimedRead for std::net::TcpStream {
    fn limit_read(&self, limit: Option<Duration>) -> std::io::Result<()> {
        self.set_read_timeout(limit)
    }
}

/// Times a reader waits for.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// For the first byte of a frame; `None` waits for ever.
    pub first: Option<Duration>,
    /// For the rest of a frame.
    pub rest: Duration,
}

/// Splits a stream into frames. Its buffer is reused.
#[derive(Debug, Default)]
pub struct FrameReader {
    buffer: Vec<u8>,
    /// Where the next frame starts in the buffer.
    start: usize,
    /// Where received bytes end in the buffer.
    end: usize,
    /// The limit the stream has now, to spare system calls. A fresh stream waits for ever.
    limited_to: Option<Duration>,
}

/// Bytes asked for at once.
const CHUNK: usize = 64 * 1024;

impl FrameReader {
    /// Whether a byte of a further frame is there already.
    pub fn has_more(&self) -> bool {
        self.start < self.end
    }

    /// Waits for the next frame.
    pub fn next<S: TimedRead>(&mut self, stream: &mut S, limit: usize, waiting: Waiting) -> Result<Frame<'_>, Error> {
        let mut deadline = None;
        let whole = loop {
            let received = &self.buffer[self.start..self.end];
            let whole = length_of(received, limit)?;
            if let Some(whole) = whole.filter(|&whole| received.len() >= whole) {
                break whole;
            }
            let wanted = whole.unwrap_or(LENGTH_BYTES);
            let allowed = if received.is_empty() {
                waiting.first
            } else {
                let deadline = *deadline.get_or_insert_with(|| Instant::now() + waiting.rest);
                let left = deadline.saturating_duration_since(Instant::now());
                Some(left.max(Duration::from_millis(1)))
            };
            self.receive(stream, wanted, allowed)?;
            if deadline.is_some_and(|deadline| Instant::now() > deadline) && self.end - self.start < wanted {
                return Err(Error::TimedOut { limit: waiting.rest });
            }
        };
        let frame = &self.buffer[self.start..self.start + whole];
        self.start += whole;
        Ok(Frame { op: frame[LENGTH_BYTES], payload: &frame[LENGTH_BYTES + 1..] })
    }

    /// Reads what is there, at least one byte, into a buffer with room for `wanted` bytes of the current frame.
    fn receive<S: TimedRead>(&mut self, stream: &mut S, wanted: usize, allowed: Option<Duration>) -> Result<(), Error> {
        self.make_room(wanted);
        if self.limited_to != allowed {
            stream.limit_read(allowed).map_err(|source| Error::Io { doing: "limit the time to read", source })?;
            self.limited_to = allowed;
        }
        loop {
            match stream.read(&mut self.buffer[self.end..]) {
                Ok(0) if self.start == self.end => return Err(Error::Closed),
                Ok(0) => return Err(Error::Lost { received: self.end - self.start, wanted }),
                Ok(count) => {
                    self.end += count;
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(Error::TimedOut { limit: allowed.unwrap_or_default() });
                }
                Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted) => {
                    let received = self.end - self.start;
                    return Err(if received == 0 { Error::Closed } else { Error::Lost { received, wanted } });
                }
                Err(source) => return Err(Error::Io { doing: "read from the peer", source }),
            }
        }
    }

    /// Moves the current frame to the front when it would not fit, and grows the buffer only as bytes arrive: an announced
    /// length alone reserves nothing.
    fn make_room(&mut self, wanted: usize) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.start > 0 && self.buffer.len() < self.start + wanted.max(CHUNK / 2) {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        let least = (self.end + CHUNK / 2).min(self.start + wanted.max(CHUNK));
        if self.buffer.len() <= self.end || self.buffer.len() < least {
            self.buffer.resize(least.max(self.end + 1).next_power_of_two().max(CHUNK), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAITING: Waiting = Waiting { first: None, rest: Duration::from_secs(1) };

    /// Gives its bytes in pieces of one size, then ends.
    struct Pieces {
        bytes: Vec<u8>,
        size: usize,
    }

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let count = self.size.min(into.len()).min(self.bytes.len());
            into[..count].copy_from_slice(&self.bytes[..count]);
            self.bytes.drain(..count);
            Ok(count)
        }
    }

    impl TimedRead for Pieces {
        fn limit_read(&self, _limit: Option<Duration>) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn frames_are_told_apart_however_they_arrive() {
        let mut bytes = Vec::new();
        for op in 0..20_u8 {
            append(&mut bytes, op, |out| out.extend(std::iter::repeat_n(op, usize::from(op) * 9_000)));
        }
        for size in [1_000_000, 70_001, 4_096, 13] {
            let mut stream = Pieces { bytes: bytes.clone(), size };
            let mut reader = FrameReader::default();
            for op in 0..20_u8 {
                let frame = reader.next(&mut stream, MAX_FRAME, WAITING).expect("a frame");
                assert_eq!((frame.op, frame.payload.len()), (op, usize::from(op) * 9_000));
                assert!(frame.payload.iter().all(|&byte| byte == op));
            }
            assert!(matches!(reader.next(&mut stream, MAX_FRAME, WAITING), Err(Error::Closed)));
        }
    }

    #[test]
    fn end_inside_a_frame_is_told_from_an_end_between_frames() {
        let mut stream = Pieces { bytes: vec![10, 0, 0, 0, 1, 2], size: 100 };
        let error = FrameReader::default().next(&mut stream, MAX_FRAME, WAITING).expect_err("cut");
        assert!(matches!(error, Error::Lost { received: 6, wanted: 14 }), "{error}");
    }

    #[test]
    fn announced_length_alone_reserves_no_memory() {
        let mut stream = Pieces { bytes: vec![0, 0, 255, 0, 1], size: 100 };
        let mut reader = FrameReader::default();
        assert!(reader.next(&mut stream, MAX_FRAME, WAITING).is_err());
        assert!(reader.buffer.len() <= 2 * CHUNK, "{}", reader.buffer.len());
    }

    #[test]
    fn empty_and_too_long_frames_are_refused() {
        for bytes in [[0, 0, 0, 0], [255, 255, 255, 255], [1, 0, 0, 1]] {
            let mut stream = Pieces { bytes: bytes.to_vec(), size: 100 };
            let error = FrameReader::default().next(&mut stream, MAX_FRAME, WAITING).expect_err("bad length");
            assert!(matches!(error, Error::BadLength { .. }), "{error}");
        }
    }
}
