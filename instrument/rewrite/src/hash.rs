//! A fast hash for small keys; who writes a class that makes it slow only slows the instrumentation of that class down.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with this hash.
pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Multiplying>>;

/// Multiplies by an odd constant (2^64 divided by the golden ratio; Knuth, volume 3, section 6.4) after each word.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Multiplying(u64);

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Multiplying {
    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Multiplying {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.word(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.word(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.word(u64::from(value));
    }

    fn write_isize(&mut self, value: isize) {
        self.word(value.cast_unsigned() as u64);
    }

    fn finish(&self) -> u64 {
        // The map takes its position from the low bits and a tag from the high ones; multiplying only moves bits up.
        self.0 ^ self.0 >> 32
    }
}

/// The hash of some texts in this order; the same in every build.
pub(crate) fn of(texts: &[&[u8]]) -> u64 {
    let mut hasher = Multiplying::default();
    for text in texts {
        hasher.write(text);
    }
    hasher.finish()
}
