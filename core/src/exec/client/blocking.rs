//! The runtime behind the blocking facade.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;
use tokio::time::{Instant, timeout_at};

use crate::exec::{Error, Stop};

use super::Failure;

/// How often a call looks whether it should end early.
const GLANCE: Duration = Duration::from_millis(50);

/// Turns of the runtime after which a request is on its way: one for the task of an open connection; opening one to this
/// machine takes two more, and one is to spare. A turn costs a look at the sockets.
const TURNS_TO_SEND: usize = 4;

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

    /// Runs `work` to its end, until `limit` is over, or until stopping is asked for; calls `meanwhile` as soon as `work`
    /// waits for an answer.
    pub(crate) fn run<T>(
        &self,
        limit: Duration,
        stop: &Stop,
        work: impl Future<Output = Result<T, Failure>>,
        meanwhile: &mut dyn FnMut(),
    ) -> Result<T, Failure> {
        let runtime = self.0.as_ref().expect("the runtime lives until it is dropped");
        runtime.block_on(async {
            let end = Instant::now() + limit;
            let mut work = pin!(beside(work, meanwhile));
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

/// Runs `work`, and `meanwhile` once it has sent what it sends.
async fn beside<T>(work: impl Future<Output = T>, meanwhile: &mut dyn FnMut()) -> T {
    let during = async {
        for _ in 0..TURNS_TO_SEND {
            yield_now().await;
        }
        meanwhile();
    };
    tokio::join!(work, during).0
}

impl Drop for Blocking {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
