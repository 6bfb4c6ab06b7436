//! The user's wish to stop, seen by everything that waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a wait looks whether it should end early.
const GLANCE: Duration = Duration::from_millis(50);

/// A flag shared between the signal handler and the waits of the executor.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks everything to stop; cannot be taken back.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Waits for `duration`, less when stopping is asked for; says whether the whole time passed.
    pub fn sleep(&self, duration: Duration) -> bool {
        let start = Instant::now();
        loop {
            if self.is_requested() {
                return false;
            }
            let left = duration.saturating_sub(start.elapsed());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(GLANCE));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Stop;

    #[test]
    fn a_wait_ends_at_once_when_stopping_was_asked_for() {
        let stop = Stop::default();
        assert!(stop.sleep(Duration::from_millis(1)));
        stop.clone().request();
        assert!(!stop.sleep(Duration::from_hours(1)));
    }
}
