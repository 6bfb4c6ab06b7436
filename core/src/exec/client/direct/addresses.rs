//! Where a server is: at an address, or at those that its name has.

use std::cell::RefCell;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use url::Host;

use crate::exec::Stop;
use crate::exec::client::Failure;
use crate::exec::client::base::BaseUrl;

use super::GLANCE;

/// The addresses of one server.
#[derive(Debug)]
pub(super) struct Addresses {
    /// None where the server is named by its address.
    name: Option<(String, u16)>,
    /// In the order in which they are tried; empty until the name was looked up.
    known: RefCell<Vec<SocketAddr>>,
}

impl Addresses {
    /// Those of the server of `base`; a name is looked up when it is first asked for.
    pub(super) fn of(base: &BaseUrl) -> Option<Self> {
        let port = base.port();
        let (name, known) = match base.url().host()? {
            Host::Ipv4(address) => (None, vec![(address, port).into()]),
            Host::Ipv6(address) => (None, vec![(address, port).into()]),
            Host::Domain(name) => (Some((name.to_owned(), port)), Vec::new()),
        };
        Some(Self { name, known: RefCell::new(known) })
    }

    /// At least one, in the order in which they are to be tried.
    pub(super) fn get(&self, end: Instant, stop: &Stop) -> Result<Vec<SocketAddr>, Failure> {
        let mut known = self.known.borrow_mut();
        if let Some(name) = self.name.as_ref().filter(|_| known.is_empty()) {
            *known = look_up(name, end, stop)?;
        }
        Ok(known.clone())
    }

    /// Notes that the server is at `address`, so that it is tried first from now on.
    pub(super) fn prefer(&self, address: SocketAddr) {
        // Nearly always it is the first one.
        let mut known = self.known.borrow_mut();
        if let Some(place) = known.iter().position(|known| *known == address) {
            known[..=place].rotate_right(1);
        }
    }

    /// Notes that the server is at none of them: its name may lead elsewhere by now.
    pub(super) fn forget(&self) {
        if self.name.is_some() {
            self.known.borrow_mut().clear();
        }
    }
}

/// The addresses of a host name; the system's own call for that cannot be ended early, so that a thread waits for it.
fn look_up((name, port): &(String, u16), end: Instant, stop: &Stop) -> Result<Vec<SocketAddr>, Failure> {
    let (told, heard) = mpsc::channel();
    let asked = (name.clone(), *port);
    thread::spawn(move || {
        // Nobody hears it when the time was over before.
        let _ = told.send(asked.to_socket_addrs().map(Iterator::collect::<Vec<_>>));
    });
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match heard.recv_timeout(left.min(GLANCE)) {
            Ok(Ok(found)) if !found.is_empty() => return Ok(found),
            Ok(_) | Err(RecvTimeoutError::Disconnected) => return Err(Failure::no_address()),
            Err(RecvTimeoutError::Timeout) if stop.is_requested() => return Err(Failure::stopped()),
            Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Failure::timed_out()),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::exec::client::FailureKind;

    fn addresses(base_url: &str) -> Addresses {
        Addresses::of(&BaseUrl::parse(base_url).expect("a valid URL")).expect("a URL with a host")
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(30)
    }

    #[test]
    fn an_address_is_known_and_a_name_is_looked_up() {
        for (base_url, expected) in [("http://192.0.2.1/api", "192.0.2.1:80"), ("http://[2001:db8::1]:81", "[2001:db8::1]:81")]
        {
            let addresses = addresses(base_url);
            addresses.forget();
            assert_eq!(addresses.get(Instant::now(), &Stop::default()).unwrap(), [expected.parse().unwrap()]);
        }
        let found = addresses("http://localhost:8080").get(soon(), &Stop::default()).unwrap();
        assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 8080), "{found:?}");
    }

    #[test]
    fn where_the_server_was_found_is_tried_first_until_it_is_gone() {
        let addresses = addresses("http://localhost");
        let all: Vec<SocketAddr> = (1..=3).map(|n| ([127, 0, 0, n], 80).into()).collect();
        addresses.known.replace(all.clone());
        addresses.prefer(all[2]);
        assert_eq!(addresses.get(soon(), &Stop::default()).unwrap(), [all[2], all[0], all[1]]);
        addresses.forget();
        let anew = addresses.get(soon(), &Stop::default()).unwrap();
        assert!(!anew.contains(&all[2]), "{anew:?}");
    }

    #[test]
    fn nobody_waits_for_a_name_longer_than_asked() {
        let (stop, over) = (Stop::default(), Instant::now());
        let failure = addresses("http://no-such-host.invalid").get(over, &stop).expect_err("it has no address");
        assert!(matches!(failure.kind, FailureKind::TimedOut | FailureKind::NameNotFound), "{failure:?}");
    }
}
