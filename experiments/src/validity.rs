//! Study: is every value and request made from real documents valid against the document's own schemas?
//!
//! For each operation of each document the genes are drawn and mutated many times; each value is given to the
//! `jsonschema` crate, each request to the structural rules of [`structure`]. Nothing is sent.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use restive_core::action;
use restive_core::api::{Api, OperationIdx};
use restive_core::openapi;
use restive_core::search::{Budget, SearchSettings};

// One definition of "valid" with the test of the core, which cannot depend on this package.
#[path = "../../core/tests/validity/check.rs"]
mod check;
#[path = "../../core/tests/validity/structure.rs"]
mod structure;

use check::{Checker, Class, Effort, Tally};

/// Settings of the study.
#[derive(Debug, clap::Args)]
pub struct ValidityArguments {
    /// Documents, or folders that are searched for `.json`, `.yaml` and `.yml` files.
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// Times the genes of an operation are drawn anew.
    #[arg(long, default_value_t = 3)]
    samples: usize,
    /// Mutations after each draw.
    #[arg(long, default_value_t = 5)]
    mutations: usize,
    /// Seed of the draws.
    #[arg(long, default_value_t = 1)]
    rng_seed: u64,
    /// Only every n-th document, in the order of their paths.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Operations taken from one document, spread evenly over it.
    #[arg(long, default_value_t = usize::MAX)]
    max_operations: usize,
    /// Examples shown per class, at most one per operation.
    #[arg(long, default_value_t = 6)]
    examples: usize,
}

/// What went on in all documents.
#[derive(Default)]
struct Totals {
    documents: usize,
    unloadable: usize,
    tally: Tally,
    panics: BTreeMap<String, Vec<String>>,
    slowest: Vec<(Duration, String)>,
}

thread_local! {
    /// Where the last panic happened, for the report.
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the study and prints what it found; fails when anything was invalid or panicked.
pub fn run(arguments: &ValidityArguments) -> anyhow::Result<()> {
    ensure!(arguments.every > 0, "--every must be at least 1");
    let limits = SearchSettings::new(Budget::Calls(1), arguments.rng_seed).gene_limits;
    let effort = Effort { samples: arguments.samples, mutations: arguments.mutations, rng_seed: arguments.rng_seed, limits };
    let mut files = Vec::new();
    for source in &arguments.sources {
        collect(source, &mut files).with_context(|| format!("cannot list {}", source.display()))?;
    }
    files.sort();
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, ToString::to_string);
        PANIC_PLACE.with(|last| *last.borrow_mut() = format!("{place} {}", info.payload_as_str().unwrap_or_default()));
    }));
    let started = Instant::now();
    let mut totals = Totals::default();
    for file in files.iter().step_by(arguments.every) {
        document(file, arguments.max_operations, &effort, &mut totals);
    }
    print(&totals, started.elapsed(), arguments.examples);
    let is_clean = totals.tally.violations.is_empty() && totals.panics.is_empty();
    ensure!(is_clean, "some values or requests are not valid");
    Ok(())
}

/// Every document below `place`.
fn collect(place: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if place.is_dir() {
        for entry in std::fs::read_dir(place)? {
            collect(&entry?.path(), files)?;
        }
    } else if place.extension().is_some_and(|extension| ["json", "yaml", "yml"].iter().any(|known| extension == *known)) {
        files.push(place.to_owned());
    }
    Ok(())
}

fn document(file: &Path, max_operations: usize, effort: &Effort, totals: &mut Totals) {
    let name = file.display().to_string();
    let started = Instant::now();
    let loaded = guarded(&name, totals, || openapi::load(&name).map(action::settle));
    let Some(Ok(api)) = loaded else {
        totals.unloadable += 1;
        return;
    };
    totals.documents += 1;
    let tally = operations(&name, &api, max_operations, effort, totals);
    totals.tally.merge(tally);
    totals.slowest.push((started.elapsed(), name));
    totals.slowest.sort_by(|left, right| right.cmp(left));
    totals.slowest.truncate(5);
}

fn operations(name: &str, api: &Api, max_operations: usize, effort: &Effort, totals: &mut Totals) -> Tally {
    let mut checker = Checker::new(api, effort);
    let mut tally = Tally::default();
    let step = api.operations.len().div_ceil(max_operations.max(1)).max(1);
    for idx in (0..api.operations.len()).step_by(step) {
        let operation_idx = OperationIdx(u32::try_from(idx).expect("operations are numbered with 32 bits"));
        let place = format!("{name} {}", api.operations[idx].id);
        if let Some(mut one) = guarded(&place, totals, || checker.check(operation_idx)) {
            let classes = one.skipped.values_mut().chain(one.violations.values_mut());
            for example in classes.flat_map(|class| &mut class.examples) {
                example.insert_str(0, &format!("{name} | "));
            }
            tally.merge(one);
        }
    }
    tally
}

/// What `work` gives, or nothing and a note when it panics.
fn guarded<T>(place: &str, totals: &mut Totals, work: impl FnOnce() -> T) -> Option<T> {
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    if outcome.is_err() {
        let what = PANIC_PLACE.with(|last| last.borrow().clone());
        totals.panics.entry(what).or_default().push(place.to_owned());
    }
    outcome.ok()
}

fn print(totals: &Totals, elapsed: Duration, n_examples: usize) {
    let tally = &totals.tally;
    println!("documents            {:>10}", totals.documents);
    println!("  not loaded         {:>10}", totals.unloadable);
    println!("operations           {:>10}", tally.operations);
    println!("values checked       {:>10}", tally.values);
    println!("requests checked     {:>10}", tally.requests);
    println!("seconds              {:>10.1}", elapsed.as_secs_f64());
    for (duration, name) in &totals.slowest {
        println!("slow: {:.1} s {name}", duration.as_secs_f64());
    }
    print_classes("values not compared", &tally.skipped, n_examples);
    print_classes("violations", &tally.violations, n_examples);
    println!("panics: {}", totals.panics.values().map(Vec::len).sum::<usize>());
    for (what, places) in &totals.panics {
        println!("  {} x {what}", places.len());
        println!("    {}", places[0]);
    }
}

fn print_classes(title: &str, classes: &BTreeMap<String, Class>, n_examples: usize) {
    println!("{title}: {}", classes.values().map(|class| class.count).sum::<usize>());
    for (kind, class) in classes {
        println!("  {kind}: {} in {} operations", class.count, class.operations);
        for example in class.examples.iter().take(n_examples) {
            println!("    {example}");
        }
    }
}
