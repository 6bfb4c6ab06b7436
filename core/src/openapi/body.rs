//! Request bodies: `requestBody` of OpenAPI 3, `body` and `formData` parameters of Swagger 2.0.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::parameter::{Parameters, query_style};
use super::paths::{Builder, examples};
use super::reader::Place;
use crate::api::{Additional, Body, MediaKind, ObjectSchema, PartEncoding, Property, Schema, SchemaId, SchemaKind, Style};

/// A schema with its fragment for validation.
type Described = (SchemaId, Value);

impl<'a> Builder<'_, 'a> {
    /// The bodies an operation takes, as alternatives, and whether one must be sent.
    pub(super) fn bodies(&mut self, operation: Place<'a>, parameters: &Parameters<'a>) -> (Vec<Body>, bool) {
        if let Some(place) = self.reader.child(operation, "requestBody") {
            return match self.reader.follow(place) {
                Ok(body) => self.request_body(body),
                Err(reason) => {
                    self.reader.repair(place, format!("{reason}, body left out"));
                    (Vec::new(), false)
                }
            };
        }
        match parameters.body {
            Some(body) => self.swagger_body(operation, body),
            None if !parameters.form.is_empty() => self.swagger_form(operation, &parameters.form),
            None => (Vec::new(), false),
        }
    }

    fn request_body(&mut self, place: Place<'a>) -> (Vec<Body>, bool) {
        let mut bodies: Vec<Body> = Vec::new();
        for (name, media) in self.reader.fields(place, "content") {
            let Some(media_type) = self.sendable(name, media) else { continue };
            if bodies.iter().any(|body| body.media_type == media_type) {
                continue;
            }
            let schema = self.reader.child(media, "schema");
            let mut encoding = self.encodings(media);
            if MediaKind::of(&media_type) == MediaKind::Multipart {
                self.add_media_types(schema, &mut encoding);
            }
            let body = self.body(media_type, schema, examples(self.reader, media));
            bodies.push(Body { encoding, ..body });
        }
        (bodies, place.flag("required") == Some(true))
    }

    /// The media type to send for a key of `content`, none when it names none.
    fn sendable(&self, name: &str, place: Place<'a>) -> Option<String> {
        let name = name.trim();
        let essence = name.split(';').next().unwrap_or_default().trim();
        let is_token = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/');
        let is_named = essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype));
        if name.bytes().any(|byte| !(b' '..=b'~').contains(&byte)) || (!is_named && !essence.is_empty()) {
            self.reader.repair(place, format!("`{name}` is no media type, left out"));
            return None;
        }
        Some(match essence {
            "" | "*/*" | "application/*" => "application/json".to_owned(),
            "text/*" => "text/plain".to_owned(),
            "multipart/*" => "multipart/form-data".to_owned(),
            _ if essence.ends_with("/*") => "application/octet-stream".to_owned(),
            _ => name.to_owned(),
        })
    }

    fn body(&mut self, media_type: String, schema: Option<Place<'a>>, examples: Vec<Value>) -> Body {
        let kind = MediaKind::of(&media_type);
        let (schema, json_schema) = match schema {
            Some(schema) => (self.schemas.id_of(schema), self.reader.fragment(schema)),
            None if matches!(kind, MediaKind::Text | MediaKind::Binary) => (self.text(0), json!({ "type": "string" })),
            None => (self.schemas.any(), json!(true)),
        };
        Body { media_type, kind, schema, json_schema, encoding: BTreeMap::new(), examples }
    }

    fn encodings(&self, media: Place<'a>) -> BTreeMap<String, PartEncoding> {
        let fields = self.reader.fields(media, "encoding").into_iter();
        fields.filter_map(|(name, place)| Some((name.to_owned(), self.encoding(place)?))).collect()
    }

    /// Media types of parts that their schemas name (`contentMediaType`), where no encoding says another.
    fn add_media_types(&self, schema: Option<Place<'a>>, encoding: &mut BTreeMap<String, PartEncoding>) {
        let Some(schema) = schema.and_then(|schema| self.reader.follow(schema).ok()) else { return };
        for (name, property) in self.reader.fields(schema, "properties") {
            let Ok(property) = self.reader.follow(property) else { continue };
            let Some(media_type) = property.text("contentMediaType") else { continue };
            let part = encoding.entry(name.to_owned()).or_insert_with(|| PartEncoding {
                content_type: None,
                style: Style::Form,
                explode: true,
                allow_reserved: false,
                headers: Vec::new(),
            });
            part.content_type.get_or_insert_with(|| media_type.to_owned());
        }
    }

    fn encoding(&self, place: Place<'a>) -> Option<PartEncoding> {
        place.object()?;
        let styles = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];
        let style = place.text("style").filter(|style| styles.contains(style));
        let shaped = json!({
            "contentType": place.text("contentType"),
            "style": style,
            "explode": place.flag("explode").unwrap_or(matches!(style, None | Some("form" | "deepObject"))),
            "allowReserved": place.flag("allowReserved") == Some(true),
        });
        let typed: openapiv3::Encoding = serde_json::from_value(shaped).ok()?;
        Some(PartEncoding {
            content_type: typed.content_type,
            style: typed.style.as_ref().map_or(Style::Form, query_style),
            explode: typed.explode,
            allow_reserved: typed.allow_reserved,
            headers: self.part_headers(place),
        })
    }

    /// Header fields of a part with the first value that each shows; one that must be there and shows none is told.
    fn part_headers(&self, encoding: Place<'a>) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        for (name, place) in self.reader.fields(encoding, "headers") {
            let Ok(header) = self.reader.follow(place) else {
                self.reader.repair(place, format!("header `{name}` of a part left out: its reference leads nowhere"));
                continue;
            };
            let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            // Its media type has a place of its own.
            if !is_name || name.eq_ignore_ascii_case("content-type") {
                continue;
            }
            if let Some(text) = self.shown_text(header) {
                headers.push((name.to_owned(), text));
            } else {
                let action = format!("header `{name}` of a part left out: neither it nor its schema shows a value");
                self.reader.repair(header, action);
            }
        }
        headers
    }

    /// The first value, as text on one line, that a header or its schema shows.
    fn shown_text(&self, header: Place<'a>) -> Option<String> {
        let schema = self.reader.child(header, "schema").and_then(|schema| self.reader.follow(schema).ok());
        let listed = schema.into_iter().flat_map(|schema| {
            let single = ["default", "const"].into_iter().filter_map(move |name| schema.value.get(name));
            let several = ["enum", "examples"].into_iter().filter_map(move |name| schema.value.get(name)?.as_array());
            single.chain(several.flatten())
        });
        let shown: Vec<Value> = examples(self.reader, header);
        let of_schema = schema.map(|schema| examples(self.reader, schema)).unwrap_or_default();
        shown.into_iter().chain(of_schema).chain(listed.cloned()).find_map(|value| match value {
            Value::String(text) => Some(text).filter(|text| text.bytes().all(|byte| (b' '..=b'~').contains(&byte))),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        })
    }

    /// Media types that `consumes` names for the operation or else the document.
    fn consumed(&self, operation: Place<'a>) -> Vec<String> {
        let listed = [operation, self.root].into_iter().find(|place| place.value.get("consumes").is_some());
        let members = listed.map(|place| self.reader.members(place, "consumes")).unwrap_or_default();
        members.into_iter().filter_map(|member| self.sendable(member.value.as_str()?, member)).collect()
    }

    fn swagger_body(&mut self, operation: Place<'a>, place: Place<'a>) -> (Vec<Body>, bool) {
        let mut media_types = self.consumed(operation);
        media_types.retain(|name| !matches!(MediaKind::of(name), MediaKind::Form | MediaKind::Multipart));
        if media_types.is_empty() {
            media_types.push("application/json".to_owned());
        }
        let schema = self.reader.child(place, "schema");
        let shown = examples(self.reader, place);
        let mut bodies: Vec<Body> = Vec::new();
        for media_type in media_types {
            if bodies.iter().all(|body| body.media_type != media_type) {
                bodies.push(self.body(media_type, schema, shown.clone()));
            }
        }
        (bodies, place.flag("required") == Some(true))
    }

    fn swagger_form(&mut self, operation: Place<'a>, fields: &[(&'a str, Place<'a>)]) -> (Vec<Body>, bool) {
        let has_file = fields.iter().any(|(_, place)| place.text("type") == Some("file"));
        let mut media_types = self.consumed(operation);
        media_types.retain(|name| match MediaKind::of(name) {
            MediaKind::Form => !has_file,
            kind => kind == MediaKind::Multipart,
        });
        if media_types.is_empty() {
            media_types.push(if has_file { "multipart/form-data" } else { "application/x-www-form-urlencoded" }.to_owned());
        }
        let (schema, json_schema) = self.form_schema(fields);
        let encoding: BTreeMap<String, PartEncoding> =
            fields.iter().map(|(name, place)| ((*name).to_owned(), Self::form_encoding(*place))).collect();
        let bodies = media_types.into_iter().map(|media_type| Body {
            kind: MediaKind::of(&media_type),
            media_type,
            schema,
            json_schema: json_schema.clone(),
            encoding: encoding.clone(),
            examples: Vec::new(),
        });
        (bodies.collect(), fields.iter().any(|(_, place)| place.flag("required") == Some(true)))
    }

    fn form_schema(&mut self, fields: &[(&'a str, Place<'a>)]) -> Described {
        let mut properties = Vec::new();
        let mut fragments = Map::new();
        let mut required = Vec::new();
        for (name, place) in fields {
            let described = self.described(*place);
            let is_required = place.flag("required") == Some(true);
            properties.push(Property { name: (*name).to_owned(), schema: described.schema, required: is_required });
            fragments.insert((*name).to_owned(), described.json_schema);
            if is_required {
                required.push(*name);
            }
        }
        let object = ObjectSchema {
            properties,
            additional: Additional::Forbidden,
            names: None,
            min_properties: 0,
            max_properties: None,
            is_tuple: false,
        };
        let schema = self.schemas.push(Schema::new(SchemaKind::Object(object)));
        (schema, json!({ "type": "object", "properties": fragments, "required": required }))
    }

    fn form_encoding(place: Place<'_>) -> PartEncoding {
        let (style, explode) = match place.text("collectionFormat") {
            Some("ssv") => (Style::SpaceDelimited, false),
            Some("pipes") => (Style::PipeDelimited, false),
            Some("tsv") => (Style::TabDelimited, false),
            Some("multi") => (Style::Form, true),
            _ => (Style::Form, false),
        };
        PartEncoding { content_type: None, style, explode, allow_reserved: false, headers: Vec::new() }
    }
}
