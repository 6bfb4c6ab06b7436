//! `suite/tests.json`: the language-neutral suite of a run, from which every form can be written again.
//!
//! [`save`] writes the file whole, [`load`] reads it back from an output folder. What is read is checked as far as
//! writers rely on it: names become identifiers, and whoever edited the file must not break out of code with them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::action::LinkSource;
use crate::report::{StoredError, WriteError, read_stored, write_file};

use super::model::{Piece, TestCall, TestCase, TestSuite};
use super::naming::fold;

/// Version of the file; it grows when an older restive could not read it any more, or read it wrongly.
const FORMAT_VERSION: u32 = 1;

/// Name of the file below the output folder.
pub const TESTS_FILE: &str = "suite/tests.json";

/// Longest name of a test or a variable.
const MAX_NAME: usize = 200;

/// The head of the file; the suite's own fields stand beside it.
#[derive(Serialize)]
struct Saved<'a> {
    format_version: u32,
    restive_version: &'static str,
    #[serde(flatten)]
    suite: &'a TestSuite,
}

/// Writes `suite` below the output folder `out`; equal suites give equal bytes, and a crash never leaves half a file.
///
/// # Panics
/// Never: suites have text keys and finite numbers.
pub fn save(suite: &TestSuite, out: &Path) -> Result<(), WriteError> {
    let saved = Saved { format_version: FORMAT_VERSION, restive_version: env!("CARGO_PKG_VERSION"), suite };
    let text = serde_json::to_string_pretty(&saved).expect("suites have text keys and finite numbers");
    let path = out.join(TESTS_FILE);
    let folder = path.parent().unwrap_or(out);
    fs::create_dir_all(folder).map_err(|source| WriteError::Disk { path: folder.to_owned(), source })?;
    write_file(&path, (text + "\n").as_bytes())
}

/// Reads the suite of the output folder `out`.
pub fn load(out: &Path) -> Result<TestSuite, StoredError> {
    let value = read_stored(out, TESTS_FILE, FORMAT_VERSION)?;
    let damaged = |reason: String| StoredError::damaged(out, TESTS_FILE, reason);
    let suite: TestSuite = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
    match flaw(&suite) {
        Some(reason) => Err(damaged(reason)),
        None => Ok(suite),
    }
}

/// What a writer could not rely on, if there is anything.
fn flaw(suite: &TestSuite) -> Option<String> {
    let mut names = BTreeSet::new();
    for test in &suite.tests {
        if !is_name(&test.name) {
            return Some(format!("`{}` is no name of a test", test.name));
        }
        if !names.insert(fold(&test.name)) {
            return Some(format!("two tests have the name `{}`", test.name));
        }
        if let Some(reason) = flaw_of_test(test) {
            return Some(format!("{reason} in the test `{}`", test.name));
        }
    }
    let users: BTreeSet<&String> = suite.users.iter().map(|user| &user.name).collect();
    let mut calls = suite.tests.iter().flat_map(|test| &test.calls);
    if let Some(user) = calls.find_map(|call| call.user.as_ref().filter(|user| !users.contains(user))) {
        return Some(format!("the user `{user}` has no variable"));
    }
    let is_variable = |name: &str| is_name(&name.to_ascii_lowercase()) && *name == name.to_ascii_uppercase();
    let user = suite.users.iter().find(|user| !is_variable(&user.variable))?;
    Some(format!("`{}` is no name of an environment variable", user.variable))
}

fn flaw_of_test(test: &TestCase) -> Option<String> {
    let mut captured: BTreeSet<&str> = BTreeSet::new();
    for call in &test.calls {
        for fresh in &call.fresh {
            if !is_name(&fresh.name) || !captured.insert(fresh.name.as_str()) || !fresh.seen.is_string() {
                return Some(format!("`{}` is no new name of a variable with a text", fresh.name));
            }
        }
        if let Some(name) = used(call).find(|name| !captured.contains(name)) {
            return Some(format!("no earlier call captures `{name}`"));
        }
        for capture in &call.captures {
            if !is_name(&capture.name) || !captured.insert(capture.name.as_str()) {
                return Some(format!("`{}` is no new name of a variable", capture.name));
            }
        }
        let is_token = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':');
        if let Some((name, _)) = call.headers.iter().find(|(name, _)| !is_token(name)) {
            return Some(format!("`{name}` is no name of a header field"));
        }
    }
    None
}

/// Names of the captured values that a request is made with.
fn used(call: &TestCall) -> impl Iterator<Item = &str> {
    call.pieces().filter_map(|piece| if let Piece::Captured { name, .. } = piece { Some(name.as_str()) } else { None })
}

/// Whether `name` is in snake case and has a `_`: an identifier in every language, and no keyword of one.
fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.trim_end_matches('_').contains('_')
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|character| matches!(character, 'a'..='z' | '0'..='9' | '_'))
}

/// How [`LinkSource`] stands in the file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "LinkSource", rename_all = "snake_case")]
pub(super) enum LinkSourceForm {
    Body(String),
    Header(String),
    Cookie(String),
    LocationSegment,
    Segment(String, usize),
}

/// Verbs as their names.
pub(super) mod verb_form {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::api::Verb;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
    pub fn serialize<S: Serializer>(verb: &Verb, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(verb.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Verb, D::Error> {
        let name = String::deserialize(deserializer)?;
        Verb::from_name(&name).ok_or_else(|| D::Error::custom(format!("`{name}` is no verb")))
    }
}

/// Bytes as Base64.
pub(super) mod bytes_form {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::report::RESULTS_FILE;
    use crate::suite::sample;

    fn saved(suite: &TestSuite) -> (tempfile::TempDir, String) {
        let out = tempfile::tempdir().expect("a temporary folder");
        save(suite, out.path()).expect("a writable folder");
        let text = fs::read_to_string(out.path().join(TESTS_FILE)).expect("written");
        (out, text)
    }

    /// What [`load`] says of the sample's file after `change`.
    fn changed(change: impl FnOnce(&mut Value)) -> String {
        let (out, text) = saved(&sample::suite());
        let mut value = serde_json::from_str(&text).expect("JSON");
        change(&mut value);
        fs::write(out.path().join(TESTS_FILE), value.to_string()).expect("writable");
        load(out.path()).expect_err("changed").to_string()
    }

    #[test]
    fn what_was_saved_is_read_back_and_saved_alike() {
        let suite = sample::suite();
        let (out, text) = saved(&suite);
        let read = load(out.path()).expect("just saved");
        assert_eq!(read, suite);
        assert_eq!(saved(&read).1, text);
        assert_eq!(fs::read_dir(out.path().join("suite")).expect("a folder").count(), 1, "no draft");
    }

    #[test]
    fn every_place_that_is_no_finished_run_has_its_error_and_hint() {
        let out = tempfile::tempdir().expect("a temporary folder");
        let fails = |with: &str| {
            let error = load(out.path()).expect_err("nothing to read");
            assert!(error.to_string().contains(with) && !error.hint().is_empty(), "{error}");
        };
        assert!(matches!(load(&out.path().join("none")), Err(StoredError::NoFolder { .. })));
        fails("holds no results");
        fs::write(out.path().join(RESULTS_FILE), "{}").expect("writable");
        fails("is missing beside");
        save(&sample::suite(), out.path()).expect("writable");
        let path = out.path().join(TESTS_FILE);
        let text = fs::read_to_string(&path).expect("written");
        fs::write(&path, &text[..text.len() / 2]).expect("writable");
        fails("is damaged: EOF");
        fs::write(&path, b"\xff\x00").expect("writable");
        fails("is damaged");
        fs::write(&path, "[1]").expect("writable");
        fails("no `format_version`");
        fs::remove_file(&path).expect("our own file");
        fs::create_dir(&path).expect("writable");
        fails("cannot read");
    }

    #[test]
    fn another_format_version_is_told_with_who_wrote_it() {
        let error = changed(|value| {
            value["format_version"] = json!(2);
            value["restive_version"] = json!("9.9.9");
        });
        assert!(error.contains("has format version 2, wanted 1; restive 9.9.9 wrote it"), "{error}");
    }

    #[test]
    fn names_that_would_be_code_are_refused() {
        type Change = fn(&mut Value);
        let changes: [(Change, &str); 12] = [
            (|value| value["tests"][0]["name"] = json!("a(): import os"), "no name of a test"),
            (|value| value["tests"][0]["name"] = json!("class"), "no name of a test"),
            (|value| value["tests"][0]["name"] = json!("post_move_returns_3_02"), "two tests"),
            (|value| value["tests"][0]["name"] = value["tests"][1]["name"].clone(), "two tests"),
            (|value| value["tests"][0]["calls"][0]["captures"][0]["name"] = json!("x;y"), "no new name of a variable"),
            (|value| value["tests"][2]["calls"][0]["fresh"][0]["name"] = json!("x y"), "no new name of a variable"),
            (|value| value["tests"][2]["calls"][0]["fresh"][0]["seen"] = json!(7), "no new name of a variable with a text"),
            (|value| value["tests"][0]["calls"][1]["url"][1]["captured"]["name"] = json!("other"), "no earlier call"),
            (|value| value["tests"][1]["calls"][1]["user"] = json!("bob"), "the user `bob`"),
            (|value| value["users"][0]["variable"] = json!("$(x)"), "no name of an environment variable"),
            (|value| value["tests"][0]["calls"][0]["headers"][0][0] = json!("a: b\r\nc"), "no name of a header field"),
            (|value| value["tests"][0]["calls"][0]["verb"] = json!("EAT"), "`EAT` is no verb"),
        ];
        for (change, expected) in changes {
            let error = changed(change);
            assert!(error.contains("is damaged") && error.contains(expected), "{error}");
        }
    }
}
