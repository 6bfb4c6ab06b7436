//! Requests of a test as pieces: what is fixed, and what comes from earlier answers.
//!
//! An action is rendered a second time with a sentinel in the place of each linked value, and the rendered text is
//! split at the sentinels. The pieces are used only where, with the values seen in the run, they give the request that
//! was really sent; anything else (a violation over a linked value, say) is written literally.

use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::action::Request;
use crate::api::MediaKind;

use super::model::{Escape, Piece, TestBody};

/// A linked value of one request.
#[derive(Debug, Clone)]
pub(super) struct LinkedValue {
    /// Text that stands for the value in the second rendering: letters and digits only.
    pub sentinel: String,
    /// Variable that holds the value in the test.
    pub name: String,
    /// The value seen in the run.
    pub seen: Value,
    /// Whether it is sent as it came, whatever is in it.
    pub is_verbatim: bool,
}

impl LinkedValue {
    /// The sentinel for the link at that position; none is a part of another.
    pub fn sentinel(position: usize) -> String {
        format!("restivelink{position}q0x")
    }
}

/// A request cut into pieces.
#[derive(Debug)]
pub(super) struct LinkedRequest {
    /// Path below the base URL with query.
    pub url: Vec<Piece>,
    /// Header fields.
    pub headers: Vec<(String, Vec<Piece>)>,
    /// Body.
    pub body: Option<TestBody>,
}

impl LinkedRequest {
    /// `sent` with the values of `values` taken out, by way of `rendered`, the same with sentinels.
    pub fn new(sent: &Request, rendered: &Request, values: &[LinkedValue]) -> Self {
        let cut = Cut { values };
        let url = cut.pieces(&sent.url, &rendered.url, &[Escape::Url]);
        let same_fields = sent.headers.iter().map(|field| &field.0).eq(rendered.headers.iter().map(|field| &field.0));
        let headers = sent.headers.iter().enumerate().map(|(idx, (name, value))| {
            let other = if same_fields { &rendered.headers[idx].1 } else { value };
            (name.clone(), cut.field(name, value, other))
        });
        let headers = headers.collect();
        let body = sent.body.as_ref().map(|body| cut.body(body, rendered.body.as_deref(), content_kind(sent)));
        Self { url, headers, body }
    }
}

fn content_kind(request: &Request) -> MediaKind {
    let content_type = request.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    content_type.map_or(MediaKind::Text, |(_, value)| MediaKind::of(value))
}

/// The kind of the body that those header fields announce.
pub(super) fn media_kind<'f>(mut fields: impl Iterator<Item = (&'f str, &'f [Piece])>) -> MediaKind {
    match fields.find(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        Some((_, [Piece::Text(media_type)])) => MediaKind::of(media_type),
        _ => MediaKind::Text,
    }
}

struct Cut<'a> {
    values: &'a [LinkedValue],
}

impl Cut<'_> {
    /// `rendered` split at the sentinels with the first of `escapes` that gives `sent`; else `sent` as it is.
    fn pieces(&self, sent: &str, rendered: &str, escapes: &[Escape]) -> Vec<Piece> {
        let escape_of = |value: &LinkedValue, escape: &Escape| if value.is_verbatim { Escape::Plain } else { *escape };
        let candidates = escapes.iter().map(|escape| self.split(rendered, |value| escape_of(value, escape)));
        candidates
            .into_iter()
            .find(|pieces| same_text(&self.fill(pieces), sent))
            .unwrap_or_else(|| vec![Piece::Text(sent.to_owned())])
    }

    /// A header field must come out as it was sent to the last byte: nothing decodes it.
    fn field(&self, name: &str, sent: &str, rendered: &str) -> Vec<Piece> {
        let is_cookie = name.eq_ignore_ascii_case("cookie");
        let escapes = if is_cookie { [Escape::Url, Escape::Plain] } else { [Escape::Plain, Escape::Url] };
        let pieces = self.pieces(sent, rendered, &escapes);
        if self.fill(&pieces) == sent { pieces } else { vec![Piece::Text(sent.to_owned())] }
    }

    fn body(&self, sent: &[u8], rendered: Option<&[u8]>, kind: MediaKind) -> TestBody {
        let Ok(sent) = str::from_utf8(sent) else { return TestBody::Bytes(sent.to_vec()) };
        let Some(rendered) = rendered.and_then(|body| str::from_utf8(body).ok()) else {
            return TestBody::Text(vec![Piece::Text(sent.to_owned())]);
        };
        TestBody::Text(match kind {
            MediaKind::Json => self.json(sent, rendered),
            MediaKind::Form => self.pieces(sent, rendered, &[Escape::Url, Escape::Plain]),
            MediaKind::Xml => self.pieces(sent, rendered, &[Escape::Xml, Escape::Plain]),
            MediaKind::Multipart | MediaKind::Text | MediaKind::Binary => self.pieces(sent, rendered, &[Escape::Plain]),
        })
    }

    /// In JSON a value stands with quotes or without, by the type that the place wants.
    fn json(&self, sent: &str, rendered: &str) -> Vec<Piece> {
        let pieces = self.split(rendered, |_| Escape::JsonString);
        self.json_places(&pieces, sent).unwrap_or_else(|| vec![Piece::Text(sent.to_owned())])
    }

    /// `pieces` with those captures bare, and without the quotes around them, that are so in `sent`; none when the
    /// pieces do not give `sent`.
    fn json_places(&self, pieces: &[Piece], sent: &str) -> Option<Vec<Piece>> {
        let mut placed = Vec::new();
        let mut rest = sent;
        let mut after_bare = false;
        for (idx, piece) in pieces.iter().enumerate() {
            let Piece::Text(text) = piece else {
                if !std::mem::take(&mut after_bare) {
                    rest = rest.strip_prefix(self.fill_piece(piece).as_str())?;
                    placed.push(piece.clone());
                }
                continue;
            };
            let text = if idx > 0 && matches!(placed.last(), Some(Piece::Captured { escape: Escape::Plain, .. })) {
                text.strip_prefix('"')?
            } else {
                text
            };
            let whole_string = matches!(pieces.get(idx + 2), Some(Piece::Text(next)) if next.starts_with('"'));
            match (pieces.get(idx + 1), text.strip_suffix('"').filter(|_| whole_string)) {
                (Some(Piece::Captured { name, .. }), Some(head)) if !self.quoted_in(rest, text, &pieces[idx + 1]) => {
                    let bare = Piece::Captured { name: name.clone(), escape: Escape::Plain };
                    rest = rest.strip_prefix(head)?.strip_prefix(self.fill_piece(&bare).as_str())?;
                    placed.extend([Piece::Text(head.to_owned()), bare]);
                    after_bare = true;
                }
                _ => {
                    rest = rest.strip_prefix(text)?;
                    placed.push(Piece::Text(text.to_owned()));
                }
            }
        }
        rest.is_empty().then_some(placed)
    }

    /// Whether `sent` goes on with `text`, which ends in a quote, the captured value and a quote.
    fn quoted_in(&self, sent: &str, text: &str, captured: &Piece) -> bool {
        sent.strip_prefix(text)
            .and_then(|rest| rest.strip_prefix(self.fill_piece(captured).as_str()))
            .is_some_and(|rest| rest.starts_with('"'))
    }

    /// `text` split at every sentinel.
    fn split(&self, text: &str, escape: impl Fn(&LinkedValue) -> Escape) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((start, value)) = self.first_sentinel(rest) {
            if start > 0 {
                pieces.push(Piece::Text(rest[..start].to_owned()));
            }
            pieces.push(Piece::Captured { name: value.name.clone(), escape: escape(value) });
            rest = &rest[start + value.sentinel.len()..];
        }
        if !rest.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        pieces
    }

    fn first_sentinel(&self, text: &str) -> Option<(usize, &LinkedValue)> {
        let found = self.values.iter().filter_map(|value| Some((text.find(&value.sentinel)?, value)));
        found.min_by_key(|(start, _)| *start)
    }

    /// The text that `pieces` give with the values seen.
    fn fill(&self, pieces: &[Piece]) -> String {
        pieces.iter().map(|piece| self.fill_piece(piece)).collect()
    }

    fn fill_piece(&self, piece: &Piece) -> String {
        match piece {
            Piece::Text(text) => text.clone(),
            Piece::Captured { name, escape } => {
                let seen = self.values.iter().find(|value| value.name == *name).map(|value| scalar_text(&value.seen));
                escape.apply(&seen.unwrap_or_default())
            }
        }
    }
}

/// Texts that are equal once decoded: a renderer may leave more characters as they are than a test does, and write a
/// space as `+`.
fn same_text(filled: &str, sent: &str) -> bool {
    filled == sent || percent_decode_str(&filled.replace('+', " ")).eq(percent_decode_str(&sent.replace('+', " ")))
}

/// A scalar as text: strings as they are, the rest as in JSON.
pub(super) fn scalar_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Escape {
    /// `text` as it is written at such a place.
    pub fn apply(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Url => text.bytes().fold(String::new(), |encoded, byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded + &char::from(byte).to_string(),
                _ => encoded + &format!("%{byte:02X}"),
            }),
            Self::JsonString => {
                let quoted = Value::from(text).to_string();
                quoted[1..quoted.len() - 1].to_owned()
            }
            Self::Xml => {
                let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                escaped.replace('"', "&quot;").replace('\'', "&apos;")
            }
        }
    }
}

#[cfg(test)]
mod tests;
