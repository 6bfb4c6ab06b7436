//! Rust literals that no text can break out of.

use crate::suite::text::is_visible;

/// `text` as an expression of type `&str`, or of `String` for a long repetition.
pub(super) fn string(text: &str) -> String {
    if let Some(repeated) = repetition(text) {
        return repeated;
    }
    let fits_raw = text.contains(['"', '\\']) && text.chars().all(is_visible);
    if fits_raw { raw(text) } else { format!("\"{}\"", inside(text)) }
}

/// Whether [`string()`] gives a single literal, which `concat!` takes.
pub(super) fn is_short(text: &str) -> bool {
    text.len() <= 100
}

/// A long text of one repeated character as a call of `repeat`.
fn repetition(text: &str) -> Option<String> {
    let first = text.chars().next()?;
    let count = text.chars().count();
    (count > 100 && text.chars().all(|character| character == first))
        .then(|| format!("\"{}\".repeat({count})", inside(&first.to_string())))
}

/// `text` in a raw literal with as many `#` as it needs.
fn raw(text: &str) -> String {
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// `text` as it stands between the quotes of a literal.
pub(super) fn inside(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\0' => escaped.push_str("\\0"),
            _ if is_visible(character) => escaped.push(character),
            _ => escaped.extend(character.escape_unicode()),
        }
    }
    escaped
}

/// `bytes` as a literal of type `&[u8; N]`.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let inside: String = bytes.iter().flat_map(|byte| std::ascii::escape_default(*byte)).map(char::from).collect();
    format!("b\"{inside}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_escape_what_ends_or_hides_text() {
        assert_eq!(string("plain {x}"), "\"plain {x}\"");
        assert_eq!(string("{\"a\": 1}"), "r#\"{\"a\": 1}\"#");
        assert_eq!(string("a\"##b\"#"), "r###\"a\"##b\"#\"###");
        assert_eq!(string("\"\n\0\u{2028}"), r#""\"\n\0\u{2028}""#);
        assert_eq!(bytes(b"\xff\"a\\\n"), r#"b"\xff\"a\\\n""#);
    }

    #[test]
    fn long_repetitions_are_calls() {
        assert_eq!(string(&"x".repeat(1000)), "\"x\".repeat(1000)");
    }
}
