//! Progress while a run is under way: one moving line on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report::{count, grouped, printable};
use crate::search::Budget;

/// Time between two changes of the moving line.
const REDRAW: Duration = Duration::from_millis(100);

/// Time between two plain lines at the start.
const MIN_PAUSE: Duration = Duration::from_secs(5);

/// Time between two plain lines of a long run: one overnight fills no log.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The state of a run at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Snapshot<'a> {
    /// HTTP calls so far.
    pub calls: u64,
    /// Time so far.
    pub elapsed: Duration,
    /// Covered targets.
    pub targets: usize,
    /// Operations that answered with 2xx.
    pub operations_2xx: usize,
    /// Operations in all.
    pub operations: usize,
    /// Findings so far.
    pub findings: usize,
    /// What is being done: `searching`, `focusing`, `minimising`, `confirming`.
    pub phase: &'a str,
    /// Share of the budget that is spent, in [0, 1].
    pub spent: f64,
}

/// Shows snapshots on standard error.
#[derive(Debug)]
pub struct Progress {
    output: Output,
    budget: Budget,
    next_at: Duration,
    phase: String,
}

#[derive(Debug)]
enum Output {
    Line(ProgressBar),
    Plain,
    Quiet,
}

impl Progress {
    /// Progress towards `budget`; nothing is shown when `quiet`.
    pub fn new(budget: Budget, quiet: bool) -> Self {
        let output = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Output::Quiet,
            (false, true) => Output::Line(moving_line()),
            (false, false) => Output::Plain,
        };
        Self::with_output(output, budget)
    }

    fn with_output(output: Output, budget: Budget) -> Self {
        let first = if matches!(output, Output::Line(_)) { Duration::ZERO } else { MIN_PAUSE };
        Self { output, budget, next_at: first, phase: String::new() }
    }

    /// Whether it is time for a line, so that a snapshot need not be taken in vain; a new phase is always worth one.
    pub fn is_due(&self, elapsed: Duration) -> bool {
        elapsed >= self.next_at && !matches!(self.output, Output::Quiet)
    }

    /// Takes note of a snapshot; cheap enough to be called for every HTTP call, most of which change nothing.
    pub fn update(&mut self, snapshot: &Snapshot) {
        if let Some(line) = self.due(snapshot) {
            self.show(&line, snapshot.spent);
        }
    }

    /// Takes the moving line away; plain lines stay.
    pub fn finish(&mut self) {
        if let Output::Line(bar) = &self.output {
            bar.finish_and_clear();
        }
    }

    /// Shows a message between progress lines, for example a warning.
    pub fn note(&self, message: &str) {
        let message = printable(message);
        match &self.output {
            Output::Line(bar) => bar.suspend(|| eprint_line(&message)),
            Output::Plain | Output::Quiet => eprint_line(&message),
        }
    }

    /// The text to show now, none when it is not yet time for one.
    fn due(&mut self, snapshot: &Snapshot) -> Option<String> {
        let is_new_phase = self.phase != snapshot.phase;
        let is_due = self.is_due(snapshot.elapsed);
        if matches!(self.output, Output::Quiet) || !(is_due || is_new_phase) {
            return None;
        }
        if is_new_phase {
            snapshot.phase.clone_into(&mut self.phase);
        }
        match self.output {
            Output::Line(_) => self.next_at = snapshot.elapsed + REDRAW,
            _ if is_due => self.next_at = snapshot.elapsed + (snapshot.elapsed / 20).clamp(MIN_PAUSE, MAX_PAUSE),
            // A new phase is worth a line but does not put off the next regular one.
            _ => {}
        }
        Some(describe(snapshot, self.budget))
    }

    fn show(&self, text: &str, spent: f64) {
        match &self.output {
            Output::Line(bar) => {
                // In thousandths of the budget; the value lies in 0..=1000.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value lies in 0..=1000")]
                bar.set_position((spent.clamp(0.0, 1.0) * 1000.0) as u64);
                bar.set_message(text.to_owned());
            }
            Output::Plain => eprint_line(text),
            Output::Quiet => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

fn moving_line() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template("{bar:20} {percent:>3}% {wide_msg}");
    bar.set_style(style.expect("the template is fixed").progress_chars("=> "));
    bar
}

fn eprint_line(text: &str) {
    // A closed standard error is no reason to stop a run.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// `1,234 calls, 160/s, 12 of 40 operations 2xx, 140 targets, 2 faults, searching, 12s left`.
fn describe(snapshot: &Snapshot, budget: Budget) -> String {
    let seconds = snapshot.elapsed.as_secs_f64();
    let rate = if seconds > 0.0 { snapshot.calls as f64 / seconds } else { 0.0 };
    format!(
        "{}, {rate:.0}/s, {} of {} 2xx, {}, {}, {}{}",
        count(snapshot.calls, "call", "calls"),
        snapshot.operations_2xx,
        count(snapshot.operations as u64, "operation", "operations"),
        count(snapshot.targets as u64, "target", "targets"),
        count(snapshot.findings as u64, "fault", "faults"),
        snapshot.phase,
        left(snapshot, budget),
    )
}

fn left(snapshot: &Snapshot, budget: Budget) -> String {
    if snapshot.spent >= 1.0 {
        return String::new();
    }
    match budget {
        Budget::Time(time) => format!(", {} left", clock(time.saturating_sub(snapshot.elapsed))),
        Budget::Calls(calls) => {
            let rest = calls.saturating_sub(snapshot.calls);
            let seconds = snapshot.elapsed.as_secs_f64() * rest as f64 / snapshot.calls.max(1) as f64;
            let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            // Before the first calls nothing is known about their speed.
            if snapshot.calls < 10 {
                format!(", {} calls left", grouped(rest))
            } else {
                format!(", about {} left", clock(time))
            }
        }
    }
}

/// `59s`, `4m05s`, `2h03m`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m{seconds:02}s"),
        (hours, minutes, _) => format!("{hours}h{minutes:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Output, Progress, Snapshot, clock, describe, moving_line};
    use crate::search::Budget;

    fn snapshot(seconds: u64, calls: u64) -> Snapshot<'static> {
        Snapshot {
            calls,
            elapsed: Duration::from_secs(seconds),
            targets: 140,
            operations_2xx: 12,
            operations: 40,
            findings: 1,
            phase: "searching",
            spent: 0.5,
        }
    }

    #[test]
    fn a_line_says_how_far_the_run_is() {
        let line = describe(&snapshot(10, 1600), Budget::Time(Duration::from_secs(75)));
        assert_eq!(line, "1,600 calls, 160/s, 12 of 40 operations 2xx, 140 targets, 1 fault, searching, 1m05s left");
        let line = describe(&snapshot(10, 1000), Budget::Calls(2000));
        assert!(line.ends_with("about 10s left"), "{line}");
        let line = describe(&snapshot(0, 0), Budget::Calls(2000));
        assert!(line.ends_with("2,000 calls left"), "{line}");
    }

    #[test]
    fn plain_lines_come_at_growing_intervals_and_at_each_phase() {
        let mut progress = Progress::with_output(Output::Plain, Budget::Calls(2000));
        progress.phase = "searching".to_owned();
        let shown: Vec<u64> = (0..4000).filter(|second| progress.due(&snapshot(*second, 100)).is_some()).collect();
        assert_eq!(shown[..4], [5, 10, 15, 20]);
        let pauses: Vec<u64> = shown.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(pauses.is_sorted() && pauses.last() == Some(&60), "{pauses:?}");
        let phase = Snapshot { phase: "confirming", ..snapshot(4000, 100) };
        assert!(progress.due(&phase).is_some());
        assert!(progress.due(&phase).is_none());
    }

    #[test]
    fn a_quiet_run_shows_nothing() {
        let mut progress = Progress::new(Budget::Calls(2000), true);
        assert!((0..100).all(|second| progress.due(&snapshot(second, 100)).is_none()));
    }

    #[test]
    fn an_update_that_shows_nothing_costs_next_to_nothing() {
        for output in [Output::Plain, Output::Line(moving_line())] {
            let mut progress = Progress::with_output(output, Budget::Calls(2000));
            progress.update(&snapshot(1, 1));
            let start = Instant::now();
            for calls in 0..100_000 {
                progress.update(&snapshot(1, calls));
            }
            // 10 microseconds a call would still be little beside an HTTP call; it takes a hundredth of that.
            assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        }
    }

    #[test]
    fn the_moving_line_disappears_at_the_end() {
        let mut progress = Progress::with_output(Output::Line(moving_line()), Budget::Calls(10));
        progress.update(&snapshot(1, 5));
        progress.note("a warning");
        progress.finish();
        let Output::Line(bar) = &progress.output else { panic!("a moving line") };
        assert!(bar.is_finished());
    }

    #[test]
    fn remaining_time_is_short() {
        let shown = [5, 245, 7384].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(shown, ["5s", "4m05s", "2h03m"]);
    }
}
