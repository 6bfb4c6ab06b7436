//! Ctrl-C: the first one asks the search to stop and write what there is, the second ends the process at once.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::CliError;

/// What a shell reports for a process ended by Ctrl-C; not one of our codes because nothing was finished.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Whether the user asked to stop.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches for Ctrl-C (and a request to terminate); `before_end` runs when the process ends at once, for example to
    /// stop a started service. One watch per process.
    pub fn watch(before_end: impl Fn() + Send + 'static) -> Result<Self, CliError> {
        let interrupt = Self::default();
        let asked = interrupt.clone();
        ctrlc::set_handler(move || {
            if asked.0.swap(true, Ordering::SeqCst) {
                before_end();
                std::process::exit(ENDED_BY_INTERRUPT);
            }
            let note = b"\nstopping: results are being written; press Ctrl-C again to end at once without them\n";
            // A closed standard error must not keep us from stopping.
            let _ = std::io::stderr().write_all(note);
        })
        .map_err(|error| CliError::environment(format!("cannot watch for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    /// Whether the user asked to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Asks to stop, as Ctrl-C does.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// The flag itself, for code that does not know the command line.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::Interrupt;

    #[test]
    fn the_flag_is_shared() {
        let interrupt = Interrupt::default();
        let flag = interrupt.flag();
        assert!(!interrupt.is_set());
        flag.store(true, Ordering::SeqCst);
        assert!(interrupt.clone().is_set());
    }
}
