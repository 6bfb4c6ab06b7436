//! The distance of a text of 100 chars to an expression of about 50 states.

use divan::{Bencher, black_box};
use restive_heuristics::regex::{How, Regex};
use restive_heuristics::units;

fn main() {
    divan::main();
}

/// An expression with about 50 states.
const ADDRESS: &str = "[a-z0-9._-]+@([a-z0-9-]+\\.)+(com|org|net|example|invalid|local|academy)";

#[divan::bench(args = [How::Whole, How::Part])]
fn distance(bencher: Bencher<'_, '_>, how: How) {
    let regex = Regex::read(&units(ADDRESS), 0).expect("the expression is one");
    assert!((45..=60).contains(&regex.n_states()), "{}", regex.n_states());
    let text = units(&"lorem ipsum dolor sit amet".repeat(4)[..100]);
    bencher.bench(|| regex.distance(black_box(&text), how));
}

#[divan::bench]
fn read() -> Option<Regex> {
    Regex::read(black_box(&units(ADDRESS)), 0)
}
