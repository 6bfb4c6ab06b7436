//! What became of each test, from the reports of JUnit, and how two runs differ.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use restive_e2e::work::files;

/// What became of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Passed,
    Failed,
    Skipped,
}

/// What became of each test, by class and name; several where tests share both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcomes(BTreeMap<String, Vec<Outcome>>);

impl Outcomes {
    /// Those in the XML files of a folder.
    pub fn read(folder: &Path) -> Result<Outcomes> {
        let mut outcomes = Outcomes::default();
        for file in files(folder)?.iter().filter(|file| file.extension() == Some(OsStr::new("xml"))) {
            outcomes.add(&fs::read_to_string(folder.join(file))?)?;
        }
        ensure!(!outcomes.0.is_empty(), "no test ran");
        outcomes.0.values_mut().for_each(|found| found.sort());
        Ok(outcomes)
    }

    fn add(&mut self, report: &str) -> Result<()> {
        for case in report.split("<testcase ").skip(1) {
            let attribute = |name: &str| {
                let value = case.split_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
                value.map(|(value, _)| value).with_context(|| format!("a test has no `{name}`"))
            };
            // `name` is the end of `classname` too, but comes first.
            let key = format!("{} {}", attribute("classname")?, attribute("name")?);
            // What tests print may be anything.
            let own = case.split("<system-out").next().unwrap_or_default();
            let outcome = if own.contains("<skipped") {
                Outcome::Skipped
            } else if own.contains("<failure") || own.contains("<error") {
                Outcome::Failed
            } else {
                Outcome::Passed
            };
            self.0.entry(key).or_default().push(outcome);
        }
        Ok(())
    }

    fn count(&self, wanted: Outcome) -> usize {
        self.0.values().flatten().filter(|outcome| **outcome == wanted).count()
    }
}

/// How the tests did without and with probes.
#[derive(Debug)]
pub struct Compared {
    counts: [usize; 3],
    n_by_chance: usize,
    /// A line for each test that differs and is none of chance.
    pub differences: Vec<String>,
}

impl Compared {
    /// Compares two runs without probes with one with.
    pub fn of(plain: &[Outcomes; 2], probed: &Outcomes) -> Compared {
        let [first, second] = plain;
        let names: BTreeSet<&String> = plain.iter().chain([probed]).flat_map(|outcomes| outcomes.0.keys()).collect();
        let mut n_by_chance = 0;
        let mut differences = Vec::new();
        for name in names {
            let [one, other, with] = [first, second, probed].map(|outcomes| outcomes.0.get(name));
            if one != other {
                n_by_chance += 1;
            } else if one != with {
                differences.push(format!("{name}: {one:?} without, {with:?} with probes"));
            }
        }
        let counts = [Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(|outcome| first.count(outcome));
        Compared { counts, n_by_chance, differences }
    }
}

impl fmt::Display for Compared {
    /// The cells of a table row: tests, passed, failed, skipped, by chance, otherwise with probes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [passed, failed, skipped] = self.counts;
        let n_tests = passed + failed + skipped;
        write!(f, "{n_tests} | {passed} | {failed} | {skipped} | {} | {}", self.n_by_chance, self.differences.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"<testsuite name="JUnit Jupiter" tests="4">
<testcase name="adds()" classname="org.x.ATest" time="0.1">
<system-out><![CDATA[<failure of nothing]]></system-out>
</testcase>
<testcase name="fails()" classname="org.x.ATest" time="0.1">
<error message="&lt;skipped" type="X"><![CDATA[X]]></error>
</testcase>
<testcase name="runs()[1]" classname="org.x.ATest" time="0"/>
<testcase name="waits()" classname="org.x.BTest" time="0"><skipped/></testcase>
</testsuite>"#;

    fn outcomes(report: &str) -> Outcomes {
        let mut outcomes = Outcomes::default();
        outcomes.add(report).expect("a report");
        outcomes
    }

    #[test]
    fn reports_tell_what_became_of_each_test() {
        let found = outcomes(REPORT);
        let counts = [Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(|outcome| found.count(outcome));
        assert_eq!((counts, found.0.len()), ([2, 1, 1], 4));
        assert_eq!(found.0["org.x.ATest fails()"], [Outcome::Failed]);
    }

    #[test]
    fn what_differs_without_probes_is_chance() {
        let same = outcomes(REPORT);
        let other = outcomes(&REPORT.replace("<skipped/>", ""));
        let missing = outcomes(&REPORT.replace("runs()[1]", "runs()[2]"));
        let compared = |plain: [&Outcomes; 2], probed: &Outcomes| Compared::of(&plain.map(Clone::clone), probed);
        assert_eq!(compared([&same, &same], &same).to_string(), "4 | 2 | 1 | 1 | 0 | 0");
        assert_eq!(compared([&same, &other], &other).to_string(), "4 | 2 | 1 | 1 | 1 | 0");
        assert_eq!(compared([&same, &same], &other).differences.len(), 1);
        assert_eq!(compared([&same, &same], &missing).differences.len(), 2, "one is missing, one is new");
    }
}
