//! Every form of written suites: rendered from a finished run, compiled and run by its own language.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use restive_demo::{ADMIN_TOKEN, AUTH, CLERK_TOKEN, OPENAPI, RESET_PATH};
use restive_e2e::Restive;
use restive_e2e::scripted::{ScriptedServer, json};
use restive_e2e::services::Demo;
use restive_e2e::suites::{Frame, all_pass_three_times, execute};
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use serde_json::{Value, json};

/// What `restive render` is asked for to have every form.
fn all_forms() -> String {
    Frame::ALL.map(Frame::form).join(",")
}

/// On a service that is reset before each test, so that the order of the tests may change.
#[test]
fn every_form_of_the_demo_passes_in_any_order() -> Result<()> {
    in_work_folder("forms-demo", |folder| {
        fs::write(folder.join("openapi.json"), OPENAPI)?;
        fs::write(folder.join("auth.yaml"), AUTH)?;
        let shop = Demo::start()?;
        let (url, reset) = (shop.url(), format!("POST {RESET_PATH}"));
        let args = ["--auth-file", "auth.yaml", "--reset-http", &reset, "--format", "curl"];
        let run = Restive::fuzz(folder, &url, "openapi.json", "1500 calls")?.args(args);
        let (finished, results) = run.run_with_results()?;
        ensure!(results.n_tests() > 20, "{}", finished.stderr);
        ensure!(!folder.join("out/suite/pytest").exists(), "only what was asked for is written");
        let rendered = Restive::new(folder, ["render", "out", "--format", &all_forms()])?.run()?;
        ensure!(rendered.code == Some(0), "{}", rendered.stderr);
        let (clerk, admin) = (format!("Authorization: Bearer {CLERK_TOKEN}"), format!("Authorization: Bearer {ADMIN_TOKEN}"));
        let variables = [("RESTIVE_BASE_URL", &*url), ("RESTIVE_AUTH_CLERK", &clerk), ("RESTIVE_AUTH_ADMIN", &admin)];
        all_pass_three_times(&Frame::ALL, &folder.join("out"), results.n_tests(), &variables, true)
    })
}

/// What is rendered later is what the run itself would have written.
#[test]
fn rendering_again_gives_the_files_of_the_run() -> Result<()> {
    in_work_folder("forms-again", |folder| {
        let run = ["demo", "--budget", "500 calls", "--rng-seed", "3", "--out", "out", "--format", "pytest,rust"];
        Restive::new(folder, run)?.run()?;
        let render = ["render", "out", "--format", "pytest", "--format", "rust", "--write", "again"];
        let rendered = Restive::new(folder, render)?.run()?;
        ensure!(rendered.code == Some(0), "{}", rendered.stderr);
        for form in ["pytest", "rust"] {
            let (first, second) = (folder.join("out/suite").join(form), folder.join("again").join(form));
            let differences = restive_e2e::work::differences(&first, &second)?;
            ensure!(differences.is_empty(), "{differences:?}");
        }
        Ok(())
    })
}

#[test]
fn folders_that_hold_no_run_have_their_error() -> Result<()> {
    in_work_folder("forms-bad", |folder| {
        let render = |out: &str| Restive::new(folder, ["render", out, "--format", "rust"])?.run();
        fs::create_dir_all(folder.join("foreign"))?;
        fs::write(folder.join("foreign/thesis.tex"), "")?;
        fs::create_dir_all(folder.join("half/suite"))?;
        fs::write(folder.join("half/suite/tests.json"), "{\"format_version\": 1, \"tests\": [{")?;
        fs::create_dir_all(folder.join("other/suite"))?;
        fs::write(folder.join("other/suite/tests.json"), "{\"format_version\": 7, \"restive_version\": \"3.1\"}")?;
        let wrong = [
            ("missing", "there is no folder `missing`"),
            ("foreign", "holds no results of restive"),
            ("half", "is damaged"),
            ("other", "has format version 7, wanted 1; restive 3.1 wrote it"),
        ];
        for (out, message) in wrong {
            let finished = render(out)?;
            ensure!(finished.code == Some(3), "{out}: {:?}", finished.code);
            ensure!(finished.stderr.contains(message) && finished.stderr.contains("hint: "), "{out}: {}", finished.stderr);
        }
        let usage = Restive::new(folder, ["render", "half", "--format", "cobol"])?.run()?;
        ensure!(usage.code == Some(2), "{}", usage.stderr);
        Ok(())
    })
}

/// Texts that ended or changed generated code somewhere.
const KNOWN: [&str; 52] = [
    "\"",
    "\\",
    "'",
    "\"\"\"",
    "'''",
    "\"#",
    "\"##",
    "\\\"",
    "ends in \\",
    "\\u0022",
    "\\\\u0022",
    "\\N{BULLET}",
    "${x}",
    "$x",
    "{x}",
    "{",
    "}",
    "%s",
    "#{x}",
    "`x`",
    "$(exit 1)",
    "`exit 1`",
    "*/",
    "/*",
    "// x",
    "# x",
    "### x",
    "> {%",
    "%}",
    "< ./x",
    "{{x}}",
    "{{ 1 + 1 }}",
    "{% x %}",
    "{# x #}",
    "\n",
    "\r",
    "\r\nX-Injected: 1",
    "a\n### b\nGET /c",
    "\t",
    "\0",
    "\u{1}2",
    "\u{7f}",
    "\u{202e}x\u{202c}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffd}",
    "\u{ffff}",
    "\u{10ffff}",
    "\u{1f600}",
    "\\(1 + 1)",
    "__proto__",
    "-e",
];

/// Characters that drawn texts are made of.
const ALPHABET: [char; 24] = [
    '"',
    '\'',
    '\\',
    '$',
    '{',
    '}',
    '#',
    '`',
    '%',
    '(',
    ')',
    '<',
    '>',
    '/',
    '*',
    '\n',
    'u',
    '0',
    'x',
    'é',
    '\u{2029}',
    '\u{1f600}',
    ' ',
    '@',
];

fn hostile_texts() -> Vec<String> {
    let mut texts: Vec<String> = KNOWN.iter().map(|text| (*text).to_owned()).collect();
    let mut state: u64 = 42;
    let mut draw = |below: usize| {
        // Knuth's MMIX generator; its high bits are good enough to pick characters.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or_default() % below
    };
    for _ in 0..60 {
        let length = 1 + draw(30);
        texts.push((0..length).map(|_| ALPHABET[draw(ALPHABET.len())]).collect());
    }
    texts.push("é\"\\\n\0😀".repeat(15_000));
    texts.push("x".repeat(1_000_000));
    texts.push("{\"a\":".repeat(200_000));
    texts
}

/// A test that sends `text` wherever it may stand, and expects it back as a value and as a name.
fn hostile_test(idx: usize, text: &str) -> Value {
    let is_field = text.len() < 100 && text.trim() == text && text.chars().all(|character| (' '..='~').contains(&character));
    // Clients of .http files evaluate what stands in two braces.
    let field = if is_field && !text.contains("{{") { text } else { "x" };
    let key = format!("k{text}");
    let token = key.replace('~', "~0").replace('/', "~1");
    let mut checks = vec![json!({ "pointer": "/length", "kind": { "equals": text.len() } })];
    if text.len() < 100 {
        checks.push(json!({ "pointer": "/text", "kind": { "equals": text } }));
        checks.push(json!({ "pointer": format!("/{token}"), "kind": { "equals": text } }));
    }
    let call = json!({
        "operation": text, "verb": "POST", "url": [{ "text": format!("/text/{idx}") }],
        "headers": [["Content-Type", [{ "text": "text/plain" }]], ["X-Hostile", [{ "text": field }]]],
        "body": { "text": [{ "text": text }] }, "user": null, "status": 200, "media_type": "application/json",
        "checks": checks, "text": null, "captures": [],
    });
    named_test(&format!("hostile_text_{idx}"), text, &call)
}

/// A test that sends bytes that are no text.
fn binary_test() -> Value {
    let call = json!({
        "operation": "POST /text/binary", "verb": "POST", "url": [{ "text": "/text/binary" }],
        "headers": [["Content-Type", [{ "text": "application/octet-stream" }]]],
        // "\xff\xfe\x00\"\\\xed\xa0\x80": no UTF-8, and half of a surrogate pair.
        "body": { "bytes": "//4AIlztoIA=" }, "user": null, "status": 200, "media_type": "application/json",
        "checks": [{ "pointer": "/length", "kind": { "equals": 8 } }], "text": null, "captures": [],
    });
    named_test("hostile_bytes", "bytes", &call)
}

/// Answers that are a single value without anything around it.
fn bare_values() -> Vec<String> {
    let mut values = vec!["\"\"", "0", "false", "null", "\"x\"", "-1.5", "true"];
    // Numbers as other writers of JSON have them: what holds the first of these exactly differs from language to language,
    // and the last are no whole numbers to restive, however they are written.
    values.extend(["9007199254740993", "-9223372036854775808", "18446744073709551615", "-0.0", "1.0", "5E2", "1e-300"]);
    values.push("100000000000000000000");
    let mut values: Vec<String> = values.into_iter().map(str::to_owned).collect();
    values.push(format!("-1{}", "0".repeat(300)));
    values
}

/// That all `n_tests` of a form are executed, and hold, against that service.
fn passes_once(frame: Frame, folder: &Path, url: &str, n_tests: usize) -> Result<()> {
    let counts = execute(frame, &folder.join("out"), &[("RESTIVE_BASE_URL", url)])?;
    eprintln!("{frame:?}: {counts:?}");
    ensure!(counts.tests == n_tests && counts.failed == 0 && counts.skipped == 0, "{frame:?}: {counts:?}");
    Ok(())
}

/// Each form reads them, also those that a client may take for no value at all.
#[test]
fn bare_values_are_read_by_every_form() -> Result<()> {
    in_work_folder("forms-bare", |folder| {
        let bare = bare_values();
        let answers = bare.clone();
        let server = ScriptedServer::start(move |call, stream| {
            let idx: usize = call.path.rsplit('/').next().and_then(|idx| idx.parse().ok()).unwrap_or_default();
            json(stream, 200, &answers[idx])
        })?;
        let bare_test = |(idx, text): (usize, &String)| {
            let value: Value = serde_json::from_str(text)?;
            let call = json!({
                "operation": "GET /bare", "verb": "GET", "url": [{ "text": format!("/bare/{idx}") }], "headers": [],
                "body": null, "user": null, "status": 200, "media_type": "application/json",
                "checks": [{ "pointer": "", "kind": { "equals": value } }], "text": null, "captures": [],
            });
            Ok(named_test(&format!("bare_{idx}"), text, &call))
        };
        let cases = bare.iter().enumerate().map(bare_test).collect::<Result<Vec<_>>>()?;
        let suite = json!({
            "format_version": 1, "restive_version": "0.1.0", "title": "Bare", "base_url": server.url(), "insecure": false,
            "reset": "never", "users": [], "tests": cases,
        });
        fs::create_dir_all(folder.join("out/suite"))?;
        fs::write(folder.join("out/suite/tests.json"), suite.to_string())?;
        let rendered = Restive::new(folder, ["render", "out", "--format", &all_forms()])?.run()?;
        ensure!(rendered.code == Some(0), "{}", rendered.stderr);
        for frame in Frame::ALL {
            if available(frame.programs())? {
                passes_once(frame, folder, &server.url(), bare.len())?;
            }
        }
        Ok(())
    })
}

fn named_test(name: &str, text: &str, call: &Value) -> Value {
    let short: String = text.chars().take(500).collect();
    json!({
        "name": name, "kind": "other", "description": short, "targets": [short], "findings": [short], "notes": [short],
        "tag": short, "calls": [call],
    })
}

fn write_hostile_run(out: &Path, texts: &[String], base_url: &str) -> Result<usize> {
    let mut cases: Vec<Value> = texts.iter().enumerate().map(|(idx, text)| hostile_test(idx, text)).collect();
    cases.push(binary_test());
    let title: String = KNOWN.concat();
    let suite = json!({
        "format_version": 1, "restive_version": "0.1.0", "title": title, "base_url": base_url, "insecure": false,
        "reset": "never", "users": [], "tests": cases,
    });
    fs::create_dir_all(out.join("suite"))?;
    fs::write(out.join("suite/tests.json"), suite.to_string())?;
    Ok(cases.len())
}

/// No text breaks out of the code of any form: it compiles, and the service gets and gives back each text as it was.
#[test]
fn hostile_texts_reach_the_service_as_they_were() -> Result<()> {
    in_work_folder("forms-hostile", |folder| {
        let server = ScriptedServer::start(|call, stream| {
            let text = String::from_utf8_lossy(&call.body).into_owned();
            let short = text.chars().take(100).collect::<String>();
            json(stream, 200, &json!({ "length": call.body.len(), "text": short, (format!("k{short}")): short }).to_string())
        })?;
        let texts = hostile_texts();
        let n_tests = write_hostile_run(&folder.join("out"), &texts, &server.url())?;
        let rendered = Restive::new(folder, ["render", "out", "--format", &all_forms()])?.run()?;
        ensure!(rendered.code == Some(0), "{}", rendered.stderr);
        for frame in Frame::ALL {
            if !available(frame.programs())? {
                continue;
            }
            passes_once(frame, folder, &format!("{}/{}", server.url(), frame.form()), n_tests)?;
            let calls = server.calls();
            let body = |name: &str| {
                let path = format!("/{}/text/{name}", frame.form());
                calls.iter().rfind(|call| call.path == path).map(|call| call.body.as_slice()).context(path)
            };
            for (idx, text) in texts.iter().enumerate() {
                let same = body(&idx.to_string())? == text.as_bytes();
                ensure!(same, "{frame:?}: {:?}", text.chars().take(50).collect::<String>());
            }
            ensure!(body("binary")? == b"\xff\xfe\x00\"\\\xed\xa0\x80", "{frame:?}");
        }
        let injected = server.calls().iter().any(|call| call.fields.iter().any(|field| field.starts_with("X-Injected")));
        ensure!(!injected, "a header field was injected");
        Ok(())
    })
}
