//! Bodies of type `multipart/form-data` and its kind (RFC 7578).

use std::fmt::Write;
use std::iter;

use serde_json::Value;

use crate::api::{Api, Body, MediaKind, SchemaId, SchemaKind};

use super::body::text_as;
use super::header::{field_value, is_media_type};
use super::schema_at;
use super::style::plain_text;
use super::xml;

/// Start of the boundary; a number follows when the content has it.
const BOUNDARY: &str = "restive-part-boundary";

/// What files are called and said to be, by the fields in which they are sent; a field that has none here says itself what
/// its file is.
#[derive(Debug, Default)]
pub(super) struct Labels<'a> {
    pub(super) names: Vec<(&'a str, String)>,
    pub(super) types: Vec<(&'a str, String)>,
}

/// A file that is sent as a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// The field it is sent in.
    pub field: String,
    /// What it is called; none where a parameter says so.
    pub file_name: Option<String>,
    /// Its media type; none where a parameter says so.
    pub media_type: Option<String>,
}

/// One part of the body.
struct Part {
    name: String,
    file_name: Option<String>,
    media_type: Option<String>,
    headers: Vec<(String, String)>,
    content: String,
}

/// The boundary, which does not occur in the content, and the body.
///
/// Each field is a part and each member of an array one of the same name; bytes are files, objects are JSON. A value
/// that is no object is sent as one part named `file` or `value`.
pub(super) fn bytes(api: &Api, body: &Body, value: &Value, labels: &Labels<'_>) -> (String, Vec<u8>) {
    let mut parts = parts(api, body, value);
    for part in &mut parts {
        part.label(labels);
    }
    let boundary = free_boundary(&parts);
    let mut text = String::new();
    for part in &parts {
        part.write(&boundary, &mut text).expect("writing to a string does not fail");
    }
    text.push_str("--");
    text.push_str(&boundary);
    text.push_str("--\r\n");
    (boundary, text.into_bytes())
}

/// The files among the parts, each field once.
pub(super) fn uploads(api: &Api, body: &Body, value: &Value, labels: &Labels<'_>) -> Vec<Upload> {
    let mut uploads = Vec::new();
    for part in parts(api, body, value).into_iter().filter(|part| part.file_name.is_some()) {
        let is_said = |said: &[(&str, String)]| said.iter().any(|(name, _)| *name == part.name);
        let file_name = part.file_name.filter(|_| !is_said(&labels.names));
        let media_type = part.media_type.filter(|_| !is_said(&labels.types));
        if uploads.iter().all(|upload: &Upload| upload.field != part.name) {
            uploads.push(Upload { field: part.name, file_name, media_type });
        }
    }
    uploads
}

impl Part {
    /// Is called, and said to be, what `labels` say where it is a file.
    fn label(&mut self, labels: &Labels<'_>) {
        let said = |said: &[(&str, String)]| said.iter().find(|(name, _)| *name == self.name).map(|(_, text)| text.clone());
        let (name, media_type) = (said(&labels.names), said(&labels.types));
        if self.file_name.is_some() {
            self.file_name = name.or_else(|| self.file_name.take());
            self.media_type = media_type.map(|text| field_value(&text)).or_else(|| self.media_type.take());
        }
    }

    fn write(&self, boundary: &str, text: &mut String) -> std::fmt::Result {
        write!(text, "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", quoted(&self.name))?;
        if let Some(file_name) = &self.file_name {
            write!(text, "; filename=\"{}\"", quoted(file_name))?;
        }
        if let Some(media_type) = &self.media_type {
            write!(text, "\r\nContent-Type: {media_type}")?;
        }
        for (name, value) in &self.headers {
            write!(text, "\r\n{name}: {value}")?;
        }
        write!(text, "\r\n\r\n{}\r\n", self.content)
    }
}

fn parts(api: &Api, body: &Body, value: &Value) -> Vec<Part> {
    let Value::Object(fields) = value else {
        let name = if is_bytes(api, Some(body.schema)) { "file" } else { "value" };
        return vec![part(api, body, name, (Some(body.schema), value))];
    };
    let mut parts = Vec::new();
    for (name, inner) in fields {
        let schema = schema_at::field(&api.schemas, body.schema, value, name);
        match inner {
            Value::Null => {}
            Value::Array(members) => {
                let schema = schema.and_then(|schema| schema_at::items(&api.schemas, schema, inner));
                parts.extend(members.iter().map(|member| part(api, body, name, (schema, member))));
            }
            _ => parts.push(part(api, body, name, (schema, inner))),
        }
    }
    parts
}

fn part(api: &Api, body: &Body, name: &str, (schema, value): (Option<SchemaId>, &Value)) -> Part {
    let documented = body.encoding.get(name).and_then(|encoding| encoding.content_type.as_deref()).and_then(concrete_type);
    let is_container = value.is_object() || value.is_array();
    let is_file = !is_container
        && (is_bytes(api, schema) || documented.is_some_and(|media_type| MediaKind::of(media_type) == MediaKind::Binary));
    let media_type = match documented {
        None if is_file => Some("application/octet-stream"),
        None if is_container => Some("application/json"),
        documented => documented,
    };
    let content = match media_type {
        Some(media_type) if MediaKind::of(media_type) == MediaKind::Xml && is_container => match schema {
            Some(schema) => xml::document(&api.schemas, schema, name, value),
            None => text_as(media_type, value),
        },
        Some(media_type) if !is_file => text_as(media_type, value),
        _ => plain_text(value),
    };
    let headers = body.encoding.get(name).map(|encoding| encoding.headers.clone()).unwrap_or_default();
    let file_name = is_file.then(|| format!("{name}.{}", extension(media_type.unwrap_or_default())));
    Part { name: name.to_owned(), file_name, media_type: media_type.map(str::to_owned), headers, content }
}

/// Whether the schema describes the content of a file.
fn is_bytes(api: &Api, schema: Option<SchemaId>) -> bool {
    schema.is_some_and(|id| match &api.schemas.at(id).kind {
        SchemaKind::String(schema) => schema.format.as_deref() == Some("binary"),
        _ => false,
    })
}

/// The first usable media type of a documented list; a wildcard stands for its most common member.
fn concrete_type(list: &str) -> Option<&str> {
    let media_type = list.split(',').map(str::trim).find(|media_type| is_media_type(media_type))?;
    Some(match media_type {
        "image/*" => "image/png",
        "audio/*" => "audio/mpeg",
        "video/*" => "video/mp4",
        "text/*" => "text/plain",
        "application/*" | "*/*" => "application/octet-stream",
        other => other,
    })
}

/// File name extension for a media type; some services look at it.
fn extension(media_type: &str) -> &'static str {
    match media_type.split(';').next().unwrap_or_default().trim() {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "audio/mpeg" => "mp3",
        "video/mp4" => "mp4",
        "application/pdf" => "pdf",
        "application/zip" => "zip",
        _ => "bin",
    }
}

/// A boundary that occurs in no part.
fn free_boundary(parts: &[Part]) -> String {
    let occurs = |boundary: &str| parts.iter().any(|part| part.content.contains(boundary) || part.name.contains(boundary));
    let numbered = (1..).map(|number| format!("{BOUNDARY}-{number}"));
    iter::once(BOUNDARY.to_owned())
        .chain(numbered)
        .find(|boundary| !occurs(boundary))
        .expect("content of finite length lacks some numbered boundary")
}

/// A name inside quotes, as HTML forms escape it.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{api_with, body_of, object_of};
    use super::{BOUNDARY, Labels, Upload, bytes, concrete_type, uploads};
    use crate::api::{ArraySchema, PartEncoding, Schema, SchemaKind, StringSchema, Style};

    fn file() -> Schema {
        Schema::new(SchemaKind::String(StringSchema { format: Some("binary".to_owned()), ..StringSchema::default() }))
    }

    #[test]
    fn fields_files_and_objects_are_parts() {
        let (mut api, file) = api_with(file());
        let any = api.schemas.push(Schema::new(SchemaKind::Any));
        let files = api.schemas.push(Schema::new(SchemaKind::Array(ArraySchema {
            items: file,
            min_items: 0,
            max_items: None,
            unique: false,
        })));
        let root = api.schemas.push(object_of(&[("name", any), ("photos", files), ("meta", any)]));
        let value = json!({"name": "a\"b", "photos": ["x", "y"], "meta": {"k": 1}, "gone": null});
        let (boundary, bytes) = bytes(&api, &body_of("multipart/form-data", root), &value, &Labels::default());
        assert_eq!(boundary, BOUNDARY);
        let expected = "--B\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\na\"b\r\n\
             --B\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"photos.bin\"\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n\
             --B\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"photos.bin\"\r\nContent-Type: application/octet-stream\r\n\r\ny\r\n\
             --B\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"k\":1}\r\n--B--\r\n";
        assert_eq!(String::from_utf8(bytes).expect("text"), expected.replace("--B", &format!("--{BOUNDARY}")));
    }

    #[test]
    fn a_file_is_called_what_its_label_says() {
        let (mut api, file) = api_with(file());
        let any = api.schemas.push(Schema::new(SchemaKind::Any));
        let body = body_of("multipart/form-data", api.schemas.push(object_of(&[("plan", file), ("note", any)])));
        let value = json!({"plan": "x", "note": "y"});
        let mut labels = Labels::default();
        let octets = Some("application/octet-stream".to_owned());
        let usual = Upload { field: "plan".to_owned(), file_name: Some("plan.bin".to_owned()), media_type: octets };
        assert_eq!(uploads(&api, &body, &value, &labels), [usual]);
        labels.names.extend([("plan", "a\"b.csv".to_owned()), ("note", "c".to_owned())]);
        labels.types.push(("plan", "text/csv".to_owned()));
        let text = String::from_utf8(bytes(&api, &body, &value, &labels).1).expect("text");
        assert!(text.contains("name=\"plan\"; filename=\"a%22b.csv\"\r\nContent-Type: text/csv\r\n\r\nx"), "{text}");
        assert!(text.contains("name=\"note\"\r\n\r\ny"), "what is no file has no name: {text}");
        let chosen = Upload { field: "plan".to_owned(), file_name: None, media_type: None };
        assert_eq!(uploads(&api, &body, &value, &labels), [chosen]);
    }

    #[test]
    fn the_boundary_never_occurs_in_the_content() {
        let (api, any) = api_with(Schema::new(SchemaKind::Any));
        let value = json!({"a": BOUNDARY, "b": format!("x{BOUNDARY}-1")});
        assert_eq!(bytes(&api, &body_of("multipart/form-data", any), &value, &Labels::default()).0, format!("{BOUNDARY}-2"));
    }

    #[test]
    fn a_documented_type_makes_a_file_with_a_fitting_name() {
        let (api, any) = api_with(Schema::new(SchemaKind::Any));
        let mut body = body_of("multipart/form-data", any);
        let encoding = PartEncoding {
            content_type: Some("image/*, image/png".to_owned()),
            style: Style::Form,
            explode: true,
            allow_reserved: false,
            headers: vec![("X-Kind".to_owned(), "a b".to_owned())],
        };
        body.encoding.insert("photo".to_owned(), encoding);
        let text = String::from_utf8(bytes(&api, &body, &json!({"photo": "x"}), &Labels::default()).1).expect("text");
        assert!(
            text.contains("name=\"photo\"; filename=\"photo.png\"\r\nContent-Type: image/png\r\nX-Kind: a b\r\n\r\nx\r\n"),
            "{text}"
        );
    }

    #[test]
    fn an_object_that_is_documented_as_xml_is_written_as_xml() {
        let (mut api, any) = api_with(Schema::new(SchemaKind::Any));
        let meta = api.schemas.push(object_of(&[("k", any)]));
        let root = api.schemas.push(object_of(&[("meta", meta)]));
        let mut body = body_of("multipart/form-data", root);
        let content_type = Some("application/xml".to_owned());
        let encoding =
            PartEncoding { content_type, style: Style::Form, explode: true, allow_reserved: false, headers: Vec::new() };
        body.encoding.insert("meta".to_owned(), encoding);
        let text = String::from_utf8(bytes(&api, &body, &json!({"meta": {"k": "<"}}), &Labels::default()).1).expect("text");
        let expected =
            "Content-Type: application/xml\r\n\r\n<?xml version=\"1.0\" encoding=\"UTF-8\"?><meta><k>&lt;</k></meta>\r\n";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn names_cannot_leave_their_quotes() {
        let (api, any) = api_with(Schema::new(SchemaKind::Any));
        let text = String::from_utf8(
            bytes(&api, &body_of("multipart/form-data", any), &json!({"a\"\r\nX: 1": "x"}), &Labels::default()).1,
        );
        assert!(text.expect("text").contains("name=\"a%22%0D%0AX: 1\"\r\n\r\n"));
    }

    #[test]
    fn values_that_are_no_object_are_one_part() {
        let (api, file) = api_with(file());
        let text = String::from_utf8(bytes(&api, &body_of("multipart/form-data", file), &json!("x"), &Labels::default()).1)
            .expect("text");
        assert!(text.contains("name=\"file\"; filename=\"file.bin\""), "{text}");
        assert_eq!(concrete_type("nonsense, text/*"), Some("text/plain"));
    }
}
