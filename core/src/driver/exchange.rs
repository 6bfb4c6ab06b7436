//! One round trip to all drivers, as data: what a journal keeps, so that it can be told once more without them.

use restive_driver_protocol::message::Units;
use serde::{Deserialize, Serialize};

use super::peer::Part;

/// What one round trip brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// Names of places that it named first; their ids follow those before.
    pub(super) names: Vec<String>,
    /// All feedback, of one driver after the other.
    pub(super) parts: Vec<Part>,
    /// Whether drivers told then what is done with tracked values.
    pub(super) tracks: bool,
    /// Classes that each driver has seen, where it was asked for them.
    pub(super) units: Vec<Units>,
    /// What it was for.
    pub(super) purpose: Purpose,
}

/// What a round trip is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Purpose {
    /// To end what restive asked for before the first test.
    Preparation,
    /// A test.
    Test,
    /// To know what there is.
    Units,
}
