//! Bytes as base64 (RFC 4648 4).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::random::Random;

pub(super) fn sample(random: &mut Random) -> String {
    let length = random.log_size(48);
    let bytes: Vec<u8> = (0..length).map(|_| byte(random)).collect();
    STANDARD.encode(bytes)
}

/// One byte changed, added or taken away.
pub(super) fn mutated(random: &mut Random, value: &str) -> String {
    let mut bytes = STANDARD.decode(value).unwrap_or_default();
    let added = byte(random);
    match random.below(4) {
        0 => bytes.push(added),
        1 => drop(bytes.pop()),
        _ if bytes.is_empty() => bytes.push(added),
        _ => {
            let at = random.below(bytes.len());
            bytes[at] = added;
        }
    }
    STANDARD.encode(bytes)
}

pub(super) fn is_valid(text: &str) -> bool {
    STANDARD.decode(text).is_ok()
}

/// Readable ones mostly.
fn byte(random: &mut Random) -> u8 {
    let (first, last) = if random.chance(0.7) { (32, 126) } else { (0, 255) };
    u8::try_from(random.between(first, last)).unwrap_or(0)
}
