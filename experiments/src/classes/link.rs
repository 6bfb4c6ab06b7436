//! Links the classes of a corpus in a JVM, as they are and with probes, and compares the errors.

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

/// Writes a file and the folders above it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(path.parent().context("the file lies in a folder")?)?;
    fs::write(path, bytes)?;
    Ok(())
}

/// How many classes link, and how many only do without probes; the names of these go to standard error.
pub fn compare(corpus: &Corpus, jdk: &Path, probed: &Path, n_targets: u32) -> Result<String> {
    let work = tempfile::tempdir()?;
    run(Command::new(jdk.join("bin/javac")).arg("-d").arg(work.path()).arg(LINK_ALL))?;
    if corpus.has_modules {
        remove_loaded_at_start(corpus, jdk, work.path(), probed)?;
    }
    let names: Vec<_> = corpus.classes()?.into_iter().map(|class| class.name).collect();
    fs::write(work.path().join("names"), names.join("\n"))?;
    let plain = link(corpus, jdk, work.path(), None)?;
    let base = work.path().join("base");
    write_runtime(&base, n_targets)?;
    let with_probes = link(corpus, jdk, work.path(), Some(probed))?;
    let new: Vec<_> = with_probes.keys().filter(|name| !plain.contains_key(*name)).collect();
    for name in &new {
        eprintln!("{}: {name}: {}", corpus.name, with_probes[*name]);
    }
    let n_verify = new.iter().filter(|name| with_probes[**name].contains("VerifyError")).count();
    let n_linked = names.len() - with_probes.len();
    Ok(format!("{n_linked} ({} link only without probes, {n_verify} of them for a VerifyError)", new.len()))
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

/// The errors of linking, by the name of the class.
fn link(corpus: &Corpus, jdk: &Path, work: &Path, probed: Option<&Path>) -> Result<BTreeMap<String, String>> {
    let mut java = Command::new(jdk.join("bin/java"));
    java.args(["-Xverify:all", "-Xmx3g"]);
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
    java.arg("-cp").arg(std::env::join_paths(class_path)?).arg("LinkAll").arg(work.join("names")).arg(&errors);
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
