//! The tests, in one program: they share the service and take turns.

mod faults;
mod other;
mod successes;
