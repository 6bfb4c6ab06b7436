//! What is in a journal.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::action::{ActionResult, Outcome, Request};
use crate::driver::Exchange;
use crate::search::{Death, ExecutedCall};

/// Something that a search waited for, and how things stood after it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry<'a> {
    /// What drivers told since the entry before, apart from what belongs to calls.
    pub exchanges: Vec<Exchange>,
    /// What it is.
    pub event: Event<'a>,
    /// Time since the run began, without pauses between its lives.
    pub clock: Duration,
    /// What starting the service anew takes, where that is known.
    pub renewal_time: Option<Duration>,
    /// How often the service was started anew so far.
    pub restarts: u64,
}

/// What a search waits for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Event<'a> {
    /// An individual was executed.
    Execution(Executed<'a>),
    /// The service was to be brought to where it is when it starts; whether it was.
    Renewal(bool),
    /// The search was over, and tests were begun to be made.
    Tests,
}

/// What an execution gave.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Executed<'a> {
    /// Says together with the calls whether this is about the same individual.
    pub n_actions: u32,
    /// Of the requests, see [`fingerprint`](Self::fingerprint).
    pub fingerprint: u64,
    /// What came of the calls that were sent.
    pub calls: Vec<Call<'a>>,
    /// Time spent.
    pub elapsed: Duration,
}

/// What a call gave.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Call<'a> {
    /// What came back.
    pub outcome: Cow<'a, Outcome>,
    /// Whether the body of the answer was read as JSON.
    pub is_json: bool,
    /// From sending to the last byte of the answer.
    pub elapsed: Duration,
    /// How the service ended, where that showed.
    pub sut_death: Cow<'a, Option<Death>>,
    /// What drivers told until the action ended, and then.
    pub exchanges: Vec<Exchange>,
    /// Whether the last of them was told of the action.
    pub has_feedback: bool,
}

impl Executed<'_> {
    /// A number that is another one for other requests, nearly always.
    pub fn fingerprint<'a>(requests: impl Iterator<Item = &'a Request>) -> u64 {
        let mut hasher = DefaultHasher::new();
        requests.for_each(|request| request.hash(&mut hasher));
        hasher.finish()
    }
}

impl<'a> Call<'a> {
    /// What `call` gave, of which drivers told `exchanges`.
    pub fn of(call: &'a ExecutedCall, exchanges: Vec<Exchange>) -> Self {
        Self {
            outcome: Cow::Borrowed(&call.result.outcome),
            is_json: call.result.answer().is_some_and(|answer| answer.json.is_some()),
            elapsed: call.result.elapsed,
            sut_death: Cow::Borrowed(&call.sut_death),
            exchanges,
            has_feedback: call.feedback.is_some(),
        }
    }

    /// What came of `request` then.
    pub fn into_result(self, request: Request) -> ActionResult {
        let mut result = ActionResult { request, outcome: self.outcome.into_owned(), elapsed: self.elapsed };
        if self.is_json {
            result.restore();
        }
        result
    }
}
