//! Two samples compared: which is larger how often, and whether chance alone explains it.
//!
//! Sources: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
//! than the other", Annals of Mathematical Statistics 18 (1947) 50-60; A. Vargha and H. D. Delaney, "A critique and
//! improvement of the CL common language effect size statistics of `McGraw` and Wong", Journal of Educational and
//! Behavioral Statistics 25 (2000) 101-132; the correction of the variance for ties as in E. L. Lehmann,
//! "Nonparametrics" (1975), section 1.4.
//!
//! ```text
//! ranks   = midranks of both samples together
//! W       = sum of the ranks of the first sample
//! exact p = share of all ways to choose n of the n + m ranks whose sum is as far from its mean as W, or farther
//! ```
//!
//! Differences from the source:
//! - Midranks stand for tied values and the distribution is that of the ranks as they are, so p is exact with ties too;
//!   the tables of 1947 hold for samples without ties. As that distribution need not be symmetric then, two-sided means
//!   "as far from the mean in either direction", not "twice the smaller tail".
//! - Sums are of doubled ranks, which are whole numbers: nothing is rounded before the last division.

use std::cmp::Ordering;

/// Values in both samples together up to which p is exact; the number of ways to choose then still fits in 128 bits.
const MAX_EXACT: usize = 100;

/// How probable it is that a value of `first` is larger than one of `second`, ties counted by half: the A12 of Vargha and
/// Delaney, in [0, 1].
///
/// 0.5 means no difference; none when a sample is empty.
pub fn a12(first: &[f64], second: &[f64]) -> Option<f64> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| a.total_cmp(b)));
    let doubled_wins: usize = pairs
        .map(|order| match order {
            Ordering::Greater => 2,
            Ordering::Equal => 1,
            Ordering::Less => 0,
        })
        .sum();
    Some(doubled_wins as f64 / (2 * first.len() * second.len()) as f64)
}

/// The two-sided p-value of Mann and Whitney, in (0, 1]; none when a sample is empty.
///
/// Exact when both samples together have at most 100 values, whatever the ties; else the normal approximation with the
/// correction for ties and for continuity.
pub fn p_value(first: &[f64], second: &[f64]) -> Option<f64> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let ranks = doubled_midranks(first, second);
    Some(if ranks.len() <= MAX_EXACT { exact(&ranks, first.len()) } else { approximate(&ranks, first.len()) })
}

/// Twice the midrank of every value, those of `first` first. Ranks count from 1.
fn doubled_midranks(first: &[f64], second: &[f64]) -> Vec<usize> {
    let values: Vec<f64> = first.iter().chain(second).copied().collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0; values.len()];
    let mut n_before = 0;
    for tied in order.chunk_by(|a, b| values[*a].total_cmp(&values[*b]).is_eq()) {
        for idx in tied {
            // The mean of before + 1 to before + n, doubled.
            ranks[*idx] = 2 * n_before + tied.len() + 1;
        }
        n_before += tied.len();
    }
    ranks
}

/// The share of all choices of `n_first` ranks whose sum is at least as far from the mean as that of the first ones.
fn exact(ranks: &[usize], n_first: usize) -> f64 {
    let observed: usize = ranks[..n_first].iter().sum();
    // Doubled ranks have the mean N + 1, so their sums have a whole mean.
    let mean = n_first * (ranks.len() + 1);
    let ways = ways_by_sum(ranks, n_first);
    let far = observed.abs_diff(mean);
    let extreme: u128 = ways.iter().enumerate().filter(|(sum, _)| sum.abs_diff(mean) >= far).map(|(_, ways)| ways).sum();
    extreme as f64 / ways.iter().sum::<u128>() as f64
}

/// In how many ways `n_chosen` of the ranks have each sum; by dynamic programming over the ranks.
fn ways_by_sum(ranks: &[usize], n_chosen: usize) -> Vec<u128> {
    let largest: usize = ranks.iter().sum();
    // ways[k][s]: choices of k among the ranks seen so far with sum s.
    let mut ways = vec![vec![0_u128; largest + 1]; n_chosen + 1];
    ways[0][0] = 1;
    for &rank in ranks {
        // Downwards, so that no rank is chosen twice.
        for k in (1..=n_chosen).rev() {
            let (fewer, more) = ways.split_at_mut(k);
            for (to, from) in more[0][rank..].iter_mut().zip(&fewer[k - 1]) {
                *to += from;
            }
        }
    }
    ways.swap_remove(n_chosen)
}

/// Lehmann 1975, section 1.4: the rank sum as a normal variable, with continuity correction.
fn approximate(ranks: &[usize], n_first: usize) -> f64 {
    let observed = ranks[..n_first].iter().sum::<usize>() as f64 / 2.0;
    let (n, n_second, n_first) = (ranks.len() as f64, (ranks.len() - n_first) as f64, n_first as f64);
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let ties: f64 = sorted.chunk_by(|a, b| a == b).map(|tied| (tied.len() as f64).powi(3) - tied.len() as f64).sum();
    let variance = n_first * n_second / 12.0 * ((n + 1.0) - ties / (n * (n - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let far = ((observed - n_first * (n + 1.0) / 2.0).abs() - 0.5).max(0.0);
    two_sided_normal(far / variance.sqrt())
}

/// P(|Z| >= z) for a standard normal Z and z >= 0, to some twelve digits.
///
/// erfc(z / sqrt 2), by the series 7.1.6 of M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964),
/// where it converges fast without cancellation, and by the continued fraction 7.1.14 beyond.
fn two_sided_normal(z: f64) -> f64 {
    const N_TERMS: u32 = 100;
    let x = z / std::f64::consts::SQRT_2;
    let density = (-x * x).exp() * std::f64::consts::FRAC_2_SQRT_PI;
    if x < 2.0 {
        // The terms are 2^n x^(2n+1) / (1 * 3 * ... * (2n+1)).
        let (mut term, mut sum) = (x, x);
        for n in 1..N_TERMS {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return (1.0 - density * sum).clamp(0.0, 1.0);
    }
    // 1 / (x + (1/2) / (x + (2/2) / (x + (3/2) / ...))), from its end.
    let fraction = (1..N_TERMS).rev().fold(x, |rest, n| x + f64::from(n) / 2.0 / rest);
    density / 2.0 / fraction
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// p by trying every way to choose the first sample.
    fn brute_force(first: &[f64], second: &[f64]) -> f64 {
        let ranks = doubled_midranks(first, second);
        let mean = first.len() * (ranks.len() + 1);
        let far = ranks[..first.len()].iter().sum::<usize>().abs_diff(mean);
        let (mut extreme, mut all) = (0_u32, 0_u32);
        for chosen in 0_u32..1 << ranks.len() {
            if chosen.count_ones() as usize == first.len() {
                let sum: usize = (0..ranks.len()).filter(|idx| chosen >> idx & 1 == 1).map(|idx| ranks[idx]).sum();
                all += 1;
                extreme += u32::from(sum.abs_diff(mean) >= far);
            }
        }
        f64::from(extreme) / f64::from(all)
    }

    fn sample(whole: &[u8]) -> Vec<f64> {
        whole.iter().map(|value| f64::from(*value)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// Few different values make many ties.
        #[test]
        fn p_is_that_of_every_enumeration(
            n_values in 1..12_u8,
            first in proptest::collection::vec(0..12_u8, 1..8),
            second in proptest::collection::vec(0..12_u8, 1..8),
        ) {
            let few = |sample: &[u8]| sample.iter().map(|value| f64::from(value % n_values)).collect::<Vec<f64>>();
            let (first, second) = (few(&first), few(&second));
            let found = p_value(&first, &second).expect("both have values");
            prop_assert!((found - brute_force(&first, &second)).abs() < 1e-12, "{} {:?} {:?}", found, first, second);
        }

        #[test]
        fn samples_can_change_places(
            first in proptest::collection::vec(0..9_u8, 1..25),
            second in proptest::collection::vec(0..9_u8, 1..25),
        ) {
            let (first, second) = (sample(&first), sample(&second));
            let (there, back) = (p_value(&first, &second), p_value(&second, &first));
            prop_assert!((there.expect("values") - back.expect("values")).abs() < 1e-12);
            let sum = a12(&first, &second).expect("values") + a12(&second, &first).expect("values");
            prop_assert!((sum - 1.0).abs() < 1e-12);
        }
    }

    proptest! {
        // Each case is a table of millions of sums.
        #![proptest_config(ProptestConfig { cases: 5, failure_persistence: None, ..Default::default() })]

        #[test]
        fn the_approximation_is_near_the_exact_value(
            first in proptest::collection::vec(0..30_u8, 40..50),
            second in proptest::collection::vec(0..30_u8, 40..50),
        ) {
            let ranks = doubled_midranks(&sample(&first), &sample(&second));
            let (exact, near) = (exact(&ranks, first.len()), approximate(&ranks, first.len()));
            prop_assert!((exact - near).abs() < 0.01, "{} {}", exact, near);
        }
    }

    /// Two of the choices are as far apart as complete separation.
    #[test]
    fn separated_samples_have_the_smallest_p_there_is() {
        let (low, high): (Vec<f64>, Vec<f64>) = ((0..10).map(f64::from).collect(), (10..20).map(f64::from).collect());
        assert_eq!(p_value(&low, &high), Some(2.0 / 184_756.0));
        assert_eq!((a12(&low, &high), a12(&high, &low)), (Some(0.0), Some(1.0)));
    }

    /// U = 17 of 5 and 4 values without ties: 14 of 126 choices are as extreme.
    #[test]
    fn a_published_example_has_its_published_p() {
        let (first, second) = ([19.0, 22.0, 16.0, 29.0, 24.0], [20.0, 11.0, 17.0, 12.0]);
        assert_eq!(p_value(&first, &second), Some(14.0 / 126.0));
        assert_eq!(a12(&first, &second), Some(17.0 / 20.0));
    }

    #[test]
    fn equal_samples_are_no_evidence() {
        for n in [1, 10, 60] {
            assert_eq!(p_value(&vec![3.0; n], &vec![3.0; n]), Some(1.0), "{n} values");
            assert_eq!(a12(&vec![3.0; n], &vec![3.0; n]), Some(0.5), "{n} values");
        }
    }

    #[test]
    fn an_empty_sample_has_no_p() {
        assert_eq!((p_value(&[], &[1.0]), a12(&[1.0], &[])), (None, None));
    }

    #[test]
    fn the_normal_tail_has_its_known_values() {
        for (z, p) in [(0.0, 1.0), (1.0, 0.317_310_5), (1.959_964, 0.05), (3.290_527, 0.001), (6.0, 1.973_175e-9)] {
            assert!((two_sided_normal(z) / p - 1.0).abs() < 1e-6, "{z}: {}", two_sided_normal(z));
        }
    }
}
