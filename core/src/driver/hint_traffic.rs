//! What hints cost on the wire: bytes per call, and whether any travels twice.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher as _};

use restive_driver_protocol::message::Hint;

/// Hints that are remembered, at most.
const MOST_REMEMBERED: usize = 200_000;

/// Bytes of the hints of each call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HintTraffic {
    /// How many calls had so many bytes of hints.
    calls: BTreeMap<u64, u64>,
    /// Hints that came again in the same session, which none should.
    pub repeated: u64,
}

impl HintTraffic {
    /// Counts a call whose hints had so many bytes.
    pub(super) fn note(&mut self, bytes: u64) {
        *self.calls.entry(bytes).or_default() += 1;
    }

    /// Calls that were counted: those whose values were tracked.
    pub fn calls(&self) -> u64 {
        self.calls.values().sum()
    }

    /// Bytes of all hints.
    pub fn bytes(&self) -> u64 {
        self.calls.iter().map(|(bytes, calls)| bytes * calls).sum()
    }

    /// The fewest bytes that at least that share (in [0, 1]) of the calls did not exceed; 0 without calls.
    pub fn percentile(&self, share: f64) -> u64 {
        let wanted = (self.calls() as f64 * share).ceil().max(1.0);
        let mut seen = 0;
        for (bytes, calls) in &self.calls {
            seen += calls;
            if seen as f64 >= wanted {
                return *bytes;
            }
        }
        0
    }

    /// The most bytes of a call.
    pub fn most(&self) -> u64 {
        self.calls.keys().next_back().copied().unwrap_or(0)
    }
}

/// The hints that came so far, by their hashes.
#[derive(Debug, Default)]
pub(super) struct Told {
    // Only asked whether it holds one; its order never matters.
    hashes: HashSet<u64>,
}

impl Told {
    /// Whether `hint` came before.
    pub(super) fn is_known(&mut self, hint: &impl Hash) -> bool {
        let mut hasher = DefaultHasher::new();
        hint.hash(&mut hasher);
        let hash = hasher.finish();
        if self.hashes.len() >= MOST_REMEMBERED { self.hashes.contains(&hash) } else { !self.hashes.insert(hash) }
    }
}

/// Bytes of a hint on the wire: three texts, each after its length, of which seven bits stand in a byte.
pub(super) fn size(hint: &Hint) -> u64 {
    [&hint.tracked, &hint.usage, &hint.operand].into_iter().map(|text| text_size(text.len())).sum()
}

fn text_size(length: usize) -> u64 {
    let bits = u64::from((usize::BITS - length.leading_zeros()).max(1));
    bits.div_ceil(7) + length as u64
}

#[cfg(test)]
mod tests {
    use restive_driver_protocol::message::Hint;

    use super::{HintTraffic, Told, size, text_size};

    fn hint(operand: &str) -> Hint {
        Hint { tracked: "abc".to_owned(), usage: "equals".to_owned(), operand: operand.to_owned() }
    }

    #[test]
    fn percentiles_are_those_of_the_calls() {
        let mut traffic = HintTraffic::default();
        assert_eq!((traffic.percentile(0.5), traffic.most(), traffic.calls()), (0, 0, 0));
        (0..98).for_each(|_| traffic.note(0));
        traffic.note(40);
        traffic.note(1_000);
        assert_eq!([0.5, 0.98, 0.99, 1.0].map(|share| traffic.percentile(share)), [0, 0, 40, 1_000]);
        assert_eq!((traffic.calls(), traffic.bytes(), traffic.most()), (100, 1_040, 1_000));
    }

    #[test]
    fn sizes_are_those_of_the_wire() {
        assert_eq!([0, 127, 128, 16_383, 16_384].map(text_size), [1, 128, 130, 16_385, 16_387]);
        assert_eq!(size(&hint("blue")), 4 + 7 + 5);
    }

    #[test]
    fn what_came_before_is_known() {
        let mut told = Told::default();
        assert!(!told.is_known(&hint("a")) && !told.is_known(&hint("b")) && told.is_known(&hint("a")));
    }
}
