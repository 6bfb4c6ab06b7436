//! Curves of several runs brought together: median and quartiles at moments of the budget.

/// Moments of a curve.
const N_MOMENTS: usize = 101;

/// A configuration over the budget, one entry per moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// Name of the configuration.
    pub name: String,
    /// Calls or seconds spent.
    pub moments: Vec<f64>,
    /// Lower quartile.
    pub lower: Vec<f64>,
    /// Median.
    pub median: Vec<f64>,
    /// Upper quartile.
    pub upper: Vec<f64>,
}

/// One run: what was reached (ascending) at what was spent.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// Calls or seconds spent, ascending.
    pub spent: Vec<f64>,
    /// What was reached.
    pub reached: Vec<f64>,
}

impl Steps {
    /// What was reached at a moment: a curve stays where it is until its next sample, and after its last.
    fn at(&self, moment: f64) -> f64 {
        let n_before = self.spent.partition_point(|spent| *spent <= moment);
        n_before.checked_sub(1).and_then(|idx| self.reached.get(idx)).copied().unwrap_or(0.0)
    }
}

/// The runs of a configuration together, from nothing spent to `end`.
pub fn band(name: &str, runs: &[Steps], end: f64) -> Band {
    let moments: Vec<f64> = (0..N_MOMENTS).map(|nth| end * nth as f64 / (N_MOMENTS - 1) as f64).collect();
    let mut band =
        Band { name: name.to_owned(), moments: moments.clone(), lower: Vec::new(), median: Vec::new(), upper: Vec::new() };
    for moment in moments {
        let mut reached: Vec<f64> = runs.iter().map(|run| run.at(moment)).collect();
        reached.sort_by(f64::total_cmp);
        band.lower.push(quantile(&reached, 0.25));
        band.median.push(quantile(&reached, 0.5));
        band.upper.push(quantile(&reached, 0.75));
    }
    band
}

/// The quantile `share` (in [0, 1]) of ascending values, interpolated between its neighbours; 0 without values.
///
/// Definition 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50
/// (1996) 361-365: the usual one of R and `NumPy`.
pub fn quantile(ascending: &[f64], share: f64) -> f64 {
    let Some(last) = ascending.len().checked_sub(1) else { return 0.0 };
    let position = share * last as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the position lies in 0..=last")]
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    ascending[below] + (ascending[above] - ascending[below]) * (position - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|share| quantile(&values, share)).to_vec(), [1.0, 1.75, 3.0, 8.0].to_vec());
        assert_eq!((quantile(&[5.0], 0.75), quantile(&[], 0.5)), (5.0, 0.0));
    }

    #[test]
    fn a_curve_stays_until_its_next_sample_and_after_its_last() {
        let run = Steps { spent: vec![1.0, 50.0], reached: vec![3.0, 7.0] };
        let reached = [0.0, 1.0, 49.9, 50.0, 100.0].map(|moment| run.at(moment));
        assert_eq!(reached.to_vec(), [0.0, 3.0, 3.0, 7.0, 7.0].to_vec());
    }

    #[test]
    fn a_band_goes_from_quartile_to_quartile() {
        let run = |reached: f64| Steps { spent: vec![0.0, 100.0], reached: vec![0.0, reached] };
        let band = band("x", &[run(1.0), run(2.0), run(3.0), run(4.0), run(5.0)], 100.0);
        assert_eq!((band.moments.len(), band.moments[100], band.median[99]), (N_MOMENTS, 100.0, 0.0));
        assert_eq!((band.lower[100], band.median[100], band.upper[100]), (2.0, 3.0, 4.0));
    }
}
