//! Optional parameters with which calls are refused: a header field that wants a version of its own form, a date range, `If-Match`.
//! Where one of a dozen spoils a call, and each is sent every other time, hardly any call succeeds.

use std::collections::BTreeMap;

use crate::action::Action;
use crate::api::{Api, Location};
use crate::gene::Gene;

/// Calls that must have been refused with a parameter before it counts as one that spoils them.
const REFUSED: u32 = 8;
/// Calls that must have succeeded without it: were it of no matter, it would be in some of so many.
const SUCCEEDED: u32 = 5;
/// One of so many calls with it may succeed.
const LEAST_GOOD: u32 = 16;

/// What came of calls with optional parameters and without, those of one name and place in all operations together.
#[derive(Debug, Clone)]
pub struct Spoilers {
    tallies: Vec<Tally>,
    /// For each operation the position of the tally of each of its parameters.
    of: Vec<Vec<usize>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    succeeded_with: u32,
    succeeded_without: u32,
    refused_with: u32,
}

impl Spoilers {
    /// Before any call of `api`.
    pub fn new(api: &Api) -> Self {
        let mut positions: BTreeMap<(&str, Location), usize> = BTreeMap::new();
        let mut of = Vec::new();
        for operation in &api.operations {
            let parameters = operation.parameters.iter().map(|parameter| {
                let next = positions.len();
                *positions.entry((&parameter.name, parameter.location)).or_insert(next)
            });
            of.push(parameters.collect());
        }
        Self { tallies: vec![Tally::default(); positions.len()], of }
    }

    /// Notes that `action`, with nothing wrong on purpose, was answered with `status`.
    pub fn note(&mut self, action: &Action, status: u16) {
        let succeeded = (200..300).contains(&status);
        if action.violation.is_some() || !succeeded && !refuses_input(status) {
            return;
        }
        let positions = self.of.get(action.operation_idx.0 as usize).map_or(&[][..], Vec::as_slice);
        for (gene, position) in action.parameters.iter().zip(positions) {
            let (Gene::Optional(gene), Some(tally)) = (gene, self.tallies.get_mut(*position)) else { continue };
            let count = match (gene.present().is_some(), succeeded) {
                (true, true) => &mut tally.succeeded_with,
                (true, false) => &mut tally.refused_with,
                (false, true) => &mut tally.succeeded_without,
                (false, false) => continue,
            };
            *count = count.saturating_add(1);
        }
    }

    /// Whether calls with the parameter at `place` are nearly always refused, and succeed without it.
    pub fn spoils(&self, action: &Action, place: usize) -> bool {
        let position = self.of.get(action.operation_idx.0 as usize).and_then(|positions| positions.get(place));
        position.and_then(|position| self.tallies.get(*position)).is_some_and(|tally| {
            tally.refused_with >= REFUSED
                && tally.succeeded_without >= SUCCEEDED
                && tally.succeeded_with.saturating_mul(LEAST_GOOD) < tally.refused_with
        })
    }
}

/// Whether a status says that something about the request is wrong, and not who calls or what is there.
fn refuses_input(status: u16) -> bool {
    matches!(status, 400 | 406 | 412..=417 | 422 | 428)
}

#[cfg(test)]
mod tests {
    use super::Spoilers;
    use crate::action::Action;
    use crate::api::{Api, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
    use crate::gene::Gene;
    use crate::search::{Budget, Problem, SearchSettings};

    /// Has the parameters at these places sent, and no others.
    fn with(action: &Action, places: &[usize]) -> Action {
        let mut action = action.clone();
        for (place, gene) in action.parameters.iter_mut().enumerate() {
            let Gene::Optional(gene) = gene else { panic!("it may be left out") };
            if places.contains(&place) {
                assert!(gene.put_in());
            } else {
                gene.leave_out();
            }
        }
        action
    }

    #[test]
    fn what_is_refused_in_all_operations_and_never_succeeds_spoils_calls_until_it_does() {
        let mut api = Api::default();
        let text = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        for url_path in ["/one", "/other"] {
            let parameters =
                ["version", "page"].map(|name| Parameter { required: false, ..Parameter::query(name, text) }).into();
            api.operations.push(Operation { parameters, ..Operation::bare(Verb::Get, url_path) });
        }
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
        let [one, other] = [0, 1].map(|idx| problem.template(OperationIdx(idx)));
        let mut spoilers = Spoilers::new(&api);
        let spoiling = |spoilers: &Spoilers| [0, 1].map(|place| spoilers.spoils(&other, place));
        for _ in 0..4 {
            spoilers.note(&with(&one, &[0, 1]), 400);
            spoilers.note(&with(&other, &[0]), 412);
            spoilers.note(&with(&one, &[1]), 200);
            assert_eq!(spoiling(&spoilers), [false, false], "it may be chance");
        }
        spoilers.note(&with(&other, &[0]), 404);
        spoilers.note(&with(&other, &[]), 200);
        assert_eq!(spoiling(&spoilers), [true, false]);
        spoilers.note(&with(&one, &[0]), 200);
        assert_eq!(spoiling(&spoilers), [false, false]);
    }
}
