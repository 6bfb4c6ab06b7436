//! The one source of randomness: a seeded stream of `ChaCha8` with the draws that genes and search need.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A seeded random stream; equal seeds give equal draws on every platform.
#[derive(Debug, Clone)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream number `stream` of `rng_seed`; streams of one seed are independent of each other.
    pub fn new(rng_seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(rng_seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// True with probability `p`, which lies in [0, 1].
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    /// Uniform among `0..n`; `n` must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    /// Uniform in `min..=max`; `min` must not be above `max`.
    pub fn between(&mut self, min: i64, max: i64) -> i64 {
        self.0.random_range(min..=max)
    }

    /// A member drawn uniformly, none of an empty slice.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.below(items.len())]) }
    }

    /// A position drawn with the given weights (each 0 or more), none when all are 0.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        if total <= 0.0 {
            return None;
        }
        let mut rest = self.unit() * total;
        for (idx, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return Some(idx);
            }
        }
        weights.iter().rposition(|weight| *weight > 0.0)
    }

    /// A size in `0..=max`, small ones far more often: the logarithm is uniform.
    pub fn log_size(&mut self, max: usize) -> usize {
        let exponent = self.unit() * (max as f64 + 2.0).ln();
        // Truncation is the point: e^[0, ln(max+2)) - 1 lies in [0, max+1).
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value lies in 0..=max")]
        let size = (exponent.exp() - 1.0) as usize;
        size.min(max)
    }

    /// All 64 bits drawn uniformly.
    pub fn bits(&mut self) -> u64 {
        self.0.random::<u64>()
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for idx in (1..items.len()).rev() {
            items.swap(idx, self.below(idx + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn equal_seeds_give_equal_draws_and_streams_differ() {
        let draw = |seed, stream| {
            let mut random = Random::new(seed, stream);
            (0..8).map(|_| random.bits()).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }

    #[test]
    fn log_size_reaches_both_ends_and_favours_small_sizes() {
        let mut random = Random::new(1, 0);
        let sizes: Vec<usize> = (0..20_000).map(|_| random.log_size(100)).collect();
        assert!(sizes.contains(&0) && sizes.contains(&100));
        assert!(sizes.iter().filter(|size| **size < 10).count() > sizes.len() / 3);
    }

    #[test]
    fn weighted_never_picks_a_weight_of_zero() {
        let mut random = Random::new(3, 0);
        assert!((0..1000).all(|_| random.weighted(&[0.0, 1.0, 0.0, 2.0]).is_some_and(|idx| idx % 2 == 1)));
        assert_eq!(random.weighted(&[0.0, 0.0]), None);
    }
}
