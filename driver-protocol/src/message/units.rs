//! What of the service is measured.

use serde::{Deserialize, Serialize};

/// Asks for units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitsFrom {
    /// Number of units the core knows already, in the order of loading.
    pub known: u32,
    /// At most this many units are wanted; with 0 only the counts.
    pub limit: u32,
}

/// What of the service is measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Units {
    /// Measured units of the service so far.
    pub measured: u32,
    /// Units of the service that are not measured.
    pub skipped: u32,
    /// Units of others that were loaded and left alone.
    pub foreign: u32,
    /// Targets so far.
    pub targets: u32,
    /// The asked-for units, in the order of loading.
    pub units: Vec<Unit>,
    /// Why units are not measured; at most 1,000, the first ones, and only when units were asked for.
    pub skips: Vec<SkippedUnit>,
    /// Where loaded units of others lie, most units first; at most 100, and only when units were asked for.
    pub groups: Vec<Group>,
    /// Units of others that lack hooks for tracked values, because they have no room for them. Since version 1.1; 0 of a driver
    /// that does not say.
    #[serde(skip)]
    pub untracked: u32,
}

/// A measured unit: a class of a JVM, a module elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Name as in the names of its targets.
    pub name: String,
    /// Line targets.
    pub lines: u32,
    /// Targets of branches and switches.
    pub branches: u32,
    /// Methods that have fewer probes than they should, or none, and why; empty for none.
    pub degraded: String,
}

/// A unit of the service that is not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedUnit {
    /// Name of the unit.
    pub name: String,
    /// Why, a lower-case fragment.
    pub reason: String,
}

/// Units of one package that do not belong to the service as it was described.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Name of the package.
    pub name: String,
    /// Loaded units in it.
    pub units: u32,
}
