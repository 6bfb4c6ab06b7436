//! What is kept of a search for answering questions about it: plain data, which is also the content of `explain.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Version of the format; a change that is not an addition raises it.
pub const FORMAT_VERSION: u32 = 1;

/// What the search knew at its end. Numbers that name operations, inputs, hints and tests are positions in the lists here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// Version of restive.
    pub restive_version: String,
    /// HTTP calls of the search.
    pub calls: u64,
    /// Whether what happened inside the service guided the search.
    pub is_guided: bool,
    /// What was left out because there was too much of it.
    pub left_out: LeftOut,
    /// Operations in document order; then those that were skipped, then those a filter left out.
    pub operations: Vec<OperationRecord>,
    /// Inputs (genes) of which something was learned, by operation.
    pub inputs: Vec<InputRecord>,
    /// Targets in the order of first sight.
    pub targets: Vec<TargetRecord>,
    /// Kept tests, as in `results.json`.
    pub tests: Vec<TestRecord>,
    /// Classes of the service that are not measured, and why; the first ones where there are many.
    pub unmeasured: BTreeMap<String, String>,
}

/// What was left out because there was too much of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Targets that were reached.
    pub reached: u64,
    /// Targets that were not reached.
    pub not_reached: u64,
    /// Targets that were not reached, and of which the inputs are left out.
    pub without_inputs: u64,
    /// Arrivals of hints.
    pub hints: u64,
}

/// One operation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationRecord {
    /// `VERB /path`.
    pub id: String,
    /// Status to count; 0 stands for no answer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub statuses: BTreeMap<u16, u64>,
    /// Why it was never called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Why it was not called any more, or seldom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restrained: Option<String>,
    /// Hints about values that no input of the call had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<HintRecord>,
}

/// One input of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputRecord {
    /// The operation.
    pub operation: usize,
    /// Where it is sent, and which part of that it is: `query limit`, `body /items/*/name`, `query tags (how many)`.
    pub place: String,
    /// How often changing it was tried, for whatever target.
    pub tried: u32,
    /// What the service was seen to do with its values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<HintRecord>,
}

/// What the service was seen to do with a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HintRecord {
    /// What was done with it: `equals`, `matches`, `date`…
    pub usage: String,
    /// The other operand, possibly cut; empty when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub operand: String,
    /// How often it arrived.
    pub arrived: u64,
    /// How often the input was given such a value.
    pub taken: u32,
    /// Why it was of no use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unused: Option<String>,
}

/// What a target is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A place in the service's code.
    Code,
    /// An outcome that is wanted for itself.
    Goal,
    /// A fault.
    Fault,
    /// An end of the service.
    Death,
    /// A shape of input or answer.
    Shape,
}

/// Where the individual came from that came closest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OriginRecord {
    /// It was sampled.
    Sampled,
    /// It was mutated from an earlier one.
    Mutated,
    /// It tried what the service was seen to do with a value.
    Hinted,
}

/// How a place in the code was reached that no call of a test reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElsewhereRecord {
    /// Before the first test: the service reached it by starting.
    Start,
    /// Between calls, or by threads that work for none, and by no call.
    Background,
}

/// One target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetRecord {
    /// Its name.
    pub name: String,
    /// What it is good for.
    pub kind: Kind,
    /// How near the search came, in [0, 1]: 0 = never measured, 1 = reached.
    pub closeness: f64,
    /// How it was reached all the same where no call of a test reached it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<ElsewhereRecord>,
    /// Calls made when it came that close.
    #[serde(default)]
    pub since: u64,
    /// Where the individual came from that did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<OriginRecord>,
    /// The call that came closest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallRecord>,
    /// Mutations made for it.
    #[serde(default)]
    pub tries: u32,
    /// Those that came closer.
    #[serde(default)]
    pub gains: u32,
    /// Inputs that moved the closeness, the strongest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<EffectRecord>,
    /// Tests that are kept for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<usize>,
}

impl TargetRecord {
    /// Whether it was reached, by a call or in another way.
    pub fn is_reached(&self) -> bool {
        self.closeness >= 1.0 || self.elsewhere.is_some()
    }
}

/// A call in its test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRecord {
    /// The operation.
    pub operation: usize,
    /// Position, from 0.
    pub index: usize,
    /// Number of calls of the test.
    pub of: usize,
}

/// An input that moved the closeness to a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectRecord {
    /// The input.
    pub input: usize,
    /// How often changing it moved the closeness.
    pub moved: u32,
    /// Its value in the test that came closest, possibly cut; none where that has no such input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// One kept test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRecord {
    /// Identifier in the suite.
    pub name: String,
    /// Its operations, call by call.
    pub calls: Vec<usize>,
    /// Inputs that have a value of the kind that the service was seen to want.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specialised: Vec<SpecialisedRecord>,
}

/// An input of a test that was narrowed by a hint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecialisedRecord {
    /// Position of the call, from 0.
    pub call: usize,
    /// The input.
    pub input: usize,
    /// Position of the hint in the list of the input.
    pub hint: usize,
    /// The value, possibly cut.
    pub value: String,
}
