//! Cost of the archive: offering an evaluation and picking an individual, at the sizes of a white-box run.

use std::time::Duration;

use divan::Bencher;
use restive_core::random::Random;
use restive_core::search::archive::Archive;
use restive_core::search::{Evaluation, Individual, PickOdds, SearchOdds, TargetId, TargetKind, Targets};

fn main() {
    divan::main();
}

/// An evaluation that reached `n_targets`, every tenth of them covered; `shift` moves the closeness of the others.
fn evaluation(n_targets: u32, shift: u32) -> Evaluation {
    let closeness = (0..n_targets).map(|id| {
        let closeness = if id % 10 == 0 { 1.0 } else { f64::from((id + shift) % 97 + 1) / 100.0 };
        (TargetId(id), closeness)
    });
    Evaluation {
        hints: Vec::new(),
        inputs: Vec::new(),
        individual: Individual::default(),
        results: Vec::new(),
        closeness: closeness.collect(),
        closest_calls: Vec::new(),
        findings: Vec::new(),
        deaths: Vec::new(),
        elapsed: Duration::ZERO,
    }
}

fn filled(n_targets: u32) -> (Archive, Targets) {
    let mut targets = Targets::default();
    for id in 0..n_targets {
        targets.intern(TargetKind::Goal, &id.to_string());
    }
    let mut archive = Archive::default();
    for shift in 0..20 {
        archive.offer(evaluation(n_targets, shift), 10, &targets);
    }
    (archive, targets)
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn offer(bencher: Bencher, n_targets: u32) {
    let (mut archive, targets) = filled(n_targets);
    let mut shift = 0;
    bencher
        .with_inputs(|| {
            shift += 1;
            evaluation(n_targets, shift)
        })
        .bench_local_values(|evaluation| archive.offer(evaluation, 10, &targets));
}

#[divan::bench(args = [100, 1_000, 10_000])]
fn pick(bencher: Bencher, n_targets: u32) {
    let (mut archive, _) = filled(n_targets);
    let mut random = Random::new(1, 0);
    bencher.bench_local(|| archive.pick(PickOdds::new(&SearchOdds::default(), false), &mut random));
}
