//! Words of a shell that no text can break out of.

use std::fmt::Write;

use crate::suite::text::is_visible;

/// `text` as one word; NUL, which no shell can hold, is left out.
pub(super) fn string(text: &str) -> String {
    let is_bare = |character: char| character.is_ascii_alphanumeric() || "_-./:,+@%".contains(character);
    if !text.is_empty() && text.chars().all(is_bare) {
        return text.to_owned();
    }
    if text.chars().all(is_visible) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let mut word = String::from("$'");
    for character in text.chars().filter(|character| *character != '\0') {
        match character {
            '\\' => word.push_str("\\\\"),
            '\'' => word.push_str("\\'"),
            '\n' => word.push_str("\\n"),
            '\r' => word.push_str("\\r"),
            '\t' => word.push_str("\\t"),
            _ if is_visible(character) => word.push(character),
            // Bytes, for what a code stands for depends on the locale.
            _ => {
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    write!(word, "\\{byte:03o}").expect("writing to a string does not fail");
                }
            }
        }
    }
    word + "'"
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn words_keep_what_a_shell_would_expand() {
        assert_eq!((string("/orders"), string("")), ("/orders".into(), "''".into()));
        assert_eq!(string("it's $(x) `y` \\ \"é\""), r#"'it'\''s $(x) `y` \ "é"'"#);
        assert_eq!(string("a\n\u{1}2'\\\u{2028}\0"), r"$'a\n\0012\'\\\342\200\250'");
    }
}
