//! Requests that a service loses, because it answered the one before on the connection without having read its body.
//!
//! Some servers go on reading that body when the next request has arrived (Ktor on Netty, now and then), and its caller waits
//! in vain. Once that was seen no request is sent behind such an answer any more, until one waits in vain elsewhere: then it was
//! something else, a call that hangs by itself or a thread of the service that such a call has blocked.

use std::cell::Cell;

/// The status from which on a server may not have read the body.
const REFUSED: u16 = 400;

/// What is known of it.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Whether the last request on the connection had a body and was refused.
    is_behind_refusal: Cell<bool>,
    /// Whether the latest request that had no answer was behind one.
    was_seen: Cell<bool>,
}

impl Losses {
    /// A connection begins.
    pub(super) fn begin(&self) {
        self.is_behind_refusal.set(false);
    }

    /// A request was answered with this status; says whether the connection is better given up.
    pub(super) fn answered(&self, has_body: bool, status: u16) -> bool {
        self.is_behind_refusal.set(has_body && status >= REFUSED);
        self.is_behind_refusal.get() && self.was_seen.get()
    }

    /// A request had no answer in time.
    pub(super) fn waited(&self) {
        self.was_seen.set(self.is_behind_refusal.get());
    }

    /// The latest request that had no answer was not lost: the service is known to have worked on it.
    pub(super) fn withdraw(&self) {
        self.was_seen.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::Losses;

    #[test]
    fn connections_are_given_up_behind_refused_bodies_once_a_request_was_lost_there() {
        let losses = Losses::default();
        losses.begin();
        assert!(!losses.answered(true, 400), "nothing was lost");
        assert!(!losses.answered(true, 200));
        losses.waited();
        assert!(!losses.answered(true, 500), "it was behind an accepted one");
        losses.begin();
        losses.waited();
        assert!(!losses.answered(true, 404), "it was the first one of its connection");
        losses.waited();
        assert!(losses.answered(true, 404));
        assert!(!losses.answered(true, 201) && !losses.answered(false, 404));
    }

    #[test]
    fn a_request_that_waits_elsewhere_says_that_none_was_lost() {
        let losses = Losses::default();
        losses.begin();
        losses.answered(true, 404);
        losses.waited();
        losses.begin();
        losses.waited();
        losses.begin();
        assert!(!losses.answered(true, 404));
        losses.waited();
        losses.withdraw();
        losses.begin();
        assert!(!losses.answered(true, 404), "the service worked on it");
    }
}
