//! Whether an answer that is not as expected means that a fault is fixed.
//!
//! A test that shows a fault expects the wrong answer. When another one comes, the fault does not show any more; whether
//! the new answer is right can only be told by whoever knows the service, or by another run. An answer that only says
//! that the operation was not reached is no fix: a refused user, a path or a verb that nobody serves, a busy service.

use crate::suite::{AnswerPart, Difference, TestCall, TestCase};

/// Number of WFC's category for status 500.
const STATUS_500: &str = "F100-";
/// That of answers that do not match the schema.
const SCHEMA_MISMATCH: &str = "F101-";
/// That of connections that break.
const CONNECTION_DROPPED: &str = "F903-";

/// The findings of `test` that `call` showed and that an answer with `status` and these `differences` does not.
pub(super) fn fixed(test: &TestCase, call: &TestCall, status: u16, differences: &[Difference]) -> Vec<String> {
    let is_gone = |id: &&String| {
        if id.starts_with(STATUS_500) {
            call.status >= 500
        } else if id.starts_with(CONNECTION_DROPPED) {
            call.is_dropped()
        } else {
            id.starts_with(SCHEMA_MISMATCH) && !call.is_dropped() && matches_now(test, call, status, differences)
        }
    };
    if !reaches(call, status) {
        return Vec::new();
    }
    test.findings.iter().filter(is_gone).cloned().collect()
}

/// Whether an answer with `status` comes from the operation: it is neither a failure nor a refusal in front of it.
fn reaches(call: &TestCall, status: u16) -> bool {
    match status {
        401 | 403 | 405 | 407 | 429 | 500.. => false,
        // Where the path names a thing, that may be what is not found.
        404 => call.operation.contains('{'),
        _ => true,
    }
}

/// Whether what did not match the schema is otherwise now.
fn matches_now(test: &TestCase, call: &TestCall, status: u16, differences: &[Difference]) -> bool {
    let prefix = format!("fault:101:{}:", call.operation);
    let wrong: Vec<Wrong<'_>> = test.targets.iter().filter_map(|target| Wrong::read(target.strip_prefix(&prefix)?)).collect();
    let is_last = test.calls.last().is_some_and(|last| std::ptr::eq(last, call));
    if wrong.is_empty() {
        // Which part was wrong is not known where the fault is kept for another test.
        return is_last && status != call.status;
    }
    let mut of_call = wrong.iter().filter(|wrong| wrong.status == call.status);
    of_call.any(|wrong| status != call.status || differences.iter().any(|difference| wrong.is_about(&difference.part)))
}

/// What of an answer did not match the schema, as the key of the fault says it.
struct Wrong<'a> {
    status: u16,
    /// `media type`, `header x-id missing`, `body: enum at /status`; empty for a status that is not documented.
    what: &'a str,
}

impl<'a> Wrong<'a> {
    fn read(key: &'a str) -> Option<Self> {
        let (status, what) = key.strip_prefix("status ")?.split_once(": ").unwrap_or((&key["status ".len()..], ""));
        Some(Self { status: status.parse().ok()?, what })
    }

    fn is_about(&self, part: &AnswerPart) -> bool {
        match part {
            AnswerPart::MediaType => self.what.starts_with("media type") || self.what == "body missing",
            AnswerPart::Field { name } => {
                let header = self.what.strip_prefix("header ").map(|header| header.trim_end_matches(" missing"));
                header.is_some_and(|header| header.eq_ignore_ascii_case(name))
            }
            AnswerPart::Body { pointer } => match self.what.strip_prefix("body: ") {
                Some(violation) => violation.rsplit_once(" at ").is_some_and(|(_, place)| overlap(place, pointer)),
                None => self.what.starts_with("body "),
            },
            AnswerPart::Text => self.what.starts_with("body"),
            AnswerPart::Answer | AnswerPart::Status => false,
        }
    }
}

/// Whether one of a place in a schema, where `*` stands for any member, and a place in a body is inside the other.
fn overlap(place: &str, pointer: &str) -> bool {
    let names = place.split('/').filter(|name| !name.is_empty());
    let tokens = pointer.split('/').skip(1);
    names.zip(tokens).all(|(name, token)| name == "*" || token.replace("~1", "/").replace("~0", "~") == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Verb;
    use crate::suite::{Piece, TestKind};

    fn call(operation: &str, status: u16) -> TestCall {
        TestCall {
            operation: operation.to_owned(),
            verb: Verb::Get,
            fresh: Vec::new(),
            url: vec![Piece::Text("/a".to_owned())],
            headers: Vec::new(),
            body: None,
            user: None,
            status,
            media_type: None,
            fields: Vec::new(),
            checks: Vec::new(),
            text: None,
            captures: Vec::new(),
        }
    }

    fn test(finding: &str, target: &str, call: TestCall) -> TestCase {
        TestCase {
            name: "get_a".to_owned(),
            kind: TestKind::Fault,
            description: String::new(),
            tag: None,
            targets: vec![target.to_owned()],
            findings: vec![finding.to_owned()],
            notes: Vec::new(),
            calls: vec![call],
        }
    }

    fn is_fixed(test: &TestCase, status: u16, parts: &[AnswerPart]) -> bool {
        let differences: Vec<Difference> = parts.iter().map(|part| Difference::new(part.clone(), "x", "y")).collect();
        !fixed(test, &test.calls[0], status, &differences).is_empty()
    }

    fn body(pointer: &str) -> AnswerPart {
        AnswerPart::Body { pointer: pointer.to_owned() }
    }

    #[test]
    fn a_failure_is_fixed_when_the_operation_answers_otherwise() {
        let failing = test("F100-1", "", call("GET /a/{id}", 500));
        for (status, expected) in
            [(200, true), (400, true), (404, true), (500, false), (503, false), (401, false), (405, false), (429, false)]
        {
            assert_eq!(is_fixed(&failing, status, &[AnswerPart::Status]), expected, "{status}");
        }
        let plain = test("F100-1", "", call("GET /a", 500));
        assert!(!is_fixed(&plain, 404, &[AnswerPart::Status]), "nobody serves the path");
        let before = test("F100-1", "", call("GET /a", 201));
        assert!(!is_fixed(&before, 200, &[AnswerPart::Status]), "another call than the one that fails");
    }

    #[test]
    fn a_broken_connection_is_fixed_by_an_answer() {
        let dropped = test("F903-1", "", call("GET /a", 0));
        assert!(is_fixed(&dropped, 200, &[AnswerPart::Answer]) && !is_fixed(&dropped, 500, &[AnswerPart::Answer]));
    }

    #[test]
    fn a_mismatch_is_fixed_when_the_part_that_did_not_match_is_otherwise() {
        let wrong = |key: &str| test("F101-1", &format!("fault:101:GET /a:{key}"), call("GET /a", 200));
        let item = wrong("status 200: body: enum at /items/*/kind");
        assert!(is_fixed(&item, 200, &[body("/items/3/kind")]) && is_fixed(&item, 200, &[body("/items")]));
        assert!(!is_fixed(&item, 200, &[body("/items/3/name")]) && !is_fixed(&item, 200, &[AnswerPart::MediaType]));
        assert!(is_fixed(&item, 201, &[AnswerPart::Status]) && !is_fixed(&item, 500, &[AnswerPart::Status]));
        assert!(is_fixed(&wrong("status 200: body: type at /"), 200, &[body("/x")]), "the whole body");
        assert!(is_fixed(&wrong("status 200: media type"), 200, &[AnswerPart::MediaType]));
        let field = AnswerPart::Field { name: "x-id".to_owned() };
        assert!(is_fixed(&wrong("status 200: header X-Id"), 200, std::slice::from_ref(&field)));
        assert!(!is_fixed(&wrong("status 200: header x-other missing"), 200, &[field]));
        let undocumented = wrong("status 200");
        assert!(is_fixed(&undocumented, 204, &[AnswerPart::Status]) && !is_fixed(&undocumented, 200, &[body("/x")]));
        assert!(!is_fixed(&wrong("status 404: body: type at /"), 200, &[body("/x")]), "another call of the operation");
    }

    #[test]
    fn where_the_part_is_not_known_another_status_of_the_last_call_is_needed() {
        let unknown = test("F101-1", "class:GET /a:2xx", call("GET /a", 200));
        assert!(is_fixed(&unknown, 204, &[AnswerPart::Status]) && !is_fixed(&unknown, 200, &[body("/x")]));
    }
}
