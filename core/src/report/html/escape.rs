//! JSON inside of a page: no text in it may end the element that holds it.

/// `json` for the content of a `script` element: what HTML or JavaScript could read otherwise is a JSON escape.
///
/// Such characters stand in strings only, where their escapes mean the same.
pub(super) fn for_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            // A reader of HTML replaces it, and drops one at the beginning of a file.
            '\u{feff}' => text.push_str("\\ufeff"),
            '\u{7f}' => text.push_str("\\u007f"),
            _ => text.push(character),
        }
    }
    text
}

/// Bytes of what [`for_script`] makes of `json`, about.
pub(super) fn bytes_for_script(json: &str) -> usize {
    json.len() + 5 * json.bytes().filter(|byte| matches!(byte, b'<' | b'>' | b'&')).count()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{bytes_for_script, for_script};

    #[test]
    fn no_text_ends_the_element_and_every_text_comes_back() {
        let texts = [
            "</script><script>alert(1)</script>",
            "<!-- <script>",
            "]]> & \"quotes\" 'single' `${x}` \\",
            "\u{2028}\u{2029}\u{feff}\u{0}\u{7f}\u{1b}\r\n",
            "\u{ffff}\u{10ffff} 😀 \u{202e}",
        ];
        for text in texts {
            let json = json!({ text: [text] });
            let escaped = for_script(&json.to_string());
            assert!(!escaped.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{escaped}");
            assert!(bytes_for_script(&json.to_string()).abs_diff(escaped.len()) <= 40, "{escaped}");
            assert_eq!(serde_json::from_str::<Value>(&escaped).expect("JSON"), json);
        }
    }
}
