//! The suite as bash scripts with curl, and jq for what is expected of JSON bodies.

mod literal;

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::Value;

use crate::action::LinkSource;
use crate::api::Verb;

use super::Error;
use super::model::{BodyCheck, Capture, CheckKind, Escape, Piece, TestBody, TestCall, TestCase, TestKind, TestSuite};
use super::text::comment;
use super::writer::{CallInTest, Group, SuiteFile, SuiteWriter, Templates, comments, groups, skip_reason};
use literal::string;

/// Writes shell scripts.
#[derive(Debug)]
pub struct Curl;

const TEMPLATES: [(&str, &str); 4] = [
    ("README.md", include_str!("curl/README.md.jinja")),
    ("run.sh", include_str!("curl/run.sh.jinja")),
    ("service.sh", include_str!("curl/service.sh.jinja")),
    ("tests.sh", include_str!("curl/tests.sh.jinja")),
];

/// Files beside the tests.
const SUPPORT: [&str; 3] = ["README.md", "run.sh", "service.sh"];

/// Columns of a call on one line.
const MAX_COLUMNS: usize = 100;

impl SuiteWriter for Curl {
    fn name(&self) -> &'static str {
        "curl"
    }

    fn title(&self) -> &'static str {
        "curl"
    }

    fn command(&self) -> &'static str {
        "bash run.sh"
    }

    fn test_begun<'l>(&self, line: &'l str) -> Option<&'l str> {
        line.strip_suffix("() {").filter(|name| name.starts_with("test_"))
    }

    fn files(&self, suite: &TestSuite) -> Result<Vec<SuiteFile>, Error> {
        let templates = Templates::new(&TEMPLATES)?;
        let mut files = templates.support(&SUPPORT, suite, string)?;
        for group in groups(suite) {
            let path = format!("tests/{}.sh", group.name());
            files.push(templates.file("tests.sh", &path, Serde(script(&group)), group.test_names())?);
        }
        Ok(files)
    }
}

#[derive(Serialize)]
struct Script {
    heading: String,
    is_faults: bool,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    comments: Vec<String>,
    skip: Option<String>,
    calls: Vec<Call>,
}

#[derive(Serialize)]
struct Call {
    operation: String,
    lines: Vec<String>,
}

fn script(group: &Group<'_>) -> Script {
    let is_faults = group.kind == TestKind::Fault;
    Script { heading: group.heading(), is_faults, tests: group.tests.iter().map(|test| written_test(test)).collect() }
}

fn written_test(test: &TestCase) -> Test {
    let mut lines = vec![comment(&test.description)];
    lines.extend(comments(test));
    let skip = skip_reason(test).or_else(|| test.calls.iter().find_map(inexpressible)).map(string);
    let calls = CallInTest::all(test).map(written_call);
    let calls = if skip.is_some() { Vec::new() } else { calls.collect() };
    Test { name: test.name.clone(), comments: lines, skip, calls }
}

/// Why a call cannot be made in this form, if so.
fn inexpressible(call: &TestCall) -> Option<&'static str> {
    let has = |pieces: &[Piece], character: char| {
        pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains(character)))
    };
    let fields = || call.headers.iter().map(|(_, value)| value.as_slice());
    let is_text = |body: &TestBody| matches!(body, TestBody::Text(pieces) if pieces.len() > 1 && has(pieces, '\0'));
    if has(&call.url, '\0') || fields().any(|value| ['\0', '\r', '\n'].into_iter().any(|end| has(value, end))) {
        return Some("curl sends no such URL or header field");
    }
    if call.body.as_ref().is_some_and(is_text) {
        return Some("a shell holds no text with NUL in it");
    }
    (call.verb == Verb::Head && call.body.is_some()).then_some("curl sends no body with HEAD")
}

fn written_call(call: CallInTest<'_>) -> Call {
    let mut lines = call.drawings(|name, like| format!("{name}=$(fresh {})", string(like)));
    let call = call.call;
    let operation = comment(&call.operation);
    if call.is_dropped() {
        lines.push(request("expect_dropped", call));
        return Call { operation, lines };
    }
    lines.extend([request("call", call), format!("expect_status {}", call.status)]);
    if let Some(media_type) = &call.media_type {
        lines.push(format!("expect_media_type {}", string(media_type)));
    }
    for field in &call.fields {
        let value = field.value.as_ref().map(|value| format!(" {}", string(value))).unwrap_or_default();
        lines.push(format!("expect_field {}{value}", string(&field.name)));
    }
    if let Some(text) = call.text.as_ref().filter(|text| !text.contains('\0')) {
        lines.push(format!("expect_text {}", string(text)));
    }
    let filters: Vec<String> = call.checks.iter().map(|check| string(&assertion(call, check))).collect();
    match filters.as_slice() {
        [] => {}
        [only] => lines.push(format!("expect_json {only}")),
        several => lines.push(format!("expect_json \\\n    {}", several.join(" \\\n    "))),
    }
    lines.extend(call.captures.iter().map(|capture| assignment(call, capture)));
    Call { operation, lines }
}

/// The request, in several lines when it is long.
fn request(function: &str, call: &TestCall) -> String {
    let mut words = vec![format!("{function} {} {}", call.verb, text(&call.url))];
    words.extend(call.headers.iter().map(|(name, value)| format!("--header {} {}", string(name), text(value))));
    match &call.body {
        Some(TestBody::Text(pieces)) if !has_nul(pieces) => words.push(format!("--body {}", text(pieces))),
        Some(body) => words.push(format!("--base64 {}", string(&STANDARD.encode(bytes(body))))),
        None => {}
    }
    words.extend(call.user.as_ref().map(|user| format!("--user {}", string(user))));
    let line = words.join(" ");
    if line.len() + 2 <= MAX_COLUMNS { line } else { words.join(" \\\n    ") }
}

fn has_nul(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains('\0')))
}

/// The bytes of a body without captured values.
fn bytes(body: &TestBody) -> Vec<u8> {
    match body {
        TestBody::Bytes(bytes) => bytes.clone(),
        TestBody::Text(pieces) => {
            let texts =
                pieces.iter().filter_map(|piece| if let Piece::Text(text) = piece { Some(text.as_str()) } else { None });
            texts.collect::<String>().into_bytes()
        }
    }
}

/// Text made of pieces as one word.
fn text(pieces: &[Piece]) -> String {
    let word = |piece: &Piece| match piece {
        Piece::Text(text) => string(text),
        Piece::Captured { name, escape } => match escape {
            Escape::Plain => format!("\"${name}\""),
            Escape::Url => format!("\"$(url_part \"${name}\")\""),
            Escape::JsonString => format!("\"$(json_part \"${name}\")\""),
            Escape::Xml => format!("\"$(xml_part \"${name}\")\""),
        },
    };
    if pieces.is_empty() { "''".to_owned() } else { pieces.iter().map(word).collect() }
}

/// A filter of jq that is true of a body with what is expected.
fn assertion(call: &TestCall, check: &BodyCheck) -> String {
    let place = place(call, &check.pointer);
    let of_type = |name: &str| format!("({place} | type) == \"{name}\"");
    match &check.kind {
        CheckKind::Equals(Value::Null) => match check.pointer.rsplit_once('/') {
            Some((parent, key)) if !key.bytes().all(|byte| byte.is_ascii_digit()) => {
                let key = Value::from(key.replace("~1", "/").replace("~0", "~"));
                format!("({} | has({key})) and {place} == null", self::place(call, parent))
            }
            _ => format!("{place} == null"),
        },
        CheckKind::Equals(value) => format!("{place} == {value}"),
        CheckKind::Members(members) => format!("({place} | sort) == {}", Value::from(members.clone())),
        CheckKind::Looks(shape) => format!("{place} | is_{}", shape.name()),
        CheckKind::Length(length) => format!("({place} | arrays | length) == {length}"),
        CheckKind::IsArray => of_type("array"),
        CheckKind::IsObject => of_type("object"),
        CheckKind::IsString => of_type("string"),
        CheckKind::IsNumber => of_type("number"),
        CheckKind::IsBoolean => of_type("boolean"),
    }
}

/// The path of jq for a JSON pointer, or a call of `at` where it is not known what is an array.
fn place(call: &TestCall, pointer: &str) -> String {
    let mut path = String::new();
    let mut parent = String::new();
    for token in pointer.split('/').skip(1) {
        let is_number = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !call.expects_array(&parent) {
            return format!("at({})", Value::from(pointer));
        }
        let key = token.replace("~1", "/").replace("~0", "~");
        let dot = if path.is_empty() { "." } else { "" };
        // Writing to a string never fails.
        let _ = match () {
            () if is_number => write!(path, "{dot}[{key}]"),
            () if is_plain(&key) => write!(path, ".{key}"),
            () => write!(path, "{dot}[{}]", Value::from(key)),
        };
        parent = format!("{parent}/{token}");
    }
    if path.is_empty() { ".".to_owned() } else { path }
}

/// Whether jq takes `key` behind a dot.
fn is_plain(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && key.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

fn assignment(call: &TestCall, capture: &Capture) -> String {
    let value = match &capture.source {
        LinkSource::Body(pointer) => format!("from_json {}", string(&place(call, pointer))),
        LinkSource::Header(name) => format!("field {}", string(&name.to_ascii_lowercase())),
        LinkSource::Cookie(name) => format!("cookie {}", string(name)),
        LinkSource::LocationSegment => "last_segment".to_owned(),
        LinkSource::Segment(pointer, from_end) => {
            format!("segment \"$(from_json {})\" {from_end}", string(&place(call, pointer)))
        }
    };
    format!("{}=$({value})", capture.name)
}
