//! Values that a call takes from an earlier answer of the same test.

use serde_json::Value;

use super::{ActionResult, Answer};

/// Where a value goes and which earlier answer it comes from.
///
/// When the answer has no such value the gene's own is sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Link {
    /// Where the value goes.
    pub place: LinkPlace,
    /// Position of the earlier action in the individual.
    pub from_action: usize,
    /// What of its answer is taken.
    pub source: LinkSource,
}

/// Where a linked value goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LinkPlace {
    /// The whole value of a parameter, by position in the operation's parameters.
    Parameter(usize),
    /// A field of the body, as JSON pointer.
    Body(String),
    /// A header field of this name that shows credentials, behind this text: `Authorization` and `Bearer ` (RFC 9110, 11.6.2).
    Credentials(String, &'static str),
    /// The cookie of this name, to the letter (RFC 6265, 4.2).
    Cookie(String),
}

/// What of an answer is taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LinkSource {
    /// The value at a JSON pointer of a JSON body.
    Body(String),
    /// A header field.
    Header(String),
    /// The cookie of this name (RFC 6265, 4.1).
    Cookie(String),
    /// The last path segment of the `Location` header.
    LocationSegment,
    /// A path segment of the URL at a JSON pointer of a JSON body, counted from the last one, which is 0.
    Segment(String, usize),
}

impl Link {
    /// The value in what the earlier action gave, none when there was no answer or it is a refusal: what a refusal says
    /// about itself names nothing that exists.
    pub fn resolve(&self, earlier: &ActionResult) -> Option<Value> {
        let answer = earlier.answer().filter(|answer| answer.status < 400)?;
        self.source.resolve(answer).filter(|value| value.as_str() != Some(""))
    }
}

impl LinkPlace {
    /// Whether it says who calls, and nothing of the operation.
    pub fn shows_credentials(&self) -> bool {
        matches!(self, Self::Credentials(..) | Self::Cookie(_))
    }
}

impl LinkSource {
    /// Whether it is in the JSON body of the answer.
    pub fn reads_body(&self) -> bool {
        matches!(self, Self::Body(_) | Self::Segment(..))
    }

    /// The value in `answer`: a scalar, or nothing.
    pub fn resolve(&self, answer: &Answer) -> Option<Value> {
        match self {
            Self::Body(pointer) => {
                let value = answer.json()?.pointer(pointer)?.clone();
                (!value.is_null() && !value.is_object() && !value.is_array()).then_some(value)
            }
            Self::Header(name) => answer.header(name).map(Value::from),
            Self::Cookie(name) => answer.cookies().iter().find(|(it, _)| it == name).map(|(_, value)| Value::from(*value)),
            Self::LocationSegment => segment(answer.header("location")?, 0),
            Self::Segment(pointer, from_end) => segment(answer.json()?.pointer(pointer)?.as_str()?, *from_end),
        }
    }
}

/// The segment of the path of a URL reference that is so far from the last one, decoded.
fn segment(reference: &str, from_end: usize) -> Option<Value> {
    let segment = url_path(reference).rsplit('/').filter(|segment| !segment.is_empty()).nth(from_end)?;
    Some(Value::from(percent_encoding::percent_decode_str(segment).decode_utf8().ok()?.into_owned()))
}

/// The path of an absolute or relative URL reference.
pub(crate) fn url_path(reference: &str) -> &str {
    let reference = reference.split(['?', '#']).next().unwrap_or_default();
    match reference.split_once("//") {
        Some((scheme, rest)) if scheme.is_empty() || scheme.ends_with(':') => rest.find('/').map_or("", |start| &rest[start..]),
        _ => reference,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::LinkSource;
    use crate::action::Answer;

    fn answer(location: &str) -> Answer {
        let body = json!({"id": 7, "owner": {"name": "x"}, "tags": ["a"], "gone": null});
        Answer {
            status: 201,
            headers: vec![("location".to_owned(), location.to_owned())],
            json: Some(body),
            ..Answer::default()
        }
    }

    #[test]
    fn only_scalars_of_a_body_are_taken() {
        let resolve = |pointer: &str| LinkSource::Body(pointer.to_owned()).resolve(&answer(""));
        assert_eq!(resolve("/id"), Some(json!(7)));
        assert_eq!(resolve("/owner/name"), Some(json!("x")));
        assert_eq!(resolve("/tags/0"), Some(json!("a")));
        for pointer in ["/owner", "/tags", "/gone", "/other", "/tags/1"] {
            assert_eq!(resolve(pointer), None, "{pointer}");
        }
        assert_eq!(LinkSource::Body("/id".to_owned()).resolve(&Answer::default()), None);
    }

    #[test]
    fn segments_of_a_url_in_a_body_are_counted_from_its_end() {
        let next = "http://localhost:80/v1/queued/q%201/x7/3?wait=1s";
        let answer = Answer { json: Some(json!({"next": next, "id": 7})), ..Answer::default() };
        let resolve = |pointer: &str, from_end| LinkSource::Segment(pointer.to_owned(), from_end).resolve(&answer);
        assert_eq!([0, 1, 2].map(|from_end| resolve("/next", from_end)), ["3", "x7", "q 1"].map(|text| Some(json!(text))));
        assert_eq!(["/id", "/other"].map(|pointer| resolve(pointer, 0)), [None, None]);
        assert_eq!(resolve("/next", 5), None);
    }

    #[test]
    fn header_fields_are_found_in_any_case() {
        assert_eq!(LinkSource::Header("Location".to_owned()).resolve(&answer("/a")), Some(json!("/a")));
        assert_eq!(LinkSource::Header("ETag".to_owned()).resolve(&answer("/a")), None);
    }

    #[test]
    fn of_a_cookie_the_last_value_is_taken_as_it_is() {
        let fields = ["sid=old; Path=/", "side=1", "sid=a%3D=b==; Path=/; HttpOnly", "gone=1; max-age=0", "gone"];
        let headers = fields.map(|field| ("Set-Cookie".to_owned(), field.to_owned())).to_vec();
        let answer = Answer { headers, ..Answer::default() };
        let resolve = |name: &str| LinkSource::Cookie(name.to_owned()).resolve(&answer);
        assert_eq!(["sid", "side", "gone", "SID"].map(resolve), [Some(json!("a%3D=b==")), Some(json!("1")), None, None]);
    }

    #[test]
    fn the_last_segment_of_a_location_is_decoded() {
        let cases = [
            ("/pets/7", Some("7")),
            ("/pets/a%2Fb%20c/?x=/1#/2", Some("a/b c")),
            ("http://localhost:80/pets/7", Some("7")),
            ("//localhost/pets/8/", Some("8")),
            ("pets/9", Some("9")),
            ("/a//b", Some("b")),
            ("http://localhost:80/", None),
            ("http://localhost", None),
            ("/", None),
            ("", None),
            ("/%FF", None),
        ];
        for (location, expected) in cases {
            assert_eq!(LinkSource::LocationSegment.resolve(&answer(location)), expected.map(Value::from), "{location}");
        }
    }
}
