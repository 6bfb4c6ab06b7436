//! A cursor over the bytes of a class file; all numbers are big-endian (JVMS 4).

use crate::error::{Error, ErrorKind, Result};

/// Reads numbers in order; every position is an offset into the whole class file.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    /// A reader of all bytes.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0, end: bytes.len() }
    }

    /// A reader of `bytes[start..end]`; it keeps to what there is.
    pub fn between(bytes: &'a [u8], start: usize, end: usize) -> Reader<'a> {
        let end = end.min(bytes.len());
        Reader { bytes, at: start.min(end), end }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.end - self.at
    }

    /// An error of this kind at the next byte.
    #[cold]
    pub fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.at)
    }

    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        if self.remaining() < n {
            return Err(self.error(ErrorKind::Truncated));
        }
        let taken = &self.bytes[self.at..self.at + n];
        self.at += n;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// An unsigned byte.
    pub fn u1(&mut self) -> Result<u8> {
        self.array().map(u8::from_be_bytes)
    }

    /// An unsigned 16-bit number.
    pub fn u2(&mut self) -> Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    /// An unsigned 32-bit number.
    pub fn u4(&mut self) -> Result<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// A signed 32-bit number.
    pub fn i4(&mut self) -> Result<i32> {
        self.array().map(i32::from_be_bytes)
    }

    /// An unsigned 64-bit number.
    pub fn u8(&mut self) -> Result<u64> {
        self.array().map(u64::from_be_bytes)
    }

    /// An error unless everything was read.
    pub fn finish(&self, kind: ErrorKind) -> Result<()> {
        if self.remaining() == 0 { Ok(()) } else { Err(self.error(kind)) }
    }
}
