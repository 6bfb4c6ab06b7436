//! Documented headers of an answer.

use serde_json::Value;

use crate::action::Answer;
use crate::api::{Response, ResponseHeader};

use super::validators::{Part, SchemaAt};
use super::{Mismatch, ResponsePlace, Validators};

/// Missing and malformed headers.
pub(super) fn check(place: &ResponsePlace<'_>, validators: &mut Validators, answer: &Answer) -> Vec<Mismatch> {
    let Response { headers, .. } = place.response;
    headers.iter().enumerate().filter_map(|(position, header)| one(place, validators, (position, header), answer)).collect()
}

fn one(
    place: &ResponsePlace<'_>,
    validators: &mut Validators,
    (position, header): (usize, &ResponseHeader),
    answer: &Answer,
) -> Option<Mismatch> {
    let name = &header.name;
    // OpenAPI 3.0.3, "Response Object": a header of that name is ignored, `content` describes it.
    if name.eq_ignore_ascii_case("content-type") {
        return None;
    }
    let Some(value) = answer.header(name) else {
        let missing =
            || Mismatch { key: format!("header {name} missing"), message: format!("header `{name}` is required, but missing") };
        return header.required.then(missing);
    };
    let fragment = header.json_schema.as_ref()?;
    let schema = SchemaAt { place: (place.operation_idx, place.response.status, Part::Header(position)), fragment };
    if readings(value).iter().any(|reading| validators.is_valid(place.api, schema, reading)) {
        return None;
    }
    let shown: String = value.chars().take(60).collect();
    Some(Mismatch {
        key: format!("header {name}"),
        message: format!("header `{name}` does not match its schema, found \"{}\"", shown.escape_debug()),
    })
}

/// What a header's text may stand for (`OpenAPI` 3.0.3, style `simple`): text, scalar, list of texts, list of scalars.
fn readings(text: &str) -> Vec<Value> {
    let members = || text.split(',').map(str::trim);
    vec![Value::from(text), scalar(text), members().map(Value::from).collect(), members().map(scalar).collect()]
}

fn scalar(text: &str) -> Value {
    let value = serde_json::from_str::<Value>(text).ok().filter(|value| value.is_number() || value.is_boolean());
    value.unwrap_or_else(|| Value::from(text))
}
