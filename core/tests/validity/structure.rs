//! Whether a rendered request has the shape that its operation and its values demand.

use restive_core::action::{Action, Request};
use restive_core::api::{MediaKind, Operation};
use serde_json::{Map, Value};
use url::{Url, form_urlencoded};

/// A broken rule and what was found.
pub type Fault = (&'static str, String);

/// Every rule that `request`, rendered from `action`, breaks.
pub fn faults(operation: &Operation, action: &Action, request: &Request) -> Vec<Fault> {
    let mut faults = Vec::new();
    url_faults(operation, request, &mut faults);
    header_faults(request, &mut faults);
    body_faults(operation, action, request, &mut faults);
    faults
}

fn url_faults(operation: &Operation, request: &Request, faults: &mut Vec<Fault>) {
    let Ok(url) = Url::parse(&format!("http://localhost{}", request.url)) else {
        return faults.push(("url: illegal", request.url.clone()));
    };
    let parsed = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let template_path = operation.url_path.split(['?', '#']).next().unwrap_or_default();
    let has_dots = template_path.split('/').any(|segment| segment == "." || segment == "..");
    if parsed.replace("%27", "'") != request.url.replace("%27", "'") && !has_dots {
        faults.push(("url: changed by the client", format!("{} becomes {parsed}", request.url)));
    }
    let segments = |path: &str| path.matches('/').count();
    if segments(url.path()) != segments(template_path) && !has_dots && !template_path.contains("{/") {
        faults.push(("url: another number of segments", request.url.clone()));
    }
}

fn header_faults(request: &Request, faults: &mut Vec<Fault>) {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    let is_value = |value: &str| value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) && value.trim() == value;
    for (name, value) in &request.headers {
        if !is_name(name) || !is_value(value) {
            faults.push(("header: illegal", format!("{name}: {value}")));
        }
    }
    for single in ["Accept", "Content-Type", "Cookie"] {
        let count = request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(single)).count();
        if count > 1 || (single == "Accept" && count == 0) {
            faults.push(("header: wrong number", format!("{count} x {single}")));
        }
    }
}

fn body_faults(operation: &Operation, action: &Action, request: &Request, faults: &mut Vec<Fault>) {
    let content_type = request.headers.iter().find(|(name, _)| name == "Content-Type").map(|(_, value)| value.as_str());
    let sent = action.body.as_ref().filter(|body| body.present);
    let sent = sent.and_then(|body| Some((operation.bodies.get(body.active)?, body.alternatives.get(body.active)?.to_json()?)));
    let (Some((documented, value)), Some(bytes), Some(content_type)) = (&sent, &request.body, content_type) else {
        if sent.is_some() || request.body.is_some() || content_type.is_some() {
            faults.push(("body: missing or too much", format!("{content_type:?} {sent:?}")));
        }
        return;
    };
    let essence = documented.media_type.split(';').next().unwrap_or_default().trim();
    if MediaKind::of(content_type) != documented.kind && !essence.contains('*') {
        faults.push(("body: wrong content type", format!("{content_type} for {}", documented.media_type)));
    }
    let text = String::from_utf8_lossy(bytes);
    let is_right = match MediaKind::of(content_type) {
        MediaKind::Json => serde_json::from_slice::<Value>(bytes).is_ok_and(|parsed| parsed == *value),
        MediaKind::Form => form_is_right(&text, value),
        MediaKind::Multipart => multipart_is_right(content_type, &text, value),
        MediaKind::Xml => is_well_formed(&text),
        MediaKind::Text | MediaKind::Binary => value.as_str().is_none_or(|expected| expected.as_bytes() == bytes.as_slice()),
    };
    if !is_right {
        faults.push(("body: does not read back", format!("{content_type} | {value} | {text}")));
    }
}

/// Scalar fields, which have one text in every documented encoding.
fn scalar_fields(fields: &Map<String, Value>) -> impl Iterator<Item = (&str, String)> {
    fields.iter().filter(|(_, value)| !value.is_null() && !value.is_array() && !value.is_object()).map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (name.as_str(), text)
    })
}

fn form_is_right(text: &str, value: &Value) -> bool {
    let pairs: Vec<(String, String)> = form_urlencoded::parse(text.as_bytes()).into_owned().collect();
    let has = |name: &str, text: &str| pairs.iter().any(|pair| pair.0 == name && pair.1 == text);
    value.as_object().is_none_or(|fields| scalar_fields(fields).all(|(name, text)| has(name, &text)))
}

fn multipart_is_right(content_type: &str, text: &str, value: &Value) -> bool {
    let Some((_, boundary)) = content_type.split_once("boundary=") else { return false };
    let delimiter = format!("--{boundary}");
    let Some(text) = format!("\r\n{text}").strip_suffix(&format!("\r\n{delimiter}--\r\n")).map(str::to_owned) else {
        return false;
    };
    let parts: Vec<&str> = text.split(&format!("\r\n{delimiter}\r\n")).skip(1).collect();
    let Some(fields) = value.as_object() else { return parts.len() == 1 };
    let has = |name: &str, content: &str| {
        let name = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let head = format!("Content-Disposition: form-data; name=\"{name}\"");
        parts.iter().any(|part| part.starts_with(&head) && part.split_once("\r\n\r\n").is_some_and(|(_, rest)| rest == content))
    };
    let expected: usize = fields.values().map(|value| value.as_array().map_or(usize::from(!value.is_null()), Vec::len)).sum();
    parts.len() == expected
        && scalar_fields(fields).all(|(name, text)| has(name, &text) || has(name, &Value::from(text).to_string()))
}

/// Whether tags match, there is one outermost element and no raw `&` or `<` in between.
fn is_well_formed(text: &str) -> bool {
    let Some((_, mut rest)) = text.split_once("?>") else { return false };
    let mut open: Vec<&str> = Vec::new();
    while let Some(tag) = rest.strip_prefix('<') {
        let Some((tag, after)) = tag.split_once('>') else { return false };
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            Some(_) if open.is_empty() => return after.is_empty(),
            Some(_) => {}
            None => open.push(tag.split(' ').next().unwrap_or_default()),
        }
        let Some(next) = after.find('<') else { return false };
        let is_reference = |piece: &str| ["amp;", "lt;", "gt;", "quot;", "#"].iter().any(|start| piece.starts_with(start));
        if !after[..next].split('&').skip(1).all(is_reference) {
            return false;
        }
        rest = &after[next..];
    }
    false
}
