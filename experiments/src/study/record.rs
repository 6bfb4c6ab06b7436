//! One run as one line of JSON: how it was made, on what, and what came out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::expand::PlannedRun;
use super::figures::{Figures, Samples};
use super::provenance::{Binary, Jar, Machine};

/// Version of the lines; a change that is not an addition raises it.
pub const FORMAT_VERSION: u32 = 1;

/// A run that was made, whether it succeeded or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// Name of the study.
    pub study: String,
    /// Name of the subject.
    pub subject: String,
    /// Name of the configuration.
    pub configuration: String,
    /// Seed.
    pub rng_seed: u64,
    /// Budget as given: `3000 calls`.
    pub budget: String,
    /// All arguments of `restive`, with `{restive}`, `{study}` and `{jar}` in the places of paths.
    pub arguments: Vec<String>,
    /// The jar of the subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jar: Option<Jar>,
    /// The `restive` that ran.
    pub restive: Binary,
    /// Where it ran.
    pub machine: Machine,
    /// How it went.
    #[serde(flatten)]
    pub measured: Measured,
}

/// How a run went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Load over 1, 5 and 15 minutes just before.
    pub load_before: Option<[f64; 3]>,
    /// Start, RFC 3339 in UTC.
    pub started: String,
    /// Seconds from start to end of the process.
    pub seconds: f64,
    /// Exit code; none when a signal ended it.
    pub exit_code: Option<i32>,
    /// Why the run counts as failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What came out; of a failed run too, when it wrote results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Progress over the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<Samples>,
}

/// What tells runs of a study apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunKey {
    /// Name of the subject.
    pub subject: String,
    /// Name of the configuration.
    pub configuration: String,
    /// Seed.
    pub rng_seed: u64,
}

impl Record {
    /// Which run of the study it is.
    pub fn key(&self) -> RunKey {
        RunKey { subject: self.subject.clone(), configuration: self.configuration.clone(), rng_seed: self.rng_seed }
    }

    /// Whether its figures can be compared with those of others.
    pub fn has_succeeded(&self) -> bool {
        self.measured.error.is_none()
    }
}

impl PlannedRun<'_> {
    /// Which run of the study it is.
    pub fn key(&self) -> RunKey {
        let (subject, configuration) = (self.subject.name.clone(), self.configuration.name.clone());
        RunKey { subject, configuration, rng_seed: self.rng_seed }
    }
}

/// The line that counts of every run: the last one that succeeded, else the last one. Later ones stand behind.
pub fn latest(records: impl IntoIterator<Item = Record>) -> BTreeMap<RunKey, Record> {
    let mut latest: BTreeMap<RunKey, Record> = BTreeMap::new();
    for record in records {
        let key = record.key();
        let stays = latest.get(&key).is_some_and(|earlier| earlier.has_succeeded() && !record.has_succeeded());
        if !stays {
            latest.insert(key, record);
        }
    }
    latest
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A run that succeeded.
    pub fn record(configuration: &str, rng_seed: u64, figures: Figures) -> Record {
        Record {
            format_version: FORMAT_VERSION,
            study: "s".to_owned(),
            subject: "shop".to_owned(),
            configuration: configuration.to_owned(),
            rng_seed,
            budget: "100 calls".to_owned(),
            arguments: vec!["fuzz".to_owned()],
            jar: None,
            restive: Binary::default(),
            machine: Machine::default(),
            measured: Measured {
                load_before: Some([0.5, 0.4, 0.3]),
                started: "2026-01-01T00:00:00Z".to_owned(),
                seconds: 1.5,
                exit_code: Some(1),
                figures: Some(figures),
                ..Measured::default()
            },
        }
    }

    #[test]
    fn a_run_that_succeeded_counts_more_than_one_that_failed() {
        let good = record("a", 1, Figures::default());
        let (mut failed, mut better) = (good.clone(), good.clone());
        failed.measured.error = Some("lost".to_owned());
        better.measured.seconds = 2.0;
        let only = |records: Vec<Record>| latest(records).into_values().collect::<Vec<_>>();
        assert_eq!(only(vec![good.clone(), failed.clone()]), vec![good.clone()]);
        assert_eq!(only(vec![failed.clone(), good.clone(), better.clone()]), [better]);
        assert_eq!(only(vec![failed.clone()]), [failed]);
    }

    #[test]
    fn a_line_reads_back_what_it_says() {
        let record =
            record("a", 7, Figures { lines: Some(3), findings_by_code: [("100".to_owned(), 2)].into(), ..Figures::default() });
        let line = serde_json::to_string(&record).expect("has a JSON form");
        assert_eq!(serde_json::from_str::<Record>(&line).expect("reads back"), record);
    }
}
