//! Java literals that no text can break out of.
//!
//! Java replaces `\uXXXX` before it finds tokens, so a character that ends a string or a line must never be written
//! that way; and a constant has at most 65,535 bytes of modified UTF-8 (JVMS 4.4.7).

use std::fmt::{self, Write};

use crate::suite::text::is_visible;

/// Bytes of modified UTF-8 in one constant; well below the limit, for readers of the class file.
const MAX_CONSTANT: usize = 30_000;

/// `text` as an expression: one literal, or several joined at run time when it is too long for a constant.
pub(super) fn string(text: &str) -> String {
    if let Some(repeated) = repetition(text) {
        return repeated;
    }
    let chunks = chunks(text);
    match chunks.as_slice() {
        [] => "\"\"".to_owned(),
        [only] => format!("\"{}\"", inside(only)),
        _ => {
            let literals: Vec<String> = chunks.iter().map(|chunk| format!("\"{}\"", inside(chunk))).collect();
            format!("String.join(\"\", {})", literals.join(", "))
        }
    }
}

/// Whether [`string()`] gives a single literal, which can be joined to others by `+` without becoming too long.
pub(super) fn is_short(text: &str) -> bool {
    text.len() < 1000
}

/// A long text of one repeated character as a call of `repeat`.
fn repetition(text: &str) -> Option<String> {
    let first = text.chars().next()?;
    let count = text.chars().count();
    (count > 100 && text.chars().all(|character| character == first))
        .then(|| format!("\"{}\".repeat({count})", inside(&first.to_string())))
}

/// `text` cut into parts that fit into a constant each.
pub(in crate::suite) fn chunks(text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut start = 0;
    let mut size = 0;
    for (idx, character) in text.char_indices() {
        // Modified UTF-8 takes two bytes for NUL and three for each half of a surrogate pair.
        let bytes = match character {
            '\0' => 2,
            '\u{10000}'.. => 6,
            _ => character.len_utf8(),
        };
        if size + bytes > MAX_CONSTANT {
            chunks.push(&text[start..idx]);
            start = idx;
            size = 0;
        }
        size += bytes;
    }
    if start < text.len() {
        chunks.push(&text[start..]);
    }
    chunks
}

/// `text` as it stands between the quotes of a literal.
fn inside(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            // Three octal digits, so that a digit behind does not belong to the escape.
            '\0'..'\u{80}' if !is_visible(character) => {
                push_escape(&mut escaped, format_args!("\\{:03o}", u32::from(character)));
            }
            _ if is_visible(character) => escaped.push(character),
            _ => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    push_escape(&mut escaped, format_args!("\\u{unit:04x}"));
                }
            }
        }
    }
    escaped
}

fn push_escape(escaped: &mut String, escape: fmt::Arguments<'_>) {
    escaped.write_fmt(escape).expect("writing to a string does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_escape_what_ends_or_hides_text() {
        assert_eq!(string("a\"b\\u000ac\n'${x}é"), r#""a\"b\\u000ac\n'${x}é""#);
        assert_eq!(string("\u{0}1\u{7f}\u{2028}\u{fffe}\u{10ffff}"), "\"\\0001\\177\\u2028\\ufffe\\udbff\\udfff\"");
    }

    #[test]
    fn long_texts_are_joined_at_run_time() {
        let text = "é".repeat(50_000) + "x";
        let literal = string(&text);
        assert!(literal.starts_with("String.join(\"\", ") && literal.matches("\", \"").count() == 4);
        assert!(chunks(&text).iter().all(|chunk| chunk.len() <= MAX_CONSTANT));
        assert_eq!(chunks(&text).concat(), text);
    }

    #[test]
    fn long_repetitions_are_calls() {
        assert_eq!(string(&"x".repeat(1000)), "\"x\".repeat(1000)");
    }
}
