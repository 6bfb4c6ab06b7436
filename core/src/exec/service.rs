//! Everything that acts on the service, as one: calls with credentials, resets, and bringing it back when it is gone.

use std::time::Duration;

use crate::action::{ActionResult, Outcome, Request};

use super::{Client, Resetter, Stop, Sut, Users};

/// Time-outs in a row after which a service of ours is taken for hanging and started anew.
const MAX_TIME_OUTS: u32 = 5;
/// Attempts to reach a service again before it counts as lost.
const MAX_REVIVALS: u32 = 5;

/// What acts on the service.
#[derive(Debug)]
pub struct Service {
    /// Sends calls.
    pub client: Client,
    /// The process, when it is ours.
    pub sut: Option<Sut>,
    /// Whose credentials are sent.
    pub users: Users,
    /// How the service is brought back to its first state.
    pub resetter: Resetter,
    /// The user's wish to stop.
    pub stop: Stop,
    /// Calls in a row without an answer in time.
    pub time_outs: u32,
}

/// What became of the service after a broken call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revival {
    /// It runs.
    Alive,
    /// It had ended that way and runs again.
    Restarted(String),
    /// It ended that way and does not start any more.
    Dead(String),
    /// It does not answer and is not ours to start.
    Lost,
}

impl Service {
    /// Sends `request` with its user's credentials; expired ones are renewed once.
    pub fn send(&mut self, request: &Request) -> ActionResult {
        let result = self.send_once(request);
        let has_expired =
            request.user.zip(result.status()).is_some_and(|(user_idx, status)| self.users.has_expired(user_idx, status));
        let result = if has_expired { self.send_once(request) } else { result };
        let timed_out = matches!(result.outcome, Outcome::TimedOut);
        self.time_outs = if timed_out { self.time_outs + 1 } else { 0 };
        result
    }

    fn send_once(&mut self, request: &Request) -> ActionResult {
        let Some(user_idx) = request.user else { return self.client.send(request, None) };
        match self.users.credentials(user_idx, &self.client) {
            Ok(credentials) => self.client.send(request, Some(&credentials)),
            Err(error) => ActionResult {
                request: request.clone(),
                outcome: Outcome::Unsent(error.to_string()),
                elapsed: Duration::ZERO,
            },
        }
    }

    /// Brings the service back to its first state where that is wanted; failures are counted by the resetter.
    pub fn reset(&mut self) {
        let Self { resetter, client, sut, users, .. } = self;
        // A test on a service that was not reset is still a test; the count is shown at the end.
        let _failed = resetter.reset(client, sut.as_mut(), users);
    }

    /// Sees to it that the service is there for the next call: a dead or hanging one of ours is started anew, one
    /// that is not ours gets a few seconds.
    pub fn revive(&mut self) -> Revival {
        let Some(sut) = &mut self.sut else {
            return if self.time_outs > 0 || await_answer(&self.client, &self.stop) { Revival::Alive } else { Revival::Lost };
        };
        let ending = sut.ending_soon();
        if ending.is_none() && self.time_outs < MAX_TIME_OUTS {
            return Revival::Alive;
        }
        let how = ending.unwrap_or_else(|| format!("by hanging: {MAX_TIME_OUTS} calls in a row without an answer"));
        self.time_outs = 0;
        for _ in 0..MAX_REVIVALS {
            if self.stop.is_requested() {
                break;
            }
            if sut.restart().is_ok() {
                self.users.forget();
                return Revival::Restarted(how);
            }
        }
        Revival::Dead(how)
    }
}

/// Whether a service answers again within a few tries.
fn await_answer(client: &Client, stop: &Stop) -> bool {
    for attempt in 0..MAX_REVIVALS {
        if client.probe().is_ok() {
            return true;
        }
        if !stop.sleep(Duration::from_millis(200 << attempt)) {
            return false;
        }
    }
    false
}
