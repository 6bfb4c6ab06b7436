//! The body of a request by media type.

use serde_json::Value;

use crate::api::{Api, Body, MediaKind, SchemaKind};

use super::form;
use super::header::is_media_type;
use super::multipart::{self, Labels};
use super::style::plain_text;
use super::xml;

/// `Content-Type` and bytes of `value` sent as `body`, with `labels` on the files in it.
pub(super) fn content(api: &Api, body: &Body, value: &Value, labels: &Labels<'_>) -> (String, Vec<u8>) {
    let (media_type, kind) = sent_type(api, body);
    match kind {
        MediaKind::Json => (media_type, json_text(value).into_bytes()),
        MediaKind::Form => (media_type, form::text(api, body, value).into_bytes()),
        MediaKind::Multipart => {
            let (boundary, bytes) = multipart::bytes(api, body, value, labels);
            (format!("{media_type}; boundary={boundary}"), bytes)
        }
        MediaKind::Xml => {
            let root = xml::root_name(&body.json_schema);
            (media_type, xml::document(&api.schemas, body.schema, &root, value).into_bytes())
        }
        MediaKind::Text | MediaKind::Binary => (media_type, plain_text(value).into_bytes()),
    }
}

/// `value` serialised as `media_type`, for a parameter or part that is described by its content.
pub(super) fn text_as(media_type: &str, value: &Value) -> String {
    match MediaKind::of(media_type) {
        MediaKind::Json => json_text(value),
        _ => plain_text(value),
    }
}

/// JSON text with the fields in the order of the value.
pub(super) fn json_text(value: &Value) -> String {
    value.to_string()
}

/// The media type that is really sent, without a wildcard or a boundary of the document's own, and its kind.
fn sent_type(api: &Api, body: &Body) -> (String, MediaKind) {
    let documented = body.media_type.trim();
    let essence = documented.split(';').next().unwrap_or_default().trim();
    let is_bytes =
        matches!(&api.schemas.at(body.schema).kind, SchemaKind::String(schema) if schema.format.as_deref() == Some("binary"));
    let fallback = |kind| match kind {
        MediaKind::Json if is_bytes => ("application/octet-stream".to_owned(), MediaKind::Binary),
        MediaKind::Json => ("application/json".to_owned(), kind),
        MediaKind::Form => ("application/x-www-form-urlencoded".to_owned(), kind),
        MediaKind::Multipart => ("multipart/form-data".to_owned(), kind),
        MediaKind::Xml => ("application/xml".to_owned(), kind),
        MediaKind::Text => ("text/plain".to_owned(), kind),
        MediaKind::Binary => ("application/octet-stream".to_owned(), kind),
    };
    if essence.contains('*') || !is_media_type(documented) {
        fallback(body.kind)
    } else if body.kind == MediaKind::Multipart {
        (essence.to_owned(), body.kind)
    } else {
        (documented.to_owned(), body.kind)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{api_with, body_of};
    use super::Labels;
    use crate::api::{Api, Body, Schema, SchemaKind, StringSchema};

    fn content(api: &Api, body: &Body, value: &serde_json::Value) -> (String, Vec<u8>) {
        super::content(api, body, value, &Labels::default())
    }

    #[test]
    fn json_keeps_the_order_of_fields() {
        let (api, id) = api_with(Schema::new(SchemaKind::Any));
        let (media_type, bytes) = content(&api, &body_of("application/vnd.a+json", id), &json!({"z": 1, "a": [null]}));
        assert_eq!(media_type, "application/vnd.a+json");
        assert_eq!(bytes, br#"{"z":1,"a":[null]}"#);
    }

    #[test]
    fn wildcards_become_concrete_types() {
        let (api, id) = api_with(Schema::new(SchemaKind::Any));
        let sent = |media_type| content(&api, &body_of(media_type, id), &json!("x")).0;
        assert_eq!(sent("*/*"), "application/json");
        assert_eq!(sent("application/*"), "application/json");
        assert_eq!(sent("text/*"), "text/plain");
        assert_eq!(sent("image/*"), "application/octet-stream");
        assert_eq!(sent(""), "application/json");
        assert_eq!(sent("a/b\r\nX: 1"), "application/octet-stream");
        assert_eq!(sent("application/json; charset=utf-8"), "application/json; charset=utf-8");
    }

    #[test]
    fn bytes_under_a_wildcard_are_sent_as_they_are() {
        let string = StringSchema { format: Some("binary".to_owned()), ..StringSchema::default() };
        let (api, id) = api_with(Schema::new(SchemaKind::String(string)));
        let (media_type, bytes) = content(&api, &body_of("*/*", id), &json!("x\u{0}"));
        assert_eq!((media_type.as_str(), bytes.as_slice()), ("application/octet-stream", b"x\0".as_slice()));
    }

    #[test]
    fn text_is_sent_without_quotes() {
        let (api, id) = api_with(Schema::new(SchemaKind::Any));
        assert_eq!(content(&api, &body_of("text/plain", id), &json!("a\"b")).1, b"a\"b");
        assert_eq!(content(&api, &body_of("text/csv", id), &json!(7)).1, b"7");
        assert_eq!(content(&api, &body_of("image/png", id), &json!("a\u{e9}")).1, "a\u{e9}".as_bytes());
    }
}
