//! Parameters of the search, with the defaults of `search.md` 2 (Arcuri 2018; numbers marked P from the paper).

use std::time::Duration;

use crate::gene::GeneLimits;

use super::{Marking, SearchOdds};

/// What may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// HTTP calls; the run is then repeatable byte for byte.
    Calls(u64),
    /// Wall time.
    Time(Duration),
}

/// Every parameter of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSettings {
    /// What may be spent.
    pub budget: Budget,
    /// Seed of all randomness.
    pub rng_seed: u64,
    /// Calls in one test, at most.
    pub max_test_size: usize,
    /// Probability of sampling instead of mutating, at the start.
    pub p_random: f64,
    /// The same in the focused phase, which it goes to linearly.
    pub p_random_end: f64,
    /// Share of the budget in [0, 1] after which the focused phase begins.
    pub focused_phase: f64,
    /// Individuals kept per target at the start.
    pub population: usize,
    /// The same in the focused phase, which it goes to linearly.
    pub population_end: usize,
    /// Mutations in a row in the focused phase.
    pub mutations: usize,
    /// The same at the start, from where it goes there linearly.
    pub mutations_start: usize,
    /// Probability that a mutation changes the list of calls instead of values.
    pub p_structure: f64,
    /// Probability of smart sampling instead of a random sequence.
    pub p_smart: f64,
    /// Probability that a sampled value is taken from the schema's examples and defaults where there are some.
    pub p_example: f64,
    /// Probability that a sampled or mutated value is taken from the response pool where it has one.
    pub p_pool: f64,
    /// Probability that a sampled call has something wrong on purpose.
    pub p_invalid: f64,
    /// How often values are marked; falls linearly to never in the focused phase.
    pub marking: Marking,
    /// Whether inputs are looked for that the document does not name, where a driver tells of them.
    pub expands: bool,
    /// Deaths of the service after which the operation charged with them is not called any more.
    pub max_deaths: usize,
    /// Calls of an operation without an answer in time after which it is called seldom.
    pub max_time_outs: usize,
    /// Everything that is drawn with odds that stay the same.
    pub odds: SearchOdds,
    /// Size limits of gene trees.
    pub gene_limits: GeneLimits,
}

impl SearchSettings {
    /// The defaults with that budget and seed.
    pub fn new(budget: Budget, rng_seed: u64) -> Self {
        Self {
            budget,
            rng_seed,
            max_test_size: 10,
            p_random: 0.5,
            p_random_end: 0.0,
            focused_phase: 0.5,
            population: 10,
            population_end: 1,
            mutations: 10,
            mutations_start: 1,
            p_structure: 0.5,
            p_smart: 0.95,
            p_example: 0.2,
            p_pool: 0.3,
            p_invalid: 0.2,
            marking: Marking::Never,
            expands: true,
            max_deaths: 3,
            max_time_outs: 3,
            odds: SearchOdds::default(),
            gene_limits: GeneLimits { max_depth: 8, max_genes: 2000, max_members: 5, max_string: 32 },
        }
    }
}
