//! `report.html` in a document without a browser (jsdom) and in Chromium: of a real run, of one whose texts are hostile, and
//! of one with a thousand operations and ten thousand tests.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_e2e::Restive;
use restive_e2e::large::large_results;
use restive_e2e::process::run;
use restive_e2e::toolchain::{available, npm_package};
use restive_e2e::work::in_work_folder;
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_mins(5);
const JSDOM: &str = "jsdom@26.1.0";
const PLAYWRIGHT: &str = "playwright-core@1.64.1";
/// Names of Chromium and of browsers made from it.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const HOSTILE: &str =
    "</script><script>window.pwned = 1</script><!-- \"'`${pwned=1}{{7*7}}\u{2028}\u{202e}\u{0}<img src=x onerror=pwned=1>";

/// A page with what is expected of it.
struct Page {
    html: PathBuf,
    expected: PathBuf,
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The results of a short run of the demo.
fn demo_results(folder: &Path) -> Result<Value> {
    let demo = Restive::new(folder, ["demo", "--budget", "3000 calls", "--rng-seed", "1", "--out", "demo"])?;
    demo.run()?;
    let text = fs::read_to_string(folder.join("demo/report.html")).context("every run writes the page")?;
    ensure!(text.contains("id=\"data\""), "the page holds its data");
    Ok(serde_json::from_slice(&fs::read(folder.join("demo/results.json"))?)?)
}

/// The same with a hostile text wherever a service has a say.
fn hostile_results(mut results: Value) -> Value {
    results["run"]["title"] = json!(HOSTILE);
    for finding in results["findings"].as_array_mut().into_iter().flatten() {
        for field in ["message", "title", "statement", "last_statement", "curl"] {
            finding[field] = json!(format!("{HOSTILE}:7"));
        }
        finding["requests"][0]["curl"] = json!(format!("curl {HOSTILE}"));
        finding["exceptions"] = json!([{ "kind": HOSTILE, "type": HOSTILE, "message": HOSTILE, "trace": [HOSTILE] }]);
    }
    for operation in results["operations"].as_array_mut().into_iter().flatten() {
        operation["discovered"] = json!(HOSTILE);
    }
    for call in results["tests"].as_array_mut().into_iter().flatten().filter_map(|test| test["calls"].get_mut(0)) {
        for field in ["url", "body", "request_body", "failure"] {
            call[field] = json!(HOSTILE);
        }
    }
    let class = json!({ "name": HOSTILE, "lines": counted(), "branches": counted(), "replacements": counted(), "reached_lines": "1-3" });
    results["coverage"]["driver"] = json!(HOSTILE);
    results["coverage"]["per_class"] = json!([class]);
    let file = json!({ "path": HOSTILE, "classes": [HOSTILE], "reached_lines": "1-3", "missed_lines": "7,9" });
    results["changes"] = json!({
        "since": HOSTILE, "operations": [HOSTILE], "calls": 7, "lines": counted(), "files": [file], "other_files": 1,
    });
    results
}

fn counted() -> Value {
    json!({ "covered": 1, "covered_at_boot": 0, "covered_in_background": 0, "total": 2 })
}

/// Has `restive report` make the page of `results`, and says what is to be seen on it.
fn made(folder: &Path, name: &str, results: &Value) -> Result<Page> {
    let out = folder.join(name);
    fs::create_dir_all(&out)?;
    fs::write(out.join("results.json"), results.to_string())?;
    let html = out.join("report.html");
    let path = html.to_str().context("the work folder is text")?;
    // Another place, so that a page is not taken for the one of the run.
    Restive::new(folder, ["report", name, "--write", path])?.run()?.success()?;
    let text = fs::read_to_string(&html)?;
    let expected = json!({
        "title": shown(&results["run"]["title"]),
        "sentence": sentence(&text)?,
        "faults": list(&results["findings"]).len(),
        "operations": list(&results["operations"]).len(),
        "tests": list(&results["tests"]).len(),
        "changed": list(&results["changes"]["files"]).len(),
        "lastTest": list(&results["tests"]).last().context("a test")?["name"],
    });
    let file = out.join("expected.json");
    fs::write(&file, expected.to_string())?;
    Ok(Page { html, expected: file })
}

/// A title as a page has it: characters that would be obeyed are shown by their number.
fn shown(title: &Value) -> String {
    let mut title = title.as_str().unwrap_or_default().trim().to_owned();
    for obeyed in ['\0', '\u{2028}', '\u{202e}'] {
        title = title.replace(obeyed, &obeyed.escape_unicode().to_string());
    }
    title
}

/// The verdict that stands in the page before its script runs.
fn sentence(page: &str) -> Result<&str> {
    let rest = page.split_once("<h1 id=\"verdict\">").context("a verdict")?.1;
    Ok(rest.split_once("</h1>").context("its end")?.0)
}

fn pages(folder: &Path) -> Result<Vec<Page>> {
    let demo = demo_results(folder)?;
    let large = large_results(1000, 10_000);
    let pages = vec![
        made(folder, "plain", &demo)?,
        made(folder, "hostile", &hostile_results(demo))?,
        made(folder, "small", &large_results(1, 1))?,
        made(folder, "large", &large)?,
    ];
    let size = fs::metadata(&pages[3].html)?.len();
    assert!(size < 10_000_000, "{size} bytes for 10,000 tests");
    Ok(pages)
}

/// Runs a script of `pages/` with npm packages below `modules`; each line that it prints is a problem.
fn assert_no_problems(folder: &Path, script: &str, modules: &Path, args: &[&Path]) -> Result<()> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages");
    let mut node = Command::new("node");
    node.arg(scripts.join(script)).args(args).env("NODE_PATH", modules.join("node_modules"));
    let finished = run(&mut node, folder, script, LIMIT)?.success()?;
    print!("{}", finished.stderr);
    assert_eq!(finished.stdout, "", "{script} {args:?}");
    Ok(())
}

/// The first browser that starts.
fn browser() -> Option<PathBuf> {
    let starts = |name: &&str| {
        let version =
            Command::new(name).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    let name = BROWSERS.into_iter().find(starts)?;
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[test]
fn pages_of_all_sizes_work_whatever_texts_they_show() -> Result<()> {
    in_work_folder("page", |folder| {
        if !available(&["node", "npm"])? {
            return Ok(());
        }
        let pages = pages(folder)?;
        let jsdom = npm_package("jsdom", JSDOM)?;
        for page in &pages {
            assert_no_problems(folder, "dom.js", &jsdom, &[&page.html, &page.expected])?;
        }
        let Some(browser) = browser() else {
            // No failure where `CI` is `true`: a browser is large, and what it sees beyond jsdom is layout and colours.
            writeln!(std::io::stderr(), "SKIPPED: the same pages in a browser, for none of {BROWSERS:?} is on the path")?;
            return Ok(());
        };
        let playwright = npm_package("playwright-core", PLAYWRIGHT)?;
        for page in &pages {
            assert_no_problems(folder, "browser.js", &playwright, &[&browser, &page.expected, &page.html])?;
        }
        Ok(())
    })
}

#[test]
fn a_folder_without_results_is_told() -> Result<()> {
    in_work_folder("page-bad-input", |folder| {
        fs::create_dir(folder.join("foreign"))?;
        fs::write(folder.join("foreign/results.json"), "{\"format_version\": 1, \"findi")?;
        fs::create_dir(folder.join("later"))?;
        fs::write(folder.join("later/results.json"), r#"{"format_version": 99, "restive_version": "9.9.9"}"#)?;
        for (out, message) in
            [("none", "there is no folder `none`"), ("foreign", "`foreign/results.json` is damaged"), ("later", "wanted 1")]
        {
            let finished = Restive::new(folder, ["report", out])?.run()?;
            assert_eq!(finished.code, Some(3), "{}", finished.stderr);
            assert!(finished.stderr.contains(message) && finished.stderr.contains("hint: "), "{}", finished.stderr);
            assert!(!folder.join(out).join("report.html").exists());
        }
        Ok(())
    })
}
