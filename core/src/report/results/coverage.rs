//! The part of the results that a driver makes.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::driver::{Extent, LineCoverage, UnitCoverage};
use crate::report::RunStatistics;

/// What was covered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CoverageResult {
    /// What measured the service from inside, none without a driver.
    pub driver: Option<String>,
    /// Lines; all zero without a driver.
    pub lines: Covered,
    /// Branch sides; all zero without a driver.
    pub branches: Covered,
    /// Outcomes of calls of library methods that are measured; all zero without a driver.
    pub replacements: Covered,
    /// Covered targets of all kinds.
    pub targets: usize,
    /// Classes of the service that are measured.
    pub classes: usize,
    /// Classes of the service in the jar, whether loaded or not; none where no jar tells.
    pub classes_on_disk: Option<u64>,
    /// Classes of the service that are not, and why; the first ones where there are many.
    pub skipped_classes: Vec<SkippedClass>,
    /// How many there are.
    pub classes_skipped: u64,
    /// Loaded classes of others, which were left alone.
    pub classes_foreign: u64,
    /// Classes of others in which values of calls are not followed, because they have no room for it.
    pub classes_untracked: u64,
    /// Each measured class, by name.
    pub per_class: Vec<ClassResult>,
}

/// A class of the service that is not measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedClass {
    /// Name with its package.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// What was covered of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassResult {
    /// Name with its package.
    pub name: String,
    /// Lines.
    pub lines: Covered,
    /// Branch sides and cases of switches.
    pub branches: Covered,
    /// Outcomes of its calls of library methods that are measured.
    pub replacements: Covered,
    /// Lines that were executed, as ranges: `3-5,8`. Absent, as the two others, where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reached_lines: String,
    /// Lines that were not.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub missed_lines: String,
    /// Executed lines with a side of a branch, or a case of a switch, that was never taken.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub partly_lines: String,
    /// Methods with fewer probes than they should have, and why.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub degraded: String,
}

/// A covered share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// Covered by the run.
    pub covered: u64,
    /// Of these covered while the service started.
    pub covered_at_boot: u64,
    /// Of these covered only by work that no call asked for, or that was done after its call.
    pub covered_in_background: u64,
    /// All there are; zero when it is not known.
    pub total: u64,
}

impl CoverageResult {
    /// What was covered, by what the drivers counted.
    pub(super) fn of(statistics: &RunStatistics) -> Self {
        let targets = statistics.targets_covered;
        let Some(coverage) = &statistics.coverage else { return CoverageResult { targets, ..CoverageResult::default() } };
        let skipped = coverage.skipped.iter();
        let no_lines = LineCoverage::default();
        let class = |(name, unit): (&String, &UnitCoverage)| {
            let lines = coverage.lines_of.get(name).unwrap_or(&no_lines);
            ClassResult {
                name: name.clone(),
                lines: covered(unit.lines),
                branches: covered(unit.branches),
                replacements: covered(unit.replacements),
                reached_lines: ranges(&lines.reached),
                missed_lines: ranges(&lines.missed),
                partly_lines: ranges(&lines.partly),
                degraded: unit.degraded.clone(),
            }
        };
        CoverageResult {
            driver: Some(coverage.driver.clone()),
            lines: covered(coverage.lines()),
            branches: covered(coverage.branches()),
            replacements: covered(coverage.replacements()),
            targets,
            classes: coverage.units.len(),
            classes_on_disk: coverage.n_on_disk,
            skipped_classes: skipped
                .map(|(name, reason)| SkippedClass { name: name.clone(), reason: reason.clone() })
                .collect(),
            classes_skipped: coverage.n_skipped,
            classes_foreign: coverage.n_foreign,
            classes_untracked: coverage.n_untracked,
            per_class: coverage.units.iter().map(class).collect(),
        }
    }
}

fn covered(extent: Extent) -> Covered {
    Covered {
        covered: extent.reached(),
        covered_at_boot: extent.at_boot,
        covered_in_background: extent.in_background,
        total: extent.total,
    }
}

/// `3-5,8`.
pub(super) fn ranges(numbers: &BTreeSet<u32>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let shown = |(first, last): (u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.into_iter().map(shown).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_in_a_row_are_one_range() {
        let cases: [(&[u32], &str); 4] = [(&[], ""), (&[7], "7"), (&[3, 4, 5, 8], "3-5,8"), (&[1, 3, 4], "1,3-4")];
        for (numbers, expected) in cases {
            assert_eq!(ranges(&numbers.iter().copied().collect()), expected);
        }
    }
}
