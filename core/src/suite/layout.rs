//! Expressions laid out for reading, and JSON bodies written as values of a language.

use serde_json::Value;

use super::model::{Escape, Piece};

/// Nesting of a JSON body that is written as a value; parsers have limits of their own.
const MAX_JSON_DEPTH: usize = 40;

/// How a language is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Columns of a line, as far as it can be broken.
    pub columns: usize,
    /// Columns of one step to the right.
    pub indent: usize,
    /// What stands inside the braces of a dictionary on one line.
    pub brace: &'static str,
    /// Whether a dictionary at the end of a call opens on the line of the call.
    pub hugs: bool,
}

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
    pub fn layout(&self, style: &Style, indent: usize, before: usize) -> String {
        let line = self.line(style);
        let breaks = line.len() + indent + before > style.columns;
        if let Some(hugged) = self.hugged(style, indent, before).filter(|_| breaks && style.hugs) {
            return hugged;
        }
        let inner = indent + style.indent;
        let (open, close, members): (String, &str, Vec<String>) = match self {
            Self::List(members) if breaks && !members.is_empty() => {
                ("[".into(), "]", members.iter().map(|member| member.layout(style, inner, 1)).collect())
            }
            Self::Dict(members) if breaks && !members.is_empty() => {
                let member = |(key, value): &(String, Self)| format!("{key}: {}", value.layout(style, inner, key.len() + 3));
                ("{".into(), "}", members.iter().map(member).collect())
            }
            Self::Call(name, arguments) if breaks && !arguments.is_empty() => {
                let argument = |(key, value): &(String, Self)| format!("{key}{}", value.layout(style, inner, key.len() + 1));
                (format!("{name}("), ")", arguments.iter().map(argument).collect())
            }
            _ => return line,
        };
        let pad = " ".repeat(inner);
        let members = members.join(&format!(",\n{pad}"));
        format!("{open}\n{pad}{members},\n{}{close}", " ".repeat(indent))
    }

    /// A call whose last argument is a dictionary that opens on its line, when the other arguments fit there.
    fn hugged(&self, style: &Style, indent: usize, before: usize) -> Option<String> {
        let Self::Call(name, arguments) = self else { return None };
        let ((_, last), others) = arguments.split_last()?;
        let others: Vec<String> = others.iter().map(|(key, value)| format!("{key}{}, ", value.line(style))).collect();
        let start = format!("{name}({}", others.concat());
        let is_open = matches!(last, Self::Dict(members) if !members.is_empty());
        (is_open && before + indent + start.len() < style.columns)
            .then(|| format!("{start}{})", last.layout(style, indent, style.columns)))
    }

    /// The expression on one line.
    fn line(&self, style: &Style) -> String {
        let joined = |members: Vec<String>| members.join(", ");
        match self {
            Self::Atom(text) => text.clone(),
            Self::List(members) => format!("[{}]", joined(members.iter().map(|member| member.line(style)).collect())),
            Self::Dict(members) => {
                let member = |(key, value): &(String, Self)| format!("{key}: {}", value.line(style));
                let (brace, members) = (style.brace, joined(members.iter().map(member).collect()));
                if members.is_empty() { "{}".to_owned() } else { format!("{{{brace}{members}{brace}}}") }
            }
            Self::Call(name, arguments) => {
                let argument = |(key, value): &(String, Self)| format!("{key}{}", value.line(style));
                format!("{name}({})", joined(arguments.iter().map(argument).collect()))
            }
        }
    }
}

/// What a language says about the parts of a JSON body.
pub(super) trait JsonWriter {
    /// The captured value of that name.
    fn seen(&self, name: &str) -> Option<&Value>;

    /// A key of a dictionary; none when the language would not send it as it is.
    fn key(&self, key: &str) -> Option<String>;

    /// A scalar; none when the language would write it otherwise.
    fn scalar(&self, scalar: &Value) -> Option<String>;

    /// Text made of pieces, which are not escaped.
    fn text(&mut self, pieces: &[Piece]) -> String;

    /// The captured number or boolean of that name.
    fn variable(&mut self, name: &str) -> String;
}

/// A JSON body of at most `max` bytes as a value, when the compact JSON of that value has exactly these bytes.
pub(super) fn json(pieces: &[Piece], max: usize, writer: &mut dyn JsonWriter) -> Option<Expression> {
    let mut text = String::new();
    for (idx, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(fixed) if fixed.contains(['\u{e000}', '\u{e001}']) => return None,
            Piece::Text(fixed) => text.push_str(fixed),
            Piece::Captured { name, escape: Escape::Plain } if writer.seen(name).is_some_and(|seen| !seen.is_string()) => {
                text.extend(["\"\u{e000}", &idx.to_string(), "\u{e001}\""]);
            }
            Piece::Captured { escape: Escape::JsonString, .. } => {
                text.extend(["\u{e000}", &idx.to_string(), "\u{e001}"]);
            }
            Piece::Captured { .. } => return None,
        }
    }
    let value: Value = serde_json::from_str(&text).ok().filter(|_| text.len() <= max)?;
    if serde_json::to_string(&value).ok()? != text {
        return None;
    }
    json_value(&value, pieces, 0, writer)
}

fn json_value(value: &Value, pieces: &[Piece], depth: usize, writer: &mut dyn JsonWriter) -> Option<Expression> {
    if depth > MAX_JSON_DEPTH {
        return None;
    }
    Some(match value {
        Value::Array(members) => {
            let members = members.iter().map(|member| json_value(member, pieces, depth + 1, writer));
            Expression::List(members.collect::<Option<_>>()?)
        }
        Value::Object(members) => {
            let mut entries = Vec::new();
            for (key, member) in members {
                if key.contains('\u{e000}') {
                    return None;
                }
                entries.push((writer.key(key)?, json_value(member, pieces, depth + 1, writer)?));
            }
            Expression::Dict(entries)
        }
        Value::String(text) if text.contains('\u{e000}') => Expression::Atom(json_text(text, pieces, writer)?),
        scalar => Expression::Atom(writer.scalar(scalar)?),
    })
}

/// A JSON string with captured values in it; a lone number or boolean stands for itself.
fn json_text(text: &str, pieces: &[Piece], writer: &mut dyn JsonWriter) -> Option<String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((fixed, after)) = rest.split_once('\u{e000}') {
        let (idx, after) = after.split_once('\u{e001}')?;
        if !fixed.is_empty() {
            parts.push(Piece::Text(fixed.to_owned()));
        }
        // Writing the value as JSON does the escaping that the piece asks for.
        let Piece::Captured { name, escape } = pieces.get(idx.parse::<usize>().ok()?)? else { return None };
        if *escape == Escape::Plain {
            return Some(writer.variable(name));
        }
        parts.push(Piece::Captured { name: name.clone(), escape: Escape::Plain });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Piece::Text(rest.to_owned()));
    }
    Some(writer.text(&parts))
}
