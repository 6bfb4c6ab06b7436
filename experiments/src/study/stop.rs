//! The wish to stop: Ctrl-C or a request to terminate ends the runs under way, whose lines are not written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// Whether somebody wishes this process to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Watches for Ctrl-C and requests to terminate; one watch per process.
    pub fn watch() -> Result<Self> {
        let stop = Self::default();
        let asked = stop.clone();
        ctrlc::set_handler(move || asked.request()).context("cannot watch for Ctrl-C")?;
        Ok(stop)
    }

    /// Asks to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
