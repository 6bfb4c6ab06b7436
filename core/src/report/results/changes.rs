//! The part of the results about what changed since a revision.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::changes::ChangedFile;
use crate::driver::Coverage;
use crate::report::{Run, TouchedChanges};
use crate::search::top_level;

use super::Covered;
use super::coverage::ranges;

/// What changed in the service, and how much of it was reached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChangesResult {
    /// The revision, as the user named it.
    pub since: String,
    /// Operations whose calls came to classes of changed files, that these serve, or that the schema describes otherwise.
    pub operations: Vec<String>,
    /// Calls of these.
    pub calls: u64,
    /// Changed lines that can be executed, of classes that were loaded; all zero without a driver.
    pub lines: Covered,
    /// Source files that changed and are still there, by path.
    pub files: Vec<ChangedFileResult>,
    /// Other files that changed.
    pub other_files: usize,
    /// Operations that the schema has since the revision, or describes otherwise; none where it lies in no repository.
    pub described: Vec<String>,
}

/// A source file that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChangedFileResult {
    /// Relative to the root of the repository, with slashes.
    pub path: String,
    /// Classes of the service that come from it and were loaded; none of a file that is no part of the service, or is not
    /// used yet.
    pub classes: Vec<String>,
    /// Changed lines that were executed, as ranges: `3-5,8`. Absent, as the other, where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reached_lines: String,
    /// Changed lines that were not, and can be.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub missed_lines: String,
}

impl ChangesResult {
    /// What the drivers of `run` counted of what changed.
    pub(super) fn of(run: &Run, touched: &TouchedChanges) -> Self {
        let TouchedChanges { changes, operations } = touched;
        let calls_of = |operation_idx| run.statistics.statuses.get(operation_idx).map_or(0, |it| it.values().sum::<u64>());
        let mut result = Self {
            since: changes.since.clone(),
            operations: operations.iter().map(|idx| run.api.operation(*idx).id.clone()).collect(),
            calls: operations.iter().map(calls_of).sum(),
            other_files: changes.others,
            described: changes.described.clone(),
            ..Self::default()
        };
        for file in &changes.files {
            let lines = run.statistics.coverage.as_ref().map(|coverage| Lines::of(file, coverage)).unwrap_or_default();
            result.lines.covered += lines.reached.len() as u64;
            result.lines.total += (lines.reached.len() + lines.missed.len()) as u64;
            result.files.push(ChangedFileResult {
                path: file.path.clone(),
                classes: lines.classes,
                reached_lines: ranges(&lines.reached),
                missed_lines: ranges(&lines.missed),
            });
        }
        result
    }
}

/// Changed lines of one file.
#[derive(Debug, Default)]
struct Lines {
    classes: Vec<String>,
    reached: BTreeSet<u32>,
    missed: BTreeSet<u32>,
}

impl Lines {
    fn of(file: &ChangedFile, coverage: &Coverage) -> Self {
        let mut lines = Self::default();
        for class in coverage.units.keys().filter(|class| file.classes.contains(top_level(class))) {
            lines.classes.push(class.clone());
            let Some(of_class) = coverage.lines_of.get(class) else { continue };
            let changed = |all: &BTreeSet<u32>| all.iter().copied().filter(|line| file.changes(*line)).collect::<Vec<_>>();
            lines.reached.extend(changed(&of_class.reached));
            lines.missed.extend(changed(&of_class.missed));
        }
        // A line may have code of two classes: a lambda or a class without a name, and the one around it.
        lines.missed.retain(|line| !lines.reached.contains(line));
        lines
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{ChangesResult, Covered};
    use crate::api::OperationIdx;
    use crate::changes::{ChangedFile, Changes};
    use crate::driver::{Coverage, LineCoverage, UnitCoverage};
    use crate::report::TouchedChanges;
    use crate::report::fixture::Parts;

    #[test]
    fn changed_lines_count_where_classes_of_their_file_have_them() {
        let lines = |reached: &[u32], missed: &[u32]| LineCoverage {
            reached: reached.iter().copied().collect(),
            missed: missed.iter().copied().collect(),
            ..LineCoverage::default()
        };
        let lines_of = BTreeMap::from([
            ("a.Shop".to_owned(), lines(&[1, 3, 8], &[4, 9])),
            // A class without a name, in line 4 of the other.
            ("a.Shop$1".to_owned(), lines(&[4], &[5])),
            ("a.Shopping".to_owned(), lines(&[], &[3])),
        ]);
        let units = lines_of.keys().map(|class| (class.clone(), UnitCoverage::default())).collect();
        let mut parts = Parts::new();
        let mut coverage = Coverage::default();
        (coverage.units, coverage.lines_of) = (units, lines_of);
        parts.statistics.coverage = Some(coverage);
        let file = |path: &str, class: &str| ChangedFile {
            path: path.to_owned(),
            classes: [class.to_owned()].into(),
            lines: vec![3..=5, 9..=9],
        };
        let files = vec![file("a/Shop.java", "a.Shop"), file("a/ShopTest.java", "a.ShopTest")];
        let changes = Changes { since: "main".to_owned(), files, others: 2, described: Vec::new() };
        let touched = TouchedChanges { changes, operations: vec![OperationIdx(0)] };
        let result = ChangesResult::of(&parts.run(), &touched);
        assert_eq!(result.lines, Covered { covered: 2, total: 4, ..Covered::default() });
        let shop = &result.files[0];
        assert_eq!((shop.reached_lines.as_str(), shop.missed_lines.as_str()), ("3-4", "5,9"));
        assert_eq!(shop.classes, ["a.Shop", "a.Shop$1"]);
        assert_eq!((result.files[1].classes.len(), result.files[1].missed_lines.as_str()), (0, ""));
        assert_eq!((result.operations, result.other_files), (vec!["GET /pets".to_owned()], 2));
    }
}
