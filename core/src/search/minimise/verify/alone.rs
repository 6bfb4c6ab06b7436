//! Findings whose tests do not hold after others, or after themselves: what is there once cannot be made twice. Each of these
//! tests is executed once more where nothing was done before, so that what it shows is told from what never shows again.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::{ActionResult, Request};
use crate::search::Individual;
use crate::search::evaluator::Halt;

use super::{Candidate, MAX_DEATHS, Verification};

/// Starts of the service for that, at most: tests of it that make the same thing need one each.
const MAX_STARTS: usize = 8;
/// Starts in a row that bring nothing, after which no other follows: each test is tried in both ways then.
const MAX_VAIN: usize = 2;

/// A test that was given up though it showed findings.
#[derive(Debug)]
pub(super) struct GivenUp {
    individual: Individual,
    /// What it gave at first.
    results: Vec<ActionResult>,
    findings: Vec<usize>,
}

impl GivenUp {
    /// What is tried again of `candidate`; none where it showed nothing, or costs too much.
    pub fn of(candidate: &Candidate) -> Option<Self> {
        let findings = candidate.drafted_findings().to_vec();
        let is_wanted = !findings.is_empty() && !candidate.is_deadly() && !candidate.has_timed_out();
        let results = candidate.expected().to_vec();
        is_wanted.then(|| Self { individual: candidate.individual().clone(), results, findings })
    }
}

impl Verification<'_, '_> {
    /// Notes what is given up of `candidates`.
    pub(super) fn note_given_up<'c>(&mut self, candidates: impl Iterator<Item = &'c Candidate>) {
        self.given_up.extend(candidates.filter_map(GivenUp::of));
    }

    /// Findings, besides those `shown` by other tests, that show again when the tests which were given up come first on a
    /// service started anew: as the search found them, and behind what it is known that they hang on. With the requests.
    pub(super) fn show_alone(&mut self, shown: &BTreeSet<usize>) -> BTreeMap<usize, Vec<Request>> {
        let mut left = std::mem::take(&mut self.given_up);
        let mut found = BTreeMap::new();
        let is_open = |test: &GivenUp, found: &BTreeMap<usize, _>| {
            test.findings.iter().any(|finding| !shown.contains(finding) && !found.contains_key(finding))
        };
        let mut n_vain = 0;
        for start in 0..MAX_STARTS {
            left.retain(|test| is_open(test, &found));
            let may_start = self.lives.is_wanted && self.has_time() && self.has_time_to_start();
            if left.is_empty() || n_vain >= MAX_VAIN || self.n_deaths >= MAX_DEATHS || !may_start {
                break;
            }
            self.renew();
            if !self.lives.is_fresh {
                break;
            }
            let n_found = found.len();
            for test in &left {
                if !self.has_time() || self.n_deaths >= MAX_DEATHS {
                    break;
                }
                if is_open(test, &found) {
                    // What stops the run here takes nothing with it.
                    let Ok(again) = self.shown_by(test, start % 2 == 0) else { return found };
                    for (finding, requests) in again {
                        found.entry(finding).or_insert(requests);
                    }
                }
            }
            n_vain = if found.len() > n_found { 0 } else { n_vain + 1 };
            // Those in front kept the others from making what they make.
            if !left.is_empty() {
                left.rotate_left(1);
            }
        }
        found
    }

    /// The findings of `test` that show when it is executed now, with the requests that show them.
    fn shown_by(&mut self, test: &GivenUp, with_past: bool) -> Result<Vec<(usize, Vec<Request>)>, Halt> {
        let mut individual = test.individual.clone();
        individual.remove_dead_links(&test.results);
        let whole = self.state.with_past(self.problem, (&individual, &test.results), false).filter(|_| with_past);
        let run = self.evaluator.evaluate(whole.unwrap_or(individual), &mut self.state.targets)?;
        self.n_deaths += run.deaths.len();
        let requests: Vec<Request> = run.results.into_iter().map(|result| result.request).collect();
        let again = run.findings.into_iter().filter(|finding| test.findings.contains(finding));
        Ok(again.map(|finding| (finding, requests.clone())).collect())
    }
}
