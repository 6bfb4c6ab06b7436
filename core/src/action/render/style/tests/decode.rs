//! The way back from each style, where the text tells members and fields apart.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::api::Style;

fn decoded(text: &str) -> Value {
    Value::from(percent_decode_str(text).decode_utf8().expect("UTF-8").into_owned())
}

fn name(text: &str) -> String {
    percent_decode_str(text).decode_utf8().expect("UTF-8").into_owned()
}

/// The text without what the style puts before a value that is not exploded.
fn stripped(style: Style, text: &str) -> &str {
    match style {
        Style::Matrix => {
            let text = text.strip_prefix(";color").expect("a matrix parameter starts with its name");
            text.strip_prefix('=').unwrap_or(text)
        }
        Style::Label => text.strip_prefix('.').expect("a label starts with a dot"),
        _ => text,
    }
}

pub(super) fn scalar(style: Style, text: &str) -> Value {
    decoded(stripped(style, text))
}

pub(super) fn array(style: Style, explode: bool, text: &str) -> Value {
    match style {
        Style::Matrix if explode => {
            text[1..].split(';').map(|pair| decoded(pair.split_once('=').map_or("", |pair| pair.1))).collect()
        }
        Style::Label if explode => stripped(style, text).split('.').map(decoded).collect(),
        _ => stripped(style, text).split(',').map(decoded).collect(),
    }
}

pub(super) fn object(style: Style, explode: bool, text: &str) -> Value {
    let (text, between) = match style {
        Style::Matrix if explode => (&text[1..], ";"),
        Style::Label if explode => (stripped(style, text), "."),
        _ => (stripped(style, text), ","),
    };
    fields(text, between, explode)
}

fn fields(text: &str, between: &str, explode: bool) -> Value {
    if explode {
        text.split(between)
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .map(|pair| (name(pair.0), decoded(pair.1)))
            .collect()
    } else {
        let pieces: Vec<&str> = text.split(between).collect();
        pieces.chunks(2).map(|pair| (name(pair[0]), decoded(pair[1]))).collect()
    }
}

fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').map(|pair| pair.split_once('=').expect("each pair has an equals sign"))
}

fn delimiter(style: Style) -> &'static str {
    match style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        Style::TabDelimited => "%09",
        _ => ",",
    }
}

pub(super) fn query_scalar(query: &str) -> Value {
    decoded(pairs(query).next().expect("one pair").1)
}

pub(super) fn query_array(style: Style, explode: bool, query: &str) -> Value {
    if explode || style == Style::DeepObject {
        pairs(query).map(|pair| decoded(pair.1)).collect()
    } else {
        pairs(query).next().expect("one pair").1.split(delimiter(style)).map(decoded).collect()
    }
}

pub(super) fn query_object(style: Style, explode: bool, query: &str) -> Value {
    if style == Style::DeepObject {
        let field =
            |key: &str| name(key).strip_prefix("color[").and_then(|key| key.strip_suffix(']')).expect("brackets").to_owned();
        return pairs(query).map(|pair| (field(pair.0), decoded(pair.1))).collect::<Map<_, _>>().into();
    }
    if explode {
        return pairs(query).map(|pair| (name(pair.0), decoded(pair.1))).collect();
    }
    fields(pairs(query).next().expect("one pair").1, delimiter(style), false)
}
