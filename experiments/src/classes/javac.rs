//! javac with probes in all its classes: what it compiles must be byte-equal, and how much slower it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use restive_rewrite::{Outcome, Plan, TargetTable, rewrite};

use super::RUNTIME;
use super::corpus::{Corpus, collect, run};
use super::link::{write, write_runtime};

/// The module that javac lies in.
const MODULE: &str = "jdk.compiler";

/// What one compilation took.
struct Took {
    processor: Duration,
    wall: Duration,
}

/// Which probes javac has; the first is the plain one.
fn variants() -> Vec<(&'static str, Option<Plan>)> {
    // javac ends its JVM itself, as it should.
    let all = Plan { exits: false, ..Plan::all(RUNTIME) };
    let measured = Plan { tracking: false, inputs: false, ..all.clone() };
    let base = Plan { replacements: Vec::new(), flags: false, ..measured.clone() };
    let lines = Plan { jumps: false, switches: false, calls: false, ..base.clone() };
    vec![
        ("none", None),
        ("lines", Some(lines)),
        ("all but library calls and booleans", Some(base)),
        ("all but tracking and inputs", Some(measured)),
        ("all", Some(all)),
    ]
}

/// Compiles a source tree with each variant in turn, `n_rounds` times, and prints the time of its processors and by the clock, and whether
/// the classes are equal.
pub fn compare(jdk: &Path, sources: &Path, n_rounds: usize) -> Result<()> {
    let corpus = Corpus::of_jdk(jdk)?;
    let work = tempfile::tempdir()?;
    let mut files = Vec::new();
    collect(sources, "java", &mut files)?;
    files.sort();
    let list: Vec<_> = files.iter().map(|file| format!("\"{}\"\n", file.display())).collect();
    fs::write(work.path().join("sources"), list.concat())?;
    let variants = variants();
    for (name, plan) in &variants {
        prepare(&corpus, plan.as_ref(), &work.path().join(name))?;
    }
    let mut times: Vec<Vec<Took>> = variants.iter().map(|_| Vec::new()).collect();
    let mut plain = BTreeMap::new();
    for round in 0..n_rounds {
        for (idx, (name, _)) in variants.iter().enumerate() {
            let out = work.path().join(format!("out-{name}-{round}"));
            times[idx].push(compile(jdk, &work.path().join(name), &work.path().join("sources"), &out)?);
            let compiled = contents(&out)?;
            if idx == 0 {
                plain = compiled;
            } else if compiled != plain {
                println!("{name}: what it compiles DIFFERS");
            }
        }
    }
    println!("{} classes of {} sources", plain.len(), files.len());
    for (idx, (name, _)) in variants.iter().enumerate() {
        let [processor, wall] = [|took: &Took| took.processor, |took: &Took| took.wall].map(|what| {
            let (own, base) = (median(&times[idx], what), median(&times[0], what));
            format!("{own:.1} s, {:.2} of plain", own / base)
        });
        println!("{name}: processors {processor}; by the clock {wall}");
    }
    Ok(())
}

/// Writes the module with these probes, and a base with the runtime class, so that both are loaded alike without probes.
fn prepare(corpus: &Corpus, plan: Option<&Plan>, to: &Path) -> Result<()> {
    let mut targets = TargetTable::with_capacity(1 << 20);
    for class in corpus.classes()?.iter().filter(|class| class.file.starts_with(MODULE)) {
        let bytes = fs::read(corpus.folder().join(&class.file))?;
        let bytes = match plan.map(|plan| rewrite(&bytes, plan, &mut targets)) {
            Some(Outcome::Rewritten(rewritten)) => rewritten.bytes,
            _ => bytes,
        };
        write(&to.join(&class.file), &bytes)?;
    }
    write_runtime(&to.join("base"), targets.len())
}

fn compile(jdk: &Path, variant: &Path, sources: &Path, out: &Path) -> Result<Took> {
    // The shell says at its end how much its children used (POSIX, `times`).
    let mut java = Command::new("sh");
    java.args(["-c", "\"$@\" >&2 && times", "sh"]).arg(jdk.join("bin/java"));
    // As restive starts a service.
    java.arg("-XX:-DontCompileHugeMethods");
    java.arg("--patch-module").arg(format!("java.base={}", variant.join("base").display()));
    java.arg("--patch-module").arg(format!("{MODULE}={}", variant.join(MODULE).display()));
    java.args(["-m", &format!("{MODULE}/com.sun.tools.javac.Main"), "-nowarn", "-proc:none", "-d"]).arg(out);
    java.arg(format!("@{}", sources.display()));
    let begin = Instant::now();
    let times = run(&mut java)?;
    let wall = begin.elapsed();
    let children = times.lines().nth(1).context("`times` prints two lines")?;
    let processor = children.split(' ').map(minutes_and_seconds).sum::<Option<Duration>>();
    Ok(Took { processor: processor.context("`times` prints minutes and seconds")?, wall })
}

/// The time in `1m2.34s`.
fn minutes_and_seconds(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.trim_end_matches('s').split_once('m')?;
    Some(Duration::from_secs(60 * minutes.parse::<u64>().ok()?) + Duration::from_secs_f64(seconds.parse().ok()?))
}

fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = Vec::new();
    collect(folder, "class", &mut files)?;
    let read = |file: PathBuf| Ok((file.strip_prefix(folder)?.to_owned(), fs::read(&file).context("readable")?));
    files.into_iter().map(read).collect()
}

/// The median in seconds.
fn median(took: &[Took], what: fn(&Took) -> Duration) -> f64 {
    let mut times: Vec<_> = took.iter().map(what).collect();
    times.sort_unstable();
    times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64)
}
