//! The keeper's HTTP interface, on a loopback port, for whoever has its token.
//!
//! | call | answer |
//! | --- | --- |
//! | `GET /status` | [`Status`](super::Status) |
//! | `POST /restart`, `POST /reset`, `POST /stop` | [`Done`](super::Done) once it is done, or 503 with [`Failed`] |
//!
//! A `Host` that is not this machine is refused with 403: a page in a browser that has its own name resolved to
//! 127.0.0.1 sends that name. Without the token everything is answered 401, also what is not there.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use restive_driver_protocol::Token;
use tokio::sync::oneshot;

use super::{Failed, Order, SharedStatus, Wish};

/// How long calls in progress may take to end once nobody listens any more.
const GRACE: Duration = Duration::from_secs(2);
/// How often it is looked whether they have.
const GLANCE: Duration = Duration::from_millis(10);

/// The interface, listening in a thread of its own.
#[derive(Debug)]
pub struct Listening {
    /// Where.
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Listening {
    /// Ends it; calls in progress get their answers, unless they take long.
    pub fn end(self) {
        // Without a receiver the thread has ended already.
        let _ = self.stop.send(());
        let began = Instant::now();
        while !self.thread.is_finished() && began.elapsed() < GRACE {
            thread::sleep(GLANCE);
        }
    }
}

/// What the handlers share.
#[derive(Debug, Clone)]
struct Shared {
    token: Token,
    orders: Sender<Order>,
    status: SharedStatus,
}

/// Answers calls at `listener` for whoever has `token`; wishes go to `orders`.
///
/// # Errors
/// When the system gives no thread or refuses the listener.
pub fn listen(listener: TcpListener, token: Token, orders: Sender<Order>, status: SharedStatus) -> std::io::Result<Listening> {
    let address = listener.local_addr()?;
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (stop, stopped) = oneshot::channel();
    let router = router(Shared { token, orders, status });
    let serve = async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, router).with_graceful_shutdown(async { drop(stopped.await) }).await
    };
    // The listener is sound; what a connection does wrong ends that connection alone.
    let thread = thread::Builder::new().name("interface".to_owned()).spawn(move || drop(runtime.block_on(serve)))?;
    Ok(Listening { address, stop, thread })
}

fn router(shared: Shared) -> Router {
    Router::new()
        .route("/status", get(status))
        .route("/restart", post(restart))
        .route("/reset", post(reset))
        .route("/stop", post(stop))
        .fallback(async || {
            refusal(StatusCode::NOT_FOUND, "there is no such path", "GET /status, POST /restart, /reset or /stop")
        })
        .method_not_allowed_fallback(async || {
            refusal(StatusCode::METHOD_NOT_ALLOWED, "not by this method", "GET /status, POST /restart, /reset or /stop")
        })
        .layer(middleware::from_fn_with_state(shared.clone(), guard))
        .with_state(shared)
}

/// Lets through who names this machine and has the token.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !names_this_machine(headers) {
        let hint = "call it by 127.0.0.1 or localhost";
        return refusal(StatusCode::FORBIDDEN, "the `Host` of the call is not this machine", hint);
    }
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let is_known = given.and_then(bearer).is_some_and(|given| shared.token.is(given));
    if !is_known {
        let error = if given.is_none() { "the call has no token" } else { "the token is another" };
        let mut refusal = refusal(StatusCode::UNAUTHORIZED, error, "send `Authorization: Bearer TOKEN`");
        refusal.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
        return refusal;
    }
    next.run(request).await
}

/// The token of an `Authorization` field; the scheme may be spelled in any case.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn names_this_machine(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let Ok(host) = host.to_str() else { return false };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || name.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback())
}

async fn status(State(shared): State<Shared>) -> Response {
    Json(shared.status.now()).into_response()
}

async fn restart(State(shared): State<Shared>) -> Response {
    ask(shared, Wish::Restart).await
}

async fn reset(State(shared): State<Shared>) -> Response {
    ask(shared, Wish::Reset).await
}

async fn stop(State(shared): State<Shared>) -> Response {
    ask(shared, Wish::Stop).await
}

/// Hands in a wish and waits until it is carried out.
async fn ask(shared: Shared, wish: Wish) -> Response {
    let (reply, answer) = oneshot::channel();
    // Who stops listening to orders drops their replies.
    let _ = shared.orders.send(Order { wish, reply });
    match answer.await {
        Ok(Ok(done)) => Json(done).into_response(),
        Ok(Err(failed)) => (StatusCode::SERVICE_UNAVAILABLE, Json(failed)).into_response(),
        Err(_) => refusal(StatusCode::SERVICE_UNAVAILABLE, "the service is being stopped", "start it again"),
    }
}

fn refusal(status: StatusCode, error: &str, hint: &str) -> Response {
    (status, Json(Failed { error: error.to_owned(), hint: Some(hint.to_owned()) })).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_hosts() {
        let named = |hosts: &[&str]| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, host.parse().expect("a field value"));
            }
            names_this_machine(&headers)
        };
        for host in ["127.0.0.1:4000", "127.0.0.1", "localhost:4000", "LocalHost", "[::1]:4000", "127.8.8.8"] {
            assert!(named(&[host]), "{host}");
        }
        for host in
            ["evil.example", "evil.example:4000", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", "", "[::2]"]
        {
            assert!(!named(&[host]), "{host}");
        }
        assert!(!named(&[]) && !named(&["localhost", "evil.example"]));
    }

    #[test]
    fn a_token_stands_behind_its_scheme() {
        assert_eq!((bearer("Bearer abc"), bearer("bearer abc ")), (Some("abc"), Some("abc")));
        assert_eq!((bearer("Basic abc"), bearer("abc"), bearer("")), (None, None, None));
    }
}
