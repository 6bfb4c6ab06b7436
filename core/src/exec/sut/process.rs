//! A process with everything it starts: one process group, ended as a whole.

use std::fmt;
use std::io::{self, ErrorKind, PipeReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::exec::Error;

/// How long to wait between two looks at a process.
const GLANCE: Duration = Duration::from_millis(5);

/// A child process that leads its own process group.
#[derive(Debug)]
pub(crate) struct Group {
    child: Child,
    pid: Pid,
    ended: Option<Ending>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It ended by itself.
    Exit(i32),
    /// A signal ended it.
    Signal(i32),
    /// The system does not say.
    Unknown,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(status) => write!(f, "with exit status {status}"),
            Self::Signal(signal) => write!(f, "by signal {signal}{}", signal_name(*signal)),
            Self::Unknown => f.write_str("in an unknown way"),
        }
    }
}

impl Group {
    /// Starts `command` with `env` added to ours; the pipe gives what it prints on both outputs.
    pub(crate) fn spawn(
        command: &[String],
        env: &[(&str, String)],
        folder: Option<&Path>,
    ) -> Result<(Self, PipeReader), Error> {
        let (program, arguments) = command.split_first().ok_or(Error::NoCommand)?;
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Error::NoWorkingDirectory(folder.to_owned()));
        }
        let not_run = |error: io::Error| spawn_error(program, &error);
        let (pipe, output) = io::pipe().map_err(not_run)?;
        let mut starter = Command::new(program);
        starter.args(arguments).envs(env.iter().map(|(name, value)| (name, value))).process_group(0);
        starter.stdin(Stdio::null()).stdout(output.try_clone().map_err(not_run)?).stderr(output);
        if let Some(folder) = folder {
            starter.current_dir(folder);
        }
        let child = starter.spawn().map_err(not_run)?;
        let pid = Pid::from_child(&child);
        Ok((Self { child, pid, ended: None }, pipe))
    }

    /// How the leading process ended, none while it runs.
    ///
    /// It is looked at without being collected: until then its id, which is also that of the group, is not given to
    /// another process.
    pub(crate) fn ending(&self) -> Option<Ending> {
        if self.ended.is_some() {
            return self.ended;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.pid), options) {
            Ok(None) | Err(rustix::io::Errno::INTR) => None,
            Ok(Some(status)) => Some(
                status
                    .exit_status()
                    .map(Ending::Exit)
                    .or(status.terminating_signal().map(Ending::Signal))
                    .unwrap_or(Ending::Unknown),
            ),
            Err(_) => Some(Ending::Unknown),
        }
    }

    /// Id of the leading process, and of the group.
    pub(super) fn id(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Waits up to `limit` for the leading process to end.
    pub(crate) fn wait(&self, limit: Duration) -> Option<Ending> {
        let start = Instant::now();
        loop {
            let ending = self.ending();
            if ending.is_some() || start.elapsed() >= limit {
                return ending;
            }
            thread::sleep(GLANCE);
        }
    }

    /// Ends the whole group: asks first, kills what is left after `grace`.
    pub(crate) fn end(&mut self, grace: Duration) {
        if self.ended.is_some() {
            return;
        }
        if self.ending().is_none() && kill_process_group(self.pid, Signal::TERM).is_ok() {
            self.wait(grace);
        }
        let before_force = self.ending();
        // Children that the leader left behind are still in the group.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let collected = self.child.wait();
        self.ended = before_force.or(Some(if collected.is_ok() { Ending::Signal(9) } else { Ending::Unknown }));
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Kills a process group from another thread.
#[derive(Debug, Clone, Default)]
pub struct Killer(Arc<Mutex<Option<Pid>>>);

impl Killer {
    /// Kills the group at once; does nothing when it has ended.
    pub fn kill(&self) {
        if let Some(pid) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    pub(super) fn aim(&self, group: &Group) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(group.pid);
    }

    pub(super) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn spawn_error(program: &str, error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => Error::CommandNotFound(program.to_owned()),
        _ => Error::NotExecutable { program: program.to_owned(), reason: error.to_string() },
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        2 => " (interrupt)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (arithmetic error)",
        9 => " (kill, perhaps out of memory)",
        11 => " (segmentation fault)",
        15 => " (termination)",
        _ => "",
    }
}
