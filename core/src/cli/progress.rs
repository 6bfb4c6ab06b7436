//! Progress while a run is under way: one moving line on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report::{count, grouped, printable};
use crate::search::Budget;

/// Time between two changes of the moving line.
const REDRAW: Duration = Duration::from_millis(100);

/// Time between two plain lines at the start.
const MIN_PAUSE: Duration = Duration::from_secs(5);

/// Time between two plain lines of a long run: one overnight fills no log.
const MAX_PAUSE: Duration = Duration::from_mins(1);

/// The state of a run at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// What is being done: `exploring`, `focused`.
    pub phase: &'a str,
}

/// Shows snapshots on standard error.
#[derive(Debug)]
pub struct Progress {
    output: Output,
    budget: Budget,
    started: Instant,
    /// Time since the start at which the next line is due.
    next_at: Duration,
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
        let next_at = if matches!(output, Output::Line(_)) { Duration::ZERO } else { MIN_PAUSE };
        Self { output, budget, started: Instant::now(), next_at }
    }

    /// Shows a snapshot when it is time for one; cheap enough to be called for every HTTP call, for it is taken only then.
    pub fn update<'s>(&mut self, snapshot: impl FnOnce() -> Snapshot<'s>) {
        if self.is_due(self.started.elapsed()) {
            let snapshot = snapshot();
            self.show(&describe(&snapshot, self.budget), spent(&snapshot, self.budget));
        }
    }

    /// Says what is done after the search.
    pub fn phase(&self, phase: &str) {
        self.show(phase, 1.0);
    }

    /// Shows what is done after the search when it is time for that.
    pub fn work(&mut self, text: impl FnOnce() -> String) {
        if self.is_due(self.started.elapsed()) {
            self.show(&text(), 1.0);
        }
    }

    /// Takes the moving line away; plain lines stay.
    pub fn finish(&self) {
        if let Output::Line(bar) = &self.output {
            bar.finish_and_clear();
        }
    }

    /// Shows a message between progress lines, for example a warning; a quiet run shows it too.
    pub fn note(&self, message: &str) {
        let message = printable(message);
        match &self.output {
            Output::Line(bar) => bar.suspend(|| eprint_line(&message)),
            Output::Plain | Output::Quiet => eprint_line(&message),
        }
    }

    /// Whether it is time for a line `elapsed` after the start; if so, the time for the next one is set.
    fn is_due(&mut self, elapsed: Duration) -> bool {
        if elapsed < self.next_at || matches!(self.output, Output::Quiet) {
            return false;
        }
        let pause = match self.output {
            Output::Line(_) => REDRAW,
            Output::Plain | Output::Quiet => (elapsed / 20).clamp(MIN_PAUSE, MAX_PAUSE),
        };
        self.next_at = elapsed + pause;
        true
    }

    fn show(&self, text: &str, spent: f64) {
        match &self.output {
            Output::Line(bar) => {
                bar.set_message(text.to_owned());
                // In thousandths of the budget.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value lies in 0..=1000")]
                bar.set_position((spent.clamp(0.0, 1.0) * 1000.0) as u64);
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
    // A bar would take the room of the numbers.
    let style = ProgressStyle::with_template("{percent:>3}% {wide_msg}");
    bar.set_style(style.expect("the template is fixed"));
    bar
}

fn eprint_line(text: &str) {
    // A closed standard error is no reason to stop a run.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// `1,234 calls, 160/s, 2 faults, 12s left, 12 of 40 operations 2xx, 140 targets, exploring`: what a narrow terminal cuts off
/// is what matters least.
fn describe(snapshot: &Snapshot, budget: Budget) -> String {
    let seconds = snapshot.elapsed.as_secs_f64();
    let rate = if seconds > 0.0 { snapshot.calls as f64 / seconds } else { 0.0 };
    format!(
        "{}, {rate:.0}/s, {}{}, {} of {} 2xx, {}, {}",
        count(snapshot.calls, "call", "calls"),
        count(snapshot.findings as u64, "fault", "faults"),
        left(snapshot, budget),
        snapshot.operations_2xx,
        count(snapshot.operations as u64, "operation", "operations"),
        count(snapshot.targets as u64, "target", "targets"),
        snapshot.phase,
    )
}

/// Share of the budget that is spent, in [0, 1].
fn spent(snapshot: &Snapshot, budget: Budget) -> f64 {
    let share = match budget {
        Budget::Calls(calls) => snapshot.calls as f64 / calls.max(1) as f64,
        Budget::Time(time) => snapshot.elapsed.as_secs_f64() / time.as_secs_f64().max(f64::MIN_POSITIVE),
    };
    share.min(1.0)
}

fn left(snapshot: &Snapshot, budget: Budget) -> String {
    match budget {
        _ if spent(snapshot, budget) >= 1.0 => String::new(),
        Budget::Time(time) => format!(", {} left", clock(time.saturating_sub(snapshot.elapsed))),
        // Before the first calls nothing is known about their speed.
        Budget::Calls(calls) if snapshot.calls < 10 => format!(", {} calls left", grouped(calls - snapshot.calls)),
        Budget::Calls(calls) => {
            let seconds = snapshot.elapsed.as_secs_f64() * (calls - snapshot.calls) as f64 / snapshot.calls as f64;
            let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            format!(", about {} left", clock(time))
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

    use super::{Output, Progress, Snapshot, clock, describe, moving_line, spent};
    use crate::search::Budget;

    fn snapshot(seconds: u64, calls: u64) -> Snapshot<'static> {
        Snapshot {
            calls,
            elapsed: Duration::from_secs(seconds),
            targets: 140,
            operations_2xx: 12,
            operations: 40,
            findings: 1,
            phase: "exploring",
        }
    }

    #[test]
    fn a_line_says_how_far_the_run_is() {
        let line = describe(&snapshot(10, 1600), Budget::Time(Duration::from_secs(75)));
        assert_eq!(line, "1,600 calls, 160/s, 1 fault, 1m05s left, 12 of 40 operations 2xx, 140 targets, exploring");
        let line = describe(&snapshot(10, 1000), Budget::Calls(2000));
        assert!(line.contains(", about 10s left, "), "{line}");
        let line = describe(&snapshot(0, 0), Budget::Calls(2000));
        assert!(line.contains(", 2,000 calls left, "), "{line}");
        let line = describe(&snapshot(10, 2003), Budget::Calls(2000));
        assert!(!line.contains("left"), "{line}");
    }

    #[test]
    fn a_terminal_of_80_columns_shows_what_matters() {
        let line = format!("100% {}", describe(&snapshot(10, 16_000), Budget::Time(Duration::from_hours(2))));
        assert!(line[..80].contains("12 of 40 operations 2xx"), "{line}");
    }

    #[test]
    fn the_share_of_the_budget_never_passes_one() {
        let budgets = [Budget::Calls(200), Budget::Calls(50), Budget::Time(Duration::from_secs(40))];
        let percent = budgets.map(|budget| format!("{:.0} %", 100.0 * spent(&snapshot(10, 100), budget)));
        assert_eq!(percent, ["50 %", "100 %", "25 %"]);
    }

    #[test]
    fn plain_lines_come_at_growing_intervals() {
        let mut progress = Progress::with_output(Output::Plain, Budget::Calls(2000));
        let shown: Vec<u64> = (0..4000).filter(|second| progress.is_due(Duration::from_secs(*second))).collect();
        assert_eq!(shown[..4], [5, 10, 15, 20]);
        let pauses: Vec<u64> = shown.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(pauses.is_sorted() && pauses.last() == Some(&60), "{pauses:?}");
    }

    #[test]
    fn a_quiet_run_shows_nothing() {
        let mut progress = Progress::new(Budget::Calls(2000), true);
        assert!((0..100).all(|second| !progress.is_due(Duration::from_secs(second))));
    }

    #[test]
    fn an_update_that_shows_nothing_costs_next_to_nothing() {
        let mut progress = Progress::with_output(Output::Line(moving_line()), Budget::Calls(2000));
        let mut taken = 0;
        let start = Instant::now();
        for calls in 0..100_000 {
            progress.update(|| {
                taken += 1;
                snapshot(1, calls)
            });
        }
        let elapsed = start.elapsed();
        // 10 microseconds a call would still be little beside an HTTP call; it takes a hundredth of that.
        assert!(elapsed < Duration::from_secs(1), "{elapsed:?}");
        assert!(taken <= 1 + elapsed.as_millis() / 100, "{taken}");
    }

    #[test]
    fn the_moving_line_disappears_at_the_end() {
        let mut progress = Progress::with_output(Output::Line(moving_line()), Budget::Calls(10));
        progress.update(|| snapshot(1, 5));
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
