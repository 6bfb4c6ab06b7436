//! Percent-encoding of values and of the document's own path text.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but the unreserved characters of RFC 3986 2.3.
const RESERVED_AND_ILLEGAL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What `allowReserved` leaves alone: the reserved characters, without those that would end the value or the query
/// (`&`, `#`), be read as something else (`=`, `+`), or are refused by common servers in a query (`[`, `]`).
const ALLOW_RESERVED: &AsciiSet = &RESERVED_AND_ILLEGAL
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';');

/// What `allowReserved` leaves alone in a path.
const SEGMENTS: &AsciiSet = &ALLOW_RESERVED.add(b'?');

/// What the literal text of a path template keeps: `pchar` of RFC 3986 3.3, the slash, and `?` once a query has begun.
const LITERAL: &AsciiSet = &ALLOW_RESERVED.remove(b'&').remove(b'=').remove(b'+').remove(b'%');

/// Which characters of a value are written as `%XX` (of their UTF-8 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// All but letters, digits and `-._~`.
    Reserved,
    /// As [`Escape::Reserved`], but reserved characters stay where they are harmless (`allowReserved`).
    KeepReserved,
    /// As [`Escape::KeepReserved`] in a path, where a question mark would begin the query.
    KeepSegments,
    /// None; the header writer looks after what may not stand in a field.
    Nothing,
}

impl Escape {
    /// `text` with the characters of this kind escaped.
    pub(super) fn of(self, text: &str) -> String {
        match self {
            Self::Reserved => utf8_percent_encode(text, RESERVED_AND_ILLEGAL).to_string(),
            Self::KeepReserved => utf8_percent_encode(text, ALLOW_RESERVED).to_string(),
            Self::KeepSegments => utf8_percent_encode(text, SEGMENTS).to_string(),
            Self::Nothing => text.to_owned(),
        }
    }
}

/// Literal text of a path template as it may stand in a URL; `%XX` triplets in it are kept.
pub(super) fn literal(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (idx, piece) in text.split('%').enumerate() {
        if idx > 0 {
            let is_triplet = piece.len() >= 2 && piece.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
            escaped.push_str(if is_triplet { "%" } else { "%25" });
        }
        escaped.extend(utf8_percent_encode(piece, LITERAL));
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{Escape, literal};

    #[test]
    fn only_unreserved_characters_stay_by_default() {
        assert_eq!(Escape::Reserved.of("aZ09-._~"), "aZ09-._~");
        assert_eq!(Escape::Reserved.of("a/b\\c?d#e%f g+h&i=j"), "a%2Fb%5Cc%3Fd%23e%25f%20g%2Bh%26i%3Dj");
        assert_eq!(Escape::Reserved.of("\u{e9}\u{1f600}\n"), "%C3%A9%F0%9F%98%80%0A");
    }

    #[test]
    fn allow_reserved_keeps_what_cannot_end_the_value() {
        assert_eq!(Escape::KeepReserved.of("a:/?@!$'()*,;b"), "a:/?@!$'()*,;b");
        assert_eq!(Escape::KeepReserved.of("#&=+[] |"), "%23%26%3D%2B%5B%5D%20%7C");
        assert_eq!(Escape::KeepSegments.of("a/b:c?d#e f"), "a/b:c%3Fd%23e%20f");
    }

    #[test]
    fn literal_text_keeps_triplets_and_escapes_the_rest() {
        assert_eq!(literal("/a b/%41%zz%4:x&y=1"), "/a%20b/%41%25zz%254:x&y=1");
        assert_eq!(literal("100%"), "100%25");
    }
}
