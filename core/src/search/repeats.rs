//! What was sent before: the same calls once more tell something new only where the service has changed meanwhile.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::action::render;
use crate::api::Api;

use super::Individual;

/// Individuals that are remembered, at most; 8 bytes and as many again each.
const MOST: usize = 200_000;

/// The phenotypes of individuals that were proposed.
#[derive(Debug, Clone, Default)]
pub struct Repeats {
    /// By a hash that is the same in every run. Nothing iterates over them.
    seen: HashSet<u64>,
}

impl Repeats {
    /// Notes what `individual` sends; says whether that was noted before.
    pub fn note(&mut self, api: &Api, individual: &Individual) -> bool {
        if self.seen.len() >= MOST {
            self.seen.clear();
        }
        !self.seen.insert(phenotype(api, individual))
    }
}

/// A hash of the requests as far as they are known before the calls, and of what they take from answers.
fn phenotype(api: &Api, individual: &Individual) -> u64 {
    let mut hasher = DefaultHasher::new();
    for action in &individual.actions {
        render(api, action, &mut |_| None).hash(&mut hasher);
        action.links.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::Repeats;
    use crate::action::{Action, Link, LinkPlace, LinkSource};
    use crate::api::{Api, Operation, OperationIdx, Verb};
    use crate::search::{Budget, Individual, SearchSettings};

    #[test]
    fn what_sends_the_same_is_a_repeat() {
        let mut api = Api::default();
        api.operations.extend(["/a", "/b"].map(|path| Operation::bare(Verb::Get, path)));
        let limits = SearchSettings::new(Budget::Calls(1), 1).gene_limits;
        let call = |idx| Action::template(&api, OperationIdx(idx), &limits);
        let individual = |calls: &[u32]| Individual { actions: calls.iter().map(|idx| call(*idx)).collect() };
        let mut repeats = Repeats::default();
        let mut note = |individual: &Individual| repeats.note(&api, individual);
        assert!(!note(&individual(&[0])) && !note(&individual(&[1])) && !note(&individual(&[0, 1])));
        assert!(note(&individual(&[0])) && note(&individual(&[0, 1])) && !note(&individual(&[1, 0])));
        let mut linked = individual(&[0, 1]);
        linked.actions[1].links.push(Link {
            place: LinkPlace::Parameter(0),
            from_action: 0,
            source: LinkSource::LocationSegment,
        });
        assert!(!note(&linked) && note(&linked));
    }
}
