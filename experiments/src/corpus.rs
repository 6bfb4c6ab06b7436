//! How much of real OpenAPI documents is understood, and how fast: loads every document below folders.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use restive_core::action;
use restive_core::api::{Api, Direction};
use restive_core::openapi::{self, Error};
use serde_json::{Value, json};

/// Arguments of the corpus study.
#[derive(Args)]
pub struct CorpusArguments {
    /// Folders (or files) with documents
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Print one line of JSON per document
    #[arg(long)]
    json: bool,
    /// Compile the validator of every parameter, body and answer as well
    #[arg(long)]
    validators: bool,
}

/// What became of one document.
struct Loaded {
    file_path: PathBuf,
    bytes: u64,
    elapsed: Duration,
    outcome: Outcome,
}

enum Outcome {
    Api { operations: usize, fuzzable: usize, skipped: Vec<String>, unsupported: BTreeMap<String, usize>, repairs: Vec<String> },
    Refused(String),
    OtherFormat,
    Panicked,
}

/// Loads the documents and prints the figures.
pub fn run(arguments: &CorpusArguments) -> anyhow::Result<()> {
    let mut file_paths = Vec::new();
    for path in &arguments.paths {
        collect(path, &mut file_paths).with_context(|| format!("cannot list `{}`", path.display()))?;
    }
    file_paths.sort();
    let mut documents = Vec::new();
    for file_path in file_paths {
        let loaded = load(file_path, arguments.validators);
        if arguments.json && !matches!(loaded.outcome, Outcome::OtherFormat) {
            println!("{}", to_json(&loaded));
        }
        documents.push(loaded);
    }
    summarise(&documents);
    Ok(())
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(&entry?.path(), found)?;
        }
    } else if path.extension().is_some_and(|extension| ["json", "yaml", "yml"].iter().any(|known| extension == *known)) {
        found.push(path.to_owned());
    }
    Ok(())
}

fn load(file_path: PathBuf, validators: bool) -> Loaded {
    let bytes = std::fs::metadata(&file_path).map_or(0, |metadata| metadata.len());
    let start = Instant::now();
    let loaded = catch_unwind(|| openapi::load(&file_path.to_string_lossy()).map(action::settle));
    let elapsed = start.elapsed();
    let outcome = match loaded {
        Ok(Ok(api)) if validators => {
            catch_unwind(|| uncompilable(&api)).map_or(Outcome::Panicked, |failures| to_outcome(&api, failures))
        }
        Ok(Ok(api)) => to_outcome(&api, Vec::new()),
        Ok(Err(Error::NotASchema { .. })) => Outcome::OtherFormat,
        Ok(Err(error)) => Outcome::Refused(error.to_string()),
        Err(_) => Outcome::Panicked,
    };
    Loaded { file_path, bytes, elapsed, outcome }
}

fn to_outcome(api: &Api, failures: Vec<String>) -> Outcome {
    let mut skipped: Vec<String> = api.skipped.iter().map(|skipped| anonymous(&skipped.reason)).collect();
    skipped.extend(failures);
    Outcome::Api {
        operations: api.operations.len() + api.skipped.len(),
        fuzzable: api.operations.len(),
        skipped,
        unsupported: api.unsupported.clone(),
        repairs: api.repairs.iter().map(|repair| anonymous(&repair.action)).collect(),
    }
}

/// `text` with what stands in quotes left out, so that like cases can be counted together.
fn anonymous(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("`…`")
}

/// Validators that do not compile, which must never be.
fn uncompilable(api: &Api) -> Vec<String> {
    let mut failures = Vec::new();
    for operation in &api.operations {
        let parameters = operation.parameters.iter().map(|parameter| (&parameter.json_schema, Direction::Request));
        let bodies = operation.bodies.iter().map(|body| (&body.json_schema, Direction::Request));
        let media = operation.responses.iter().flat_map(|response| response.media.iter());
        let answers = media.filter_map(|media| Some((media.json_schema.as_ref()?, Direction::Answer)));
        for (fragment, direction) in parameters.chain(bodies).chain(answers) {
            if let Err(error) = jsonschema::validator_for(&api.json_schemas.closure(fragment, direction)) {
                failures.push(format!("validator of {} does not compile: {error}", operation.id));
            }
        }
    }
    failures
}

fn to_json(loaded: &Loaded) -> Value {
    let mut line = json!({
        "document": loaded.file_path.to_string_lossy(),
        "bytes": loaded.bytes,
        "seconds": loaded.elapsed.as_secs_f64(),
    });
    match &loaded.outcome {
        Outcome::Api { operations, fuzzable, skipped, unsupported, repairs } => {
            line["operations"] = json!(operations);
            line["fuzzable"] = json!(fuzzable);
            line["skipped"] = json!(skipped);
            line["unsupported"] = json!(unsupported);
            line["repairs"] = json!(repairs);
        }
        Outcome::Refused(error) => line["error"] = json!(error),
        Outcome::OtherFormat | Outcome::Panicked => line["panicked"] = json!(true),
    }
    line
}

/// Sums over all documents.
#[derive(Default)]
struct Summary<'a> {
    n_loaded: usize,
    n_panics: usize,
    n_operations: usize,
    n_fuzzable: usize,
    repairs: BTreeMap<&'a str, usize>,
    reasons: BTreeMap<&'a str, usize>,
    keywords: BTreeMap<&'a str, usize>,
}

impl<'a> Summary<'a> {
    fn add(&mut self, loaded: &'a Loaded) {
        match &loaded.outcome {
            Outcome::Api { operations, fuzzable, skipped, unsupported, repairs } => {
                self.n_loaded += 1;
                self.n_operations += operations;
                self.n_fuzzable += fuzzable;
                for action in repairs {
                    *self.repairs.entry(action).or_default() += 1;
                }
                for reason in skipped {
                    *self.reasons.entry(reason).or_default() += 1;
                }
                for (keyword, count) in unsupported {
                    *self.keywords.entry(keyword).or_default() += count;
                }
            }
            Outcome::Panicked => {
                self.n_panics += 1;
                eprintln!("panic: {}", loaded.file_path.display());
            }
            Outcome::Refused(error) => eprintln!("refused: {error}"),
            Outcome::OtherFormat => {}
        }
    }
}

fn summarise(documents: &[Loaded]) {
    let candidates: Vec<&Loaded> = documents.iter().filter(|loaded| !matches!(loaded.outcome, Outcome::OtherFormat)).collect();
    let mut summary = Summary::default();
    for loaded in &candidates {
        summary.add(loaded);
    }
    let Summary { n_loaded, n_panics, n_operations, n_fuzzable, repairs, reasons, keywords } = summary;
    let elapsed: Duration = candidates.iter().map(|loaded| loaded.elapsed).sum();
    let n_others = documents.len() - candidates.len();
    println!("documents: {} ({n_others} other files), loaded {n_loaded}, panics {n_panics}", candidates.len());
    let share = 100.0 * n_fuzzable as f64 / f64::max(1.0, n_operations as f64);
    println!("operations: {n_operations}, fuzzable {n_fuzzable} ({share:.3} %), {:.1} s", elapsed.as_secs_f64());
    print_counts("reasons", reasons);
    print_counts("repairs", repairs);
    print_counts("keywords not honoured", keywords);
    print_top("slowest", &candidates, |loaded| loaded.elapsed.as_secs_f64(), "s");
    print_top("largest", &candidates, |loaded| loaded.bytes as f64 / 1e6, "MB");
}

fn print_counts(title: &str, counts: BTreeMap<&str, usize>) {
    println!("{title}:");
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (name, count) in counts.into_iter().take(40) {
        println!("  {count:>7} {name}");
    }
}

fn print_top(title: &str, candidates: &[&Loaded], measure: fn(&Loaded) -> f64, unit: &str) {
    println!("{title}:");
    let mut sorted: Vec<_> = candidates.iter().map(|loaded| (measure(loaded), loaded)).collect();
    sorted.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (value, loaded) in sorted.into_iter().take(8) {
        println!("  {value:>9.3} {unit} in {:.3} s: {}", loaded.elapsed.as_secs_f64(), loaded.file_path.display());
    }
}
