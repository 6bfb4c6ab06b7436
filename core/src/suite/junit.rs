//! The suite as `JUnit` 5 with `RestAssured`: a Maven project with one class per kind of test, split when large.

pub(super) mod expression;
pub(super) mod literal;

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::Value;

use crate::action::LinkSource;

use super::Error;
use super::model::{BodyCheck, Capture, CheckKind, Piece, TestBody, TestCall, TestCase, TestKind, TestSuite};
use super::naming::Names;
use super::text::comment;
use super::writer::{CallInTest, Group, SuiteFile, SuiteWriter, Templates, camel, comments, groups, skip_reason};
use expression::{content_type_takes_text, decimal, needs_exact_target, text_expression};

/// Writes a Maven project.
#[derive(Debug)]
pub struct Junit;

const TEMPLATES: [(&str, &str); 7] = [
    ("src/test/java/restive/ExactHttpClient.java", include_str!("junit/ExactHttpClient.java.jinja")),
    ("src/test/java/restive/JsonBody.java", include_str!("junit/JsonBody.java.jinja")),
    ("README.md", include_str!("junit/README.md.jinja")),
    ("src/test/java/restive/Service.java", include_str!("junit/Service.java.jinja")),
    ("Tests.java", include_str!("junit/Tests.java.jinja")),
    ("src/test/resources/junit-platform.properties", include_str!("junit/junit-platform.properties.jinja")),
    ("pom.xml", include_str!("junit/pom.xml.jinja")),
];

/// Folder of the package.
const SOURCES: &str = "src/test/java/restive";

/// Files beside the tests.
const SUPPORT: [&str; 6] = [
    "README.md",
    "pom.xml",
    "src/test/resources/junit-platform.properties",
    "src/test/java/restive/ExactHttpClient.java",
    "src/test/java/restive/JsonBody.java",
    "src/test/java/restive/Service.java",
];

/// What follows the sentence above a class with faults.
const ABOUT_FAULTS: [&str; 3] = [
    "",
    "The tests pass on the unchanged service, so they assert the wrong answers. Once a fault is fixed its",
    "test fails: expect the right status and body then, and keep the test.",
];

/// Constants that one class may need by our estimate; the class file format allows 65,535 (JVMS 4.1).
const MAX_CONSTANTS: usize = 20_000;
/// Tests in one class, for readers.
const MAX_TESTS: usize = 200;

impl SuiteWriter for Junit {
    fn name(&self) -> &'static str {
        "junit-java"
    }

    fn title(&self) -> &'static str {
        "JUnit in Java"
    }

    fn command(&self) -> &'static str {
        "mvn test"
    }

    fn test_begun<'l>(&self, line: &'l str) -> Option<&'l str> {
        // The method that resets the service stands before all tests.
        line.strip_prefix("    void ")?.split('(').next().filter(|name| *name != "reset")
    }

    fn files(&self, suite: &TestSuite) -> Result<Vec<SuiteFile>, Error> {
        let templates = Templates::new(&TEMPLATES)?;
        let mut files = templates.support(&SUPPORT, suite, literal::string)?;
        for (part, order) in parts(suite).iter().zip(1..) {
            let class = class(part, order);
            let path = format!("{SOURCES}/{}.java", part.name);
            files.push(templates.file("Tests.java", &path, Serde(class), part.test_names())?);
        }
        Ok(files)
    }
}

/// The tests of one class.
pub(super) struct Part<'a> {
    /// Name of the class.
    pub name: String,
    /// Lines of the comment above it.
    pub heading: Vec<String>,
    /// The tests.
    pub tests: Vec<&'a TestCase>,
}

impl Part<'_> {
    /// Names of the tests.
    pub fn test_names(&self) -> Vec<String> {
        self.tests.iter().map(|test| test.name.clone()).collect()
    }
}

/// The classes of a suite in the order in which pytest executes its modules, that of their names.
pub(super) fn parts(suite: &TestSuite) -> Vec<Part<'_>> {
    let mut groups = groups(suite);
    groups.sort_by_key(Group::name);
    let mut names = Names::default();
    let mut parts = Vec::new();
    for group in &groups {
        let mut heading = vec![group.heading()];
        if group.kind == TestKind::Fault {
            heading.extend(ABOUT_FAULTS.map(str::to_owned));
        }
        for tests in split(&group.tests) {
            let word = camel(&names.unique(&group.name()));
            let name = format!("{}{}Test", word[..1].to_ascii_uppercase(), &word[1..]);
            parts.push(Part { name, heading: heading.clone(), tests: tests.to_vec() });
        }
    }
    parts
}

/// `tests` in groups that fit into one class each; a class without tests is not written.
fn split<'a, 'b>(tests: &'b [&'a TestCase]) -> Vec<&'b [&'a TestCase]> {
    let mut groups = Vec::new();
    let mut start = 0;
    let mut constants = 0;
    for (idx, test) in tests.iter().enumerate() {
        let needed: usize = test.calls.iter().map(|call| 30 + 4 * (call.checks.len() + call.captures.len())).sum();
        if idx > start && (constants + needed > MAX_CONSTANTS || idx - start >= MAX_TESTS) {
            groups.push(&tests[start..idx]);
            start = idx;
            constants = 0;
        }
        constants += needed;
    }
    if start < tests.len() {
        groups.push(&tests[start..]);
    }
    groups
}

#[derive(Serialize)]
struct Class {
    name: String,
    order: usize,
    heading: Vec<String>,
    imports: Vec<&'static str>,
    static_imports: Vec<&'static str>,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    order: usize,
    comments: Vec<String>,
    skip: Option<String>,
    calls: Vec<Call>,
}

#[derive(Serialize)]
struct Call {
    operation: String,
    drawn: Vec<String>,
    response: String,
    is_dropped: bool,
    given: String,
    settings: Vec<String>,
    send: String,
    expectations: Vec<String>,
}

/// How a language of the JVM writes a request.
pub(super) struct Dialect {
    /// Writes a literal.
    pub string: fn(&str) -> String,
    /// The function that makes several header fields.
    pub fields: &'static str,
    /// Columns before a line of a broken body.
    pub indent: usize,
}

const JAVA: Dialect = Dialect { string: literal::string, fields: "Service.fields", indent: 24 };

/// Static methods that tests call, as they are called and as they are imported.
const STATIC_IMPORTS: [(&str, &str); 18] = [
    ("assertEquals(", "org.junit.jupiter.api.Assertions.assertEquals"),
    ("assertFalse(", "org.junit.jupiter.api.Assertions.assertFalse"),
    ("assertThrows(", "org.junit.jupiter.api.Assertions.assertThrows"),
    ("assertTrue(", "org.junit.jupiter.api.Assertions.assertTrue"),
    ("bytes(", "restive.Service.bytes"),
    ("cookie(", "restive.Service.cookie"),
    ("credentials(", "restive.Service.credentials"),
    ("encoded(", "restive.Service.encoded"),
    ("fresh(", "restive.Service.fresh"),
    ("given(", "restive.Service.given"),
    ("givenExactly(", "restive.Service.givenExactly"),
    ("jsonPart(", "restive.Service.jsonPart"),
    ("lastSegment(", "restive.Service.lastSegment"),
    ("mediaType(", "restive.Service.mediaType"),
    ("segment(", "restive.Service.segment"),
    ("text(", "restive.Service.text"),
    ("utf8(", "restive.Service.utf8"),
    ("xmlPart(", "restive.Service.xmlPart"),
];

fn class(part: &Part<'_>, order: usize) -> Class {
    let tests: Vec<Test> = part.tests.iter().zip(1..).map(|(test, order)| written_test(test, order)).collect();
    let mut imports = vec!["org.junit.jupiter.api.BeforeEach", "org.junit.jupiter.api.Order", "org.junit.jupiter.api.Test"];
    if tests.iter().any(|test| test.skip.is_some()) {
        imports.push("org.junit.jupiter.api.Disabled");
    }
    let mut calls = tests.iter().flat_map(|test| &test.calls);
    if calls.clone().any(|call| !call.is_dropped) {
        imports.push("io.restassured.response.Response");
    }
    if calls.any(|call| call.is_dropped) {
        imports.push("java.io.IOException");
    }
    if tests.iter().flat_map(|test| &test.calls).flat_map(|call| &call.expectations).any(|line| line.contains("(List.of(")) {
        imports.push("java.util.List");
    }
    imports.sort_unstable();
    Class {
        name: part.name.clone(),
        order,
        heading: part.heading.clone(),
        imports,
        static_imports: static_imports(&tests),
        tests,
    }
}

/// What of [`STATIC_IMPORTS`] the code of `tests` calls; one that only stands in a text is imported in vain.
fn static_imports(tests: &[Test]) -> Vec<&'static str> {
    let calls = tests.iter().flat_map(|test| &test.calls);
    let lines: Vec<&String> = calls
        .flat_map(|call| call.drawn.iter().chain(&call.settings).chain(&call.expectations).chain([&call.given, &call.send]))
        .collect();
    // A name behind a dot is a method of something else.
    let is_name = |before: &str| !before.ends_with(|last: char| last == '.' || last.is_ascii_alphanumeric());
    let calls = |line: &str, word: &str| line.match_indices(word).any(|(start, _)| is_name(&line[..start]));
    let used = STATIC_IMPORTS.into_iter().filter(|(word, _)| lines.iter().any(|line| calls(line, word)));
    used.map(|(_, import)| import).collect()
}

fn written_test(test: &TestCase, order: usize) -> Test {
    let skip = skip_reason(test).map(literal::string);
    let mut lines = vec![comment(&test.description)];
    lines.extend(comments(test));
    let mut used = BTreeMap::new();
    let calls = CallInTest::all(test).map(|call| written_call(call, &mut used)).collect();
    Test { name: camel(&test.name), order, comments: lines, skip, calls }
}

fn written_call(call: CallInTest<'_>, used: &mut BTreeMap<&'static str, usize>) -> Call {
    let mut variable = |name: &'static str| {
        let count = used.entry(name).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}{count}") }
    };
    let (given, send) = target(call, &JAVA);
    let operation = comment(&call.call.operation);
    let drawn = call.drawings(|name, like| format!("String {} = fresh({});", camel(name), literal::string(like)));
    if call.call.is_dropped() {
        let given = format!("assertThrows(IOException.class, () -> {given}");
        let (response, settings) = (String::new(), settings(call.call, &JAVA));
        return Call { operation, drawn, response, is_dropped: true, given, settings, send, expectations: Vec::new() };
    }
    let response = variable("response");
    let mut lines = Vec::new();
    if let Some(media_type) = &call.call.media_type {
        lines.push(format!("assertEquals({}, mediaType({response}));", literal::string(media_type)));
    }
    for field in &call.call.fields {
        let name = literal::string(&field.name);
        lines.push(match &field.value {
            Some(value) => format!("assertEquals({}, {response}.getHeader({name}));", literal::string(value)),
            None => format!("assertTrue({response}.getHeaders().hasHeaderWithName({name}));"),
        });
    }
    if let Some(text) = &call.call.text {
        lines.push(format!("assertEquals({}, text({response}));", literal::string(text)));
    }
    let reads_body = |capture: &Capture| capture.source.reads_body();
    if !call.call.checks.is_empty() || call.call.captures.iter().any(reads_body) {
        let body = variable("body");
        lines.push(format!("JsonBody {body} = JsonBody.of({response});"));
        lines.extend(call.call.checks.iter().map(|check| assertion(&body, check)));
        let captures = call.call.captures.iter().filter(|capture| reads_body(capture));
        lines.extend(captures.map(|capture| assignment(&body, capture)));
    }
    let captures = call.call.captures.iter().filter(|capture| !reads_body(capture));
    lines.extend(captures.map(|capture| assignment(&response, capture)));
    lines.insert(0, format!("assertEquals({}, {response}.statusCode());", call.call.status));
    let settings = settings(call.call, &JAVA);
    Call { operation, drawn, response, is_dropped: false, given, settings, send, expectations: lines }
}

/// The start and the end of the chain: `RestAssured` tidies up some targets, which then travel beside it.
pub(super) fn target(call: CallInTest<'_>, dialect: &Dialect) -> (String, String) {
    let url = text_expression(&call.call.url, dialect.string);
    let verb = call.call.verb.name();
    let exact = needs_exact_target(&call.call.url);
    let path = if exact { (dialect.string)("") } else { url.clone() };
    let send = match verb {
        "TRACE" => format!("request(\"TRACE\", {path})"),
        _ => format!("{}({path})", verb.to_ascii_lowercase()),
    };
    (if exact { format!("givenExactly({url})") } else { "given()".to_owned() }, send)
}

/// The settings of a request, one link of the chain each.
pub(super) fn settings(call: &TestCall, dialect: &Dialect) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(user) = &call.user {
        lines.push(format!("filter(credentials({}))", (dialect.string)(user)));
    }
    let is_type = |name: &str| name.eq_ignore_ascii_case("content-type");
    let (types, others): (Vec<_>, Vec<_>) = call.headers.iter().partition(|(name, _)| is_type(name));
    lines.extend(header_settings(&others, dialect));
    let content_type = types.first().map(|(_, value)| value.as_slice());
    if let Some(value) = content_type {
        lines.push(format!("contentType({})", text_expression(value, dialect.string)));
    }
    match &call.body {
        Some(TestBody::Text(pieces)) => {
            let body = expression::body_expression(pieces, dialect.indent, dialect.string);
            let as_text = matches!(content_type, Some([Piece::Text(text)]) if content_type_takes_text(text));
            lines.push(if as_text { format!("body({body})") } else { format!("body(utf8({body}))") });
        }
        Some(TestBody::Bytes(bytes)) => lines.push(format!("body(bytes({}))", (dialect.string)(&STANDARD.encode(bytes)))),
        None => {}
    }
    lines
}

/// One setting per header field, or all at once when a name occurs twice: `RestAssured` then wants it in one spelling.
fn header_settings(headers: &[&(String, Vec<Piece>)], dialect: &Dialect) -> Vec<String> {
    let first = |name: &str| headers.iter().position(|(other, _)| other.eq_ignore_ascii_case(name)).unwrap_or_default();
    let field = |(name, value): &&(String, Vec<Piece>)| {
        format!("{}, {}", (dialect.string)(&headers[first(name)].0), text_expression(value, dialect.string))
    };
    let fields: Vec<String> = headers.iter().map(field).collect();
    if headers.iter().enumerate().any(|(idx, (name, _))| first(name) < idx) {
        return vec![format!("headers({}({}))", dialect.fields, fields.join(", "))];
    }
    fields.iter().map(|field| format!("header({field})")).collect()
}

fn assertion(body: &str, check: &BodyCheck) -> String {
    let pointer = literal::string(&check.pointer);
    let is = |kind: &str| format!("assertTrue({body}.{kind}({pointer}));");
    match &check.kind {
        CheckKind::Equals(value) if value.is_null() => is("isNull"),
        CheckKind::Equals(Value::Bool(true)) => is("bool"),
        CheckKind::Equals(Value::Bool(false)) => format!("assertFalse({body}.bool({pointer}));"),
        CheckKind::Equals(value) if value.is_number() => decimal(body, &pointer, value),
        CheckKind::Equals(value) => {
            format!("assertEquals({}, {body}.text({pointer}));", literal::string(value.as_str().unwrap_or_default()))
        }
        CheckKind::Members(members) => {
            let (method, members) = members_of(members);
            format!("assertEquals(List.of({members}), {body}.{method}({pointer}));")
        }
        CheckKind::Looks(shape) => is(&camel(&format!("is_{}", shape.name()))),
        CheckKind::Length(length) => format!("assertEquals({length}, {body}.size({pointer}));"),
        CheckKind::IsArray => is("isArray"),
        CheckKind::IsObject => is("isObject"),
        CheckKind::IsString => is("isText"),
        CheckKind::IsNumber => is("isNumber"),
        CheckKind::IsBoolean => is("isBool"),
    }
}

/// The method of a body that sorts such members, and the members.
fn members_of(members: &[Value]) -> (&'static str, String) {
    let is_text = members.iter().any(Value::is_string);
    let literals: Vec<String> =
        members.iter().map(|member| member.as_str().map_or_else(|| format!("{member}L"), literal::string)).collect();
    (if is_text { "texts" } else { "integers" }, literals.join(", "))
}

fn assignment(from: &str, capture: &Capture) -> String {
    let value = match &capture.source {
        LinkSource::Body(pointer) => format!("{from}.scalar({})", literal::string(pointer)),
        LinkSource::Header(name) => format!("{from}.getHeader({})", literal::string(name)),
        LinkSource::Cookie(name) => format!("cookie({from}, {})", literal::string(name)),
        LinkSource::LocationSegment => format!("lastSegment({from})"),
        LinkSource::Segment(pointer, from_end) => format!("segment({from}.scalar({}), {from_end})", literal::string(pointer)),
    };
    format!("String {} = {value};", camel(&capture.name))
}
