//! Which genes and which kind of mutation matter for which targets, counted from mutations (`search.md` 5).

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, HashMap};

use crate::api::OperationIdx;

use super::TargetId;

/// A gene of an operation, the same in every individual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeneKey {
    /// The operation.
    pub operation_idx: OperationIdx,
    /// Parameter position, or the number of parameters plus the position of the body alternative.
    pub place: u16,
    /// [`crate::gene::GeneSite::key`].
    pub key: u64,
}

/// How often changing a gene was tried, and per target how often it had an effect.
///
/// The maps are looked up by key only; their order never matters.
#[derive(Debug, Clone, Default)]
pub struct ImpactTable {
    tried: HashMap<GeneKey, u32>,
    effects: Vec<HashMap<GeneKey, u32>>,
    gains: Vec<Gains>,
    /// What led to targets that were covered by work on them, the strongest first.
    settled: BTreeMap<TargetId, Vec<(GeneKey, u32)>>,
}

/// Genes that are remembered of a target that was covered.
const MOST_SETTLED: usize = 8;

/// How often mutations were tried for a target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tries {
    /// Mutations of the list of calls.
    pub structure: u32,
    /// Mutations of values.
    pub values: u32,
    /// Those of both that came closer.
    pub gains: u32,
}

/// How often each kind of mutation was tried for a target, and how often it came closer.
#[derive(Debug, Clone, Copy, Default)]
struct Gains {
    structure: Tally,
    values: Tally,
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    tries: u32,
    gains: u32,
}

impl Tally {
    /// Share of tries that came closer, with one virtual gain in two tries.
    fn share(self) -> f64 {
        (f64::from(self.gains) + 1.0) / (f64::from(self.tries) + 2.0)
    }
}

impl ImpactTable {
    /// Notes that `genes` were changed together and that the closeness to `changed` targets moved.
    pub fn record(&mut self, genes: &[GeneKey], changed: &[TargetId]) {
        for gene in genes {
            *self.tried.entry(*gene).or_default() += 1;
        }
        for target in changed {
            let idx = target.0 as usize;
            if self.effects.len() <= idx {
                self.effects.resize_with(idx + 1, HashMap::new);
            }
            for gene in genes {
                *self.effects[idx].entry(*gene).or_default() += 1;
            }
        }
    }

    /// Weight in [0.2, 3.2] for choosing `gene` when working on `target`: the share of effective tries, smoothed.
    pub fn weight(&self, gene: GeneKey, target: TargetId) -> f64 {
        let tried = f64::from(self.tried.get(&gene).copied().unwrap_or(0));
        let effects = self.effects.get(target.0 as usize).and_then(|genes| genes.get(&gene)).copied().unwrap_or(0);
        // One virtual success in two tries, so that an untried gene is neither shunned nor favoured.
        0.2 + 3.0 * (f64::from(effects) + 1.0) / (tried + 2.0).max(f64::from(effects) + 1.0)
    }

    /// Notes that a mutation of the list of calls, or else of values, was tried for `target`, and whether it came closer.
    pub fn record_kind(&mut self, target: TargetId, is_structural: bool, has_gained: bool) {
        let idx = target.0 as usize;
        if self.gains.len() <= idx {
            self.gains.resize_with(idx + 1, Gains::default);
        }
        let gains = &mut self.gains[idx];
        let tally = if is_structural { &mut gains.structure } else { &mut gains.values };
        tally.tries += 1;
        tally.gains += u32::from(has_gained);
    }

    /// Probability of a structural mutation for `target`: `usual`, shifted in [0.2, 0.8] towards the kind that comes
    /// closer more often.
    pub fn p_structure(&self, target: TargetId, usual: f64) -> f64 {
        let Some(gains) = self.gains.get(target.0 as usize) else { return usual };
        let (structure, values) = (usual * gains.structure.share(), (1.0 - usual) * gains.values.share());
        let shifted = structure / (structure + values).max(f64::MIN_POSITIVE);
        shifted.clamp(usual.min(0.2), usual.max(0.8))
    }

    /// Forgets what led to `target` but for the strongest genes and the `last` ones, which covered it.
    pub fn forget(&mut self, target: TargetId, last: &[GeneKey]) {
        if self.settled.contains_key(&target) {
            return;
        }
        let mut strongest = self.effects_on(target);
        strongest.truncate(MOST_SETTLED);
        for gene in last.iter().take(MOST_SETTLED) {
            match strongest.iter_mut().find(|(key, _)| key == gene) {
                Some((_, count)) => *count += 1,
                None => strongest.push((*gene, 1)),
            }
        }
        if let Some(genes) = self.effects.get_mut(target.0 as usize) {
            *genes = HashMap::new();
        }
        self.settled.insert(target, strongest);
    }

    /// Genes that moved the closeness to `target`, with how often they did, the strongest first.
    pub fn effects_on(&self, target: TargetId) -> Vec<(GeneKey, u32)> {
        if let Some(settled) = self.settled.get(&target) {
            return settled.clone();
        }
        let genes = self.effects.get(target.0 as usize).into_iter().flatten();
        let mut effects: Vec<(GeneKey, u32)> = genes.map(|(gene, count)| (*gene, *count)).collect();
        effects.sort_unstable_by_key(|(gene, count)| (Reverse(*count), *gene));
        effects
    }

    /// How often changing `gene` was tried, for whatever target.
    pub fn tries_of(&self, gene: GeneKey) -> u32 {
        self.tried.get(&gene).copied().unwrap_or(0)
    }

    /// How often mutations were tried for `target`.
    pub fn tries_for(&self, target: TargetId) -> Tries {
        let Gains { structure, values } = self.gains.get(target.0 as usize).copied().unwrap_or_default();
        Tries { structure: structure.tries, values: values.tries, gains: structure.gains + values.gains }
    }
}

/// The targets below `closeness` 1 whose closeness differs between two evaluations; both lists are ordered by id.
pub fn changed_targets(before: &[(TargetId, f64)], after: &[(TargetId, f64)]) -> Vec<TargetId> {
    let mut changed = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < before.len() || j < after.len() {
        let left = before.get(i).map_or(u32::MAX, |(id, _)| id.0);
        let right = after.get(j).map_or(u32::MAX, |(id, _)| id.0);
        match left.cmp(&right) {
            Ordering::Equal => {
                if (before[i].1 - after[j].1).abs() > f64::EPSILON {
                    changed.push(TargetId(left));
                }
                i += 1;
                j += 1;
            }
            Ordering::Less => {
                changed.push(TargetId(left));
                i += 1;
            }
            Ordering::Greater => {
                changed.push(TargetId(right));
                j += 1;
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::{GeneKey, ImpactTable, Tries, changed_targets};
    use crate::api::OperationIdx;
    use crate::search::TargetId;

    #[test]
    fn changed_targets_are_those_that_moved_came_or_went() {
        let before = [(TargetId(1), 0.5), (TargetId(2), 1.0), (TargetId(4), 0.1)];
        let after = [(TargetId(1), 0.6), (TargetId(2), 1.0), (TargetId(7), 0.1)];
        assert_eq!(changed_targets(&before, &after), [TargetId(1), TargetId(4), TargetId(7)]);
    }

    #[test]
    fn an_effective_gene_outweighs_an_untried_one_and_that_a_useless_one() {
        let gene = |key| GeneKey { operation_idx: OperationIdx(0), place: 0, key };
        let mut impact = ImpactTable::default();
        for _ in 0..10 {
            impact.record(&[gene(1)], &[TargetId(0)]);
            impact.record(&[gene(2)], &[]);
        }
        let weight = |key| impact.weight(gene(key), TargetId(0));
        assert!(weight(1) > weight(3) && weight(3) > weight(2));
        assert_eq!((impact.tries_of(gene(2)), impact.effects_on(TargetId(0))), (10, vec![(gene(1), 10)]));
        impact.forget(TargetId(0), &[gene(2), gene(1)]);
        assert!(impact.weight(gene(1), TargetId(0)) < impact.weight(gene(3), TargetId(0)));
        assert_eq!(impact.effects_on(TargetId(0)), [(gene(1), 11), (gene(2), 1)], "what led there is still known");
    }

    #[test]
    fn the_kind_of_mutation_that_comes_closer_is_favoured_within_limits() {
        let (numeric, sequential, untried) = (TargetId(0), TargetId(1), TargetId(2));
        let mut impact = ImpactTable::default();
        for round in 0..50 {
            impact.record_kind(numeric, false, round % 3 == 0);
            impact.record_kind(numeric, true, false);
            impact.record_kind(sequential, false, false);
            impact.record_kind(sequential, true, round % 3 == 0);
        }
        assert_eq!(impact.tries_for(numeric), Tries { structure: 50, values: 50, gains: 17 });
        assert!((impact.p_structure(numeric, 0.5) - 0.2).abs() < 1e-9);
        assert!((impact.p_structure(sequential, 0.5) - 0.8).abs() < 1e-9);
        assert!((impact.p_structure(untried, 0.5) - 0.5).abs() < 1e-9);
        assert!(impact.p_structure(sequential, 0.0).abs() < 1e-9, "switched off stays off");
    }
}
