//! A panic is a bug in restive: it says so, says what to report, and ends with code 70.

use std::io::Write as _;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;

static RNG_SEED: OnceLock<u64> = OnceLock::new();

/// Keeps the seed of the run for a report.
pub fn remember_seed(rng_seed: u64) {
    // Only the first run of a process counts; there is one.
    let _ = RNG_SEED.set(rng_seed);
}

/// Makes every panic of the process print a report.
pub fn install() {
    std::panic::set_hook(Box::new(|panic| {
        // Nobody is left to tell when standard error is closed.
        let _ = std::io::stderr().lock().write_all(report(panic).as_bytes());
    }));
}

fn report(panic: &PanicHookInfo) -> String {
    let place = panic.location().map(|place| format!("{}:{}", place.file().replace('\\', "/"), place.line()));
    let message = panic.payload_as_str().unwrap_or("no message");
    let backtrace = std::backtrace::Backtrace::capture();
    let trace = match backtrace.status() {
        std::backtrace::BacktraceStatus::Captured => format!("{backtrace}\n"),
        _ => String::new(),
    };
    describe(message, place.as_deref(), RNG_SEED.get().copied()) + &trace
}

fn describe(message: &str, place: Option<&str>, rng_seed: Option<u64>) -> String {
    let seed = rng_seed.map_or_else(|| "none yet".to_owned(), |seed| seed.to_string());
    format!(
        "\nerror: this is a bug in restive: {message} at {}\n\
         hint: please report it with these lines and the schema if you can share it\n  \
         version {}, seed {seed}, {} {}\n",
        place.unwrap_or("an unknown place"),
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    )
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn a_report_has_what_is_needed_to_repeat_the_run() {
        let report = describe("index out of bounds", Some("core/src/gene.rs:7"), Some(42));
        for part in ["bug in restive", "index out of bounds", "core/src/gene.rs:7", "seed 42", env!("CARGO_PKG_VERSION")] {
            assert!(report.contains(part), "{report}");
        }
        assert!(describe("x", None, None).contains("seed none yet"));
    }
}
