//! Which targets of a run are told of: a run may have tens of thousands, and the file must stay small.

use std::collections::BTreeSet;

use super::record::LeftOut;
use crate::search::{SearchState, TargetId, TargetKind};

/// Targets in the file, at most.
const MOST_TARGETS: usize = 20_000;
/// Targets that were not reached and come with the inputs that moved them, at most; the nearest.
const MOST_DETAILED: usize = 3_000;

/// What is asked for most comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The search came near.
    Near,
    /// It was reached.
    Reached,
    /// Nothing was measured there.
    Never,
    /// Shapes of inputs and answers.
    Shape,
}

/// Which targets are told of.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Those that are kept.
    pub(super) kept: BTreeSet<TargetId>,
    /// Those of them that come with the inputs that moved them.
    pub(super) detailed: BTreeSet<TargetId>,
    /// What is left out.
    pub(super) left_out: LeftOut,
}

/// The targets of a run that are told of.
pub(super) fn chosen(state: &SearchState) -> Chosen {
    chosen_within(state, MOST_TARGETS, MOST_DETAILED)
}

fn chosen_within(state: &SearchState, most: usize, most_detailed: usize) -> Chosen {
    let closeness = |target: TargetId| state.archive.standing(target).map_or(0.0, |it| it.closeness);
    let told = state.targets.ids().filter(|target| is_told(state, *target));
    let mut ranked: Vec<(Rank, f64, TargetId)> =
        told.map(|target| (rank(state.targets.kind(target), closeness(target)), closeness(target), target)).collect();
    ranked.sort_by(|(rank, near, target), (other_rank, other_near, other)| {
        rank.cmp(other_rank).then_with(|| other_near.total_cmp(near)).then_with(|| target.cmp(other))
    });
    let (kept, rest) = ranked.split_at(ranked.len().min(most));
    let reached_of_rest = rest.iter().filter(|(_, closeness, _)| *closeness >= 1.0).count();
    let ids = |rank: Rank| kept.iter().filter(move |it| it.0 == rank).map(|it| it.2);
    let n_near = ids(Rank::Near).count();
    // Of what was reached, only what was worked on has inputs that moved it.
    let detailed = ids(Rank::Near).take(most_detailed).chain(ids(Rank::Reached)).collect();
    let left_out = LeftOut {
        reached: reached_of_rest as u64,
        not_reached: (rest.len() - reached_of_rest) as u64,
        without_inputs: n_near.saturating_sub(most_detailed) as u64,
        hints: state.specialisations.log().left_out(),
    };
    Chosen { kept: kept.iter().map(|it| it.2).collect(), detailed, left_out }
}

fn rank(kind: TargetKind, closeness: f64) -> Rank {
    match kind {
        TargetKind::Shape => Rank::Shape,
        _ if closeness >= 1.0 => Rank::Reached,
        _ if closeness > 0.0 => Rank::Near,
        _ => Rank::Never,
    }
}

/// Whether a target is told of: that a call of a library method did not throw is no news.
fn is_told(state: &SearchState, target: TargetId) -> bool {
    let name = state.targets.name(target);
    let is_call = name.starts_with("throws:") || name.starts_with("returns:");
    !is_call || state.archive.is_covered(target)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::chosen_within;
    use crate::api::Api;
    use crate::search::{Budget, Evaluation, Individual, Problem, SearchSettings, SearchState, TargetId, TargetKind};

    /// A state with targets of these kinds, names and closenesses.
    fn state(targets: &[(TargetKind, &str, f64)]) -> SearchState {
        let (api, settings) = (Api::default(), SearchSettings::new(Budget::Calls(1), 1));
        let mut state = SearchState::new(&Problem::new(&api, Vec::new(), 0, &settings));
        let ids: BTreeMap<TargetId, f64> =
            targets.iter().map(|(kind, name, closeness)| (state.targets.intern(*kind, name), *closeness)).collect();
        let evaluation = Evaluation {
            individual: Individual::default(),
            results: Vec::new(),
            closeness: ids.into_iter().filter(|(_, closeness)| *closeness > 0.0).collect(),
            closest_calls: Vec::new(),
            findings: Vec::new(),
            deaths: Vec::new(),
            hints: Vec::new(),
            inputs: Vec::new(),
            elapsed: Duration::ZERO,
        };
        state.archive.offer(evaluation, 10, &state.targets);
        state
    }

    #[test]
    fn the_nearest_stay_when_there_are_too_many() {
        use TargetKind::{Code, Goal, Shape};
        let state = state(&[
            (Shape, "shape", 0.9),
            (Code, "never", 0.0),
            (Code, "far", 0.1),
            (Goal, "reached", 1.0),
            (Code, "near", 0.8),
            (Code, "throws:a.B:1:0:x", 0.0),
        ]);
        let names = |most, most_detailed| {
            let chosen = chosen_within(&state, most, most_detailed);
            let kept: Vec<&str> = chosen.kept.iter().map(|target| state.targets.name(*target)).collect();
            let detailed: Vec<&str> = chosen.detailed.iter().map(|target| state.targets.name(*target)).collect();
            (kept, detailed, chosen.left_out)
        };
        let (kept, detailed, left_out) = names(9, 9);
        assert_eq!(kept, ["shape", "never", "far", "reached", "near"], "that a call did not throw is no news");
        assert_eq!((detailed, left_out), (vec!["far", "reached", "near"], super::LeftOut::default()));
        let (kept, detailed, left_out) = names(2, 1);
        assert_eq!((kept, detailed), (vec!["far", "near"], vec!["near"]));
        assert_eq!((left_out.reached, left_out.not_reached, left_out.without_inputs), (1, 2, 1));
    }
}
