//! Bodies of type `application/x-www-form-urlencoded`.

use serde_json::Value;

use crate::api::{Api, Body, MediaKind, Style};

use super::body::{json_text, text_as};
use super::escape::Escape;
use super::schema_at;
use super::style::{Encoding, plain_text};
use super::xml;

/// The fields of `value` as form text: by the field's `encoding`, else arrays repeat the field and objects are JSON text
/// (OpenAPI 3.0.3, "Support for x-www-form-urlencoded Request Bodies"). A value that is no object is one escaped text.
pub(super) fn text(api: &Api, body: &Body, value: &Value) -> String {
    let Value::Object(fields) = value else {
        return Escape::Reserved.of(&plain_text(value));
    };
    let pairs = fields.iter().flat_map(|(name, inner)| field_pairs(api, (body, value), name, inner));
    pairs.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

/// The pairs of the field `name` with `value`, of a body with a whole value.
fn field_pairs(api: &Api, (body, whole): (&Body, &Value), name: &str, value: &Value) -> Vec<(String, String)> {
    let documented = body.encoding.get(name);
    let mut encoding = Encoding { name, style: Style::Form, explode: true, escape: Escape::Reserved };
    if let Some(documented) = documented {
        encoding.style = documented.style;
        encoding.explode = documented.explode;
        if documented.allow_reserved {
            encoding.escape = Escape::KeepReserved;
        }
    }
    let media_type = documented.and_then(|documented| documented.content_type.as_deref());
    match (value, media_type) {
        (Value::Object(_) | Value::Array(_), Some(media_type)) if MediaKind::of(media_type) == MediaKind::Xml => {
            let text = match schema_at::field(&api.schemas, body.schema, whole, name) {
                Some(schema) => xml::document(&api.schemas, schema, name, value),
                None => text_as(media_type, value),
            };
            encoding.pairs(&text.into())
        }
        (Value::Object(_) | Value::Array(_), Some(media_type)) => encoding.pairs(&text_as(media_type, value).into()),
        (Value::Object(_), None) if documented.is_none() => encoding.pairs(&json_text(value).into()),
        _ => encoding.pairs(value),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{api_with, body_of, object_of};
    use super::text;
    use crate::api::{Api, Body, PartEncoding, Schema, SchemaId, SchemaKind, Style};

    fn form() -> Body {
        body_of("application/x-www-form-urlencoded", SchemaId(0))
    }

    #[test]
    fn fields_are_escaped_and_joined() {
        assert_eq!(
            text(&Api::default(), &form(), &json!({"a b": "x&y=z", "n": 7, "none": null, "e": ""})),
            "a%20b=x%26y%3Dz&n=7&e="
        );
        assert_eq!(text(&Api::default(), &form(), &json!({})), "");
        assert_eq!(text(&Api::default(), &form(), &json!("a=b")), "a%3Db");
    }

    #[test]
    fn arrays_repeat_the_field_and_objects_are_json() {
        assert_eq!(text(&Api::default(), &form(), &json!({"t": ["a", "b"], "o": {"x": 1}})), "t=a&t=b&o=%7B%22x%22%3A1%7D");
    }

    #[test]
    fn an_encoding_decides_how_a_field_is_written() {
        let mut body = form();
        let encoding = |style, explode, content_type: Option<&str>| PartEncoding {
            content_type: content_type.map(str::to_owned),
            style,
            explode,
            allow_reserved: false,
            headers: Vec::new(),
        };
        body.encoding.insert("deep".to_owned(), encoding(Style::DeepObject, true, None));
        body.encoding.insert("pipes".to_owned(), encoding(Style::PipeDelimited, false, None));
        body.encoding.insert("json".to_owned(), encoding(Style::Form, true, Some("application/json")));
        let value = json!({"deep": {"a": {"b": 1}, "c": ["x"]}, "pipes": [1, 2], "json": [1, 2]});
        assert_eq!(
            text(&Api::default(), &body, &value),
            "deep%5Ba%5D%5Bb%5D=1&deep%5Bc%5D%5B%5D=x&pipes=1%7C2&json=%5B1%2C2%5D"
        );
    }

    #[test]
    fn a_field_that_is_documented_as_xml_is_written_as_xml() {
        let (mut api, any) = api_with(Schema::new(SchemaKind::Any));
        let meta = api.schemas.push(object_of(&[("k", any)]));
        let root = api.schemas.push(object_of(&[("meta", meta)]));
        let mut body = body_of("application/x-www-form-urlencoded", root);
        let content_type = Some("application/xml".to_owned());
        let encoding =
            PartEncoding { content_type, style: Style::Form, explode: true, allow_reserved: false, headers: Vec::new() };
        body.encoding.insert("meta".to_owned(), encoding);
        let sent = text(&api, &body, &json!({"meta": {"k": "<"}}));
        let sent = percent_encoding::percent_decode_str(&sent).decode_utf8().expect("text");
        assert_eq!(sent, "meta=<?xml version=\"1.0\" encoding=\"UTF-8\"?><meta><k>&lt;</k></meta>");
    }
}
