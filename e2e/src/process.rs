//! Child processes with a hard time limit: commands that end, and services that are stopped.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::http;

const POLL: Duration = Duration::from_millis(20);

/// A started process with its output in two files; it is killed with all its children when dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    name: String,
    stdout: PathBuf,
    stderr: PathBuf,
    started: Instant,
}

/// A process that ended by itself.
#[derive(Debug)]
pub struct Finished {
    /// Its exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// How long it ran.
    pub elapsed: Duration,
}

impl Running {
    /// Starts a command in a process group of its own; its output goes to `<folder>/<name>.stdout` and `.stderr`.
    pub fn start(command: &mut Command, folder: &Path, name: &str) -> Result<Self> {
        let (stdout, stderr) = (folder.join(format!("{name}.stdout")), folder.join(format!("{name}.stderr")));
        command.stdin(Stdio::null()).stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
        let child = command.process_group(0).spawn();
        let child = child.with_context(|| format!("cannot start {name}: {}", command.get_program().display()))?;
        Ok(Self { child, name: name.to_owned(), stdout, stderr, started: Instant::now() })
    }

    /// Its process id, which is also the id of its process group.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it runs no longer.
    pub fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Sends it a signal by name, such as `INT`, to the process alone and not to its children.
    pub fn signal(&self, signal: &str) -> Result<()> {
        let status = Command::new("kill").args([format!("-{signal}"), self.id().to_string()]).status()?;
        ensure!(status.success(), "cannot send {signal} to {}", self.name);
        Ok(())
    }

    /// Waits for its end; past the limit (counted from its start) it is killed and that is an error.
    pub fn finish(mut self, limit: Duration) -> Result<Finished> {
        let Some(status) = self.wait_until(self.started + limit)? else {
            bail!("{} did not end within {limit:?}\n{}", self.name, self.output_tail());
        };
        Ok(Finished {
            code: status.code(),
            stdout: read_lossy(&self.stdout),
            stderr: read_lossy(&self.stderr),
            elapsed: self.started.elapsed(),
        })
    }

    fn wait_until(&mut self, end: Instant) -> Result<Option<ExitStatus>> {
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= end {
                return Ok(None);
            }
            sleep(POLL);
        }
    }

    /// What it said last, for error messages.
    pub fn output_tail(&self) -> String {
        format!("{}\n{}", tail(&read_lossy(&self.stdout)), tail(&read_lossy(&self.stderr)))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The group may be gone already; what is left of it has no reader.
        let group = format!("-{}", self.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.child.wait();
    }
}

impl Finished {
    /// The same, or an error with the end of the output when the exit code is not 0.
    pub fn success(self) -> Result<Self> {
        ensure!(self.code == Some(0), "exit code {:?}\n{}\n{}", self.code, tail(&self.stdout), tail(&self.stderr));
        Ok(self)
    }
}

/// Runs a command to its end; output files as in [`Running::start`].
pub fn run(command: &mut Command, folder: &Path, name: &str, limit: Duration) -> Result<Finished> {
    Running::start(command, folder, name)?.finish(limit)
}

/// A service on loopback; it is stopped when dropped.
#[derive(Debug)]
pub struct Service {
    process: Running,
    port: u16,
}

impl Service {
    /// Starts a service and waits until `GET ready_path` on its port answers below 500.
    pub fn start(command: &mut Command, folder: &Path, name: &str, port: u16, ready_path: &str) -> Result<Self> {
        Self::start_within(Duration::from_mins(1), command, folder, name, port, Some(ready_path))
    }

    /// The same, with that time for it; without a path until the port is open, for a service that remembers what it was
    /// asked.
    pub fn start_within(
        limit: Duration,
        command: &mut Command,
        folder: &Path,
        name: &str,
        port: u16,
        ready_path: Option<&str>,
    ) -> Result<Self> {
        let is_ready = || match ready_path {
            Some(path) => http::get(port, path).is_ok_and(|answer| answer.status < 500),
            None => TcpStream::connect(("127.0.0.1", port)).is_ok(),
        };
        let mut process = Running::start(command, folder, name)?;
        let end = Instant::now() + limit;
        while !is_ready() {
            ensure!(!process.has_ended()?, "{name} ended instead of serving\n{}", process.output_tail());
            ensure!(Instant::now() < end, "{name} is not ready after {limit:?}\n{}", process.output_tail());
            sleep(POLL);
        }
        Ok(Self { process, port })
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its base URL, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Its process.
    pub fn process(&mut self) -> &mut Running {
        &mut self.process
    }
}

/// A port of loopback that is free now.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn read_lossy(file_path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(file_path).unwrap_or_default()).into_owned()
}

/// The last 30 lines.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::in_work_folder;

    #[test]
    fn a_command_past_its_limit_is_killed_with_its_children() -> Result<()> {
        in_work_folder("process-limit", |folder| {
            let mut command = Command::new("sh");
            command.args(["-c", "sleep 60 & echo $!; wait"]);
            let error = run(&mut command, folder, "sleeper", Duration::from_millis(300)).unwrap_err();
            assert!(error.to_string().contains("did not end within"), "{error}");
            let child = fs::read_to_string(folder.join("sleeper.stdout"))?;
            // A killed child that nobody waits for is gone or a zombie, as soon as it gets a processor.
            let state = || fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
            let is_alive = || !state().is_empty() && !state().contains(") Z ");
            for _ in 0..500 {
                if !is_alive() {
                    return Ok(());
                }
                sleep(Duration::from_millis(20));
            }
            panic!("{} goes on", state());
        })
    }

    #[test]
    fn code_and_output_of_a_command_are_given() -> Result<()> {
        in_work_folder("process-output", |folder| {
            let mut command = Command::new("sh");
            command.args(["-c", "echo out; echo err >&2; exit 3"]);
            let finished = run(&mut command, folder, "echo", Duration::from_secs(10))?;
            assert_eq!((finished.code, &*finished.stdout, &*finished.stderr), (Some(3), "out\n", "err\n"));
            assert!(finished.success().is_err());
            Ok(())
        })
    }
}
