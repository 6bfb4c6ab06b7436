//! Documented answers, their headers and their links to other operations.

use serde_json::{Map, Value, json};

use openapiv3::{LinkOperation, ReferenceOr};

use super::paths::{Builder, by_operation_id};
use super::reader::{Place, Reader};
use crate::api::json_schema::{escape, keyword};
use crate::api::{Operation, OperationIdx, Response, ResponseHeader, ResponseLink, ResponseMedia, StatusRange};

/// An answer without the status it stands for.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    media: Vec<ResponseMedia>,
    headers: Vec<ResponseHeader>,
    links: Vec<(String, openapiv3::Link)>,
}

/// A link whose operation is not looked up yet.
pub(super) struct RawLink {
    /// Position of the operation.
    from: usize,
    response_idx: usize,
    name: String,
    link: openapiv3::Link,
}

impl<'a> Builder<'_, 'a> {
    /// The answers of an operation, and the links in them.
    pub(super) fn responses(&mut self, operation: Place<'a>, idx: usize) -> (Vec<Response>, Vec<RawLink>) {
        let mut responses: Vec<Response> = Vec::new();
        let mut links = Vec::new();
        let mut documented = self.reader.fields(operation, "responses");
        // Some services write them in another order after each start, and a run must not depend on that.
        documented.sort_by_key(|(status, _)| *status);
        for (status, place) in documented {
            if status.starts_with("x-") {
                continue;
            }
            let Some(status) = status_range(status) else {
                self.reader.repair(place, format!("`{status}` is no status, answer left out"));
                continue;
            };
            let answer = self.answer(place, operation);
            for (name, link) in answer.links {
                links.push(RawLink { from: idx, response_idx: responses.len(), name, link });
            }
            responses.push(Response { status, media: answer.media, headers: answer.headers, links: Vec::new() });
        }
        (responses, links)
    }

    fn answer(&mut self, place: Place<'a>, operation: Place<'a>) -> Answer {
        let response = self.reader.follow(place).unwrap_or_else(|reason| {
            self.reader.repair(place, format!("{reason}, nothing is known of the answer"));
            place
        });
        // What a Swagger answer can look like depends on the operation.
        let is_shareable = response.value.get("schema").is_none();
        if is_shareable && let Some(answer) = self.answers.get(&response.address()) {
            return answer.clone();
        }
        let answer = self.read_answer(response, operation);
        if is_shareable && response.address() != place.address() {
            self.answers.insert(response.address(), answer.clone());
        }
        answer
    }

    fn read_answer(&mut self, response: Place<'a>, operation: Place<'a>) -> Answer {
        let shaped = json!({
            "description": "",
            "content": self.shaped_content(response, operation),
            "headers": self.shaped_headers(response),
        });
        let typed: openapiv3::Response = serde_json::from_value(shaped).unwrap_or_else(|error| {
            self.reader.repair(response, format!("answer not understood: {error}"));
            openapiv3::Response::default()
        });
        let media = typed.content.into_iter().map(|(media_type, media)| {
            let json_schema = media.schema.and_then(|schema| fragment(&schema));
            ResponseMedia { media_type, json_schema }
        });
        let headers = typed.headers.into_iter().filter_map(|(name, header)| {
            let header = header.into_item()?;
            let json_schema = match &header.format {
                openapiv3::ParameterSchemaOrContent::Schema(schema) => fragment(schema),
                openapiv3::ParameterSchemaOrContent::Content(_) => None,
            };
            Some(ResponseHeader { name, required: header.required, json_schema })
        });
        Answer { media: media.collect(), headers: headers.collect(), links: self.links(response) }
    }

    /// `content`, or `schema` under every media type that `produces` names.
    fn shaped_content(&self, response: Place<'a>, operation: Place<'a>) -> Map<String, Value> {
        let Some(schema) = self.reader.child(response, "schema") else {
            let content = self.reader.fields(response, "content").into_iter();
            return content.map(|(name, media)| (name.to_owned(), json!({ "schema": self.shaped_schema(media) }))).collect();
        };
        let listed = [operation, self.root].into_iter().find(|place| place.value.get("produces").is_some());
        let members = listed.map(|place| self.reader.members(place, "produces")).unwrap_or_default();
        let mut names: Vec<&str> = members.into_iter().filter_map(|member| member.value.as_str()).collect();
        if names.is_empty() {
            names.push("application/json");
        }
        let is_file = schema.text("type") == Some("file");
        let schema = if is_file { Value::Null } else { self.schema_reference(schema) };
        names.into_iter().map(|name| (name.to_owned(), json!({ "schema": schema }))).collect()
    }

    fn shaped_headers(&self, response: Place<'a>) -> Map<String, Value> {
        let mut shaped = Map::new();
        for (name, place) in self.reader.fields(response, "headers") {
            let Ok(header) = self.reader.follow(place) else {
                self.reader.repair(place, format!("nothing is known of the header `{name}`"));
                continue;
            };
            // The specification says that `Content-Type` is ignored here.
            if header.value.is_object() && !name.eq_ignore_ascii_case("content-type") {
                let schema = match self.shaped_schema(header) {
                    Value::Null if header.value.get("type").is_some() => self.schema_reference(header),
                    schema => schema,
                };
                let schema = if schema.is_null() { json!({}) } else { schema };
                shaped.insert(name.to_owned(), json!({ "required": header.flag("required") == Some(true), "schema": schema }));
            }
        }
        shaped
    }

    fn shaped_schema(&self, place: Place<'a>) -> Value {
        let schema = self.reader.child(place, "schema");
        schema.map_or(Value::Null, |schema| self.schema_reference(schema))
    }

    /// The schema as a reference by its place, which is all that `openapiv3` has to carry of it.
    fn schema_reference(&self, schema: Place<'a>) -> Value {
        match schema.value {
            value if !keyword::is_schema(value) => Value::Null,
            Value::Object(node) if node.is_empty() => Value::Null,
            Value::Bool(true) => Value::Null,
            _ => match self.reader.fragment(schema) {
                fragment @ Value::Object(_) => fragment,
                _ => json!({ "$ref": self.reader.reference(schema) }),
            },
        }
    }

    fn links(&self, response: Place<'a>) -> Vec<(String, openapiv3::Link)> {
        let mut links = Vec::new();
        for (name, place) in self.reader.fields(response, "links") {
            let link = self.reader.follow(place).and_then(|link| {
                let names = ["operationId", "operationRef", "parameters", "requestBody"];
                let fields = names.iter().filter_map(|name| Some(((*name).to_owned(), link.value.get(*name)?.clone())));
                let shaped = Value::Object(fields.collect());
                serde_json::from_value(shaped).map_err(|error| format!("link not understood: {error}"))
            });
            match link {
                Ok(link) => links.push((name.to_owned(), link)),
                Err(reason) => self.reader.repair(place, format!("{reason}, left out")),
            }
        }
        links
    }
}

fn fragment(schema: &ReferenceOr<openapiv3::Schema>) -> Option<Value> {
    match schema {
        ReferenceOr::Reference { reference } => Some(json!({ "$ref": reference })),
        ReferenceOr::Item(_) => None,
    }
}

fn status_range(text: &str) -> Option<StatusRange> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("default") {
        return Some(StatusRange::Default);
    }
    let digit = text.chars().next().and_then(|digit| digit.to_digit(10)).filter(|digit| (1..=5).contains(digit))?;
    if text.len() == 3 && text[1..].eq_ignore_ascii_case("xx") {
        return u16::try_from(digit).ok().map(StatusRange::Class);
    }
    text.parse().ok().filter(|code| (100..600).contains(code)).map(StatusRange::Code)
}

/// Puts the links to where they start; a link to an operation that is not there is left out.
pub(super) fn connect(reader: &Reader<'_>, operations: &mut [Operation], links: Vec<RawLink>) {
    let mut connected = Vec::new();
    {
        let by_id = by_operation_id(operations);
        for RawLink { from, response_idx, name, link } in links {
            let (found, wanted) = match &link.operation {
                LinkOperation::OperationId(operation_id) => (by_id.get(operation_id.as_str()).copied(), operation_id),
                LinkOperation::OperationRef(reference) => (by_reference(operations, reference), reference),
            };
            let Some(operation_idx) = found else {
                reader.repair(reader.root(), format!("link `{name}` left out: there is no operation `{wanted}`"));
                continue;
            };
            let parameters = link.parameters.into_iter().collect();
            connected.push((from, response_idx, ResponseLink { name, operation_idx, parameters, body: link.request_body }));
        }
    }
    for (from, response_idx, link) in connected {
        operations[from].responses[response_idx].links.push(link);
    }
}

fn by_reference(operations: &[Operation], reference: &str) -> Option<OperationIdx> {
    let pointer = reference.split_once('#')?.1;
    let decoded = percent_encoding::percent_decode_str(pointer).decode_utf8().ok()?;
    let is_meant = |operation: &Operation| {
        operation.pointer == decoded
            || format!("/paths/{}/{}", escape(&operation.url_path), operation.verb.name().to_ascii_lowercase()) == decoded
    };
    (0..).zip(operations).find(|(_, operation)| is_meant(operation)).map(|(idx, _)| OperationIdx(idx))
}
