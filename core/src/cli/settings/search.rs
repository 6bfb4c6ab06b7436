//! The search's parameters: joined, and each checked against its range.

mod odds;

use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::gene::GeneLimits;
use crate::search::{Budget, SearchSettings};

use super::super::layers::Layers;
use super::super::sections::SearchSection;
use super::super::{BudgetText, CliError};

const BUDGET: BudgetText = BudgetText(Budget::Time(Duration::from_mins(1)));

/// Joins and checks `[search]`.
pub(super) fn pick(layers: &mut Layers, typed: &SearchSection, file: &SearchSection) -> Result<SearchSettings, CliError> {
    pick_with(layers, typed, file, BUDGET)
}

/// The same where `budget` holds when none is given.
pub(super) fn pick_with(
    layers: &mut Layers,
    typed: &SearchSection,
    file: &SearchSection,
    budget: BudgetText,
) -> Result<SearchSettings, CliError> {
    let budget = layers.pick_or("search.budget", typed.budget, file.budget, budget);
    let rng_seed = layers.pick_or("search.rng-seed", typed.rng_seed, file.rng_seed, fresh_seed());
    let base = SearchSettings::new(budget.0, rng_seed);
    let mut numbers = Numbers { layers };
    let settings = SearchSettings {
        budget: budget.0,
        rng_seed,
        max_test_size: numbers.count("search.max-test-size", [typed.max_test_size, file.max_test_size], base.max_test_size)?,
        p_random: numbers.share("search.p-random", [typed.p_random, file.p_random], base.p_random)?,
        p_random_end: numbers.share("search.p-random-end", [typed.p_random_end, file.p_random_end], base.p_random_end)?,
        focused_phase: numbers.share("search.focused-phase", [typed.focused_phase, file.focused_phase], base.focused_phase)?,
        population: numbers.count("search.population", [typed.population, file.population], base.population)?,
        population_end: numbers.count(
            "search.population-end",
            [typed.population_end, file.population_end],
            base.population_end,
        )?,
        mutations: numbers.count("search.mutations", [typed.mutations, file.mutations], base.mutations)?,
        mutations_start: numbers.count(
            "search.mutations-start",
            [typed.mutations_start, file.mutations_start],
            base.mutations_start,
        )?,
        p_structure: numbers.share("search.p-structure", [typed.p_structure, file.p_structure], base.p_structure)?,
        p_smart: numbers.share("search.p-smart", [typed.p_smart, file.p_smart], base.p_smart)?,
        p_example: numbers.share("search.p-example", [typed.p_example, file.p_example], base.p_example)?,
        p_pool: numbers.share("search.p-pool", [typed.p_pool, file.p_pool], base.p_pool)?,
        p_invalid: numbers.share("search.p-invalid", [typed.p_invalid, file.p_invalid], base.p_invalid)?,
        // What is marked is a matter of tracking, and what is looked for beyond the document one of the driver.
        marking: base.marking,
        expands: base.expands,
        max_deaths: numbers.count("search.max-deaths", [typed.max_deaths, file.max_deaths], base.max_deaths)?,
        max_time_outs: numbers.count("search.max-time-outs", [typed.max_time_outs, file.max_time_outs], base.max_time_outs)?,
        gene_limits: gene_limits(&mut numbers, typed, file, &base.gene_limits)?,
        odds: odds::pick(layers, &file.odds)?,
    };
    Ok(settings)
}

fn gene_limits(
    numbers: &mut Numbers<'_, '_>,
    typed: &SearchSection,
    file: &SearchSection,
    limits: &GeneLimits,
) -> Result<GeneLimits, CliError> {
    Ok(GeneLimits {
        max_depth: numbers.count("search.max-depth", [typed.max_depth, file.max_depth], limits.max_depth)?,
        max_genes: numbers.count("search.max-genes", [typed.max_genes, file.max_genes], limits.max_genes)?,
        max_members: numbers.amount("search.max-members", [typed.max_members, file.max_members], limits.max_members)?,
        max_string: numbers.amount("search.max-string", [typed.max_string, file.max_string], limits.max_string)?,
    })
}

/// Picks numbers and checks their range; `[typed, file]` are the layers above the default.
struct Numbers<'a, 'b> {
    layers: &'a mut Layers<'b>,
}

impl Numbers<'_, '_> {
    /// A probability or share in [0, 1].
    fn share(&mut self, key: &'static str, [typed, file]: [Option<f64>; 2], default: f64) -> Result<f64, CliError> {
        let value = self.layers.pick_or(key, typed, file, default);
        if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(self.out_of_range(key, value, "a number from 0 to 1")) }
    }

    /// A number of at least 1.
    fn count(&mut self, key: &'static str, layers: [Option<usize>; 2], default: usize) -> Result<usize, CliError> {
        self.bounded(key, layers, default, 1..=1_000_000)
    }

    /// A number that may be 0.
    fn amount(&mut self, key: &'static str, layers: [Option<usize>; 2], default: usize) -> Result<usize, CliError> {
        self.bounded(key, layers, default, 0..=1_000_000)
    }

    fn bounded(
        &mut self,
        key: &'static str,
        [typed, file]: [Option<usize>; 2],
        default: usize,
        range: RangeInclusive<usize>,
    ) -> Result<usize, CliError> {
        let value = self.layers.pick_or(key, typed, file, default);
        if range.contains(&value) {
            return Ok(value);
        }
        let wanted = format!("a whole number from {} to {}", range.start(), range.end());
        Err(self.out_of_range(key, value, &wanted))
    }

    fn out_of_range(&self, key: &str, value: impl std::fmt::Display, wanted: &str) -> CliError {
        CliError::usage(format!("found {value} for {}, wanted {wanted}", super::place(self.layers, key)))
    }
}

/// A seed nobody chose; short enough to be typed again.
fn fresh_seed() -> u64 {
    // The standard library draws the keys of its hasher from the operating system.
    RandomState::new().hash_one("restive") >> 32
}
