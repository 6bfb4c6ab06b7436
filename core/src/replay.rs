//! The tests of a run that ended, asked again of a service: is what they expect still so?
//!
//! [`Player::play_all`] runs tests and gives a [`Replayed`] for each; [`text()`] writes that for people, [`Replay`] all of it
//! for scripts. Answers are judged by [`crate::suite`], as written suites judge them.

mod fix;
mod play;
mod text;

pub use play::Player;
pub use text::text;

use serde::Serialize;

use crate::suite::{Difference, TestCase, TestKind};

/// Version of what scripts are given; it grows when a script that knows the last one would read it wrongly.
const FORMAT_VERSION: u32 = 1;

/// What became of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All that it expects is so. Of a test that shows a fault that means that the fault is still there.
    Same,
    /// Something is not as expected.
    Changed,
    /// The fault that it shows does not show any more, where nothing before it is otherwise.
    Fixed,
    /// The service could not be asked.
    Gone,
    /// There is nothing in it that could be asked.
    Skipped,
}

impl Verdict {
    /// Every verdict, in the order of summaries.
    pub const ALL: [Self; 5] = [Self::Same, Self::Changed, Self::Fixed, Self::Gone, Self::Skipped];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Fixed => "fixed",
            Self::Gone => "gone",
            Self::Skipped => "skipped",
        }
    }
}

/// A test with what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replayed {
    /// [`TestCase::name`].
    pub name: String,
    /// What the test shows.
    pub kind: TestKind,
    /// What became of it.
    pub verdict: Verdict,
    /// Identifiers of the findings that it shows.
    pub findings: Vec<String>,
    /// Those of them that do not show any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<String>,
    /// The first call that is not as expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<DifferingCall>,
    /// What else is to be said, a sentence fragment: why it was not asked, or what happened to the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A call whose answer is not as expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DifferingCall {
    /// Its position in the test, from 1.
    pub position: usize,
    /// Number of calls of the test.
    pub of: usize,
    /// `VERB /path` of the operation.
    pub operation: String,
    /// What is not as expected, at least one thing.
    pub differences: Vec<Difference>,
    /// The beginning of the body that came; none when there is none that is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// One shell line that makes this call.
    pub curl: String,
}

/// All tests that were replayed, for scripts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replay {
    format_version: u32,
    restive_version: &'static str,
    /// Where the service was called.
    pub base_url: String,
    /// Whether the user stopped it before all tests were done.
    pub stopped: bool,
    /// Number of tests of each verdict.
    pub counts: Counts,
    /// The tests in the order of written suites.
    pub tests: Vec<Replayed>,
}

/// Numbers of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// [`Verdict::Same`].
    pub same: usize,
    /// [`Verdict::Changed`].
    pub changed: usize,
    /// [`Verdict::Fixed`].
    pub fixed: usize,
    /// [`Verdict::Gone`].
    pub gone: usize,
    /// [`Verdict::Skipped`].
    pub skipped: usize,
}

impl Counts {
    /// The number of tests of that verdict.
    pub fn of(&self, verdict: Verdict) -> usize {
        match verdict {
            Verdict::Same => self.same,
            Verdict::Changed => self.changed,
            Verdict::Fixed => self.fixed,
            Verdict::Gone => self.gone,
            Verdict::Skipped => self.skipped,
        }
    }
}

impl Replay {
    /// `tests` as they were replayed at `base_url`.
    pub fn new(base_url: &str, tests: Vec<Replayed>, stopped: bool) -> Self {
        let count = |verdict: Verdict| tests.iter().filter(|test| test.verdict == verdict).count();
        let counts = Counts {
            same: count(Verdict::Same),
            changed: count(Verdict::Changed),
            fixed: count(Verdict::Fixed),
            gone: count(Verdict::Gone),
            skipped: count(Verdict::Skipped),
        };
        let restive_version = env!("CARGO_PKG_VERSION");
        Self { format_version: FORMAT_VERSION, restive_version, base_url: base_url.to_owned(), stopped, counts, tests }
    }
}

impl Replayed {
    /// `test` with that verdict and nothing else to say.
    fn new(test: &TestCase, verdict: Verdict) -> Self {
        Self {
            name: test.name.clone(),
            kind: test.kind,
            verdict,
            findings: test.findings.clone(),
            fixed: Vec::new(),
            call: None,
            note: None,
        }
    }
}
