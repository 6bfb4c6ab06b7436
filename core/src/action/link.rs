//! Values that a call takes from an earlier answer of the same test.

use serde_json::Value;

use super::Answer;

/// Where a value goes and which earlier answer it comes from.
///
/// When the answer has no such value the gene's own is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where the value goes.
    pub place: LinkPlace,
    /// Position of the earlier action in the individual.
    pub from_action: usize,
    /// What of its answer is taken.
    pub source: LinkSource,
}

/// Where a linked value goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkPlace {
    /// The whole value of a parameter, by position in the operation's parameters.
    Parameter(usize),
    /// A field of the body, as JSON pointer.
    Body(String),
}

/// What of an answer is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkSource {
    /// The value at a JSON pointer of a JSON body.
    Body(String),
    /// A header field.
    Header(String),
    /// The last path segment of the `Location` header.
    LocationSegment,
}

impl LinkSource {
    /// The value in `answer`: a scalar, or nothing.
    pub fn resolve(&self, answer: &Answer) -> Option<Value> {
        match self {
            Self::Body(pointer) => {
                let value = answer.json()?.pointer(pointer)?.clone();
                (!value.is_null() && !value.is_object() && !value.is_array()).then_some(value)
            }
            Self::Header(name) => answer.header(name).map(Value::from),
            Self::LocationSegment => {
                let location = answer.header("location")?;
                let url_path = location.split(['?', '#']).next().unwrap_or_default();
                let segment = url_path.rsplit('/').find(|segment| !segment.is_empty())?;
                Some(Value::from(percent_encoding::percent_decode_str(segment).decode_utf8().ok()?.into_owned()))
            }
        }
    }
}
