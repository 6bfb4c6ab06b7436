//! Which tests held on a service that was started anew, and had been changed by none but tests that hold.
//!
//! Only the first of several tests that need something to be there shows it on a fresh service: it makes what was
//! missing, and the others get what they got before. So one that comes after a test that is dropped has shown nothing.

use std::collections::BTreeMap;

/// When a test was executed in the lives of the service that began afresh.
#[derive(Debug, Clone, Default)]
pub(super) struct Proof {
    /// Life to its first execution in it, both counted over all tests.
    executed: BTreeMap<usize, u64>,
    /// Life to the first execution in it that may have changed something.
    changed: BTreeMap<usize, u64>,
}

/// An execution in a life of the service that began afresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// The number of the life.
    pub life: usize,
    /// The number of the execution.
    pub execution: u64,
}

impl Proof {
    /// It held at that moment, and may have changed something.
    pub fn note(&mut self, moment: Moment, may_have_changed: bool) {
        self.executed.entry(moment.life).or_insert(moment.execution);
        if may_have_changed {
            self.changed.entry(moment.life).or_insert(moment.execution);
        }
    }

    /// Whether it held on a fresh service.
    pub fn is_given(&self) -> bool {
        !self.executed.is_empty()
    }

    /// Whether it may have changed something in that life.
    pub fn has_changed(&self, life: usize) -> bool {
        self.changed.contains_key(&life)
    }

    /// Takes back what may have been so only because of a test with the proof `dropped`.
    pub fn without(&mut self, dropped: &Proof) {
        self.executed.retain(|life, execution| dropped.changed.get(life).is_none_or(|change| *execution < *change));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proof(moments: &[(usize, u64, bool)]) -> Proof {
        let mut proof = Proof::default();
        for (life, execution, may_have_changed) in moments.iter().copied() {
            proof.note(Moment { life, execution }, may_have_changed);
        }
        proof
    }

    #[test]
    fn what_comes_before_a_change_of_a_dropped_test_stays_proven_and_what_comes_after_it_does_not() {
        let dropped = proof(&[(1, 5, false), (1, 7, true), (1, 9, true)]);
        let cases = [
            (&[(1, 6, false)][..], true),
            (&[(1, 8, false)], false),
            (&[(1, 6, true), (1, 8, true)], true),
            (&[(2, 8, false)], true),
            (&[(1, 8, false), (2, 20, false)], true),
            (&[], false),
        ];
        for (moments, is_given) in cases {
            let mut other = proof(moments);
            other.without(&dropped);
            assert_eq!(other.is_given(), is_given, "{moments:?}");
        }
    }

    #[test]
    fn a_dropped_test_that_changed_nothing_takes_no_proof_away() {
        let mut other = proof(&[(1, 8, true)]);
        other.without(&proof(&[(1, 5, false)]));
        assert!(other.is_given());
    }
}
