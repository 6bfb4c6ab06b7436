//! Which units of the service were loaded, and what became of them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use restive_driver_protocol::{Group, SkippedUnit, Unit, Units, UnitsFrom};

/// Most skipped units whose reason is kept; the others are only counted.
const SKIPS: usize = 1_000;
/// Most packages kept, and most of them told.
const PACKAGES: usize = 10_000;
const GROUPS: usize = 100;

/// A unit with probes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredUnit {
    /// Name as in the names of its targets.
    pub name: String,
    /// Line targets.
    pub lines: u32,
    /// All other targets.
    pub branches: u32,
    /// Which methods have fewer probes than they should, and why; empty for none.
    pub degraded: String,
}

/// Record of loaded units. Threads that load units write to it at any time.
#[derive(Debug, Default)]
pub struct Inventory(Mutex<Record>);

#[derive(Debug, Default)]
struct Record {
    measured: Vec<MeasuredUnit>,
    skips: Vec<(String, String)>,
    skipped: u32,
    foreign: u32,
    untracked: u32,
    packages: BTreeMap<String, u32>,
}

impl Inventory {
    fn record(&self) -> MutexGuard<'_, Record> {
        // A record is complete after each step, whatever panicked in between.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A unit of the service got probes.
    pub fn add_measured(&self, unit: MeasuredUnit) {
        self.record().measured.push(unit);
    }

    /// A unit of the service was left as it was because of `reason`, a lower-case fragment.
    pub fn add_skipped(&self, name: &str, reason: impl Into<String>) {
        let mut record = self.record();
        record.skipped += 1;
        if record.skips.len() < SKIPS {
            record.skips.push((name.to_owned(), reason.into()));
        }
    }

    /// A unit of someone else in `package` was loaded.
    pub fn add_foreign(&self, package: &str) {
        let mut record = self.record();
        record.foreign += 1;
        if let Some(units) = record.packages.get_mut(package) {
            *units += 1;
        } else if record.packages.len() < PACKAGES {
            record.packages.insert(package.to_owned(), 1);
        }
    }

    /// A unit of someone else was left without hooks for tracked values, although it calls what has them.
    pub fn add_untracked(&self) {
        self.record().untracked += 1;
    }

    /// Number of units with probes.
    pub fn measured(&self) -> u32 {
        u32::try_from(self.record().measured.len()).unwrap_or(u32::MAX)
    }

    /// Number of units of the service without probes.
    pub fn skipped(&self) -> u32 {
        self.record().skipped
    }

    /// The message that tells a core.
    pub(crate) fn to_units(&self, from: UnitsFrom, targets: u32) -> Units {
        let record = self.record();
        let told = if from.limit == 0 { (0, 0) } else { (SKIPS, GROUPS) };
        let unit = |unit: &MeasuredUnit| Unit {
            name: unit.name.clone(),
            lines: unit.lines,
            branches: unit.branches,
            degraded: unit.degraded.clone(),
        };
        let skip = |(name, reason): &(String, String)| SkippedUnit { name: name.clone(), reason: reason.clone() };
        let mut groups: Vec<Group> = record.packages.iter().map(|(name, &units)| Group { name: name.clone(), units }).collect();
        // Equally large ones stay in the order of their names.
        groups.sort_by_key(|group| std::cmp::Reverse(group.units));
        groups.truncate(told.1);
        Units {
            measured: u32::try_from(record.measured.len()).unwrap_or(u32::MAX),
            skipped: record.skipped,
            foreign: record.foreign,
            targets,
            units: record.measured.iter().skip(from.known as usize).take(from.limit as usize).map(unit).collect(),
            skips: record.skips.iter().take(told.0).map(skip).collect(),
            groups,
            untracked: record.untracked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_learns_units_from_where_it_was_and_packages_by_size() {
        let inventory = Inventory::default();
        for name in ["A", "B", "C"] {
            let name = name.to_owned();
            inventory.add_measured(MeasuredUnit { name, lines: 2, branches: 0, degraded: String::new() });
        }
        inventory.add_skipped("D", "version 45 is too old");
        for package in ["x", "z", "y", "z"] {
            inventory.add_foreign(package);
        }
        inventory.add_untracked();
        let units = inventory.to_units(UnitsFrom { known: 1, limit: 1 }, 6);
        assert_eq!(units.untracked, 1);
        assert_eq!((units.measured, units.skipped, units.foreign, units.targets), (3, 1, 4, 6));
        assert_eq!(units.units.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>(), ["B"]);
        assert_eq!(units.groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["z", "x", "y"]);
        let counts = inventory.to_units(UnitsFrom { known: 0, limit: 0 }, 6);
        assert_eq!((counts.measured, counts.units.len(), counts.skips.len(), counts.groups.len()), (3, 0, 0, 0));
    }
}
