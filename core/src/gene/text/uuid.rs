//! UUIDs (RFC 9562).

use crate::random::Random;

/// A random UUID of version 4, seldom the nil one or one with few bits set.
pub(super) fn sample(random: &mut Random) -> String {
    match random.below(20) {
        0 => "00000000-0000-0000-0000-000000000000".to_owned(),
        1 | 2 => written(0, 1 + random.below(9) as u64),
        _ => sample_version_4(random),
    }
}

/// A random UUID of version 4.
pub(super) fn sample_version_4(random: &mut Random) -> String {
    written(random.bits(), random.bits())
}

/// The UUID of version 4 with these bits.
fn written(high: u64, low: u64) -> String {
    let high = (high & !0xF000) | 0x4000;
    let low = (low & !(0b11 << 62)) | (0b10 << 62);
    let digits = format!("{high:016x}{low:016x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// `value` with one digit changed; version and variant stay.
pub(super) fn mutated(random: &mut Random, value: &str) -> String {
    let mut characters: Vec<char> = value.chars().collect();
    if characters.len() != 36 {
        return sample(random);
    }
    let places: Vec<usize> = (0..36).filter(|at| ![8, 13, 14, 18, 19, 23].contains(at)).collect();
    let at = *random.pick(&places).unwrap_or(&0);
    characters[at] = char::from_digit(u32::try_from(random.below(16)).unwrap_or(0), 16).unwrap_or('0');
    characters.into_iter().collect()
}

pub(super) fn is_valid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
