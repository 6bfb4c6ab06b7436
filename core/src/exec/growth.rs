//! Whether a service needs more and more memory: looked at now and then in a long run, and judged when it ends.
//!
//! Garbage collectors and caches take memory and give it back late, so that what counts is the floor: the least that the
//! process had in each sixth of the time after it had warmed up. Only a floor that rises each time is growth.

use std::time::Duration;

/// Time between two looks, at first; where there are many they become rarer.
const STEP: Duration = Duration::from_secs(10);
/// Looks that are kept, at most.
const MAX_LOOKS: usize = 720;
/// Processes that ran for less are not judged.
const SHORTEST: Duration = Duration::from_mins(30);
/// Parts of the time whose floors are compared.
const N_PARTS: usize = 6;
/// Share of the time that a process is given for warming up.
const WARM_UP: f64 = 0.25;
/// How much higher each floor must be than the one before.
const RISE: f64 = 1.02;
/// How much higher the last one must be than the first, as a ratio and in bytes.
const GROWTH: f64 = 1.5;
const MIN_BYTES: u64 = 100 << 20;

/// The memory of one process of the service over time.
#[derive(Debug, Clone)]
pub struct MemoryWatch {
    /// Time and bytes, one look after the other.
    looks: Vec<(Duration, u64)>,
    step: Duration,
    /// Which life of the service it is about.
    life: u64,
    worst: Option<MemoryGrowth>,
}

/// A service that needs more and more memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryGrowth {
    /// What it had when it was warm, in bytes.
    pub from_bytes: u64,
    /// What it had at least at the end.
    pub to_bytes: u64,
    /// Time between the two.
    pub time: Duration,
}

impl Default for MemoryWatch {
    fn default() -> Self {
        Self { looks: Vec::new(), step: STEP, life: 0, worst: None }
    }
}

impl MemoryWatch {
    /// Whether it is time to look, `now`, at the process that runs after so many restarts.
    pub fn is_due(&mut self, now: Duration, life: u64) -> bool {
        if life != self.life {
            self.worst = self.growth();
            (self.looks, self.step, self.life) = (Vec::new(), STEP, life);
        }
        self.looks.last().is_none_or(|(last, _)| now >= *last + self.step)
    }

    /// Notes what was seen.
    pub fn note(&mut self, now: Duration, bytes: u64) {
        self.looks.push((now, bytes));
        if self.looks.len() > MAX_LOOKS {
            let mut keep = false;
            self.looks.retain(|_| {
                keep = !keep;
                keep
            });
            self.step *= 2;
        }
    }

    /// The growth of a process, if any has grown; the worst of all lives of the service.
    pub fn growth(&self) -> Option<MemoryGrowth> {
        self.now().into_iter().chain(self.worst).max_by_key(|growth| growth.to_bytes - growth.from_bytes)
    }

    fn now(&self) -> Option<MemoryGrowth> {
        let ((first, _), (last, _)) = (self.looks.first()?, self.looks.last()?);
        let warm = *first + last.saturating_sub(*first).mul_f64(WARM_UP);
        let looks: Vec<_> = self.looks.iter().filter(|(time, _)| *time >= warm).collect();
        let is_long = *last >= *first + SHORTEST && looks.len() >= 2 * N_PARTS;
        let parts = looks.chunks(looks.len().div_ceil(N_PARTS)).filter(|_| is_long);
        let floors: Vec<u64> = parts.filter_map(|part| part.iter().map(|(_, bytes)| *bytes).min()).collect();
        let rises = floors.windows(2).all(|pair| pair[1] as f64 > pair[0] as f64 * RISE);
        let (from_bytes, to_bytes) = (*floors.first()?, *floors.last()?);
        let is_much = to_bytes as f64 > from_bytes as f64 * GROWTH && to_bytes - from_bytes >= MIN_BYTES;
        (rises && is_much).then(|| MemoryGrowth { from_bytes, to_bytes, time: last.saturating_sub(warm) })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{MAX_LOOKS, MemoryGrowth, MemoryWatch};

    const MB: u64 = 1 << 20;

    /// What a watch makes of a process with so many megabytes at each second of some hours.
    fn watched(hours: u64, megabytes: impl Fn(u64) -> u64) -> MemoryWatch {
        let mut watch = MemoryWatch::default();
        for second in 0..hours * 3_600 {
            let now = Duration::from_secs(second);
            if watch.is_due(now, 0) {
                watch.note(now, megabytes(second) * MB);
            }
        }
        assert!(watch.looks.len() <= MAX_LOOKS);
        watch
    }

    fn growth(hours: u64, megabytes: impl Fn(u64) -> u64) -> Option<MemoryGrowth> {
        watched(hours, megabytes).growth()
    }

    #[test]
    fn a_floor_that_rises_all_the_time_is_growth() {
        let leak = growth(10, |second| 300 + second / 20 + second % 90).expect("it grows");
        assert!(leak.from_bytes > 700 * MB && leak.to_bytes > 1_800 * MB, "{leak:?}");
        assert!(leak.time > Duration::from_hours(7));
        assert!(growth(1, |second| 300 + second / 5).is_some());
    }

    #[test]
    fn what_is_taken_once_or_given_back_is_none() {
        assert_eq!(growth(10, |second| (300 + second / 3).min(2_000)), None, "a heap that fills up once");
        assert_eq!(growth(10, |second| 300 + second % 3_000), None, "a saw");
        assert_eq!(growth(10, |second| 300 + second / 1_000), None, "next to nothing");
        assert_eq!(growth(0, |_| 1), None, "nothing seen");
        let mut short = MemoryWatch::default();
        (0..200).for_each(|second| short.note(Duration::from_secs(second), second * 100 * MB));
        assert_eq!(short.growth(), None, "too short to tell");
    }

    #[test]
    fn each_life_of_the_service_is_judged_for_itself() {
        let mut watch = watched(2, |second| 300 + second / 5);
        let grown = watch.growth();
        assert!(grown.is_some() && watch.is_due(Duration::from_hours(2), 1));
        watch.note(Duration::from_hours(2), 10 * MB);
        assert_eq!(watch.growth(), grown, "the life before it is not forgotten");
    }
}
