//! What drivers told in a run that broke off, told once more: ids, coverage and hints become what they were.

use super::coverage::Coverage;
use super::exchange::Purpose;
use super::places::Places;
use super::{Driver, Exchange};
use crate::search::Feedback;

/// What the drivers that are connected told before a run was repeated.
#[derive(Debug)]
pub struct Aside {
    places: Places,
    coverage: Coverage,
    kept: Option<Vec<Exchange>>,
}

impl Driver {
    /// Nobody will ask for exchanges.
    pub fn drop_exchanges(&mut self) {
        self.kept = None;
    }

    /// What was exchanged since the last call of this, first to last; nothing where it is not kept.
    pub fn take_exchanges(&mut self) -> Vec<Exchange> {
        self.kept.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Begins to repeat a run: what the drivers told by now is set aside, for the run began without it.
    pub fn rewind(&mut self) -> Aside {
        let mut coverage = Coverage::default();
        coverage.n_on_disk = self.coverage.n_on_disk;
        Aside {
            places: std::mem::take(&mut self.places),
            coverage: std::mem::replace(&mut self.coverage, coverage),
            kept: self.kept.replace(Vec::new()),
        }
    }

    /// Ends it: from here on the drivers that are connected tell what happens. Where nothing was repeated, the run begins
    /// with what they told.
    pub fn go_on(&mut self, aside: Aside) {
        if self.places.len() == 0 {
            (self.places, self.kept) = (aside.places, aside.kept);
            self.coverage.replace_by(aside.coverage);
            return;
        }
        for peer in &mut self.peers {
            peer.renumber(&aside.places, &mut self.places);
        }
    }

    /// Takes in what was told in between.
    pub fn repeat(&mut self, exchange: Exchange) {
        self.take_in_again(exchange);
    }

    /// Takes in what was told at the end of an action; what it did is for the search, where drivers guide it.
    pub fn repeat_end(&mut self, exchange: Exchange) -> Option<Feedback> {
        let feedback = self.take_in_again(exchange);
        self.for_search(feedback)
    }

    fn take_in_again(&mut self, mut exchange: Exchange) -> Feedback {
        let units = std::mem::take(&mut exchange.units);
        if exchange.purpose == Purpose::Units {
            self.coverage.set_units(units, &self.places);
            return Feedback::default();
        }
        for name in &exchange.names {
            self.places.intern(name);
        }
        self.take_in(exchange)
    }
}
