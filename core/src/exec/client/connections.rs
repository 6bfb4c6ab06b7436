//! Counts the connections that the HTTP client opens, as a layer around its connector, and those that the service closes.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

/// Number of connections opened and closed so far, shared between the client and its connector.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connections(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    opened: AtomicU64,
    /// Those that the service closed after a complete answer, by the status of that.
    closed: Mutex<BTreeMap<u16, u64>>,
    /// Those that were closed by this side, because the service loses what comes next on such.
    given_up: AtomicU64,
}

impl Connections {
    /// Connections opened so far.
    pub(crate) fn opened(&self) -> u64 {
        self.0.opened.load(Ordering::Relaxed)
    }

    /// Counts one more.
    pub(crate) fn note(&self) {
        self.0.opened.fetch_add(1, Ordering::Relaxed);
    }

    /// Connections given up so far, because the service loses what comes next on such.
    pub(crate) fn given_up(&self) -> u64 {
        self.0.given_up.load(Ordering::Relaxed)
    }

    /// Counts one more that is given up.
    pub(crate) fn note_given_up(&self) {
        self.0.given_up.fetch_add(1, Ordering::Relaxed);
    }

    /// Connections that the service closed after an answer, by its status.
    pub(crate) fn closed(&self) -> BTreeMap<u16, u64> {
        self.0.closed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts one more that the service closed after an answer of this status.
    pub(crate) fn note_closed(&self, status: u16) {
        *self.0.closed.lock().unwrap_or_else(PoisonError::into_inner).entry(status).or_default() += 1;
    }
}

impl<S> Layer<S> for Connections {
    type Service = Counting<S>;

    fn layer(&self, connector: S) -> Counting<S> {
        Counting { connector, connections: self.clone() }
    }
}

/// A connector whose successes are counted.
#[derive(Debug, Clone)]
pub(crate) struct Counting<S> {
    connector: S,
    connections: Connections,
}

impl<S, Target> Service<Target> for Counting<S>
where
    S: Service<Target>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, target: Target) -> Self::Future {
        let connecting = self.connector.call(target);
        let connections = self.connections.clone();
        Box::pin(async move {
            let connection = connecting.await?;
            connections.note();
            Ok(connection)
        })
    }
}
