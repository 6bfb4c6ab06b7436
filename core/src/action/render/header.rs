//! Header fields of a request: parameters, cookies, `Accept`.
//!
//! Values hold visible ASCII and inner blanks only: control characters and characters beyond ASCII are percent-encoded
//! (RFC 9110 5.5 allows no control characters and recommends ASCII), so no value can start a new field; blanks at the
//! ends, which receivers strip, are left out.

use std::fmt::Write;

use crate::api::{MediaKind, Operation};

/// Fields that OpenAPI 3.0.3 ("Parameter Object") says shall be ignored, and those that the HTTP client owns: another
/// value would break the framing of the message or send it elsewhere.
const NOT_SENT: [&str; 14] = [
    "accept",
    "content-type",
    "authorization",
    "connection",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Whether a header parameter of that name is sent.
pub fn is_sendable(name: &str) -> bool {
    is_token(name) && !NOT_SENT.iter().any(|field| name.eq_ignore_ascii_case(field))
}

/// RFC 9110 5.6.2, `token`.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// `text` as it may stand in a header field.
pub(super) fn field_value(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for byte in text.trim_matches([' ', '\t']).bytes() {
        if byte == b' ' || byte.is_ascii_graphic() {
            value.push(char::from(byte));
        } else {
            write!(value, "%{byte:02X}").expect("writing to a string does not fail");
        }
    }
    value
}

/// The `Accept` field: the documented media types, JSON first, the others less wanted; `*/*` when none is documented.
pub(super) fn accept(operation: &Operation) -> String {
    let (mut json, mut others) = (Vec::new(), Vec::new());
    for media in operation.responses.iter().flat_map(|response| &response.media) {
        let media_type = media.media_type.trim();
        let list =
            if MediaKind::of(media_type) == MediaKind::Json && !media_type.contains('*') { &mut json } else { &mut others };
        if is_media_type(media_type) && !list.contains(&media_type) {
            list.push(media_type);
        }
    }
    let weight = if json.is_empty() { "" } else { ";q=0.9" };
    let json = json.into_iter().map(str::to_owned);
    let accepted: Vec<String> = json.chain(others.into_iter().map(|media_type| format!("{media_type}{weight}"))).collect();
    if accepted.is_empty() { "*/*".to_owned() } else { accepted.join(", ") }
}

/// Whether `text` may be sent as a media type: `type/subtype`, parameters after `;`.
pub(super) fn is_media_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default().trim();
    let is_legal = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype)) && text.bytes().all(is_legal)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{operation, with_answers};
    use super::{accept, field_value, is_media_type, is_sendable};

    #[test]
    fn a_value_cannot_start_a_new_field() {
        assert_eq!(field_value("a\r\nX-Evil: 1\0"), "a%0D%0AX-Evil: 1%00");
        assert_eq!(field_value(" \t b\tc \u{e9} \t"), "b%09c %C3%A9");
        assert_eq!(field_value("\u{7f}"), "%7F");
    }

    #[test]
    fn fields_of_the_protocol_are_not_sent() {
        for name in ["Accept", "content-type", "AUTHORIZATION", "Host", "Content-Length", "X Foo", "X:", ""] {
            assert!(!is_sendable(name), "{name}");
        }
        assert!(is_sendable("X-Request-Id") && is_sendable("Accept-Language"));
    }

    #[test]
    fn json_is_wanted_most() {
        assert_eq!(accept(&operation("/")), "*/*");
        assert_eq!(accept(&with_answers(&["text/plain"])), "text/plain");
        assert_eq!(
            accept(&with_answers(&[
                "application/xml",
                "application/json",
                "image/*",
                "application/hal+json",
                "application/json"
            ])),
            "application/json, application/hal+json, application/xml;q=0.9, image/*;q=0.9"
        );
        assert_eq!(accept(&with_answers(&["*/*", "no type", "a/b\r\nX: 1"])), "*/*");
    }

    #[test]
    fn media_types_need_two_tokens() {
        assert!(is_media_type("application/vnd.a.v1+json; charset=utf-8") && is_media_type("*/*"));
        assert!(!is_media_type("json") && !is_media_type("") && !is_media_type("a/b c") && !is_media_type("a/b\n"));
    }
}
