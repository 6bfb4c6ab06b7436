//! Values that a test takes from answers, and the requests it makes with them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::action::{Answer, LinkSource, Request, UserIdx};
use crate::api::OperationIdx;
use crate::random::Random;
use crate::search::another;

use super::judge::{AnswerPart, Difference};
use super::linked::scalar_text;
use super::model::{Piece, TestBody, TestCall};

/// What the calls of a test have captured so far, by name.
#[derive(Debug, Clone, Default)]
pub struct CapturedValues(BTreeMap<String, Value>);

impl CapturedValues {
    /// Takes what `call` captures from its answer; what is not there is a difference.
    pub fn take(&mut self, call: &TestCall, answer: &Answer) -> Vec<Difference> {
        let mut missing = Vec::new();
        for capture in &call.captures {
            match capture.source.resolve(answer) {
                Some(value) => drop(self.0.insert(capture.name.clone(), value)),
                None => missing.push(Difference::new(part(&capture.source), "a value that later calls use", "nothing")),
            }
        }
        missing
    }

    /// Draws the texts that `call` sends others of each time.
    pub fn draw(&mut self, call: &TestCall, random: &mut Random) {
        for fresh in &call.fresh {
            self.0.insert(fresh.name.clone(), another(fresh.text(), random).into());
        }
    }

    /// The request of `call`, which is of that operation, with the values captured so far.
    pub fn request(&self, call: &TestCall, operation_idx: OperationIdx, user: Option<UserIdx>) -> Request {
        Request {
            operation_idx,
            verb: call.verb,
            url: self.fill(&call.url),
            headers: call.headers.iter().map(|(name, pieces)| (name.clone(), self.fill(pieces))).collect(),
            body: call.body.as_ref().map(|body| match body {
                TestBody::Text(pieces) => self.fill(pieces).into_bytes(),
                TestBody::Bytes(bytes) => bytes.clone(),
            }),
            user,
        }
    }

    fn fill(&self, pieces: &[Piece]) -> String {
        let written = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            // Suites are checked when they are loaded: an earlier call captures it.
            Piece::Captured { name, escape } => escape.apply(&self.0.get(name).map(scalar_text).unwrap_or_default()),
        };
        pieces.iter().map(written).collect()
    }
}

fn part(source: &LinkSource) -> AnswerPart {
    match source {
        LinkSource::Body(pointer) | LinkSource::Segment(pointer, _) => AnswerPart::Body { pointer: pointer.clone() },
        LinkSource::Header(name) => AnswerPart::Field { name: name.to_ascii_lowercase() },
        LinkSource::Cookie(_) => AnswerPart::Field { name: "set-cookie".to_owned() },
        LinkSource::LocationSegment => AnswerPart::Field { name: "location".to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::Verb;
    use crate::suite::sample;
    use crate::suite::{Capture, Escape, FreshValue};

    fn captures(sources: &[(&str, LinkSource)]) -> Vec<Capture> {
        let capture =
            |(name, source): &(&str, LinkSource)| Capture { name: (*name).into(), source: source.clone(), seen: json!(1) };
        sources.iter().map(capture).collect()
    }

    #[test]
    fn captured_values_are_written_as_their_places_want_them() {
        let sources = [("the_id", LinkSource::Body("/id".into())), ("the_name", LinkSource::LocationSegment)];
        let first = TestCall { captures: captures(&sources), ..sample::call(Verb::Post, vec![sample::text("/a")], 201) };
        let answer = Answer {
            headers: vec![("Location".into(), "/a/x%20%22y%22".into())],
            json: Some(json!({ "id": 7 })),
            ..Answer::default()
        };
        let mut values = CapturedValues::default();
        assert_eq!(values.take(&first, &answer), []);
        let url = vec![sample::text("/a/"), sample::captured("the_name", Escape::Url)];
        let body = [
            sample::text("{\"id\":"),
            sample::captured("the_id", Escape::Plain),
            sample::text(",\"name\":\""),
            sample::captured("the_name", Escape::JsonString),
            sample::text("\"}"),
        ];
        let second = sample::with_body(sample::call(Verb::Put, url, 200), "application/json", TestBody::Text(body.to_vec()));
        let request = values.request(&second, OperationIdx(3), None);
        assert_eq!((request.verb, request.url.as_str()), (Verb::Put, "/a/x%20%22y%22"));
        assert_eq!(request.body.as_deref(), Some(&b"{\"id\":7,\"name\":\"x \\\"y\\\"\"}"[..]));
        assert_eq!(request.headers, [("Content-Type".to_owned(), "application/json".to_owned())]);
    }

    #[test]
    fn what_a_service_takes_once_is_drawn_for_all_calls() {
        let fresh = vec![FreshValue { name: "new_name".into(), seen: json!("kqzvtw") }];
        let url = || vec![sample::text("/a/"), sample::captured("new_name", Escape::Url)];
        let (first, second) = (sample::call(Verb::Put, url(), 200), sample::call(Verb::Get, url(), 200));
        let first = TestCall { fresh, ..first };
        let (mut values, mut random) = (CapturedValues::default(), Random::new(1, 0));
        let mut sent = || {
            [&first, &second].map(|call| {
                values.draw(call, &mut random);
                values.request(call, OperationIdx(0), None).url
            })
        };
        let (one, other) = (sent(), sent());
        assert!(one[0] == one[1] && one[0].len() == 9 && one[0] != "/a/kqzvtw" && one[0] != other[0], "{one:?} {other:?}");
    }

    #[test]
    fn what_cannot_be_captured_is_a_difference() {
        let sources = [("the_id", LinkSource::Body("/id".into())), ("the_tag", LinkSource::Header("ETag".into()))];
        let first = TestCall { captures: captures(&sources), ..sample::call(Verb::Post, vec![sample::text("/a")], 201) };
        let missing =
            CapturedValues::default().take(&first, &Answer { json: Some(json!({ "id": null })), ..Answer::default() });
        let parts: Vec<AnswerPart> = missing.into_iter().map(|difference| difference.part).collect();
        assert_eq!(parts, [AnswerPart::Body { pointer: "/id".into() }, AnswerPart::Field { name: "etag".into() }]);
    }
}
