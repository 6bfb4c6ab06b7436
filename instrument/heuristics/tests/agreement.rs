//! Random inputs: Rust and Java come to the same distances, and these are 0 just when the call returns true, or returns.

#[path = "support/case.rs"]
mod case;
#[path = "support/draw.rs"]
mod draw;
#[path = "support/java.rs"]
mod java;
#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;
#[path = "support/program.rs"]
mod program;

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use restive_heuristics::{UNKNOWN, UNSURE};

/// How many calls are drawn.
const CALLS: usize = 4_000;

fn calls(rng_seed: u64) -> Vec<String> {
    let mut rng = ChaCha8Rng::seed_from_u64(rng_seed);
    (0..CALLS).map(|_| draw::call(&mut rng)).collect()
}

/// Whether what the call did goes with its distance.
fn is_plausible(call: &str, answer: java::Answer) -> bool {
    // Forms leave out rare ways to write what is returned; of long lists not every element is looked at.
    let lenient = call.starts_with("format") || call.starts_with("listContains") && call.split(' ').count() > 64;
    match answer.done {
        None => true,
        Some(false) => answer.distance > 0.0,
        Some(true) if call.starts_with("regex") => answer.distance == 0.0 || [UNSURE, UNKNOWN].contains(&answer.distance),
        Some(true) => lenient || answer.distance == 0.0,
    }
}

#[test]
fn both_sides_agree_on_random_inputs() {
    let calls = calls(5);
    let distances: Vec<f32> = calls.iter().map(|call| case::evaluate(call)).collect();
    let lines: Vec<&str> = calls.iter().map(String::as_str).collect();
    for jdk in jdk::all_or_skip() {
        let answers = java::evaluate(&jdk, &lines);
        assert_eq!(answers.len(), calls.len());
        let mut wrong = Vec::new();
        for ((call, distance), answer) in calls.iter().zip(&distances).zip(answers) {
            if !case::agree(*distance, answer.distance) {
                wrong.push(format!("{call}: {distance} in Rust, {} in Java", answer.distance));
            } else if !is_plausible(call, answer) {
                wrong.push(format!("{call}: {distance}, done: {:?}", answer.done));
            }
        }
        let shown: Vec<_> = wrong.iter().take(40).map(|line| line.chars().take(300).collect::<String>()).collect();
        assert!(wrong.is_empty(), "Java {}, {} of {CALLS}:\n{}", jdk.version, wrong.len(), shown.join("\n"));
    }
}

#[test]
fn drawn_calls_are_near_and_far() {
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for call in calls(5) {
        let distance = case::evaluate(&call);
        let name = call.split(' ').next().expect("a call has a name");
        let kind = if distance == UNKNOWN { 2 } else { usize::from(distance > UNSURE) };
        counts.entry(name.to_owned()).or_default()[kind] += 1;
    }
    assert!(counts.values().all(|[near, far, _]| *near > 0 && *far > 0), "{counts:?}");
}
