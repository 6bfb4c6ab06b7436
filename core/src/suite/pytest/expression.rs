//! Python expressions for pieces and JSON bodies, laid out for reading.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::suite::linked::scalar_text;
use crate::suite::model::{Escape, Piece};
use crate::suite::writer::CallInTest;

use super::literal;

/// Columns of a line, as far as it can be broken.
pub(super) const MAX_COLUMNS: usize = 100;
/// Bytes of a JSON body that is written as a value.
const MAX_JSON: usize = 20_000;
/// Nesting of a JSON body that is written as a value; Python's parser has a limit of its own.
const MAX_JSON_DEPTH: usize = 40;

/// An expression that can be laid out on one line or on several.
#[derive(Debug)]
pub(super) enum Expression {
    /// Anything that is not broken.
    Atom(String),
    /// `[…]`
    List(Vec<Self>),
    /// `{…}`; keys are literals.
    Dict(Vec<(String, Self)>),
    /// `name(…)`; an argument is a keyword with `=` or nothing, and a value.
    Call(String, Vec<(String, Self)>),
}

impl Expression {
    /// The expression in code that is indented by `indent` and has `before` characters in front of it on its line.
    pub fn layout(&self, indent: usize, before: usize) -> String {
        let line = self.line();
        let breaks = line.len() + indent + before > MAX_COLUMNS;
        let inner = indent + 4;
        let (open, close, members): (String, &str, Vec<String>) = match self {
            Self::List(members) if breaks && !members.is_empty() => {
                ("[".into(), "]", members.iter().map(|member| member.layout(inner, 1)).collect())
            }
            Self::Dict(members) if breaks && !members.is_empty() => {
                let member = |(key, value): &(String, Self)| format!("{key}: {}", value.layout(inner, key.len() + 3));
                ("{".into(), "}", members.iter().map(member).collect())
            }
            Self::Call(name, arguments) if breaks && !arguments.is_empty() => {
                let argument = |(key, value): &(String, Self)| format!("{key}{}", value.layout(inner, key.len() + 1));
                (format!("{name}("), ")", arguments.iter().map(argument).collect())
            }
            _ => return line,
        };
        let pad = " ".repeat(inner);
        let members: String = members.iter().map(|member| format!("{pad}{member},\n")).collect();
        format!("{open}\n{members}{}{close}", " ".repeat(indent))
    }

    /// The expression on one line.
    fn line(&self) -> String {
        let joined = |members: Vec<String>| members.join(", ");
        match self {
            Self::Atom(text) => text.clone(),
            Self::List(members) => format!("[{}]", joined(members.iter().map(Self::line).collect())),
            Self::Dict(members) => {
                let member = |(key, value): &(String, Self)| format!("{key}: {}", value.line());
                format!("{{{}}}", joined(members.iter().map(member).collect()))
            }
            Self::Call(name, arguments) => {
                let argument = |(key, value): &(String, Self)| format!("{key}{}", value.line());
                format!("{name}({})", joined(arguments.iter().map(argument).collect()))
            }
        }
    }
}

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
        self.call.capture(name).map(|capture| &capture.seen)
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

    /// A JSON body as a value, when `json.dumps` gives exactly these bytes for it.
    pub fn json(&mut self, pieces: &[Piece]) -> Option<Expression> {
        let mut text = String::new();
        for (idx, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Text(fixed) if fixed.contains(['\u{e000}', '\u{e001}']) => return None,
                Piece::Text(fixed) => text.push_str(fixed),
                Piece::Captured { name, escape: Escape::Plain } if self.seen(name).is_some_and(|seen| !seen.is_string()) => {
                    text.push_str(&format!("\"\u{e000}{idx}\u{e001}\""));
                }
                Piece::Captured { escape: Escape::JsonString, .. } => text.push_str(&format!("\u{e000}{idx}\u{e001}")),
                Piece::Captured { .. } => return None,
            }
        }
        let value: Value = serde_json::from_str(&text).ok().filter(|_| text.len() <= MAX_JSON)?;
        if value.to_string() != text {
            return None;
        }
        self.json_value(&value, pieces, 0)
    }

    fn json_value(&mut self, value: &Value, pieces: &[Piece], depth: usize) -> Option<Expression> {
        if depth > MAX_JSON_DEPTH {
            return None;
        }
        Some(match value {
            Value::Array(members) => {
                let members = members.iter().map(|member| self.json_value(member, pieces, depth + 1));
                Expression::List(members.collect::<Option<_>>()?)
            }
            Value::Object(members) => {
                let mut entries = Vec::new();
                for (key, member) in members {
                    if key.contains('\u{e000}') {
                        return None;
                    }
                    entries.push((literal::string(key), self.json_value(member, pieces, depth + 1)?));
                }
                Expression::Dict(entries)
            }
            Value::String(text) if text.contains('\u{e000}') => Expression::Atom(self.json_text(text, pieces)?),
            Value::Number(number) if !literal::is_plain(number) => return None,
            scalar => Expression::Atom(literal::scalar(scalar)),
        })
    }

    /// A JSON string with captured values in it; a lone number or boolean stands for itself.
    fn json_text(&mut self, text: &str, pieces: &[Piece]) -> Option<String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((fixed, after)) = rest.split_once('\u{e000}') {
            let (idx, after) = after.split_once('\u{e001}')?;
            if !fixed.is_empty() {
                parts.push(Piece::Text(fixed.to_owned()));
            }
            // `json.dumps` does the escaping that the piece asks for.
            let Piece::Captured { name, escape } = pieces.get(idx.parse::<usize>().ok()?)? else { return None };
            if *escape == Escape::Plain {
                return Some(name.clone());
            }
            parts.push(Piece::Captured { name: name.clone(), escape: Escape::Plain });
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Piece::Text(rest.to_owned()));
        }
        Some(self.text(&parts))
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
        expression.push_str(&format!("[{}]", if is_number { key } else { literal::string(&key) }));
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
