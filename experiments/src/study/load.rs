//! Runs of a study, read back from its folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::figures::Figures;
use super::journal::read_folder;
use super::plan::Study;
use super::record::{Record, RunKey, latest};
use super::{STUDY_FILE, expand};

/// A study with the runs that were made of it.
#[derive(Debug)]
pub struct Loaded {
    /// The study as it was run.
    pub study: Study,
    /// The line that counts of every run, those that failed included.
    pub records: BTreeMap<RunKey, Record>,
}

impl Loaded {
    /// Reads the folders of one study, which may be its parts.
    pub fn read(folders: &[PathBuf]) -> Result<Self> {
        let mut study: Option<Study> = None;
        let mut records = Vec::new();
        for folder in folders {
            let own = Study::load(&folder.join(STUDY_FILE))
                .with_context(|| format!("`{}` is no folder of `study run`", folder.display()))?;
            let study = study.get_or_insert_with(|| own.clone());
            ensure!(study.name == own.name, "the folders hold two studies, `{}` and `{}`", study.name, own.name);
            records.extend(read_folder(folder)?);
        }
        let study = study.context("wanted at least one folder")?;
        // Of the same run in two folders the later one counts.
        records.sort_by(|a: &Record, b| a.measured.started.cmp(&b.measured.started));
        Ok(Self { records: latest(records), study })
    }

    /// How many runs the study asks for.
    pub fn n_planned(&self) -> usize {
        expand::expand(&self.study, expand::Shard::WHOLE).len()
    }

    /// The runs of a subject in a configuration that succeeded, by seed.
    pub fn runs<'a>(&'a self, subject: &'a str, configuration: &'a str) -> impl Iterator<Item = &'a Record> {
        let is_own = move |record: &&Record| {
            record.subject == subject && record.configuration == configuration && record.has_succeeded()
        };
        self.records.values().filter(is_own)
    }

    /// The figures of these runs.
    pub fn figures<'a>(&'a self, subject: &'a str, configuration: &'a str) -> impl Iterator<Item = &'a Figures> {
        self.runs(subject, configuration).filter_map(|record| record.measured.figures.as_ref())
    }

    /// Names of the configurations in the order of the study; then others that have runs.
    pub fn configurations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.study.configurations.iter().map(|own| own.name.as_str()).collect();
        let with_runs: BTreeSet<&str> = self.records.values().map(|record| record.configuration.as_str()).collect();
        let others: Vec<&str> = with_runs.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(others);
        names
    }

    /// Names of the subjects in the order of the study.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        self.study.subjects.iter().map(|subject| subject.name.as_str())
    }
}
