//! From genes to a request: a pure function of the action and of the values its links resolve to.
//!
//! [`render()`] takes the values from the genes, puts in what is wrong on purpose and what links bring, and writes
//! them into path, query, header fields, cookies and body as the operation documents it. It sends nothing and adds no
//! credentials.

mod body;
mod escape;
mod form;
mod header;
mod multipart;
mod path;
mod schema_at;
mod style;
mod value;
mod xml;

use serde_json::Value;

use crate::api::{Api, Location, MediaKind, Operation, Parameter, Style};

use super::{Action, CallViolation, Link, Malformation, Request};
use escape::Escape;
pub use header::is_sendable as is_sendable_header;
use multipart::Labels;
pub use multipart::Upload;
use style::Encoding;
use value::Values;

/// The request for `action`; `resolve` gives the value of a link, or none to use the gene's own.
///
/// Nothing but a link has `Authorization` sent.
/// An optional parameter that is absent or `null` is not sent. Header parameters named `Accept`, `Content-Type` and
/// `Authorization`, those the HTTP client owns, and names that are no header names are not sent either. An empty path
/// value, `.` and `..` get a blank appended, since they would change the route.
pub fn render(api: &Api, action: &Action, resolve: &mut dyn FnMut(&Link) -> Option<Value>) -> Request {
    let operation = api.operation(action.operation_idx);
    let values = Values::of(api, action, resolve);
    let sent = Sent { parameters: action.inputs(operation).zip(&values.parameters).collect() };
    let mut headers = fields(operation, &sent, &values);
    let malformation = action.violation.as_ref().and_then(CallViolation::malformation);
    let mut bytes = None;
    if let Some((active, value)) = &values.body
        && let Some((api, documented)) = action.media_at(api, *active)
    {
        let (content_type, content) = match malformation {
            Some(Malformation::Reencoded(media_type)) => {
                body::content(api, &documented.written_as(media_type), value, &sent.labels())
            }
            _ => body::content(api, documented, value, &sent.labels()),
        };
        headers.push(("Content-Type".to_owned(), header::field_value(&content_type)));
        bytes = Some(content);
    }
    let mut request = Request {
        operation_idx: action.operation_idx,
        verb: operation.verb,
        url: url(operation, &sent),
        headers,
        body: bytes,
        user: action.user,
    };
    if let Some(malformation) = malformation {
        malformation.apply(api, &mut request);
    }
    request
}

/// The files that `action` sends as parts of its body, each field once; links are left to the genes.
pub fn uploads(api: &Api, action: &Action) -> Vec<Upload> {
    let active = action.body.as_ref().filter(|body| body.present).and_then(|body| action.media_at(api, body.active));
    let Some((schemas, body)) = active.filter(|(_, body)| body.kind == MediaKind::Multipart) else { return Vec::new() };
    let values = Values::of(api, action, &mut |_| None);
    let sent = Sent { parameters: action.inputs(api.operation(action.operation_idx)).zip(&values.parameters).collect() };
    values.body.map_or_else(Vec::new, |(_, value)| multipart::uploads(schemas, body, &value, &sent.labels()))
}

/// All parameters with their values, in documented order.
struct Sent<'a> {
    parameters: Vec<(&'a Parameter, &'a Option<Value>)>,
}

impl<'a> Sent<'a> {
    /// Those of one location.
    fn at(&self, location: Location) -> impl Iterator<Item = (&'a Parameter, Option<&'a Value>)> {
        let all = self.parameters.iter().filter(move |(parameter, _)| parameter.location == location);
        all.map(|(parameter, value)| (*parameter, value.as_ref()))
    }

    /// What is said of the files of the body.
    fn labels(&self) -> Labels<'a> {
        let said = |location| {
            let sent = self.at(location).filter_map(|(parameter, value)| Some((parameter.name.as_str(), value?)));
            sent.map(|(name, value)| (name, style::plain_text(value))).collect()
        };
        Labels { names: said(Location::FileName), types: said(Location::FileType) }
    }
}

/// Path with query string.
fn url(operation: &Operation, values: &Sent<'_>) -> String {
    let mut url = path::fill(&operation.url_path, |name| {
        let (parameter, value) = values.at(Location::Path).find(|(parameter, _)| parameter.name == name)?;
        let (encoding, text) = (encoding(parameter), content_text(parameter, value));
        Some(text.as_ref().or(value).map_or_else(String::new, |value| encoding.text(value)))
    });
    for (parameter, value) in values.at(Location::Matrix) {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            url.push_str(&encoding(parameter).text(value));
        }
    }
    for (name, value) in values.at(Location::Query).flat_map(|(parameter, value)| pairs(parameter, value)) {
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(&name);
        url.push('=');
        url.push_str(&value);
    }
    url
}

/// `Accept`, header parameters and cookies; those of links are sent in the place of parameters.
fn fields(operation: &Operation, values: &Sent<'_>, linked: &Values) -> Vec<(String, String)> {
    let mut fields = vec![("Accept".to_owned(), header::accept(operation))];
    let mut cookies = Vec::new();
    for (parameter, value) in values.at(Location::Header) {
        let text = content_text(parameter, value);
        let Some(value) = text.as_ref().or(value).filter(|value| !value.is_null()) else { continue };
        let field = header::field_value(&encoding(parameter).text(value));
        if parameter.name.eq_ignore_ascii_case("cookie") {
            cookies.push(field);
        } else if header::is_sendable(&parameter.name)
            && linked.fields.iter().all(|(name, _)| !name.eq_ignore_ascii_case(&parameter.name))
        {
            fields.push((parameter.name.clone(), field));
        }
    }
    let named = values.at(Location::Cookie).flat_map(|(parameter, value)| pairs(parameter, value));
    let named = named.filter(|(name, _)| linked.cookies.iter().all(|(other, _)| other != name));
    cookies.extend(named.map(|(name, value)| format!("{name}={value}")));
    cookies.extend(linked.cookies.iter().map(|(name, value)| format!("{name}={}", header::field_value(value))));
    if !cookies.is_empty() {
        fields.push(("Cookie".to_owned(), cookies.join("; ")));
    }
    fields.extend(linked.fields.iter().map(|(name, value)| (name.clone(), header::field_value(value))));
    fields
}

/// `name=value` pairs of a query or cookie parameter. A required one that is an empty array or object is sent without
/// a value.
fn pairs(parameter: &Parameter, value: Option<&Value>) -> Vec<(String, String)> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Vec::new() };
    let encoding = encoding(parameter);
    let text = content_text(parameter, Some(value));
    let pairs = encoding.pairs(text.as_ref().unwrap_or(value));
    if pairs.is_empty() && parameter.required { encoding.pairs(&Value::from("")) } else { pairs }
}

fn encoding(parameter: &Parameter) -> Encoding<'_> {
    let escape = match parameter.location {
        Location::Header => Escape::Nothing,
        Location::Query if parameter.allow_reserved => Escape::KeepReserved,
        Location::Path if parameter.allow_reserved => Escape::KeepSegments,
        Location::Path | Location::Query | Location::Cookie | Location::Matrix | Location::FileName | Location::FileType => {
            Escape::Reserved
        }
    };
    let style = if parameter.content.is_some() { Style::Form } else { parameter.style };
    Encoding { name: &parameter.name, style, explode: parameter.explode, escape }
}

/// The value as text in the parameter's media type, when it is described by one.
fn content_text(parameter: &Parameter, value: Option<&Value>) -> Option<Value> {
    let media_type = parameter.content.as_deref()?;
    Some(Value::from(body::text_as(media_type, value?)))
}

#[cfg(test)]
mod tests;
