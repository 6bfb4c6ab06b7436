//! Ctrl-C: the first one asks the search to stop and write what there is, the second ends the process at once.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::exec::{Killer, Stop};

use super::{CliError, Exit};

/// What a shell reports for a process ended by Ctrl-C; not one of our codes because nothing was finished.
const ENDED_BY_INTERRUPT: i32 = 130;

/// The watch for Ctrl-C.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    stop: Stop,
    killer: Arc<Mutex<Option<Killer>>>,
    /// Whether there is something to write already.
    has_results: Arc<AtomicBool>,
}

impl Interrupt {
    /// Watches for Ctrl-C (and a request to terminate); one watch per process.
    pub fn watch() -> Result<Self, CliError> {
        let interrupt = Self::default();
        let asked = interrupt.clone();
        ctrlc::set_handler(move || asked.ask())
            .map_err(|error| CliError::environment(format!("cannot watch for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    /// The wish to stop, for everything that waits.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Has a second Ctrl-C end the service too.
    pub fn kill_on_second(&self, killer: Killer) {
        *self.killer.lock().unwrap_or_else(PoisonError::into_inner) = Some(killer);
    }

    /// From now on there is something to write.
    pub fn search_begins(&self) {
        self.has_results.store(true, Ordering::Relaxed);
    }

    /// What a run is told that was stopped before its search began.
    pub fn stopped_early() -> CliError {
        let error = CliError { exit: Exit::Incomplete, message: "stopped before the search began".to_owned(), hint: None };
        error.hint("nothing was found and nothing is written; the same command starts over")
    }

    fn ask(&self) {
        if self.stop.is_requested() {
            if let Some(killer) = &*self.killer.lock().unwrap_or_else(PoisonError::into_inner) {
                killer.kill();
            }
            std::process::exit(ENDED_BY_INTERRUPT);
        }
        self.stop.request();
        // A closed standard error must not keep us from stopping.
        let _ = std::io::stderr().write_all(self.note().as_bytes());
    }

    fn note(&self) -> &'static str {
        if self.has_results.load(Ordering::Relaxed) {
            "\nstopping: results are being written; press Ctrl-C again to end at once without them\n"
        } else {
            "\nstopping; press Ctrl-C again to end at once\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Interrupt;

    #[test]
    fn the_first_ctrl_c_only_asks() {
        let interrupt = Interrupt::default();
        let stop = interrupt.stop();
        assert!(!stop.is_requested());
        interrupt.ask();
        assert!(stop.is_requested());
    }

    #[test]
    fn results_are_promised_only_when_there_are_some() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.note().contains("results"));
        interrupt.search_begins();
        assert!(interrupt.note().contains("results"));
    }
}
