//! Hooks for tracked values: classes with them verify, do what they did, and tell what is done with values, on each JDK.

#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;

use std::fs;
use std::path::{Path, PathBuf};

use jdk::Jdk;
use restive_rewrite::PART;
use restive_rewrite::{Outcome, Plan, ReplacementFamily, TargetTable, Usage, rewrite, runtime, track};

/// A use, what is told of it, and whether in a library as well.
type Use = (&'static str, &'static [(Usage, &'static str)], bool);

/// Uses of a part of the text.
const PARTS: [&str; 4] = ["region", "piece", "pieceIn", "pieceOf"];

/// Uses of a key that was sent for what is looked up beside it to be told.
const PROBED: &str = "tree";

/// Each use of `tests/java/tracking/Uses.java`, and what is told of it: in the service, and whether in a library as well.
const USES: [Use; 46] = [
    ("equals", &[(Usage::Equals, "parrot")], true),
    ("turned", &[(Usage::Equals, "parrot")], true),
    ("objects", &[(Usage::Equals, "heron")], true),
    ("same", &[], true),
    ("null", &[], true),
    ("other", &[], true),
    ("compareTo", &[(Usage::Equals, "quail")], true),
    ("case", &[(Usage::EqualsIgnoreCase, "Ostrich")], true),
    ("begin", &[(Usage::StartsWith, "lynx")], true),
    // What is no word is looked for by libraries in every text.
    ("beginMark", &[(Usage::StartsWith, "#{")], false),
    ("end", &[(Usage::EndsWith, "hare")], false),
    ("part", &[(Usage::Contains, "newt"), (Usage::Contains, "moth")], false),
    ("list", &[(Usage::Equals, "walrus"), (Usage::Equals, "tapir")], false),
    ("set", &[(Usage::Equals, "tapir"), (Usage::Equals, "walrus")], false),
    ("inMap", &[(Usage::Equals, "zebra")], false),
    ("default", &[(Usage::Equals, "zebra")], false),
    ("switch", &[(Usage::Equals, "gnu"), (Usage::Equals, "yak")], false),
    ("enum", &[(Usage::Equals, "OCHRE"), (Usage::Equals, "INDIGO")], true),
    ("matches", &[(Usage::Matches, "[a-f]{3}")], true),
    ("static", &[(Usage::Matches, "[a-f]+")], true),
    ("matcher", &[(Usage::Matches, "(?is)x.y")], true),
    ("find", &[(Usage::Find, "x[0-9]y")], true),
    ("boolean", &[(Usage::Boolean, "")], true),
    ("int", &[(Usage::Integer, "")], true),
    ("radix", &[(Usage::Integer, "")], true),
    ("decimal", &[(Usage::Number, "")], true),
    ("date", &[(Usage::Date, "")], true),
    ("formatter", &[(Usage::Matches, "")], true),
    ("format", &[(Usage::Matches, "")], true),
    ("uuid", &[(Usage::Uuid, "")], true),
    ("base64", &[(Usage::Base64, "")], true),
    ("split", &[(Usage::Split, " ")], false),
    ("splitting", &[(Usage::Split, "[ ,]")], false),
    ("url", &[(Usage::UrlDecoded, "")], false),
    ("char", &[(Usage::Contains, "#")], false),
    ("region", &[(Usage::EqualsIgnoreCase, "VOLE")], false),
    ("short", &[(Usage::Contains, "a vole")], false),
    ("piece", &[(Usage::Equals, "moth")], false),
    ("pieceIn", &[(Usage::Equals, "tapir"), (Usage::Equals, "walrus")], false),
    ("pieceOf", &[(Usage::Matches, "[a-f]+")], false),
    ("holding", &[(Usage::Equals, "moth")], false),
    ("holdingKey", &[(Usage::Equals, "ra")], false),
    ("holdingOther", &[], false),
    ("holdingIn", &[(Usage::Contains, "moth")], false),
    // A text that stands in quotes can have none.
    ("holdingQuoted", &[], false),
    ("tree", &[(Usage::Equals, "beside"), (Usage::Equals, "other")], true),
];

fn compile(jdk: &Jdk, to: &Path) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/tracking");
    let sources: Vec<PathBuf> =
        fs::read_dir(sources).expect("the sources are there").map(|entry| entry.expect("listable").path()).collect();
    let mut javac = jdk.program("javac");
    javac.args(["-g", "-nowarn", "-Xlint:-options", "-cp"]).arg(to).arg("-d").arg(to).args(sources);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn run(jdk: &Jdk, classes: &Path) -> String {
    let mut java = jdk.program("java");
    if jdk.version > 8 {
        // In the JDK's own module they may see what a matcher looks at.
        java.args(["--add-opens", "java.base/java.util.regex=ALL-UNNAMED", "--add-opens", "java.base/java.util=ALL-UNNAMED"]);
    }
    java.args(["-Xverify:all", "-cp"]).arg(classes).arg("tracked.Main").args(USES.map(|(name, ..)| name));
    let output = java.output().expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")
}

/// What each use gave, and what was told of it.
fn told(output: &str) -> Vec<(String, Vec<String>)> {
    let mut uses: Vec<(String, Vec<String>)> = Vec::new();
    for line in output.lines() {
        match (line.strip_prefix("  "), uses.last_mut()) {
            (Some(hint), Some((_, hints))) => hints.push(hint.to_owned()),
            _ => uses.push((line.to_owned(), Vec::new())),
        }
    }
    uses
}

fn check(plain: &str, output: &str, is_library: bool) {
    let (plain, uses) = (told(plain), told(output));
    assert!(plain.iter().all(|(_, hints)| hints.is_empty()) && !output.contains("DIFFERS"), "{output}");
    assert_eq!(uses.len(), USES.len(), "{output}");
    for (((use_of, hints), (before, _)), (name, expected, everywhere)) in uses.iter().zip(&plain).zip(USES) {
        assert_eq!(use_of, before, "the use does what it did");
        let expected = if is_library && !everywhere { &[] } else { expected };
        assert_eq!(hints.len(), expected.len(), "{name}: {hints:?}");
        for (hint, (usage, operand)) in hints.iter().zip(expected) {
            let (head, told) = hint.split_once(": ").expect("a colon");
            let (part, text) = match name {
                PROBED => (0, "restive-key:/a"),
                _ if PARTS.contains(&name) => (i32::from(PART), ""),
                _ => (0, "tracked value"),
            };
            assert!(head.starts_with(&format!("{} {text}", usage.number() + part)), "{name}: {head}");
            // What a formatter reads depends on the version of Java.
            let is_told = if name.starts_with("format") { !told.is_empty() } else { told == *operand };
            assert!(is_told, "{name}: {told}");
        }
    }
}

#[test]
fn uses_are_told_and_stay_as_they_were() {
    for jdk in jdk::all_or_skip() {
        let work = tempfile::tempdir().expect("a folder can be made");
        let classes = work.path().join("classes");
        fs::create_dir_all(classes.join("restive")).expect("a folder can be made");
        for class in runtime::classes("restive/", 10_000) {
            fs::write(classes.join(class.internal_name + ".class"), class.bytes).expect("writable");
        }
        compile(&jdk, &classes);
        let plain = run(&jdk, &classes);
        // It is of a library in either case.
        let tree = classes.join("a/org/json/JSONObject.class");
        let hooked = track(&fs::read(&tree).expect("readable"), "restive/Probes");
        fs::write(&tree, hooked.expect("there is room").expect("it asks its map")).expect("writable");
        let is_use = |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("Uses"));
        let files = jdk::class_files(&classes).into_iter().filter(is_use);
        let originals: Vec<_> = files.map(|file| (file.clone(), fs::read(&file).expect("readable"))).collect();
        assert_eq!(originals.len(), 2, "the uses and their enum");
        for (file, bytes) in &originals {
            let hooked = track(bytes, "restive/Probes").expect("there is room").expect("it calls what is tracked");
            fs::write(file, hooked).expect("writable");
        }
        check(&plain, &run(&jdk, &classes), true);
        for replacements in [ReplacementFamily::ALL.to_vec(), Vec::new()] {
            let mut targets = TargetTable::with_capacity(10_000);
            for (file, bytes) in &originals {
                let probes = Plan { replacements: replacements.clone(), ..Plan::all("restive/Probes") };
                let Outcome::Rewritten(rewritten) = rewrite(bytes, &probes, &mut targets) else {
                    panic!("it can be rewritten")
                };
                fs::write(file, rewritten.bytes).expect("writable");
            }
            check(&plain, &run(&jdk, &classes), false);
        }
    }
}

#[test]
fn classes_that_call_nothing_stay_and_damaged_ones_are_named() {
    let ranges = &runtime::classes("restive/", 1)[0];
    assert_eq!((track(&ranges.bytes, "restive/Probes"), ranges.internal_name.as_str()), (Ok(None), "restive/Ranges"));
    assert!(track(b"no class", "restive/Probes").is_err());
}
