//! Unit tests of libraries as oracle: with all classes measured as a service's the same tests pass and fail as without.
//!
//! A library and its tests, both from Maven Central, run three times: twice as they are, which tells the tests whose outcome
//! is chance, and once with the agent, all probes and library calls, under `-Xverify:all`. No core is there: the agent waits.

mod outcomes;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use restive_e2e::process::run as run_process;
use restive_e2e::toolchain::{java_from, maven_libraries};
use restive_e2e::work::files;
use restive_rewrite::{Outcome, Plan, Reason, TargetTable, rewrite};

use crate::classes::RUNTIME;
use crate::classes::corpus::Corpus;
use outcomes::{Compared, Outcomes};

/// What runs the tests; it has all of JUnit inside.
const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.10.2";

/// Room for targets; that it is enough for a library is checked.
const TARGETS: u32 = 1 << 20;

/// Leaves tests out that measure time, or ask other machines.
const LEFT_OUT: &str = "--exclude-classname=.*(PerformanceTest|UrlStringLookupTest)";

/// Packages of `java.base` that tests look into; a library's own build opens them, too.
const OPENED: [&str; 5] = ["java.lang", "java.lang.reflect", "java.time", "java.util", "java.util.concurrent"];

/// A library whose tests are on Maven Central.
#[derive(Debug, Clone, Copy)]
struct Library {
    name: &'static str,
    /// Its packages, and those of its tests.
    package: &'static str,
    /// Itself, its tests, and what these need.
    artifacts: &'static [&'static str],
}

const HAMCREST: &str = "org.hamcrest:hamcrest:2.2";
const EASYMOCK: &str = "org.easymock:easymock:5.2.0";
const LANG: &str = "org.apache.commons:commons-lang3:3.14.0";
const IO: &str = "commons-io:commons-io:2.16.1";

const LIBRARIES: [Library; 5] = [
    Library {
        name: "commons-csv 1.11.0",
        package: "org.apache.commons.csv.",
        artifacts: &[
            "org.apache.commons:commons-csv:1.11.0",
            "org.apache.commons:commons-csv:1.11.0:jar:tests",
            "org.mockito:mockito-core:5.11.0",
            HAMCREST,
            LANG,
            IO,
        ],
    },
    Library {
        name: "commons-text 1.12.0",
        package: "org.apache.commons.text.",
        artifacts: &[
            "org.apache.commons:commons-text:1.12.0",
            "org.apache.commons:commons-text:1.12.0:jar:tests",
            "org.assertj:assertj-core:3.25.3",
            "org.mockito:mockito-inline:4.11.0",
            "org.apache.commons:commons-rng-simple:1.5",
            HAMCREST,
            IO,
        ],
    },
    Library {
        name: "commons-collections4 4.4",
        package: "org.apache.commons.collections4.",
        artifacts: &[
            "org.apache.commons:commons-collections4:4.4",
            "org.apache.commons:commons-collections4:4.4:jar:tests",
            "junit:junit:4.13.2",
            EASYMOCK,
            HAMCREST,
            LANG,
        ],
    },
    Library {
        name: "commons-lang3 3.14.0",
        package: "org.apache.commons.lang3.",
        artifacts: &[
            LANG,
            "org.apache.commons:commons-lang3:3.14.0:jar:tests",
            "org.apache.commons:commons-text:1.11.0",
            "org.junit-pioneer:junit-pioneer:1.9.1",
            EASYMOCK,
            HAMCREST,
        ],
    },
    Library {
        name: "commons-math3 3.6.1",
        package: "org.apache.commons.math3.",
        artifacts: &[
            "org.apache.commons:commons-math3:3.6.1",
            "org.apache.commons:commons-math3:3.6.1:jar:tests",
            "junit:junit:4.13.2",
        ],
    },
];

/// Arguments of the oracle.
#[derive(Args)]
pub struct OracleArguments {
    /// Only libraries whose names have this text
    #[arg(long)]
    only: Option<String>,
    /// The program `java` [default: that of the path]
    #[arg(long, default_value = "java")]
    java: PathBuf,
    /// Minutes that one run of a library's tests may take
    #[arg(long, default_value_t = 30)]
    minutes: u64,
    /// Folder for logs and reports
    #[arg(long, default_value = "out/oracle")]
    out: PathBuf,
    /// The `restive` binary, which has the agent inside [default: the one beside this program]
    #[arg(long)]
    restive: Option<PathBuf>,
}

/// Runs the tests of all libraries and prints a table row for each; the tests that differ go to standard error.
pub fn run(arguments: &OracleArguments) -> Result<()> {
    let restive = match &arguments.restive {
        Some(binary) => binary.clone(),
        None => std::env::current_exe()?.with_file_name("restive"),
    };
    let told = Command::new(&restive).arg("agent").output().with_context(|| format!("cannot run `{}`", restive.display()))?;
    let agent = String::from_utf8(told.stdout)?.trim().to_owned();
    ensure!(told.status.success() && !agent.is_empty(), "`restive agent` names no agent");
    println!("| library | classes with probes | targets | tests | pass | fail | skipped | by chance | otherwise with probes |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let is_wanted = |library: &&Library| arguments.only.as_ref().is_none_or(|text| library.name.contains(text.as_str()));
    for library in LIBRARIES.iter().filter(is_wanted) {
        let row = compare(library, &agent, arguments).with_context(|| library.name.to_owned())?;
        println!("| {} | {row} |", library.name);
    }
    Ok(())
}

fn compare(library: &Library, agent: &str, arguments: &OracleArguments) -> Result<String> {
    let short: String = library.name.chars().filter(char::is_ascii_alphanumeric).collect();
    let artifacts: Vec<&str> = library.artifacts.iter().copied().chain([CONSOLE]).collect();
    let jars = jars(&maven_libraries(&format!("oracle-{short}"), &artifacts)?)?;
    let (n_classes, n_targets) = measured(library, &jars, &arguments.java)?;
    let folder = arguments.out.join(short);
    let limit = Duration::from_secs(60 * arguments.minutes);
    let attempt = |name: &str, agent: Option<&str>| {
        execute(&arguments.java, &jars, agent, &folder.join(name), limit).with_context(|| format!("run `{name}`"))
    };
    let option = format!("-agentpath:{agent}=listen=127.0.0.1:0,token=oracle,include={},targets={TARGETS}", library.package);
    let plain = [attempt("plain-1", None)?, attempt("plain-2", None)?];
    let compared = Compared::of(&plain, &attempt("probed", Some(&option))?);
    for line in &compared.differences {
        eprintln!("{}: {line}", library.name);
    }
    Ok(format!("{n_classes} | {n_targets} | {compared}"))
}

/// How many classes of a library and its tests get probes, and how many targets they have.
fn measured(library: &Library, jars: &[PathBuf], java: &Path) -> Result<(usize, u32)> {
    let java = if java.is_absolute() { java.to_owned() } else { java_from(17).context("a JDK is wanted")? };
    let jdk = java.ancestors().nth(2).context("`java` lies in a JDK")?;
    let mut targets = TargetTable::with_capacity(TARGETS);
    let mut n_classes = 0;
    // A library stands before what its tests need.
    let parts: Vec<&str> = library.artifacts.first().context("a library has artifacts")?.split(':').collect();
    let stem = parts.get(1..3).context("an artifact is `group:name:version`")?.join("-");
    let is_own = |jar: &&PathBuf| jar.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&stem));
    for jar in jars.iter().filter(is_own) {
        let corpus = Corpus::of_jar(jar, &[], jdk)?;
        for class in corpus.classes()?.iter().filter(|class| class.name.starts_with(library.package)) {
            let bytes = fs::read(corpus.folder().join(&class.file))?;
            match rewrite(&bytes, &Plan::all(RUNTIME), &mut targets) {
                Outcome::Rewritten(_) => n_classes += 1,
                Outcome::Unchanged(unchanged) => ensure!(unchanged.reason != Reason::TableFull, "there are too many targets"),
            }
        }
    }
    Ok((n_classes, targets.len()))
}

/// The jars of a folder but for parts of JUnit, of which the console has its own.
fn jars(folder: &Path) -> Result<Vec<PathBuf>> {
    let is_part = |name: &str| name.starts_with("junit-jupiter-") || name.starts_with("junit-platform-");
    let is_wanted = |file: &PathBuf| {
        let name = file.to_string_lossy();
        file.extension() == Some(OsStr::new("jar")) && (!is_part(&name) || name.contains("console-standalone"))
    };
    Ok(files(folder)?.into_iter().filter(is_wanted).map(|file| folder.join(file)).collect())
}

/// Runs the tests once, in a fresh folder.
fn execute(java: &Path, jars: &[PathBuf], agent: Option<&str>, folder: &Path, limit: Duration) -> Result<Outcomes> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    // Some tests write into the folder that they run in.
    let work = folder.join("work");
    fs::create_dir_all(&work)?;
    let (folder, work) = (folder.canonicalize()?, work.canonicalize()?);
    let named = |part: &str| {
        let mut fitting = jars.iter().filter(|jar| jar.file_name().is_some_and(|name| name.to_string_lossy().contains(part)));
        fitting.next().with_context(|| format!("a jar `…{part}…` is wanted"))
    };
    let (console, tests) = (named("console-standalone")?, named("-tests.jar")?);
    let class_path = std::env::join_paths(jars.iter().filter(|jar| *jar != console))?;
    let mut command = Command::new(java);
    if let Some(agent) = agent {
        command.args([agent, "-Xverify:all"]);
    }
    command.args(OPENED.map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED")));
    command.args(["-Xmx3g", "-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC", "-jar"]).arg(console);
    command.args(["execute", "--details=none", "--disable-banner", LEFT_OUT, "--class-path"]).arg(class_path);
    command.arg("--scan-classpath").arg(tests).arg("--reports-dir").arg(folder.join("reports")).current_dir(work);
    let finished = run_process(&mut command, &folder, "console", limit)?;
    // 1 says that tests failed.
    ensure!(matches!(finished.code, Some(0 | 1)), "the console failed: {}", finished.stderr);
    Outcomes::read(&folder.join("reports"))
}
