//! Pacing of calls for `--max-rate`: evenly spaced slots, no bursts.

use std::time::{Duration, Instant};

/// Hands out the moments at which calls may start.
#[derive(Debug)]
pub struct Rate {
    interval: Duration,
    next: Option<Instant>,
}

impl Rate {
    /// At most `calls_per_second` calls a second, which is above 0; none, or a value that is no rate, for no limit.
    pub fn new(calls_per_second: Option<f64>) -> Self {
        let interval = calls_per_second
            .filter(|rate| rate.is_finite() && *rate > 0.0)
            .and_then(|rate| Duration::try_from_secs_f64(1.0 / rate).ok())
            .unwrap_or(Duration::ZERO);
        Self { interval, next: None }
    }

    /// How long a call that is wanted at `now` has to wait; the slot is then taken.
    ///
    /// Slots that passed unused are lost, so that a pause is not followed by a burst.
    pub fn take(&mut self, now: Instant) -> Duration {
        if self.interval.is_zero() {
            return Duration::ZERO;
        }
        let slot = self.next.map_or(now, |next| next.max(now));
        self.next = slot.checked_add(self.interval);
        slot - now
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Rate;

    #[test]
    fn calls_are_spaced_evenly_and_a_pause_saves_nothing_up() {
        let mut rate = Rate::new(Some(10.0));
        let start = Instant::now();
        assert_eq!(rate.take(start), Duration::ZERO);
        assert_eq!(rate.take(start), Duration::from_millis(100));
        assert_eq!(rate.take(start), Duration::from_millis(200));
        let later = start + Duration::from_mins(1);
        assert_eq!(rate.take(later), Duration::ZERO);
        assert_eq!(rate.take(later), Duration::from_millis(100));
    }

    #[test]
    fn without_a_usable_rate_nothing_waits() {
        for rate in [None, Some(0.0), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY)] {
            let mut rate = Rate::new(rate);
            let now = Instant::now();
            assert!((0..5).all(|_| rate.take(now).is_zero()));
        }
    }
}
