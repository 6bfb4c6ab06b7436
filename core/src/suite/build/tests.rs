//! Suites made from results.
