//! Processor time of processes, as Linux counts it.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};

/// Length of a tick of `/proc/PID/stat`: 10 ms wherever Linux runs today (`USER_HZ`).
const TICK: Duration = Duration::from_millis(10);

/// What the threads of a process spent so far, in the system too (`proc(5)`, fields `utime` and `stime`).
///
/// # Errors
/// When there is no such process, or the system is not Linux.
pub fn processor_time(process: u32) -> Result<Duration> {
    let path = format!("/proc/{process}/stat");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read `{path}`"))?;
    ticks(&text).map(|ticks| TICK * ticks).with_context(|| format!("`{path}` does not look as expected"))
}

fn ticks(stat: &str) -> Option<u32> {
    // The name, in parentheses, may hold anything.
    let (_, after_name) = stat.rsplit_once(") ")?;
    let mut fields = after_name.split(' ').skip(11);
    let mut next = || fields.next()?.parse::<u32>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn a_name_may_hold_blanks_and_parentheses() {
        let stat = "12 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 150 25 0 0";
        assert_eq!(ticks(stat), Some(175));
        assert_eq!(ticks("12 (a"), None);
    }
}
