//! On which ports a process and everything it started really listen.
//!
//! A service may take its port from a place that nobody looked at; the system knows. Only Linux is asked.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// How long a look at whether a port speaks HTTP may take.
const LOOK_LIMIT: Duration = Duration::from_secs(2);

/// The ports that the group led by process `leader`, and what left that group, listens on.
#[cfg(target_os = "linux")]
pub(super) fn ports(leader: i32) -> BTreeSet<u16> {
    use procfs::net::TcpState;
    use procfs::process::FDTarget;

    let processes = family(leader);
    // A process that ends meanwhile listens on nothing.
    let files = processes.iter().filter_map(|process| process.fd().ok()).flatten().flatten();
    let sockets: BTreeSet<u64> =
        files.filter_map(|file| if let FDTarget::Socket(inode) = file.target { Some(inode) } else { None }).collect();
    let entries = procfs::net::tcp().into_iter().chain(procfs::net::tcp6()).flatten();
    let listening = entries.filter(|entry| entry.state == TcpState::Listen && sockets.contains(&entry.inode));
    listening.map(|entry| entry.local_address.port()).collect()
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
pub(super) fn ports(_leader: i32) -> BTreeSet<u16> {
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

    use super::{ports, speaks_http};

    #[test]
    fn the_ports_of_a_process_are_found_and_what_is_no_http_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("a bound address").port();
        let own = i32::try_from(std::process::id()).expect("process ids are small");
        assert!(ports(own).contains(&port));
        let server = std::thread::spawn(move || drop(listener.accept()));
        assert!(!speaks_http(port));
        server.join().expect("the server ends");
        assert!(!ports(own).contains(&port));
    }
}
