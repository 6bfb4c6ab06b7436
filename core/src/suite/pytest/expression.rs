//! Python expressions for pieces and JSON bodies, laid out for reading.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::suite::layout::{JsonWriter, Style};
use crate::suite::linked::scalar_text;
use crate::suite::model::{Escape, Piece};
use crate::suite::writer::CallInTest;

use super::literal;

/// How expressions are laid out.
pub(super) const STYLE: Style = Style { columns: 100, indent: 4, brace: "", hugs: false };
/// Bytes of a JSON body that is written as a value.
pub(super) const MAX_JSON: usize = 20_000;

/// Makes expressions and notes which functions of the service module they need.
pub(super) struct Expressions<'a> {
    /// The call they are for.
    pub call: CallInTest<'a>,
    /// Names to import.
    pub imports: &'a mut BTreeSet<&'static str>,
}

impl Expressions<'_> {
    /// Text made of pieces.
    pub fn text(&mut self, pieces: &[Piece]) -> String {
        match pieces {
            [] => "\"\"".to_owned(),
            [Piece::Text(text)] => literal::string(text),
            [Piece::Captured { name, escape: Escape::Plain | Escape::JsonString }] => self.as_text(name),
            _ => {
                let fixed =
                    pieces.iter().filter_map(|piece| if let Piece::Text(text) = piece { Some(text.as_str()) } else { None });
                let quote = literal::quote_for(&fixed.collect::<String>());
                let inside: String = pieces.iter().map(|piece| self.inside_format(piece, quote)).collect();
                format!("f{quote}{inside}{quote}")
            }
        }
    }

    /// A captured value as a string.
    fn as_text(&mut self, name: &str) -> String {
        if self.seen(name).is_some_and(Value::is_string) {
            return name.to_owned();
        }
        self.imports.insert("text");
        format!("text({name})")
    }

    fn seen(&self, name: &str) -> Option<&Value> {
        self.call.seen(name)
    }

    fn inside_format(&mut self, piece: &Piece, quote: char) -> String {
        let (name, escape) = match piece {
            Piece::Text(text) => return literal::inside(text, quote).replace('{', "{{").replace('}', "}}"),
            Piece::Captured { name, escape } => (name, *escape),
        };
        let seen = self.seen(name);
        let same_as_text =
            seen.is_some_and(|seen| seen.is_i64() || seen.is_u64() || seen.is_string() && escape == Escape::Plain);
        let function = match escape {
            _ if same_as_text => return format!("{{{name}}}"),
            Escape::Plain => "text",
            Escape::Url => "url_part",
            Escape::JsonString => "json_part",
            Escape::Xml => "xml_part",
        };
        self.imports.insert(function);
        format!("{{{function}({name})}}")
    }
}

impl JsonWriter for Expressions<'_> {
    fn seen(&self, name: &str) -> Option<&Value> {
        self.call.seen(name)
    }

    fn key(&self, key: &str) -> Option<String> {
        Some(literal::string(key))
    }

    fn scalar(&self, scalar: &Value) -> Option<String> {
        let is_exact = scalar.as_number().is_none_or(literal::is_plain);
        is_exact.then(|| literal::scalar(scalar))
    }

    fn text(&mut self, pieces: &[Piece]) -> String {
        Expressions::text(self, pieces)
    }

    fn variable(&mut self, name: &str) -> String {
        name.to_owned()
    }
}

/// The expression for the place at `pointer` of `body`, or a call of `at` where it is not known what is an array.
pub(super) fn place(call: CallInTest<'_>, pointer: &str, imports: &mut BTreeSet<&'static str>) -> String {
    let mut expression = "body".to_owned();
    let mut parent = String::new();
    for token in pointer.split('/').skip(1) {
        let is_number = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !call.is_array(&parent) {
            imports.insert("at");
            return format!("at(body, {})", literal::string(pointer));
        }
        let key = token.replace("~1", "/").replace("~0", "~");
        let key = if is_number { key } else { literal::string(&key) };
        expression.extend(["[", &key, "]"]);
        parent = format!("{parent}/{token}");
    }
    expression
}

/// A number as it is compared: exact where every JSON reader gives the same, else approximately.
pub(super) fn number(value: &Value) -> String {
    let text = scalar_text(value);
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let exact = value.is_i64() || value.is_u64() || digits <= 15 && !text.contains(['e', 'E']);
    if exact { text } else { format!("pytest.approx({text})") }
}
