//! Follows the output of one process: to the log, to the last lines in memory, and looking for the ready line.

use std::collections::VecDeque;
use std::io::{PipeReader, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;

use super::lock;
use super::log::RotatingLog;

/// Lines kept in memory.
const MAX_LINES: usize = 40;
/// Characters kept of a line.
const MAX_LINE_CHARS: usize = 500;
/// Bytes of a line that are looked at; longer ones are cut into several.
const MAX_LINE_BYTES: usize = 16 * 1024;
/// Frames kept of each stack of a JVM, innermost ones: causes tell why a service ended, and frameworks call through hundreds.
const MAX_FRAMES: usize = 3;
/// How a line begins that a JVM prints about the variable that brings our agent in: it holds the secret of the run, and says
/// nothing about why a service ended.
const PICKED_UP: &str = "Picked up JAVA_TOOL_OPTIONS: ";
/// How long to wait for the rest of the output of a process that ended.
const MAX_REST: Duration = Duration::from_secs(1);

/// The output of one process, read by a thread of its own so that the process never waits for us.
#[derive(Debug)]
pub(crate) struct Output {
    tail: Arc<Mutex<Tail>>,
    reader: JoinHandle<()>,
}

/// What is kept of the output.
#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<String>,
    /// Frames of a stack that came last in a row.
    n_frames: usize,
    partial: Vec<u8>,
    ready_line: Option<String>,
    is_ready: bool,
}

impl Output {
    /// Reads `pipe` to its end, into `log`, where there is one, and into memory.
    pub(crate) fn follow(mut pipe: PipeReader, log: Option<Arc<Mutex<RotatingLog>>>, ready_line: Option<String>) -> Self {
        let tail = Arc::new(Mutex::new(Tail { ready_line, ..Tail::default() }));
        let shared = Arc::clone(&tail);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Some(bytes) = read_some(&mut pipe, &mut buffer) {
                if let Some(log) = &log {
                    lock(log).append(bytes);
                }
                lock_tail(&shared).take(bytes);
            }
            lock_tail(&shared).end_line();
        });
        Self { tail, reader }
    }

    /// Whether the ready line was printed.
    pub(super) fn is_ready(&self) -> bool {
        lock_tail(&self.tail).is_ready
    }

    /// The last lines, oldest first.
    pub(crate) fn last_lines(&self) -> Vec<String> {
        lock_tail(&self.tail).lines.iter().cloned().collect()
    }

    /// Waits until everything that a process which ended has printed is read.
    ///
    /// Bounded, because a grandchild that left the process group may hold the pipe open.
    pub(crate) fn finish(&self) {
        let start = Instant::now();
        while !self.reader.is_finished() && start.elapsed() < MAX_REST {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Tail {
    fn take(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.partial.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.partial.len() > MAX_LINE_BYTES {
                self.end_line();
            }
        }
        self.look_for_ready();
    }

    fn end_line(&mut self) {
        self.look_for_ready();
        let text = String::from_utf8_lossy(&self.partial);
        let text = text.trim_end_matches(['\n', '\r']);
        self.n_frames = if is_frame(text) { self.n_frames + 1 } else { 0 };
        if !text.is_empty() && !text.starts_with(PICKED_UP) && self.n_frames <= MAX_FRAMES {
            if self.lines.len() == MAX_LINES {
                self.lines.pop_front();
            }
            // Control characters could rewrite the terminal that shows the line.
            let plain = strip_str(text).to_string();
            let shown = plain.chars().take(MAX_LINE_CHARS);
            self.lines.push_back(shown.map(|c| if c.is_control() { ' ' } else { c }).collect());
        }
        self.partial.clear();
    }

    /// Looks at the line that is being printed too: some ready lines are prompts without an end.
    fn look_for_ready(&mut self) {
        if self.is_ready || self.partial.is_empty() {
            return;
        }
        self.is_ready = self.ready_line.as_deref().is_some_and(|text| String::from_utf8_lossy(&self.partial).contains(text));
    }
}

/// Whether a line is one of a stack as `Throwable.printStackTrace` writes it, or says how many are left out.
fn is_frame(line: &str) -> bool {
    let text = line.trim_start();
    let is_call = text.starts_with("at ") && text.contains('(');
    let is_rest = text.starts_with("... ") && (text.ends_with(" more") || text.ends_with(" frames omitted"));
    text.len() < line.len() && (is_call || is_rest)
}

fn read_some<'a>(pipe: &mut PipeReader, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    loop {
        match pipe.read(buffer) {
            Ok(0) => return None,
            Ok(n) => return Some(&buffer[..n]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

fn lock_tail(tail: &Mutex<Tail>) -> MutexGuard<'_, Tail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINES, Tail};

    #[test]
    fn the_ready_line_is_found_across_reads_and_without_a_line_end() {
        let mut tail = Tail { ready_line: Some("started on 80".to_owned()), ..Tail::default() };
        tail.take(b"booting\nservice star");
        assert!(!tail.is_ready);
        tail.take(b"ted on 80");
        assert!(tail.is_ready);
    }

    #[test]
    fn the_line_about_our_agent_is_not_kept() {
        let mut tail = Tail::default();
        tail.take(b"Picked up JAVA_TOOL_OPTIONS: -agentpath:/a.so=token=0f\nno licence\n");
        assert_eq!(tail.lines, ["no licence"]);
    }

    #[test]
    fn of_a_long_stack_its_causes_are_kept() {
        let mut tail = Tail::default();
        let frames = |text: &str, n: usize| {
            let frames: Vec<String> = (0..n).map(|idx| format!("\tat {text}.call{idx}(A.java:{idx})\n")).collect();
            frames.concat()
        };
        tail.take(format!("Exception: no bean\n{}Caused by: port 1 in use\n", frames("org.a", 60)).as_bytes());
        tail.take(format!("{}\t... 53 common frames omitted\nat last (it) ended\n", frames("b.<init>", 70)).as_bytes());
        let kept: Vec<&str> = tail.lines.iter().map(|line| line.trim_start()).collect();
        assert_eq!(kept.len(), 1 + 3 + 1 + 3 + 1, "{kept:?}");
        assert_eq!((kept[0], kept[1], kept[4]), ("Exception: no bean", "at org.a.call0(A.java:0)", "Caused by: port 1 in use"));
        assert_eq!(kept[8], "at last (it) ended");
    }

    #[test]
    fn only_the_last_lines_are_kept_and_none_of_them_is_long_or_harmful() {
        let mut tail = Tail::default();
        for line in 0..1000 {
            tail.take(format!("line {line}\n").as_bytes());
        }
        tail.take("é".repeat(100_000).as_bytes());
        tail.take(b"\x1b[2Jx\r\n\x1b[1;31mERROR\x1b[m no port\n");
        assert_eq!(tail.lines.iter().rev().take(2).collect::<Vec<_>>(), ["ERROR no port", "x"]);
        assert!(tail.lines.len() <= MAX_LINES && tail.partial.len() < 20_000);
        assert!(tail.lines.iter().all(|line| line.chars().count() <= 500 && !line.contains('\x1b')));
    }
}
