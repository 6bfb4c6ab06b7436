//! Parameter control: settings of the search as functions of the spent budget (MIO, Arcuri 2018, section 3.3).

use super::SearchSettings;

/// The parameters in force at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// Probability of sampling a new individual.
    pub p_random: f64,
    /// Individuals kept per target.
    pub population: usize,
    /// Mutations in a row.
    pub mutations: usize,
    /// Probability of marking a value.
    pub p_marking: f64,
    /// Whether the focused phase has begun.
    pub focused: bool,
}

impl Schedule {
    /// The parameters after `spent`, a share of the budget in [0, 1].
    pub fn at(settings: &SearchSettings, spent: f64) -> Self {
        if spent >= settings.focused_phase {
            return Self {
                p_random: settings.p_random_end,
                population: settings.population_end.max(1),
                mutations: settings.mutations.max(1),
                p_marking: 0.0,
                focused: true,
            };
        }
        let share = spent / settings.focused_phase;
        Self {
            p_random: settings.p_random_end + (settings.p_random - settings.p_random_end) * (1.0 - share),
            population: between(settings.population.max(1), settings.population_end.max(1), share),
            mutations: between(settings.mutations_start.max(1), settings.mutations.max(1), share),
            p_marking: settings.marking.p() * (1.0 - share),
            focused: false,
        }
    }
}

/// The whole number at `share` in [0, 1] of the way from `start` to `end`.
fn between(start: usize, end: usize, share: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between two small counts")]
    let value = (start as f64 + (end as f64 - start as f64) * share).round() as usize;
    value
}

#[cfg(test)]
mod tests {
    use super::Schedule;
    use crate::search::{Budget, Marking, SearchSettings};

    #[test]
    fn parameters_move_linearly_until_the_focused_phase() {
        let settings = SearchSettings::new(Budget::Calls(100), 1);
        let start = Schedule::at(&settings, 0.0);
        assert_eq!((start.population, start.mutations, start.focused), (10, 1, false));
        let middle = Schedule::at(&settings, 0.25);
        assert!((middle.p_random - 0.25).abs() < 1e-9);
        assert_eq!((middle.population, middle.mutations), (6, 6));
        let focused = Schedule::at(&settings, 0.5);
        assert_eq!((focused.population, focused.mutations, focused.focused), (1, 10, true));
        assert!(focused.p_random.abs() < 1e-9);
    }

    #[test]
    fn fewer_and_fewer_values_are_marked_and_none_in_the_focused_phase() {
        let mut settings = SearchSettings::new(Budget::Calls(100), 1);
        let check = |settings: &SearchSettings, expected: [f64; 4]| {
            for (spent, p) in [0.0, 0.25, 0.5, 0.9].into_iter().zip(expected) {
                assert!((Schedule::at(settings, spent).p_marking - p).abs() < 1e-9, "{spent}");
            }
        };
        check(&settings, [0.0; 4]);
        settings.marking = Marking::Fixed(0.9);
        check(&settings, [0.9, 0.45, 0.0, 0.0]);
    }

    #[test]
    fn both_ends_can_be_chosen() {
        let settings = SearchSettings {
            p_random_end: 0.1,
            population_end: 4,
            mutations_start: 3,
            ..SearchSettings::new(Budget::Calls(100), 1)
        };
        let [start, middle, end] = [0.0, 0.25, 0.5].map(|spent| Schedule::at(&settings, spent));
        assert_eq!([start.population, middle.population, end.population], [10, 7, 4]);
        assert_eq!([start.mutations, middle.mutations, end.mutations], [3, 7, 10]);
        assert!((middle.p_random - 0.3).abs() < 1e-9 && (end.p_random - 0.1).abs() < 1e-9);
    }

    #[test]
    fn a_focused_phase_from_the_start_is_possible() {
        let mut settings = SearchSettings::new(Budget::Calls(100), 1);
        settings.focused_phase = 0.0;
        assert!(Schedule::at(&settings, 0.0).focused);
    }
}
