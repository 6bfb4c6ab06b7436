//! Processor time of a thread, by which waits for other threads are bounded.
//!
//! By the clock a bound says nothing where a machine is busy: the thread that is waited for may not have run at all. While this
//! one was given so much of a processor, others that could run were given about as much.

use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};

/// Since when, in processor time of the thread that asks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProcessorTime {
    begun: Timespec,
}

impl ProcessorTime {
    /// From now on.
    pub fn begin() -> Self {
        Self { begun: clock_gettime(ClockId::ThreadCPUTime) }
    }

    /// How long this thread has run since then; to be asked by the thread that began.
    pub fn elapsed(self) -> Duration {
        // It never runs backwards for one thread.
        (clock_gettime(ClockId::ThreadCPUTime) - self.begun).try_into().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_time_in_which_the_thread_runs_counts() {
        const AT_REST: Duration = Duration::from_millis(50);
        let time = ProcessorTime::begin();
        std::thread::sleep(AT_REST);
        assert!(time.elapsed() < AT_REST);
        while time.elapsed() < AT_REST {
            std::hint::black_box(0);
        }
    }
}
