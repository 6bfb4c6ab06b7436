//! The runtime behind the blocking facade.

use std::future::Future;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::exec::Error;

use super::Failure;

/// A current-thread runtime that is dropped without waiting for name look-ups under way.
///
/// One thread is measurably faster than a pool here: every call is awaited at once.
#[derive(Debug)]
pub(crate) struct Blocking(Option<Runtime>);

impl Blocking {
    /// A fresh runtime.
    pub(crate) fn new() -> Result<Self, Error> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        runtime.map(|runtime| Self(Some(runtime))).map_err(|error| Error::ClientSetup(error.to_string()))
    }

    /// Runs `work` to its end, or until `limit` is over.
    pub(crate) fn run<T>(&self, limit: Duration, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        let runtime = self.0.as_ref().expect("the runtime lives until it is dropped");
        runtime.block_on(async { tokio::time::timeout(limit, work).await.unwrap_or_else(|_| Err(Failure::timed_out())) })
    }
}

impl Drop for Blocking {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
