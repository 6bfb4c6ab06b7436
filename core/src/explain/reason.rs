//! Why a target was not reached.

use std::collections::BTreeMap;

use serde::Serialize;

use super::place::Place;
use super::record::{HintRecord, Kind, OperationRecord, Record, TargetRecord};
use crate::report::{count, grouped};

/// Hints that are named as useless, at most.
const MOST_USELESS: usize = 3;

/// Why a target was not reached, or an operation did not go further.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// The schema of the operation could not be used, or a filter left it out.
    Skipped {
        /// `VERB /path`.
        operation: String,
        /// Why.
        why: String,
    },
    /// The operation was not called once.
    NeverCalled {
        /// `VERB /path`.
        operation: String,
    },
    /// The operation was given up, or called seldom.
    Restrained {
        /// `VERB /path`.
        operation: String,
        /// Why.
        why: String,
    },
    /// No call of the operation succeeded.
    NeverSucceeded {
        /// `VERB /path`.
        operation: String,
        /// Status to count; 0 stands for no answer.
        statuses: BTreeMap<u16, u64>,
    },
    /// The class is not measured.
    Unmeasured {
        /// With its package.
        class: String,
        /// Why.
        why: String,
    },
    /// No call came into the class.
    ClassNeverEntered {
        /// With its package.
        class: String,
    },
    /// A condition before it in the class went the other way.
    Behind {
        /// The target of the condition.
        target: String,
        /// How far the search was from it.
        distance: f64,
    },
    /// What stands before it in the class was executed, and it was not.
    StoppedBefore {
        /// The last line before it that was executed.
        line: u32,
        /// The operation that executed it.
        operation: Option<String>,
    },
    /// Its line was executed, and the condition was not come to.
    OtherCondition,
    /// The distance says only that the other outcome happened.
    YesOrNo,
    /// It came no closer for a while.
    Stalled {
        /// Calls since it last came closer.
        calls: u64,
        /// Mutations that were made for it in all.
        tries: u32,
        /// Those that came closer.
        gains: u32,
    },
    /// It was never worked on.
    NotWorkedOn,
    /// No input that was changed moved it.
    NoInput {
        /// Mutations that were made for it.
        tries: u32,
    },
    /// Hints about its inputs were of no use.
    UselessHint {
        /// The place of the input; empty for no input.
        place: String,
        /// What was done with the value.
        usage: String,
        /// The other operand.
        operand: String,
        /// Why.
        why: String,
    },
    /// It still came closer when the run ended.
    StillCloser,
    /// What happens inside the service was not seen.
    NotGuided,
}

impl Record {
    /// Why `target` was not reached, the most telling first.
    pub(super) fn reasons(&self, target: &TargetRecord) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let operation = self.operation_of(target);
        if let Some(operation) = operation {
            reasons.extend(self.operation_reasons(operation));
        }
        let place = Place::of(&target.name).filter(|_| target.kind == Kind::Code);
        match place {
            Some(place) if target.closeness <= 0.0 => reasons.extend(self.not_come_to(place)),
            _ => reasons.extend(self.not_climbed(target)),
        }
        reasons.extend(operation.into_iter().flat_map(|operation| self.useless_hints(target, operation)));
        if reasons.is_empty() {
            reasons.push(if self.is_guided { Reason::StillCloser } else { Reason::NotGuided });
        }
        reasons
    }

    /// Why calls of an operation did not go further; nothing where one succeeded.
    pub(super) fn operation_reasons(&self, operation: usize) -> Vec<Reason> {
        let OperationRecord { id, statuses, skipped, restrained, .. } = &self.operations[operation];
        let operation = id.clone();
        if let Some(why) = skipped.clone() {
            return vec![Reason::Skipped { operation, why }];
        }
        let why = restrained.clone().map(|why| Reason::Restrained { operation: id.clone(), why });
        let is_success = |status: &u16| (200..300).contains(status);
        let never = if statuses.is_empty() {
            Some(Reason::NeverCalled { operation })
        } else if statuses.keys().any(is_success) {
            None
        } else {
            Some(Reason::NeverSucceeded { operation, statuses: statuses.clone() })
        };
        why.into_iter().chain(never).collect()
    }

    /// Why the search never measured anything at `place`: what stands before it in its class.
    fn not_come_to(&self, place: Place<'_>) -> Vec<Reason> {
        let class = place.class.to_owned();
        if let Some(why) = self.unmeasured.get(place.class) {
            return vec![Reason::Unmeasured { class, why: why.clone() }];
        }
        let in_class = self.targets.iter().filter(|it| it.kind == Kind::Code);
        let in_class = in_class.filter_map(|it| Some((it, Place::of(&it.name).filter(|other| other.class == place.class)?)));
        let of_lines: Vec<(&TargetRecord, Place<'_>, u32)> =
            in_class.filter_map(|(it, other)| Some((it, other, other.line?))).collect();
        let is_executed = TargetRecord::is_reached;
        if !of_lines.iter().any(|(it, other, _)| other.kind == "line" && is_executed(it)) {
            return vec![Reason::ClassNeverEntered { class }];
        }
        let Some(line) = place.line else { return Vec::new() };
        let before = || of_lines.iter().filter(|(_, _, other)| *other <= line);
        if place.kind != "line" && before().any(|(it, other, at)| other.kind == "line" && *at == line && is_executed(it)) {
            return vec![Reason::OtherCondition];
        }
        let open = before().filter(|(it, other, _)| other.is_condition() && it.closeness > 0.0 && !is_executed(it));
        let behind = open.max_by(|one, other| one.2.cmp(&other.2).then_with(|| one.0.closeness.total_cmp(&other.0.closeness)));
        let last =
            before().filter(|(it, other, at)| other.kind == "line" && *at < line && is_executed(it)).max_by_key(|it| it.2);
        let behind = behind.map(|(it, ..)| Reason::Behind { target: it.name.clone(), distance: 1.0 / it.closeness - 1.0 });
        let last = last.map(|(it, _, at)| Reason::StoppedBefore {
            line: *at,
            operation: it.call.map(|call| self.operations[call.operation].id.clone()),
        });
        last.into_iter().chain(behind).collect()
    }

    /// Why the search did not come closer to what it came near to.
    fn not_climbed(&self, target: &TargetRecord) -> Vec<Reason> {
        let TargetRecord { tries, gains, since, .. } = *target;
        let mut reasons = Vec::new();
        if target.closeness <= 0.0 {
            return reasons;
        }
        let is_flat = gains == 0 && target.inputs.is_empty();
        if target.kind == Kind::Code && is_flat && (target.closeness - 0.5).abs() < 1e-9 {
            reasons.push(Reason::YesOrNo);
        }
        let calls = self.calls.saturating_sub(since);
        if tries == 0 {
            reasons.push(Reason::NotWorkedOn);
        } else if calls > self.calls / 10 {
            reasons.push(Reason::Stalled { calls, tries, gains });
        }
        if tries > 0 && target.inputs.is_empty() && self.left_out.without_inputs == 0 {
            reasons.push(Reason::NoInput { tries });
        }
        reasons
    }

    /// Hints about inputs of the operation that were of no use.
    fn useless_hints(&self, target: &TargetRecord, operation: usize) -> Vec<Reason> {
        let has_moved = |idx: usize| target.inputs.iter().any(|effect| effect.input == idx);
        let mut inputs: Vec<usize> = (0..self.inputs.len()).filter(|idx| self.inputs[*idx].operation == operation).collect();
        inputs.sort_by_key(|idx| (!has_moved(*idx), *idx));
        let of_inputs = inputs.into_iter().map(|idx| &self.inputs[idx]);
        let hints = of_inputs.flat_map(|input| input.hints.iter().map(|hint| (input.place.as_str(), hint)));
        let hints = hints.chain(self.operations[operation].hints.iter().map(|hint| ("", hint)));
        let useless = |(place, hint): (&str, &HintRecord)| {
            let why = hint.unused.clone()?;
            Some(Reason::UselessHint { place: place.to_owned(), usage: hint.usage.clone(), operand: hint.operand.clone(), why })
        };
        hints.filter_map(useless).take(MOST_USELESS).collect()
    }
}

impl Reason {
    /// As a sentence for people, with the next step where there is one.
    pub fn text(&self) -> String {
        match self {
            Self::Skipped { operation, why } => format!("{operation} was not called: {why}"),
            Self::NeverCalled { operation } => format!("{operation} was never called; give the run a larger `--budget`"),
            Self::Restrained { operation, why } => format!("{operation} was {why}"),
            Self::NeverSucceeded { operation, statuses } => {
                format!("no call of {operation} succeeded: {}{}", all_statuses(statuses), advice(statuses))
            }
            Self::Unmeasured { class, why } => format!("{class} is not measured: {why}"),
            Self::ClassNeverEntered { class } => format!("no call came into {class}"),
            Self::Behind { target, distance } => {
                format!("a condition before it was not met: `{target}`, distance {}", number(*distance))
            }
            Self::StoppedBefore { line, operation } => {
                let by = operation.as_ref().map_or_else(|| ", by no call".to_owned(), |operation| format!(", by {operation}"));
                format!("it was never come to: the last line before it in its class that was executed is {line}{by}")
            }
            Self::OtherCondition => "its line was executed, and this condition on it was never come to".to_owned(),
            Self::YesOrNo => {
                "its distance is 1, which is all that a condition with yes or no for an answer tells: nothing shows a way"
                    .to_owned()
            }
            Self::Stalled { calls, .. } => {
                format!("it came no closer in the last {}", count(*calls, "call", "calls"))
            }
            Self::NotWorkedOn => "it was never picked to be worked on; give the run a larger `--budget`".to_owned(),
            Self::NoInput { tries } => format!(
                "no input moved it in {}: it may hang on state, time, configuration, or an input that the schema does not name",
                count(u64::from(*tries), "mutation", "mutations"),
            ),
            Self::UselessHint { place, usage, operand, why } => {
                let of = if place.is_empty() { String::new() } else { format!(" of {place}") };
                format!("a hint{of} was of no use ({}): {why}", hint(usage, operand))
            }
            Self::StillCloser => "the run ended while it still came closer; give it a larger `--budget`".to_owned(),
            Self::NotGuided => {
                "what happens inside the service was not seen; `--jar`, or `--packages` with `--command`, shows it".to_owned()
            }
        }
    }
}

/// What was done with a value, and with what.
pub(super) fn hint(usage: &str, operand: &str) -> String {
    if operand.is_empty() { usage.to_owned() } else { format!("{usage} \"{operand}\"") }
}

/// `404 (600 times), 400 (98 times)`, the most frequent first.
pub(super) fn all_statuses(statuses: &BTreeMap<u16, u64>) -> String {
    let mut statuses: Vec<(&u16, &u64)> = statuses.iter().collect();
    statuses.sort_by_key(|(status, n)| (std::cmp::Reverse(**n), **status));
    let shown = |(status, n): (&u16, &u64)| match status {
        0 => format!("no answer ({})", count(*n, "time", "times")),
        status => format!("{status} ({})", count(*n, "time", "times")),
    };
    statuses.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The next step for an operation that never succeeded, by what it gave most.
fn advice(statuses: &BTreeMap<u16, u64>) -> &'static str {
    let most = statuses.iter().max_by_key(|(_, n)| **n).map_or(0, |(status, _)| *status);
    match most {
        401 | 403 => "; give it credentials with `--bearer`, `--basic` or `--auth-file`",
        404 => "; what it names was not there: see whether another operation creates it, or give examples in the schema",
        405 => "; the service does not know the operation: see whether the schema is the service's",
        415 => "; the service wants another media type than the schema says",
        429 => "; the service limits calls: see `--max-rate`",
        0 => "; see `--time-limit` and the log of the service",
        _ => "",
    }
}

/// A distance, short.
pub(super) fn number(distance: f64) -> String {
    match distance {
        0.0 => "0".to_owned(),
        _ if !(1e-3..1e9).contains(&distance) => format!("{distance:.2e}"),
        _ => {
            let text = format!("{distance:.3}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            text.parse().map_or_else(|_| text.to_owned(), grouped)
        }
    }
}
