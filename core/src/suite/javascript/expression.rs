//! JavaScript expressions for pieces, JSON bodies and places in answers.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::suite::layout::{JsonWriter, Style};
use crate::suite::model::{Escape, Piece};
use crate::suite::shape::Shape;
use crate::suite::writer::{CallInTest, camel};

use super::literal;

/// How expressions are laid out.
pub(super) const STYLE: Style = Style { columns: 100, indent: 2, brace: " ", hugs: true };
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
            _ => {
                let inside: String = pieces.iter().map(|piece| self.inside_template(piece)).collect();
                format!("`{inside}`")
            }
        }
    }

    fn inside_template(&mut self, piece: &Piece) -> String {
        let (name, escape) = match piece {
            Piece::Text(text) => return literal::inside(text, '`'),
            Piece::Captured { name, escape } => (name, *escape),
        };
        let variable = camel(name);
        let is_number = self.call.seen(name).is_some_and(Value::is_number);
        let function = match escape {
            // Template strings write numbers and booleans as JSON does.
            Escape::Plain => return format!("${{{variable}}}"),
            _ if is_number => return format!("${{{variable}}}"),
            Escape::Url => "urlPart",
            Escape::JsonString => "jsonPart",
            Escape::Xml => "xmlPart",
        };
        self.imports.insert(function);
        format!("${{{function}({variable})}}")
    }
}

impl JsonWriter for Expressions<'_> {
    fn seen(&self, name: &str) -> Option<&Value> {
        self.call.seen(name)
    }

    /// Objects put keys that are numbers first, and take `__proto__` for their prototype.
    fn key(&self, key: &str) -> Option<String> {
        let is_number = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
        if is_number || key == "__proto__" {
            return None;
        }
        Some(if literal::is_identifier(key) { key.to_owned() } else { literal::string(key) })
    }

    fn scalar(&self, scalar: &Value) -> Option<String> {
        literal::is_plain(scalar).then(|| literal::scalar(scalar))
    }

    fn text(&mut self, pieces: &[Piece]) -> String {
        Expressions::text(self, pieces)
    }

    fn variable(&mut self, name: &str) -> String {
        camel(name)
    }
}

/// The name of the pattern for a shape.
pub(super) fn pattern(shape: Shape) -> &'static str {
    match shape {
        Shape::Uuid => "UUID",
        Shape::DateTime => "DATE_TIME",
        Shape::Date => "DATE",
        Shape::Digits => "DIGITS",
        Shape::Hexadecimal => "HEXADECIMAL",
    }
}

/// The expression for the place at `pointer` of `body`, or a call of `at` where it is not known what is an array.
pub(super) fn place(call: CallInTest<'_>, body: &str, pointer: &str, imports: &mut BTreeSet<&'static str>) -> String {
    let mut expression = body.to_owned();
    let mut parent = String::new();
    for token in pointer.split('/').skip(1) {
        let is_number = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !call.is_array(&parent) || token == "__proto__" {
            imports.insert("at");
            return format!("at({body}, {})", literal::string(pointer));
        }
        let key = token.replace("~1", "/").replace("~0", "~");
        let (before, name, after) = match () {
            () if is_number => ("[", key, "]"),
            () if literal::is_identifier(&key) => (".", key, ""),
            () => ("[", literal::string(&key), "]"),
        };
        expression.extend([before, &name, after]);
        parent = format!("{parent}/{token}");
    }
    expression
}
