//! The vectors of `vectors/`, computed by hand from the formulas, in Rust and on each JDK.

#[path = "support/case.rs"]
mod case;
#[path = "support/java.rs"]
mod java;
#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;
#[path = "support/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use restive_heuristics::{UNKNOWN, UNSURE, closeness};

/// A line of a file: call, distance, and closeness where it is given.
struct Vector {
    place: String,
    call: String,
    distance: f32,
    closeness: Option<f64>,
}

fn vectors() -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the vectors are there").map(|entry| entry.expect("listable").path()).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        for (idx, line) in fs::read_to_string(&file).expect("readable").lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (call, expected) = line.rsplit_once(" => ").expect("a vector has a value");
            let (distance, closeness) = expected.split_once(" h ").unwrap_or((expected, ""));
            found.push(Vector {
                place: format!("{}:{}", file.file_name().expect("a file has a name").display(), idx + 1),
                call: call.to_owned(),
                distance: named_distance(distance),
                closeness: closeness.parse().ok(),
            });
        }
    }
    found
}

/// A distance in a vector: a number, or one of the two with a name.
fn named_distance(text: &str) -> f32 {
    match text {
        "unknown" => UNKNOWN,
        "unsure" => UNSURE,
        number => number.parse().expect("a number"),
    }
}

/// The vectors of which the distances are others, as lines to print.
fn wrong(vectors: &[Vector], distances: &[f32]) -> Vec<String> {
    assert_eq!(vectors.len(), distances.len());
    let pairs = vectors.iter().zip(distances).filter(|(vector, distance)| !case::agree(vector.distance, **distance));
    pairs.map(|(vector, distance)| format!("{} {} is {distance}, not {}", vector.place, vector.call, vector.distance)).collect()
}

#[test]
fn vectors_hold_in_rust() {
    let vectors = vectors();
    let distances: Vec<f32> = vectors.iter().map(|vector| case::evaluate(&vector.call)).collect();
    let wrong = wrong(&vectors, &distances);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for vector in &vectors {
        let Some(expected) = vector.closeness else { continue };
        assert!((closeness(vector.distance) - expected).abs() < 1e-9, "{}", vector.place);
    }
}

#[test]
fn vectors_hold_in_java() {
    let vectors = vectors();
    for jdk in jdk::all_or_skip() {
        let calls: Vec<&str> = vectors.iter().map(|vector| vector.call.as_str()).collect();
        let distances: Vec<f32> = java::evaluate(&jdk, &calls).into_iter().map(|answer| answer.distance).collect();
        let wrong = wrong(&vectors, &distances);
        assert!(wrong.is_empty(), "Java {}:\n{}", jdk.version, wrong.join("\n"));
    }
}

#[test]
fn each_function_has_at_least_five_vectors() {
    let mut counts = BTreeMap::new();
    for vector in vectors() {
        let mut words: Vec<&str> = vector.call.split(' ').collect();
        // Each form and each class of chars counts for itself.
        words.truncate(if ["format", "character"].contains(&words[0]) { 2 } else { 1 });
        *counts.entry(words.join(" ")).or_insert(0) += 1;
    }
    let few: Vec<_> = counts.iter().filter(|(_, count)| **count < 5).collect();
    assert!(few.is_empty(), "{few:?}");
    assert!(counts.len() >= 50, "{}", counts.len());
}
