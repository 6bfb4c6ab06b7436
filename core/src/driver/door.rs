//! How drivers and the core find each other.

use std::time::{Duration, Instant};

use restive_driver_protocol::message::Units;
use restive_driver_protocol::{DriverConnection, DriverListener, Error, Token};

use super::Driver;
use super::peer::Peer;

/// How long one look for callers lasts while a driver is waited for.
const GLANCE: Duration = Duration::from_millis(20);

/// What became of waiting for drivers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Met {
    /// At least one measures the service.
    Measured,
    /// Drivers called, and none of the classes that were loaded is measured.
    NothingMeasured {
        /// Packages of others with the number of their classes, most first.
        loaded: Vec<(String, u32)>,
        /// Classes of the service that cannot be measured, each with the reason.
        skipped: Vec<(String, String)>,
    },
    /// None called.
    Nobody,
    /// Callers were turned away, or said that they cannot measure: the first reason, and the next step where there is one.
    Refused(String, Option<&'static str>),
}

/// How drivers and the core find each other.
#[derive(Debug)]
pub(super) enum Door {
    /// Drivers call.
    Open(DriverListener),
    /// The core calls the one that listens there.
    Call { address: String, token: Token },
}

impl Driver {
    /// Takes in drivers that called, for up to `limit`, until one measures the service or `is_enough` says that nobody waits
    /// any more.
    pub fn meet(&mut self, limit: Duration, is_enough: &dyn Fn() -> bool) -> Met {
        let began = Instant::now();
        let mut refusal = None;
        loop {
            if let Err(error) = self.take_callers() {
                refusal = refusal.or(Some(error));
            }
            if self.peers.iter_mut().any(Peer::measures) {
                self.prepare();
                return Met::Measured;
            }
            if began.elapsed() >= limit || is_enough() {
                break;
            }
        }
        match refusal {
            _ if !self.peers.is_empty() => {
                self.prepare();
                self.nothing_measured()
            }
            Some(error) => Met::Refused(error.to_string(), error.hint()),
            None => Met::Nobody,
        }
    }

    /// Forgets drivers of a service that was ended, and takes in those of the one started in its place.
    pub fn meet_again(&mut self, limit: Duration, is_enough: &dyn Fn() -> bool) {
        self.peers.clear();
        (self.is_armed, self.is_preparing) = (false, false);
        self.meet(limit, is_enough);
    }

    /// Takes in who has called, waiting a moment for one.
    fn take_callers(&mut self) -> Result<(), Error> {
        match &self.door {
            Door::Open(listener) => {
                if let Some(connection) = listener.next(GLANCE)? {
                    self.take(connection);
                }
                self.take_waiting()
            }
            Door::Call { address, token } if self.peers.is_empty() => {
                let connection = DriverConnection::call(address, token, restive_driver_protocol::Limits::default());
                if connection.is_err() {
                    std::thread::sleep(GLANCE);
                }
                self.take(connection?);
                Ok(())
            }
            Door::Call { .. } => {
                std::thread::sleep(GLANCE);
                Ok(())
            }
        }
    }

    /// Takes in who is waiting already.
    pub(super) fn take_waiting(&mut self) -> Result<(), Error> {
        let mut first = Ok(());
        while let Door::Open(listener) = &self.door {
            match listener.next(Duration::ZERO) {
                Ok(Some(connection)) => self.take(connection),
                Ok(None) => break,
                Err(error) => first = first.and(Err(error)),
            }
        }
        first
    }

    fn take(&mut self, connection: DriverConnection) {
        self.is_armed = false;
        self.peers.push(Peer::new(connection));
    }

    fn nothing_measured(&mut self) -> Met {
        let all: Vec<Units> = self.peers.iter_mut().filter_map(|peer| peer.all_units().ok()).collect();
        let (mut loaded, mut skipped) = (Vec::new(), Vec::new());
        for units in all {
            loaded.extend(units.groups.into_iter().map(|group| (group.name, group.units)));
            skipped.extend(units.skips.into_iter().map(|skip| (skip.name, skip.reason)));
        }
        loaded.sort_by(|one: &(String, u32), other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        Met::NothingMeasured { loaded, skipped }
    }
}
