use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use super::{Source, record};
use crate::action::{Action, CallViolation, PlacedViolation, ValuePlace};
use crate::api::{Api, IntegerSchema, Operation, OperationIdx, Parameter, Schema, SchemaKind, Skipped, StringSchema, Verb};
use crate::driver::Elsewhere;
use crate::explain::{ElsewhereRecord, HintRecord, Kind, OriginRecord, Record, TargetRecord};
use crate::gene::{Edit, Violation};
use crate::report::fixture::statistics;
use crate::search::{
    Budget, Evaluation, GeneKey, Hint, Individual, Moment, Origin, Problem, SearchSettings, SearchState, Solution, SolvedTest,
    TargetId, TargetKind, Usage, gene_key_of, genes_of,
};

/// `GET /shop` with a text and a number.
fn api() -> Api {
    let mut api = Api::default();
    let text = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
    let number = api.schemas.push(Schema::new(SchemaKind::Integer(IntegerSchema { min: 0, max: 99, multiple_of: None })));
    let parameters = vec![Parameter::query("colour", text), Parameter::query("limit", number)];
    api.operations.push(Operation { parameters, ..Operation::bare(Verb::Get, "/shop") });
    api
}

/// A search that has seen one call.
struct Seen {
    api: Api,
    settings: SearchSettings,
    state: SearchState,
    solution: Solution,
    near: TargetId,
    covered: TargetId,
}

fn hint(tracked: &str, usage: Usage, operand: &str) -> (usize, Hint) {
    (0, Hint { tracked: tracked.to_owned(), usage, operand: operand.to_owned(), is_part: false })
}

impl Seen {
    fn new() -> Self {
        let (api, settings) = (api(), SearchSettings::new(Budget::Calls(100), 1));
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let mut action = problem.template(OperationIdx(0));
        assert!(action.parameters[0].assign(&json!("abc")) && action.parameters[1].assign(&json!(17)));
        let near = state.targets.intern(TargetKind::Code, "branch:a.B:1:0:then");
        let covered = state.targets.intern(TargetKind::Goal, "class:GET /shop:2xx");
        for (kind, name) in
            [(TargetKind::Code, "line:a.B:9"), (TargetKind::Code, "line:a.B:2"), (TargetKind::Code, "throws:a.B:9:0:x")]
        {
            state.targets.intern(kind, name);
        }
        let individual = Individual { actions: vec![action] };
        let evaluation = Evaluation {
            individual: individual.clone(),
            results: Vec::new(),
            closeness: vec![(near, 0.25), (covered, 1.0)],
            closest_calls: vec![0, 0],
            findings: Vec::new(),
            deaths: Vec::new(),
            hints: vec![
                hint("abc", Usage::Equals, "blue"),
                hint("abc", Usage::Matches, "(a"),
                hint("017", Usage::Equals, "x"),
                hint("abc", Usage::Equals, "s3cret!"),
            ],
            inputs: Vec::new(),
            elapsed: Duration::ZERO,
        };
        state.specialisations.learn(&api, &evaluation, &mut state.random);
        state.calls = 100;
        state.archive.now = Moment { calls: 40, origin: Origin::Mutated };
        state.archive.offer(evaluation, 10, &state.targets);
        let tried = state.specialisations.trials.next().expect("the hint is tried");
        let test = SolvedTest {
            individual: tried.individual,
            results: Vec::new(),
            repeats: Vec::new(),
            targets: vec![covered],
            findings: Vec::new(),
            fresh: Vec::new(),
        };
        let solution = Solution { tests: vec![test], ..Solution::default() };
        Self { api, settings, state, solution, near, covered }
    }

    /// The service tells this of a call.
    fn is_told(&mut self, action: Action, hint: (usize, Hint)) {
        let evaluation = Evaluation {
            individual: Individual { actions: vec![action] },
            results: Vec::new(),
            closeness: Vec::new(),
            closest_calls: Vec::new(),
            findings: Vec::new(),
            deaths: Vec::new(),
            hints: vec![hint],
            inputs: Vec::new(),
            elapsed: Duration::ZERO,
        };
        self.state.specialisations.learn(&self.api, &evaluation, &mut self.state.random);
    }

    /// The identity of a parameter's value.
    fn gene(&self, parameter: usize) -> GeneKey {
        let action = &self.state.archive.standing(self.near).expect("kept").kept.individual.actions[0];
        let (place, tree) = genes_of(action).nth(parameter).expect("a parameter");
        gene_key_of(action, place, tree.named()[0].key)
    }

    fn record(&self) -> Record {
        let skipped =
            Skipped { operation: "PUT /shop".to_owned(), pointer: "/paths".to_owned(), reason: "left out".to_owned() };
        record(&Source {
            api: &self.api,
            left_out: &[skipped],
            state: &self.state,
            gene_limits: &self.settings.gene_limits,
            solution: &self.solution,
            test_names: &["a_test".to_owned()],
            statistics: &statistics(),
            elsewhere: &BTreeMap::from([("line:a.B:2".to_owned(), Elsewhere::Start)]),
            is_guided: true,
            secrets: &["s3cret!".to_owned()],
        })
    }
}

fn target<'a>(record: &'a Record, name: &str) -> &'a TargetRecord {
    record.targets.iter().find(|target| target.name == name).expect("a target")
}

#[test]
fn a_target_comes_with_its_call_and_the_inputs_that_moved_it() {
    let mut seen = Seen::new();
    let (colour, limit) = (seen.gene(0), seen.gene(1));
    for genes in [&[colour][..], &[limit], &[limit]] {
        seen.state.impact.record(genes, &[seen.near]);
        seen.state.impact.record_kind(seen.near, false, true);
    }
    let elsewhere = GeneKey { operation_idx: OperationIdx(0), place: 1, key: 99 };
    seen.state.impact.record(&[elsewhere], &[seen.covered]);
    let record = seen.record();
    let near = target(&record, "branch:a.B:1:0:then");
    assert_eq!((near.kind, near.since, near.origin), (Kind::Code, 40, Some(OriginRecord::Mutated)));
    assert_eq!((near.tries, near.gains), (3, 3));
    let inputs: Vec<_> =
        near.inputs.iter().map(|it| (&*record.inputs[it.input].place, it.moved, it.value.as_deref())).collect();
    assert_eq!(inputs, [("query limit", 2, Some("17")), ("query colour", 1, Some("abc"))]);
    let covered = target(&record, "class:GET /shop:2xx");
    assert_eq!((covered.tests.as_slice(), covered.closeness), (&[0][..], 1.0));
    assert_eq!(record.inputs[covered.inputs[0].input].place, "query limit (a part of it)", "no call has that gene");
    assert_eq!(target(&record, "line:a.B:2").elsewhere, Some(ElsewhereRecord::Start));
    assert!(!target(&record, "line:a.B:9").is_reached());
    assert!(record.targets.iter().all(|it| !it.name.starts_with("throws")), "that nothing was thrown is no news");
    assert_eq!(
        (record.operations[1].id.as_str(), record.operations[1].skipped.as_deref()),
        ("PUT /shop", Some("left out (at /paths)"))
    );
}

#[test]
fn each_hint_comes_with_what_became_of_it() {
    let record = Seen::new().record();
    let colour = record.inputs.iter().find(|input| input.place == "query colour").expect("an input");
    let fates: Vec<_> = colour.hints.iter().map(|it| (&*it.usage, &*it.operand, it.taken, it.unused.as_deref())).collect();
    assert_eq!(
        fates,
        [
            ("equals", "blue", 1, None),
            ("equals", "***", 1, None),
            ("matches", "(a", 0, Some("the pattern cannot be translated")),
        ]
    );
    let HintRecord { operand, unused, .. } = &record.operations[0].hints[0];
    assert_eq!((operand.as_str(), unused.as_deref()), ("x", Some("no input of the call had that value as it is")));
}

#[test]
fn a_test_comes_with_its_specialised_inputs_unless_something_else_is_sent() {
    let mut seen = Seen::new();
    let record = seen.record();
    let [specialised] = &record.tests[0].specialised[..] else { panic!("{:?}", record.tests) };
    let input = &record.inputs[specialised.input];
    assert_eq!((specialised.value.as_str(), input.hints[specialised.hint].operand.as_str()), ("blue", "blue"));
    let violation = Violation { pointer: String::new(), edit: Edit::Replace(json!(5)), description: "a number".to_owned() };
    let violation = PlacedViolation { place: ValuePlace::Parameter(0), violation };
    seen.solution.tests[0].individual.actions[0].violation = Some(CallViolation::Value(violation));
    assert!(seen.record().tests[0].specialised.is_empty());
}

#[test]
fn what_does_not_keep_the_schema_is_told_as_such() {
    let mut seen = Seen::new();
    let mut action = seen.solution.tests[0].individual.actions[0].clone();
    let tight = StringSchema { min_length: 5, max_length: Some(5), ..StringSchema::default() };
    let tight = seen.api.schemas.push(Schema::new(SchemaKind::String(tight)));
    seen.api.operations[0].parameters[0] = Parameter::query("colour", tight);
    let template = Action::template(&seen.api, OperationIdx(0), &seen.settings.gene_limits);
    action.parameters[0] = template.parameters[0].clone();
    assert!(action.parameters[0].assign(&json!("abcde")));
    seen.is_told(action, hint("abcde", Usage::Equals, "much too long"));
    let record = seen.record();
    let hints = record.inputs.iter().flat_map(|input| &input.hints);
    let unused: Vec<_> = hints.filter(|it| it.operand == "much too long").map(|it| it.unused.as_deref()).collect();
    assert_eq!(unused, [Some("no such value keeps the constraints of the schema")]);
}

#[test]
fn what_was_made_of_a_part_of_a_value_is_told_of_its_hint() {
    let mut seen = Seen::new();
    let mut action = seen.solution.tests[0].individual.actions[0].clone();
    assert!(action.parameters[0].assign(&json!("abcde")));
    let (_, told) = hint("cde", Usage::Equals, "emu");
    seen.is_told(action, (0, Hint { is_part: true, ..told }));
    let trials = &mut seen.state.specialisations.trials;
    let tried = (0..9).filter_map(|_| trials.next()).last().expect("the hint is tried");
    seen.solution.tests[0].individual = tried.individual;
    let record = seen.record();
    let [specialised] = &record.tests[0].specialised[..] else { panic!("{:?}", record.tests) };
    let HintRecord { operand, taken, unused, .. } = &record.inputs[specialised.input].hints[specialised.hint];
    assert_eq!(specialised.value, "abemu");
    assert_eq!((operand.as_str(), *taken, unused.as_deref()), ("emu", 1, None));
}

#[test]
fn the_same_run_gives_the_same_record() {
    assert_eq!(Seen::new().record(), Seen::new().record());
}
