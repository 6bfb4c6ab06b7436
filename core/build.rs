//! Builds the JVM agent, which `src/agent.rs` embeds into `restive`.
//!
//! The agent is a shared library for another program, the JVM, and cargo has no stable way to say that a package wants the
//! library of another one as a file. So this calls the same cargo once more, in a target folder of its own below `OUT_DIR`:
//! the outer one holds the lock of the usual folder. `OUT_DIR/agent.rs` becomes an expression that is the agent's bytes or
//! the reason why there are none.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The agent's package, seen from this one.
const PACKAGE: &str = "../instrument/agent";

/// Variables of cargo that hold for every build on this machine; all others belong to the outer build.
///
/// Its flags, wrappers (coverage, lints) and profile settings must not reach the agent: it runs inside another program.
const KEPT: [&str; 6] = ["CARGO_HOME", "CARGO_HTTP_", "CARGO_MAKEFLAGS", "CARGO_NET_", "CARGO_REGISTR", "CARGO_TERM_"];

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(variable("OUT_DIR")?);
    let expression = match reason_against()? {
        Some(reason) => format!("Err({reason:?})"),
        None => format!("Ok(include_bytes!({:?}).as_slice())", agent(&out)?),
    };
    let file = out.join("agent.rs");
    fs::write(&file, expression).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|error| format!("variable {name} of cargo: {error}"))
}

/// Why `restive` is built without an agent, if so. An agent that ought to build and does not is an error instead.
fn reason_against() -> Result<Option<String>, String> {
    let system = variable("CARGO_CFG_TARGET_OS")?;
    Ok(if !matches!(system.as_str(), "linux" | "macos") {
        Some(format!("there is none for the operating system `{system}`"))
    } else if !Path::new(PACKAGE).join("Cargo.toml").is_file() {
        Some("its source was not there when this restive was built".to_owned())
    } else if std::env::var_os("CLIPPY_ARGS").is_some() {
        // Clippy has its own `OUT_DIR` and makes nothing that could be run.
        Some("this is a check of the source by clippy".to_owned())
    } else {
        None
    })
}

/// Builds the agent, tells cargo what it is made from, and gives the path of the library.
fn agent(out: &Path) -> Result<String, String> {
    let (target, folder) = (variable("TARGET")?, out.join("agent-target"));
    let mut cargo = Command::new(variable("CARGO")?);
    // The package has an rlib too, for its tests.
    cargo.args(["rustc", "--package", "restive-agent", "--lib", "--crate-type", "cdylib", "--profile", "agent", "--locked"]);
    cargo.arg("--target").arg(&target).arg("--target-dir").arg(&folder);
    clean(&mut cargo);
    // A build folder that a settings file names is locked by the outer cargo.
    cargo.env("CARGO_BUILD_BUILD_DIR", &folder);
    if std::env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|libc| libc == "musl") {
        // Without it there are no shared libraries for musl.
        cargo.env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=-crt-static");
    }
    // What goes to standard output is read by the outer cargo.
    let status = cargo.current_dir(PACKAGE).stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = status.map_err(|error| format!("cannot start cargo for the JVM agent: {error}"))?;
    if !status.success() {
        return Err(format!("the JVM agent does not build ({status})"));
    }
    let made = folder.join(target).join("agent");
    watch(&made.join("librestive_agent.d"))?;
    let suffix = if variable("CARGO_CFG_TARGET_OS")? == "macos" { "dylib" } else { "so" };
    // Escapes of Rust's text have no bytes that are no UTF-8.
    let library = made.join(format!("librestive_agent.{suffix}")).into_os_string().into_string();
    library.map_err(|library| format!("`{}` is no UTF-8", library.display()))
}

/// Takes the outer build's variables away from the inner one.
fn clean(cargo: &mut Command) {
    let own = |name: &OsStr| {
        let name = name.to_string_lossy();
        let outer = ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS"].contains(&name.as_ref());
        // How to link for a target is a matter of the machine, and how old its libc may be one of the linker.
        let kept = KEPT.iter().any(|kept| name.starts_with(kept)) || name.ends_with("_LINKER");
        outer || (name.starts_with("CARGO_") && !kept)
    };
    for (name, _) in std::env::vars_os().filter(|(name, _)| own(name)) {
        cargo.env_remove(name);
    }
}

/// Makes cargo run this again when a file changes that the agent was made from: the sources in `dep_info`, the manifests
/// of their packages, the lock file.
fn watch(dep_info: &Path) -> Result<(), String> {
    let text = fs::read_to_string(dep_info).map_err(|error| format!("cannot read {}: {error}", dep_info.display()))?;
    // `made: source source …`, a blank inside a path after a backslash.
    let sources = text.replace("\\ ", "\0").lines().filter_map(|line| line.split_once(": ")).fold(
        BTreeSet::new(),
        |mut sources, (_, line)| {
            sources.extend(line.split(' ').map(|source| PathBuf::from(source.replace('\0', " "))));
            sources
        },
    );
    let manifests = sources
        .iter()
        .filter_map(|source| source.ancestors().map(|folder| folder.join("Cargo.toml")).find(|manifest| manifest.is_file()));
    let manifests: BTreeSet<PathBuf> = manifests.collect();
    let workspace = ["../Cargo.toml", "../Cargo.lock"].map(PathBuf::from);
    for file in sources.iter().chain(&manifests).chain(&workspace) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    Ok(())
}
