//! What is wrong on purpose about a call: one of its values, or the request around the values.

mod odd_path;

pub use odd_path::OddPath;

use crate::api::{Api, Operation, OperationIdx};
use crate::gene::Violation;

use super::Request;

/// One thing that is wrong on purpose.
#[derive(Debug, Clone, PartialEq)]
pub enum CallViolation {
    /// A value against its schema.
    Value(PlacedViolation),
    /// The request around the values.
    Request(Malformation),
}

/// A value's violation and where it applies.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedViolation {
    /// The parameter or body whose rendered value is changed.
    pub place: ValuePlace,
    /// The change.
    pub violation: Violation,
}

/// A parameter or the body of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValuePlace {
    /// Position in [`crate::api::Operation::parameters`].
    Parameter(usize),
    /// The active body.
    Body,
}

/// A request that no schema of values describes: what parsers refuse before the service looks at a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Malformation {
    /// `Content-Type` is this one, whether a body follows or not; a body stays as it is.
    ContentType(&'static str),
    /// `Accept` is this one.
    Accept(&'static str),
    /// The body is another one.
    Body(OddBody),
    /// The second half of the body is missing.
    CutBody,
    /// The first pair of the query stands there twice.
    RepeatedParameter,
    /// The value of the body is written in this media type instead of the documented one.
    Reencoded(&'static str),
    /// The path is one that no operation has.
    Path(OddPath),
}

/// A body that hardly any operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OddBody {
    /// What is sent.
    pub bytes: &'static [u8],
    /// What it is, for test names and reports.
    pub description: &'static str,
}

/// Types that an operation may not expect; one that it does is no harm.
const CONTENT_TYPES: [&str; 6] = [
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "application/xml",
    "text/plain",
    "application/json; charset=unknown",
    "unknown",
];

/// Types that values can be written in.
const ENCODINGS: [&str; 4] =
    ["multipart/form-data", "application/x-www-form-urlencoded", "application/xml", "application/json"];

/// What no service has, and what is no media range.
const ACCEPTS: [&str; 2] = ["application/x-unknown", "unknown"];

const BODIES: [OddBody; 7] = [
    OddBody { bytes: b"", description: "empty body" },
    OddBody { bytes: b"null", description: "body null" },
    OddBody { bytes: b"[]", description: "empty list as body" },
    OddBody { bytes: b"{\"", description: "body of an open brace" },
    OddBody { bytes: b"<a/>", description: "markup as body" },
    OddBody { bytes: b"{\"a\":\"\xff\"}", description: "body that is not UTF-8" },
    OddBody { bytes: b"1e999", description: "huge number as body" },
];

impl CallViolation {
    /// What is wrong with a call of `operation`, for test names and reports: `missing name`, `body cut short`.
    pub fn description(&self, operation: &Operation) -> String {
        match self {
            Self::Value(placed) => placed.description(operation),
            Self::Request(malformation) => malformation.description(),
        }
    }

    /// What is wrong with the request around the values, if that is what is wrong.
    pub fn malformation(&self) -> Option<Malformation> {
        match self {
            Self::Value(_) => None,
            Self::Request(malformation) => Some(*malformation),
        }
    }

    /// Whether the call goes where no operation is, so that its answer says nothing about one.
    pub fn leads_astray(&self) -> bool {
        matches!(self, Self::Request(Malformation::Path(_)))
    }
}

impl PlacedViolation {
    fn description(&self, operation: &Operation) -> String {
        let description = &self.violation.description;
        let whole = match self.place {
            ValuePlace::Parameter(idx) => operation.parameters.get(idx).map_or("value", |parameter| &parameter.name),
            ValuePlace::Body => "body",
        };
        // At its root a value does not know its own name.
        if self.violation.pointer.is_empty() { description.replacen("value", whole, 1) } else { description.clone() }
    }
}

impl Malformation {
    /// All that apply to a request with or without body and query.
    pub fn candidates(has_body: bool, has_query: bool) -> Vec<Self> {
        let bodies = BODIES.into_iter().map(Self::Body).chain([Self::CutBody]);
        let bodies = bodies.chain(ENCODINGS.into_iter().map(Self::Reencoded));
        let types = CONTENT_TYPES.into_iter().map(Self::ContentType);
        let accepts = ACCEPTS.into_iter().map(Self::Accept);
        let paths = OddPath::ALL.into_iter().map(Self::Path);
        let repeated = has_query.then_some(Self::RepeatedParameter);
        types.chain(accepts).chain(paths).chain(bodies.filter(|_| has_body)).chain(repeated).collect()
    }

    /// Whether the request of `operation_idx` becomes another one by it.
    pub fn applies(self, api: &Api, operation_idx: OperationIdx) -> bool {
        !matches!(self, Self::Path(odd) if !odd.applies(api, operation_idx))
    }

    fn description(self) -> String {
        match self {
            Self::ContentType(media_type) => format!("content type {media_type}"),
            Self::Accept(range) => format!("accept {range}"),
            Self::Body(odd) => odd.description.to_owned(),
            Self::CutBody => "body cut short".to_owned(),
            Self::RepeatedParameter => "repeated parameter".to_owned(),
            Self::Reencoded(media_type) => format!("body as {media_type}"),
            Self::Path(odd) => odd.description().to_owned(),
        }
    }

    /// Makes `request` wrong; without a body, a query or a path to change it stays as it is. Another encoding is
    /// chosen while the body is written.
    pub(super) fn apply(self, api: &Api, request: &mut Request) {
        match self {
            Self::ContentType(media_type) => set_field(request, "Content-Type", media_type),
            Self::Accept(range) => set_field(request, "Accept", range),
            Self::Body(odd) => {
                if request.body.is_some() {
                    request.body = Some(odd.bytes.to_vec());
                }
            }
            Self::CutBody => {
                if let Some(body) = &mut request.body {
                    body.truncate(cut(body));
                }
            }
            Self::RepeatedParameter => {
                if let Some((_, query)) = request.url.split_once('?') {
                    let first = query.split('&').next().unwrap_or_default().to_owned();
                    request.url.push('&');
                    request.url.push_str(&first);
                }
            }
            Self::Reencoded(_) => {}
            Self::Path(odd) => odd.apply(api, request),
        }
    }
}

/// Half of `body`, at a character boundary.
fn cut(body: &[u8]) -> usize {
    let half = body.len() / 2;
    (0..=half).rev().find(|end| body.get(*end).is_none_or(|byte| byte & 0xc0 != 0x80)).unwrap_or(0)
}

fn set_field(request: &mut Request, name: &str, value: &str) {
    request.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
    request.headers.push((name.to_owned(), value.to_owned()));
}

#[cfg(test)]
mod tests {
    use super::{BODIES, CallViolation, Malformation, PlacedViolation, ValuePlace};
    use crate::action::Request;
    use crate::api::{Api, Operation, OperationIdx, Verb};
    use crate::gene::{Edit, Violation};

    fn request(url: &str, body: Option<&str>) -> Request {
        Request {
            operation_idx: OperationIdx(0),
            verb: Verb::Post,
            url: url.to_owned(),
            headers: vec![("Accept".to_owned(), "*/*".to_owned()), ("content-type".to_owned(), "text/csv".to_owned())],
            body: body.map(|text| text.as_bytes().to_vec()),
            user: None,
        }
    }

    fn applied(malformation: Malformation, url: &str, body: Option<&str>) -> Request {
        let mut request = request(url, body);
        malformation.apply(&Api::default(), &mut request);
        request
    }

    #[test]
    fn a_field_is_replaced_whatever_its_spelling() {
        let sent = applied(Malformation::ContentType("unknown"), "/", None);
        let expected = [("Accept".to_owned(), "*/*".to_owned()), ("Content-Type".to_owned(), "unknown".to_owned())];
        assert_eq!(sent.headers, expected);
        assert_eq!(sent.body, None);
    }

    #[test]
    fn a_body_is_cut_between_characters() {
        assert_eq!(applied(Malformation::CutBody, "/", Some("{\"é\":1}")).body.as_deref(), Some("{\"é".as_bytes()));
        assert_eq!(applied(Malformation::CutBody, "/", Some("é")).body.as_deref(), Some(b"".as_slice()));
    }

    #[test]
    fn the_first_pair_of_a_query_is_sent_again() {
        assert_eq!(applied(Malformation::RepeatedParameter, "/x?a=1&b=2", None).url, "/x?a=1&b=2&a=1");
    }

    #[test]
    fn what_is_not_there_is_not_made_wrong() {
        for malformation in [Malformation::Body(BODIES[1]), Malformation::CutBody, Malformation::RepeatedParameter] {
            assert_eq!(applied(malformation, "/x", None), request("/x", None));
        }
    }

    #[test]
    fn a_whole_value_is_named_by_its_place() {
        let operation = Operation::bare(Verb::Post, "/x");
        let described = |pointer: &str, description: &str| {
            let violation = Violation { pointer: pointer.to_owned(), edit: Edit::Remove, description: description.to_owned() };
            CallViolation::Value(PlacedViolation { place: ValuePlace::Body, violation }).description(&operation)
        };
        assert_eq!(described("", "value as text"), "body as text");
        assert_eq!(described("/value", "value as text"), "value as text");
        assert_eq!(described("/name", "missing name"), "missing name");
    }

    #[test]
    fn bodies_and_queries_are_only_offered_where_they_are() {
        let is_body = |malformation: &Malformation| {
            matches!(malformation, Malformation::Body(_) | Malformation::CutBody | Malformation::Reencoded(_))
        };
        let candidates = Malformation::candidates;
        assert!(!candidates(false, true).iter().any(is_body));
        assert!(candidates(true, false).iter().any(is_body));
        assert!(!candidates(true, false).contains(&Malformation::RepeatedParameter));
        assert!(candidates(true, true).contains(&Malformation::RepeatedParameter));
    }
}
