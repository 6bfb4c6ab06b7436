//! One round trip to all drivers, as data: what a journal keeps, so that it can be told once more without them.

use restive_driver_protocol::Request;
use restive_driver_protocol::message::{Origin, Units};
use serde::{Deserialize, Serialize};

use crate::search::{CodeId, Feedback};

use super::asked::Asked;
use super::peer::Part;
use super::{Driver, UnnamedInputs};

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
    /// A call of an earlier life of the run that is sent again: what it did was told then.
    Again,
}

impl Driver {
    /// Asks for the classes that were seen so far: those of a process that ends later are then known.
    pub fn ask_units(&mut self) {
        let all: Vec<Units> = self.peers.iter_mut().filter_map(|peer| peer.all_units().ok()).collect();
        if all.is_empty() {
            return;
        }
        let n_units = all.iter().map(|units| units.units.len()).sum();
        let is_news = std::mem::replace(&mut self.n_units, n_units) != n_units;
        if let Some(kept) = self.kept.as_mut().filter(|_| is_news) {
            let (names, parts, units) = (Vec::new(), Vec::new(), all.clone());
            kept.push(Exchange { names, parts, units, tracks: false, purpose: Purpose::Units });
        }
        self.coverage.set_units(all, &self.places);
    }

    /// One round trip to each driver, and what it says. A driver that fails is given up.
    pub(super) fn exchange(&mut self, requests: &[Request]) -> Feedback {
        let exchange = self.gather(requests, Purpose::Test);
        self.take_in(exchange)
    }

    pub(super) fn gather(&mut self, requests: &[Request], purpose: Purpose) -> Exchange {
        let tracks = self.tracks();
        let (mut parts, places) = (Vec::new(), &mut self.places);
        let n_names = places.len();
        let is_served = !self.peers.is_empty();
        self.peers.retain_mut(|peer| {
            let told = peer.exchange(requests, places);
            told.map(|told| parts.extend(told)).is_ok()
        });
        if purpose == Purpose::Again {
            parts.retain(|part| part.origin != Origin::Action && !part.reached.is_empty());
        }
        let mut exchange = Exchange { names: Vec::new(), parts, units: Vec::new(), tracks, purpose };
        let is_news = purpose != Purpose::Again || n_names < self.places.len() || !exchange.parts.is_empty();
        if let Some(kept) = self.kept.as_mut().filter(|_| is_served && is_news) {
            exchange.names = self.places.names_from(n_names).to_vec();
            kept.push(exchange.clone());
        }
        exchange
    }

    /// What `exchange` says of an action, less what is known: a service that was started anew tells some of it again.
    pub(super) fn take_in(&mut self, exchange: Exchange) -> Feedback {
        let mut feedback = Feedback::default();
        let mut hint_bytes = None;
        for mut part in exchange.parts {
            if exchange.purpose == Purpose::Preparation && part.origin == Origin::Action {
                self.coverage.note_preparation(&part.reached, &self.places);
                continue;
            }
            let is_action = part.origin == Origin::Action && exchange.purpose == Purpose::Test;
            let news = if is_action { self.news(&mut part) } else { Vec::new() };
            self.coverage.note(part.origin, &part.reached, &part.background, &self.places);
            if is_action {
                hint_bytes = Some(hint_bytes.unwrap_or(0) + part.hint_bytes);
                self.hint_traffic.repeated += part.repeated_hints;
                part.reached = news;
                part.join(&mut feedback);
            }
        }
        if let Some(bytes) = hint_bytes.filter(|_| exchange.tracks) {
            self.hint_traffic.note(bytes);
        }
        // What the service does when it starts, it does without being called: no test can be credited with it.
        feedback.reached.retain(|(code, _)| !self.coverage.is_of_boot(*code));
        feedback
    }

    /// The places of `part` that no session has covered before, where drivers leave out those of theirs; its hints that
    /// came before are taken out.
    fn news(&mut self, part: &mut Part) -> Vec<(CodeId, f64)> {
        part.hints.retain(|hint| !self.told.is_known(hint));
        let is_new = |(code, _): &&(CodeId, f64)| self.asked != Asked::News || !self.coverage.is_covered(*code);
        part.reached.iter().filter(is_new).copied().collect()
    }

    /// What of `feedback` on an action is for the search.
    pub(super) fn for_search(&mut self, mut feedback: Feedback) -> Option<Feedback> {
        feedback.names = self.places.take_new();
        if self.unnamed == UnnamedInputs::PassedOver {
            feedback.inputs.clear();
        }
        self.guides.then_some(feedback)
    }
}
