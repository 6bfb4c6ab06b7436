//! How near the search came to a target, when, and by what: told afterwards, never used by the search.

use super::kept::Kept;

/// Where an individual came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It was sampled.
    #[default]
    Sampled,
    /// It was mutated from one of the archive.
    Mutated,
    /// It tries what the service was seen to do with a value.
    Hinted,
}

/// A moment of the search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moment {
    /// Calls made by then.
    pub calls: u64,
    /// Where what was offered came from.
    pub origin: Origin,
}

/// How near the search came to a target.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// Closeness in (0, 1], 1 = covered.
    pub closeness: f64,
    /// The individual that came that close.
    pub kept: &'a Kept,
    /// When it did first.
    pub since: Moment,
}
