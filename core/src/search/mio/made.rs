//! What is executed next, and how it was made, for learning from what becomes of it.

use std::sync::Arc;

use crate::search::impact::GeneKey;
use crate::search::schedule::Schedule;
use crate::search::slope::{Move, Spot};
use crate::search::sounding::Revision;
use crate::search::standing::Origin;
use crate::search::{Individual, Kept};

/// An individual to be executed next.
pub(super) struct Proposal {
    pub individual: Individual,
    pub step: Step,
}

/// Where an individual came from.
pub(super) struct Step {
    pub schedule: Schedule,
    pub made: Made,
}

/// How an individual was made.
pub(super) enum Made {
    /// It was sampled.
    Sampled,
    /// From another one, in a climb.
    Mutated(Mutation),
    /// To try what a hint says, by narrowing this gene where it says something of one.
    Hinted(Option<Spot>),
    /// From this one, by moving a number to see what changes.
    Sounded(Sounded),
}

/// A sounding that was made.
pub(super) struct Sounded {
    /// What it started from.
    pub base: Arc<Kept>,
    /// How far the number was moved.
    pub moved: Option<Move>,
    /// In what it differs from the first of this number.
    pub revision: Revision,
}

impl Made {
    pub(super) fn origin(&self) -> Origin {
        match self {
            Self::Sampled => Origin::Sampled,
            Self::Mutated(_) | Self::Sounded(_) => Origin::Mutated,
            Self::Hinted(_) => Origin::Hinted,
        }
    }

    /// The only place at which it differs from what it was made from, where that is known.
    pub(super) fn number(&self) -> Option<&Spot> {
        match self {
            Self::Sampled => None,
            Self::Hinted(spot) => spot.as_ref(),
            Self::Mutated(Mutation { moved, .. }) | Self::Sounded(Sounded { moved, .. }) => {
                moved.as_ref().map(|moved| &moved.spot)
            }
        }
    }
}

/// What was done to the individual of a climb.
pub(super) struct Mutation {
    /// Which climb.
    pub climb_idx: usize,
    /// The genes that were changed, none after a structural mutation.
    pub genes: Vec<GeneKey>,
    /// How far a number was moved when nothing else was changed.
    pub moved: Option<Move>,
}
