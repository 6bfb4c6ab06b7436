//! Kotlin literals that no text can break out of.

use std::fmt::Write;

use crate::suite::junit::literal::chunks;
use crate::suite::text::is_visible;

/// `text` as an expression: one literal, or several joined at run time when it is too long for a constant of the JVM.
pub(super) fn string(text: &str) -> String {
    if let Some(repeated) = repetition(text) {
        return repeated;
    }
    let chunks = chunks(text);
    match chunks.as_slice() {
        [] => "\"\"".to_owned(),
        [only] if is_raw(only) => format!("\"\"\"{only}\"\"\""),
        [only] => quoted(only),
        _ => {
            let literals: Vec<String> = chunks.iter().map(|chunk| quoted(chunk)).collect();
            format!("listOf({}).joinToString(\"\")", literals.join(", "))
        }
    }
}

/// Whether a raw literal, in which nothing is escaped, holds `text` and reads better.
fn is_raw(text: &str) -> bool {
    text.contains(['"', '\\'])
        && !text.contains(['$'])
        && !text.contains("\"\"\"")
        && !text.starts_with('"')
        && !text.ends_with('"')
        && text.chars().all(is_visible)
}

/// A long text of one repeated character as a call of `repeat`.
fn repetition(text: &str) -> Option<String> {
    let first = text.chars().next()?;
    let count = text.chars().count();
    (count > 100 && text.chars().all(|character| character == first))
        .then(|| format!("{}.repeat({count})", quoted(&first.to_string())))
}

fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '\\' => literal.push_str("\\\\"),
            '"' => literal.push_str("\\\""),
            '$' => literal.push_str("\\$"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            _ if is_visible(character) => literal.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(literal, "\\u{unit:04x}").expect("writing to a string does not fail");
                }
            }
        }
    }
    literal + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_escape_what_ends_or_hides_text() {
        assert_eq!(string("plain 'x' é"), "\"plain 'x' é\"");
        assert_eq!(string("{\"a\": 1}"), "\"\"\"{\"a\": 1}\"\"\"");
        assert_eq!(string("\"a\""), r#""\"a\"""#);
        assert_eq!(string("${x}\\u0022 $y"), r#""\${x}\\u0022 \$y""#);
        assert_eq!(string("\0\u{2028}\u{10ffff}\n"), r#""\u0000\u2028\udbff\udfff\n""#);
    }

    #[test]
    fn long_texts_are_joined_at_run_time() {
        assert_eq!(string(&"x".repeat(1000)), "\"x\".repeat(1000)");
        let literal = string(&("é".repeat(50_000) + "x"));
        assert!(literal.starts_with("listOf(\"") && literal.ends_with(").joinToString(\"\")"));
    }
}
