//! The runtime behind the blocking facade.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::{Instant, timeout_at};

use crate::exec::{Error, Stop};

use super::Failure;

/// How often a call looks whether it should end early.
const GLANCE: Duration = Duration::from_millis(50);

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

    /// Runs `work` to its end, until `limit` is over, or until stopping is asked for.
    pub(crate) fn run<T>(
        &self,
        limit: Duration,
        stop: &Stop,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let runtime = self.0.as_ref().expect("the runtime lives until it is dropped");
        runtime.block_on(async {
            let end = Instant::now() + limit;
            let mut work = pin!(work);
            loop {
                let now = Instant::now();
                if let Ok(done) = timeout_at((now + GLANCE).min(end), work.as_mut()).await {
                    return done;
                }
                if stop.is_requested() {
                    return Err(Failure::stopped());
                }
                if Instant::now() >= end {
                    return Err(Failure::timed_out());
                }
            }
        })
    }
}

impl Drop for Blocking {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
