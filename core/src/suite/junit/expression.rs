//! Java expressions for pieces, and what `RestAssured` does to targets and bodies.

use serde_json::Value;

use crate::api::MediaKind;
use crate::suite::model::{Escape, Piece};
use crate::suite::writer::camel;

use super::literal;

/// Columns of a literal in a broken body.
const MAX_COLUMNS: usize = 90;

/// Text made of pieces; `string` writes a literal.
pub(in crate::suite) fn text_expression(pieces: &[Piece], string: fn(&str) -> String) -> String {
    let parts: Vec<String> = pieces.iter().map(|piece| part(piece, string)).collect();
    match parts.len() {
        0 => "\"\"".to_owned(),
        _ => parts.join(" + "),
    }
}

fn part(piece: &Piece, string: fn(&str) -> String) -> String {
    match piece {
        Piece::Text(text) => string(text),
        Piece::Captured { name, escape } => {
            let name = camel(name);
            match escape {
                Escape::Plain => name,
                Escape::Url => format!("encoded({name})"),
                Escape::JsonString => format!("jsonPart({name})"),
                Escape::Xml => format!("xmlPart({name})"),
            }
        }
    }
}

/// Text made of pieces, broken after commas of JSON and ends of lines when it is long, in code indented by `indent`;
/// `string` writes a literal.
pub(super) fn body_expression(pieces: &[Piece], indent: usize, string: fn(&str) -> String) -> String {
    let separator = format!("\n{}+ ", " ".repeat(indent));
    let mut lines: Vec<String> = vec![String::new()];
    for piece in pieces {
        let parts = match piece {
            Piece::Text(text) if literal::is_short(text) => broken(text).iter().map(|line| string(line)).collect(),
            _ => vec![part(piece, string)],
        };
        for part in parts {
            let line = lines.last_mut().expect("there is a first line");
            if line.is_empty() {
                line.push_str(&part);
            } else if line.len() + part.len() > MAX_COLUMNS {
                lines.push(part);
            } else {
                line.push_str(" + ");
                line.push_str(&part);
            }
        }
    }
    if lines[0].is_empty() { "\"\"".to_owned() } else { lines.join(&separator) }
}

/// `text` in lines of a readable length, each ending behind a comma or an end of line.
pub(in crate::suite) fn broken(text: &str) -> Vec<&str> {
    if text.len() <= MAX_COLUMNS {
        return vec![text];
    }
    let mut lines = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for part in text.split_inclusive([',', '\n']) {
        let part_end = end + part.len();
        if part_end - start > MAX_COLUMNS && end > start {
            lines.push(&text[start..end]);
            start = end;
        }
        end = part_end;
    }
    lines.push(&text[start..]);
    lines
}

/// The comparison of a number at `pointer` of `body`: by value, and approximately where JSON readers may differ.
pub(super) fn decimal(body: &str, pointer: &str, value: &Value) -> String {
    if value.is_i64() {
        let number = value.as_i64().unwrap_or_default();
        let suffix = if i32::try_from(number).is_ok() { "" } else { "L" };
        return format!("assertEquals({number}{suffix}, {body}.integer({pointer}));");
    }
    // Java readers drop the sign of a negative zero, and the comparison would mind.
    let number = value.as_f64().filter(|number| *number != 0.0).unwrap_or_default();
    let text = if number.is_finite() { format!("{number:?}") } else { "Double.MAX_VALUE".to_owned() };
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let exact = digits <= 15 && !text.contains('e');
    let tolerance = (number.abs() * 1e-9).max(f64::MIN_POSITIVE);
    let tolerance = if exact { String::new() } else { format!(", {tolerance:?}") };
    format!("assertEquals({text}, {body}.decimal({pointer}){tolerance});")
}

/// Whether `RestAssured` changes the target: it merges slashes, groups query parameters by name, puts names before
/// values, and refuses empty parameters (all found by sending them to a raw socket).
pub(in crate::suite) fn needs_exact_target(url: &[Piece]) -> bool {
    let url: String = url.iter().map(|piece| if let Piece::Text(text) = piece { text.as_str() } else { "x" }).collect();
    let (path, query) = url.split_once('?').map_or((url.as_str(), None), |(path, query)| (path, Some(query)));
    let is_legal = |character: char| character.is_ascii_alphanumeric() || "-._~%!$&'()*+,;=:@/?".contains(character);
    if path.contains("//") || !url.chars().all(is_legal) {
        return true;
    }
    let Some(query) = query else { return false };
    let names: Vec<&str> = query.split('&').map(|parameter| parameter.split('=').next().unwrap_or_default()).collect();
    let parted = |(idx, name): (usize, &&str)| idx > 0 && names[idx - 1] != *name && names[..idx].contains(name);
    names.contains(&"") || names.iter().enumerate().any(parted)
}

/// Whether `RestAssured` writes a text of this type as UTF-8; of other types it takes bytes only.
pub(super) fn content_type_takes_text(content_type: &str) -> bool {
    const PLAIN: [&str; 5] =
        ["application/json", "application/xml", "application/x-www-form-urlencoded", "text/plain", "text/xml"];
    !content_type.contains(';') && PLAIN.contains(&content_type)
        || MediaKind::of(content_type) == MediaKind::Json
            && content_type.starts_with("application/")
            && content_type.ends_with("+json")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn exact(url: &str) -> bool {
        needs_exact_target(&[Piece::Text(url.to_owned())])
    }

    #[test]
    fn targets_that_rest_assured_tidies_up_are_sent_exactly() {
        for url in ["//a", "/a//b", "/x?", "/x?b=1&a=2&b=3", "/x?=1", "/x?a=1&&b=2", "/a|b", "/x?a=[", "/{id}"] {
            assert!(exact(url), "{url}");
        }
        for url in ["/", "/a%2Fb?x=1&y=%20", "/x?a", "/x?a=b=c", "/x?a=1&a=2&b=1", "/x?a=&b=", "/x;m=1,2;n", "/x?a=?b/c:d@e"] {
            assert!(!exact(url), "{url}");
        }
    }

    #[test]
    fn numbers_are_compared_by_value() {
        let check = |value: Value| decimal("body", "\"/a\"", &value);
        assert_eq!(check(json!(7)), "assertEquals(7, body.integer(\"/a\"));");
        assert_eq!(check(json!(-5_000_000_000_i64)), "assertEquals(-5000000000L, body.integer(\"/a\"));");
        assert_eq!(check(json!(-0.0)), "assertEquals(0.0, body.decimal(\"/a\"));");
        assert_eq!(check(json!(0.5)), "assertEquals(0.5, body.decimal(\"/a\"));");
        assert!(check(json!(u64::MAX)).starts_with("assertEquals(1.8446744073709552e19, body.decimal(\"/a\"), "));
    }

    #[test]
    fn long_bodies_break_behind_commas() {
        let text = (0..20).map(|idx| format!("\"field{idx}\":{idx}")).collect::<Vec<_>>().join(",");
        let expression = body_expression(&[Piece::Text(format!("{{{text}}}"))], 4, literal::string);
        assert!(expression.contains(",\"\n    + \"") && expression.lines().all(|line| line.len() < 140), "{expression}");
    }
}
