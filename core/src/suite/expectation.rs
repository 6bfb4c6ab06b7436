//! What can be expected of an answer: what did not differ between executions, bounded.

use serde_json::{Number, Value};

use crate::action::{Answer, Coding};
use crate::api::MediaKind;

use super::model::{BodyCheck, CheckKind};
use super::surroundings::Surroundings;

/// Checks on one answer, at most.
const MAX_CHECKS: usize = 60;
/// Members of one array that are looked into.
const MAX_MEMBERS: usize = 10;
/// Nesting that is looked into.
const MAX_DEPTH: usize = 8;
/// Characters of a string that is expected literally.
const MAX_STRING: usize = 300;
/// Bytes of a body without JSON that is expected literally.
const MAX_TEXT: usize = 200;

/// What is expected of an answer beside its status.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Expectation {
    /// Media type without parameters, in lower case.
    pub media_type: Option<String>,
    /// Places of the JSON body.
    pub checks: Vec<BodyCheck>,
    /// The whole body as text.
    pub text: Option<String>,
}

impl Expectation {
    /// What the answers of several executions of one call have in common; nothing when there are none.
    pub fn common_to(answers: &[&Answer], surroundings: &Surroundings) -> Self {
        if answers.is_empty() || answers.iter().any(|answer| answer.body.is_empty()) {
            return Self::default();
        }
        let media_type = common(answers.iter().map(|answer| media_type(answer))).flatten();
        let values: Option<Vec<&Value>> = answers.iter().map(|answer| answer.json().filter(|_| !answer.truncated)).collect();
        let mut expectation = Self { media_type, ..Self::default() };
        if answers.iter().any(|answer| answer.coding != Coding::Plain) {
            return expectation;
        }
        match values {
            Some(values) => Walk { surroundings, checks: &mut expectation.checks }.visit("", "", &values, 0),
            None => expectation.text = common_text(answers, expectation.media_type.as_deref(), surroundings),
        }
        expectation
    }

    /// Takes back the values that are expected: only their types stay.
    pub fn forget_values(&mut self) {
        self.text = None;
        self.checks.retain(|check| !matches!(check.kind, CheckKind::Equals(Value::Null)));
        for check in &mut self.checks {
            check.kind = match &check.kind {
                CheckKind::Equals(Value::String(_)) => CheckKind::IsString,
                CheckKind::Equals(Value::Number(_)) => CheckKind::IsNumber,
                CheckKind::Equals(Value::Bool(_)) => CheckKind::IsBoolean,
                kind => kind.clone(),
            };
        }
    }

    /// Takes back what is expected of the members of lists: arrays that are the body or stand directly in it.
    pub fn forget_lists(&mut self) {
        let is_list = |check: &BodyCheck| matches!(check.kind, CheckKind::Length(_)) && check.pointer.matches('/').count() <= 1;
        let lists: Vec<String> = self.checks.iter().filter(|check| is_list(check)).map(|check| check.pointer.clone()).collect();
        for list in lists {
            let below = format!("{list}/");
            self.checks.retain(|check| !check.pointer.starts_with(&below));
            for check in self.checks.iter_mut().filter(|check| check.pointer == list) {
                check.kind = CheckKind::IsArray;
            }
        }
    }
}

/// The one value of `values`, when they are all equal.
fn common<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

fn media_type(answer: &Answer) -> Option<String> {
    let essence = answer.header("content-type")?.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    (!essence.is_empty()).then_some(essence)
}

fn common_text(answers: &[&Answer], media_type: Option<&str>, surroundings: &Surroundings) -> Option<String> {
    if MediaKind::of(media_type?) != MediaKind::Text {
        return None;
    }
    let body = common(answers.iter().map(|answer| &answer.body))?;
    if body.len() > MAX_TEXT || answers.iter().any(|answer| answer.truncated) {
        return None;
    }
    let text = String::from_utf8(body.clone()).ok()?;
    (!surroundings.contain_text(&text)).then_some(text)
}

struct Walk<'a> {
    surroundings: &'a Surroundings,
    checks: &'a mut Vec<BodyCheck>,
}

impl Walk<'_> {
    /// Adds what can be expected of the place at `pointer`, in the field of that name, where `values` were found.
    fn visit(&mut self, pointer: &str, field: &str, values: &[&Value], depth: usize) {
        match values[0] {
            Value::Object(first) if values.iter().all(|value| value.is_object()) => {
                if first.is_empty() || depth >= MAX_DEPTH {
                    self.add(pointer, CheckKind::IsObject);
                }
                for key in first.keys().filter(|_| depth < MAX_DEPTH) {
                    let below: Option<Vec<&Value>> = values.iter().map(|value| value.get(key)).collect();
                    if let Some(below) = below {
                        let token = key.replace('~', "~0").replace('/', "~1");
                        self.visit(&format!("{pointer}/{token}"), key, &below, depth + 1);
                    }
                }
            }
            Value::Array(first) if values.iter().all(|value| value.is_array()) => {
                if values.iter().any(|value| value.as_array().map(Vec::len) != Some(first.len())) {
                    return self.add(pointer, CheckKind::IsArray);
                }
                self.add(pointer, CheckKind::Length(first.len()));
                for idx in (0..first.len().min(MAX_MEMBERS)).filter(|_| depth < MAX_DEPTH) {
                    let below: Vec<&Value> = values.iter().map(|value| &value[idx]).collect();
                    self.visit(&format!("{pointer}/{idx}"), field, &below, depth + 1);
                }
            }
            _ => self.visit_scalar(pointer, field, values),
        }
    }

    fn visit_scalar(&mut self, pointer: &str, field: &str, values: &[&Value]) {
        let first = values[0];
        let stable = values.iter().all(|value| same_scalar(value, first)) && !self.surroundings.contain(field, first);
        let is_long = first.as_str().is_some_and(|text| text.chars().count() > MAX_STRING);
        let kind = match first {
            _ if stable && !is_long => CheckKind::Equals(first.clone()),
            Value::String(_) if values.iter().all(|value| value.is_string()) => CheckKind::IsString,
            Value::Number(_) if values.iter().all(|value| value.is_number()) => CheckKind::IsNumber,
            Value::Bool(_) if values.iter().all(|value| value.is_boolean()) => CheckKind::IsBoolean,
            _ => return,
        };
        self.add(pointer, kind);
    }

    fn add(&mut self, pointer: &str, kind: CheckKind) {
        if self.checks.len() < MAX_CHECKS {
            self.checks.push(BodyCheck { pointer: pointer.to_owned(), kind });
        }
    }
}

/// Whether two scalars are equal, numbers by value.
fn same_scalar(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => same_number(left, right),
        _ => left == right,
    }
}

fn same_number(left: &Number, right: &Number) -> bool {
    left == right || (left.is_f64() || right.is_f64()) && left.as_f64() == right.as_f64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(body: &Value) -> Answer {
        Answer {
            status: 200,
            headers: vec![("content-type".into(), "Application/JSON; charset=utf-8".into())],
            body: body.to_string().into_bytes(),
            coding: Coding::Plain,
            truncated: false,
            json: Some(body.clone()),
        }
    }

    fn checks(bodies: &[Value]) -> Vec<(String, CheckKind)> {
        let answers: Vec<Answer> = bodies.iter().map(answer).collect();
        let expectation = Expectation::common_to(&answers.iter().collect::<Vec<_>>(), &Surroundings::default());
        assert_eq!(expectation.media_type.as_deref(), Some("application/json"));
        expectation.checks.into_iter().map(|check| (check.pointer, check.kind)).collect()
    }

    #[test]
    fn a_body_that_stays_coded_is_expected_by_its_type_only() {
        let coded = Answer { coding: Coding::Kept("br".to_owned()), ..answer(&json!({ "a": 1 })) };
        let expectation = Expectation::common_to(&[&coded], &Surroundings::default());
        assert_eq!((expectation.media_type.as_deref(), expectation.checks.len()), (Some("application/json"), 0));
    }

    fn text(body: &[u8], media_type: &str) -> Option<String> {
        let headers = vec![("content-type".to_owned(), media_type.to_owned())];
        let answer = Answer { status: 200, headers, body: body.to_vec(), ..Answer::default() };
        Expectation::common_to(&[&answer], &Surroundings::default()).text
    }

    #[test]
    fn stable_scalars_are_expected_literally_and_volatile_ones_by_type() {
        let found = checks(&[json!({"a": 1, "b": "x", "c": true, "d": null}), json!({"a": 1.0, "b": "y", "c": false, "d": 1})]);
        let expected = [
            ("/a".to_owned(), CheckKind::Equals(json!(1))),
            ("/b".to_owned(), CheckKind::IsString),
            ("/c".to_owned(), CheckKind::IsBoolean),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn array_length_is_expected_only_when_stable() {
        let stable = checks(&[json!([1, 2]), json!([1, 3])]);
        assert_eq!(stable[0], (String::new(), CheckKind::Length(2)));
        assert_eq!(stable[2], ("/1".to_owned(), CheckKind::IsNumber));
        assert_eq!(checks(&[json!([1]), json!([1, 2])]), [(String::new(), CheckKind::IsArray)]);
    }

    #[test]
    fn values_can_be_forgotten_and_types_stay() {
        let answer = answer(&json!({"a": 1, "b": "x", "c": true, "d": null, "e": [1]}));
        let mut expectation = Expectation::common_to(&[&answer], &Surroundings::default());
        expectation.forget_values();
        assert!(!expectation.checks.iter().any(|check| matches!(check.kind, CheckKind::Equals(_))));
        assert!(expectation.checks.iter().any(|check| check.pointer == "/c" && check.kind == CheckKind::IsBoolean));
        assert!(!expectation.checks.iter().any(|check| check.pointer == "/d"));
    }

    #[test]
    fn members_of_lists_can_be_forgotten() {
        let answer = answer(&json!({"items": [{"id": 1}], "more": [], "n": 2, "a": {"deep": [1]}}));
        let mut expectation = Expectation::common_to(&[&answer], &Surroundings::default());
        expectation.forget_lists();
        let found: Vec<_> = expectation.checks.iter().map(|check| (check.pointer.as_str(), &check.kind)).collect();
        let (number, length) = (|number: i64| CheckKind::Equals(json!(number)), CheckKind::Length(1));
        let expected = [
            ("/items", &CheckKind::IsArray),
            ("/more", &CheckKind::IsArray),
            ("/n", &number(2)),
            ("/a/deep", &length),
            ("/a/deep/0", &number(1)),
        ];
        let sort = |mut checks: Vec<(_, _)>| {
            checks.sort_by_key(|(pointer, _): &(&str, &CheckKind)| *pointer);
            format!("{checks:?}")
        };
        assert_eq!(sort(found), sort(expected.to_vec()));
    }

    #[test]
    fn fields_that_come_and_go_are_not_expected() {
        assert_eq!(checks(&[json!({"a": 1, "b": 2}), json!({"b": 2})]), [("/b".to_owned(), CheckKind::Equals(json!(2)))]);
        assert_eq!(checks(&[json!({"a": 1}), json!({"a": "1"})]), []);
    }

    #[test]
    fn large_bodies_are_bounded() {
        let wide: Value = (0..1000).map(|idx| (format!("f{idx}"), json!(idx))).collect::<serde_json::Map<_, _>>().into();
        assert_eq!(checks(&[wide]).len(), MAX_CHECKS);
        assert_eq!(checks(&[json!(vec![0; 1000])]).len(), 1 + MAX_MEMBERS);
        let deep = (0..100).fold(json!(1), |inner, _| json!({ "a": inner }));
        assert_eq!(checks(&[deep]), [("/a".repeat(MAX_DEPTH), CheckKind::IsObject)]);
        assert_eq!(checks(&[json!("x".repeat(1000))]), [(String::new(), CheckKind::IsString)]);
    }

    #[test]
    fn pointers_escape_field_names() {
        assert_eq!(checks(&[json!({"a/b~c": 1})])[0].0, "/a~1b~0c");
    }

    #[test]
    fn short_text_is_expected_and_binary_is_not() {
        assert_eq!(text(b"pong", "text/plain"), Some("pong".into()));
        assert_eq!(text(&[b'x'; 300], "text/plain"), None);
        assert_eq!(text(b"\xff", "text/plain"), None);
        assert_eq!(text(b"pong", "application/octet-stream"), None);
        assert_eq!(text(b"", "text/plain"), None);
    }
}
