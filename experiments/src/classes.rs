//! How the class-file library and the rewriter do on large corpora: whole JDKs and jars from Maven Central.
//!
//! Each class is patched with nothing and compared, then gets all probes; then all are linked under `-Xverify:all`, and the
//! errors compared with those of the classes as they are.

pub(crate) mod corpus;
mod javac;
mod link;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use restive_classfile::{ClassFile, Edit, Instruction, Patcher};
use restive_rewrite::{Outcome, Plan, Rewritten, TargetTable, rewrite};

use corpus::Corpus;

/// Jars in which the compilers of Kotlin, Scala, Groovy and Clojure, and Spring, show what they write.
const JARS: [&str; 21] = [
    "org.jetbrains.kotlin:kotlin-compiler-embeddable:2.0.21",
    "org.jetbrains.kotlin:kotlin-stdlib:2.0.21",
    "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.9.0",
    "org.scala-lang:scala-library:2.13.15",
    "org.scala-lang:scala-compiler:2.13.15",
    "org.scala-lang:scala-reflect:2.13.15",
    "org.scala-lang:scala3-compiler_3:3.3.4",
    "org.scala-lang:scala3-library_3:3.3.4",
    "org.scala-lang:tasty-core_3:3.3.4",
    "org.scala-lang:scala3-interfaces:3.3.4",
    "org.apache.groovy:groovy:4.0.24",
    "org.codehaus.groovy:groovy-all:2.4.21",
    "org.clojure:clojure:1.12.0",
    "org.springframework:spring-core:6.2.1",
    "org.springframework:spring-beans:6.2.1",
    "org.springframework:spring-context:6.2.1",
    "org.springframework:spring-web:6.2.1",
    "org.springframework:spring-aop:6.2.1",
    "org.springframework:spring-expression:6.2.1",
    "org.springframework:spring-jcl:6.2.1",
    "org.springframework:spring-webmvc:5.3.39",
];

/// The name that the runtime class has in a service.
pub(crate) const RUNTIME: &str = "java/lang/RestiveProbes";

/// Arguments of the class corpora.
#[derive(Args)]
pub struct ClassesArguments {
    /// Folders of JDKs whose modules are a corpus each; the last one links the jars
    #[arg(long, required = true, value_delimiter = ',')]
    jdk: Vec<PathBuf>,
    /// Leave the jars from Maven Central out
    #[arg(long)]
    no_jars: bool,
    /// More jars
    #[arg(long)]
    jar: Vec<PathBuf>,
    /// Instead of all this, compile the Java sources below this folder by a javac without and with probes
    #[arg(long)]
    javac: Option<PathBuf>,
    /// How often each variant of javac compiles them
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// What a JVM does with the classes that were rewritten
    #[arg(long, value_enum, default_value = "link")]
    check: Check,
    /// Print the name of each class that is left as it was, and of each method with fewer probes
    #[arg(long)]
    verbose: bool,
}

/// What a JVM does with rewritten classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Check {
    /// Nothing
    None,
    /// It links them
    Link,
    /// It links them, and its quick compiler compiles each method (Java 19 or newer)
    Compile,
}

/// What came out for one corpus.
#[derive(Default)]
struct Tally {
    n_classes: usize,
    n_bytes: usize,
    n_identical: usize,
    identity_time: Duration,
    n_rewritten: usize,
    n_bytes_rewritten: usize,
    rewrite_time: Duration,
    unchanged: BTreeMap<String, usize>,
    degraded: BTreeMap<String, usize>,
}

/// Runs all corpora and prints a table row for each.
pub fn run(arguments: &ClassesArguments) -> Result<()> {
    if let Some(sources) = &arguments.javac {
        return arguments.jdk.iter().try_for_each(|jdk| javac::compare(jdk, sources, arguments.rounds));
    }
    println!(
        "corpus | classes | MB | identical | MB/s | with probes | targets | growth | MB/s | unchanged | fewer probes | linked"
    );
    for jdk in &arguments.jdk {
        one_corpus(&Corpus::of_jdk(jdk)?, jdk, arguments)?;
    }
    let linking_jdk = arguments.jdk.last().context("at least one JDK is required")?;
    let mut jars = arguments.jar.clone();
    if !arguments.no_jars {
        for artifact in JARS {
            jars.push(restive_e2e::toolchain::maven_artifact(artifact)?);
        }
    }
    for jar in &jars {
        one_corpus(&Corpus::of_jar(jar, &jars, linking_jdk)?, linking_jdk, arguments)?;
    }
    Ok(())
}

fn one_corpus(corpus: &Corpus, jdk: &std::path::Path, arguments: &ClassesArguments) -> Result<()> {
    let mut targets = TargetTable::with_capacity(1 << 23);
    let mut tally = Tally::default();
    let probed = tempfile::tempdir()?;
    for class in corpus.classes()? {
        let bytes = std::fs::read(corpus.folder().join(&class.file))?;
        tally.identity(&bytes, &class.name);
        if class.may_have_probes {
            if let Some(rewritten) = tally.rewrite(&bytes, &mut targets, arguments.verbose) {
                link::write(&probed.path().join(&class.file), &rewritten.bytes)?;
            }
        } else {
            tally.unchanged_because("belongs to java.lang");
        }
    }
    let linked = match arguments.check {
        Check::None => "-".to_owned(),
        Check::Link | Check::Compile => link::compare(corpus, jdk, probed.path(), targets.len())?,
    };
    tally.print(&corpus.name, targets.len(), &linked);
    if arguments.check == Check::Compile {
        println!("{}: {}", corpus.name, link::compile(corpus, jdk, probed.path(), targets.len())?);
    }
    Ok(())
}

impl Tally {
    /// Patches with nothing and compares.
    fn identity(&mut self, bytes: &[u8], name: &str) {
        self.n_classes += 1;
        self.n_bytes += bytes.len();
        let start = Instant::now();
        let same = patched_with_nothing(bytes);
        self.identity_time += start.elapsed();
        match same {
            Ok(same) if same == bytes => self.n_identical += 1,
            Ok(_) => eprintln!("not identical: {name}"),
            Err(error) => eprintln!("not patched: {name}: {error}"),
        }
    }

    fn rewrite(&mut self, bytes: &[u8], targets: &mut TargetTable, verbose: bool) -> Option<Rewritten> {
        let plan = Plan::all(RUNTIME);
        let start = Instant::now();
        let outcome = rewrite(bytes, &plan, targets);
        self.rewrite_time += start.elapsed();
        match outcome {
            Outcome::Rewritten(rewritten) => {
                self.n_rewritten += 1;
                self.n_bytes_rewritten += rewritten.bytes.len();
                for degraded in &rewritten.degraded {
                    *self.degraded.entry(format!("{:?}", degraded.level)).or_default() += 1;
                    if verbose {
                        eprintln!("{:?}: {} {} ({})", degraded.level, rewritten.class_name, degraded.method, degraded.reason);
                    }
                }
                Some(rewritten)
            }
            Outcome::Unchanged(unchanged) => {
                self.n_bytes_rewritten += bytes.len();
                self.unchanged_because(&unchanged.reason.to_string());
                None
            }
        }
    }

    fn unchanged_because(&mut self, reason: &str) {
        *self.unchanged.entry(reason.to_owned()).or_default() += 1;
    }

    fn print(&self, name: &str, n_targets: u32, linked: &str) {
        let megabytes = self.n_bytes as f64 / 1e6;
        let rate = |time: Duration| megabytes / time.as_secs_f64().max(1e-9);
        println!(
            "{name} | {} | {megabytes:.1} | {} | {:.0} | {} | {n_targets} | {:.2} | {:.0} | {} | {} | {linked}",
            self.n_classes,
            self.n_identical,
            rate(self.identity_time),
            self.n_rewritten,
            self.n_bytes_rewritten as f64 / (self.n_bytes as f64).max(1.0),
            rate(self.rewrite_time),
            counts(&self.unchanged),
            counts(&self.degraded),
        );
    }
}

fn counts(counts: &BTreeMap<String, usize>) -> String {
    let parts: Vec<_> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    if parts.is_empty() { "0".to_owned() } else { parts.join(", ") }
}

fn patched_with_nothing(bytes: &[u8]) -> restive_classfile::Result<Vec<u8>> {
    let class = ClassFile::read(bytes)?;
    let mut patcher = Patcher::new(&class);
    for method in &class.methods {
        if let Some(code) = class.code(method)? {
            patcher.patch(&code, &mut |_: &Instruction<'_>, _: &mut _, _: &mut Edit| Ok(()))?;
        }
    }
    patcher.finish()
}
