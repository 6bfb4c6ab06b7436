//! What became of a class.

use std::fmt;
use std::ops::Range;

/// What became of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It has probes now.
    Rewritten(Rewritten),
    /// It stays as it was.
    Unchanged(Unchanged),
}

/// A class with probes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The name of the class, with dots.
    pub class_name: String,
    /// The new class file.
    pub bytes: Vec<u8>,
    /// The ids that this class added to the table; empty when a class of the same name and targets came before.
    pub new_targets: Range<u32>,
    /// How many methods have probes.
    pub n_methods: usize,
    /// Methods that have fewer probes than planned, or none.
    pub degraded: Vec<Degraded>,
}

/// A class without probes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchanged {
    /// The name of the class, with dots; empty where it could not be read.
    pub class_name: String,
    /// Why it has none.
    pub reason: Reason,
}

/// A method with fewer probes than planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Degraded {
    /// Name and descriptor of the method.
    pub method: String,
    /// What it lacks.
    pub level: Level,
    /// Why the level above failed.
    pub reason: restive_classfile::ErrorKind,
}

/// How many probes a method has, from all to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// All that the plan wants.
    All,
    /// Neither switches nor calls.
    WithoutSwitches,
    /// No lines either.
    WithoutLines,
    /// None.
    Untouched,
}

impl Level {
    /// The level with fewer probes; none below [`Level::Untouched`].
    pub(crate) fn lower(self) -> Option<Level> {
        match self {
            Level::All => Some(Level::WithoutSwitches),
            Level::WithoutSwitches => Some(Level::WithoutLines),
            Level::WithoutLines => Some(Level::Untouched),
            Level::Untouched => None,
        }
    }
}

/// Why a class has no probes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It is no class file, or a damaged one.
    Unreadable(restive_classfile::Error),
    /// It has no code.
    NoCode,
    /// Its code has nothing that the plan wants to measure.
    NothingToProbe,
    /// No source stands behind it: a build or the running service made it.
    Generated,
    /// There are no ids left.
    TableFull,
    /// No method has room for probes.
    NoRoom(restive_classfile::ErrorKind),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unreadable(error) => error.fmt(f),
            Reason::NoCode => f.write_str("has no code"),
            Reason::NothingToProbe => f.write_str("has nothing to measure"),
            Reason::Generated => f.write_str("was generated, no source stands behind it"),
            Reason::TableFull => f.write_str("the table of targets is full"),
            Reason::NoRoom(kind) => write!(f, "no method has room for probes: {kind}"),
        }
    }
}
