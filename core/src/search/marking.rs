//! Marked values (paper 004, section 5): texts that no service knows take the place of real ones, so that what the service
//! does with them cannot be mistaken for what it does with others.
//!
//! ```text
//! a text of a call that is drawn or changed, and that is not narrowed to anything
//!     with probability P: takes the next marked value
//! ```
//!
//! P falls linearly to 0 at the focused phase. Differences from the source: marked values are sent to the driver with the
//! call like all values that are tracked, instead of being known by their look; values that the service
//! wants to begin, end, be parted or decoded in some way are tracked as those of regular expressions are; and P can follow what marking brought
//! (`search.md` 8.3, which the paper names as future work): for each gene it is multiplied by the share of its marked values
//! of which the service told something new, at least by [`LEAST_SHARE`], so that a text that no library method ever looks at
//! costs few calls, and one that is looked at only after others were met is still found.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::Action;
use crate::gene::{Gene, Mutation, is_marked};
use crate::random::Random;

use super::Evaluation;
use super::impact::GeneKey;
use super::mutator::{gene_at, keyed_sites};
use super::tracking::genes_in_play;

/// What P is multiplied by at least, however little marking brought.
const LEAST_SHARE: f64 = 0.05;
/// Genes whose marking is looked after, at most; others count as never marked.
const MOST_GENES: usize = 20_000;

/// How often values are marked at the start of a run; probabilities in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Marking {
    /// Never: values are sent as they are.
    Never,
    /// With this probability, as in the paper.
    Fixed(f64),
    /// With this probability at most, for each gene by what marking it brought.
    Adaptive(f64),
}

impl Marking {
    /// The probability at the start, before anything is known.
    pub fn p(self) -> f64 {
        match self {
            Self::Never => 0.0,
            Self::Fixed(p) | Self::Adaptive(p) => p,
        }
    }
}

/// Marks values, and remembers what came of it.
#[derive(Debug, Clone)]
pub struct Marker {
    marking: Marking,
    /// The probability at this moment.
    p: f64,
    /// Marked values given so far, each with a number of its own.
    n_marked: u64,
    of_genes: BTreeMap<GeneKey, Tally>,
}

/// What marking a gene brought.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Tally {
    /// Calls in which its value was marked.
    n_tries: u32,
    /// Those that taught something new.
    n_gains: u32,
}

impl Marker {
    /// Nothing is known yet.
    pub fn new(marking: Marking) -> Self {
        Self { marking, p: marking.p(), n_marked: 0, of_genes: BTreeMap::new() }
    }

    /// From now on values are marked with probability `p`.
    pub fn set_p(&mut self, p: f64) {
        self.p = p;
    }

    /// Marked values given so far.
    pub fn n_marked(&self) -> u64 {
        self.n_marked
    }

    /// The probability of marking a gene now.
    fn p_of(&self, key: GeneKey) -> f64 {
        match self.marking {
            Marking::Never => 0.0,
            Marking::Fixed(_) => self.p,
            Marking::Adaptive(_) => {
                let Tally { n_tries, n_gains } = self.of_genes.get(&key).copied().unwrap_or_default();
                let share = f64::from(n_gains + 1) / f64::from(n_tries + 1);
                self.p * share.clamp(LEAST_SHARE, 1.0)
            }
        }
    }

    /// Whether a gene is to be marked; nothing is drawn where values are never marked.
    pub fn wants(&self, key: GeneKey, random: &mut Random) -> bool {
        self.p > 0.0 && self.marking != Marking::Never && random.chance(self.p_of(key))
    }

    /// Marks a gene; says whether its constraints allow it.
    pub fn mark(&mut self, gene: &mut Gene) -> bool {
        let is_marked = gene.mark(self.n_marked + 1) == Mutation::Changed;
        self.n_marked += u64::from(is_marked);
        is_marked
    }

    /// Marks texts of a call that was drawn.
    pub fn mark_some(&mut self, action: &mut Action, random: &mut Random) {
        if self.p <= 0.0 || self.marking == Marking::Never {
            return;
        }
        for (key, place, path) in keyed_sites(action) {
            let Some(gene) = gene_at(action, place).and_then(|tree| tree.at_mut(&path)) else { continue };
            if gene.is_markable() && self.wants(key, random) {
                self.mark(gene);
            }
        }
    }

    /// Marks the fields of that name in a value, so that what the service does with what was just put in shows; nothing where
    /// values are not marked now.
    pub fn mark_fields(&mut self, gene: &mut Gene, name: &str) {
        if self.p <= 0.0 || self.marking == Marking::Never {
            return;
        }
        for site in gene.sites().into_iter().filter(|site| site.name == name) {
            if let Some(field) = gene.at_mut(&site.path).filter(|field| field.is_markable()) {
                self.mark(field);
            }
        }
    }

    /// Counts the marked values of `evaluation`; of the genes in `taught` the service told something new.
    pub fn learn(&mut self, evaluation: &Evaluation, taught: &BTreeSet<GeneKey>) {
        if !matches!(self.marking, Marking::Adaptive(_)) {
            return;
        }
        let n_sent = evaluation.results.len();
        let genes = evaluation.individual.actions.iter().take(n_sent).flat_map(genes_in_play);
        for gene in genes.filter(|gene| gene.texts.iter().any(|it| is_marked(&it.text))) {
            if self.of_genes.len() >= MOST_GENES && !self.of_genes.contains_key(&gene.key) {
                continue;
            }
            let tally = self.of_genes.entry(gene.key).or_default();
            tally.n_tries = tally.n_tries.saturating_add(1);
            tally.n_gains = tally.n_gains.saturating_add(u32::from(taught.contains(&gene.key)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Marker, Marking, Tally};
    use crate::api::OperationIdx;
    use crate::random::Random;
    use crate::search::impact::GeneKey;

    fn key(number: u64) -> GeneKey {
        GeneKey { operation_idx: OperationIdx(0), place: 0, key: number }
    }

    #[test]
    fn the_probability_of_a_gene_follows_what_marking_it_brought() {
        let mut marker = Marker::new(Marking::Adaptive(0.8));
        assert!((marker.p_of(key(1)) - 0.8).abs() < 1e-9, "nothing is known yet");
        marker.of_genes.insert(key(1), Tally { n_tries: 9, n_gains: 9 });
        marker.of_genes.insert(key(2), Tally { n_tries: 9, n_gains: 1 });
        marker.of_genes.insert(key(3), Tally { n_tries: 9_999, n_gains: 0 });
        assert!((marker.p_of(key(1)) - 0.8).abs() < 1e-9);
        assert!((marker.p_of(key(2)) - 0.16).abs() < 1e-9);
        assert!((marker.p_of(key(3)) - 0.04).abs() < 1e-9, "never nothing");
        marker.set_p(0.0);
        assert!((0..100).all(|_| !marker.wants(key(1), &mut Random::new(1, 0))));
    }

    #[test]
    fn a_fixed_probability_is_the_same_for_all() {
        let mut marker = Marker::new(Marking::Fixed(0.5));
        marker.of_genes.insert(key(3), Tally { n_tries: 99, n_gains: 0 });
        assert!((marker.p_of(key(3)) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_drawn_where_nothing_is_marked() {
        let (mut drawn, mut other) = (Random::new(1, 0), Random::new(1, 0));
        assert!(!Marker::new(Marking::Never).wants(key(1), &mut drawn));
        assert_eq!(drawn.bits(), other.bits());
    }
}
