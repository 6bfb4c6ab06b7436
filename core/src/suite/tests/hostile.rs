//! No text can break out of written code, and every text arrives as it was: checked by the languages themselves.
//!
//! Each text stands in every place of a test where one can stand. The written tests are compiled and run against
//! stubs that note what they are handed (`tests/suite/stubs`), all in one process per language.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::action::LinkSource;
use crate::api::Verb;
use crate::suite::junit::Junit;
use crate::suite::model::{BodyCheck, Capture, CheckKind, Escape, SuiteReset, TestBody, TestCase, TestKind, TestSuite};
use crate::suite::pytest::Pytest;
use crate::suite::sample::{call, captured, test, text, with_body};
use crate::suite::writer::SuiteWriter;

const STUBS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/stubs");
const INVALID_UTF8: &[u8] = b"\xff\xfe\x00\"\\\xed\xa0\x80";

/// Texts that ended or changed generated code somewhere, and drawn ones.
fn hostile_texts() -> Vec<String> {
    let known = [
        "",
        "\"",
        "\\",
        "'",
        "\"\"\"",
        "'''",
        "\"\"\" + 1 + \"\"\"",
        "\\\"",
        "ends in \\",
        "\\u0022",
        "\\u000a",
        "\\\\u0022",
        "\\N{BULLET}",
        "\\x41",
        "${x}",
        "{x}",
        "{{x}}",
        "{",
        "}",
        "%s",
        "#{x}",
        "`x`",
        "$(x)",
        "*/",
        "/*",
        "// x",
        "# x",
        "<!--",
        "-->",
        "{{ x }}",
        "{% x %}",
        "{# x #}",
        "\n",
        "\r",
        "\r\n",
        "a\nb",
        "\t",
        "\0",
        "\u{0}1",
        "\u{1}2",
        "\u{7f}",
        "\u{85}",
        "\u{a0}",
        "\u{ad}",
        "\u{200b}",
        "\u{202e}x\u{202c}",
        "\u{2028}",
        "\u{2029}",
        "\u{feff}",
        "\u{fffd}",
        "\u{fffe}",
        "\u{ffff}",
        "\u{10000}",
        "\u{1f600}",
        "\u{10ffff}",
        "e\u{301}",
        "\u{d7ff}\u{e000}",
        "\u{e000}0\u{e001}",
        "restivelink0q0x",
        "é字",
        "__import__('os').abort()",
        "\"); System.exit(1); (\"",
        "\"\nimport os\n\"",
        "None",
        "true",
        "1e999",
        "a/b~c",
        "~1",
        "0",
    ];
    let mut texts: Vec<String> = known.iter().map(|text| (*text).to_owned()).collect();
    let mut runner = TestRunner::deterministic();
    let drawn = [proptest::string::string_regex("(?s).{0,40}"), proptest::string::string_regex("[\"'\\\\{}$u0-9a-f\n]{0,30}")];
    for strategy in drawn.map(|strategy| strategy.expect("a valid pattern")) {
        texts.extend((0..60).map(|_| strategy.new_tree(&mut runner).expect("a value").current()));
    }
    texts.push("x".repeat(1_000_000));
    texts.push("é\"\\\n\0😀".repeat(15_000));
    texts
}

/// A test with `hostile` everywhere, and the texts it hands over, in order.
fn hostile_test(idx: usize, hostile: &str) -> (TestCase, Vec<Vec<u8>>) {
    let token = hostile.replace('~', "~0").replace('/', "~1");
    let json_body = json!({ hostile: [hostile], "lone": {"a": hostile} }).to_string();
    let mut first =
        with_body(call(Verb::Post, vec![text(hostile)], 200), "application/json", TestBody::Text(vec![text(&json_body)]));
    first.user = Some(hostile.to_owned());
    first.headers.push(("X-Hostile".into(), vec![text(hostile)]));
    first.operation = hostile.to_owned();
    first.text = Some(hostile.to_owned());
    first.checks = vec![BodyCheck { pointer: format!("/k{token}"), kind: CheckKind::Equals(hostile.into()) }];
    first.captures = vec![Capture { name: "order_id".into(), source: LinkSource::Body("/id".into()), seen: json!("captured") }];
    let pieces = vec![text(hostile), captured("order_id", Escape::Plain), text(hostile)];
    let second = with_body(call(Verb::Post, vec![text("/x")], 200), "text/plain", TestBody::Text(pieces));
    let bytes = [INVALID_UTF8, hostile.as_bytes()].concat();
    let third = with_body(call(Verb::Post, vec![text("/x")], 200), "image/png", TestBody::Bytes(bytes.clone()));
    let mut case = test(&format!("hostile{idx}"), TestKind::Other, vec![first, second, third]);
    case.description = hostile.to_owned();
    case.targets = vec![hostile.to_owned()];
    case.findings = vec![hostile.to_owned()];
    case.notes = vec![hostile.to_owned()];
    let joined = format!("{hostile}captured{hostile}");
    let field = format!("k{hostile}");
    let handed = [hostile, "X-Hostile", hostile, &json_body, hostile, hostile, &field, hostile, "id", &joined, "/x"];
    let mut handed: Vec<Vec<u8>> = handed.iter().map(|text| text.as_bytes().to_vec()).collect();
    handed.extend([bytes, b"/x".to_vec()]);
    (case, handed)
}

fn hostile_suite() -> (TestSuite, BTreeMap<String, Vec<Vec<u8>>>) {
    let hostile = hostile_texts();
    let (tests, handed): (Vec<_>, Vec<_>) = hostile.iter().enumerate().map(|(idx, text)| hostile_test(idx, text)).unzip();
    let expected = tests.iter().map(|test: &TestCase| test.name.clone()).zip(handed).collect();
    let title = hostile.concat().chars().take(3000).collect();
    let base_url = "http://h\"\\\n".into();
    (TestSuite { title, base_url, insecure: false, reset: SuiteReset::Never, users: Vec::new(), tests }, expected)
}

/// Whether `program` is there; without it the check is left out, which is an error where everything must be checked.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("SKIPPED: `{program}` is missing");
        assert!(std::env::var("CI").as_deref() != Ok("true"), "`{program}` is missing");
    }
    found
}

fn write_files(writer: &dyn SuiteWriter, suite: &TestSuite, folder: &Path) -> Vec<String> {
    let files = writer.files(suite).expect("templates work");
    for file in &files {
        let place = folder.join(&file.path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("a writable folder");
        fs::write(place, &file.content).expect("a writable file");
    }
    files.into_iter().map(|file| file.path).collect()
}

fn output_of(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", &errors[..errors.len().min(3000)]);
    String::from_utf8(output.stdout).expect("hexadecimal")
}

/// Compares the printed hexadecimal texts of each test with the expected ones.
fn compare(printed: &str, expected: &BTreeMap<String, Vec<Vec<u8>>>) {
    let mut seen = 0;
    for line in printed.lines() {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        let wanted: Vec<String> = expected[name].iter().map(|bytes| hexadecimal(bytes)).collect();
        let found: Vec<&str> = words.collect();
        assert!(
            found == wanted,
            "{name}: {:?}",
            String::from_utf8_lossy(&expected[name][0]).chars().take(50).collect::<String>()
        );
        seen += 1;
    }
    assert_eq!(seen, expected.len());
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

#[test]
fn python_reads_every_text_as_it_was() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (suite, expected) = hostile_suite();
    let files = write_files(&Pytest, &suite, folder.path());
    let compile = "import ast, sys\nfor path in sys.argv[1:]: ast.parse(open(path, encoding='utf-8').read())";
    let sources = files.iter().filter(|path| Path::new(path).extension().is_some_and(|extension| extension == "py"));
    output_of(Command::new("python3").current_dir(folder.path()).args(["-c", compile]).args(sources));
    let run = Path::new(STUBS).join("run.py");
    compare(&output_of(Command::new("python3").arg(run).arg(folder.path()).arg("test_other")), &expected);
}

#[test]
fn java_reads_every_text_as_it_was() {
    if !has("javac") || !has("java") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (suite, expected) = hostile_suite();
    let files = write_files(&Junit, &suite, folder.path());
    let tests: Vec<&String> = files.iter().filter(|path| path.ends_with("Test.java")).collect();
    let classes = folder.path().join("classes");
    let stubs = format!("{STUBS}/restive/Main.java");
    output_of(
        Command::new("javac")
            .current_dir(folder.path())
            .args(["-encoding", "UTF-8", "--release", "11", "-sourcepath", STUBS, "-d"])
            .arg(&classes)
            .arg(stubs)
            .args(&tests),
    );
    let names = tests.iter().filter_map(|path| Path::new(path).file_stem());
    compare(&output_of(Command::new("java").arg("-cp").arg(&classes).arg("restive.Main").args(names)), &expected);
}
