//! The service's interface as the search sees it: operations, parameters, bodies, responses and schemas.
//!
//! Plain data without a source format; [`crate::openapi`] makes it, everything else only reads it.

mod extent;
pub(crate) mod json_schema;
mod media_type;
mod operation;
mod prune;
mod schema;
mod usable;

pub use extent::Extent;
pub use json_schema::{Dialect, Direction, JsonSchemas, SchemaDocument};
pub use media_type::{is_json_media, is_stream_media};
pub use operation::{
    Body, Location, MediaKind, Operation, OperationIdx, Parameter, PartEncoding, Response, ResponseHeader, ResponseLink,
    ResponseMedia, StatusRange, Style, Verb,
};
pub use schema::{
    Additional, ArraySchema, ChoiceSchema, IntegerSchema, NumberSchema, ObjectSchema, PatternDialect, Property, Schema,
    SchemaId, SchemaKind, Schemas, StringSchema, XmlHints,
};

use std::collections::BTreeMap;

/// A loaded interface: what can be called, and what of the document could not be used.
#[derive(Debug, Clone, Default)]
pub struct Api {
    /// The document's title, empty when it has none.
    pub title: String,
    /// Server URLs with their variables filled in, absolute or relative to where the document came from; in document order.
    pub servers: Vec<String>,
    /// How callers show who they are, in document order.
    pub schemes: Vec<SecurityScheme>,
    /// Operations that can be fuzzed, in document order.
    pub operations: Vec<Operation>,
    /// Every schema an operation refers to, possibly cyclic.
    pub schemas: Schemas,
    /// The same schemas as JSON Schema, for validation.
    pub json_schemas: JsonSchemas,
    /// Operations that cannot be fuzzed, each with the place and the reason.
    pub skipped: Vec<Skipped>,
    /// Operations that the document lacks and a framework of the service has registered.
    pub discovered: Vec<Discovered>,
    /// Path templates of operations that were taken out, by the user's wish above all; nothing may be sent there.
    pub off_limits: Vec<String>,
    /// Keywords that are not honoured, with the number of places they occur in.
    pub unsupported: BTreeMap<String, usize>,
    /// Repairs made to the document on load, as JSON pointer and what was done; at most [`Self::MOST_REPAIRS`] are kept.
    pub repairs: Vec<Repair>,
    /// Schemas that may contradict themselves, until [`crate::action::settle`] has made the attempt.
    pub doubts: Vec<Doubt>,
}

impl Api {
    /// The operation at `operation_idx`, which must come from this interface.
    pub fn operation(&self, operation_idx: OperationIdx) -> &Operation {
        &self.operations[operation_idx.0 as usize]
    }
}

/// How callers show who they are (OpenAPI 3.0.3, "Security Scheme Object"); those by a name and a password are none that an answer
/// could tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecurityScheme {
    /// A token in the `Authorization` field (`bearer`, `oauth2`, `openIdConnect`).
    Token,
    /// A header field of this name.
    Field(String),
    /// A cookie of this name.
    Cookie(String),
}

/// An operation that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// `VERB /path`, or the path alone when the whole path item is unusable.
    pub operation: String,
    /// JSON pointer to the part that could not be understood.
    pub pointer: String,
    /// Why, as a lower-case fragment.
    pub reason: String,
}

/// An operation that no document names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// `VERB /path`.
    pub operation: String,
    /// What serves it; empty when unknown.
    pub handler: String,
}

/// A schema that may contradict itself in a way that only the attempt to make a value shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The schema.
    pub schema: SchemaId,
    /// JSON pointer to where it stands.
    pub pointer: String,
    /// References to every place that gives it a `format`, when that may be what is contradicted.
    pub formats: Vec<String>,
}

/// Something in the document that was mended or ignored so that the rest could be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// JSON pointer to the place.
    pub pointer: String,
    /// What was done, as a lower-case fragment.
    pub action: String,
}
