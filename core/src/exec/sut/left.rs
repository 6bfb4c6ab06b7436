//! A service that was left running by a restive that was killed itself: nobody else would end it, and it keeps its port.
//!
//! A file beside the log of the service names its process and that of the restive that started it, with the times at which
//! both were started, so that no other process that got the same number is taken for one of them. A service whose restive
//! still runs is none of ours. Only Linux tells these times.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// Name of the file.
const FILE: &str = "sut.process";
/// How long to wait between two looks at a process.
const GLANCE: Duration = Duration::from_millis(10);

/// A process by its number and the time at which it was started, in ticks since the machine was.
type Process = (i32, u64);

/// Notes that the process `id` runs the service and leads its group.
pub(super) fn note(log_folder: &Path, id: i32) {
    let own = i32::try_from(std::process::id()).unwrap_or(-1);
    if let (Some(started), Some(own_started)) = (started(id), started(own)) {
        // Without the file a service that is left is one that the user has to end.
        let _unnoted = fs::write(log_folder.join(FILE), format!("{id} {started} {own} {own_started}\n"));
    }
}

/// Forgets it: it was ended.
pub(super) fn forget(log_folder: &Path) {
    let _gone = fs::remove_file(log_folder.join(FILE));
}

/// Ends what was left: asks first, kills after `grace`. Says whether there was something.
pub(super) fn end(log_folder: &Path, grace: Duration) -> bool {
    let Some((service, owner)) = noted(log_folder) else { return false };
    let is_of_another = started(owner.0) == Some(owner.1) && owner.0.cast_unsigned() != std::process::id();
    if is_of_another {
        return false;
    }
    let runs = || started(service.0) == Some(service.1);
    let found = runs();
    if let Some(pid) = Pid::from_raw(service.0).filter(|_| found) {
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

/// The service, and the restive that started it.
fn noted(log_folder: &Path) -> Option<(Process, Process)> {
    let text = fs::read_to_string(log_folder.join(FILE)).ok()?;
    let mut words = text.split_whitespace();
    let mut process = || Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?));
    Some((process()?, process()?))
}

/// When the process was started; none for one that does not run, or only waits to be collected.
#[cfg(target_os = "linux")]
fn started(id: i32) -> Option<u64> {
    let stat = procfs::process::Process::new(id).ok()?.stat().ok()?;
    (stat.state != 'Z').then_some(stat.starttime)
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
        let mut owner = sleeper();
        let owner_start = started(id(&owner)).expect("it runs");
        for (start, owner_start) in [(start + 1, owner_start + 1), (start, owner_start)] {
            let noted = format!("{} {start} {} {owner_start}\n", id(&other), id(&owner));
            std::fs::write(folder.path().join(FILE), noted).expect("written");
            assert!(!end(folder.path(), Duration::ZERO), "another process, and one that is looked after");
        }
        assert_eq!(started(id(&other)), Some(start), "it was left alone");
        owner.kill().expect("it runs");
        owner.wait().expect("it was ours");
        let noted = format!("{} {start} {} {owner_start}\n", id(&other), id(&owner));
        std::fs::write(folder.path().join(FILE), noted).expect("written");
        assert!(end(folder.path(), Duration::from_secs(10)), "its owner is gone");
        other.wait().expect("it was ours");
    }
}
