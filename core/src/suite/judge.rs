//! Whether an answer is as a test expects it, judged as every written form of a suite does.
//!
//! [`differences`] is the entry point. Nothing is sent here, and what a difference means is told by [`crate::replay`].

use serde::Serialize;
use serde_json::Value;

use crate::action::Answer;

use super::Shape;
use super::expectation::{media_type, same_scalar, sorted};
use super::model::{BodyCheck, CheckKind, FieldCheck, TestCall};

/// Characters shown of a value.
const MAX_SHOWN: usize = 120;
/// What a number may be off by, as a share of it, where readers of JSON may round differently.
const TOLERANCE: f64 = 1e-9;

/// Something about an answer that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What of the answer.
    #[serde(flatten)]
    pub part: AnswerPart,
    /// What is expected, in a few words.
    pub expected: String,
    /// What is there, in a few words.
    pub found: String,
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum AnswerPart {
    /// That there is one at all.
    Answer,
    /// The status.
    Status,
    /// The media type, without parameters.
    MediaType,
    /// A header field.
    Field {
        /// Its name in lower case.
        name: String,
    },
    /// A place of the JSON body.
    Body {
        /// JSON pointer; empty for the whole.
        pointer: String,
    },
    /// The body as text.
    Text,
}

impl Difference {
    /// A difference from what is `expected`.
    pub fn new(part: AnswerPart, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { part, expected: expected.into(), found: found.into() }
    }
}

/// Everything in which `answer` is not what `call` expects, in the order that tests look: status, media type, header
/// fields, body.
pub fn differences(call: &TestCall, answer: &Answer) -> Vec<Difference> {
    let mut found = Vec::new();
    if call.status != answer.status {
        found.push(Difference::new(AnswerPart::Status, call.status.to_string(), answer.status.to_string()));
    }
    if let Some(expected) = &call.media_type {
        let other = media_type(answer).filter(|found| found != expected);
        let missing = media_type(answer).is_none().then(|| "none".to_owned());
        found.extend(other.or(missing).map(|other| Difference::new(AnswerPart::MediaType, expected, other)));
    }
    found.extend(call.fields.iter().filter_map(|field| of_field(field, answer)));
    if let Some(expected) = &call.text {
        let text = String::from_utf8_lossy(&answer.body);
        if text != *expected {
            found.push(Difference::new(AnswerPart::Text, quoted(expected), quoted(&text)));
        }
    }
    found.extend(of_body(call, answer));
    found
}

fn of_body(call: &TestCall, answer: &Answer) -> Vec<Difference> {
    if call.checks.is_empty() {
        return Vec::new();
    }
    let Some(body) = answer.json() else {
        let part = AnswerPart::Body { pointer: String::new() };
        return vec![Difference::new(part, "JSON", quoted(&String::from_utf8_lossy(&answer.body)))];
    };
    call.checks.iter().filter_map(|check| of_check(check, body)).collect()
}

fn of_field(field: &FieldCheck, answer: &Answer) -> Option<Difference> {
    let of_name = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(&field.name);
    let values: Vec<&str> = answer.headers.iter().filter(of_name).map(|(_, value)| value.trim()).collect();
    let part = || AnswerPart::Field { name: field.name.clone() };
    match &field.value {
        _ if values.is_empty() => {
            let expected = field.value.as_deref().map_or_else(|| "some value".to_owned(), quoted);
            Some(Difference::new(part(), expected, "nothing"))
        }
        // Clients join the values of a field that comes several times.
        Some(value) if values.join(", ") != *value => Some(Difference::new(part(), quoted(value), quoted(&values.join(", ")))),
        _ => None,
    }
}

fn of_check(check: &BodyCheck, body: &Value) -> Option<Difference> {
    let value = body.pointer(&check.pointer);
    if value.is_some_and(|value| holds(&check.kind, value)) {
        return None;
    }
    let part = AnswerPart::Body { pointer: check.pointer.clone() };
    Some(Difference::new(part, wanted(&check.kind), value.map_or_else(|| "nothing".to_owned(), shown)))
}

/// Whether `value` is what is expected at its place.
fn holds(kind: &CheckKind, value: &Value) -> bool {
    match kind {
        CheckKind::Equals(expected) => same_scalar(value, expected) || nearly_same(value, expected),
        CheckKind::Length(length) => value.as_array().is_some_and(|array| array.len() == *length),
        CheckKind::Members(members) => value.as_array().is_some_and(|array| {
            array.len() == members.len() && sorted(array).iter().zip(members).all(|(found, member)| same_scalar(found, member))
        }),
        CheckKind::IsArray => value.is_array(),
        CheckKind::IsObject => value.is_object(),
        CheckKind::IsString => value.is_string(),
        CheckKind::Looks(shape) => value.as_str().is_some_and(|text| shape.fits(text)),
        CheckKind::IsNumber => value.is_number(),
        CheckKind::IsBoolean => value.is_boolean(),
    }
}

/// Whether both are numbers, one with a fraction, that differ by no more than readers of JSON do.
fn nearly_same(value: &Value, expected: &Value) -> bool {
    match (value.as_f64(), expected.as_f64()) {
        (Some(found), Some(wanted)) if value.is_f64() || expected.is_f64() => {
            (found - wanted).abs() <= wanted.abs() * TOLERANCE
        }
        _ => false,
    }
}

fn wanted(kind: &CheckKind) -> String {
    match kind {
        CheckKind::Equals(value) => shown(value),
        CheckKind::Length(length) => format!("an array of {length}"),
        CheckKind::Members(members) => {
            let members: Vec<String> = members.iter().map(shown).collect();
            format!("an array of {} in any order", members.join(", "))
        }
        CheckKind::IsArray => "an array".to_owned(),
        CheckKind::IsObject => "an object".to_owned(),
        CheckKind::IsString => "a string".to_owned(),
        CheckKind::Looks(shape) => format!("a string that looks like {}", words(*shape)),
        CheckKind::IsNumber => "a number".to_owned(),
        CheckKind::IsBoolean => "a boolean".to_owned(),
    }
}

fn words(shape: Shape) -> &'static str {
    match shape {
        Shape::Uuid => "a UUID",
        Shape::DateTime => "a date with time",
        Shape::Date => "a date",
        Shape::Digits => "a number in digits",
        Shape::Hexadecimal => "a hexadecimal number",
    }
}

/// A value in a few words.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(members) => format!("an array of {}", members.len()),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => quoted(text),
        scalar => scalar.to_string(),
    }
}

/// The beginning of `text` in quotes.
fn quoted(text: &str) -> String {
    let begun: String = text.chars().take(MAX_SHOWN).collect();
    let rest = if begun.len() < text.len() { "…" } else { "" };
    format!("{}{rest}", Value::from(begun))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::Verb;
    use crate::suite::model::Piece;
    use crate::suite::sample;

    fn answer(status: u16, media_type: &str, body: &str) -> Answer {
        Answer {
            status,
            headers: vec![("content-type".into(), format!("{media_type}; charset=utf-8")), ("ETag".into(), "\"x\"".into())],
            body: body.as_bytes().to_vec(),
            json: serde_json::from_str(body).ok(),
            ..Answer::default()
        }
    }

    fn call(status: u16) -> TestCall {
        sample::call(Verb::Get, vec![Piece::Text("/a".to_owned())], status)
    }

    /// What is found wrong with `body` where `kind` is expected at `pointer`.
    fn checked(pointer: &str, kind: CheckKind, body: &Value) -> Option<(String, String)> {
        let call = TestCall { checks: vec![BodyCheck { pointer: pointer.to_owned(), kind }], ..call(200) };
        let mut found = differences(&call, &answer(200, "application/json", &body.to_string()));
        assert!(found.len() <= 1, "{found:?}");
        found.pop().map(|difference| (difference.expected, difference.found))
    }

    #[test]
    fn every_kind_of_check_holds_for_what_it_was_made_from_and_tells_what_is_otherwise() {
        let uuid = "123e4567-e89b-12d3-a456-426614174000";
        let cases = [
            (CheckKind::Equals(json!(1)), json!(1.0), json!(2), "1", "2"),
            (CheckKind::Equals(json!("a")), json!("a"), json!("b"), "\"a\"", "\"b\""),
            (CheckKind::Equals(Value::Null), Value::Null, json!(false), "null", "false"),
            (CheckKind::Length(2), json!([1, 2]), json!([1]), "an array of 2", "an array of 1"),
            (
                CheckKind::Members(vec![json!(2), json!(10)]),
                json!([10, 2]),
                json!([10, 3]),
                "an array of 2, 10 in any order",
                "an array of 2",
            ),
            (
                CheckKind::Members(vec![json!("a")]),
                json!(["a"]),
                json!(["a", "b"]),
                "an array of \"a\" in any order",
                "an array of 2",
            ),
            (CheckKind::IsArray, json!([]), json!({}), "an array", "an object"),
            (CheckKind::IsObject, json!({"x": 1}), json!([]), "an object", "an array of 0"),
            (CheckKind::IsString, json!(""), json!(1), "a string", "1"),
            (CheckKind::Looks(Shape::Uuid), json!(uuid), json!("7"), "a string that looks like a UUID", "\"7\""),
            (CheckKind::IsNumber, json!(0.5), json!("0.5"), "a number", "\"0.5\""),
            (CheckKind::IsBoolean, json!(true), Value::Null, "a boolean", "null"),
        ];
        for (kind, right, wrong, expected, found) in cases {
            assert_eq!(checked("/x", kind.clone(), &json!({ "x": right })), None, "{kind:?}");
            let told = Some((expected.to_owned(), found.to_owned()));
            assert_eq!(checked("/x", kind.clone(), &json!({ "x": wrong })), told, "{kind:?}");
            let missing = checked("/x", kind.clone(), &json!({})).map(|(_, found)| found);
            assert_eq!(missing.as_deref(), Some("nothing"), "{kind:?}");
        }
    }

    #[test]
    fn numbers_differ_by_more_than_rounding() {
        let expected = CheckKind::Equals(json!(1.234_567_890_123_456_7e21));
        assert_eq!(checked("", expected.clone(), &json!(1.234_567_890_123_456_9e21)), None);
        assert!(checked("", expected, &json!(1.234_568e21)).is_some());
        assert!(checked("", CheckKind::Equals(json!(1_000_000_000_001_i64)), &json!(1_000_000_000_002_i64)).is_some());
        assert!(checked("", CheckKind::Equals(json!(0.0)), &json!(0.001)).is_some());
    }

    #[test]
    fn all_that_is_not_as_expected_is_told_in_the_order_of_tests() {
        let field = |name: &str, value: Option<&str>| FieldCheck { name: name.to_owned(), value: value.map(str::to_owned) };
        let expecting = TestCall {
            media_type: Some("application/json".into()),
            fields: vec![field("etag", Some("\"y\"")), field("location", None)],
            checks: vec![BodyCheck { pointer: "/a".into(), kind: CheckKind::Equals(json!(1)) }],
            ..call(200)
        };
        let parts: Vec<AnswerPart> =
            differences(&expecting, &answer(404, "text/plain", "gone")).into_iter().map(|difference| difference.part).collect();
        let named = |name: &str| AnswerPart::Field { name: name.to_owned() };
        let body = AnswerPart::Body { pointer: String::new() };
        assert_eq!(parts, [AnswerPart::Status, AnswerPart::MediaType, named("etag"), named("location"), body]);
        let fitting = TestCall { fields: vec![field("etag", Some("\"x\"")), field("etag", None)], ..expecting };
        assert_eq!(differences(&fitting, &answer(200, "Application/JSON", "{\"a\": 1, \"more\": 2}")), []);
    }

    #[test]
    fn texts_are_compared_whole_and_shown_in_part() {
        let expecting = TestCall { text: Some("pong".into()), ..call(200) };
        assert_eq!(differences(&expecting, &answer(200, "text/plain", "pong")), []);
        let long = differences(&expecting, &answer(200, "text/plain", &"x".repeat(1000)));
        assert_eq!((long.len(), long[0].found.chars().count()), (1, MAX_SHOWN + 3));
    }
}
