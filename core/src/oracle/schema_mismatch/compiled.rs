//! One JSON Schema, compiled and self-contained.

use std::ops::Range;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::api::{Api, Direction};

use super::steps::is_within_reach;
use super::{MAX_FAULTS, Mismatch, shortened, violation};

/// A regular expression may try that many ways before it counts as fitting.
const MAX_BACKTRACKS: usize = 100_000;

/// A schema ready to be checked against.
#[derive(Debug)]
pub(super) struct Compiled {
    schema: Value,
    validator: Validator,
    n_nodes: usize,
}

impl Compiled {
    /// Compiles `fragment` with everything of the interface that it refers to; the reason when that fails.
    pub(super) fn new(api: &Api, fragment: &Value) -> Result<Self, String> {
        let schema = api.json_schemas.closure(fragment, Direction::Answer);
        let validator = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            // OpenAPI's `time` is without an offset in practice, unlike that of JSON Schema.
            .with_format("time", is_time)
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS))
            .build(&schema)
            .map_err(|error| shortened(&format!("{} at `{}`", error.masked(), error.instance_path())))?;
        let n_nodes = count_nodes(&schema);
        Ok(Self { schema, validator, n_nodes })
    }

    /// Size of the schema in JSON values; about 200 bytes are taken for each.
    pub(super) fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// Whether checking `value` takes a bearable number of steps.
    pub(super) fn can_check(&self, value: &Value) -> bool {
        is_within_reach(&self.schema, value)
    }

    /// Whether `value` matches.
    pub(super) fn is_valid(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// What of `value` does not match, each key once.
    pub(super) fn mismatches(&self, value: &Value) -> Vec<Mismatch> {
        // Most answers match, and finding that out is much cheaper than collecting errors.
        if self.is_valid(value) {
            return Vec::new();
        }
        let mut mismatches: Vec<Mismatch> = Vec::new();
        for mismatch in self.validator.iter_errors(value).filter_map(|error| violation::mismatch(&self.schema, &error)) {
            if mismatches.iter().all(|earlier| earlier.key != mismatch.key) {
                mismatches.push(mismatch);
            }
            if mismatches.len() == MAX_FAULTS {
                break;
            }
        }
        mismatches
    }
}

fn count_nodes(value: &Value) -> usize {
    let mut n_nodes = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        n_nodes += 1;
        match value {
            Value::Array(members) => open.extend(members),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    n_nodes
}

/// `hh:mm`, with seconds, fraction and offset where given.
fn is_time(text: &str) -> bool {
    let number = |range: Range<usize>| {
        let digits = text.get(range).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        digits.and_then(|digits| digits.parse::<u8>().ok())
    };
    let separator = text.get(2..3) == Some(":");
    separator && number(0..2).is_some_and(|hour| hour < 24) && number(3..5).is_some_and(|minute| minute < 60)
}

#[cfg(test)]
mod tests {
    use super::is_time;

    #[test]
    fn times_are_accepted_with_and_without_offset() {
        assert!(["10:00", "23:59:59", "10:00:00.5Z", "10:00:00+02:00"].into_iter().all(is_time));
        assert!(!["", "10", "24:00", "10:60", "1:00:00", "+1:00", "ab:cd", "1é:00"].into_iter().any(is_time));
    }
}
