//! From a study to its runs: every subject with every seed in every configuration, in an order that never changes.
//!
//! Runs that are compared stand beside each other: all configurations of a seed, then the next seed. A [`Shard`] takes
//! whole seeds of a subject, so that they also run on the same machine, and a machine that is slow is slow for all.

use std::fmt;
use std::str::FromStr;

use anyhow::{Error, Result, bail};

use super::plan::{Configuration, Study, Subject};

/// The part `number` of `count` of a study; the first is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `count`.
    pub number: usize,
    /// How many there are.
    pub count: usize,
}

/// One run that a study asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRun<'a> {
    /// What is fuzzed.
    pub subject: &'a Subject,
    /// How.
    pub configuration: &'a Configuration,
    /// Seed.
    pub rng_seed: u64,
    /// Budget as given.
    pub budget: &'a str,
    /// All arguments of `restive`, placeholders kept: the same on every machine.
    pub arguments: Vec<String>,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { number: 1, count: 1 };
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Self { number, count }),
            _ => bail!("found `{text}`, wanted a part such as `1/4`, from `1/4` to `4/4`"),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// The runs of a part of the study.
pub fn expand(study: &Study, shard: Shard) -> Vec<PlannedRun<'_>> {
    let blocks = study.subjects.iter().flat_map(|subject| study.seeds.iter().map(move |seed| (subject, *seed)));
    let own_blocks = blocks.skip(shard.number - 1).step_by(shard.count);
    let with_configurations = own_blocks.flat_map(|(subject, rng_seed)| {
        study.configurations.iter().map(move |configuration| (subject, configuration, rng_seed))
    });
    with_configurations
        .map(|(subject, configuration, rng_seed)| {
            let arguments = arguments(study, subject, configuration, rng_seed);
            PlannedRun { subject, configuration, rng_seed, budget: study.budget_of(subject), arguments }
        })
        .collect()
}

fn arguments(study: &Study, subject: &Subject, configuration: &Configuration, rng_seed: u64) -> Vec<String> {
    let mut arguments = vec!["fuzz".to_owned()];
    let mut push = |flag: &str, value: &str| arguments.extend([flag.to_owned(), value.to_owned()]);
    if let Some(url) = &subject.url {
        push("--url", url);
    }
    match (&subject.command, subject.jar_source()) {
        (Some(command), _) => push("--command", command),
        (None, Some(_)) => push("--jar", "{jar}"),
        (None, None) => {}
    }
    if let Some(schema) = &subject.schema {
        push("--schema", schema);
    }
    subject.environment.iter().for_each(|(name, value)| push("--env", &format!("{name}={value}")));
    subject.exclude.iter().for_each(|operation| push("--exclude", operation));
    push("--budget", study.budget_of(subject));
    push("--rng-seed", &rng_seed.to_string());
    push("--out", "out");
    arguments.push("--quiet".to_owned());
    arguments.extend(subject.fuzz_arguments.iter().chain(&configuration.arguments).cloned());
    if !subject.arguments.is_empty() {
        arguments.push("--".to_owned());
        arguments.extend(subject.arguments.iter().cloned());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = r#"
        name = "s"
        budget = "10s"
        seeds = [5, 6, 7]
        [[subject]]
        name = "a"
        maven = "g:n:1"
        arguments = ["--port", "{port}"]
        environment = { MODE = "test" }
        exclude = ["POST /stop"]
        [[subject]]
        name = "b"
        url = "http://127.0.0.1:8080"
        schema = "{study}/b.yaml"
        [[configuration]]
        name = "x"
        [[configuration]]
        name = "y"
        arguments = ["--p-invalid", "0.1"]
    "#;

    fn names(runs: &[PlannedRun<'_>]) -> Vec<String> {
        runs.iter().map(|run| format!("{}{}{}", run.subject.name, run.rng_seed, run.configuration.name)).collect()
    }

    #[test]
    fn all_configurations_of_a_seed_follow_each_other() {
        let study = Study::parse(STUDY).expect("a study");
        let all = names(&expand(&study, Shard::WHOLE));
        assert_eq!(all, ["a5x", "a5y", "a6x", "a6y", "a7x", "a7y", "b5x", "b5y", "b6x", "b6y", "b7x", "b7y"]);
    }

    #[test]
    fn a_jar_of_ones_own_is_started_like_one_of_maven() {
        let study = Study::parse(&STUDY.replace(r#"maven = "g:n:1""#, r#"jar = "{study}/a.jar""#)).expect("a study");
        let run = &expand(&study, Shard::WHOLE)[0];
        assert_eq!(run.arguments[..3], ["fuzz", "--jar", "{jar}"]);
        assert_eq!(run.subject.jar_source(), Some("{study}/a.jar"));
        let both = STUDY.replace(r#"maven = "g:n:1""#, "maven = \"g:n:1\"\njar = \"a.jar\"");
        assert!(Study::parse(&both).is_err());
    }

    #[test]
    fn parts_are_disjoint_and_make_the_whole() {
        let study = Study::parse(STUDY).expect("a study");
        for count in 1..=9 {
            let parts = (1..=count).flat_map(|number| names(&expand(&study, Shard { number, count })));
            let mut together: Vec<_> = parts.collect();
            together.sort();
            assert_eq!(together, names(&expand(&study, Shard::WHOLE)), "{count} parts");
        }
        assert_eq!(names(&expand(&study, Shard { number: 2, count: 4 })), ["a6x", "a6y", "b7x", "b7y"]);
    }

    #[test]
    fn arguments_hold_everything_and_no_path_of_this_machine() {
        let study = Study::parse(STUDY).expect("a study");
        let runs = expand(&study, Shard::WHOLE);
        let wanted = "fuzz --jar {jar} --env MODE=test --exclude POST /stop --budget 10s --rng-seed 5 --out out --quiet \
                      --p-invalid 0.1 -- --port {port}";
        assert_eq!(runs[1].arguments.join(" "), wanted);
        let wanted = "fuzz --url http://127.0.0.1:8080 --schema {study}/b.yaml --budget 10s --rng-seed 5 --out out --quiet";
        assert_eq!(runs[6].arguments.join(" "), wanted);
    }

    #[test]
    fn a_subject_may_have_a_budget_of_its_own() {
        let study = Study::parse(&STUDY.replace("name = \"b\"", "name = \"b\"\nbudget = \"4s\"")).expect("a study");
        let budgets: Vec<&str> = study.subjects.iter().map(|subject| study.budget_of(subject)).collect();
        assert_eq!(budgets, ["10s", "4s"]);
        assert!(expand(&study, Shard::WHOLE)[6].arguments.join(" ").contains("--budget 4s"));
    }

    #[test]
    fn only_parts_that_exist_are_read() {
        assert_eq!("2/3".parse::<Shard>().expect("a part").to_string(), "2/3");
        for text in ["0/3", "4/3", "1", "a/b", "1/0", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
