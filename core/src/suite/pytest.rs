//! The suite as pytest with requests: plain test functions, a small client beside them.

mod expression;
mod literal;

use std::collections::BTreeSet;

use minijinja::value::Serde;
use serde::Serialize;

use crate::action::LinkSource;

use super::layout::{self, Expression};
use super::model::{BodyCheck, Capture, CheckKind, Piece, TestBody, TestCase, TestKind, TestSuite};
use super::text::comment;
use super::writer::{CallInTest, Group, SuiteFile, SuiteWriter, Templates, comments, groups, is_json, skip_reason};
use super::{Error, Shape};
use expression::{Expressions, MAX_JSON, STYLE, number, place};

/// Writes pytest modules.
#[derive(Debug)]
pub struct Pytest;

const TEMPLATES: [(&str, &str); 6] = [
    ("conftest.py", include_str!("pytest/conftest.py.jinja")),
    ("service.py", include_str!("pytest/service.py.jinja")),
    ("tests.py", include_str!("pytest/tests.py.jinja")),
    ("pytest.ini", include_str!("pytest/pytest.ini.jinja")),
    ("requirements.txt", include_str!("pytest/requirements.txt.jinja")),
    ("README.md", include_str!("pytest/README.md.jinja")),
];

/// Files beside the tests.
const SUPPORT: [&str; 5] = ["README.md", "conftest.py", "pytest.ini", "requirements.txt", "service.py"];

/// What follows the sentence at the top of a module with faults.
const ABOUT_FAULTS: &str = "\n\nThe tests pass on the unchanged service, so they assert the wrong answers. Once a fault is \
                            fixed its test\nfails: expect the right status and body then, and keep the test.\n";

impl SuiteWriter for Pytest {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn title(&self) -> &'static str {
        "pytest"
    }

    fn command(&self) -> &'static str {
        "pip install -r requirements.txt && pytest"
    }

    fn test_begun<'l>(&self, line: &'l str) -> Option<&'l str> {
        line.strip_prefix("def ")?.split('(').next()
    }

    fn files(&self, suite: &TestSuite) -> Result<Vec<SuiteFile>, Error> {
        let templates = Templates::new(&TEMPLATES)?;
        let mut files = templates.support(&SUPPORT, suite, literal::string)?;
        for group in groups(suite) {
            let path = format!("test_{}.py", group.name());
            files.push(templates.file("tests.py", &path, Serde(module(&group)), group.test_names())?);
        }
        Ok(files)
    }
}

#[derive(Serialize)]
struct Module {
    heading: String,
    pytest: bool,
    requests: bool,
    imports: BTreeSet<&'static str>,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    description: String,
    comments: Vec<String>,
    skip: Option<String>,
    calls: Vec<Call>,
}

#[derive(Serialize)]
struct Call {
    operation: String,
    drawn: Vec<String>,
    request: String,
    is_dropped: bool,
    expectations: Vec<String>,
}

fn module(group: &Group<'_>) -> Module {
    let mut imports = BTreeSet::new();
    let tests: Vec<Test> = group.tests.iter().map(|test| written_test(test, &mut imports)).collect();
    let approximates = tests.iter().flat_map(|test| &test.calls).flat_map(|call| &call.expectations);
    let requests = tests.iter().flat_map(|test| &test.calls).any(|call| call.is_dropped);
    let pytest = requests
        || tests.iter().any(|test| test.skip.is_some())
        || approximates.into_iter().any(|line| line.contains("pytest.approx("));
    let heading = group.heading() + if group.kind == TestKind::Fault { ABOUT_FAULTS } else { "" };
    Module { heading, pytest, requests, imports, tests }
}

fn written_test(test: &TestCase, imports: &mut BTreeSet<&'static str>) -> Test {
    Test {
        name: test.name.clone(),
        description: comment(&test.description),
        comments: comments(test),
        skip: skip_reason(test).map(literal::string),
        calls: CallInTest::all(test).map(|call| written_call(call, imports)).collect(),
    }
}

fn written_call(call: CallInTest<'_>, imports: &mut BTreeSet<&'static str>) -> Call {
    let drawn = call.drawings(|name, like| format!("{name} = fresh({})", literal::string(like)));
    imports.extend((!drawn.is_empty()).then_some("fresh"));
    if call.call.is_dropped() {
        let request = request(call, imports).layout(&STYLE, 8, 0);
        return Call { operation: comment(&call.call.operation), drawn, request, is_dropped: true, expectations: Vec::new() };
    }
    let request = request(call, imports).layout(&STYLE, 4, "response = ".len());
    let mut lines = vec![format!("assert response.status_code == {}", call.call.status)];
    if let Some(media_type) = &call.call.media_type {
        imports.insert("media_type");
        lines.push(format!("assert media_type(response) == {}", literal::string(media_type)));
    }
    for field in &call.call.fields {
        let name = literal::string(&field.name);
        lines.push(match &field.value {
            Some(value) => format!("assert response.headers[{name}] == {}", literal::string(value)),
            None => format!("assert {name} in response.headers"),
        });
    }
    if let Some(text) = &call.call.text {
        lines.push(format!("assert response.text == {}", literal::string(text)));
    }
    let reads_body = |capture: &Capture| capture.source.reads_body();
    if !call.call.checks.is_empty() || call.call.captures.iter().any(reads_body) {
        lines.push("body = response.json()".to_owned());
    }
    lines.extend(call.call.checks.iter().map(|check| assertion(call, check, imports)));
    lines.extend(call.call.captures.iter().map(|capture| assignment(call, capture, imports)));
    Call { operation: comment(&call.call.operation), drawn, request, is_dropped: false, expectations: lines }
}

fn request(call: CallInTest<'_>, imports: &mut BTreeSet<&'static str>) -> Expression {
    let mut expressions = Expressions { call, imports };
    let mut arguments = vec![(String::new(), Expression::Atom(expressions.text(&call.call.url)))];
    let json = match &call.call.body {
        Some(TestBody::Text(pieces)) if is_json(call.call) => layout::json(pieces, MAX_JSON, &mut expressions),
        _ => None,
    };
    // The client gives a JSON value this type by itself.
    let implied = |name: &str, value: &[Piece]| {
        json.is_some()
            && name.eq_ignore_ascii_case("content-type")
            && matches!(value, [Piece::Text(text)] if text == "application/json")
    };
    let written = call.call.headers.iter().filter(|(name, value)| !implied(name, value));
    let headers: Vec<(String, String)> =
        written.map(|(name, value)| (literal::string(name), expressions.text(value))).collect();
    if !headers.is_empty() {
        arguments.push(("headers=".to_owned(), header_expression(headers)));
    }
    match (json, &call.call.body) {
        (Some(value), _) => arguments.push(("json=".to_owned(), value)),
        (None, Some(TestBody::Text(pieces))) => {
            arguments.push(("body=".to_owned(), Expression::Atom(expressions.text(pieces))));
        }
        (None, Some(TestBody::Bytes(bytes))) => arguments.push(("body=".to_owned(), Expression::Atom(literal::bytes(bytes)))),
        (None, None) => {}
    }
    if let Some(user) = &call.call.user {
        arguments.push(("user=".to_owned(), Expression::Atom(literal::string(user))));
    }
    Expression::Call(format!("service.{}", call.call.verb.name().to_ascii_lowercase()), arguments)
}

/// Header fields as a dict, or as pairs when a name occurs twice.
fn header_expression(headers: Vec<(String, String)>) -> Expression {
    let names: BTreeSet<String> = headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
    if names.len() == headers.len() {
        return Expression::Dict(headers.into_iter().map(|(name, value)| (name, Expression::Atom(value))).collect());
    }
    Expression::List(headers.into_iter().map(|(name, value)| Expression::Atom(format!("({name}, {value})"))).collect())
}

fn assertion(call: CallInTest<'_>, check: &BodyCheck, imports: &mut BTreeSet<&'static str>) -> String {
    let place = place(call, &check.pointer, imports);
    let is = |types: &str| format!("assert isinstance({place}, {types})");
    match &check.kind {
        CheckKind::Equals(value) if value.is_null() || value.is_boolean() => {
            format!("assert {place} is {}", literal::scalar(value))
        }
        CheckKind::Equals(value) if value.is_number() => format!("assert {place} == {}", number(value)),
        CheckKind::Equals(value) => format!("assert {place} == {}", literal::scalar(value)),
        CheckKind::Members(members) => {
            let members: Vec<String> = members.iter().map(literal::scalar).collect();
            format!("assert sorted({place}) == [{}]", members.join(", "))
        }
        CheckKind::Looks(shape) => {
            let function = shape_function(*shape);
            imports.insert(function);
            format!("assert {function}({place})")
        }
        CheckKind::Length(0) => format!("assert {place} == []"),
        CheckKind::Length(length) => format!("assert len({place}) == {length}"),
        CheckKind::IsArray => is("list"),
        CheckKind::IsObject => is("dict"),
        CheckKind::IsString => is("str"),
        CheckKind::IsNumber => is("(int, float)"),
        CheckKind::IsBoolean => is("bool"),
    }
}

/// The function of the service module that knows a shape.
fn shape_function(shape: Shape) -> &'static str {
    match shape {
        Shape::Uuid => "is_uuid",
        Shape::DateTime => "is_date_time",
        Shape::Date => "is_date",
        Shape::Digits => "is_digits",
        Shape::Hexadecimal => "is_hexadecimal",
    }
}

fn assignment(call: CallInTest<'_>, capture: &Capture, imports: &mut BTreeSet<&'static str>) -> String {
    let value = match &capture.source {
        LinkSource::Body(pointer) => place(call, pointer, imports),
        LinkSource::Header(name) => format!("response.headers[{}]", literal::string(name)),
        LinkSource::Cookie(name) => {
            imports.insert("cookie");
            format!("cookie(response, {})", literal::string(name))
        }
        LinkSource::LocationSegment => {
            imports.insert("last_segment");
            "last_segment(response)".to_owned()
        }
        LinkSource::Segment(pointer, from_end) => {
            imports.insert("segment");
            format!("segment({}, {from_end})", place(call, pointer, imports))
        }
    };
    format!("{} = {value}", capture.name)
}
