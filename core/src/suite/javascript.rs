//! The suite for the test runner of Node.js: modules by kind of test, a client of the standard library beside them.
//!
//! Node's `fetch` adds header fields to each request, refuses bodies of GET and verbs such as TRACE, and rewrites URLs;
//! so the client stands on `node:http`, in one way for all requests.

pub(super) mod expression;
pub(super) mod literal;

use std::collections::{BTreeMap, BTreeSet};

use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

use crate::action::LinkSource;

use super::Error;
use super::layout::{self, Expression};
use super::model::{BodyCheck, Capture, CheckKind, FieldCheck, Piece, TestBody, TestCase, TestKind, TestSuite};
use super::text::comment;
use super::writer::{CallInTest, Group, SuiteFile, SuiteWriter, Templates, camel, comments, groups, is_json, skip_reason};
use expression::{Expressions, MAX_JSON, STYLE, pattern, place};

/// Writes a package for Node.js.
#[derive(Debug)]
pub struct Javascript;

const TEMPLATES: [(&str, &str); 5] = [
    ("README.md", include_str!("javascript/README.md.jinja")),
    ("package.json", include_str!("javascript/package.json.jinja")),
    ("service.js", include_str!("javascript/service.js.jinja")),
    ("suite.test.js", include_str!("javascript/suite.test.js.jinja")),
    ("tests.js", include_str!("javascript/tests.js.jinja")),
];

/// Files beside the tests.
const SUPPORT: [&str; 3] = ["README.md", "package.json", "service.js"];

impl SuiteWriter for Javascript {
    fn name(&self) -> &'static str {
        "javascript"
    }

    fn title(&self) -> &'static str {
        "JavaScript"
    }

    fn command(&self) -> &'static str {
        "node --test"
    }

    fn test_begun<'l>(&self, line: &'l str) -> Option<&'l str> {
        line.strip_prefix("  test(\"")?.split('"').next()
    }

    fn files(&self, suite: &TestSuite) -> Result<Vec<SuiteFile>, Error> {
        let templates = Templates::new(&TEMPLATES)?;
        let mut files = templates.support(&SUPPORT, suite, literal::string)?;
        let mut groups = groups(suite);
        // Names and order of the modules of pytest.
        groups.sort_by_key(Group::name);
        let modules: Vec<String> = groups.iter().map(|group| format!("./tests/{}.js", group.name())).collect();
        files.push(templates.file("suite.test.js", "suite.test.js", context! { modules }, Vec::new())?);
        for group in groups {
            let path = format!("tests/{}.js", group.name());
            files.push(templates.file("tests.js", &path, Serde(module(&group)), group.test_names())?);
        }
        Ok(files)
    }
}

#[derive(Serialize)]
struct Module {
    heading: String,
    is_faults: bool,
    name: String,
    imports: BTreeSet<&'static str>,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    title: String,
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
    let mut imports = BTreeSet::from(["reset"]);
    let tests: Vec<Test> = group.tests.iter().map(|test| written_test(test, &mut imports)).collect();
    if tests.iter().any(|test| !test.calls.is_empty()) {
        imports.insert("service");
    }
    let is_faults = group.kind == TestKind::Fault;
    Module { heading: group.heading(), is_faults, name: group.name().replace('_', " "), imports, tests }
}

fn written_test(test: &TestCase, imports: &mut BTreeSet<&'static str>) -> Test {
    let mut lines = vec![comment(&test.description)];
    lines.extend(comments(test));
    let mut used = BTreeMap::new();
    let calls = CallInTest::all(test).map(|call| written_call(call, &mut used, imports)).collect();
    Test { title: test.name.replace('_', " "), comments: lines, skip: skip_reason(test).map(literal::string), calls }
}

fn written_call(call: CallInTest<'_>, used: &mut BTreeMap<&'static str, usize>, imports: &mut BTreeSet<&'static str>) -> Call {
    let mut variable = |name: &'static str| {
        let count = used.entry(name).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}{count}") }
    };
    let operation = comment(&call.call.operation);
    let mut lines = call.drawings(|name, like| format!("const {} = fresh({});", camel(name), literal::string(like)));
    imports.extend((!lines.is_empty()).then_some("fresh"));
    let request = request(call, imports);
    if call.call.is_dropped() {
        let request = request.layout(&STYLE, 4, "await assert.rejects();".len());
        lines.push(format!("await assert.rejects({request});"));
        return Call { operation, lines };
    }
    let response = variable("response");
    let start = format!("const {response} = await ");
    lines.push(format!("{start}{};", request.layout(&STYLE, 4, start.len() + 1)));
    lines.push(format!("assert.equal({response}.status, {});", call.call.status));
    if let Some(media_type) = &call.call.media_type {
        imports.insert("mediaType");
        lines.push(format!("assert.equal(mediaType({response}), {});", literal::string(media_type)));
    }
    lines.extend(call.call.fields.iter().map(|field| field_assertion(&response, field)));
    if let Some(text) = &call.call.text {
        lines.push(format!("assert.equal({response}.text(), {});", literal::string(text)));
    }
    let reads_body = |capture: &Capture| capture.source.reads_body();
    let mut body = String::new();
    if !call.call.checks.is_empty() || call.call.captures.iter().any(reads_body) {
        body = variable("body");
        lines.push(format!("const {body} = {response}.json();"));
    }
    lines.extend(call.call.checks.iter().map(|check| assertion(call, &body, check, imports)));
    lines.extend(call.call.captures.iter().map(|capture| assignment(call, &response, &body, capture, imports)));
    Call { operation, lines }
}

fn field_assertion(response: &str, field: &FieldCheck) -> String {
    let name = literal::string(&field.name);
    match &field.value {
        Some(value) => format!("assert.equal({response}.headers[{name}], {});", literal::string(value)),
        None => format!("assert.ok({name} in {response}.headers);"),
    }
}

fn request(call: CallInTest<'_>, imports: &mut BTreeSet<&'static str>) -> Expression {
    let mut expressions = Expressions { call, imports };
    let mut options = Vec::new();
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
    let headers: Vec<(String, String)> = written.map(|(name, value)| (name.clone(), expressions.text(value))).collect();
    if !headers.is_empty() {
        options.push(("headers".to_owned(), header_expression(headers)));
    }
    match (json, &call.call.body) {
        (Some(value), _) => options.push(("json".to_owned(), value)),
        (None, Some(TestBody::Text(pieces))) => {
            options.push(("body".to_owned(), Expression::Atom(expressions.text(pieces))));
        }
        (None, Some(TestBody::Bytes(bytes))) => options.push(("body".to_owned(), Expression::Atom(literal::bytes(bytes)))),
        (None, None) => {}
    }
    if let Some(user) = &call.call.user {
        options.push(("user".to_owned(), Expression::Atom(literal::string(user))));
    }
    let mut arguments = vec![(String::new(), Expression::Atom(expressions.text(&call.call.url)))];
    if !options.is_empty() {
        arguments.push((String::new(), Expression::Dict(options)));
    }
    Expression::Call(format!("service.{}", call.call.verb.name().to_ascii_lowercase()), arguments)
}

/// Header fields as an object, or as pairs when an object would not keep them all in their order.
fn header_expression(headers: Vec<(String, String)>) -> Expression {
    let names: BTreeSet<String> = headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    if names.len() == headers.len() && !names.iter().any(|name| is_number(name) || name == "__proto__") {
        let field = |(name, value): (String, String)| {
            let name = if literal::is_identifier(&name) { name } else { literal::string(&name) };
            (name, Expression::Atom(value))
        };
        return Expression::Dict(headers.into_iter().map(field).collect());
    }
    let pair = |(name, value): (String, String)| Expression::Atom(format!("[{}, {value}]", literal::string(&name)));
    Expression::List(headers.into_iter().map(pair).collect())
}

fn assertion(call: CallInTest<'_>, body: &str, check: &BodyCheck, imports: &mut BTreeSet<&'static str>) -> String {
    let place = place(call, body, &check.pointer, imports);
    let of_type = |name: &str| format!("assert.equal(typeof {place}, \"{name}\");");
    match &check.kind {
        CheckKind::Equals(value) => format!("assert.equal({place}, {});", literal::scalar(value)),
        CheckKind::Members(members) => {
            imports.insert("sorted");
            let members: Vec<String> = members.iter().map(literal::scalar).collect();
            format!("assert.deepEqual(sorted({place}), [{}]);", members.join(", "))
        }
        CheckKind::Looks(shape) => {
            let pattern = pattern(*shape);
            imports.insert(pattern);
            format!("assert.match({place}, {pattern});")
        }
        CheckKind::Length(0) => format!("assert.deepEqual({place}, []);"),
        CheckKind::Length(length) => format!("assert.equal({place}.length, {length});"),
        CheckKind::IsArray => format!("assert.ok(Array.isArray({place}));"),
        CheckKind::IsObject => {
            imports.insert("isObject");
            format!("assert.ok(isObject({place}));")
        }
        CheckKind::IsString => of_type("string"),
        CheckKind::IsNumber => {
            imports.insert("isNumber");
            format!("assert.ok(isNumber({place}));")
        }
        CheckKind::IsBoolean => of_type("boolean"),
    }
}

fn assignment(
    call: CallInTest<'_>,
    response: &str,
    body: &str,
    capture: &Capture,
    imports: &mut BTreeSet<&'static str>,
) -> String {
    let value = match &capture.source {
        LinkSource::Body(pointer) => place(call, body, pointer, imports),
        LinkSource::Header(name) => format!("{response}.headers[{}]", literal::string(&name.to_ascii_lowercase())),
        LinkSource::Cookie(name) => {
            imports.insert("cookie");
            format!("cookie({response}, {})", literal::string(name))
        }
        LinkSource::LocationSegment => {
            imports.insert("lastSegment");
            format!("lastSegment({response})")
        }
        LinkSource::Segment(pointer, from_end) => {
            imports.insert("segment");
            format!("segment({}, {from_end})", place(call, body, pointer, imports))
        }
    };
    format!("const {} = {value};", camel(&capture.name))
}
