//! The suite as `JUnit` 5 with `RestAssured` in Kotlin: a Maven project with the classes of the one in Java.

mod literal;

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::Serde;
use serde::Serialize;
use serde_json::Value;

use crate::action::LinkSource;

use super::Error;
use super::junit::{Dialect, Part, parts, settings, target};
use super::model::{BodyCheck, Capture, CheckKind, FieldCheck, TestCase, TestSuite};
use super::text::comment;
use super::writer::{CallInTest, SuiteFile, SuiteWriter, Templates, camel, comments, pascal, skip_reason};

/// Writes a Maven project in Kotlin.
#[derive(Debug)]
pub struct Kotlin;

const TEMPLATES: [(&str, &str); 7] = [
    ("README.md", include_str!("kotlin/README.md.jinja")),
    ("pom.xml", include_str!("kotlin/pom.xml.jinja")),
    ("src/test/resources/junit-platform.properties", include_str!("junit/junit-platform.properties.jinja")),
    ("src/test/kotlin/restive/ExactHttpClient.kt", include_str!("kotlin/ExactHttpClient.kt.jinja")),
    ("src/test/kotlin/restive/JsonBody.kt", include_str!("kotlin/JsonBody.kt.jinja")),
    ("src/test/kotlin/restive/Service.kt", include_str!("kotlin/Service.kt.jinja")),
    ("Tests.kt", include_str!("kotlin/Tests.kt.jinja")),
];

/// Files beside the tests.
const SUPPORT: [&str; 6] = [
    "README.md",
    "pom.xml",
    "src/test/resources/junit-platform.properties",
    "src/test/kotlin/restive/ExactHttpClient.kt",
    "src/test/kotlin/restive/JsonBody.kt",
    "src/test/kotlin/restive/Service.kt",
];

const KOTLIN: Dialect = Dialect { string: literal::string, fields: "fields", indent: 20 };

impl SuiteWriter for Kotlin {
    fn name(&self) -> &'static str {
        "junit-kotlin"
    }

    fn title(&self) -> &'static str {
        "JUnit in Kotlin"
    }

    fn command(&self) -> &'static str {
        "mvn test"
    }

    fn test_begun<'l>(&self, line: &'l str) -> Option<&'l str> {
        // The function that resets the service has its body on its own line.
        line.strip_suffix("() {")?.strip_prefix("    fun ")
    }

    fn files(&self, suite: &TestSuite) -> Result<Vec<SuiteFile>, Error> {
        let templates = Templates::new(&TEMPLATES)?;
        let mut files = templates.support(&SUPPORT, suite, literal::string)?;
        for (part, order) in parts(suite).iter().zip(1..) {
            let path = format!("src/test/kotlin/restive/{}.kt", part.name);
            files.push(templates.file("Tests.kt", &path, Serde(class(part, order)), part.test_names())?);
        }
        Ok(files)
    }
}

#[derive(Serialize)]
struct Class {
    name: String,
    order: usize,
    heading: Vec<String>,
    imports: BTreeSet<&'static str>,
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
    start: String,
    settings: Vec<String>,
    send: String,
    end: &'static str,
    expectations: Vec<String>,
}

fn class(part: &Part<'_>, order: usize) -> Class {
    let tests: Vec<Test> = part.tests.iter().zip(1..).map(|(test, order)| written_test(test, order)).collect();
    let mut imports =
        BTreeSet::from(["org.junit.jupiter.api.BeforeEach", "org.junit.jupiter.api.Order", "org.junit.jupiter.api.Test"]);
    if tests.iter().any(|test| test.skip.is_some()) {
        imports.insert("org.junit.jupiter.api.Disabled");
    }
    let calls = tests.iter().flat_map(|test| &test.calls);
    for line in calls.flat_map(|call| call.expectations.iter().chain([&call.start])) {
        let assertions = [
            ("assertEquals(", &["org.junit.jupiter.api.Assertions.assertEquals"][..]),
            ("assertFalse(", &["org.junit.jupiter.api.Assertions.assertFalse"]),
            ("assertTrue(", &["org.junit.jupiter.api.Assertions.assertTrue"]),
            ("assertThrows<", &["java.io.IOException", "org.junit.jupiter.api.assertThrows"]),
        ];
        let used = assertions.into_iter().filter(|(word, _)| line.starts_with(word));
        imports.extend(used.flat_map(|(_, names)| names));
    }
    Class { name: part.name.clone(), order, heading: part.heading.clone(), imports, tests }
}

fn written_test(test: &TestCase, order: usize) -> Test {
    let mut lines = vec![comment(&test.description)];
    lines.extend(comments(test));
    let mut used = BTreeMap::new();
    let calls = CallInTest::all(test).map(|call| written_call(call, &mut used)).collect();
    Test { name: camel(&test.name), order, comments: lines, skip: skip_reason(test).map(literal::string), calls }
}

fn written_call(call: CallInTest<'_>, used: &mut BTreeMap<&'static str, usize>) -> Call {
    let mut variable = |name: &'static str| {
        let count = used.entry(name).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}{count}") }
    };
    let (given, send) = target(call, &KOTLIN);
    let (operation, settings) = (comment(&call.call.operation), settings(call.call, &KOTLIN));
    let drawn = call.drawings(|name, like| format!("val {} = fresh({})", camel(name), literal::string(like)));
    if call.call.is_dropped() {
        let start = format!("assertThrows<IOException> {{ {given}");
        return Call { operation, drawn, start, settings, send, end: " }", expectations: Vec::new() };
    }
    let response = variable("response");
    let mut lines = vec![format!("assertEquals({}, {response}.statusCode())", call.call.status)];
    if let Some(media_type) = &call.call.media_type {
        lines.push(format!("assertEquals({}, mediaType({response}))", literal::string(media_type)));
    }
    lines.extend(call.call.fields.iter().map(|field| field_assertion(&response, field)));
    if let Some(text) = &call.call.text {
        lines.push(format!("assertEquals({}, text({response}))", literal::string(text)));
    }
    let reads_body = |capture: &Capture| capture.source.reads_body();
    let mut body = String::new();
    if !call.call.checks.is_empty() || call.call.captures.iter().any(reads_body) {
        body = variable("body");
        lines.push(format!("val {body} = JsonBody.of({response})"));
    }
    lines.extend(call.call.checks.iter().map(|check| assertion(&body, check)));
    lines.extend(call.call.captures.iter().map(|capture| assignment(&response, &body, capture)));
    Call { operation, drawn, start: format!("val {response} = {given}"), settings, send, end: "", expectations: lines }
}

fn field_assertion(response: &str, field: &FieldCheck) -> String {
    let name = literal::string(&field.name);
    match &field.value {
        Some(value) => format!("assertEquals({}, {response}.getHeader({name}))", literal::string(value)),
        None => format!("assertTrue({response}.headers.hasHeaderWithName({name}))"),
    }
}

fn assertion(body: &str, check: &BodyCheck) -> String {
    let pointer = literal::string(&check.pointer);
    let is = |kind: &str| format!("assertTrue({body}.{kind}({pointer}))");
    match &check.kind {
        CheckKind::Equals(value) if value.is_null() => is("isNull"),
        CheckKind::Equals(Value::Bool(true)) => is("boolean"),
        CheckKind::Equals(Value::Bool(false)) => format!("assertFalse({body}.boolean({pointer}))"),
        CheckKind::Equals(value) if value.is_number() => number(body, &pointer, value),
        CheckKind::Equals(value) => {
            format!("assertEquals({}, {body}.text({pointer}))", literal::string(value.as_str().unwrap_or_default()))
        }
        CheckKind::Members(members) => {
            let method = if members.iter().any(Value::is_string) { "texts" } else { "integers" };
            let literal = |member: &Value| member.as_str().map_or_else(|| format!("{member}L"), literal::string);
            let members: Vec<String> = members.iter().map(literal).collect();
            format!("assertEquals(listOf({}), {body}.{method}({pointer}))", members.join(", "))
        }
        CheckKind::Looks(shape) => is(&format!("is{}", pascal(shape.name()))),
        CheckKind::Length(length) => format!("assertEquals({length}, {body}.size({pointer}))"),
        CheckKind::IsArray => is("isArray"),
        CheckKind::IsObject => is("isObject"),
        CheckKind::IsString => is("isText"),
        CheckKind::IsNumber => is("isNumber"),
        CheckKind::IsBoolean => is("isBoolean"),
    }
}

/// The comparison of a number: by value, and exact, for all readers take the same decimal for the same double.
fn number(body: &str, pointer: &str, value: &Value) -> String {
    match value.as_i64() {
        Some(i64::MIN) => format!("assertEquals(Long.MIN_VALUE, {body}.integer({pointer}))"),
        Some(number) => format!("assertEquals({number}L, {body}.integer({pointer}))"),
        None => {
            // The sign of a negative zero is lost in a decimal, and the comparison would mind.
            let number = value.as_f64().filter(|number| *number != 0.0).unwrap_or_default();
            format!("assertEquals({number:?}, {body}.decimal({pointer}))")
        }
    }
}

fn assignment(response: &str, body: &str, capture: &Capture) -> String {
    let value = match &capture.source {
        LinkSource::Body(pointer) => format!("{body}.scalar({})", literal::string(pointer)),
        LinkSource::Header(name) => format!("{response}.getHeader({})", literal::string(name)),
        LinkSource::Cookie(name) => format!("cookie({response}, {})", literal::string(name)),
        LinkSource::LocationSegment => format!("lastSegment({response})"),
        LinkSource::Segment(pointer, from_end) => format!("segment({body}.scalar({}), {from_end})", literal::string(pointer)),
    };
    format!("val {} = {value}", camel(&capture.name))
}
