//! The `restive` command: parse, call, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    restive_core::cli::run(std::env::args_os()).into()
}
