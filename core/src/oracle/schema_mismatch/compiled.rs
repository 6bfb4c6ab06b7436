//! Compiled JSON Schemas, each made once.

use std::collections::BTreeMap;
use std::ops::Range;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::api::{Api, OperationIdx, StatusRange};

use super::Mismatch;
use super::steps::is_within_reach;
use super::violation;

/// A regular expression may try that many ways before it counts as fitting.
const MAX_BACKTRACKS: usize = 100_000;

/// Which schema of an operation's answers is meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// The body of that media type, by position.
    Media(usize),
    /// A header, by position.
    Header(usize),
}

/// Where a schema stands; each is compiled once.
type Place = (OperationIdx, StatusRange, Part);

/// A schema of the interface.
#[derive(Debug, Clone)]
pub(super) struct SchemaAt<'a> {
    /// Where it stands.
    pub(super) place: Place,
    /// The schema as a fragment for [`crate::api::JsonSchemas::closure`].
    pub(super) fragment: &'a Value,
}

/// Validators for the answers of an interface, made when they are first needed.
#[derive(Debug, Default)]
pub struct Validators {
    compiled: BTreeMap<Place, Option<Compiled>>,
    unusable: Vec<(OperationIdx, String)>,
    too_costly: u64,
}

/// A schema ready to be checked against.
#[derive(Debug)]
struct Compiled {
    schema: Value,
    validator: Validator,
}

impl Validators {
    /// Schemas that could not be compiled, with the reason; the values they describe are not checked.
    pub fn unusable(&self) -> &[(OperationIdx, String)] {
        &self.unusable
    }

    /// How many values were not checked because that would have taken too many steps.
    pub fn too_costly(&self) -> u64 {
        self.too_costly
    }

    /// Whether `value` matches; true when it cannot be told.
    pub(super) fn is_valid(&mut self, api: &Api, schema: &SchemaAt<'_>, value: &Value) -> bool {
        self.with(api, schema, value, |compiled| compiled.validator.is_valid(value)).unwrap_or(true)
    }

    /// What of `value` does not match.
    pub(super) fn mismatches(&mut self, api: &Api, schema: &SchemaAt<'_>, value: &Value) -> Vec<Mismatch> {
        let found = self.with(api, schema, value, |compiled| {
            if compiled.validator.is_valid(value) {
                return Vec::new();
            }
            let mut mismatches: Vec<Mismatch> = Vec::new();
            for error in compiled.validator.iter_errors(value) {
                let Some(mismatch) = violation::mismatch(&compiled.schema, &error) else { continue };
                if mismatches.iter().all(|earlier| earlier.key != mismatch.key) {
                    mismatches.push(mismatch);
                }
                if mismatches.len() == super::MAX_FAULTS {
                    break;
                }
            }
            mismatches
        });
        found.unwrap_or_default()
    }

    /// Runs `check` with the compiled schema, unless it cannot be compiled or `value` would take too long.
    fn with<T>(&mut self, api: &Api, schema: &SchemaAt<'_>, value: &Value, check: impl FnOnce(&Compiled) -> T) -> Option<T> {
        if !self.compiled.contains_key(&schema.place) {
            let made = compile(api, schema.fragment).map_err(|reason| self.unusable.push((schema.place.0, reason))).ok();
            self.compiled.insert(schema.place.clone(), made);
        }
        let compiled = self.compiled.get(&schema.place)?.as_ref()?;
        if !is_within_reach(&compiled.schema, value) {
            self.too_costly += 1;
            return None;
        }
        Some(check(compiled))
    }
}

fn compile(api: &Api, fragment: &Value) -> Result<Compiled, String> {
    let schema = api.json_schemas.closure(fragment);
    let validator = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        // OpenAPI's `time` is without an offset in practice, unlike that of JSON Schema.
        .with_format("time", is_time)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS))
        .build(&schema)
        .map_err(|error| super::shortened(&format!("{} at {}", error.masked(), error.instance_path())))?;
    Ok(Compiled { schema, validator })
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
