//! What is known of genes by hints: for each the specialisations that the service was seen to want (paper 004, section 5).
//!
//! Differences from the source: what was learned of a gene holds for it in every individual, not only in the one that was
//! executed; and each specialisation is tried once right away in the call that it came from, for there the service is known
//! to look at the value.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::action::Action;
use crate::api::OperationIdx;
use crate::gene::{Mutation, Specialisation};
use crate::random::Random;

use super::hint::{Hint, Usage};
use super::hint_log::HintLog;
use super::impact::GeneKey;
use super::mutator::{gene_at, gene_key, genes_of};
use super::tracking::{GeneInPlay, genes_in_play};
use super::{Evaluation, Individual};

/// Specialisations of one gene, at most.
const MOST_OF_GENE: usize = 64;
/// Genes with specialisations, at most.
const MOST_GENES: usize = 4_000;
/// Specialisations that are not made twice, at most.
const MOST_MADE: usize = 4_000;
/// Individuals that wait to be tried, at most.
const MOST_WAITING: usize = 256;

/// What is known of genes by hints.
#[derive(Debug, Clone, Default)]
pub struct Specialisations {
    of_genes: BTreeMap<GeneKey, Vec<Known>>,
    /// What was made of hints, by usage and operand; none where nothing could be.
    made: BTreeMap<(Usage, String), Option<Arc<Specialisation>>>,
    waiting: VecDeque<Individual>,
    /// Whether what was proposed last was one of those that waited.
    has_tried: bool,
    counts: HintCounts,
    /// What arrived, for telling it afterwards.
    log: HintLog,
}

/// What a gene may be narrowed to.
#[derive(Debug, Clone)]
struct Known {
    specialisation: Arc<Specialisation>,
    /// How often it was chosen.
    n_taken: u32,
}

/// How many hints there were, and what came of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HintCounts {
    /// Those that arrived, by what was done with the value.
    pub arrived: BTreeMap<Usage, u64>,
    /// Genes that took a specialisation.
    pub genes: usize,
    /// Hints that could not be used: patterns that cannot be translated, and what was more than is kept.
    pub unused: u64,
}

impl Specialisations {
    /// Learns from the hints of `evaluation`; what is new waits to be tried in the calls that it came from.
    pub fn learn(&mut self, evaluation: &Evaluation, random: &mut Random) {
        for hints in evaluation.hints.chunk_by(|(one, _), (other, _)| one == other) {
            let Some((call_idx, _)) = hints.first() else { continue };
            let Some(action) = evaluation.individual.actions.get(*call_idx) else { continue };
            let genes = genes_in_play(action);
            for (_, hint) in hints {
                *self.counts.arrived.entry(hint.usage).or_default() += 1;
                let made = self.made_of(hint);
                let owners = genes.iter().filter(|gene| gene.texts.contains(&hint.tracked)).map(|gene| gene.key);
                self.log.note(hint, action.operation_idx, owners, made.as_ref());
                let Some(specialisation) = made else {
                    self.counts.unused += 1;
                    continue;
                };
                for gene in genes.iter().filter(|gene| gene.texts.contains(&hint.tracked)) {
                    if self.note(gene.key, &specialisation) {
                        self.try_soon(&evaluation.individual, *call_idx, gene, &specialisation, random);
                    }
                }
            }
        }
    }

    /// What a hint makes of a gene; patterns are costly to translate, so each is translated once.
    fn made_of(&mut self, hint: &Hint) -> Option<Arc<Specialisation>> {
        let key = (hint.usage, hint.operand.clone());
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        let made = hint.specialisation().map(Arc::new);
        if self.made.len() >= MOST_MADE {
            self.made.clear();
        }
        self.made.insert(key, made.clone());
        made
    }

    /// Keeps it; says whether it is new.
    fn note(&mut self, key: GeneKey, specialisation: &Arc<Specialisation>) -> bool {
        if self.of_genes.len() >= MOST_GENES && !self.of_genes.contains_key(&key) {
            self.counts.unused += 1;
            return false;
        }
        let known = self.of_genes.entry(key).or_default();
        if known.iter().any(|it| it.specialisation == *specialisation) {
            return false;
        }
        if known.len() >= MOST_OF_GENE {
            self.counts.unused += 1;
            return false;
        }
        known.push(Known { specialisation: Arc::clone(specialisation), n_taken: 0 });
        true
    }

    /// Makes the individual that has the gene narrowed, up to the call of the hint.
    fn try_soon(
        &mut self,
        individual: &Individual,
        call_idx: usize,
        gene: &GeneInPlay,
        specialisation: &Arc<Specialisation>,
        random: &mut Random,
    ) {
        let actions: Vec<Action> = individual.actions.iter().take(call_idx + 1).cloned().collect();
        let mut individual = Individual { actions };
        let found = individual.actions.last_mut().and_then(|action| gene_at(action, gene.place));
        let Some(found) = found.and_then(|tree| tree.at_mut(&gene.path)) else { return };
        if found.specialise(specialisation, random) == Mutation::Changed {
            self.took(gene.key, specialisation);
            if self.waiting.len() < MOST_WAITING {
                self.waiting.push_back(individual);
            } else {
                self.counts.unused += 1;
            }
        }
    }

    fn took(&mut self, key: GeneKey, specialisation: &Arc<Specialisation>) {
        let Some(known) = self.of_genes.get_mut(&key) else { return };
        let is_first = known.iter().all(|it| it.n_taken == 0);
        self.counts.genes += usize::from(is_first);
        if let Some(known) = known.iter_mut().find(|it| it.specialisation == *specialisation) {
            known.n_taken = known.n_taken.saturating_add(1);
        }
    }

    /// Has an individual tried as soon as those that wait already.
    pub fn try_later(&mut self, individual: Individual) {
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push_back(individual);
        }
    }

    /// An individual that is to be tried now; every other time none, so that the search goes on however many there are.
    pub fn next_to_try(&mut self) -> Option<Individual> {
        self.has_tried = !self.has_tried && !self.waiting.is_empty();
        if self.has_tried { self.waiting.pop_front() } else { None }
    }

    /// One of the specialisations of a gene, mostly one that was taken least; none where none is known.
    pub fn draw(&mut self, key: GeneKey, random: &mut Random) -> Option<Arc<Specialisation>> {
        let known = self.of_genes.get_mut(&key)?;
        let least = known.iter().map(|it| it.n_taken).min()?;
        let rarest: Vec<usize> = (0..known.len()).filter(|idx| known[*idx].n_taken == least).collect();
        let idx = if random.chance(0.5) { *random.pick(&rarest)? } else { random.below(known.len()) };
        let drawn = Arc::clone(&known[idx].specialisation);
        self.took(key, &drawn);
        Some(drawn)
    }

    /// Whether anything is known of a gene.
    pub fn has(&self, key: GeneKey) -> bool {
        self.of_genes.contains_key(&key)
    }

    /// Narrows genes of `action` of which something is known, each with probability `p`.
    pub fn vary(&mut self, action: &mut Action, p: f64, random: &mut Random) {
        if !self.knows(action.operation_idx) {
            return;
        }
        let sites = genes_of(action).flat_map(|(place, gene)| gene.sites().into_iter().map(move |site| (place, site)));
        let keyed: Vec<_> = sites.map(|(place, site)| (gene_key(action, place, &site), place, site.path)).collect();
        for (key, place, path) in keyed {
            if !self.has(key) || !random.chance(p) {
                continue;
            }
            let Some(specialisation) = self.draw(key, random) else { continue };
            if let Some(gene) = gene_at(action, place).and_then(|tree| tree.at_mut(&path)) {
                gene.specialise(&specialisation, random);
            }
        }
    }

    /// Whether anything is known of any gene of an operation.
    fn knows(&self, operation_idx: OperationIdx) -> bool {
        let first = GeneKey { operation_idx, place: 0, key: 0 };
        self.of_genes.range(first..).next().is_some_and(|(key, _)| key.operation_idx == operation_idx)
    }

    /// What arrived.
    pub fn log(&self) -> &HintLog {
        &self.log
    }

    /// How often a gene was narrowed to that; none where it is not kept for it.
    pub fn taken(&self, key: GeneKey, specialisation: &Specialisation) -> Option<u32> {
        let known = self.of_genes.get(&key)?;
        known.iter().find(|it| *it.specialisation == *specialisation).map(|it| it.n_taken)
    }

    /// How many hints there were, and what came of them.
    pub fn counts(&self) -> &HintCounts {
        &self.counts
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{MOST_OF_GENE, Specialisations};
    use crate::api::OperationIdx;
    use crate::gene::Specialisation;
    use crate::random::Random;
    use crate::search::impact::GeneKey;

    fn key(operation: u32) -> GeneKey {
        GeneKey { operation_idx: OperationIdx(operation), place: 0, key: 7 }
    }

    fn constant(number: usize) -> Arc<Specialisation> {
        Arc::new(Specialisation::Constant(number.to_string()))
    }

    #[test]
    fn a_gene_has_each_specialisation_once_and_not_too_many() {
        let mut known = Specialisations::default();
        assert!(known.note(key(1), &constant(0)) && !known.note(key(1), &constant(0)));
        let added = (0..MOST_OF_GENE + 9).filter(|number| known.note(key(1), &constant(*number))).count();
        assert_eq!((added, known.counts().unused), (MOST_OF_GENE - 1, 9));
        assert!(known.knows(OperationIdx(1)) && !known.knows(OperationIdx(0)) && !known.knows(OperationIdx(2)));
    }

    #[test]
    fn what_was_taken_least_is_drawn_most() {
        let (mut known, mut random) = (Specialisations::default(), Random::new(3, 0));
        (0..4).for_each(|number| assert!(known.note(key(1), &constant(number))));
        assert_eq!(known.counts().genes, 0);
        for _ in 0..40 {
            assert!(known.draw(key(1), &mut random).is_some());
        }
        assert_eq!(known.counts().genes, 1);
        assert!(known.of_genes[&key(1)].iter().all(|it| it.n_taken >= 5), "{:?}", known.of_genes);
        assert!(known.draw(key(2), &mut random).is_none());
    }
}
