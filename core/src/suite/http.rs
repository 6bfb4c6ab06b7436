//! The suite as `.http` files in the form of the HTTP client of `JetBrains`, which httpYac reads too.
//!
//! Such files have no literals: what stands in a request is text, in which `{{` starts an expression of the client. Bodies
//! that would be read otherwise are files of their own, and a test that cannot be said at all is left out with a reason.

use std::collections::BTreeSet;

use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::Value;

use crate::action::LinkSource;

use super::Error;
use super::javascript::literal as js;
use super::model::{
    BodyCheck, Capture, CheckKind, Escape, FreshValue, Piece, SuiteReset, SuiteUser, TestBody, TestCall, TestCase, TestKind,
    TestSuite,
};
use super::text::{comment, is_visible};
use super::writer::{Group, SuiteFile, SuiteWriter, Templates, comments, groups, skip_reason};

/// Writes files for HTTP clients.
#[derive(Debug)]
pub struct Http;

const TEMPLATES: [(&str, &str); 3] = [
    ("README.md", include_str!("http/README.md.jinja")),
    ("http-client.env.json", include_str!("http/http-client.env.json.jinja")),
    ("tests.http", include_str!("http/tests.http.jinja")),
];

/// Bytes of a body that stands in its request.
const MAX_INLINE: usize = 2000;

impl SuiteWriter for Http {
    fn name(&self) -> &'static str {
        "http"
    }

    fn title(&self) -> &'static str {
        ".http"
    }

    fn command(&self) -> &'static str {
        "npx httpyac send '*.http' --all --env default"
    }

    fn test_begun<'l>(&self, line: &'l str) -> Option<&'l str> {
        line.strip_prefix("# Test: ")
    }

    fn files(&self, suite: &TestSuite) -> Result<Vec<SuiteFile>, Error> {
        let templates = Templates::new(&TEMPLATES)?;
        let names: Vec<String> = suite.users.iter().map(|user| format!("`{}`", user.variable)).collect();
        let reset_url = if let SuiteReset::Call { url, .. } = &suite.reset { url.as_str() } else { "" };
        let values = context! {
            title => comment(&suite.title),
            insecure => suite.insecure,
            base_url => Value::from(suite.base_url.as_str()).to_string(),
            reset_url => Value::from(reset_url).to_string(),
            variables => names.join(", "),
        };
        let mut files = Vec::new();
        for path in ["README.md", "http-client.env.json"] {
            files.push(templates.file(path, path, values.clone(), Vec::new())?);
        }
        for group in groups(suite) {
            let page = page(&group, suite, &mut files);
            files.push(templates.file("tests.http", &format!("{}.http", group.name()), Serde(page), group.test_names())?);
        }
        Ok(files)
    }
}

#[derive(Serialize)]
struct Page {
    heading: String,
    is_faults: bool,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    comments: Vec<String>,
    skip: Option<String>,
    calls: Vec<Call>,
}

#[derive(Serialize, Default)]
struct Call {
    title: String,
    operation: String,
    options: Vec<&'static str>,
    drawn: Vec<String>,
    request: String,
    fields: Vec<String>,
    body: String,
    script: Vec<String>,
}

/// The page of a group; files with bodies are added to `files`.
fn page(group: &Group<'_>, suite: &TestSuite, files: &mut Vec<SuiteFile>) -> Page {
    let tests = group.tests.iter().map(|test| written_test(test, suite, files)).collect();
    Page { heading: group.heading(), is_faults: group.kind == TestKind::Fault, tests }
}

fn written_test(test: &TestCase, suite: &TestSuite, files: &mut Vec<SuiteFile>) -> Test {
    let mut lines = vec![format!("Test: {}", test.name), comment(&test.description)];
    lines.extend(comments(test));
    let reason = skip_reason(test).or_else(|| test.calls.iter().find_map(inexpressible)).map(comment);
    let mut calls = Vec::new();
    if reason.is_none() {
        calls.extend(reset(&suite.reset));
        for (idx, call) in test.calls.iter().enumerate() {
            calls.push(written_call(test, idx, call, &suite.users, files));
        }
    }
    Test { comments: lines, skip: reason, calls }
}

fn reset(reset: &SuiteReset) -> Option<Call> {
    let SuiteReset::Call { verb, url } = reset else { return None };
    let is_absolute = url.starts_with("http://") || url.starts_with("https://");
    let base = if is_absolute { "" } else { "{{base_url}}" };
    let is_safe = is_plain(verb) && is_plain(url) && !url.contains(' ');
    let operation = format!("Brings the service back to its first state: {}", comment(url));
    is_safe.then(|| Call { title: "Reset".to_owned(), operation, request: format!("{verb} {base}{url}"), ..Call::default() })
}

/// Whether `text` is read as it stands in a request line or a header field.
fn is_plain(text: &str) -> bool {
    text.chars().all(is_visible) && !text.contains("{{") && text.trim() == text
}

/// Why a call cannot be made in this form, if so.
fn inexpressible(call: &TestCall) -> Option<&'static str> {
    if call.is_dropped() {
        return Some("these files cannot expect a connection that breaks.");
    }
    let names: BTreeSet<String> = call.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
    if names.len() < call.headers.len() {
        return Some("clients join header fields of one name.");
    }
    let is_line = |text: &String| is_plain(text) && text.is_ascii() && !text.is_empty();
    if !call.headers.iter().all(|(name, value)| !name.starts_with(['#', '/', '<', '>', '@', '?']) && is_line(&written(value))) {
        return Some("clients read a header field of it otherwise.");
    }
    let url = written(&call.url);
    if !is_plain_url(&url) {
        return Some("clients read its URL otherwise.");
    }
    match &call.body {
        Some(TestBody::Text(pieces)) if captures(pieces) && !is_inline(pieces) => Some("clients read its body otherwise."),
        _ => None,
    }
}

/// Whether clients send a path with query as it stands.
fn is_plain_url(url: &str) -> bool {
    let is_legal = |character: char| character.is_ascii_alphanumeric() || "-._~%!$&'()*+,;=:@/?{}".contains(character);
    url.chars().all(is_legal) && !url.contains("{{") && !url.starts_with("//")
}

fn captures(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| matches!(piece, Piece::Captured { .. }))
}

/// The fixed text of pieces, with a letter for each captured value.
fn written(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| if let Piece::Text(text) = piece { text.as_str() } else { "x" }).collect()
}

/// Whether a body is read as it stands: one line that looks like nothing else.
fn is_inline(pieces: &[Piece]) -> bool {
    let text = written(pieces);
    let starts = ["< ", "<@", "<>", "<\t", ">", "#", "//", "?", "@", "HTTP/", "{%", "%}", "/*"];
    let ends_open = pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.ends_with('{')));
    is_plain(&text)
        && !text.is_empty()
        && text.len() <= MAX_INLINE
        && !starts.iter().any(|start| text.starts_with(start))
        && !(ends_open && captures(pieces))
}

/// Pieces as they stand in a request.
fn text(pieces: &[Piece]) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Captured { name, escape } => format!("{{{{{}}}}}", variable(name, *escape)),
    };
    pieces.iter().map(part).collect()
}

/// The variable that holds a captured value as it is written at such a place.
fn variable(name: &str, escape: Escape) -> String {
    match escape {
        Escape::Plain => name.to_owned(),
        Escape::Url => format!("{name}_in_url"),
        Escape::JsonString => format!("{name}_in_json"),
        Escape::Xml => format!("{name}_in_xml"),
    }
}

fn written_call(test: &TestCase, idx: usize, call: &TestCall, users: &[SuiteUser], files: &mut Vec<SuiteFile>) -> Call {
    let title = if idx == 0 { test.name.clone() } else { format!("{}, call {}", test.name, idx + 1) };
    let mut fields: Vec<String> = call.headers.iter().map(|(name, value)| format!("{name}: {}", text(value))).collect();
    let user = users.iter().find(|user| call.user.as_ref() == Some(&user.name));
    fields.extend(user.map(|user| format!("Authorization: {{{{{}}}}}", user.variable)));
    let mut options = vec!["@no-cookie-jar"];
    if matches!(call.status, 300..=399) {
        options.push("@no-redirect");
    }
    let body = call.body.as_ref().map(|body| written_body(body, &format!("bodies/{}_{}", test.name, idx + 1), files));
    Call {
        title,
        operation: comment(&call.operation),
        options,
        drawn: call.fresh.iter().flat_map(|fresh| drawing(test, idx, fresh)).collect(),
        request: format!("{} {{{{base_url}}}}{}", call.verb, text(&call.url)),
        fields,
        body: body.unwrap_or_default(),
        script: script(test, idx, call),
    }
}

/// A body as it stands in its request: itself, or the name of the file that holds it.
fn written_body(body: &TestBody, path: &str, files: &mut Vec<SuiteFile>) -> String {
    let content = match body {
        TestBody::Text(pieces) if is_inline(pieces) => return text(pieces),
        TestBody::Text(pieces) => written(pieces).into_bytes(),
        TestBody::Bytes(bytes) => bytes.clone(),
    };
    if content.is_empty() {
        return String::new();
    }
    files.push(SuiteFile { path: path.to_owned(), content, tests: Vec::new() });
    format!("< ./{path}")
}

/// What is expected of the answer, and what is kept of it, in JavaScript.
fn script(test: &TestCase, idx: usize, call: &TestCall) -> Vec<String> {
    let mut expected = vec![(format!("response.status === {}", call.status), "status".to_owned())];
    if let Some(media_type) = &call.media_type {
        expected.push((format!("response.contentType.mimeType === {}", string(media_type)), "media type".to_owned()));
    }
    for field in &call.fields {
        let value = format!("response.headers.valueOf({})", string(&field.name));
        let condition = field.value.as_ref().map_or_else(|| value.clone(), |wanted| format!("{value} === {}", string(wanted)));
        expected.push((condition, field.name.clone()));
    }
    if let Some(text) = &call.text {
        expected.push((format!("response.body === {}", string(text)), "body".to_owned()));
    }
    expected.extend(call.checks.iter().map(|check| (condition(check), check.pointer.clone())));
    let mut lines = Vec::new();
    let reads_body = |capture: &Capture| capture.source.reads_body();
    if !call.checks.is_empty() || call.captures.iter().any(reads_body) {
        lines.push(format!("const body = {};", body(call)));
    }
    lines.push(format!("client.test({}, () => {{", string(&format!("{} answers {}", comment(&call.operation), call.status))));
    let assertion = |(condition, what): (String, String)| format!("  client.assert({condition}, {});", string(&what));
    lines.extend(expected.into_iter().map(assertion));
    lines.push("});".to_owned());
    lines.extend(call.captures.iter().flat_map(|capture| assignments(test, idx, capture)));
    lines
}

/// The body as a value; clients read what is said to be JSON.
fn body(call: &TestCall) -> &'static str {
    if call.media_type.as_deref() == Some("application/json") { "response.body" } else { "JSON.parse(response.body)" }
}

/// `text` as a literal that does not end the script around it.
fn string(text: &str) -> String {
    js::string(text).replace("%}", "%\\x7d")
}

/// The expression for the place at a JSON pointer: arrays have members by text, too.
fn place(pointer: &str) -> String {
    let token = |token: &str| {
        let key = token.replace("~1", "/").replace("~0", "~");
        if js::is_identifier(&key) { format!(".{key}") } else { format!("[{}]", string(&key)) }
    };
    format!("body{}", pointer.split('/').skip(1).map(token).collect::<String>())
}

fn condition(check: &BodyCheck) -> String {
    let place = place(&check.pointer);
    let of_type = |name: &str| format!("typeof {place} === \"{name}\"");
    match &check.kind {
        CheckKind::Equals(value) if check.pointer.is_empty() && is_taken_for_nothing(value) => {
            format!("[{value}, {}].includes({place})", string(&value.to_string()))
        }
        CheckKind::Equals(Value::String(text)) => format!("{place} === {}", string(text)),
        CheckKind::Equals(value) => format!("{place} === {value}"),
        CheckKind::Members(members) => {
            let order = if members.iter().any(Value::is_string) { "" } else { "(one, other) => one - other" };
            let wanted = string(&Value::from(members.clone()).to_string());
            format!("JSON.stringify([...{place}].sort({order})) === {wanted}")
        }
        CheckKind::Looks(shape) => format!("/{}/.test({place})", shape.pattern()),
        CheckKind::Length(length) => format!("{place}.length === {length}"),
        CheckKind::IsArray => format!("Array.isArray({place})"),
        CheckKind::IsObject => of_type("object"),
        CheckKind::IsString => of_type("string"),
        CheckKind::IsNumber => of_type("number"),
        CheckKind::IsBoolean => of_type("boolean"),
    }
}

/// Whether clients take a body that is no more than this value for one without a value, and give its text instead.
fn is_taken_for_nothing(value: &Value) -> bool {
    value.is_null() || *value == Value::Bool(false) || value.as_f64() == Some(0.0) || value.as_str() == Some("")
}

/// Keeps a value in each form that later calls use.
fn assignments(test: &TestCase, idx: usize, capture: &Capture) -> Vec<String> {
    let value = match &capture.source {
        LinkSource::Body(pointer) => place(pointer),
        LinkSource::Header(name) => format!("response.headers.valueOf({})", string(name)),
        LinkSource::Cookie(name) => {
            let start = format!("{name}=");
            let set = format!(
                "[].concat(response.headers.valuesOf(\"Set-Cookie\")).filter((field) => field.startsWith({}))",
                string(&start)
            );
            format!("{set}.pop().split(\";\")[0].slice({}).trim()", start.len())
        }
        LinkSource::Segment(pointer, from_end) => {
            let segments = format!("{}.split(/[?#]/)[0].split(\"/\").filter(Boolean)", place(pointer));
            format!("decodeURIComponent({segments}.slice(-{})[0])", from_end + 1)
        }
        LinkSource::LocationSegment => {
            "decodeURIComponent(response.headers.valueOf(\"Location\").split(/[?#]/)[0].split(\"/\").filter(Boolean).pop())"
                .to_owned()
        }
    };
    kept(&capture.name, &value, &test.calls[idx + 1..])
}

/// Draws a text before it is sent: another one of the same kind, but for what stands behind an `@`.
fn drawing(test: &TestCase, idx: usize, fresh: &FreshValue) -> Vec<String> {
    let kinds = r#"["abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "123456789"]"#;
    let drawn = format!("{}_drawn", fresh.name);
    let mut lines =
        vec![format!("const {drawn} = {}.replace(/^[^@]+/, (head) => [...head].map((letter) => {{", string(fresh.text()))];
    lines.push(format!("  const kind = {kinds}.find((letters) => letters.includes(letter)) ?? letter;"));
    lines.push("  return kind[Math.floor(Math.random() * kind.length)];".to_owned());
    lines.push("}).join(\"\"));".to_owned());
    lines.extend(kept(&fresh.name, &drawn, &test.calls[idx..]));
    lines
}

/// Keeps the value of an expression as variables, in each form in which `calls` send it.
fn kept(name: &str, value: &str, calls: &[TestCall]) -> Vec<String> {
    let is_used = |escape: Escape| {
        let wanted = Piece::Captured { name: name.to_owned(), escape };
        calls.iter().any(|call| call.pieces().any(|piece| *piece == wanted))
    };
    let forms = [
        (Escape::Plain, value.to_owned()),
        (Escape::Url, format!("encodeURIComponent({value})")),
        (Escape::JsonString, format!("JSON.stringify(String({value})).slice(1, -1)")),
        (
            Escape::Xml,
            format!(
                "String({value}).replace(/&/g, \"&amp;\").replace(/</g, \"&lt;\").replace(/>/g, \"&gt;\").replace(/\"/g, \"&quot;\").replace(/'/g, \"&apos;\")"
            ),
        ),
    ];
    let used = forms.into_iter().filter(|(escape, _)| is_used(*escape));
    used.map(|(escape, value)| format!("client.global.set({}, {value});", string(&variable(name, escape)))).collect()
}
