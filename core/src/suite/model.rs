//! The language-neutral form of a test suite.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::LinkSource;
use crate::api::Verb;

use super::saved::{LinkSourceForm, bytes_form, verb_form};
use super::shape::Shape;

/// Everything a writer needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestSuite {
    /// Title of the service.
    pub title: String,
    /// Base URL the tests run against unless the environment says otherwise.
    pub base_url: String,
    /// Whether certificates of the service are accepted that do not verify, as in the run.
    pub insecure: bool,
    /// How the service is brought back to its first state before each test, unless the environment says otherwise.
    pub reset: SuiteReset,
    /// Users whose credentials the tests send.
    pub users: Vec<SuiteUser>,
    /// Tests in a stable order.
    pub tests: Vec<TestCase>,
}

/// How tests bring the service back to its first state before each of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuiteReset {
    /// Not at all.
    Never,
    /// Not at all, although the run did: it started the service anew, which tests cannot; they pass without.
    LeftOut,
    /// By an HTTP call.
    Call {
        /// HTTP verb in upper case.
        verb: String,
        /// Path below the base URL, or an absolute URL.
        url: String,
    },
    /// By a command that ends with status 0.
    Command {
        /// Program and arguments; `{port}` stands for the port of the service.
        words: Vec<String>,
        /// Where it runs, as seen from the folder of the suite; empty for that folder.
        folder: String,
    },
}

impl SuiteReset {
    /// Whether the service is brought back at all.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Call { .. } | Self::Command { .. })
    }
}

/// A user known by name; the credentials themselves are never written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteUser {
    /// Name as in the auth settings.
    pub name: String,
    /// Environment variable that holds the user's header fields as `Name: value` lines.
    pub variable: String,
}

/// What a test shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    /// A finding.
    Fault,
    /// All calls succeed.
    Success,
    /// Refusals and the rest.
    Other,
}

/// One test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestCase {
    /// Identifier in snake case, unique in the suite, says what the test does.
    pub name: String,
    /// What it shows.
    pub kind: TestKind,
    /// One line on what it shows.
    pub description: String,
    /// First tag of the operation that its last call is of, as the interface names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Names of the targets it is kept for.
    pub targets: Vec<String>,
    /// Identifiers of the findings it shows.
    pub findings: Vec<String>,
    /// What of the run is not written and why, one sentence each.
    pub notes: Vec<String>,
    /// Its calls; without any there is nothing that can be asserted and the test is marked as skipped.
    pub calls: Vec<TestCall>,
}

/// One call of a test with what is expected of its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestCall {
    /// `VERB /path` of the operation.
    pub operation: String,
    /// HTTP verb.
    #[serde(with = "verb_form")]
    pub verb: Verb,
    /// Texts that are drawn before it is sent, others each time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fresh: Vec<FreshValue>,
    /// Path below the base URL with query.
    pub url: Vec<Piece>,
    /// Header fields, `Content-Type` included, credentials excluded.
    pub headers: Vec<(String, Vec<Piece>)>,
    /// Body.
    pub body: Option<TestBody>,
    /// Name of the user whose credentials are sent.
    pub user: Option<String>,
    /// Expected status; 0 when the service breaks the connection off instead of answering.
    pub status: u16,
    /// Expected media type, without parameters, when an answer body came.
    pub media_type: Option<String>,
    /// Header fields that are expected, beside the media type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldCheck>,
    /// Expected parts of the JSON body that did not differ between executions.
    pub checks: Vec<BodyCheck>,
    /// Expected text of a short body that is not JSON and did not differ.
    pub text: Option<String>,
    /// Values that later calls use.
    pub captures: Vec<Capture>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Fixed text.
    Text(String),
    /// A captured value, or one that was drawn.
    Captured {
        /// Name of the [`Capture`] or the [`FreshValue`].
        name: String,
        /// How its text is written here.
        escape: Escape,
    },
}

/// How a captured value is written at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Escape {
    /// As text: strings as they are, numbers and booleans as in JSON.
    Plain,
    /// As text, percent-encoded but for letters, digits and `-._~`.
    Url,
    /// As text, escaped for the inside of a JSON string.
    JsonString,
    /// As text, escaped for XML content and attributes.
    Xml,
}

/// A request body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestBody {
    /// Valid UTF-8 text.
    Text(Vec<Piece>),
    /// Any bytes.
    Bytes(#[serde(with = "bytes_form")] Vec<u8>),
}

/// A value taken from an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    /// Variable name, unique in the test.
    pub name: String,
    /// What of the answer.
    #[serde(with = "LinkSourceForm")]
    pub source: LinkSource,
    /// The scalar seen when the suite was made.
    pub seen: Value,
}

/// A text that is another one each time the test is executed, for the service takes it once: each ASCII letter and each digit but
/// 0 in front of an `@` becomes another one of its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FreshValue {
    /// Variable name, unique in the test.
    pub name: String,
    /// The text seen when the suite was made.
    pub seen: Value,
}

impl FreshValue {
    /// The text seen.
    pub fn text(&self) -> &str {
        self.seen.as_str().unwrap_or_default()
    }
}

/// An expectation on a header field of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldCheck {
    /// Its name in lower case.
    pub name: String,
    /// Its value; none when that differs between executions, so that only the field itself is expected.
    pub value: Option<String>,
}

/// An expectation on one place of the JSON body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BodyCheck {
    /// JSON pointer.
    pub pointer: String,
    /// What is expected there.
    pub kind: CheckKind,
}

/// What is expected at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// Exactly this scalar (numbers by value).
    Equals(Value),
    /// An array of that many members.
    Length(usize),
    /// An array of these scalars in any order.
    Members(Vec<Value>),
    /// Some array.
    IsArray,
    /// Some object.
    IsObject,
    /// Some string: its value differs between executions.
    IsString,
    /// Some string of this shape: its value differs between executions.
    Looks(Shape),
    /// Some number.
    IsNumber,
    /// Some boolean.
    IsBoolean,
}

impl Piece {
    /// Whether it is the captured value of that name.
    pub fn is_capture_of(&self, name: &str) -> bool {
        matches!(self, Self::Captured { name: captured, .. } if captured == name)
    }
}

impl TestCall {
    /// Whether the service breaks the connection off instead of answering; there is nothing else to expect then.
    pub fn is_dropped(&self) -> bool {
        self.status == 0
    }

    /// Whether an array is expected at `pointer` of the answer.
    pub fn expects_array(&self, pointer: &str) -> bool {
        let is_array = |kind: &CheckKind| matches!(kind, CheckKind::Length(_) | CheckKind::IsArray | CheckKind::Members(_));
        self.checks.iter().any(|check| check.pointer == pointer && is_array(&check.kind))
    }

    /// The pieces of the URL, the header fields and the body.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        let body = match &self.body {
            Some(TestBody::Text(pieces)) => Some(pieces),
            _ => None,
        };
        [&self.url].into_iter().chain(self.headers.iter().map(|(_, pieces)| pieces)).chain(body).flatten()
    }

    /// Whether the captured value of that name is a part of the request.
    pub fn uses(&self, name: &str) -> bool {
        self.pieces().any(|piece| piece.is_capture_of(name))
    }
}
