//! Documents in the place of texts: a service that reads such a text by a reader of its own, character by character, tells
//! nothing of what it wants before it was sent one.
//!
//! Each text parameter of which the service told nothing but how it is decoded has one once, when its operation was called a
//! few times.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::action::ValuePlace;
use crate::api::OperationIdx;

use super::impact::GeneKey;
use super::mutator::{gene_at, keyed_sites};
use super::{Evaluation, Individual, Specialisations, probe};

/// Calls of an operation before that: most of what a service tells it tells at once.
const CALLS_BEFORE: u32 = 12;
/// Calls after these in which parameters are looked for that are not in every call.
const CALLS_LOOKED: u32 = 24;
/// What is sent: a name and a text that nothing else has, of the look of marked values, so that it is followed where only
/// those are.
const DOCUMENT: &str = r#"{"restive_name":"restive_0_input"}"#;

/// Which parameters had a document.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    calls: BTreeMap<OperationIdx, u32>,
    tried: BTreeSet<GeneKey>,
}

impl Documents {
    /// What to try because of `evaluation`: a call of it with a document in the place of a text.
    pub(super) fn learn(&mut self, evaluation: &Evaluation, known: &Specialisations) -> Vec<Individual> {
        let mut to_try = Vec::new();
        let n_sent = evaluation.results.len();
        for (action_idx, action) in evaluation.individual.actions.iter().take(n_sent).enumerate() {
            let calls = self.calls.entry(action.operation_idx).or_default();
            *calls = calls.saturating_add(1);
            if !(CALLS_BEFORE..CALLS_BEFORE + CALLS_LOOKED).contains(calls) || action.violation.is_some() {
                continue;
            }
            for (key, place, path) in keyed_sites(action) {
                let is_parameter = matches!(place, ValuePlace::Parameter(_)) && !probe::is_at(action, place);
                if !is_parameter || known.is_told(key) || self.tried.contains(&key) {
                    continue;
                }
                let mut individual = Individual { actions: evaluation.individual.actions[..=action_idx].to_vec() };
                let gene = gene_at(&mut individual.actions[action_idx], place).and_then(|tree| tree.at_mut(&path));
                if gene.is_some_and(|gene| gene.is_markable() && gene.assign(&json!(DOCUMENT))) {
                    self.tried.insert(key);
                    to_try.push(individual);
                }
            }
        }
        to_try
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{CALLS_BEFORE, CALLS_LOOKED, DOCUMENT};
    use serde_json::json;

    use crate::action::{Action, ActionResult, Expanded, ExtraInput, Outcome, Request};
    use crate::api::{Api, Location, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
    use crate::gene::{Gene, is_marked};
    use crate::search::{
        Budget, Evaluation, ExecutedCall, Execution, Hint, Individual, Marking, Problem, SearchSettings, SearchState,
    };

    /// `GET /o` with a text and a flag in its query.
    fn api() -> Api {
        let mut api = Api::default();
        let kinds = [SchemaKind::String(StringSchema::default()), SchemaKind::Boolean];
        let schemas = kinds.map(|kind| api.schemas.push(Schema::new(kind)));
        let parameters = ["filter", "all"].iter().zip(schemas);
        let parameters = parameters.map(|(name, schema)| Parameter { required: true, ..Parameter::query(name, schema) });
        api.operations.push(Operation { parameters: parameters.collect(), ..Operation::bare(Verb::Get, "/o") });
        api
    }

    /// A call with that text, of which the service tells `usage`.
    fn call(action: &Action, text: &str, usage: &str) -> Evaluation {
        let mut action = action.clone();
        assert!(action.parameters[0].assign(&text.into()));
        let request = Request {
            operation_idx: OperationIdx(0),
            verb: Verb::Get,
            url: "/o".to_owned(),
            headers: Vec::new(),
            body: None,
            user: None,
        };
        let result = ActionResult { request, outcome: Outcome::TimedOut, elapsed: Duration::ZERO };
        let executed = ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None };
        let execution =
            Execution { individual: Individual { actions: vec![action] }, calls: vec![executed], elapsed: Duration::ZERO };
        let hint = Hint::told(text.to_owned(), usage, "emu".to_owned()).expect("a known usage");
        Evaluation { hints: vec![(0, hint)], ..Evaluation::new(execution, Vec::new()) }
    }

    /// How many of a hundred calls with a document come of these.
    fn documents(marking: Marking, usage: &str, n_calls: u32) -> usize {
        documents_beside(None, marking, usage, n_calls)
    }

    /// The same where another parameter was found.
    fn documents_beside(found: Option<&str>, marking: Marking, usage: &str, n_calls: u32) -> usize {
        let api = api();
        let settings = SearchSettings { marking, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let mut action = problem.template(OperationIdx(0));
        if let Some(name) = found {
            let input = ExtraInput::Parameter(Location::Query, name.to_owned(), json!({"type": "string"}));
            action.expand(&Expanded::new(&[input]).expect("it allows values").into(), &settings.gene_limits);
            assert!(action.parameters[2].assign(&json!("found")));
        }
        for number in 0..n_calls {
            state.learn(&problem, &call(&action, &format!("text{number}"), usage));
        }
        let tried = (0..100).filter_map(|_| state.specialisations.trials.next());
        let values =
            tried.flat_map(|it| it.individual.actions[0].parameters.iter().filter_map(Gene::to_json).collect::<Vec<_>>());
        values.filter(|value| value == DOCUMENT).count()
    }

    #[test]
    fn a_text_of_which_nothing_is_told_is_a_document_once() {
        let n_calls = CALLS_BEFORE + CALLS_LOOKED;
        assert_eq!(documents(Marking::Never, "url_decoded", CALLS_BEFORE - 1), 0);
        assert_eq!(documents(Marking::Never, "url_decoded", CALLS_BEFORE), 1);
        assert_eq!(documents(Marking::Never, "url_decoded", n_calls), 1);
        assert_eq!(documents(Marking::Never, "equals", n_calls), 0, "what is wanted is known");
        assert_eq!(documents(Marking::Fixed(0.5), "url_decoded", n_calls), 1, "where values are marked as well");
        assert!(is_marked(DOCUMENT));
    }

    #[test]
    fn the_value_of_a_probe_is_none() {
        let beside = |found| documents_beside(Some(found), Marking::Never, "equals", CALLS_BEFORE);
        assert_eq!(["filters", "restive-query"].map(beside), [1, 0]);
    }
}
