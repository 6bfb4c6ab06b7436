//! The suite in Rust with reqwest and tokio: a package whose library is the client, and one program of tests.
//!
//! The run itself sends what reqwest sends, so that nothing has to be sent in another way.

mod literal;

use std::collections::BTreeSet;

use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::Value;

use crate::action::LinkSource;
use crate::api::Verb;

use super::Error;
use super::junit::expression::broken;
use super::model::{
    BodyCheck, Capture, CheckKind, Escape, FieldCheck, Piece, TestBody, TestCall, TestCase, TestKind, TestSuite,
};
use super::text::comment;
use super::writer::{CallInTest, Group, SuiteFile, SuiteWriter, Templates, comments, groups, skip_reason};

/// Writes a Cargo package.
#[derive(Debug)]
pub struct Rust;

const TEMPLATES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("rust/Cargo.toml.jinja")),
    ("README.md", include_str!("rust/README.md.jinja")),
    ("src/lib.rs", include_str!("rust/lib.rs.jinja")),
    ("main.rs", include_str!("rust/main.rs.jinja")),
    ("tests.rs", include_str!("rust/tests.rs.jinja")),
];

/// Files beside the tests.
const SUPPORT: [&str; 3] = ["Cargo.toml", "README.md", "src/lib.rs"];

/// Columns of a line of a chain of calls.
const MAX_COLUMNS: usize = 100;

impl SuiteWriter for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn title(&self) -> &'static str {
        "Rust"
    }

    fn command(&self) -> &'static str {
        "cargo test"
    }

    fn test_begun<'l>(&self, line: &'l str) -> Option<&'l str> {
        line.strip_prefix("async fn ")?.split('(').next()
    }

    fn files(&self, suite: &TestSuite) -> Result<Vec<SuiteFile>, Error> {
        let templates = Templates::new(&TEMPLATES)?;
        let mut files = templates.support(&SUPPORT, suite, string)?;
        let groups = groups(suite);
        let mut modules: Vec<String> = groups.iter().map(Group::name).collect();
        modules.sort();
        files.push(templates.file("main.rs", "tests/suite/main.rs", context! { modules }, Vec::new())?);
        for group in groups {
            let path = format!("tests/suite/{}.rs", group.name());
            files.push(templates.file("tests.rs", &path, Serde(module(&group)), group.test_names())?);
        }
        Ok(files)
    }
}

/// A string in the files beside the tests, where only literals can stand.
fn string(text: &str) -> String {
    format!("\"{}\"", literal::inside(text))
}

#[derive(Serialize)]
struct Module {
    heading: String,
    is_faults: bool,
    imports: BTreeSet<&'static str>,
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

fn module(group: &Group<'_>) -> Module {
    let mut imports = BTreeSet::new();
    let tests: Vec<Test> = group.tests.iter().map(|test| written_test(test, &mut imports)).collect();
    if tests.iter().any(|test| !test.calls.is_empty()) {
        imports.insert("Service");
    }
    Module { heading: group.heading(), is_faults: group.kind == TestKind::Fault, imports, tests }
}

fn written_test(test: &TestCase, imports: &mut BTreeSet<&'static str>) -> Test {
    let mut lines = vec![comment(&test.description)];
    lines.extend(comments(test));
    let calls = CallInTest::all(test).map(|call| written_call(call, imports)).collect();
    Test { name: test.name.clone(), comments: lines, skip: skip_reason(test).map(string), calls }
}

fn written_call(call: CallInTest<'_>, imports: &mut BTreeSet<&'static str>) -> Call {
    let operation = comment(&call.call.operation);
    let mut lines = call.drawings(|name, like| format!("let {name} = fresh({});", string(like)));
    imports.extend((!lines.is_empty()).then_some("fresh"));
    if call.call.is_dropped() {
        lines.extend([chain("let result = ", call.call, "try_send", imports), "assert!(result.is_err());".to_owned()]);
        return Call { operation, lines };
    }
    lines.push(chain("let response = ", call.call, "send", imports));
    lines.push(format!("assert_eq!(response.status, {});", call.call.status));
    if let Some(media_type) = &call.call.media_type {
        lines.push(format!("assert_eq!(response.media_type(), {});", string(media_type)));
    }
    lines.extend(call.call.fields.iter().map(field_assertion));
    if let Some(text) = &call.call.text {
        lines.push(format!("assert_eq!(response.text(), {});", literal::string(text)));
    }
    let reads_body = |capture: &Capture| capture.source.reads_body();
    if !call.call.checks.is_empty() || call.call.captures.iter().any(reads_body) {
        lines.push("let body = response.json();".to_owned());
    }
    lines.extend(call.call.checks.iter().map(assertion));
    lines.extend(call.call.captures.iter().map(assignment));
    Call { operation, lines }
}

fn field_assertion(field: &FieldCheck) -> String {
    let name = string(&field.name);
    match &field.value {
        Some(value) => format!("assert_eq!(response.header({name}), Some({}));", string(value)),
        None => format!("assert!(response.header({name}).is_some());"),
    }
}

/// The request as a chain of calls behind `start`, on one line where it fits.
fn chain(start: &str, call: &TestCall, send: &str, imports: &mut BTreeSet<&'static str>) -> String {
    let mut links = vec![format!("{}({})", method(call.verb), borrowed(&call.url, imports))];
    links.extend(settings(call, imports));
    links.extend([format!("{send}()"), "await".to_owned()]);
    let line = format!("{start}service.{};", links.join("."));
    if line.len() + 4 <= MAX_COLUMNS && !line.contains('\n') {
        return line;
    }
    let links: Vec<String> = links.iter().map(|link| format!("\n        .{link}")).collect();
    format!("{start}service{};", links.concat())
}

fn method(verb: Verb) -> String {
    verb.name().to_ascii_lowercase()
}

fn settings(call: &TestCall, imports: &mut BTreeSet<&'static str>) -> Vec<String> {
    let is_type = |name: &str| name.eq_ignore_ascii_case("content-type");
    let is_json = |value: &[Piece]| matches!(value, [Piece::Text(text)] if text == "application/json");
    let types = call.headers.iter().filter(|(name, _)| is_type(name)).count();
    let as_json = types == 1 && call.headers.iter().any(|(name, value)| is_type(name) && is_json(value));
    let as_json = as_json && matches!(call.body, Some(TestBody::Text(_)));
    let mut settings = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, value) in call.headers.iter().filter(|(name, _)| !(as_json && is_type(name))) {
        let is_first = seen.insert(name.to_ascii_lowercase());
        let function = if is_first { "header" } else { "another_header" };
        settings.push(format!("{function}({}, {})", string(name), owned(value, imports)));
    }
    let function = if as_json { "json" } else { "body" };
    match &call.body {
        Some(TestBody::Text(pieces)) => settings.push(format!("{function}({})", body(pieces, imports))),
        Some(TestBody::Bytes(bytes)) => settings.push(format!("{function}({})", literal::bytes(bytes))),
        None => {}
    }
    if let Some(user) = &call.user {
        settings.push(format!("user({})", string(user)));
    }
    settings
}

/// Text made of pieces as an expression of type `&str`.
fn borrowed(pieces: &[Piece], imports: &mut BTreeSet<&'static str>) -> String {
    let text = owned(pieces, imports);
    let is_literal = text.ends_with(['"', '#']);
    if is_literal { text } else { format!("&{text}") }
}

/// Text made of pieces as an expression of type `&str` or `String`.
fn owned(pieces: &[Piece], imports: &mut BTreeSet<&'static str>) -> String {
    match pieces {
        [] => "\"\"".to_owned(),
        [Piece::Text(text)] => literal::string(text),
        [Piece::Captured { name, escape: Escape::Plain }] => format!("&{name}"),
        _ => {
            let mut arguments = String::new();
            let inside: String = pieces.iter().map(|piece| inside_format(piece, &mut arguments, imports)).collect();
            format!("format!(\"{inside}\"{arguments})")
        }
    }
}

/// A piece between the quotes of a format string, whose arguments are added.
fn inside_format(piece: &Piece, arguments: &mut String, imports: &mut BTreeSet<&'static str>) -> String {
    let (name, escape) = match piece {
        Piece::Text(text) => return literal::inside(&text.replace('{', "{{").replace('}', "}}")),
        Piece::Captured { name, escape } => (name, *escape),
    };
    match escaping(escape) {
        None => format!("{{{name}}}"),
        Some(function) => {
            imports.insert(function);
            arguments.extend([", ", function, "(&", name, ")"]);
            "{}".to_owned()
        }
    }
}

/// The function that writes a captured value at such a place, if it takes one.
fn escaping(escape: Escape) -> Option<&'static str> {
    match escape {
        Escape::Plain => None,
        Escape::Url => Some("url_part"),
        Escape::JsonString => Some("json_part"),
        Escape::Xml => Some("xml_part"),
    }
}

/// A body, in several lines when it is long.
fn body(pieces: &[Piece], imports: &mut BTreeSet<&'static str>) -> String {
    if let [Piece::Text(text)] = pieces {
        let lines = broken(text);
        if lines.len() == 1 || lines.iter().any(|line| !literal::is_short(line)) {
            return literal::string(text);
        }
        let lines: Vec<String> = lines.iter().map(|line| format!("\n            {},", literal::string(line))).collect();
        return format!("concat!({}\n        )", lines.concat());
    }
    let mut parts = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => parts.extend(broken(text).into_iter().map(|line| {
                let literal = literal::string(line);
                if literal.ends_with(')') { format!("{literal}.as_str()") } else { literal }
            })),
            Piece::Captured { name, escape } => parts.push(match escaping(*escape) {
                None => format!("{name}.as_str()"),
                Some(function) => {
                    imports.insert(function);
                    format!("{function}(&{name}).as_str()")
                }
            }),
        }
    }
    let line = format!("[{}].concat()", parts.join(", "));
    if line.len() + 16 <= MAX_COLUMNS {
        return line;
    }
    let parts: Vec<String> = parts.iter().map(|part| format!("\n            {part},")).collect();
    format!("[{}\n        ]\n        .concat()", parts.concat())
}

fn assertion(check: &BodyCheck) -> String {
    let pointer = string(&check.pointer);
    let is = |function: &str| format!("assert!(body.{function}({pointer}));");
    match &check.kind {
        CheckKind::Equals(value) if value.is_null() => is("is_null"),
        CheckKind::Equals(Value::Bool(true)) => is("boolean"),
        CheckKind::Equals(Value::Bool(false)) => format!("assert!(!body.boolean({pointer}));"),
        CheckKind::Equals(value) if value.is_i64() || value.is_u64() => {
            format!("assert_eq!(body.integer({pointer}), {value});")
        }
        CheckKind::Equals(value) if value.is_number() => {
            format!("assert_eq!(body.number({pointer}), {:?});", value.as_f64().unwrap_or_default())
        }
        CheckKind::Equals(value) => {
            format!("assert_eq!(body.text({pointer}), {});", literal::string(value.as_str().unwrap_or_default()))
        }
        CheckKind::Members(members) => {
            let function = if members.iter().any(Value::is_string) { "texts" } else { "integers" };
            let literal = |member: &Value| member.as_str().map_or_else(|| member.to_string(), string);
            let members: Vec<String> = members.iter().map(literal).collect();
            format!("assert_eq!(body.{function}({pointer}), [{}]);", members.join(", "))
        }
        CheckKind::Looks(shape) => is(&format!("is_{}", shape.name())),
        CheckKind::Length(0) => format!("assert!(body.array({pointer}).is_empty());"),
        CheckKind::Length(length) => format!("assert_eq!(body.array({pointer}).len(), {length});"),
        CheckKind::IsArray => is("is_array"),
        CheckKind::IsObject => is("is_object"),
        CheckKind::IsString => is("is_text"),
        CheckKind::IsNumber => is("is_number"),
        CheckKind::IsBoolean => is("is_boolean"),
    }
}

fn assignment(capture: &Capture) -> String {
    let value = match &capture.source {
        LinkSource::Body(pointer) => format!("body.scalar({})", string(pointer)),
        LinkSource::Header(name) => {
            format!("response.header({}).expect(\"the field\").to_owned()", string(name))
        }
        LinkSource::Cookie(name) => format!("response.cookie({})", string(name)),
        LinkSource::LocationSegment => "response.last_segment()".to_owned(),
        LinkSource::Segment(pointer, from_end) => format!("body.segment({}, {from_end})", string(pointer)),
    };
    format!("let {} = {value};", capture.name)
}
