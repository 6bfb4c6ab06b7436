//! The `restive` command.
fn main() {}
