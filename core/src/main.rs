//! The `restive` command: parse, call, exit code.

use std::process::ExitCode;

/// Genes are many small values that live for one call: a third of the search was spent in the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    restive_core::cli::run(std::env::args_os()).into()
}
