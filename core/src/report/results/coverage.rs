//! The part of the results that a driver makes.

use crate::driver::{Extent, UnitCoverage};
use crate::report::RunStatistics;

use super::{ClassResult, CoverageResult, Covered, SkippedClass};

impl CoverageResult {
    /// What was covered, by what the drivers counted.
    pub(super) fn of(statistics: &RunStatistics) -> Self {
        let targets = statistics.targets_covered;
        let Some(coverage) = &statistics.coverage else { return CoverageResult { targets, ..CoverageResult::default() } };
        let skipped = coverage.skipped.iter();
        let class = |(name, unit): (&String, &UnitCoverage)| ClassResult {
            name: name.clone(),
            lines: covered(unit.lines),
            branches: covered(unit.branches),
            replacements: covered(unit.replacements),
            degraded: unit.degraded.clone(),
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
