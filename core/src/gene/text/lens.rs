//! Parts and other forms of a text, and the text with another one in the place of a part: what services make of a value before
//! they use it, turned back.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// What stands between parts of a text.
const SEPARATORS: &str = ",;:|/-_. \t=&@#";
/// Fills a text up to a place that it does not reach.
const FILLER: &str = "x";
/// Pieces that a text gets, at most.
const MOST_PIECES: usize = 64;

/// A part of a text, or a form of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lens {
    /// A form of the whole text.
    Form(Form),
    /// What stands between separators.
    Piece {
        /// The separator.
        separator: char,
        /// How many pieces stand before it.
        idx: usize,
    },
    /// So many characters at the start.
    Head(usize),
    /// All behind so many characters.
    Tail(usize),
    /// So many characters behind so many.
    Middle(usize, usize),
}

/// A form of a whole text that can be turned back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The text without the blanks around it.
    Trimmed,
    /// What is read from a URL: `%20` and `+` are a blank.
    UrlDecoded,
    /// What is written into a URL, in the way of forms.
    UrlEncoded,
    /// The text in base64.
    Base64Decoded,
    /// A text in JSON, by its pointer.
    Json(String),
}

impl Lens {
    /// The part of `text` at these bytes.
    pub fn of_part(text: &str, start: usize, end: usize) -> Self {
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        let is_separator = |it: &char| SEPARATORS.contains(*it);
        for separator in before.into_iter().chain(after).filter(is_separator) {
            let idx = text[..start].matches(separator).count();
            if text.split(separator).nth(idx) == Some(&text[start..end]) {
                return Self::Piece { separator, idx };
            }
        }
        let (n_before, length) = (text[..start].chars().count(), text[start..end].chars().count());
        match (before, after) {
            (None, _) => Self::Head(length),
            (_, None) => Self::Tail(n_before),
            _ => Self::Middle(n_before, length),
        }
    }

    /// What of `text` it shows; none where it has no such form.
    pub fn look(&self, text: &str) -> Option<String> {
        Some(match self {
            Self::Form(form) => form.look(text)?,
            Self::Piece { separator, idx } => text.split(*separator).nth(*idx).unwrap_or_default().to_owned(),
            Self::Head(length) => text.chars().take(*length).collect(),
            Self::Tail(skipped) => text.chars().skip(*skipped).collect(),
            Self::Middle(skipped, length) => text.chars().skip(*skipped).take(*length).collect(),
        })
    }

    /// `text` with `part` where this looks; what is missing before it is filled up.
    pub fn put(&self, text: &str, part: &str) -> Option<String> {
        Some(match self {
            Self::Form(form) => form.put(text, part)?,
            Self::Piece { separator, idx } => {
                let mut pieces: Vec<&str> = text.split(*separator).collect();
                if *idx >= MOST_PIECES.max(pieces.len()) {
                    return None;
                }
                pieces.resize(pieces.len().max(idx + 1), FILLER);
                pieces[*idx] = part;
                pieces.join(&separator.to_string())
            }
            Self::Head(length) => part.chars().chain(text.chars().skip(*length)).collect(),
            Self::Tail(skipped) => format!("{}{part}", filled(text, *skipped)),
            Self::Middle(skipped, length) => {
                let rest: String = text.chars().skip(skipped + length).collect();
                format!("{}{part}{rest}", filled(text, *skipped))
            }
        })
    }
}

/// The first `length` characters, filled up.
fn filled(text: &str, length: usize) -> String {
    let fill = FILLER.chars().cycle();
    text.chars().chain(fill).take(length).collect()
}

impl Form {
    /// The forms in which services may see `text`, with what they see: those that differ from it.
    pub fn of(text: &str) -> Vec<(Self, String)> {
        let mut forms: Vec<(Self, String)> = [Self::Trimmed, Self::UrlDecoded, Self::UrlEncoded, Self::Base64Decoded]
            .into_iter()
            .filter_map(|form| form.look(text).map(|seen| (form, seen)))
            .collect();
        if text.starts_with(['{', '['])
            && let Ok(json) = serde_json::from_str(text)
        {
            leaves(&json, &mut String::new(), &mut forms);
        }
        forms.retain(|(_, seen)| seen != text);
        forms
    }

    fn look(&self, text: &str) -> Option<String> {
        match self {
            Self::Trimmed => Some(text.trim().to_owned()),
            Self::UrlDecoded => url_decoded(text),
            Self::UrlEncoded => Some(url_encoded(text)),
            Self::Base64Decoded => base64_decoded(text),
            Self::Json(pointer) => serde_json::from_str::<Value>(text).ok()?.pointer(pointer)?.as_str().map(str::to_owned),
        }
    }

    fn put(&self, text: &str, part: &str) -> Option<String> {
        match self {
            Self::Trimmed => {
                let start = text.len() - text.trim_start().len();
                let end = text.trim_end().len().max(start);
                Some(format!("{}{part}{}", &text[..start], &text[end..]))
            }
            Self::UrlDecoded => Some(url_encoded(part)),
            Self::UrlEncoded => url_decoded(part),
            Self::Base64Decoded => Some(STANDARD.encode(part)),
            Self::Json(pointer) => {
                let mut json: Value = serde_json::from_str(text).ok()?;
                *json.pointer_mut(pointer)? = Value::String(part.to_owned());
                Some(json.to_string())
            }
        }
    }
}

/// Texts in JSON that are followed, at most.
const MOST_LEAVES: usize = 8;

fn leaves(json: &Value, pointer: &mut String, forms: &mut Vec<(Form, String)>) {
    let length = pointer.len();
    let mut visit = |token: &str, member: &Value| {
        crate::gene::site::push_token(pointer, token);
        leaves(member, pointer, forms);
        pointer.truncate(length);
    };
    match json {
        Value::Object(fields) => fields.iter().for_each(|(name, member)| visit(name, member)),
        Value::Array(members) => members.iter().enumerate().for_each(|(idx, member)| visit(&idx.to_string(), member)),
        Value::String(text) if forms.len() < MOST_LEAVES => forms.push((Form::Json(pointer.clone()), text.clone())),
        _ => {}
    }
}

/// What a form of HTML stands for (`application/x-www-form-urlencoded`); none when it is damaged or no text.
fn url_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok().filter(|it| it.bytes().all(|it| it.is_ascii_hexdigit()))?;
                u8::from_str_radix(digits, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn url_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => encoded.push('+'),
            b'.' | b'-' | b'*' | b'_' => encoded.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            _ => encoded.extend(['%', hex_digit(byte >> 4), hex_digit(byte & 15)]),
        }
    }
    encoded
}

/// A digit in upper case, of a number below 16.
fn hex_digit(number: u8) -> char {
    char::from_digit(u32::from(number), 16).unwrap_or('0').to_ascii_uppercase()
}

/// The readable text of these bytes; none where there is none.
fn base64_decoded(text: &str) -> Option<String> {
    let decoded = STANDARD.decode(text).ok().filter(|bytes| !bytes.is_empty())?;
    // Most texts are base64 of something by chance, which nobody reads.
    String::from_utf8(decoded).ok().filter(|text| !text.chars().any(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::{Form, Lens};

    fn part(text: &str, part: &str) -> Lens {
        let start = text.find(part).expect("it is one");
        let lens = Lens::of_part(text, start, start + part.len());
        assert_eq!(lens.look(text).as_deref(), Some(part), "{lens:?}");
        assert_eq!(lens.put(text, part).as_deref(), Some(text), "{lens:?}");
        lens
    }

    #[test]
    fn parts_are_put_where_they_were() {
        let second = part("abc,def,ghi", "def");
        assert_eq!(second.put("q", "blue").as_deref(), Some("q,blue"));
        assert_eq!(second.put("k,l,m", "blue").as_deref(), Some("k,blue,m"));
        assert_eq!(part("abcdef", "abc").put("zzzzz", "xy").as_deref(), Some("xyzz"));
        assert_eq!(part("abcdef", "cdef").put("z", "blue").as_deref(), Some("zxblue"));
        assert_eq!(part("abcdef", "bcd").put("zzzzzz", "blue").as_deref(), Some("zbluezz"));
        assert_eq!(part("a::bcd", "bcd").put("k", "blue").as_deref(), Some("k:x:blue"));
        assert_eq!(Lens::Piece { separator: ',', idx: 1_000_000 }.put("a", "b"), None, "bounded");
    }

    #[test]
    fn forms_are_turned_back() {
        for (form, text, seen, other, expected) in [
            (Form::Trimmed, " abc\t", "abc", "d", " d\t"),
            (Form::UrlDecoded, "a%20b+%C3%A9", "a b é", "x y/é", "x+y%2F%C3%A9"),
            (Form::UrlEncoded, "a b", "a+b", "x%2Fy", "x/y"),
            (Form::Base64Decoded, "aGVsbG8=", "hello", "blue", "Ymx1ZQ=="),
            (Form::Json("/a/0".to_owned()), r#"{"a":["bcd"]}"#, "bcd", "e", r#"{"a":["e"]}"#),
        ] {
            assert!(Form::of(text).contains(&(form.clone(), seen.to_owned())), "{form:?}");
            assert_eq!(Lens::Form(form).put(text, other).as_deref(), Some(expected));
        }
        assert_eq!(Form::of("plain"), []);
        for damaged in ["%", "%g0", "%ff", "{\"a", "["] {
            assert!(Form::of(damaged).iter().all(|(form, _)| *form == Form::UrlEncoded), "{damaged}");
        }
    }
}
