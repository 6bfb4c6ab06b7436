//! What drivers are asked to tell of calls: news while the search goes on, all of it for what is made of them.

use restive_driver_protocol::message::Report;

use super::Driver;

/// What drivers are asked to tell of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Places that no test has covered.
    News,
    /// All places that each call reaches, whatever calls of its test before it did.
    Survey,
    /// All places that each test reaches.
    Tests,
}

impl Asked {
    /// The same in words of the protocol.
    pub(super) fn report(self) -> Report {
        if self == Self::News { Report::Uncovered } else { Report::All }
    }
}

impl Driver {
    /// From now on feedback names all places that a test reaches, also those reached before; costs time in the service.
    pub fn report_all(&mut self) {
        self.ask_for(Asked::Tests);
    }

    /// From now on feedback leaves out places that are covered, as at first.
    pub fn report_news(&mut self) {
        self.ask_for(Asked::News);
    }

    /// From now on feedback names all places that a call reaches, whatever reached them before, or only news again; the
    /// former costs time in the service.
    pub fn survey(&mut self, is_on: bool) {
        let wanted = if is_on { Asked::Survey } else { Asked::News };
        if self.asked != wanted && self.asked != Asked::Tests {
            self.ask_for(wanted);
        }
    }

    fn ask_for(&mut self, wanted: Asked) {
        self.asked = wanted;
        self.is_armed = false;
    }
}
