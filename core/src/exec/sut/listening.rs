//! On which ports a process and everything it started really listen.
//!
//! A service may take its port from a place that nobody looked at; the system knows. Only Linux is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::jar::JvmCommand;

use super::family::Family;

/// How long a look at whether a port speaks HTTP may take.
const LOOK_LIMIT: Duration = Duration::from_millis(500);
/// Where servers of the JVM listen unless they are told otherwise.
const USUAL_PORT: u16 = 8080;

/// How long after a look one that did not is left alone: it may be of another protocol, or of a server that is not up yet.
const LOOK_PAUSE: Duration = Duration::from_millis(1500);

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
    /// The ports that the processes of `family` listen on. A socket that listens long after it was made may be seen some looks
    /// later.
    pub(super) fn ports(&mut self, family: &Family) -> BTreeSet<u16> {
        let sockets = sockets(family);
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

/// The sockets of the processes of `family`.
#[cfg(target_os = "linux")]
fn sockets(family: &Family) -> BTreeSet<u64> {
    family.processes().iter().flat_map(sockets_of).collect()
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

/// By what that of `family` was started which listens on `port`.
#[cfg(target_os = "linux")]
pub(super) fn command(family: &Family, port: u16) -> Option<JvmCommand> {
    use procfs::process::FDTarget;

    let process = listener(family, port)?;
    // The program of a JVM lies in `bin` of its folder, or in `jre/bin`.
    let own = process.exe().ok()?.parent()?.parent()?.to_owned();
    let files = process.fd().ok()?.flatten();
    let open = files.filter_map(|file| if let FDTarget::Path(path) = file.target { Some(path) } else { None });
    let open = Some(open.filter(|path| !path.starts_with(&own)).collect());
    Some(JvmCommand { words: process.cmdline().ok()?, folder: process.cwd().ok()?, open })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn command(_family: &Family, _port: u16) -> Option<JvmCommand> {
    None
}

#[cfg(target_os = "linux")]
fn listener(family: &Family, port: u16) -> Option<procfs::process::Process> {
    family.processes().into_iter().find(|process| ports_of(&sockets_of(process)).contains(&port))
}

/// Whether one of `family` that listens on `port` is a JVM.
#[cfg(target_os = "linux")]
pub(super) fn is_jvm(family: &Family, port: u16) -> bool {
    use procfs::process::MMapPath;

    let maps = listener(family, port).and_then(|process| process.maps().ok());
    let is_of_jvm = |path: &MMapPath| matches!(path, MMapPath::Path(path) if path.ends_with("libjvm.so"));
    maps.is_some_and(|maps| maps.into_iter().any(|map| is_of_jvm(&map.pathname)))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_jvm(_family: &Family, _port: u16) -> bool {
    false
}

/// Resident memory in bytes of the processes of `family`.
#[cfg(target_os = "linux")]
pub(super) fn memory(family: &Family) -> Option<u64> {
    use procfs::WithCurrentSystemInfo as _;

    let bytes = family.processes().into_iter().filter_map(|process| Some(process.stat().ok()?.rss_bytes().get()));
    Some(bytes.sum()).filter(|bytes| *bytes > 0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn memory(_family: &Family) -> Option<u64> {
    None
}

/// Elsewhere nobody is asked, and the port that was given is what counts.
#[cfg(not(target_os = "linux"))]
fn sockets(_family: &Family) -> BTreeSet<u64> {
    BTreeSet::new()
}

#[cfg(not(target_os = "linux"))]
fn ports_of(_sockets: &BTreeSet<u64>) -> BTreeSet<u16> {
    BTreeSet::new()
}

/// Looks again and again at which ports speak HTTP.
#[derive(Debug, Default)]
pub(super) struct Speakers {
    speaking: BTreeSet<u16>,
    /// When those that did not were asked last.
    silent: BTreeMap<u16, Instant>,
}

impl Speakers {
    /// Those of `ports` that speak HTTP: those of which it is known, and of which `speaks` says so `now`.
    pub(super) fn of(&mut self, ports: &BTreeSet<u16>, now: Instant, speaks: impl Fn(u16) -> bool + Sync) -> BTreeSet<u16> {
        let is_due = |port: &u16| self.silent.get(port).is_none_or(|asked| now.duration_since(*asked) >= LOOK_PAUSE);
        self.speaking.retain(|port| ports.contains(port));
        let asked: Vec<u16> = ports.difference(&self.speaking).copied().filter(is_due).collect();
        // One after the other, brokers with ports of many protocols would take seconds each time.
        let answers = thread::scope(|scope| {
            let looks: Vec<_> = asked.iter().map(|port| scope.spawn(|| speaks(*port))).collect();
            looks.into_iter().map(|look| look.join().unwrap_or(false)).collect::<Vec<bool>>()
        });
        for (port, speaks) in asked.into_iter().zip(answers) {
            if speaks {
                self.speaking.insert(port);
            } else {
                self.silent.insert(port, now);
            }
        }
        self.speaking.clone()
    }
}

/// The port that a service is most likely called at, of those at which it speaks HTTP: the usual one of servers of the JVM, else
/// the lowest, for servers that are there to be managed by are mostly above it.
pub(super) fn likeliest(speaking: &BTreeSet<u16>) -> Option<u16> {
    speaking.get(&USUAL_PORT).or(speaking.first()).copied()
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
    use std::collections::BTreeSet;
    use std::net::TcpListener;
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    use super::super::family::{Family, new_mark};
    use super::{FRESH_LOOKS, LOOK_PAUSE, Looks, SELDOM, Speakers, likeliest, speaks_http};

    #[test]
    fn the_ports_of_a_process_are_found_and_what_is_no_http_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("a bound address").port();
        let own = Family { leader: std::process::id().cast_signed(), mark: new_mark() };
        let mut looks = Looks::default();
        assert!(looks.ports(&own).contains(&port));
        let server = std::thread::spawn(move || drop(listener.accept()));
        assert!(!speaks_http(port));
        server.join().expect("the server ends");
        assert!(!looks.ports(&own).contains(&port));
        let later = TcpListener::bind("127.0.0.1:0").expect("a free port");
        assert!(looks.ports(&own).contains(&later.local_addr().expect("a bound address").port()));
    }

    #[test]
    fn ports_that_speak_http_are_known_and_others_are_left_alone_for_a_while() {
        let start = Instant::now();
        let mut speakers = Speakers::default();
        let mut found = |pause: Duration, ports: &[u16], speaking: &[u16]| {
            let asked = Mutex::new(BTreeSet::new());
            let speaks = |port| {
                asked.lock().expect("nobody panics").insert(port);
                speaking.contains(&port)
            };
            let found = speakers.of(&ports.iter().copied().collect(), start + pause, speaks);
            let asked = asked.into_inner().expect("nobody panics");
            [found, asked].map(|ports| ports.into_iter().collect::<Vec<u16>>())
        };
        let none: Vec<u16> = Vec::new();
        assert_eq!(found(Duration::ZERO, &[1, 2, 3], &[]), [none.clone(), vec![1, 2, 3]]);
        assert_eq!(found(LOOK_PAUSE / 2, &[1, 2, 3, 4], &[1, 4]), [vec![4], vec![4]], "the others were asked");
        assert_eq!(found(LOOK_PAUSE, &[1, 2, 4], &[2]), [vec![2, 4], vec![1, 2]]);
        assert_eq!(found(LOOK_PAUSE, &[1, 2], &[]), [vec![2], none], "it listens no more");
    }

    #[test]
    fn of_several_ports_the_usual_one_is_called_else_the_lowest() {
        let chosen = |ports: &[u16]| likeliest(&ports.iter().copied().collect());
        assert_eq!(chosen(&[4848, 8080, 9000]), Some(8080));
        assert_eq!(chosen(&[8443, 9000]), Some(8443));
        assert_eq!(chosen(&[]), None);
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
