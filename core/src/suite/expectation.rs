//! What can be expected of an answer: what did not differ between executions, bounded.

use std::collections::BTreeSet;

use serde_json::{Number, Value};

use crate::action::{Answer, Coding};
use crate::api::MediaKind;

use super::chance::{are_complaints, describes_machine, lists_complaints};
use super::model::{BodyCheck, CheckKind, FieldCheck};
use super::shape::Shape;
use super::surroundings::Surroundings;

/// Checks on one answer, at most.
const MAX_CHECKS: usize = 60;
/// Members of one array that are looked into.
const MAX_MEMBERS: usize = 10;
/// Nesting that is looked into.
const MAX_DEPTH: usize = 8;
/// Characters of a string that is expected literally.
const MAX_STRING: usize = 300;
/// Bytes of a header field that is expected literally.
const MAX_FIELD: usize = 300;
/// Header fields that mean something to callers; what a server adds about itself, the connection or the moment is left out.
const FIELDS: [&str; 15] = [
    "accept-patch",
    "accept-post",
    "allow",
    "cache-control",
    "content-disposition",
    "content-language",
    "content-location",
    "content-security-policy",
    "etag",
    "link",
    "location",
    "referrer-policy",
    "www-authenticate",
    "x-content-type-options",
    "x-frame-options",
];
/// Those of [`FIELDS`] that change with what the service holds.
const FIELDS_OF_STATE: [&str; 4] = ["content-location", "etag", "link", "location"];
/// Bytes of a body without JSON that is expected literally.
const MAX_TEXT: usize = 200;

/// What is expected of an answer beside its status.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Expectation {
    /// Media type without parameters, in lower case.
    pub media_type: Option<String>,
    /// Header fields.
    pub fields: Vec<FieldCheck>,
    /// Places of the JSON body.
    pub checks: Vec<BodyCheck>,
    /// The whole body as text.
    pub text: Option<String>,
}

impl Expectation {
    /// What the answers of several executions of one call have in common; nothing when there are none.
    pub fn common_to(answers: &[&Answer], surroundings: &Surroundings) -> Self {
        if answers.is_empty() {
            return Self::default();
        }
        let fields = FIELDS.iter().filter_map(|name| common_field(name, answers, surroundings)).collect();
        if answers.iter().any(|answer| answer.body.is_empty()) {
            return Self { fields, ..Self::default() };
        }
        let media_type = common(answers.iter().map(|answer| media_type(answer))).flatten();
        let values: Option<Vec<&Value>> = answers.iter().map(|answer| answer.json().filter(|_| !answer.truncated)).collect();
        let mut expectation = Self { media_type, fields, ..Self::default() };
        if answers.iter().any(|answer| answer.coding != Coding::Plain) {
            return expectation;
        }
        match values {
            Some(values) => {
                let is_refusal = answers.iter().all(|answer| (400..500).contains(&answer.status));
                Walk { surroundings, is_refusal, checks: &mut expectation.checks }.visit("", "", &values, 0);
            }
            None => expectation.text = common_text(answers, expectation.media_type.as_deref(), surroundings),
        }
        expectation
    }

    /// Takes back the values that are expected: only their types stay.
    pub fn forget_values(&mut self) {
        self.text = None;
        self.forget_fields();
        self.checks.retain(|check| !matches!(check.kind, CheckKind::Equals(Value::Null)));
        for check in &mut self.checks {
            check.kind = match &check.kind {
                CheckKind::Equals(Value::String(_)) => CheckKind::IsString,
                CheckKind::Equals(Value::Number(_)) => CheckKind::IsNumber,
                CheckKind::Equals(Value::Bool(_)) => CheckKind::IsBoolean,
                CheckKind::Members(_) => CheckKind::IsArray,
                kind => kind.clone(),
            };
        }
    }

    /// Takes back the numbers that are expected, but for those in `sent`, the JSON of the request: they may count what is
    /// there.
    pub fn forget_numbers(&mut self, sent: Option<&Value>) {
        for check in &mut self.checks {
            if matches!(&check.kind, CheckKind::Equals(number @ Value::Number(_)) if !sent.is_some_and(|sent| has(sent, number)))
            {
                check.kind = CheckKind::IsNumber;
            }
        }
    }

    /// Takes back the values of header fields that change with what the service holds.
    fn forget_fields(&mut self) {
        for field in self.fields.iter_mut().filter(|field| FIELDS_OF_STATE.contains(&field.name.as_str())) {
            field.value = None;
        }
    }

    /// Takes back what is expected of the members of lists: arrays that are the body or stand directly in it, but for those
    /// that give back what was `sent`, the JSON of the request.
    pub fn forget_lists(&mut self, sent: Option<&Value>) {
        self.forget_fields();
        let is_array = |kind: &CheckKind| matches!(kind, CheckKind::Length(_) | CheckKind::Members(_));
        let is_sent = |check: &BodyCheck| {
            let sent = sent.and_then(|sent| sent.pointer(&check.pointer)?.as_array()).map(Vec::len);
            let expected = match &check.kind {
                CheckKind::Length(length) => Some(*length),
                CheckKind::Members(members) => Some(members.len()),
                _ => None,
            };
            sent.is_some() && sent == expected
        };
        let is_list = |check: &BodyCheck| is_array(&check.kind) && check.pointer.matches('/').count() <= 1 && !is_sent(check);
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

/// The media type of an answer, without parameters and in lower case.
pub(super) fn media_type(answer: &Answer) -> Option<String> {
    let essence = answer.header("content-type")?.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    (!essence.is_empty()).then_some(essence)
}

/// What can be expected of the header field `name`: its value, or that it is there once.
fn common_field(name: &str, answers: &[&Answer], surroundings: &Surroundings) -> Option<FieldCheck> {
    let values: Vec<&str> = answers.iter().map(|answer| single_field(name, answer)).collect::<Option<_>>()?;
    let is_plain = |value: &&str| value.len() <= MAX_FIELD && value.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let value = common(values.into_iter()).filter(is_plain).filter(|value| !surroundings.contain_text(value));
    Some(FieldCheck { name: name.to_owned(), value: value.map(str::to_owned) })
}

/// The value of a header field that is there once.
fn single_field<'a>(name: &str, answer: &'a Answer) -> Option<&'a str> {
    let mut values = answer.headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
    values.next().filter(|_| values.next().is_none())
}

fn common_text(answers: &[&Answer], media_type: Option<&str>, surroundings: &Surroundings) -> Option<String> {
    if MediaKind::of(media_type?) != MediaKind::Text {
        return None;
    }
    let body = common(answers.iter().map(|answer| &answer.body))?;
    if body.len() > MAX_TEXT
        || lists_complaints(&String::from_utf8_lossy(body))
        || answers.iter().any(|answer| answer.truncated)
    {
        return None;
    }
    let text = String::from_utf8(body.clone()).ok()?;
    (!surroundings.contain_text(&text)).then_some(text)
}

struct Walk<'a> {
    surroundings: &'a Surroundings,
    /// Whether the call was refused.
    is_refusal: bool,
    checks: &'a mut Vec<BodyCheck>,
}

impl Walk<'_> {
    /// Adds what can be expected of the place at `pointer`, in the field of that name, where `values` were found.
    fn visit(&mut self, pointer: &str, field: &str, values: &[&Value], depth: usize) {
        match values[0] {
            Value::Object(first) if values.iter().all(|value| value.is_object()) => {
                if first.is_empty() || depth >= MAX_DEPTH || describes_machine(first) {
                    return self.add(pointer, CheckKind::IsObject);
                }
                for key in first.keys() {
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
                let arrays: Vec<&Vec<Value>> = values.iter().filter_map(|value| value.as_array()).collect();
                if is_reordered(&arrays) || is_like_set(first) || self.is_refusal && are_complaints(first) {
                    return self.visit_set(pointer, field, &arrays, depth);
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

    /// Adds what can be expected of arrays with the same members in another order each time, or in the next process: the
    /// members, where they are few and plain, else what all members have in common.
    fn visit_set(&mut self, pointer: &str, field: &str, arrays: &[&Vec<Value>], depth: usize) {
        let members = sorted(arrays[0]);
        let is_stable = |value: &&Value| !self.surroundings.contain(field, value);
        if members.len() <= MAX_MEMBERS && is_sortable(&members) && members.iter().all(is_stable) {
            return self.add(pointer, CheckKind::Members(members.into_iter().cloned().collect()));
        }
        self.add(pointer, CheckKind::Length(members.len()));
        for idx in (0..members.len().min(MAX_MEMBERS)).filter(|_| depth < MAX_DEPTH) {
            self.visit(&format!("{pointer}/{idx}"), field, &members, depth + 1);
        }
    }

    fn visit_scalar(&mut self, pointer: &str, field: &str, values: &[&Value]) {
        let first = values[0];
        let stable = values.iter().all(|value| same_scalar(value, first))
            && !self.surroundings.contain(field, first)
            && !first.as_str().is_some_and(lists_complaints);
        let is_long = first.as_str().is_some_and(|text| text.chars().count() > MAX_STRING);
        let kind = match first {
            _ if stable && !is_long => CheckKind::Equals(first.clone()),
            Value::String(_) if values.iter().all(|value| value.is_string()) => {
                let texts: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
                let shape = Shape::common_to(&texts);
                shape.map_or(CheckKind::IsString, CheckKind::Looks)
            }
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

/// Whether `arrays` have the same members, but not in the same order.
fn is_reordered(arrays: &[&Vec<Value>]) -> bool {
    let first = sorted(arrays[0]);
    arrays.iter().any(|array| *array != arrays[0]) && arrays.iter().all(|array| sorted(array) == first)
}

/// Whether an array may be a set written down: several texts, each one once.
///
/// Many languages give a set another order in each process, which executions in one process never show, and which is that
/// of the request now and then; a test that does not look at the order of a list is worth more than one that fails after a
/// restart.
fn is_like_set(array: &[Value]) -> bool {
    let texts: BTreeSet<&str> = array.iter().filter_map(Value::as_str).collect();
    array.len() > 1 && texts.len() == array.len()
}

/// Whether `wanted` stands somewhere in `value`.
fn has(value: &Value, wanted: &Value) -> bool {
    value == wanted
        || match value {
            Value::Array(members) => members.iter().any(|member| has(member, wanted)),
            Value::Object(fields) => fields.values().any(|field| has(field, wanted)),
            _ => false,
        }
}

/// The members of an array in an order that depends on them alone: whole numbers by value, the rest by their JSON.
pub(super) fn sorted(array: &[Value]) -> Vec<&Value> {
    let mut members: Vec<&Value> = array.iter().collect();
    members.sort_by_cached_key(|member| {
        let text = member.as_str().map_or_else(|| member.to_string(), str::to_owned);
        (member.as_i64(), text)
    });
    members
}

/// Whether every language sorts these members alike: whole numbers, or texts without characters from U+E000 on, which
/// UTF-16 orders in its own way.
fn is_sortable(members: &[&Value]) -> bool {
    let is_text = |text: &str| text.chars().all(|character| character < '\u{e000}') && text.len() <= MAX_STRING;
    members.iter().all(|member| member.is_i64()) || members.iter().all(|member| member.as_str().is_some_and(is_text))
}

/// Whether two scalars are equal, numbers by value.
pub(super) fn same_scalar(left: &Value, right: &Value) -> bool {
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
    fn volatile_texts_are_expected_by_their_shape() {
        let ids = ["123e4567-e89b-12d3-a456-426614174000", "00000000-e89b-12d3-a456-426614174000"];
        let looks = |one: &str, other: &str| checks(&[json!(one), json!(other)]).remove(0).1;
        assert_eq!(looks(ids[0], ids[1]), CheckKind::Looks(Shape::Uuid));
        assert_eq!(looks("2001-02-03T04:05:06Z", "2001-02-03T04:05:07Z"), CheckKind::Looks(Shape::DateTime));
        assert_eq!(looks("x", "y"), CheckKind::IsString);
    }

    #[test]
    fn sets_are_expected_without_their_order() {
        assert_eq!(
            checks(&[json!(["b", "a", "c"]), json!(["c", "b", "a"])]),
            [(String::new(), CheckKind::Members(vec![json!("a"), json!("b"), json!("c")]))]
        );
        let numbers = CheckKind::Members(vec![json!(-1), json!(2), json!(10)]);
        assert_eq!(checks(&[json!([10, 2, -1]), json!([2, 10, -1])]), [(String::new(), numbers)]);
        let (one, other) = (json!({"id": 1, "kind": "x"}), json!({"id": 2, "kind": "x", "more": 1}));
        let found = checks(&[json!([one, other]), json!([other, one])]);
        let member =
            |idx: usize| [(format!("/{idx}/id"), CheckKind::IsNumber), (format!("/{idx}/kind"), CheckKind::Equals(json!("x")))];
        assert_eq!(found, [vec![(String::new(), CheckKind::Length(2))], member(0).to_vec(), member(1).to_vec()].concat());
        assert_eq!(checks(&[json!([1, 1, 2]), json!([1, 2, 2])])[0].1, CheckKind::Length(3), "not the same members");
    }

    #[test]
    fn texts_that_may_be_a_set_are_expected_without_their_order() {
        let body = json!({"phases": ["b", "a"]});
        let members = CheckKind::Members(vec![json!("a"), json!("b")]);
        assert_eq!(checks(&[body.clone(), body.clone()]), [("/phases".to_owned(), members)]);
        for ordered in [json!(["a"]), json!(["a", "b", "a"]), json!([2, 1]), json!(["a", 1])] {
            let first = ordered[0].clone();
            assert!(checks(&[ordered]).contains(&("/0".to_owned(), CheckKind::Equals(first))));
        }
    }

    #[test]
    fn fields_that_mean_something_are_expected() {
        let with = |fields: &[(&str, &str)]| {
            let headers = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            Answer { status: 201, headers, ..Answer::default() }
        };
        let one = with(&[("Location", "/a/1"), ("ETag", "x"), ("Allow", "GET"), ("Link", "a"), ("Link", "b"), ("Server", "s")]);
        let other = with(&[("location", "/a/2"), ("ETag", "x"), ("Server", "s"), ("Allow", "GET"), ("Link", "a")]);
        let mut expectation = Expectation::common_to(&[&one, &other], &Surroundings::default());
        let found = |expectation: &Expectation| {
            let fields = expectation.fields.iter().map(|field| (field.name.clone(), field.value.clone()));
            fields.collect::<Vec<_>>()
        };
        let field = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        assert_eq!(found(&expectation), [field("allow", Some("GET")), field("etag", Some("x")), field("location", None)]);
        expectation.forget_lists(None);
        assert_eq!(found(&expectation), [field("allow", Some("GET")), field("etag", None), field("location", None)]);
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
        expectation.forget_lists(None);
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
    fn numbers_can_be_forgotten_and_those_that_were_sent_stay() {
        let answer = answer(&json!({"count": 3, "limit": 10, "name": "x"}));
        let mut expectation = Expectation::common_to(&[&answer], &Surroundings::default());
        expectation.forget_numbers(Some(&json!({"page": {"limit": 10}})));
        let kind = |pointer: &str| expectation.checks.iter().find(|check| check.pointer == pointer).map(|check| &check.kind);
        assert_eq!(kind("/count"), Some(&CheckKind::IsNumber));
        assert_eq!(kind("/limit"), Some(&CheckKind::Equals(json!(10))));
        assert_eq!(kind("/name"), Some(&CheckKind::Equals(json!("x"))));
    }

    #[test]
    fn lists_that_were_sent_stay() {
        let answer = answer(&json!({"tags": ["a", "b"], "sizes": [3], "found": [{"id": 1}], "more": []}));
        let mut expectation = Expectation::common_to(&[&answer], &Surroundings::default());
        expectation.forget_lists(Some(&json!({"tags": ["b", "a"], "sizes": [3], "found": []})));
        let found: Vec<_> = expectation.checks.iter().map(|check| (check.pointer.as_str(), &check.kind)).collect();
        let tags = CheckKind::Members(vec![json!("a"), json!("b")]);
        let sizes = [("/sizes", &CheckKind::Length(1)), ("/sizes/0", &CheckKind::Equals(json!(3)))];
        let others = [("/tags", &tags), ("/found", &CheckKind::IsArray), ("/more", &CheckKind::IsArray)];
        for check in sizes.into_iter().chain(others) {
            assert!(found.contains(&check), "{found:?}");
        }
        assert_eq!(found.len(), 5);
    }

    /// Two complaints of a validator came in the same order in each execution, and in the other one in the next process.
    #[test]
    fn complaints_are_expected_in_any_order() {
        let complaints = json!({"errors": [
            {"path": "taskId", "message": "must not be null", "value": ""},
            {"path": "workflowId", "message": "must not be null", "value": ""},
        ]});
        let found = |status: u16| {
            let answer = Answer { status, ..answer(&complaints) };
            let checks = Expectation::common_to(&[&answer, &answer], &Surroundings::default()).checks;
            checks.into_iter().map(|check| (check.pointer, check.kind)).collect::<Vec<_>>()
        };
        let path = |idx: usize| format!("/errors/{idx}/path");
        let places = ["taskId", "workflowId"].map(|name| CheckKind::Equals(json!(name)));
        let refused = found(400);
        for (idx, place) in places.into_iter().enumerate() {
            assert!(found(200).contains(&(path(idx), place.clone())), "a list");
            assert!(!refused.contains(&(path(idx), place)), "{refused:?}");
            let message = (format!("/errors/{idx}/message"), CheckKind::Equals(json!("must not be null")));
            assert!(refused.contains(&message), "what all have in common: {refused:?}");
        }
        assert!(refused.contains(&("/errors".to_owned(), CheckKind::Length(2))));
    }

    #[test]
    fn what_depends_on_the_process_is_expected_by_its_type() {
        let machine = json!({"java.version": "17", "os.name": "x", "user.dir": "/"});
        let text = "a.name: must not be blank, a.size: must be positive";
        let found = checks(&[json!({"properties": machine, "message": text, "status": 400})]);
        let expected = [
            ("/message", CheckKind::IsString),
            ("/properties", CheckKind::IsObject),
            ("/status", CheckKind::Equals(json!(400))),
        ];
        for (pointer, kind) in expected {
            assert!(found.contains(&(pointer.to_owned(), kind)), "{found:?}");
        }
        assert_eq!(found.len(), 3);
        assert_eq!(super::tests::text(text.as_bytes(), "text/plain"), None);
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
