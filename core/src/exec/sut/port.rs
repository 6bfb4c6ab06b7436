//! The port of the service: chosen, looked at, awaited.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use url::Url;

use crate::exec::{Error, Stop};

use super::with_port;

/// Base URL of a started service when none is given.
pub(super) const USUAL_URL: &str = "http://127.0.0.1:{port}";

/// The same of one that turns out to speak TLS.
pub(super) const USUAL_TLS_URL: &str = "https://127.0.0.1:{port}";

/// How long to wait between two looks at a port.
const GLANCE: Duration = Duration::from_millis(20);

/// Ports below those that Linux (32768 to 60999) and macOS (from 49152) give to connections and to whoever wants any.
const UNGIVEN: Range<u16> = 20_000..32_000;

/// How far apart two processes begin that were started one after the other; shares no factor with the number of ports.
const SPREAD: u32 = 37;

/// Ports that are looked at before any will do.
const TRIES: u32 = 64;

/// Port and base URL of the service; `port` wins over that of `base_url`, a free one is taken when neither says.
pub(super) fn choose(port: Option<u16>, base_url: Option<&str>) -> Result<(u16, String), Error> {
    let fixed = base_url.filter(|url| !url.contains("{port}"));
    let of_url = fixed.and_then(|url| Url::parse(url).ok()).and_then(|url| url.port_or_known_default());
    let port = match port.or(of_url) {
        Some(port) => port,
        None => free()?,
    };
    Ok((port, with_port(base_url.unwrap_or(USUAL_URL), port)))
}

/// Whether something listens on `port` of this machine.
pub(super) fn is_taken(port: u16) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    // Binding notices listeners on other addresses too; connecting those that share the port.
    let bound = TcpListener::bind(address).map(drop);
    bound.is_err_and(|error| error.kind() == ErrorKind::AddrInUse)
        || TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok()
}

/// Waits up to `limit` until nothing listens on `port`; says whether that came.
pub(super) fn await_free(port: u16, limit: Duration, stop: &Stop) -> bool {
    let start = Instant::now();
    while is_taken(port) {
        if start.elapsed() > limit || !stop.sleep(GLANCE) {
            return false;
        }
    }
    true
}

/// A port that nothing listens on, where possible one that systems give to nobody: from choosing it until the service opens it
/// a JVM may take seconds, in which any connection of this machine could get one of the others.
fn free() -> Result<u16, Error> {
    static CHOSEN: AtomicU32 = AtomicU32::new(0);
    let span = u32::from(UNGIVEN.end - UNGIVEN.start);
    // Other processes that choose at the same time begin elsewhere.
    let first = std::process::id().wrapping_mul(SPREAD).wrapping_add(CHOSEN.fetch_add(1, Ordering::Relaxed));
    let candidates = (0..TRIES).map(|n| UNGIVEN.start + u16::try_from(first.wrapping_add(n) % span).unwrap_or(0));
    if let Some(port) = candidates.into_iter().find(|port| !is_taken(*port)) {
        return Ok(port);
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let port = listener.and_then(|listener| listener.local_addr()).map(|address| address.port());
    port.map_err(|error| Error::ClientSetup(format!("no free port: {error}")))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::{UNGIVEN, choose, is_taken};

    #[test]
    fn the_port_comes_from_the_settings_then_the_base_url_then_is_free() {
        let chosen = |port, url| choose(port, url).expect("a port");
        assert_eq!(chosen(Some(81), Some("http://localhost:{port}/api")), (81, "http://localhost:81/api".to_owned()));
        assert_eq!(chosen(Some(81), Some("http://localhost:90/")), (81, "http://localhost:90/".to_owned()));
        assert_eq!(chosen(None, Some("http://localhost:90/")).0, 90);
        assert_eq!(chosen(None, Some("https://localhost/")).0, 443);
        let (port, url) = chosen(None, None);
        assert_eq!(url, format!("http://127.0.0.1:{port}"));
        assert!(!is_taken(port));
    }

    #[test]
    fn a_port_that_is_chosen_is_given_to_nobody_else_and_chosen_once() {
        let [one, other] = [(); 2].map(|()| choose(None, None).expect("a port").0);
        assert!(UNGIVEN.contains(&one) && UNGIVEN.contains(&other) && one != other, "{one} {other}");
    }

    #[test]
    fn a_port_that_someone_listens_on_is_taken() {
        for address in ["127.0.0.1:0", "0.0.0.0:0"] {
            let listener = TcpListener::bind(address).expect("a free port");
            assert!(is_taken(listener.local_addr().expect("a bound address").port()));
        }
    }
}
