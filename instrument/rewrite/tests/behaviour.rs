//! Java programs with probes, really run: the same output as without, and each target as a comment of the source says.
//!
//! `//: then=0.5; 1:else=1; line=0; case 3=1; default=0.5; returns List.get=1` gives the closeness of targets of the line;
//! the number in front, 0 unless given, says which jump, switch or call of the line.

#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jdk::Jdk;
use restive_rewrite::{Outcome, Plan, ReplacementFamily, TargetTable, cell, rewrite, runtime};
use tempfile::TempDir;

const RUNTIME: &str = "restive/Probes";
const CAPACITY: u32 = 10_000;

fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(folder);
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the sources are there").map(|entry| entry.expect("listable").path()).collect();
    files.sort();
    files
}

/// The programs of `tests/java/targets`, compiled as they are and with probes.
struct Compiled<'j> {
    jdk: &'j Jdk,
    work: TempDir,
    targets: TargetTable,
}

impl<'j> Compiled<'j> {
    fn new(jdk: &'j Jdk, wanted: &Plan) -> Compiled<'j> {
        let work = tempfile::tempdir().expect("a folder can be made");
        let [tools, plain, probed] = ["tools", "plain", "probed"].map(|name| work.path().join(name));
        compile(jdk, &sources("link"), &tools, &tools);
        compile(jdk, &sources("targets"), &plain, &tools);
        let mut targets = TargetTable::with_capacity(CAPACITY);
        fs::create_dir_all(probed.join("restive")).expect("a folder can be made");
        for class in runtime::classes("restive/", CAPACITY) {
            fs::write(probed.join(class.internal_name + ".class"), class.bytes).expect("writable");
        }
        for path in jdk::class_files(&plain) {
            let bytes = fs::read(&path).expect("readable");
            let probed = probed.join(path.file_name().expect("a file has a name"));
            match rewrite(&bytes, wanted, &mut targets) {
                Outcome::Rewritten(rewritten) => fs::write(probed, rewritten.bytes).expect("writable"),
                Outcome::Unchanged(_) => fs::write(probed, bytes).expect("writable"),
            }
        }
        Compiled { jdk, work, targets }
    }

    /// What a program prints.
    fn output(&self, name: &str, kind: &str, options: &[&str]) -> String {
        let class_path = std::env::join_paths([self.work.path().join(kind), self.work.path().join("tools")]).expect("joinable");
        let mut java = self.jdk.program("java");
        java.args(options).arg("-cp").arg(class_path).args(["RunTarget", name]);
        let output = java.output().expect("java starts");
        assert!(output.status.success(), "{name} {kind}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Output of a program and, for each target by name, its closeness.
    fn run(&self, name: &str, kind: &str) -> (String, BTreeMap<String, f64>) {
        let output = self.output(name, kind, &["-Xverify:all"]);
        let (output, arrays) = output.split_once("----\n").expect("the program came to its end");
        let (mut marks, mut cells) = (vec![0; CAPACITY as usize], vec![0; CAPACITY as usize]);
        for line in arrays.lines() {
            let numbers: Vec<i32> = line.split(' ').map(|number| number.parse().expect("a number")).collect();
            let id = usize::try_from(numbers[0]).expect("an id");
            marks[id] = i16::try_from(numbers[1]).expect("a mark");
            cells[id] = numbers[2];
        }
        cell::merge(&marks, &mut cells);
        let targets = self.targets.names_since(0).map(|(id, name)| (name, cell::closeness(cells[id as usize])));
        (output.to_owned(), targets.collect())
    }
}

fn compile(jdk: &Jdk, sources: &[PathBuf], to: &Path, class_path: &Path) {
    let mut javac = jdk.program("javac");
    javac.args(["-g", "-nowarn", "-Xlint:-options", "-cp"]).arg(class_path).arg("-d").arg(to).args(sources);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What the comments of a source file expect: line, text of the expectation, name of the target, closeness.
fn expectations(class: &str, source: &str, targets: &BTreeMap<String, f64>) -> Vec<(usize, String, f64)> {
    let mut found = Vec::new();
    for (idx, line) in source.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//: ") else { continue };
        for part in comment.split("; ") {
            let (key, value) = part.rsplit_once('=').expect("an expectation has a value");
            let name = target_name(class, idx + 1, key, targets);
            found.push((idx + 1, name, value.trim().parse().expect("a closeness")));
        }
    }
    found
}

fn target_name(class: &str, line: usize, key: &str, targets: &BTreeMap<String, f64>) -> String {
    let (ordinal, key) = match key.split_once(':') {
        Some((ordinal, key)) if ordinal.parse::<usize>().is_ok() => (Some(ordinal), key),
        _ => (None, key),
    };
    let call = key.split_once(' ').filter(|(kind, _)| ["returns", "throws", "replace"].contains(kind));
    let (kind, rest) = match (key, call) {
        ("line", _) => return format!("line:{class}:{line}"),
        ("then" | "else", _) => ("branch", key),
        (_, Some(call)) => call,
        _ => ("switch", key),
    };
    if let Some(ordinal) = ordinal {
        return format!("{kind}:{class}:{line}:{ordinal}:{rest}");
    }
    // A call is found by its name where its number is not given.
    let (start, end) = (format!("{kind}:{class}:{line}:"), format!(":{rest}"));
    let found = targets.keys().find(|name| name.starts_with(&start) && name.ends_with(&end));
    found.cloned().unwrap_or(format!("{start}0{end}"))
}

#[test]
fn programs_with_probes_behave_alike_and_targets_are_as_the_sources_say() {
    for jdk in jdk::all_or_skip() {
        let compiled = Compiled::new(&jdk, &Plan::all(RUNTIME));
        let mut wrong = Vec::new();
        for path in sources("targets") {
            let class = path.file_stem().and_then(|stem| stem.to_str()).expect("a file has a name");
            let (plain_output, _) = compiled.run(class, "plain");
            let (output, targets) = compiled.run(class, "probed");
            assert_eq!(output, plain_output, "{class} on {}", jdk.version);
            for (line, name, expected) in expectations(class, &fs::read_to_string(&path).expect("readable"), &targets) {
                let found = targets.get(&name).copied();
                if !found.is_some_and(|found| (found - expected).abs() <= expected * 1e-4) {
                    wrong.push(format!("{class}.java:{line}: {name} is {found:?}, expected {expected}"));
                }
            }
        }
        assert!(wrong.is_empty(), "JDK {}:\n{}", jdk.version, wrong.join("\n"));
    }
}

/// What a compiler refuses is interpreted for as long as the service lives: twenty times as slow.
#[test]
fn the_quick_compiler_refuses_no_method_because_of_its_probes() {
    const OPTIONS: [&str; 4] =
        ["-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:+PrintCompilation", "-XX:CompileCommand=compileonly,Exceptions*::*"];
    for jdk in jdk::all_or_skip() {
        let compiled = Compiled::new(&jdk, &Plan::all(RUNTIME));
        for kind in ["plain", "probed"] {
            let output = compiled.output("Exceptions", kind, &OPTIONS);
            for method in ["::attempt", "::held", "::deep", "$Resource::use"] {
                let mut told = output.lines().filter(|line| line.contains(&format!("Exceptions{method} (")));
                assert!(told.clone().count() > 0, "{kind} {method} on {}: not compiled", jdk.version);
                assert_eq!(told.find(|line| line.contains("COMPILE SKIPPED")), None, "{kind} on {}", jdk.version);
            }
        }
    }
}

#[test]
fn each_kind_of_probe_works_alone() {
    let Some(jdk) = jdk::all_or_skip().into_iter().next() else { return };
    let none = Plan {
        lines: false,
        jumps: false,
        switches: false,
        calls: false,
        exits: false,
        exceptions: false,
        ends: false,
        flags: false,
        replacements: Vec::new(),
        ..Plan::all(RUNTIME)
    };
    let plans = [
        Plan { lines: true, ..none.clone() },
        Plan { jumps: true, ..none.clone() },
        Plan { switches: true, ..none.clone() },
        Plan { jumps: true, flags: true, ..none.clone() },
        Plan { replacements: ReplacementFamily::ALL.to_vec(), ..none.clone() },
        Plan { calls: true, ..none },
    ];
    for plan in plans {
        let compiled = Compiled::new(&jdk, &plan);
        let mut n_covered = 0;
        for class in ["Jumps", "References", "Switches", "Calls", "Flags", "Replacements", "Handles", "Indices"] {
            let (output, targets) = compiled.run(class, "probed");
            assert_eq!(output, compiled.run(class, "plain").0, "{class} {plan:?}");
            n_covered += targets.values().filter(|closeness| **closeness >= 1.0).count();
        }
        assert!(n_covered > 3, "{n_covered} {plan:?}");
    }
}

#[test]
fn runtime_classes_are_what_their_sources_compile_to() {
    let Some(jdk) = jdk::all_or_skip().into_iter().find(|jdk| jdk.version == 17) else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java");
    let files = || fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("listable").path());
    let sources = files().filter(|path| path.extension().is_some_and(|extension| extension == "java"));
    let work = tempfile::tempdir().expect("a folder can be made");
    let mut javac = jdk.program("javac");
    javac.args(["-Xlint:-options", "-g:none", "--release", "8", "-d"]).arg(work.path()).args(sources);
    assert!(javac.status().expect("javac starts").success());
    let named = |folder: &Path| -> Vec<_> {
        jdk::class_files(folder).iter().map(|path| path.file_name().expect("a file has a name").to_owned()).collect()
    };
    assert_eq!(named(work.path()), named(&folder), "one class file for each source");
    for name in named(&folder) {
        let [compiled, kept] = [work.path(), &folder].map(|folder| fs::read(folder.join(&name)).expect("readable"));
        assert!(compiled == kept, "compile instrument/java again, see its README: {}", name.display());
    }
}

#[test]
fn renamed_classes_verify_and_work_in_the_module_of_the_jdk() {
    for jdk in jdk::all_or_skip().into_iter().filter(|jdk| jdk.version > 8) {
        let work = tempfile::tempdir().expect("a folder can be made");
        let [tools, module] = ["tools", "module"].map(|name| work.path().join(name));
        compile(&jdk, &sources("link"), &tools, &tools);
        fs::create_dir_all(module.join("java/lang")).expect("a folder can be made");
        for class in runtime::classes("java/lang/Restive", CAPACITY) {
            fs::write(module.join(class.internal_name + ".class"), class.bytes).expect("writable");
        }
        let mut java = jdk.program("java");
        java.args(["-Xverify:all", "--patch-module"]).arg(format!("java.base={}", module.display()));
        let output = java.arg("-cp").arg(&tools).arg("InModule").output().expect("java starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(text, "1.0\n1.0\n63.0\n2.0\n1.0\n81.0\n1.0\n", "Java {}: {errors}", jdk.version);
    }
}
