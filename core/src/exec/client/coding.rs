//! Content codings of answers (RFC 9110 8.4.1): `gzip` and `deflate` are undone within the size limit, others are kept.

use std::io::{self, Read};

use flate2::read::{MultiGzDecoder, ZlibDecoder};

use crate::action::Coding;

/// Characters of a coding's name that are kept: the service chooses it.
const MAX_NAME: usize = 40;
/// Codings of one body that are undone.
const MAX_CODINGS: usize = 4;

/// A body whose codings are undone as far as possible.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    /// Its bytes, up to the size limit.
    pub(super) body: Vec<u8>,
    /// Whether there are more.
    pub(super) truncated: bool,
    /// What could not be undone.
    pub(super) coding: Coding,
}

/// Undoes `codings`, all values of `Content-Encoding` joined, of a `body` that is whole unless `truncated`; nothing is
/// undone unless everything can be. Of the plain body at most `max_bytes` are kept, however much comes out.
pub(super) fn decode(codings: &str, body: Vec<u8>, truncated: bool, max_bytes: usize) -> Decoded {
    let named: Vec<&str> = codings.split(',').map(str::trim).filter(|name| !is_identity(name)).collect();
    if named.is_empty() || body.is_empty() {
        return Decoded { body, truncated, coding: Coding::Plain };
    }
    let name: String = named.join(", ").chars().take(MAX_NAME).collect();
    if truncated || named.len() > MAX_CODINGS || !named.iter().all(|name| is_known(name)) {
        return Decoded { body, truncated, coding: Coding::Kept(name) };
    }
    let mut plain = Cut { bytes: body.clone(), is_cut: false };
    // The last one was applied last.
    for coding in named.iter().rev() {
        match undo(coding, &plain.bytes, max_bytes) {
            Ok(undone) => plain = undone,
            // What was cut off on the way says nothing about the rest.
            Err(_) if plain.is_cut => return Decoded { body, truncated, coding: Coding::Kept(name) },
            Err(_) => return Decoded { body, truncated, coding: Coding::Wrong(name) },
        }
    }
    Decoded { body: plain.bytes, truncated: plain.is_cut, coding: Coding::Plain }
}

/// Bytes up to a limit.
struct Cut {
    bytes: Vec<u8>,
    /// Whether there were more.
    is_cut: bool,
}

fn undo(coding: &str, bytes: &[u8], max_bytes: usize) -> io::Result<Cut> {
    if coding.eq_ignore_ascii_case("deflate") {
        read_up_to(ZlibDecoder::new(bytes), max_bytes)
    } else {
        read_up_to(MultiGzDecoder::new(bytes), max_bytes)
    }
}

fn read_up_to(reader: impl Read, max_bytes: usize) -> io::Result<Cut> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(limit).read_to_end(&mut bytes)?;
    let is_cut = bytes.len() > max_bytes;
    bytes.truncate(max_bytes);
    Ok(Cut { bytes, is_cut })
}

fn is_identity(name: &str) -> bool {
    name.is_empty() || name.eq_ignore_ascii_case("identity")
}

fn is_known(name: &str) -> bool {
    ["gzip", "x-gzip", "deflate"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};

    use super::decode;
    use crate::action::Coding;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
    }

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
    }

    #[test]
    fn known_codings_are_undone_in_their_order() {
        let plain = |codings: &str, body: Vec<u8>| {
            let decoded = decode(codings, body, false, 100);
            assert_eq!((decoded.truncated, decoded.coding), (false, Coding::Plain), "{codings}");
            decoded.body
        };
        assert_eq!(plain("", b"text".to_vec()), b"text");
        assert_eq!(plain("Identity", b"text".to_vec()), b"text");
        assert_eq!(plain("gzip", Vec::new()), b"", "an answer to HEAD has no body");
        assert_eq!(plain("X-GZip", gzip(b"text")), b"text");
        assert_eq!(plain("deflate", deflate(b"text")), b"text");
        assert_eq!(plain("deflate, gzip", gzip(&deflate(b"text"))), b"text");
    }

    #[test]
    fn unknown_cut_and_wrong_bodies_stay_as_they_came() {
        let coding = |codings: &str, body: &[u8], truncated| {
            let decoded = decode(codings, body.to_vec(), truncated, 100);
            assert_eq!((decoded.body.as_slice(), decoded.truncated), (body, truncated));
            decoded.coding
        };
        assert_eq!(coding("br", b"?", false), Coding::Kept("br".to_owned()));
        assert_eq!(coding("gzip, br", &gzip(b"x"), false), Coding::Kept("gzip, br".to_owned()));
        assert_eq!(coding("gzip", &gzip(b"text")[..10], true), Coding::Kept("gzip".to_owned()));
        assert_eq!(coding("gzip", &gzip(b"text")[..15], false), Coding::Wrong("gzip".to_owned()));
        assert_eq!(coding("gzip", b"{\"a\":1}", false), Coding::Wrong("gzip".to_owned()));
        assert_eq!(coding(&"x".repeat(900), b"?", false), Coding::Kept("x".repeat(40)));
    }

    #[test]
    fn a_body_that_unfolds_without_end_is_cut_at_the_limit() {
        let bomb = gzip(&gzip(&vec![b' '; 5_000_000]));
        let decoded = decode("gzip, gzip", bomb, false, 20_000);
        assert_eq!((decoded.body.len(), decoded.truncated, decoded.coding), (20_000, true, Coding::Plain));
    }
}
