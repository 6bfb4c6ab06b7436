//! Answers to questions about a run: plain data, printed by [`super::text`] or as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::reason::Reason;
use super::record::{ElsewhereRecord, HintRecord, Kind, LeftOut, OriginRecord, Record, TargetRecord};

/// Hints of a target or an operation, at most.
const MOST_HINTS: usize = 12;
/// Tests of a target that are told with their inputs, at most.
const MOST_TESTS: usize = 5;

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// What is nearest of all that was not reached.
    Overview(Overview),
    /// Targets, each explained.
    Targets {
        /// One, or those of one line.
        targets: Vec<TargetAnswer>,
        /// How many more there are.
        more: usize,
    },
    /// An operation.
    Operation(OperationAnswer),
    /// A test.
    Test(TestAnswer),
    /// Several targets of different places fit the question.
    Candidates {
        /// The question.
        question: String,
        /// What fits, what was not reached first, the nearest first.
        candidates: Vec<Candidate>,
        /// How many more there are.
        more: usize,
    },
}

/// What is nearest of all that was not reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overview {
    /// Calls of the search.
    pub calls: u64,
    /// Targets that were reached.
    pub reached: usize,
    /// Targets that were not reached.
    pub not_reached: usize,
    /// Places in the code among the latter.
    pub code: usize,
    /// The nearest targets by class or operation, the group with the nearest first.
    pub groups: Vec<Group>,
    /// How many groups more there are.
    pub more_groups: usize,
    /// Operations that never succeeded, with what they gave.
    pub never_succeeded: Vec<Candidate>,
    /// How many more there are.
    pub more_never_succeeded: usize,
    /// Tests with inputs that have values of the kind that the service was seen to want.
    pub tests: Vec<TestAnswer>,
    /// How many more there are.
    pub more_tests: usize,
    /// What the record of the run leaves out.
    pub left_out: LeftOut,
}

/// Targets of a class or an operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The class with its package, or `VERB /path`.
    pub name: String,
    /// The nearest.
    pub targets: Vec<NearTarget>,
    /// How many more there are that were not reached.
    pub more: usize,
}

/// A target that was not reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NearTarget {
    /// Its name.
    pub name: String,
    /// What it is good for.
    pub kind: Kind,
    /// How near the search came, in [0, 1).
    pub closeness: f64,
    /// The same as a distance of a place in the code; none where nothing was measured.
    pub distance: Option<f64>,
    /// The operation that came closest, `VERB /path`.
    pub operation: Option<String>,
}

/// Something that a question may have meant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// How to ask for it.
    pub name: String,
    /// What became of it, in few words.
    pub state: String,
}

/// A target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TargetAnswer {
    /// Its name.
    pub name: String,
    /// What it is good for.
    pub kind: Kind,
    /// Whether it was reached, by a call or in another way.
    pub is_reached: bool,
    /// How it was reached where no call of a test reached it.
    pub elsewhere: Option<ElsewhereRecord>,
    /// How near the search came, in [0, 1].
    pub closeness: f64,
    /// The same as a distance of a place in the code; none where nothing was measured.
    pub distance: Option<f64>,
    /// Calls of the search when it came that close.
    pub since: u64,
    /// Calls of the search.
    pub calls: u64,
    /// Where the individual came from that came that close.
    pub origin: Option<OriginRecord>,
    /// The call that did.
    pub call: Option<CallAnswer>,
    /// Mutations made for it.
    pub tries: u32,
    /// Those that came closer.
    pub gains: u32,
    /// Inputs that moved the closeness, the strongest first.
    pub inputs: Vec<InputAnswer>,
    /// Hints about these inputs and others of the operation.
    pub hints: Vec<HintAnswer>,
    /// How many more there are.
    pub more_hints: usize,
    /// Why it was not reached, the most telling first.
    pub reasons: Vec<Reason>,
    /// Tests that are kept for it.
    pub tests: Vec<TestAnswer>,
    /// How many more there are.
    pub more_tests: usize,
}

/// A call of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallAnswer {
    /// `VERB /path`.
    pub operation: String,
    /// Its number, from 1.
    pub number: usize,
    /// Calls of the test.
    pub of: usize,
}

/// An input that moved the closeness to a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputAnswer {
    /// `VERB /path`.
    pub operation: String,
    /// Its place.
    pub place: String,
    /// How often changing it moved the closeness.
    pub moved: u32,
    /// How often changing it was tried, for whatever target.
    pub tried: u32,
    /// Its value in the test that came closest.
    pub value: Option<String>,
}

/// A hint and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HintAnswer {
    /// The place of the input; empty for no input.
    pub place: String,
    /// The hint.
    #[serde(flatten)]
    pub hint: HintRecord,
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OperationAnswer {
    /// `VERB /path`.
    pub id: String,
    /// Status to count; 0 stands for no answer.
    pub statuses: BTreeMap<u16, u64>,
    /// Why it did not go further, the most telling first; empty where it succeeded.
    pub reasons: Vec<Reason>,
    /// Hints about its inputs.
    pub hints: Vec<HintAnswer>,
    /// How many more there are.
    pub more_hints: usize,
    /// Targets that were not reached and that one of its calls came closest to, the nearest first.
    pub targets: Vec<NearTarget>,
    /// How many more there are.
    pub more_targets: usize,
    /// Tests that call it, with their inputs.
    pub tests: Vec<TestAnswer>,
    /// How many more there are.
    pub more_tests: usize,
}

/// A test with its inputs that have values of the kind that the service was seen to want.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestAnswer {
    /// Identifier in the suite.
    pub name: String,
    /// `VERB /path` of its calls.
    pub calls: Vec<String>,
    /// The inputs.
    pub specialised: Vec<SpecialisedAnswer>,
}

/// An input of a test that was narrowed by a hint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpecialisedAnswer {
    /// Number of the call, from 1.
    pub call: usize,
    /// Place of the input.
    pub place: String,
    /// Its value.
    pub value: String,
    /// What the service was seen to do with values of it.
    pub usage: String,
    /// The other operand, empty when there is none.
    pub operand: String,
}

impl Record {
    /// A target that was not reached, in short.
    pub(super) fn near(&self, target: &TargetRecord) -> NearTarget {
        NearTarget {
            name: target.name.clone(),
            kind: target.kind,
            closeness: target.closeness,
            distance: distance(target),
            operation: target.call.map(|call| self.operations[call.operation].id.clone()),
        }
    }

    /// Whether `target` is one to be told of where it was not reached: that no call of an operation was refused, or none
    /// failed, is no lack.
    pub(super) fn is_lacking(target: &TargetRecord) -> bool {
        let is_wanted = match target.kind {
            Kind::Code => target.closeness > 0.0,
            Kind::Goal => target.name.ends_with(":2xx"),
            Kind::Fault | Kind::Death | Kind::Shape => false,
        };
        is_wanted && !target.is_reached()
    }

    /// All about a target.
    pub(super) fn target_answer(&self, target: &TargetRecord) -> TargetAnswer {
        let is_reached = target.is_reached();
        let (hints, more_hints) = self.hints_of(target);
        let (tests, more_tests) = self.first_tests(target.tests.iter().copied());
        TargetAnswer {
            name: target.name.clone(),
            kind: target.kind,
            is_reached,
            elsewhere: target.elsewhere,
            closeness: target.closeness,
            distance: distance(target),
            since: target.since,
            calls: self.calls,
            origin: target.origin,
            call: target.call.map(|call| CallAnswer {
                operation: self.operations[call.operation].id.clone(),
                number: call.index + 1,
                of: call.of,
            }),
            tries: target.tries,
            gains: target.gains,
            inputs: target
                .inputs
                .iter()
                .map(|effect| InputAnswer {
                    operation: self.operations[self.inputs[effect.input].operation].id.clone(),
                    place: self.inputs[effect.input].place.clone(),
                    moved: effect.moved,
                    tried: self.inputs[effect.input].tried,
                    value: effect.value.clone(),
                })
                .collect(),
            hints,
            more_hints,
            reasons: if is_reached { Vec::new() } else { self.reasons(target) },
            tests,
            more_tests,
        }
    }

    /// All about an operation.
    pub(super) fn operation_answer(&self, operation: usize) -> OperationAnswer {
        let record = &self.operations[operation];
        let mut near: Vec<&TargetRecord> =
            self.targets.iter().filter(|it| Self::is_lacking(it) && self.operation_of(it) == Some(operation)).collect();
        near.sort_by(|one, other| other.closeness.total_cmp(&one.closeness));
        let of_operation = self.inputs.iter().filter(|input| input.operation == operation);
        let hints = of_operation.flat_map(|input| input.hints.iter().map(|hint| (input.place.as_str(), hint)));
        let (hints, more_hints) = first_hints(hints.chain(record.hints.iter().map(|hint| ("", hint))));
        let tests = self.tests.iter().enumerate().filter(|(_, test)| test.calls.contains(&operation)).map(|(idx, _)| idx);
        let (tests, more_tests) = self.first_tests(tests);
        OperationAnswer {
            id: record.id.clone(),
            statuses: record.statuses.clone(),
            reasons: self.operation_reasons(operation),
            hints,
            more_hints,
            more_targets: near.len().saturating_sub(MOST_HINTS),
            targets: near.into_iter().take(MOST_HINTS).map(|it| self.near(it)).collect(),
            tests,
            more_tests,
        }
    }

    /// A test with its inputs.
    pub(super) fn test_answer(&self, idx: usize) -> TestAnswer {
        let test = &self.tests[idx];
        let specialised = test.specialised.iter().map(|it| {
            let input = &self.inputs[it.input];
            let HintRecord { usage, operand, .. } = input.hints[it.hint].clone();
            SpecialisedAnswer { call: it.call + 1, place: input.place.clone(), value: it.value.clone(), usage, operand }
        });
        TestAnswer {
            name: test.name.clone(),
            calls: test.calls.iter().map(|operation| self.operations[*operation].id.clone()).collect(),
            specialised: specialised.collect(),
        }
    }

    /// The first of these tests, those with inputs to tell of first, and how many more there are.
    fn first_tests(&self, tests: impl Iterator<Item = usize>) -> (Vec<TestAnswer>, usize) {
        let mut tests: Vec<usize> = tests.collect();
        tests.sort_by_key(|idx| (self.tests[*idx].specialised.is_empty(), *idx));
        let shown = tests.iter().take(MOST_TESTS).map(|idx| self.test_answer(*idx)).collect();
        (shown, tests.len().saturating_sub(MOST_TESTS))
    }

    /// Hints about inputs of the operation that came closest: those that moved the target first.
    fn hints_of(&self, target: &TargetRecord) -> (Vec<HintAnswer>, usize) {
        let Some(operation) = self.operation_of(target) else { return (Vec::new(), 0) };
        let has_moved = |idx: usize| target.inputs.iter().any(|effect| effect.input == idx);
        let mut inputs: Vec<usize> =
            (0..self.inputs.len()).filter(|idx| has_moved(*idx) || self.inputs[*idx].operation == operation).collect();
        inputs.sort_by_key(|idx| (!has_moved(*idx), *idx));
        let of_inputs = inputs.into_iter().map(|idx| &self.inputs[idx]);
        let hints = of_inputs.flat_map(|input| input.hints.iter().map(|hint| (input.place.as_str(), hint)));
        first_hints(hints.chain(self.operations[operation].hints.iter().map(|hint| ("", hint))))
    }
}

/// The first hints, and how many more there are.
fn first_hints<'a>(hints: impl Iterator<Item = (&'a str, &'a HintRecord)>) -> (Vec<HintAnswer>, usize) {
    let mut hints: Vec<HintAnswer> =
        hints.map(|(place, hint)| HintAnswer { place: place.to_owned(), hint: hint.clone() }).collect();
    let more = hints.len().saturating_sub(MOST_HINTS);
    hints.truncate(MOST_HINTS);
    (hints, more)
}

/// The distance that closeness was made of; none where nothing was measured, and of goals, whose closeness is a ranking.
pub(super) fn distance(target: &TargetRecord) -> Option<f64> {
    let is_measured = target.kind == Kind::Code && target.closeness > 0.0;
    is_measured.then(|| 1.0 / target.closeness - 1.0)
}
