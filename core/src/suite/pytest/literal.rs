//! Python literals and comments that no text can break out of.

use std::fmt::Write;

use serde_json::{Number, Value};

use crate::suite::text::is_visible;

/// `text` as a string literal.
pub(super) fn string(text: &str) -> String {
    if let Some(repeated) = repetition(text) {
        return repeated;
    }
    let quote = quote_for(text);
    format!("{quote}{}{quote}", inside(text, quote))
}

/// The quote that needs fewer escapes in `text`.
pub(super) fn quote_for(text: &str) -> char {
    if text.contains('"') && !text.contains('\'') { '\'' } else { '"' }
}

/// A long text of one repeated character as a product.
fn repetition(text: &str) -> Option<String> {
    let first = text.chars().next()?;
    let count = text.chars().count();
    (count > 100 && text.chars().all(|character| character == first))
        .then(|| format!("{} * {count}", string(&first.to_string())))
}

/// `text` as it stands between the quotes, which are `quote`, of a string literal.
pub(super) fn inside(text: &str, quote: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            _ if character == quote => escaped.extend(['\\', quote]),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            _ if is_visible(character) => escaped.push(character),
            _ => push_escape(&mut escaped, u32::from(character)),
        }
    }
    escaped
}

fn push_escape(escaped: &mut String, code: u32) {
    let written = match code {
        0..=0xff => write!(escaped, "\\x{code:02x}"),
        0x100..=0xffff => write!(escaped, "\\u{code:04x}"),
        _ => write!(escaped, "\\U{code:08x}"),
    };
    written.expect("writing to a string does not fail");
}

/// `bytes` as a bytes literal.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let mut literal = "b\"".to_owned();
    for byte in bytes {
        match byte {
            b'\\' => literal.push_str("\\\\"),
            b'"' => literal.push_str("\\\""),
            b' '..=b'~' => literal.push(char::from(*byte)),
            _ => push_escape(&mut literal, u32::from(*byte)),
        }
    }
    literal.push('"');
    literal
}

/// A scalar as an expression; numbers that JSON readers may round differently are not exact.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => string(text),
        Value::Array(_) | Value::Object(_) => unreachable!("only scalars are written as literals"),
    }
}

/// Whether `json.dumps` writes the number as it is written here.
pub(super) fn is_plain(number: &Number) -> bool {
    !number.is_f64() || !number.to_string().contains(['e', 'E'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_escape_what_ends_or_hides_text() {
        assert_eq!(string("{\"a\": 1}"), r#"'{"a": 1}'"#);
        assert_eq!(string("a\"b\\c\n'é'"), r#""a\"b\\c\n'é'""#);
        assert_eq!(string("\0\u{7f}\u{2028}\u{202e}\u{fffe}\u{10ffff}"), r#""\x00\x7f\u2028\u202e\ufffe\U0010ffff""#);
        assert_eq!(bytes(b"\xff\"a\\\n"), r#"b"\xff\"a\\\x0a""#);
    }

    #[test]
    fn long_repetitions_are_products() {
        assert_eq!(string(&"x".repeat(1000)), "\"x\" * 1000");
        assert_eq!(string("xxx"), "\"xxx\"");
    }
}
