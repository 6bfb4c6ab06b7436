//! A service that was left running by a restive that was killed itself: nobody else would end it, and it keeps its port.
//!
//! A file beside the log of the service names its process, with the time at which that was started, so that no other
//! process that got the same number is taken for it. Only Linux tells that time.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// Name of the file.
const FILE: &str = "sut.process";
/// How long to wait between two looks at a process.
const GLANCE: Duration = Duration::from_millis(10);

/// Notes that the process `id` runs the service and leads its group.
pub(super) fn note(log_folder: &Path, id: i32) {
    if let Some(started) = started(id) {
        // Without the file a service that is left is one that the user has to end.
        let _unnoted = fs::write(log_folder.join(FILE), format!("{id} {started}\n"));
    }
}

/// Forgets it: it was ended.
pub(super) fn forget(log_folder: &Path) {
    let _gone = fs::remove_file(log_folder.join(FILE));
}

/// Ends what was left: asks first, kills after `grace`. Says whether there was something.
pub(super) fn end(log_folder: &Path, grace: Duration) -> bool {
    let Some((id, was_started)) = noted(log_folder) else { return false };
    let runs = || started(id) == Some(was_started);
    let found = runs();
    if let Some(pid) = Pid::from_raw(id).filter(|_| found) {
        let asked = Instant::now();
        let _gone = kill_process_group(pid, Signal::TERM);
        while runs() && asked.elapsed() < grace {
            std::thread::sleep(GLANCE);
        }
        let _gone = kill_process_group(pid, Signal::KILL);
    }
    forget(log_folder);
    found
}

fn noted(log_folder: &Path) -> Option<(i32, u64)> {
    let text = fs::read_to_string(log_folder.join(FILE)).ok()?;
    let (id, started) = text.trim().split_once(' ')?;
    Some((id.parse().ok()?, started.parse().ok()?))
}

/// When the process was started, in ticks since the machine was; none for one that does not run, or only waits to be
/// collected.
#[cfg(target_os = "linux")]
fn started(id: i32) -> Option<u64> {
    let stat = procfs::process::Process::new(id).ok()?.stat().ok()?;
    (stat.state != 'Z' && stat.pgrp == id).then_some(stat.starttime)
}

#[cfg(not(target_os = "linux"))]
fn started(_id: i32) -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};
    use std::time::Duration;

    use super::{FILE, end, note, started};

    /// A process that leads its group and was left alone; it is collected like one that nobody waits for.
    fn sleeper() -> Child {
        Command::new("sleep").arg("600").process_group(0).spawn().expect("there is such a program")
    }

    fn id(child: &Child) -> i32 {
        i32::try_from(child.id()).expect("a number of a process")
    }

    #[test]
    fn what_was_left_running_is_ended_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!end(folder.path(), Duration::ZERO), "nothing was noted");
        let mut child = sleeper();
        note(folder.path(), id(&child));
        assert!(end(folder.path(), Duration::from_secs(10)));
        assert!(started(id(&child)).is_none() && !folder.path().join(FILE).exists());
        child.wait().expect("it was ours");
        // Another process with the same number.
        let mut other = sleeper();
        let start = started(id(&other)).expect("it runs");
        std::fs::write(folder.path().join(FILE), format!("{} {}\n", id(&other), start + 1)).expect("written");
        assert!(!end(folder.path(), Duration::ZERO));
        assert_eq!(started(id(&other)), Some(start), "it was left alone");
        other.kill().expect("it runs");
        other.wait().expect("it was ours");
    }
}
