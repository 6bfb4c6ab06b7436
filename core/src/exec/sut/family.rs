//! The processes of a service: the group that was started, what these started, wherever it is now, and what another process
//! started for them.
//!
//! A tool may hand its work to a daemon that ran before (Gradle does), which starts the service with the environment of the
//! tool: a mark there tells which processes are this service's. Only Linux shows them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How often it is looked whether they have ended.
const GLANCE: Duration = Duration::from_millis(20);
/// How long the system may take to end what was killed.
const KILL_LIMIT: Duration = Duration::from_secs(5);

/// The variable that holds the mark.
pub(super) const MARK_VARIABLE: &str = "RESTIVE_SERVICE";

/// The processes of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Family {
    /// The process that leads the group.
    pub(super) leader: i32,
    /// What [`MARK_VARIABLE`] is for all that belongs to it.
    pub(super) mark: String,
}

/// A mark that no other service of this machine has.
pub(super) fn new_mark() -> String {
    static MARKED: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), MARKED.fetch_add(1, Ordering::Relaxed))
}

#[cfg(target_os = "linux")]
mod seen {
    use std::collections::BTreeSet;

    use procfs::process::{Process, Stat, all_processes};
    use rustix::process::Pid;

    use super::{Family, MARK_VARIABLE};

    impl Family {
        /// All of them that run.
        pub(in crate::exec::sut) fn processes(&self) -> Vec<Process> {
            let (mut found, mut others): (Vec<_>, Vec<_>) = running().partition(|(process, _)| self.has_mark(process));
            let mut pids: BTreeSet<i32> = found.iter().map(|(_, stat)| stat.pid).chain([self.leader]).collect();
            loop {
                let is_of = |stat: &Stat| pids.contains(&stat.pid) || stat.pgrp == self.leader || pids.contains(&stat.ppid);
                let (family, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(|(_, stat)| is_of(stat));
                if family.is_empty() {
                    return found.into_iter().map(|(process, _)| process).collect();
                }
                pids.extend(family.iter().map(|(_, stat)| stat.pid));
                found.extend(family);
                others = rest;
            }
        }

        /// Those that the signal to the group does not reach, and whose mark tells that they belong to it.
        pub(in crate::exec::sut) fn strays(&self) -> Vec<Pid> {
            let strays = running().filter(|(process, stat)| stat.pgrp != self.leader && self.has_mark(process));
            strays.filter_map(|(_, stat)| Pid::from_raw(stat.pid)).collect()
        }

        /// Whether its environment says so; that of others is not to be seen.
        fn has_mark(&self, process: &Process) -> bool {
            let is_mark = |mark: &std::ffi::OsString| mark.as_os_str() == self.mark.as_str();
            process.environ().is_ok_and(|all| all.get(std::ffi::OsStr::new(MARK_VARIABLE)).is_some_and(is_mark))
        }
    }

    /// The processes of this machine but those that only wait to be collected.
    fn running() -> impl Iterator<Item = (Process, Stat)> {
        let all = all_processes().into_iter().flatten().flatten();
        all.filter_map(|process| process.stat().ok().map(|stat| (process, stat))).filter(|(_, stat)| stat.state != 'Z')
    }
}

#[cfg(not(target_os = "linux"))]
impl Family {
    /// Nobody knows which these are.
    pub(super) fn strays(&self) -> Vec<Pid> {
        Vec::new()
    }
}

impl Family {
    /// Ends those that the signal to the group does not reach, together with it, by `end_group`: asks first, kills what is left
    /// after `grace`.
    pub(super) fn end(&self, grace: Duration, end_group: impl FnOnce()) {
        let asked = Instant::now();
        signal(&self.strays(), Signal::TERM);
        end_group();
        loop {
            let left = self.strays();
            if left.is_empty() || asked.elapsed() >= grace + KILL_LIMIT {
                return;
            }
            if asked.elapsed() >= grace {
                signal(&left, Signal::KILL);
            }
            std::thread::sleep(GLANCE);
        }
    }
}

fn signal(processes: &[Pid], signal: Signal) {
    for pid in processes {
        // One that has ended meanwhile needs no signal.
        let _gone = kill_process(*pid, signal);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};
    use std::time::Duration;

    use super::{Family, MARK_VARIABLE, new_mark};

    #[test]
    fn what_has_the_mark_belongs_to_it_wherever_it_is_and_ends_with_it() {
        let family = Family { leader: -1, mark: new_mark() };
        let marked = |script: &str, mark: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]).env(MARK_VARIABLE, mark).process_group(0).spawn().expect("there is such a program")
        };
        let [mut polite, mut deaf] =
            ["exec sleep 600", "trap '' TERM; while :; do sleep 0.1; done"].map(|script| marked(script, &family.mark));
        let mut other = marked("exec sleep 600", &new_mark());
        let pids: Vec<u32> = family.processes().iter().map(|process| process.pid.cast_unsigned()).collect();
        let has = |child: &Child| pids.contains(&child.id());
        assert!(has(&polite) && has(&deaf) && !has(&other), "{pids:?}");
        family.end(Duration::from_millis(100), || ());
        assert!(family.strays().is_empty());
        polite.wait().expect("it was ours");
        deaf.wait().expect("it was ours");
        assert!(other.try_wait().expect("it is ours").is_none());
        other.kill().expect("it runs");
        other.wait().expect("it was ours");
    }
}
