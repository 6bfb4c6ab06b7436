//! On which ports a process and everything it started really listen.
//!
//! A service may take its port from a place that nobody looked at; the system knows. Only Linux is asked.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use crate::jar::JvmCommand;

/// How long a look at whether a port speaks HTTP may take.
const LOOK_LIMIT: Duration = Duration::from_secs(2);

/// Looks in a row at which sockets of the machine listen, after those of the processes changed: a socket listens soon after
/// it was made.
const FRESH_LOOKS: u64 = 10;
/// Of later ones, each of so many.
const SELDOM: u64 = 10;

/// Looks again and again at the ports of a group of processes. Which sockets of the machine listen takes the system much
/// longer to say than which ones a process has, and is only asked where it may have changed.
#[derive(Debug, Default)]
pub(super) struct Looks {
    sockets: BTreeSet<u64>,
    /// Looks since they changed.
    n_same: u64,
    ports: BTreeSet<u16>,
}

impl Looks {
    /// The ports that the group led by process `leader`, and what left that group, listens on. A socket that listens long
    /// after it was made may be seen some looks later.
    pub(super) fn ports(&mut self, leader: i32) -> BTreeSet<u16> {
        let sockets = sockets(leader);
        if self.is_due(sockets) {
            self.ports = ports_of(&self.sockets);
        }
        self.ports.clone()
    }

    /// Whether to ask which of `sockets`, those that the processes have now, listen.
    fn is_due(&mut self, sockets: BTreeSet<u64>) -> bool {
        if self.sockets == sockets {
            self.n_same += 1;
        } else {
            (self.sockets, self.n_same) = (sockets, 0);
        }
        self.n_same < FRESH_LOOKS || self.n_same.is_multiple_of(SELDOM)
    }
}

/// The sockets of the group led by process `leader`, and of what left that group.
#[cfg(target_os = "linux")]
fn sockets(leader: i32) -> BTreeSet<u64> {
    family(leader).iter().flat_map(sockets_of).collect()
}

/// The sockets of a process; none of one that ends meanwhile, which listens on nothing.
#[cfg(target_os = "linux")]
fn sockets_of(process: &procfs::process::Process) -> BTreeSet<u64> {
    use procfs::process::FDTarget;

    let files = process.fd().into_iter().flatten().flatten();
    files.filter_map(|file| if let FDTarget::Socket(inode) = file.target { Some(inode) } else { None }).collect()
}

/// The ports on which some of `sockets` listen.
#[cfg(target_os = "linux")]
fn ports_of(sockets: &BTreeSet<u64>) -> BTreeSet<u16> {
    use procfs::net::TcpState;

    if sockets.is_empty() {
        return BTreeSet::new();
    }
    let entries = procfs::net::tcp().into_iter().chain(procfs::net::tcp6()).flatten();
    let listening = entries.filter(|entry| entry.state == TcpState::Listen && sockets.contains(&entry.inode));
    listening.map(|entry| entry.local_address.port()).collect()
}

/// By what that was started which listens on `port`, of the group led by process `leader` and of what left that group.
#[cfg(target_os = "linux")]
pub(super) fn command(leader: i32, port: u16) -> Option<JvmCommand> {
    use procfs::process::FDTarget;

    let process = listener(leader, port)?;
    // The program of a JVM lies in `bin` of its folder, or in `jre/bin`.
    let own = process.exe().ok()?.parent()?.parent()?.to_owned();
    let files = process.fd().ok()?.flatten();
    let open = files.filter_map(|file| if let FDTarget::Path(path) = file.target { Some(path) } else { None });
    let open = Some(open.filter(|path| !path.starts_with(&own)).collect());
    Some(JvmCommand { words: process.cmdline().ok()?, folder: process.cwd().ok()?, open })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn command(_leader: i32, _port: u16) -> Option<JvmCommand> {
    None
}

#[cfg(target_os = "linux")]
fn listener(leader: i32, port: u16) -> Option<procfs::process::Process> {
    family(leader).into_iter().find(|process| ports_of(&sockets_of(process)).contains(&port))
}

/// Whether a JVM listens on `port`, of the group led by process `leader` and of what left that group.
#[cfg(target_os = "linux")]
pub(super) fn is_jvm(leader: i32, port: u16) -> bool {
    use procfs::process::MMapPath;

    let maps = listener(leader, port).and_then(|process| process.maps().ok());
    let is_of_jvm = |path: &MMapPath| matches!(path, MMapPath::Path(path) if path.ends_with("libjvm.so"));
    maps.is_some_and(|maps| maps.into_iter().any(|map| is_of_jvm(&map.pathname)))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_jvm(_leader: i32, _port: u16) -> bool {
    false
}

/// Resident memory in bytes of the group led by process `leader`, and of what left that group.
#[cfg(target_os = "linux")]
pub(super) fn memory(leader: i32) -> Option<u64> {
    use procfs::WithCurrentSystemInfo as _;

    let bytes = family(leader).into_iter().filter_map(|process| Some(process.stat().ok()?.rss_bytes().get()));
    Some(bytes.sum()).filter(|bytes| *bytes > 0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn memory(_leader: i32) -> Option<u64> {
    None
}

/// The processes of the group, and their descendants wherever they are.
#[cfg(target_os = "linux")]
pub(super) fn family(leader: i32) -> Vec<procfs::process::Process> {
    let all = procfs::process::all_processes().into_iter().flatten().flatten();
    let mut others: Vec<_> = all.filter_map(|process| process.stat().ok().map(|stat| (process, stat))).collect();
    let mut found = Vec::new();
    let mut pids = BTreeSet::from([leader]);
    loop {
        let (family, rest): (Vec<_>, Vec<_>) = others
            .into_iter()
            .partition(|(_, stat)| pids.contains(&stat.pid) || stat.pgrp == leader || pids.contains(&stat.ppid));
        if family.is_empty() {
            return found;
        }
        pids.extend(family.iter().map(|(_, stat)| stat.pid));
        found.extend(family.into_iter().map(|(process, _)| process));
        others = rest;
    }
}

/// Elsewhere nobody is asked, and the port that was given is what counts.
#[cfg(not(target_os = "linux"))]
fn sockets(_leader: i32) -> BTreeSet<u64> {
    BTreeSet::new()
}

#[cfg(not(target_os = "linux"))]
fn ports_of(_sockets: &BTreeSet<u64>) -> BTreeSet<u16> {
    BTreeSet::new()
}

/// Whether what listens on `port` answers like an HTTP server, encrypted or not.
pub(super) fn speaks_http(port: u16) -> bool {
    use std::io::{Read, Write};

    let Ok(mut stream) = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), LOOK_LIMIT) else { return false };
    let limited = stream.set_read_timeout(Some(LOOK_LIMIT)).and_then(|()| stream.set_write_timeout(Some(LOOK_LIMIT)));
    let asked = limited.and_then(|()| stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"));
    let mut answer = [0; 5];
    asked.and_then(|()| stream.read_exact(&mut answer)).is_ok() && &answer == b"HTTP/"
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::TcpListener;

    use super::{FRESH_LOOKS, Looks, SELDOM, speaks_http};

    #[test]
    fn the_ports_of_a_process_are_found_and_what_is_no_http_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("a bound address").port();
        let own = i32::try_from(std::process::id()).expect("process ids are small");
        let mut looks = Looks::default();
        assert!(looks.ports(own).contains(&port));
        let server = std::thread::spawn(move || drop(listener.accept()));
        assert!(!speaks_http(port));
        server.join().expect("the server ends");
        assert!(!looks.ports(own).contains(&port));
        let later = TcpListener::bind("127.0.0.1:0").expect("a free port");
        assert!(looks.ports(own).contains(&later.local_addr().expect("a bound address").port()));
    }

    #[test]
    fn which_sockets_listen_is_asked_while_they_are_new_and_then_seldom() {
        let mut looks = Looks::default();
        let mut n_due = |sockets: &[u64], n: u64| (0..n).filter(|_| looks.is_due(sockets.iter().copied().collect())).count();
        let n = FRESH_LOOKS + 10 * SELDOM;
        let wanted = usize::try_from(FRESH_LOOKS + 10).expect("few");
        for sockets in [&[1_u64, 2][..], &[1, 2, 3], &[1, 2]] {
            assert_eq!(n_due(sockets, n), wanted, "{sockets:?}");
        }
    }
}
