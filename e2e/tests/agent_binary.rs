//! The JVM agent inside `restive`: a copy of the binary unpacks it, and an installed JVM loads it from there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use restive_core::agent::{AgentOptions, java_tool_options};
use restive_driver_protocol::{DriverHello, DriverListener, Token};
use restive_e2e::process::{Finished, Running, run};
use restive_e2e::work::in_work_folder;
use restive_e2e::{binary, toolchain};

/// On a busy machine, start of a JVM and its compiler included.
const SOON: Duration = Duration::from_mins(1);

/// Says what it was given, and lives until it is ended.
const SERVICE: &str = r#"class Service {
    public static void main(String[] arguments) throws Exception {
        System.out.println("given " + System.getProperty("given"));
        Thread.sleep(600_000);
    }
}
"#;

/// `restive agent` of `program`, with `cache` for all folders that it may use.
fn agent(program: &Path, folder: &Path, cache: &Path) -> Result<Finished> {
    let mut restive = Command::new(program);
    restive.arg("agent").env("XDG_CACHE_HOME", cache).env("TMPDIR", cache);
    run(&mut restive, folder, "agent", SOON)
}

fn unpacked(program: &Path, folder: &Path, cache: &Path) -> Result<PathBuf> {
    let finished = agent(program, folder, cache)?.success()?;
    let path = finished.stdout.strip_suffix('\n').context("found no line, wanted the path")?;
    ensure!(Path::new(path).is_file() && Path::new(path).starts_with(cache), "found `{path}`");
    Ok(PathBuf::from(path))
}

/// Starts a JVM with `library`, beside an option of the user, and gives what the agent says first.
fn loaded(library: &Path, folder: &Path) -> Result<DriverHello> {
    let listener = DriverListener::bind(Token::new("0123456789abcdef"))?;
    let include = vec!["com.acme.".to_owned(), "org.acme.".to_owned()];
    let options = AgentOptions {
        address: listener.address(),
        token: "0123456789abcdef".to_owned(),
        include,
        exclude: Vec::new(),
        replacements: None,
        tracks: true,
        expands: true,
    };
    fs::write(folder.join("Service.java"), SERVICE)?;
    let mut java = Command::new("java");
    java.env("JAVA_TOOL_OPTIONS", java_tool_options(library, &options, Some("-Dgiven='by the user'")));
    let service = Running::start(java.arg("Service.java").current_dir(folder), folder, "java")?;
    let connection = listener.next(SOON).with_context(|| service.output_tail())?;
    let connection = connection.with_context(|| format!("no agent called\n{}", service.output_tail()))?;
    let start = Instant::now();
    while !service.output_tail().contains("given by the user\n") {
        ensure!(start.elapsed() < SOON, "the option of the user is lost\n{}", service.output_tail());
        sleep(Duration::from_millis(50));
    }
    Ok(connection.hello().clone())
}

/// Copies the binary to where nothing else of restive lies.
fn copied(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("copied here").join("restive");
    fs::create_dir_all(folder.join("copied here"))?;
    // By another process: a file that this one has written cannot be started while a process that another test is just
    // starting has it open still (ETXTBSY).
    let copied = Command::new("cp").arg(binary()?).arg(&program).status()?;
    ensure!(copied.success(), "cannot copy the binary to `{}`", program.display());
    Ok(program)
}

#[test]
fn jvm_loads_the_agent_of_a_copied_binary_from_an_odd_folder() -> Result<()> {
    in_work_folder("agent-copied", |folder| {
        if !toolchain::available(&["java"])? {
            return Ok(());
        }
        let library = unpacked(&copied(folder)?, folder, &folder.join("it's a \"cache\""))?;
        let hello = loaded(&library, folder)?;
        ensure!(hello.language == "jvm" && hello.driver.starts_with("restive-agent "), "{hello:?}");
        ensure!(hello.include == ["com.acme.", "org.acme."], "{hello:?}");
        Ok(())
    })
}

#[test]
fn damaged_file_in_the_cache_is_replaced() -> Result<()> {
    in_work_folder("agent-damaged", |folder| {
        let library = unpacked(binary()?, folder, folder)?;
        let whole = fs::read(&library)?;
        ensure!(whole.starts_with(b"\x7fELF") || cfg!(target_os = "macos"), "not a library");
        fs::write(&library, &whole[..whole.len() / 2])?;
        ensure!(unpacked(binary()?, folder, folder)? == library);
        ensure!(fs::read(&library)? == whole, "the damaged file was not replaced");
        Ok(())
    })
}

#[test]
fn without_a_folder_for_it_the_error_says_what_to_do() -> Result<()> {
    in_work_folder("agent-no-folder", |folder| {
        let file = folder.join("file");
        fs::write(&file, "")?;
        let finished = agent(binary()?, folder, &file)?;
        if finished.code != Some(3) || !finished.stdout.is_empty() {
            bail!("{finished:?}");
        }
        for wanted in ["cannot unpack the JVM agent: `", "file/restive`: ", "hint: ", "XDG_CACHE_HOME"] {
            ensure!(finished.stderr.contains(wanted), "no `{wanted}` in\n{}", finished.stderr);
        }
        Ok(())
    })
}
