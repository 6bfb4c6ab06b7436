//! The answer to no question: what is nearest of all that was not reached.

use std::collections::BTreeMap;

use super::answer::{Group, Overview};
use super::place::Place;
use super::question::by_nearness;
use super::record::{Kind, Record, TargetRecord};

/// Groups of the overview, at most.
const MOST_GROUPS: usize = 8;
/// Targets of each, at most.
const MOST_OF_GROUP: usize = 3;
/// Tests of the overview, at most.
const MOST_TESTS: usize = 5;

impl Record {
    /// What is nearest of all that was not reached.
    pub(super) fn overview(&self) -> Overview {
        let open = || self.targets.iter().filter(|it| !it.is_reached());
        let n_open = open().count();
        let mut groups: BTreeMap<String, Vec<&TargetRecord>> = BTreeMap::new();
        for target in open().filter(|it| it.kind == Kind::Code && Self::is_lacking(it)) {
            let class = Place::of(&target.name).map_or(target.name.as_str(), |place| place.class);
            groups.entry(class.to_owned()).or_default().push(target);
        }
        let mut groups: Vec<(String, Vec<&TargetRecord>)> = groups.into_iter().collect();
        for (_, targets) in &mut groups {
            targets.sort_by(|one, other| by_nearness(one, other));
        }
        groups.sort_by(|(_, one), (_, other)| by_nearness(one[0], other[0]));
        let more_groups = groups.len().saturating_sub(MOST_GROUPS);
        let group = |(name, targets): (String, Vec<&TargetRecord>)| Group {
            more: targets.len().saturating_sub(MOST_OF_GROUP),
            targets: targets.into_iter().take(MOST_OF_GROUP).map(|it| self.near(it)).collect(),
            name,
        };
        let is_refused = |idx: &usize| !self.operation_reasons(*idx).is_empty();
        let refused: Vec<usize> = (0..self.operations.len()).filter(is_refused).collect();
        let told: Vec<usize> = (0..self.tests.len()).filter(|idx| !self.tests[*idx].specialised.is_empty()).collect();
        Overview {
            calls: self.calls,
            reached: self.targets.len() - n_open,
            not_reached: n_open,
            code: open().filter(|it| it.kind == Kind::Code).count(),
            groups: groups.into_iter().take(MOST_GROUPS).map(group).collect(),
            more_groups,
            more_never_succeeded: refused.len().saturating_sub(MOST_GROUPS),
            never_succeeded: refused.into_iter().take(MOST_GROUPS).map(|idx| self.operation_candidate(idx)).collect(),
            more_tests: told.len().saturating_sub(MOST_TESTS),
            tests: told.into_iter().take(MOST_TESTS).map(|idx| self.test_answer(idx)).collect(),
            left_out: self.left_out,
        }
    }
}
