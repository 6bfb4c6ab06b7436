//! Links the classes of a corpus in a JVM, or compiles them, as they are and with probes, and compares the errors.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use restive_rewrite::runtime;

use super::RUNTIME;
use super::corpus::{Corpus, run};

/// The program that links, which the tests of the rewriter use too.
const LINK_ALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../instrument/rewrite/tests/java/link/LinkAll.java");

/// The program that compiles, and the class by which it asks for it.
const COMPILE_ALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/classes/java/CompileAll.java");
const WHITE_BOX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/classes/java/jdk/test/whitebox/WhiteBox.java");

/// A program that does something with each class.
struct Program {
    name: &'static str,
    options: &'static [&'static str],
    /// Whether it asks the JVM by the class for its tests.
    has_white_box: bool,
}

const LINK: Program = Program { name: "LinkAll", options: &["-Xverify:all", "-Xmx3g"], has_white_box: false };

/// As restive starts a service for a short run; what is compiled is waited for.
const COMPILE: Program = Program {
    name: "CompileAll",
    options: &[
        "-Xbatch",
        "-XX:TieredStopAtLevel=1",
        "-XX:-DontCompileHugeMethods",
        "-XX:ReservedCodeCacheSize=1g",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:+WhiteBoxAPI",
        "-Xmx3g",
    ],
    has_white_box: true,
};

/// Writes a file and the folders above it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(path.parent().context("the file lies in a folder")?)?;
    fs::write(path, bytes)?;
    Ok(())
}

/// How many classes link, and how many only do without probes; the names of these go to standard error.
pub fn compare(corpus: &Corpus, jdk: &Path, probed: &Path, n_targets: u32) -> Result<String> {
    let work = tempfile::tempdir()?;
    let names = prepare(corpus, jdk, work.path(), probed, n_targets)?;
    let Errors { all, new } = errors(corpus, jdk, work.path(), probed, &LINK)?;
    let n_verify = new.values().filter(|error| error.contains("VerifyError")).count();
    let n_linked = names - all;
    Ok(format!("{n_linked} ({} link only without probes, {n_verify} of them for a VerifyError)", new.len()))
}

/// How many methods the quick compiler refuses with probes, and how many only then; the names of these go to standard error.
pub fn compile(corpus: &Corpus, jdk: &Path, probed: &Path, n_targets: u32) -> Result<String> {
    let work = tempfile::tempdir()?;
    prepare(corpus, jdk, work.path(), probed, n_targets)?;
    let white_box = work.path().join("white-box");
    run(Command::new(jdk.join("bin/javac")).arg("-d").arg(&white_box).arg(WHITE_BOX))?;
    run(Command::new(jdk.join("bin/javac")).arg("-cp").arg(&white_box).arg("-d").arg(work.path()).arg(COMPILE_ALL))?;
    let Errors { all, new } = errors(corpus, jdk, work.path(), probed, &COMPILE)?;
    Ok(format!("{all} methods refused, {} only with probes", new.len()))
}

/// Lays out what the programs need; gives how many classes there are.
fn prepare(corpus: &Corpus, jdk: &Path, work: &Path, probed: &Path, n_targets: u32) -> Result<usize> {
    run(Command::new(jdk.join("bin/javac")).arg("-d").arg(work).arg(LINK_ALL))?;
    if corpus.has_modules {
        remove_loaded_at_start(corpus, jdk, work, probed)?;
    }
    let names: Vec<_> = corpus.classes()?.into_iter().map(|class| class.name).collect();
    fs::write(work.join("names"), names.join("\n"))?;
    write_runtime(&work.join("base"), n_targets)?;
    Ok(names.len())
}

/// What a program says of the classes with probes.
struct Errors {
    /// How many errors there are.
    all: usize,
    /// Those that there are not without probes.
    new: BTreeMap<String, String>,
}

fn errors(corpus: &Corpus, jdk: &Path, work: &Path, probed: &Path, program: &Program) -> Result<Errors> {
    let plain = told(corpus, jdk, work, None, program)?;
    let mut new = told(corpus, jdk, work, Some(probed), program)?;
    let all = new.len();
    new.retain(|name, _| !plain.contains_key(name));
    for (name, error) in &new {
        eprintln!("{}: {name}: {error}", corpus.name);
    }
    Ok(Errors { all, new })
}

/// Takes the probes away from classes that a JVM loads before it could define the runtime class, as an agent does.
fn remove_loaded_at_start(corpus: &Corpus, jdk: &Path, work: &Path, probed: &Path) -> Result<()> {
    let log = work.join("loaded");
    fs::write(work.join("names"), "")?;
    let mut java = Command::new(jdk.join("bin/java"));
    java.arg(format!("-Xlog:class+load:file={}:none", log.display())).arg("-Xshare:off").arg("-cp").arg(work);
    run(java.arg("LinkAll").arg(work.join("names")).arg(work.join("errors")))?;
    let log = fs::read_to_string(log)?;
    let loaded: BTreeSet<_> = log.lines().filter_map(|line| line.split(' ').next()).collect();
    for class in corpus.classes()? {
        let probed = probed.join(&class.file);
        if loaded.contains(class.name.as_str()) && probed.is_file() {
            fs::remove_file(probed)?;
        }
    }
    Ok(())
}

/// The errors that a program writes, by the name of what they are of.
fn told(
    corpus: &Corpus,
    jdk: &Path,
    work: &Path,
    probed: Option<&Path>,
    program: &Program,
) -> Result<BTreeMap<String, String>> {
    let mut java = Command::new(jdk.join("bin/java"));
    java.args(program.options);
    if program.has_white_box {
        java.arg(format!("-Xbootclasspath/a:{}", work.join("white-box").display()));
    }
    let mut class_path = vec![work.to_owned()];
    if corpus.has_modules {
        java.args(["--add-modules", "ALL-SYSTEM"]);
        for folder in probed.map(fs::read_dir).transpose()?.into_iter().flatten() {
            let folder = folder?.path();
            let module = folder.file_name().context("a folder has a name")?.to_string_lossy().into_owned();
            let base = if module == "java.base" { format!(":{}", work.join("base").display()) } else { String::new() };
            java.arg("--patch-module").arg(format!("{module}={}{base}", folder.display()));
        }
    } else {
        if let Some(probed) = probed {
            java.arg("--patch-module").arg(format!("java.base={}", work.join("base").display()));
            class_path.push(probed.to_owned());
        }
        class_path.push(corpus.folder().to_owned());
        class_path.extend(corpus.beside.iter().cloned());
    }
    let errors = work.join("errors");
    java.arg("-cp").arg(std::env::join_paths(class_path)?).arg(program.name).arg(work.join("names")).arg(&errors);
    run(&mut java)?;
    let errors = fs::read_to_string(errors)?;
    Ok(errors
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, error)| (name.to_owned(), error.to_owned()))
        .collect())
}

/// Writes the runtime classes with room for this many targets below the folder of a module.
pub fn write_runtime(base: &Path, n_targets: u32) -> Result<()> {
    for class in runtime::classes(RUNTIME.trim_end_matches("Probes"), n_targets.max(1)) {
        write(&base.join(format!("{}.class", class.internal_name)), &class.bytes)?;
    }
    Ok(())
}
