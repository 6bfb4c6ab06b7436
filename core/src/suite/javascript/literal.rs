//! JavaScript literals that no text can break out of.

use std::fmt::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::suite::text::is_visible;

/// Largest whole number that JavaScript's numbers hold exactly with all below it.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// `text` as a string literal.
pub(in crate::suite) fn string(text: &str) -> String {
    if let Some(repeated) = repetition(text) {
        return repeated;
    }
    let quote = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
    format!("{quote}{}{quote}", inside(text, quote))
}

/// A long text of one repeated character as a call of `repeat`.
fn repetition(text: &str) -> Option<String> {
    let first = text.chars().next()?;
    let count = text.chars().count();
    (count > 100 && text.chars().all(|character| character == first))
        .then(|| format!("{}.repeat({count})", string(&first.to_string())))
}

/// `text` as it stands between quotes, or between the backticks of a template.
pub(in crate::suite) fn inside(text: &str, quote: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '$' if quote == '`' && characters.peek() == Some(&'{') => escaped.push_str("\\$"),
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
    let mut write = |arguments: fmt::Arguments<'_>| escaped.write_fmt(arguments).expect("writing to a string does not fail");
    match code {
        0..=0xff => write(format_args!("\\x{code:02x}")),
        0x100..=0xffff => write(format_args!("\\u{code:04x}")),
        _ => write(format_args!("\\u{{{code:x}}}")),
    }
}

/// A scalar; whole numbers beyond what a number holds exactly are big ones, as `json()` of the suite reads them.
pub(in crate::suite) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => string(text),
        Value::Number(number) if is_whole(value) && !is_safe(value) => format!("{number}n"),
        scalar => scalar.to_string(),
    }
}

fn is_whole(value: &Value) -> bool {
    value.is_i64() || value.is_u64()
}

/// Whether `JSON.stringify` writes a scalar as `serde_json` does.
pub(in crate::suite) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Number(number) if !is_whole(value) => {
            let text = number.to_string();
            !text.contains(['e', 'E']) && !text.ends_with(".0") && text.len() <= 15
        }
        Value::Number(_) => is_safe(value),
        _ => true,
    }
}

fn is_safe(value: &Value) -> bool {
    value.as_i64().map(i64::unsigned_abs).or(value.as_u64()).is_some_and(|number| number <= MAX_SAFE)
}

/// `bytes` as an expression.
pub(in crate::suite) fn bytes(bytes: &[u8]) -> String {
    format!("Buffer.from({}, \"base64\")", string(&STANDARD.encode(bytes)))
}

/// Whether `text` can be a name of a property without quotes.
pub(in crate::suite) fn is_identifier(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        && text != "__proto__"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn literals_escape_what_ends_or_hides_text() {
        assert_eq!(string("a\"b\\c\n'${x}é"), r#""a\"b\\c\n'${x}é""#);
        assert_eq!(string("\0\u{2028}\u{10ffff}"), r#""\x00\u2028\u{10ffff}""#);
        assert_eq!(inside("`$$x${y}$", '`'), r"\`$$x\${y}$");
        assert_eq!(string(&"x".repeat(1000)), "\"x\".repeat(1000)");
    }

    #[test]
    fn numbers_stay_what_they_are() {
        assert_eq!(scalar(&json!(9_007_199_254_740_993_u64)), "9007199254740993n");
        assert_eq!((scalar(&json!(-5)), scalar(&json!(9.5)), scalar(&json!(null))), ("-5".into(), "9.5".into(), "null".into()));
        assert!(is_plain(&json!(9.5)) && is_plain(&json!(-3)) && is_plain(&json!("x")));
        assert!(
            !is_plain(&json!(1.0)) && !is_plain(&json!(1e30)) && !is_plain(&json!(u64::MAX)) && !is_plain(&json!(0.1 + 0.2))
        );
    }
}
