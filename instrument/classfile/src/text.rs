//! Modified UTF-8 (JVMS 4.4.7): UTF-16 units in one to three bytes each, the unit 0 in two.

use std::borrow::Cow;

/// The text of these bytes; what is no valid text shows as replacement characters.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        // Without bytes above 0x7f both encodings are the same; above they may differ.
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => Cow::Owned(String::from_utf16_lossy(&units(bytes))),
    }
}

/// The UTF-16 units of these bytes; a byte that fits nowhere becomes U+FFFD.
pub fn units(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (unit, length) = unit(&bytes[at..]).unwrap_or((0xfffd, 1));
        units.push(unit);
        at += length;
    }
    units
}

/// The first unit of these bytes and how many of them it takes.
fn unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let tail = |at: usize| bytes.get(at).filter(|byte| **byte & 0xc0 == 0x80).map(|byte| u16::from(byte & 0x3f));
    let first = u16::from(*bytes.first()?);
    match first {
        0x00..0x80 => Some((first, 1)),
        0xc0..0xe0 => Some(((first & 0x1f) << 6 | tail(1)?, 2)),
        0xe0..0xf0 => Some(((first & 0x0f) << 12 | tail(1)? << 6 | tail(2)?, 3)),
        _ => None,
    }
}

/// These UTF-16 units in modified UTF-8.
pub fn encode(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in units {
        let [high, low] = unit.to_be_bytes();
        let tail = 0x80 | low & 0x3f;
        // The six bits above the tail.
        let middle = (high & 0x0f) << 2 | low >> 6;
        match unit {
            0x01..0x80 => bytes.push(low),
            0x00 | 0x80..0x800 => bytes.extend([0xc0 | middle, tail]),
            0x800.. => bytes.extend([0xe0 | high >> 4, 0x80 | middle, tail]),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{decode, encode, units};

    #[test]
    fn zero_takes_two_bytes_and_a_surrogate_pair_six() {
        assert_eq!(encode([0]), [0xc0, 0x80]);
        assert_eq!(encode("😀".encode_utf16()).len(), 6);
        assert_eq!(decode(&encode("a😀é\0".encode_utf16())), "a😀é\0");
    }

    #[test]
    fn bytes_that_fit_nowhere_are_replaced() {
        assert_eq!(decode(&[b'a', 0xff, 0xe0, 0x80]), "a\u{fffd}\u{fffd}\u{fffd}");
    }

    proptest! {
        #[test]
        fn units_come_back(original: Vec<u16>) {
            prop_assert_eq!(units(&encode(original.iter().copied())), original);
        }
    }
}
