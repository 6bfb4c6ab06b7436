//! What a service that was started anew has forgotten: calls that may have changed it in earlier lives of a run, which are
//! sent again before the run goes on.

use crate::action::{ActionResult, Outcome, Request};
use crate::exec::Service;
use crate::exec::service::Revival;

/// Bytes of requests that are kept to be sent again, about; where there are more, none is.
const MOST_BYTES: usize = 256 << 20;

/// Calls that may have changed the service since it started.
#[derive(Debug, Default)]
pub(super) struct Forgotten {
    /// With the status of the answer then; none where the service broke the connection.
    calls: Vec<(Request, Option<u16>)>,
    n_bytes: usize,
}

/// What came of sending calls again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SentAgain {
    /// How many were sent.
    pub calls: u64,
    /// How many of them were answered with another status than then.
    pub otherwise: u64,
    /// Whether none was because there are too many.
    pub are_too_many: bool,
}

impl Forgotten {
    /// Notes a call, unless it is one that is not to change anything (safe methods, RFC 9110 9.2.1) or never came to an end:
    /// nobody knows how far those went, and each would be waited for once more.
    pub(super) fn note(&mut self, result: &ActionResult) {
        let has_ended = matches!(result.outcome, Outcome::Answered(_) | Outcome::Disconnected(_));
        if result.request.verb.is_safe() || !has_ended || self.are_too_many() {
            return;
        }
        self.n_bytes += size(&result.request);
        if self.are_too_many() {
            self.calls = Vec::new();
        } else {
            self.calls.push((result.request.clone(), result.status()));
        }
    }

    /// The service was started anew in that life as well, or reset.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Sends all of them to `service`, one after the other. What drivers tell of that was told then.
    pub(super) fn send_again(self, service: &mut Service) -> SentAgain {
        let mut sent = SentAgain { are_too_many: self.are_too_many(), ..SentAgain::default() };
        if self.calls.is_empty() {
            return sent;
        }
        if let Some(driver) = &mut service.driver {
            driver.begin();
        }
        for (request, then) in self.calls {
            if service.stop.is_requested() {
                break;
            }
            let result = service.send(&request, &mut || {});
            if let Some(driver) = &mut service.driver {
                driver.end_unheard();
            }
            sent.calls += 1;
            sent.otherwise += u64::from(result.status() != then);
            if result.answer().is_none() && service.revive(request.operation_idx) != Revival::Alive {
                break;
            }
        }
        if let Some(driver) = &mut service.driver {
            driver.pause();
        }
        service.time_outs = 0;
        sent
    }

    fn are_too_many(&self) -> bool {
        self.n_bytes > MOST_BYTES
    }
}

/// Bytes that a request takes, about.
fn size(request: &Request) -> usize {
    let headers: usize = request.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    size_of::<Request>() + request.url.len() + headers + request.body.as_ref().map_or(0, Vec::len)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::action::{ActionResult, Outcome, Request};
    use crate::api::{OperationIdx, Verb};

    use super::{Forgotten, MOST_BYTES};

    fn called(verb: Verb, outcome: Outcome, body: usize) -> ActionResult {
        let (operation_idx, url) = (OperationIdx(0), "/a".to_owned());
        let request = Request { operation_idx, verb, url, headers: Vec::new(), body: Some(vec![0; body]), user: None };
        ActionResult { request, outcome, elapsed: Duration::ZERO }
    }

    #[test]
    fn calls_that_may_have_changed_something_are_kept() {
        let mut forgotten = Forgotten::default();
        let broken = || Outcome::Disconnected("closed".to_owned());
        forgotten.note(&called(Verb::Get, broken(), 0));
        forgotten.note(&called(Verb::Post, Outcome::TimedOut, 0));
        assert!(forgotten.calls.is_empty());
        forgotten.note(&called(Verb::Delete, broken(), 0));
        assert_eq!(forgotten.calls.len(), 1);
        forgotten.clear();
        assert_eq!((forgotten.calls.len(), forgotten.n_bytes), (0, 0));
    }

    #[test]
    fn what_would_take_too_much_memory_is_not() {
        let mut forgotten = Forgotten::default();
        let large = called(Verb::Post, Outcome::Disconnected("closed".to_owned()), MOST_BYTES / 2);
        forgotten.note(&large);
        assert!(!forgotten.are_too_many() && forgotten.calls.len() == 1);
        (0..3).for_each(|_| forgotten.note(&large));
        assert!(forgotten.are_too_many() && forgotten.calls.is_empty());
    }
}
