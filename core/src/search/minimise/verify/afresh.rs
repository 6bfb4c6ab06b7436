//! A service that was started anew: when it is, what has to hold on it, and what is left out that was not seen to.

use crate::search::TestGroup;
use crate::search::evaluator::Halt;

use super::order::{Order, positions};
use super::proof::Proof;
use super::{AGREEING_AT_LEAST, Candidate, MAX_DEATHS, Verification};

/// Starts of the service that do not use up patience: those of two rounds.
const STARTS_ON_TOP: usize = 4;
/// Passes on a service started anew that are made when time is over, for tests that had none so far.
pub(super) const LAST_PASSES: usize = 2;
/// How long such a pass may take, as a multiple of the longest pass before: a service that was just started is slow.
const LAST_PASS_TIMES: u32 = 2;

/// The lives of the service, one for each start.
#[derive(Debug)]
pub(super) struct Lives {
    /// How many began afresh.
    pub n_begun: usize,
    /// Whether the one under way did.
    pub is_fresh: bool,
    /// Whether a test that is dropped may have changed something in it: then it shows nothing of what is on a fresh service.
    pub is_spoiled: bool,
    /// Whether tests have to hold in one that did: not where resets reach all that they do, nor where none can be had.
    pub is_wanted: bool,
}

impl Verification<'_, '_> {
    /// Executes what agreed so far but never held on a fresh service once on one, whatever the time: what else is found
    /// to hold only after other tests is left out. Faults first, then the others; of each the first time from what changes
    /// nothing to what does, then backwards, so that a test which another one kept from showing anything comes before that.
    pub(super) fn last_pass(&mut self, last: usize) -> Result<(), Halt> {
        let lacks_proof = |candidate: &Candidate| candidate.agreeing() >= AGREEING_AT_LEAST && !candidate.is_proven();
        if !self.lives.is_wanted || !self.candidates.iter().any(lacks_proof) {
            return Ok(());
        }
        self.renew();
        if !self.lives.is_fresh {
            return Ok(());
        }
        let until = self.evaluator.elapsed() + self.longest_pass * LAST_PASS_TIMES;
        let mut positions = positions(&self.candidates, Order::ReadersFirst, &mut self.state.random);
        positions.sort_by_key(|idx| self.candidates[*idx].may_change_service());
        if last % 2 == 1 {
            positions.reverse();
        }
        // There may be no time for all: faults go first, and those that keep callers waiting last.
        positions
            .sort_by_key(|idx| (self.candidates[*idx].has_timed_out(), self.candidates[*idx].group() != TestGroup::Faults));
        let n_deaths = self.n_deaths;
        for idx in positions {
            if self.evaluator.elapsed() > until || self.n_deaths >= n_deaths + MAX_DEATHS {
                break;
            }
            if !self.candidates[idx].has_fallen() && lacks_proof(&self.candidates[idx]) {
                self.execute(idx)?;
            }
        }
        self.count_pass(Order::ReadersFirst);
        self.drop_fallen(false);
        Ok(())
    }

    /// Drops tests that begin as one that fell on a fresh service and were executed on none so far: what it left keeps
    /// them from falling now, and it would take a start for each of them to show.
    pub(super) fn drop_alike(&mut self, idx: usize) {
        let fallen = &self.candidates[idx];
        let is_alike = |other: &Candidate| !other.has_fallen() && !other.is_proven() && other.begins_as(fallen);
        let alike: Vec<usize> = (0..self.candidates.len()).filter(|other| is_alike(&self.candidates[*other])).collect();
        let change = fallen.change();
        for other in alike {
            self.candidates[other].fall_with(change);
        }
    }

    /// Begins again where the service starts; one that cannot be had fresh is used as it is.
    pub(super) fn renew(&mut self) {
        let began = self.evaluator.elapsed();
        if !self.evaluator.renew() {
            self.lives.is_fresh = false;
            // Where there never is a fresh one, tests meet none either.
            self.lives.is_wanted &= self.lives.n_begun > 0;
            return;
        }
        if self.lives.n_begun < STARTS_ON_TOP {
            let took = self.evaluator.elapsed().saturating_sub(began);
            self.patience = self.patience.map(|patience| patience + took);
        }
        self.lives.n_begun += 1;
        self.lives.is_fresh = true;
        self.lives.is_spoiled = false;
        self.candidates.iter_mut().for_each(Candidate::begin_life);
    }

    /// Whether a start and some more fits into a time budget; patience has room for it.
    pub(super) fn has_time_to_start(&self) -> bool {
        let wanted = self.evaluator.renewal_time().unwrap_or_default() * 2;
        self.until().is_none_or(|until| self.evaluator.elapsed() + wanted < until)
    }

    /// What held on a fresh service after a test that falls may have held because of that.
    pub(super) fn doubt_after_fallen(&mut self) {
        let fallen = self.candidates.iter().filter(|candidate| candidate.has_fallen());
        let dropped: Vec<Proof> = fallen.map(|candidate| candidate.proof().clone()).collect();
        self.lives.is_spoiled |= dropped.iter().any(|proof| proof.has_changed(self.lives.n_begun));
        doubt(&mut dropped.iter(), &mut self.candidates);
    }
}

/// Takes back what `candidates` may have got only because of tests with the proofs `dropped`.
pub(super) fn doubt(dropped: &mut dyn Iterator<Item = &Proof>, candidates: &mut [Candidate]) {
    for proof in dropped {
        for candidate in candidates.iter_mut() {
            candidate.doubt(proof);
        }
    }
}

/// The tests that held on a fresh service that no other test had changed, and the rest.
pub(super) fn proven(mut candidates: Vec<Candidate>) -> (Vec<Candidate>, Vec<Candidate>) {
    let mut left_out: Vec<Candidate> = Vec::new();
    loop {
        let (kept, unproven): (Vec<_>, Vec<_>) = candidates.into_iter().partition(Candidate::is_proven);
        candidates = kept;
        if unproven.is_empty() {
            return (candidates, left_out);
        }
        doubt(&mut unproven.iter().map(Candidate::proof), &mut candidates);
        left_out.extend(unproven);
    }
}
