//! Format, lints and documentation of the whole workspace, as tests so that the one test command says all.
//!
//! They run one after the other, in the target folder of the tests: cargo's own lock would make them wait anyway.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use restive_e2e::process::run;
use restive_e2e::work::{in_work_folder, target_folder};

const LIMIT: Duration = Duration::from_mins(30);

fn cargo(folder: &Path, name: &str, args: &[&str]) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(args).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).env("CARGO_TARGET_DIR", target_folder());
    cargo.env("RUSTDOCFLAGS", "-D warnings");
    run(&mut cargo, folder, name, LIMIT)?.success().with_context(|| format!("cargo {}", args.join(" ")))?;
    Ok(())
}

#[test]
fn code_is_formatted_free_of_lints_and_documented() -> Result<()> {
    in_work_folder("style", |folder| {
        cargo(folder, "fmt", &["fmt", "--all", "--check"])?;
        cargo(folder, "clippy", &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
        cargo(folder, "doc", &["doc", "--quiet", "--workspace", "--no-deps"])
    })
}
